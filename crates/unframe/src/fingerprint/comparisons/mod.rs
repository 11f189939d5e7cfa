//! The methods that template fingerprints are compared with, as they were published.
//!
//! - [`rtdm`]: restricted top-down mapping of trees;
//! - [`lcts`]: longest common subsequence of tags;
//! - [`tv`]: counts of tags;
//! - [`paths`]: common paths (`cp`) and common path shingles (`cps`);
//! - [`ctss`]: common shingles of the sequence of tags;
//! - [`digest`]: MD5 of the sequence of tags (`md5`) and of that of the head (`mdh5`).
//!
//! All but the last keep a [`Structure`] of each page and compare it with those of all others, which takes time that grows with
//! the square of the number of pages. Pages are cut off after
//! [`COMPARED_TAGS_MAX`](crate::limits::COMPARED_TAGS_MAX) tags.

pub mod ctss;
pub mod digest;
pub mod lcts;
pub mod paths;
pub mod rtdm;
pub mod tv;

/// What is compared of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Structure {
    /// The tree, for `rtdm`.
    Tree(rtdm::Tree),
    /// The sequence of tags, for `lcts`.
    Tags(lcts::Tags),
    /// How often each tag occurs, for `tv`.
    Counts(tv::Counts),
    /// Hashes of paths or shingles, ascending, for `cp`, `cps` and `ctss`.
    Set(Vec<u64>),
}

impl Structure {
    /// How similar two pages are, from 0 to 1. Different kinds of structures are not similar.
    pub fn similarity(&self, other: &Structure) -> f64 {
        match (self, other) {
            (Structure::Tree(one), Structure::Tree(other)) => one.similarity(other),
            (Structure::Tags(one), Structure::Tags(other)) => one.similarity(other),
            (Structure::Counts(one), Structure::Counts(other)) => one.similarity(other),
            (Structure::Set(one), Structure::Set(other)) => overlap(one, other),
            _ => 0.0,
        }
    }
}

/// The common elements of two ascending lists, as a share of the longer one. Two empty ones are equal.
pub fn overlap(one: &[u64], other: &[u64]) -> f64 {
    let longer = one.len().max(other.len());
    if longer == 0 {
        return 1.0;
    }
    let (mut at, mut common) = (0, 0usize);
    for element in one {
        while other.get(at).is_some_and(|other| other < element) {
            at += 1;
        }
        common += usize::from(other.get(at) == Some(element));
    }
    common as f64 / longer as f64
}

/// A set as an ascending list.
fn set(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_overlap_by_the_longer_one() {
        assert_eq!(overlap(&[1, 2, 3], &[2, 3, 4, 5]), 0.5);
        assert_eq!(overlap(&[2, 3, 4, 5], &[1, 2, 3]), 0.5);
        assert_eq!(overlap(&[], &[1]), 0.0);
        assert_eq!(overlap(&[], &[]), 1.0);
        assert_eq!(set(vec![3, 1, 3]), [1, 3]);
    }
}
