//! `ctss`: common shingles of the sequence of tags.
//!
//! # What it does
//! Every run of [`SHINGLE`] tags of a page is a shingle. The similarity is the number of shingles that both pages have, as a share of
//! those of the page that has more. Pages with fewer tags are one shingle.
//!
//! # Cost
//! The number of different shingles.
//!
//! # Paper
//! Gottron: *Clustering template based web documents*, 2008. Pages are of one template from a similarity of
//! [`THRESHOLD`] on. The length of a shingle is our choice.

use xxhash_rust::xxh3::xxh3_64;

use super::set;
use crate::html::tokenizer::TagName;

/// Tags of a shingle.
pub(crate) const SHINGLE: usize = 8;
/// The similarity of pages of one template.
pub(crate) const THRESHOLD: f64 = 0.8;

/// The shingles of a sequence of tags.
pub(crate) fn shingles(tags: &[TagName]) -> Vec<u64> {
    if tags.is_empty() {
        return Vec::new();
    }
    let mut bytes = [0; SHINGLE * 4];
    let mut hash = |shingle: &[TagName]| {
        for (part, tag) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(shingle) {
            *part = tag.number().to_le_bytes();
        }
        xxh3_64(&bytes[..shingle.len() * 4])
    };
    set(tags.windows(SHINGLE.min(tags.len())).map(&mut hash).collect())
}

#[cfg(test)]
mod tests {
    use super::super::overlap;
    use super::*;
    use crate::html::tag::Tag;

    #[test]
    fn one_change_costs_as_many_shingles_as_it_is_in() {
        let mut tags: Vec<TagName> = (0..40u32).map(|number| TagName::from(Tag(number))).collect();
        let one = shingles(&tags);
        assert_eq!(one.len(), 40 - SHINGLE + 1);
        tags[20] = Tag::DIV.into();
        let changed = (33 - SHINGLE) as f64 / 33.0;
        assert_eq!(overlap(&one, &shingles(&tags)), changed);
        assert_eq!(shingles(&tags[..3]).len(), 1);
        assert_eq!(shingles(&[]), [0; 0]);
    }
}
