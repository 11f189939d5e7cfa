//! The published methods that template fingerprints are compared with.
//!
//! - [`rtdm`]: restricted top-down mapping of trees;
//! - [`lcts`]: longest common subsequence of tags;
//! - [`tv`]: counts of tags;
//! - [`paths`]: common paths (`cp`) and common path shingles (`cps`);
//! - [`ctss`]: common shingles of the sequence of tags;
//! - [`digest`]: MD5 of the sequence of tags (`md5`), and of the tags of the head (`mdh5`).
//!
//! All but the last keep a [`Structure`] of each page and compare it with those of all others, which takes time quadratic in the number of
//! pages. Only the first [`COMPARED_TAGS_MAX`](crate::limits::COMPARED_TAGS_MAX) tags of a page are used.

pub(crate) mod ctss;
pub(crate) mod digest;
pub(crate) mod lcts;
pub(crate) mod paths;
pub(crate) mod rtdm;
pub(crate) mod tv;

/// The structure of a page that is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Structure {
    /// The tree, for `rtdm`.
    Tree(rtdm::Tree),
    /// The sequence of tags, for `lcts`.
    Tags(lcts::Tags),
    /// The count of each tag, for `tv`.
    Counts(tv::Counts),
    /// Hashes of paths or shingles, ascending, for `cp`, `cps` and `ctss`.
    Set(Vec<u64>),
}

impl Structure {
    /// The similarity of two pages, from 0 to 1. Structures of different kinds have similarity 0.
    pub fn similarity(&self, other: &Structure) -> f64 {
        match (self, other) {
            (Structure::Tree(one), Structure::Tree(other)) => one.similarity(other),
            (Structure::Tags(one), Structure::Tags(other)) => one.similarity(other),
            (Structure::Counts(one), Structure::Counts(other)) => one.similarity(other),
            (Structure::Set(one), Structure::Set(other)) => overlap(one, other),
            _ => 0.0,
        }
    }

    /// The similarity of two pages if it is at least `least`. Faster than [`similarity`](Structure::similarity) for dissimilar pages.
    pub fn similarity_from(&self, other: &Structure, least: f64) -> Option<f64> {
        let similarity = match (self, other) {
            (Structure::Set(one), Structure::Set(other)) => overlap_from(one, other, least)?,
            (Structure::Tags(one), Structure::Tags(other)) if one.most_similar(other) < least => return None,
            _ => self.similarity(other),
        };
        (similarity >= least).then_some(similarity)
    }
}

/// The number of common elements of two ascending lists, as a share of the longer list. Two empty lists are equal.
pub(crate) fn overlap(one: &[u64], other: &[u64]) -> f64 {
    overlap_from(one, other, 0.0).unwrap_or(0.0)
}

/// Like [`overlap`], if the result is at least `least`. Lists of too different lengths are not compared, and a comparison stops when too
/// many elements are missing.
fn overlap_from(one: &[u64], other: &[u64], least: f64) -> Option<f64> {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.is_empty() {
        return Some(1.0);
    }
    let share = |common: usize| common as f64 / long.len() as f64;
    let (mut at, mut common) = (0, short.len());
    if share(common) < least {
        return None;
    }
    for element in short {
        while long.get(at).is_some_and(|other| other < element) {
            at += 1;
        }
        if long.get(at) != Some(element) {
            common -= 1;
            if share(common) < least {
                return None;
            }
        }
    }
    Some(share(common))
}

/// A set as an ascending list without duplicates.
fn set(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::html::tag::Tag;
    use crate::html::tokenizer::TagName;

    #[test]
    fn sets_overlap_by_the_longer_one() {
        assert_eq!(overlap(&[1, 2, 3], &[2, 3, 4, 5]), 0.5);
        assert_eq!(overlap(&[2, 3, 4, 5], &[1, 2, 3]), 0.5);
        assert_eq!(overlap(&[], &[1]), 0.0);
        assert_eq!(overlap(&[], &[]), 1.0);
        assert_eq!(set(vec![3, 1, 3]), [1, 3]);
    }

    proptest! {
        #[test]
        fn less_work_finds_the_same(
            one in prop::collection::vec(0u64..12, 0..12),
            other in prop::collection::vec(0u64..12, 0..12),
            least in prop::sample::select(vec![0.0, 0.25, 0.5, 0.8, 1.0]),
        ) {
            const NAMES: [Tag; 4] = [Tag::A, Tag::B, Tag::P, Tag::DIV];
            let tags = |numbers: &[u64]| -> Vec<TagName> { numbers.iter().map(|number| NAMES[*number as usize % 4].into()).collect() };
            let pairs = [
                (Structure::Tags(lcts::Tags::new(&tags(&one))), Structure::Tags(lcts::Tags::new(&tags(&other)))),
                (Structure::Set(set(one)), Structure::Set(set(other))),
            ];
            for (one, other) in pairs {
                let similarity = one.similarity(&other);
                prop_assert_eq!(one.similarity_from(&other, least), (similarity >= least).then_some(similarity));
            }
        }
    }
}
