//! A forest laid out for speed: every split is compared with many rows at once, without branches.
//!
//! This is QuickScorer (Lucchese and others, 2015). A bit set has the leaves of a tree that a row can still reach, here in two halves. If the
//! row's value is larger than the threshold of a split, the leaves to the left of the split are cleared. After all splits, in any order, the
//! first remaining leaf is the one that the tree leads to. So the splits of all trees are sorted by feature and threshold, and splits with
//! the same outcome for all rows of a page are applied only once.

use super::forest::{Forest, Split};

/// The capacity of a row of features; unused entries are 0.
pub(super) const ROW: usize = 256;
/// A row of features.
pub type Row = [i16; ROW];

/// A set of leaves of a tree; bit 0 is the leftmost leaf.
type Leaves = u32;
/// The maximum number of leaves of a tree.
pub(super) const LEAVES_MAX: usize = Leaves::BITS as usize;
/// A set of leaves of half a tree. It is as wide as a feature, so that as many fit into a vector register.
type Half = u16;
/// The number of features whose bounds are computed together.
const FEATURES_AT_ONCE: usize = 32;
/// The number of rows that are compared together.
const LANES: usize = 32;
/// By row, the leaves of half a tree that it can still reach.
type Left = [Half; LANES];

/// A forest laid out for speed.
#[derive(Debug, Clone, Default)]
pub struct Scorer {
    /// The forest in its original layout.
    pub forest: Forest,
    /// The splits of all trees, by feature and threshold.
    splits: Vec<Cut>,
    /// The features that have splits, each with the end of its range in `splits`.
    features: Vec<(u8, u32)>,
    /// The leaf values of each tree.
    values: Vec<Values>,
}

/// The leaf values of a tree, the leftmost first. The additional entry, for a set without leaves, is never used but avoids a bounds check.
type Values = [i16; LEAVES_MAX + 1];

/// The effect of a split on half a tree. Most splits affect one half only.
#[derive(Debug, Clone, Copy)]
struct Cut {
    threshold: i16,
    /// Twice the number of the tree, plus 1 for its right half.
    half: u16,
    /// The leaves that larger values cannot reach.
    gone: Half,
}

/// The splits of a feature that have different outcomes for the rows of a page, as a range of [`Scorer::splits`].
struct Open {
    feature: u8,
    from: usize,
    to: usize,
}

impl Scorer {
    /// Lays out a forest.
    pub fn new(forest: Forest) -> Scorer {
        let mut scorer = Scorer::default();
        let mut splits = Vec::new();
        for tree in 0..forest.trees.len() {
            let mut values = Vec::new();
            lay_out(&forest, tree, 0, &mut splits, &mut values);
            let mut padded = [0; LEAVES_MAX + 1];
            padded[..values.len()].copy_from_slice(&values);
            scorer.values.push(padded);
        }
        splits.sort_by_key(|(feature, cut)| (*feature, cut.threshold));
        for of_feature in splits.chunk_by(|one, other| one.0 == other.0) {
            scorer.splits.extend(of_feature.iter().map(|(_, cut)| *cut));
            scorer.features.push((of_feature[0].0, scorer.splits.len() as u32));
        }
        Scorer { forest, ..scorer }
    }

    /// The scores of the rows of a page: log-odds in [`UNIT`](super::forest::UNIT)s.
    pub fn scores(&self, rows: &[Row]) -> Vec<i32> {
        let (same, open) = self.same_for_all(rows);
        if open.is_empty() {
            // All rows reach the same leaves.
            let trees = same.as_chunks().0.iter().zip(&self.values);
            let sum: i32 = trees.map(|(halves, values)| value(joined(*halves), values)).sum();
            return vec![self.forest.bias + sum; rows.len()];
        }
        let mut scores = vec![self.forest.bias; rows.len()];
        let mut left = vec![[0; LANES]; same.len()];
        let mut joined = vec![[0; LANES]; self.values.len()];
        for (rows, scores) in rows.chunks(LANES).zip(scores.chunks_mut(LANES)) {
            left.iter_mut().zip(&same).for_each(|(left, same)| *left = [*same; LANES]);
            self.add_scores(&open, rows, &mut left, &mut joined, scores);
        }
        scores
    }

    /// Adds the leaf values of all trees to the scores of up to [`LANES`] rows. `left` has the reachable leaves of every half of a tree;
    /// `joined` is scratch memory for those of whole trees.
    fn add_scores(
        &self,
        open: &[Open],
        rows: &[Row],
        left: &mut [Left],
        joined: &mut [[Leaves; LANES]],
        scores: &mut [i32],
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            #[expect(unsafe_code, reason = "cleaning a crawl waits for this more than for anything else")]
            // SAFETY: the processor has the instructions that the function is compiled for.
            return unsafe { self.add_scores_with_avx2(open, rows, left, joined, scores) };
        }
        self.add_scores_anywhere(open, rows, left, joined, scores);
    }

    /// The same code compiled for AVX2. Integer results do not depend on the instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn add_scores_with_avx2(
        &self,
        open: &[Open],
        rows: &[Row],
        left: &mut [Left],
        joined: &mut [[Leaves; LANES]],
        scores: &mut [i32],
    ) {
        self.add_scores_anywhere(open, rows, left, joined, scores);
    }

    // This function and its callees use loops instead of iterator closures, which would be compiled without AVX2.
    #[inline(always)]
    fn add_scores_anywhere(
        &self,
        open: &[Open],
        rows: &[Row],
        left: &mut [Left],
        joined: &mut [[Leaves; LANES]],
        scores: &mut [i32],
    ) {
        self.apply_all(open, rows, left);
        for (joined, [first, second]) in joined.iter_mut().zip(left.as_chunks().0) {
            for ((joined, first), second) in joined.iter_mut().zip(first).zip(second) {
                *joined = self::joined([*first, *second]);
            }
        }
        // Row by row: finding the first leaf is then one instruction. The compiler would vectorise the other order into many.
        for (lane, score) in scores.iter_mut().enumerate() {
            for (joined, values) in joined.iter().zip(&self.values) {
                *score += value(joined[lane % LANES], values);
            }
        }
    }

    /// Applies the splits with the same outcome for all rows. Returns the remaining leaves of every half of a tree, and the other splits.
    fn same_for_all(&self, rows: &[Row]) -> (Vec<Half>, Vec<Open>) {
        let (least, most) = self.bounds(rows);
        let mut left = vec![Half::MAX; self.values.len() * 2];
        let (mut open, mut start) = (Vec::new(), 0);
        for (feature, end) in &self.features {
            let splits = &self.splits[start..*end as usize];
            let (least, most) = (least[usize::from(*feature)], most[usize::from(*feature)]);
            let passed = splits.partition_point(|cut| cut.threshold < least);
            let selected = match least == most {
                true => passed,
                false => passed + splits[passed..].partition_point(|cut| cut.threshold < most),
            };
            for cut in &splits[..passed] {
                left[usize::from(cut.half)] &= !cut.gone;
            }
            if passed < selected {
                open.push(Open { feature: *feature, from: start + passed, to: start + selected });
            }
            start = *end as usize;
        }
        (left, open)
    }

    /// The minimum and the maximum of every feature that has splits.
    fn bounds(&self, rows: &[Row]) -> (Row, Row) {
        let (mut least, mut most) = ([i16::MAX; ROW], [i16::MIN; ROW]);
        let asked = self.features.last().map_or(0, |(last, _)| usize::from(*last) + 1);
        // A few features at a time, so that their bounds stay in registers.
        for part in 0..asked.div_ceil(FEATURES_AT_ONCE) {
            let (mut low, mut high) = ([i16::MAX; FEATURES_AT_ONCE], [i16::MIN; FEATURES_AT_ONCE]);
            for row in rows {
                for ((low, high), value) in
                    low.iter_mut().zip(&mut high).zip(&row.as_chunks::<FEATURES_AT_ONCE>().0[part])
                {
                    *low = (*low).min(*value);
                    *high = (*high).max(*value);
                }
            }
            least.as_chunks_mut::<FEATURES_AT_ONCE>().0[part] = low;
            most.as_chunks_mut::<FEATURES_AT_ONCE>().0[part] = high;
        }
        (least, most)
    }

    /// Applies the open splits: clears the leaves that rows cannot reach.
    #[inline(always)]
    fn apply_all(&self, open: &[Open], rows: &[Row], left: &mut [Left]) {
        for open in open {
            // Lanes without a row have the smallest value, which clears no leaf.
            let mut column = [i16::MIN; LANES];
            for (value, row) in column.iter_mut().zip(rows) {
                *value = row[usize::from(open.feature)];
            }
            let mut most = i16::MIN;
            for value in column {
                most = if value > most { value } else { most };
            }
            for cut in &self.splits[open.from..open.to] {
                if cut.threshold >= most {
                    break;
                }
                cut.apply(&column, &mut left[usize::from(cut.half)]);
            }
        }
    }
}

impl Cut {
    #[inline(always)]
    fn apply(self, column: &[i16; LANES], left: &mut Left) {
        for (left, value) in left.iter_mut().zip(column) {
            // The difference is negative where the value is larger, and the shift copies its sign to all bits: no branch, so this vectorises.
            let is_larger = (self.threshold.saturating_sub(*value) >> (i16::BITS - 1)) as Half;
            *left &= !(is_larger & self.gone);
        }
    }
}

/// Joins the leaf sets of the two halves of a tree.
#[inline(always)]
fn joined([left, right]: [Half; 2]) -> Leaves {
    Leaves::from(left) | Leaves::from(right) << Half::BITS
}

/// The value of the first remaining leaf.
#[inline(always)]
fn value(left: Leaves, values: &Values) -> i32 {
    i32::from(values[left.trailing_zeros() as usize])
}

/// Lays out the subtree of a node: appends its splits with their features, and its leaf values from left to right. Returns the set of its
/// leaves.
fn lay_out(
    forest: &Forest,
    tree: usize,
    at: u8,
    splits: &mut Vec<(u8, Cut)>,
    values: &mut Vec<i16>,
) -> Leaves {
    let (first, leaves) = forest.trees[tree];
    if at >= Split::LEAF {
        values.push(forest.leaves[leaves as usize + usize::from(at - Split::LEAF)]);
        return 1 << (values.len() - 1);
    }
    let node = forest.nodes[first as usize + usize::from(at)];
    let left = lay_out(forest, tree, node.left, splits, values);
    let right = lay_out(forest, tree, node.right, splits, values);
    let halves = [left as Half, (left >> Half::BITS) as Half];
    for (half, gone) in (2 * tree as u16..).zip(halves).filter(|(_, gone)| *gone != 0) {
        splits.push((node.feature, Cut { threshold: node.threshold, half, gone }));
    }
    left | right
}

#[cfg(test)]
mod tests {
    use super::super::forest::tests::forest;
    use super::*;

    fn row(one: i16, other: i16) -> Row {
        let mut row = [0; ROW];
        row[..2].copy_from_slice(&[one, other]);
        row
    }

    /// The score of a row, from the trees written out by hand.
    fn by_hand(one: i16, other: i16) -> i32 {
        let first = if one <= 3 {
            10
        } else if other <= 0 {
            20
        } else {
            30
        };
        5 + first + if other <= 7 { 1 } else { 2 }
    }

    #[test]
    fn trees_add_up() {
        let scorer = Scorer::new(forest());
        // One row, equal rows, and more rows than lanes.
        for count in [1, 2, 37] {
            for by in [0, 1] {
                let rows: Vec<(i16, i16)> =
                    (0..count).map(|at| (by * (at % 7), by * (at * 5 % 11 - 2))).collect();
                let expected: Vec<i32> = rows.iter().map(|(one, other)| by_hand(*one, *other)).collect();
                let rows: Vec<Row> = rows.iter().map(|(one, other)| row(*one, *other)).collect();
                assert_eq!(scorer.scores(&rows), expected);
            }
        }
        assert!(scorer.scores(&[]).is_empty());
    }
}
