//! `cp` and `cps`: paths from the root to the leaves of the tree, and shingles of these paths.
//!
//! # What it does
//! The path of a leaf is the sequence of the names of the elements from the root to the leaf. `cp` compares the sets of paths of two pages.
//! `cps` compares the sets of all shingles of [`SHINGLE`] names in the paths, so that paths with one difference share the other shingles; a
//! path with fewer names is one shingle. The similarity is the number of common elements as a share of the larger set.
//!
//! # Cost
//! Linear in the number of different paths or shingles.
//!
//! # Paper
//! Buttler: *A short survey of document structure similarity algorithms*, 2004; Gottron 2008. The papers do not specify the length of a shingle.

use xxhash_rust::xxh3::xxh3_64;

use super::set;
use crate::html::{Document, NodeKind};
use crate::limits::COMPARED_TAGS_MAX;

/// The number of names in a shingle.
pub(crate) const SHINGLE: usize = 4;

/// The hashes of all paths.
pub(crate) fn paths(document: &Document<'_>) -> Vec<u64> {
    let mut hashes = Vec::new();
    for_each_path(document, |path| hashes.push(xxh3_64(path.as_flattened())));
    set(hashes)
}

/// The hashes of all shingles of paths.
pub(crate) fn path_shingles(document: &Document<'_>) -> Vec<u64> {
    let mut hashes = Vec::new();
    for_each_path(document, |path| {
        hashes.extend(path.windows(SHINGLE.min(path.len()).max(1)).map(|run| xxh3_64(run.as_flattened())))
    });
    set(hashes)
}

/// Calls `each` with the path of every leaf, as the hashes of its names.
fn for_each_path(document: &Document<'_>, mut each: impl FnMut(&[[u8; 8]])) {
    let mut path: Vec<(usize, [u8; 8])> = Vec::new();
    let mut names = Vec::new();
    let elements = document.descendants().filter(|node| node.kind() == NodeKind::Element);
    for node in elements.take(COMPARED_TAGS_MAX) {
        let parent = node.parent().map(|parent| parent.index());
        while path.last().is_some_and(|last| Some(last.0) != parent) {
            path.pop();
        }
        path.push((node.index(), xxh3_64(node.name().as_bytes()).to_le_bytes()));
        if !node.children().any(|child| child.kind() == NodeKind::Element) {
            names.clear();
            names.extend(path.iter().map(|(_, name)| *name));
            each(&names);
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::super::overlap;
    use super::*;
    use crate::html::Parser;

    fn both(one: &str, other: &str) -> (f64, f64) {
        let (mut first, mut second) = (Parser::new(), Parser::new());
        let one = first.parse(one.as_bytes(), UTF_8);
        let other = second.parse(other.as_bytes(), UTF_8);
        (overlap(&paths(&one), &paths(&other)), overlap(&path_shingles(&one), &path_shingles(&other)))
    }

    #[test]
    fn repeated_paths_count_once() {
        assert_eq!(both("<p>a<p>b", "<p>a"), (1.0, 1.0));
    }

    #[test]
    fn common_paths_are_a_share_of_the_larger_set() {
        // html/head and html/body/p are common; html/body/div/b is not.
        let (paths, _) = both("<p>", "<p></p><div><b></b></div>");
        assert_eq!(paths, 2.0 / 3.0);
    }

    #[test]
    fn runs_survive_a_change_elsewhere_in_the_path() {
        let (paths, runs) = both(
            "<div><div><div><div><b></b></div></div></div></div>",
            "<section><div><div><div><b></b></div></div></div></section>",
        );
        // html/head is the one common path of two. The common shingles include the head's path and html/body/div/div (not the section's).
        assert_eq!(paths, 0.5);
        assert!(runs > 0.0 && runs < 1.0, "{runs}");
    }
}
