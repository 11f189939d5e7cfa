//! `ctss`: common shingles of the sequence of tags.
//!
//! # What it does
//! Every sequence of [`SHINGLE`] adjacent tags of a page is a shingle. The similarity is the number of common shingles, as a share of the
//! shingles of the page that has more. A page with fewer tags is one shingle.
//!
//! # Cost
//! Linear in the number of different shingles.
//!
//! # Paper
//! Gottron: *Clustering template based web documents*, 2008. Pages with a similarity of at least [`THRESHOLD`] have the same template. The
//! paper does not specify the length of a shingle.

use xxhash_rust::xxh3::xxh3_64;

use super::set;
use crate::html::tokenizer::TagName;

/// The number of tags in a shingle.
pub(crate) const SHINGLE: usize = 8;
/// The minimum similarity of pages of one template.
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
