//! Boosted decision trees with integer features, thresholds and leaves, so that scores are the same on every machine.

/// The score that corresponds to log-odds of 1.
pub const UNIT: i32 = 1024;

/// Boosted trees: the score is the bias plus one leaf of each tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    /// The summand of every score.
    pub bias: i32,
    /// The inner nodes of all trees.
    pub nodes: Vec<Split>,
    /// The leaves of all trees.
    pub leaves: Vec<i16>,
    /// The first index of each tree in `nodes` and in `leaves`.
    pub trees: Vec<(u32, u32)>,
}

/// An inner node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Split {
    /// The feature that is compared.
    pub feature: u8,
    /// Larger values go right.
    pub threshold: i16,
    /// The left child: a node counted from the first one of the tree, or from [`Split::LEAF`] on a leaf.
    pub left: u8,
    /// The right child.
    pub right: u8,
}

impl Split {
    /// Child numbers from here on are leaves.
    pub const LEAF: u8 = 128;
}

impl Forest {
    /// Calls `each` with the contribution of a feature to the score of a row, for every split on the row's path: the change of the mean of the
    /// leaves below.
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

/// The probability of a score, in thousandths.
pub(super) fn probability(score: i32) -> u16 {
    // Linear interpolation between points at steps of 1/8 is exact to a thousandth.
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
pub(super) mod tests {
    use super::*;

    /// A forest of two small trees.
    pub(crate) fn forest() -> Forest {
        Forest {
            bias: 5,
            nodes: vec![
                Split { feature: 0, threshold: 3, left: Split::LEAF, right: 1 },
                Split { feature: 1, threshold: 0, left: Split::LEAF + 1, right: Split::LEAF + 2 },
                Split { feature: 1, threshold: 7, left: Split::LEAF, right: Split::LEAF + 1 },
            ],
            leaves: vec![10, 20, 30, 1, 2],
            trees: vec![(0, 0), (2, 3)],
        }
    }

    #[test]
    fn every_split_moves_the_score() {
        let mut moved = [0; 2];
        forest().contributions(&[4, 0], &mut |feature, by| moved[feature as usize] += by);
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
