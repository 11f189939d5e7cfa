//! Boosted decision trees over whole numbers: features are numbers, thresholds are numbers, and so are the leaves, so that every
//! machine finds the same.

/// A unit of a score: so many make a log-odds of 1.
pub const UNIT: i32 = 1024;

/// Many small trees, whose leaves add up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    /// What is added to every score.
    pub bias: i32,
    /// The inner nodes of all trees.
    pub nodes: Vec<Split>,
    /// The leaves of all trees.
    pub leaves: Vec<i16>,
    /// Where each tree begins: in `nodes` and in `leaves`.
    pub trees: Vec<(u32, u32)>,
}

/// An inner node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Split {
    /// The feature that is asked for.
    pub feature: u8,
    /// Larger values go to the right.
    pub threshold: i16,
    /// Where to go on, counted from the first node of the tree; from [`Split::LEAF`] on it is a leaf.
    pub left: u8,
    /// The same for larger values.
    pub right: u8,
}

impl Split {
    /// Numbers from here on are leaves.
    pub const LEAF: u8 = 128;
}

impl Forest {
    /// How much each feature moved the score of a row: the change of the mean leaf below, at every split on the way.
    pub fn contributions(&self, row: &[i16], each: &mut impl FnMut(u8, i32)) {
        for (number, (nodes, leaves)) in self.trees.iter().enumerate() {
            let end = self.trees.get(number + 1).map_or(self.leaves.len(), |next| next.1 as usize);
            let leaves = &self.leaves[*leaves as usize..end];
            let mut at = 0u8;
            let mut mean = self.mean(*nodes, at, leaves);
            while at < Split::LEAF {
                let node = &self.nodes[*nodes as usize + at as usize];
                at = if row[node.feature as usize] <= node.threshold { node.left } else { node.right };
                let next = self.mean(*nodes, at, leaves);
                each(node.feature, next - mean);
                mean = next;
            }
        }
    }

    /// The mean of the leaves below a node.
    fn mean(&self, first: u32, at: u8, leaves: &[i16]) -> i32 {
        if at >= Split::LEAF {
            return i32::from(leaves[(at - Split::LEAF) as usize]);
        }
        let node = &self.nodes[first as usize + at as usize];
        (self.mean(first, node.left, leaves) + self.mean(first, node.right, leaves)) / 2
    }
}

/// Numbers of a row of features; a row has as many as it needs, and zeros behind them.
pub(super) const ROW: usize = 256;
/// A row of features.
pub type Row = [i16; ROW];

/// A forest laid out for speed: many rows are led through a tree at once, without a jump that depends on a value.
#[derive(Debug, Clone, Default)]
pub struct Scorer {
    /// The same as it was fitted.
    pub forest: Forest,
    trees: Vec<FlatTree>,
}

/// Leaves of a tree at most.
pub(super) const LEAVES_MAX: usize = NODES / 2;
/// Nodes of a tree with all leaves; a power of two, so that a masked number is always one of them.
const NODES: usize = 64;
/// Rows that are led through a tree at once: so many steps wait for each other's memory.
const LANES: usize = 8;

#[derive(Debug, Clone)]
struct FlatTree {
    nodes: [FlatNode; NODES],
    /// What each node adds to the score if it is a leaf.
    values: [i16; NODES],
}

#[derive(Debug, Clone, Copy, Default)]
struct FlatNode {
    threshold: i16,
    feature: u8,
    /// Where values up to the threshold lead, and larger ones. A leaf leads to itself.
    next: [u8; 2],
}

impl Scorer {
    /// Lays out a forest.
    pub fn new(forest: Forest) -> Scorer {
        let trees = (0..forest.trees.len()).map(|tree| FlatTree::of(&forest, tree)).collect();
        Scorer { forest, trees }
    }

    /// The scores of rows: log-odds in [`UNIT`]s.
    pub fn scores(&self, rows: &[Row]) -> Vec<i32> {
        let mut scores = vec![self.forest.bias; rows.len()];
        // Few rows at a time, so that they stay close at hand while all trees see them.
        for (rows, scores) in rows.chunks(2 * LANES).zip(scores.chunks_mut(2 * LANES)) {
            for tree in &self.trees {
                for (rows, scores) in rows.chunks(LANES).zip(scores.chunks_mut(LANES)) {
                    tree.add(rows, scores);
                }
            }
        }
        scores
    }
}

impl FlatTree {
    fn of(forest: &Forest, tree: usize) -> FlatTree {
        let (first, leaves) = forest.trees[tree];
        let end = forest.trees.get(tree + 1).map_or(forest.leaves.len(), |next| next.1 as usize);
        let leaves = leaves as usize..end;
        let inner = leaves.len() - 1;
        // Inner nodes keep their numbers, and leaves come after them.
        let number = |at: u8| if at >= Split::LEAF { at - Split::LEAF + inner as u8 } else { at };
        let mut flat = FlatTree { nodes: [FlatNode::default(); NODES], values: [0; NODES] };
        for (at, node) in forest.nodes[first as usize..first as usize + inner].iter().enumerate() {
            flat.nodes[at] = FlatNode {
                threshold: node.threshold,
                feature: node.feature,
                next: [number(node.left), number(node.right)],
            };
        }
        for (at, leaf) in leaves.enumerate() {
            let own = (inner + at) as u8;
            flat.nodes[inner + at] = FlatNode { threshold: i16::MAX, feature: 0, next: [own, own] };
            flat.values[inner + at] = forest.leaves[leaf];
        }
        flat
    }

    #[inline]
    fn add(&self, rows: &[Row], scores: &mut [i32]) {
        let Ok(lanes) = <&[Row; LANES]>::try_from(rows) else {
            rows.iter().zip(scores).for_each(|(row, score)| *score += i32::from(self.value(row)));
            return;
        };
        let mut at = [0u8; LANES];
        loop {
            let before = at;
            for (at, row) in at.iter_mut().zip(lanes) {
                *at = self.step(*at, row);
            }
            if at == before {
                break;
            }
        }
        for (at, score) in at.iter().zip(scores) {
            *score += i32::from(self.values[usize::from(*at) % NODES]);
        }
    }

    #[inline]
    fn step(&self, at: u8, row: &Row) -> u8 {
        let node = &self.nodes[usize::from(at) % NODES];
        node.next[usize::from(row[usize::from(node.feature)] > node.threshold)]
    }

    fn value(&self, row: &Row) -> i16 {
        let mut at = 0;
        loop {
            let next = self.step(at, row);
            if next == at {
                return self.values[usize::from(at) % NODES];
            }
            at = next;
        }
    }
}

/// The probability of a score, in thousandths.
pub(super) fn probability(score: i32) -> u16 {
    // Between the points of the table, log-odds of 1/8, a straight line is right to a thousandth.
    let step = UNIT / 8;
    let at = score.abs().min(UNIT * 10);
    let (low, rest) = ((at / step) as usize, at % step);
    let (one, next) = (i32::from(LOGISTIC[low]), i32::from(LOGISTIC[(low + 1).min(LOGISTIC.len() - 1)]));
    let upper = one + (next - one) * rest / step;
    let upper = (upper + 5) / 10;
    (if score < 0 { 1000 - upper } else { upper }) as u16
}

/// 10000 / (1 + exp(-n / 8)), rounded.
const LOGISTIC: [u16; 81] = {
    let mut table = [0; 81];
    // exp(-1/8)
    let step = 0.882_496_902_584_595_4;
    let (mut power, mut at) = (1.0f64, 0);
    while at < table.len() {
        table[at] = (10000.0 / (1.0 + power) + 0.5) as u16;
        power *= step;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_add_up() {
        let forest = Forest {
            bias: 5,
            nodes: vec![
                Split { feature: 0, threshold: 3, left: Split::LEAF, right: 1 },
                Split { feature: 1, threshold: 0, left: Split::LEAF + 1, right: Split::LEAF + 2 },
                Split { feature: 1, threshold: 7, left: Split::LEAF, right: Split::LEAF + 1 },
            ],
            leaves: vec![10, 20, 30, 1, 2],
            trees: vec![(0, 0), (2, 3)],
        };
        let row = |one: i16, other: i16| {
            let mut row = [0; ROW];
            row[..2].copy_from_slice(&[one, other]);
            row
        };
        // Enough rows that some are led through together and some by themselves.
        let rows: Vec<Row> = (0..11).map(|at| if at % 2 == 0 { row(3, 9) } else { row(4, 0) }).collect();
        let expected: Vec<i32> =
            (0..11).map(|at| if at % 2 == 0 { 5 + 10 + 2 } else { 5 + 20 + 1 }).collect();
        assert_eq!(Scorer::new(forest.clone()).scores(&rows), expected);
        let mut moved = [0; 2];
        forest.contributions(&[4, 0], &mut |feature, by| moved[feature as usize] += by);
        assert_eq!(moved, [25 - 17, 20 - 25 + 1 - 1]);
    }

    #[test]
    fn probabilities_are_those_of_log_odds() {
        for (score, expected) in
            [(0, 500), (UNIT, 731), (-UNIT, 269), (UNIT * 3, 953), (i32::MIN + 1, 0), (i32::MAX, 1000)]
        {
            assert!(probability(score).abs_diff(expected) <= 1, "{score} {}", probability(score));
        }
    }
}
