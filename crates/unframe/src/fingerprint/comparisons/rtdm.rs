//! `rtdm`: the share of one page's tree that must be changed to get the other's.
//!
//! # What it does
//! The cost is that of the cheapest way to turn one tree of elements into the other. Nodes are matched from the root down; below a node
//! that is matched to one with another name, nothing is matched. Inserting, deleting and renaming a node cost 1 each. The similarity is one
//! minus the cost as a share of the cost of deleting one tree and inserting the other.
//!
//! # Cost
//! The product of the sizes of the two trees in the worst case.
//!
//! # Paper
//! Reis, Golgher, da Silva, Laender: *Automatic web news extraction using tree edit distance*, 2004.

use xxhash_rust::xxh3::xxh3_64;

use crate::html::{Document, NodeKind};
use crate::limits::COMPARED_TAGS_MAX;

/// The elements of a page, with parents before their children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    names: Vec<u32>,
    /// The number of elements in each subtree, including its root.
    sizes: Vec<u32>,
    /// Equal for elements with equal subtrees.
    hashes: Vec<u64>,
}

impl Tree {
    /// The tree of a page.
    pub fn of(document: &Document<'_>) -> Tree {
        const NONE: usize = usize::MAX;
        let mut numbers = vec![NONE; document.node_count()];
        let mut parents = Vec::new();
        let mut names = Vec::new();
        let elements = document.descendants().filter(|node| node.kind() == NodeKind::Element);
        for node in elements.take(COMPARED_TAGS_MAX) {
            numbers[node.index()] = names.len();
            parents.push(node.parent().map_or(NONE, |parent| numbers[parent.index()]));
            names.push(xxh3_64(node.name().as_bytes()) as u32);
        }
        Tree::from_parts(names, &parents)
    }

    /// A tree of elements with these names, each with the index of its parent.
    fn from_parts(names: Vec<u32>, parents: &[usize]) -> Tree {
        let mut sizes = vec![1u32; names.len()];
        for (number, parent) in parents.iter().enumerate().rev() {
            let size = sizes[number];
            if let Some(of_parent) = sizes.get_mut(*parent) {
                *of_parent += size;
            }
        }
        let mut tree = Tree { names, sizes, hashes: Vec::new() };
        tree.hashes = vec![0; parents.len()];
        for number in (0..parents.len()).rev() {
            let mut bytes = tree.names[number].to_le_bytes().to_vec();
            tree.children(number).for_each(|child| bytes.extend(tree.hashes[child].to_le_bytes()));
            tree.hashes[number] = xxh3_64(&bytes);
        }
        tree
    }

    fn children(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        let end = of + self.sizes[of] as usize;
        let next = |child: &usize| self.sizes.get(*child).map(|size| child + *size as usize);
        std::iter::successors(Some(of + 1), next).take_while(move |child| *child < end)
    }

    /// The similarity of two trees, from 0 to 1.
    pub fn similarity(&self, other: &Tree) -> f64 {
        let all = self.names.len() + other.names.len();
        match (self.names.is_empty(), other.names.is_empty()) {
            (true, true) => 1.0,
            (true, false) | (false, true) => 0.0,
            (false, false) => 1.0 - f64::from(self.cost(0, other, 0)) / all as f64,
        }
    }

    /// The cost of turning the subtree at `mine` into the subtree at `theirs`.
    fn cost(&self, mine: usize, other: &Tree, theirs: usize) -> u32 {
        if self.hashes[mine] == other.hashes[theirs] {
            return 0;
        }
        if self.names[mine] != other.names[theirs] {
            // The node is renamed, so nothing below it can be matched.
            return self.sizes[mine] + other.sizes[theirs] - 1;
        }
        let columns: Vec<usize> = other.children(theirs).collect();
        let mut row: Vec<u32> = std::iter::once(0)
            .chain(columns.iter().scan(0, |sum, child| {
                *sum += other.sizes[*child];
                Some(*sum)
            }))
            .collect();
        for child in self.children(mine) {
            let mut diagonal = row[0];
            row[0] += self.sizes[child];
            for (column, theirs) in columns.iter().enumerate() {
                let taken_out = row[column + 1] + self.sizes[child];
                let put_in = row[column] + other.sizes[*theirs];
                let cheapest = taken_out.min(put_in);
                // The cost of matching is computed only where it can matter.
                let matched =
                    if diagonal < cheapest { diagonal + self.cost(child, other, *theirs) } else { cheapest };
                diagonal = row[column + 1];
                row[column + 1] = cheapest.min(matched);
            }
        }
        row[columns.len()]
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;
    use crate::html::Parser;

    fn tree(page: &str) -> Tree {
        Tree::of(&Parser::new().parse(page.as_bytes(), UTF_8))
    }

    #[track_caller]
    fn check(one: &str, other: &str, cost: u32) {
        let (one, other) = (tree(one), tree(other));
        assert_eq!((one.cost(0, &other, 0), other.cost(0, &one, 0)), (cost, cost));
        let all = (one.names.len() + other.names.len()) as f64;
        assert_eq!(one.similarity(&other), 1.0 - f64::from(cost) / all);
    }

    #[test]
    fn costs_are_those_of_the_cheapest_mapping() {
        check("<p><b>x</b></p>", "<p title=y><b>z</b></p>", 0);
        // One element is inserted somewhere.
        check("<p></p><div></div>", "<p></p><hr><div></div>", 1);
        // A renamed leaf.
        check("<p></p><div><b></b></div>", "<p></p><div><i></i></div>", 1);
        // A renamed node cannot keep its subtree: it is renamed, and two nodes are deleted and inserted again.
        check("<div><b></b><i></i></div>", "<section><b></b><i></i></section>", 5);
        // Below equal names, the rest is matched.
        check("<div><b></b><i></i></div>", "<div><b></b></div>", 1);
    }

    #[test]
    fn deep_pages_are_compared() {
        let deep = "<div>".repeat(5000);
        assert!(tree(&deep).similarity(&tree(&format!("{deep}<p>"))) > 0.99);
    }

    #[test]
    fn long_pages_are_cut() {
        let long = "<hr>".repeat(COMPARED_TAGS_MAX + 10);
        assert_eq!(tree(&long).names.len(), COMPARED_TAGS_MAX);
        assert_eq!(tree(&long).sizes[0] as usize, COMPARED_TAGS_MAX);
    }
}
