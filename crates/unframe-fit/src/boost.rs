//! Gradient boosting with histograms, in whole numbers: bins, gradients and leaves are integers and everything happens in a fixed
//! order, so that the same data give the same trees on every machine.

use std::ops::Range;

use unframe::detect::places::fitting::{Forest, Split, UNIT};

/// Bins of a feature.
const BINS_MAX: usize = 64;
/// Gradients are counted in these.
const GRADIENT_UNIT: f64 = (1u64 << 20) as f64;
const THREADS: usize = 2;

/// How to boost.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) trees: usize,
    pub(crate) leaves: usize,
    pub(crate) rate: f64,
    /// The share of the features that a tree may use, in thousandths.
    pub(crate) features: u64,
    /// The share of the rows that a tree sees, in thousandths.
    pub(crate) rows: u64,
    pub(crate) ridge: f64,
    /// The least weight of a leaf.
    pub(crate) leaf_min: f64,
    pub(crate) seed: u64,
}

/// Rows with their answers.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) features: usize,
    /// Row after row.
    pub(crate) values: Vec<i16>,
    pub(crate) answers: Vec<bool>,
    pub(crate) weights: Vec<f32>,
}

impl Table {
    pub(crate) fn rows(&self) -> usize {
        self.answers.len()
    }
}

/// Values of all rows as bins, feature after feature.
pub(crate) struct Binned {
    columns: Vec<Vec<u8>>,
    /// The largest value of each bin but the last.
    bounds: Vec<Vec<i16>>,
}

impl Binned {
    pub(crate) fn of(table: &Table) -> Binned {
        let numbers: Vec<usize> = (0..table.features).collect();
        let parts = in_threads(&numbers, |feature| {
            let column: Vec<i16> =
                table.values.iter().skip(*feature).step_by(table.features).copied().collect();
            let bounds = bounds(&column);
            let bins =
                column.iter().map(|value| bounds.partition_point(|bound| bound < value) as u8).collect();
            (bins, bounds)
        });
        let (columns, bounds) = parts.into_iter().unzip();
        Binned { columns, bounds }
    }
}

/// Bounds that cut the values into bins of about the same size.
fn bounds(column: &[i16]) -> Vec<i16> {
    let mut sorted = column.to_vec();
    sorted.sort_unstable();
    let mut distinct = sorted.clone();
    distinct.dedup();
    if distinct.len() <= BINS_MAX {
        distinct.pop();
        return distinct;
    }
    let mut bounds: Vec<i16> = (1..BINS_MAX).map(|bin| sorted[sorted.len() * bin / BINS_MAX]).collect();
    bounds.dedup();
    if bounds.last() == distinct.last() {
        bounds.pop();
    }
    bounds
}

/// Calls `each` for every item, on several threads, and returns the results in order.
fn in_threads<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (one, other) = items.split_at(items.len() / THREADS);
    std::thread::scope(|scope| {
        let each = &each;
        let other = scope.spawn(move || other.iter().map(each).collect::<Vec<R>>());
        let mut results: Vec<R> = one.iter().map(each).collect();
        results.extend(other.join().expect("a thread of the fit failed"));
        results
    })
}

/// The logistic function of scores, from a table that only multiplication made.
struct Logistic(Vec<f64>);

const LOGISTIC_MAX: i32 = 12 * UNIT;

impl Logistic {
    fn new() -> Logistic {
        // exp(-1/1024)
        let step = 0.999_023_914_181_976_2;
        let mut power = 1.0;
        Logistic(
            (0..=LOGISTIC_MAX)
                .map(|_| {
                    let probability = 1.0 / (1.0 + power);
                    power *= step;
                    probability
                })
                .collect(),
        )
    }

    fn of(&self, score: i32) -> f64 {
        let upper = self.0[score.abs().min(LOGISTIC_MAX) as usize];
        if score < 0 { 1.0 - upper } else { upper }
    }
}

#[derive(Clone, Copy, Default)]
struct Sums {
    gradient: i64,
    hessian: i64,
}

type Histogram = Vec<[Sums; BINS_MAX]>;

struct Leaf {
    rows: Vec<u32>,
    sums: Sums,
    histogram: Histogram,
    best: Option<Best>,
    /// The node that leads here, and whether as its right side.
    from: Option<(usize, bool)>,
}

#[derive(Clone, Copy)]
struct Best {
    gain: f64,
    /// In the list of the tree's features.
    feature: usize,
    bin: usize,
}

/// Finds the trees; rows of the range that is left out count nothing. Also returns the gain of each feature.
pub(crate) fn boost(
    table: &Table,
    binned: &Binned,
    left_out: &Range<usize>,
    settings: &Settings,
) -> (Forest, Vec<f64>) {
    let logistic = Logistic::new();
    let (yes, all) =
        table.answers.iter().zip(&table.weights).fold((0.0, 0.0), |(yes, all), (answer, weight)| {
            (yes + if *answer { f64::from(*weight) } else { 0.0 }, all + f64::from(*weight))
        });
    let prior: f64 = (yes / all).clamp(0.01, 0.99);
    let bias = (-LOGISTIC_MAX..=LOGISTIC_MAX).find(|score| logistic.of(*score) >= prior).unwrap_or(0);
    let mut forest = Forest { bias, ..Forest::default() };
    let mut scores = vec![bias; table.rows()];
    let mut gains = vec![0.0; table.features];
    for number in 0..settings.trees {
        let mut rows = Vec::new();
        let (mut gradients, mut hessians) = (Vec::new(), Vec::new());
        for (row, score) in scores.iter().enumerate() {
            let weight = f64::from(table.weights[row]);
            if left_out.contains(&row)
                || random(settings.seed, number as u64, row as u64) % 1000 >= settings.rows
            {
                continue;
            }
            let probability = logistic.of(*score);
            let answer = if table.answers[row] { 1.0 } else { 0.0 };
            rows.push(row as u32);
            gradients.push(((answer - probability) * weight * GRADIENT_UNIT).round() as i32);
            hessians.push((probability * (1.0 - probability) * weight * GRADIENT_UNIT).round() as i32);
        }
        let features: Vec<usize> = (0..table.features)
            .filter(|feature| {
                random(settings.seed ^ 77, number as u64, *feature as u64) % 1000 < settings.features
            })
            .filter(|feature| !binned.bounds[*feature].is_empty())
            .collect();
        let tree = grow(binned, &features, rows, &gradients, &hessians, settings, &mut gains);
        add_tree(&mut forest, &tree, binned, &mut scores);
    }
    (forest, gains)
}

/// The same with all rows.
pub(crate) fn boost_all(table: &Table, settings: &Settings) -> (Forest, Vec<f64>) {
    boost(table, &Binned::of(table), &(0..0), settings)
}

/// A tree before it is written down: nodes with bins.
struct Tree {
    /// Feature, bin, left, right; see [`Split`].
    nodes: Vec<(usize, usize, u8, u8)>,
    leaves: Vec<i16>,
}

fn grow(
    binned: &Binned,
    features: &[usize],
    rows: Vec<u32>,
    gradients: &[i32],
    hessians: &[i32],
    settings: &Settings,
    gains: &mut [f64],
) -> Tree {
    // Positions in `rows` stand for rows, so that gradients lie close together.
    let places: Vec<u32> = (0..rows.len() as u32).collect();
    let view = View { binned, features, rows: &rows, gradients, hessians };
    let histogram = view.histogram(&places);
    let sums = sum_of(&histogram);
    let mut leaves =
        vec![Leaf { best: best(&histogram, sums, settings), rows: places, sums, histogram, from: None }];
    let mut nodes: Vec<(usize, usize, u8, u8)> = Vec::new();
    while leaves.len() < settings.leaves {
        let gain = |leaf: &Leaf| leaf.best.map_or(0.0, |best| best.gain);
        let Some(at) = (0..leaves.len())
            .rev()
            .max_by(|one, other| gain(&leaves[*one]).total_cmp(&gain(&leaves[*other])))
        else {
            break;
        };
        let Some(split) = leaves[at].best else { break };
        let feature = features[split.feature];
        gains[feature] += split.gain;
        let node = nodes.len();
        nodes.push((feature, split.bin, 0, 0));
        if let Some((parent, is_right)) = leaves[at].from {
            let parent = &mut nodes[parent];
            *(if is_right { &mut parent.3 } else { &mut parent.2 }) = node as u8;
        }
        let leaf = leaves.swap_remove(at);
        let column = &binned.columns[feature];
        let (left, right): (Vec<u32>, Vec<u32>) = leaf
            .rows
            .iter()
            .partition(|place| usize::from(column[rows[**place as usize] as usize]) <= split.bin);
        let left_is_small = left.len() <= right.len();
        let small = view.histogram(if left_is_small { &left } else { &right });
        let large = difference(leaf.histogram, &small);
        let (left_histogram, right_histogram) = if left_is_small { (small, large) } else { (large, small) };
        for (rows, histogram, is_right) in [(left, left_histogram, false), (right, right_histogram, true)] {
            let sums = sum_of(&histogram);
            leaves.push(Leaf {
                best: best(&histogram, sums, settings),
                rows,
                sums,
                histogram,
                from: Some((node, is_right)),
            });
        }
    }
    let mut values = Vec::new();
    for leaf in &leaves {
        let value = leaf.sums.gradient as f64 / (leaf.sums.hessian as f64 + settings.ridge * GRADIENT_UNIT);
        let value = (value.clamp(-8.0, 8.0) * settings.rate * f64::from(UNIT)).round() as i16;
        let number = Split::LEAF + values.len() as u8;
        values.push(value);
        if let Some((parent, is_right)) = leaf.from {
            let parent = &mut nodes[parent];
            *(if is_right { &mut parent.3 } else { &mut parent.2 }) = number;
        }
    }
    Tree { nodes, leaves: values }
}

struct View<'v> {
    binned: &'v Binned,
    features: &'v [usize],
    rows: &'v [u32],
    gradients: &'v [i32],
    hessians: &'v [i32],
}

impl View<'_> {
    fn histogram(&self, places: &[u32]) -> Histogram {
        let ordered: Vec<(u32, i32, i32)> = places
            .iter()
            .map(|place| {
                let place = *place as usize;
                (self.rows[place], self.gradients[place], self.hessians[place])
            })
            .collect();
        in_threads(self.features, |feature| {
            let column = &self.binned.columns[*feature];
            let mut histogram = [Sums::default(); BINS_MAX];
            for (row, gradient, hessian) in &ordered {
                let sums = &mut histogram[usize::from(column[*row as usize]) % BINS_MAX];
                sums.gradient += i64::from(*gradient);
                sums.hessian += i64::from(*hessian);
            }
            histogram
        })
    }
}

fn difference(mut one: Histogram, other: &Histogram) -> Histogram {
    for (one, other) in one.iter_mut().zip(other) {
        for (one, other) in one.iter_mut().zip(other) {
            one.gradient -= other.gradient;
            one.hessian -= other.hessian;
        }
    }
    one
}

fn sum_of(histogram: &Histogram) -> Sums {
    histogram.first().into_iter().flatten().fold(Sums::default(), |sum, bin| Sums {
        gradient: sum.gradient + bin.gradient,
        hessian: sum.hessian + bin.hessian,
    })
}

fn best(histogram: &Histogram, all: Sums, settings: &Settings) -> Option<Best> {
    let ridge = settings.ridge * GRADIENT_UNIT;
    let least = settings.leaf_min * GRADIENT_UNIT;
    let value = |sums: Sums| sums.gradient as f64 * sums.gradient as f64 / (sums.hessian as f64 + ridge);
    let mut best: Option<Best> = None;
    for (feature, bins) in histogram.iter().enumerate() {
        let mut left = Sums::default();
        for (bin, sums) in bins.iter().enumerate().take(BINS_MAX - 1) {
            left.gradient += sums.gradient;
            left.hessian += sums.hessian;
            let right = Sums { gradient: all.gradient - left.gradient, hessian: all.hessian - left.hessian };
            if (left.hessian as f64) < least {
                continue;
            }
            if (right.hessian as f64) < least {
                break;
            }
            let gain = (value(left) + value(right) - value(all)) / GRADIENT_UNIT;
            if gain > 1e-3 && best.is_none_or(|best| gain > best.gain) {
                best = Some(Best { gain, feature, bin });
            }
        }
    }
    best
}

fn add_tree(forest: &mut Forest, tree: &Tree, binned: &Binned, scores: &mut [i32]) {
    if tree.nodes.is_empty() {
        return;
    }
    forest.trees.push((forest.nodes.len() as u32, forest.leaves.len() as u32));
    forest.nodes.extend(tree.nodes.iter().map(|(feature, bin, left, right)| Split {
        feature: *feature as u8,
        threshold: binned.bounds[*feature].get(*bin).copied().unwrap_or(i16::MAX),
        left: *left,
        right: *right,
    }));
    forest.leaves.extend(&tree.leaves);
    let half = scores.len() / THREADS;
    let (one, other) = scores.split_at_mut(half);
    let update = |scores: &mut [i32], first: usize| {
        for (at, score) in scores.iter_mut().enumerate() {
            let mut node = 0u8;
            while node < Split::LEAF {
                let (feature, bin, left, right) = tree.nodes[node as usize];
                node = if usize::from(binned.columns[feature][first + at]) <= bin { left } else { right };
            }
            *score += i32::from(tree.leaves[(node - Split::LEAF) as usize]);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| update(other, half));
        update(one, 0);
    });
}

/// A random number of its arguments alone.
pub(crate) fn random(seed: u64, one: u64, other: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ one.wrapping_mul(0xbf58_476d_1ce4_e5b9)
        ^ other.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 32
}
