//! Histogram-based gradient boosting of binary classifiers, with leaf-wise growth as in LightGBM.
//!
//! Bins, gradients and leaf values are integers, and sums are taken in a fixed order, so that the same data give the same trees on every
//! machine. Sums of floating-point numbers would depend on their order.

use std::ops::Range;

use unframe::detect::places::fitting::{Forest, Split, UNIT};

/// Maximum number of bins of a feature's histogram.
const BINS_MAX: usize = 64;
/// Gradients and Hessians are integers: multiples of 1 / `GRADIENT_UNIT`.
const GRADIENT_UNIT: f64 = (1u64 << 20) as f64;
const THREADS: usize = 2;

/// Hyperparameters.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) trees: usize,
    pub(crate) leaves: usize,
    pub(crate) learning_rate: f64,
    /// The share of the features that each tree is grown on, in thousandths.
    pub(crate) feature_fraction: u64,
    /// The share of the rows that each tree is grown on, in thousandths.
    pub(crate) row_fraction: u64,
    /// L2 regularisation of leaf values.
    pub(crate) lambda: f64,
    /// The smallest sum of Hessians in a leaf.
    pub(crate) min_leaf_hessian: f64,
    pub(crate) seed: u64,
}

/// Feature values with labels and weights; a row is a training example.
#[derive(Default)]
pub(crate) struct Dataset {
    pub(crate) features: usize,
    /// The values of all features, row by row.
    pub(crate) values: Vec<i16>,
    pub(crate) labels: Vec<bool>,
    pub(crate) weights: Vec<f32>,
}

impl Dataset {
    pub(crate) fn rows(&self) -> usize {
        self.labels.len()
    }
}

/// A dataset whose values are replaced by bins, stored by column.
pub(crate) struct BinnedDataset {
    columns: Vec<Vec<u8>>,
    /// For each feature, the largest value of each bin except the last.
    bounds: Vec<Vec<i16>>,
}

impl BinnedDataset {
    pub(crate) fn of(dataset: &Dataset) -> BinnedDataset {
        let features: Vec<usize> = (0..dataset.features).collect();
        let binned = map_in_threads(&features, |feature| {
            let column: Vec<i16> =
                dataset.values.iter().skip(*feature).step_by(dataset.features).copied().collect();
            let bounds = bounds(&column);
            let bins =
                column.iter().map(|value| bounds.partition_point(|bound| bound < value) as u8).collect();
            (bins, bounds)
        });
        let (columns, bounds) = binned.into_iter().unzip();
        BinnedDataset { columns, bounds }
    }
}

/// Bin bounds, chosen so that all bins hold about the same number of rows.
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

/// Calls `each` for every item on several threads, and returns the results in order.
fn map_in_threads<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (one, other) = items.split_at(items.len() / THREADS);
    std::thread::scope(|scope| {
        let each = &each;
        let other = scope.spawn(move || other.iter().map(each).collect::<Vec<R>>());
        let mut results: Vec<R> = one.iter().map(each).collect();
        results.extend(other.join().expect("a thread of the fit failed"));
        results
    })
}

/// The logistic function, tabulated by multiplication alone: `exp` of the standard library differs between platforms.
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

    fn probability(&self, score: i32) -> f64 {
        let upper = self.0[score.abs().min(LOGISTIC_MAX) as usize];
        if score < 0 { 1.0 - upper } else { upper }
    }
}

#[derive(Clone, Copy, Default)]
struct GradientSums {
    gradient: i64,
    hessian: i64,
}

type Histogram = Vec<[GradientSums; BINS_MAX]>;

/// A leaf of the tree under construction.
struct Leaf {
    rows: Vec<u32>,
    sums: GradientSums,
    histogram: Histogram,
    best: Option<SplitCandidate>,
    /// The parent node, and whether this leaf is its right child.
    parent: Option<(usize, bool)>,
}

#[derive(Clone, Copy)]
struct SplitCandidate {
    gain: f64,
    /// The index of the feature in the list of the tree's features.
    feature: usize,
    bin: usize,
}

/// Fits a forest on all rows outside of the held-out range. Also returns the total gain of each feature.
pub(crate) fn boost(
    dataset: &Dataset,
    binned: &BinnedDataset,
    held_out: &Range<usize>,
    settings: &Settings,
) -> (Forest, Vec<f64>) {
    let logistic = Logistic::new();
    let (positive, all) =
        dataset.labels.iter().zip(&dataset.weights).fold((0.0, 0.0), |(positive, all), (label, weight)| {
            (positive + if *label { f64::from(*weight) } else { 0.0 }, all + f64::from(*weight))
        });
    let prior: f64 = (positive / all).clamp(0.01, 0.99);
    let bias =
        (-LOGISTIC_MAX..=LOGISTIC_MAX).find(|score| logistic.probability(*score) >= prior).unwrap_or(0);
    let mut forest = Forest { bias, ..Forest::default() };
    let mut scores = vec![bias; dataset.rows()];
    let mut gains = vec![0.0; dataset.features];
    for tree in 0..settings.trees {
        let mut rows = Vec::new();
        let (mut gradients, mut hessians) = (Vec::new(), Vec::new());
        for (row, score) in scores.iter().enumerate() {
            let weight = f64::from(dataset.weights[row]);
            if held_out.contains(&row)
                || random(settings.seed, tree as u64, row as u64) % 1000 >= settings.row_fraction
            {
                continue;
            }
            let probability = logistic.probability(*score);
            let label = if dataset.labels[row] { 1.0 } else { 0.0 };
            rows.push(row as u32);
            gradients.push(((label - probability) * weight * GRADIENT_UNIT).round() as i32);
            hessians.push((probability * (1.0 - probability) * weight * GRADIENT_UNIT).round() as i32);
        }
        let features: Vec<usize> = (0..dataset.features)
            .filter(|feature| {
                random(settings.seed ^ 77, tree as u64, *feature as u64) % 1000 < settings.feature_fraction
            })
            .filter(|feature| !binned.bounds[*feature].is_empty())
            .collect();
        let tree = grow(binned, &features, rows, &gradients, &hessians, settings, &mut gains);
        add_tree(&mut forest, &tree, binned, &mut scores);
    }
    (forest, gains)
}

/// Fits a forest on all rows.
pub(crate) fn boost_all(dataset: &Dataset, settings: &Settings) -> (Forest, Vec<f64>) {
    boost(dataset, &BinnedDataset::of(dataset), &(0..0), settings)
}

/// A tree that splits by bins; `add_tree` translates the bins to values.
struct Tree {
    /// Feature, bin, left and right child, numbered as in [`Split`].
    nodes: Vec<(usize, usize, u8, u8)>,
    leaves: Vec<i16>,
}

/// Grows a tree leaf-wise: always splits the leaf whose best split has the largest gain.
fn grow(
    binned: &BinnedDataset,
    features: &[usize],
    rows: Vec<u32>,
    gradients: &[i32],
    hessians: &[i32],
    settings: &Settings,
    gains: &mut [f64],
) -> Tree {
    // Leaves hold positions in `rows` instead of row numbers. Gradients are stored by position, so this improves locality.
    let positions: Vec<u32> = (0..rows.len() as u32).collect();
    let builder = HistogramBuilder { binned, features, rows: &rows, gradients, hessians };
    let histogram = builder.histogram(&positions);
    let sums = sum_of(&histogram);
    let mut leaves = vec![Leaf {
        best: best_split(&histogram, sums, settings),
        rows: positions,
        sums,
        histogram,
        parent: None,
    }];
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
        if let Some((parent, is_right)) = leaves[at].parent {
            let parent = &mut nodes[parent];
            *(if is_right { &mut parent.3 } else { &mut parent.2 }) = node as u8;
        }
        let leaf = leaves.swap_remove(at);
        let column = &binned.columns[feature];
        let (left, right): (Vec<u32>, Vec<u32>) = leaf
            .rows
            .iter()
            .partition(|position| usize::from(column[rows[**position as usize] as usize]) <= split.bin);
        // The histogram of the larger child is the parent's minus the smaller child's, which avoids counting most rows.
        let left_is_small = left.len() <= right.len();
        let small = builder.histogram(if left_is_small { &left } else { &right });
        let large = difference(leaf.histogram, &small);
        let (left_histogram, right_histogram) = if left_is_small { (small, large) } else { (large, small) };
        for (rows, histogram, is_right) in [(left, left_histogram, false), (right, right_histogram, true)] {
            let sums = sum_of(&histogram);
            leaves.push(Leaf {
                best: best_split(&histogram, sums, settings),
                rows,
                sums,
                histogram,
                parent: Some((node, is_right)),
            });
        }
    }
    let mut values = Vec::new();
    for leaf in &leaves {
        let value = leaf.sums.gradient as f64 / (leaf.sums.hessian as f64 + settings.lambda * GRADIENT_UNIT);
        let value = (value.clamp(-8.0, 8.0) * settings.learning_rate * f64::from(UNIT)).round() as i16;
        let number = Split::LEAF + values.len() as u8;
        values.push(value);
        if let Some((parent, is_right)) = leaf.parent {
            let parent = &mut nodes[parent];
            *(if is_right { &mut parent.3 } else { &mut parent.2 }) = number;
        }
    }
    Tree { nodes, leaves: values }
}

struct HistogramBuilder<'b> {
    binned: &'b BinnedDataset,
    features: &'b [usize],
    rows: &'b [u32],
    gradients: &'b [i32],
    hessians: &'b [i32],
}

impl HistogramBuilder<'_> {
    fn histogram(&self, positions: &[u32]) -> Histogram {
        let ordered: Vec<(u32, i32, i32)> = positions
            .iter()
            .map(|position| {
                let position = *position as usize;
                (self.rows[position], self.gradients[position], self.hessians[position])
            })
            .collect();
        map_in_threads(self.features, |feature| {
            let column = &self.binned.columns[*feature];
            let mut histogram = [GradientSums::default(); BINS_MAX];
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

fn sum_of(histogram: &Histogram) -> GradientSums {
    histogram.first().into_iter().flatten().fold(GradientSums::default(), |sum, bin| GradientSums {
        gradient: sum.gradient + bin.gradient,
        hessian: sum.hessian + bin.hessian,
    })
}

/// The split with the largest gain; `None` if no split has a positive gain.
fn best_split(histogram: &Histogram, all: GradientSums, settings: &Settings) -> Option<SplitCandidate> {
    let lambda = settings.lambda * GRADIENT_UNIT;
    let min_hessian = settings.min_leaf_hessian * GRADIENT_UNIT;
    let value =
        |sums: GradientSums| sums.gradient as f64 * sums.gradient as f64 / (sums.hessian as f64 + lambda);
    let mut best: Option<SplitCandidate> = None;
    for (feature, bins) in histogram.iter().enumerate() {
        let mut left = GradientSums::default();
        for (bin, sums) in bins.iter().enumerate().take(BINS_MAX - 1) {
            left.gradient += sums.gradient;
            left.hessian += sums.hessian;
            let right =
                GradientSums { gradient: all.gradient - left.gradient, hessian: all.hessian - left.hessian };
            if (left.hessian as f64) < min_hessian {
                continue;
            }
            if (right.hessian as f64) < min_hessian {
                break;
            }
            let gain = (value(left) + value(right) - value(all)) / GRADIENT_UNIT;
            if gain > 1e-3 && best.is_none_or(|best| gain > best.gain) {
                best = Some(SplitCandidate { gain, feature, bin });
            }
        }
    }
    best
}

/// Appends a tree to the forest, and adds its leaf values to the scores of all rows.
fn add_tree(forest: &mut Forest, tree: &Tree, binned: &BinnedDataset, scores: &mut [i32]) {
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

/// A pseudo-random number that depends only on the arguments, so that the order of calls does not matter.
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
