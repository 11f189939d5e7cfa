//! `lcts`: the longest common subsequence of the tags of two pages.
//!
//! # What it does
//! The similarity is the length of the longest sequence of tags that both pages have in the same order, as a share of the longer page's tags.
//!
//! # Cost
//! The product of the numbers of tags, divided by 64: each machine word holds 64 cells of the table (Hyyrö 2004).
//!
//! # Paper
//! Gottron: *Clustering template based web documents*, 2008. Pages with a similarity of at least [`THRESHOLD`] have the same template.

use std::collections::BTreeMap;

use crate::html::tokenizer::TagName;

/// The minimum similarity of pages of one template.
pub(crate) const THRESHOLD: f64 = 0.8;

/// The sequence of tags of a page, ready to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags {
    /// The index of each tag in `names`.
    sequence: Vec<u16>,
    /// The different names, ascending, each with a bitmap of its positions.
    names: Vec<(TagName, Vec<u64>)>,
}

impl Tags {
    /// The tags of a page. A page with more than 65,535 different names is cut off before the next one.
    pub fn new(tags: &[TagName]) -> Tags {
        let words = tags.len().div_ceil(64);
        let mut places: BTreeMap<TagName, Vec<u64>> = BTreeMap::new();
        for (at, tag) in tags.iter().enumerate() {
            places.entry(*tag).or_insert_with(|| vec![0; words])[at / 64] |= 1 << (at % 64);
        }
        let names: Vec<(TagName, Vec<u64>)> = places.into_iter().collect();
        let number = |tag: &TagName| names.binary_search_by_key(tag, |name| name.0).ok();
        let sequence = tags.iter().map_while(|tag| u16::try_from(number(tag)?).ok()).collect();
        Tags { sequence, names }
    }

    /// The length of the common subsequence, as a share of the longer page.
    pub fn similarity(&self, other: &Tags) -> f64 {
        match self.sequence.len().max(other.sequence.len()) {
            0 => 1.0,
            longer => self.common(other) as f64 / longer as f64,
        }
    }

    /// An upper bound of the similarity: each tag can be common only as often as both pages have it.
    pub fn most_similar(&self, other: &Tags) -> f64 {
        let longer = self.sequence.len().max(other.sequence.len());
        if longer == 0 {
            return 1.0;
        }
        let times = |places: &[u64]| places.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
        let of_both = |(name, places): &(TagName, Vec<u64>)| {
            let at = other.names.binary_search_by_key(name, |known| known.0).ok()?;
            Some(times(places).min(times(&other.names[at].1)))
        };
        self.names.iter().filter_map(of_both).sum::<usize>() as f64 / longer as f64
    }

    /// The length of the longest common subsequence.
    fn common(&self, other: &Tags) -> usize {
        let mine = |name: &TagName| self.names.binary_search_by_key(name, |known| known.0).ok();
        let places: Vec<Option<&[u64]>> =
            other.names.iter().map(|(name, _)| mine(name).map(|at| self.names[at].1.as_slice())).collect();
        // A bit is 0 where the common subsequence grows by one.
        let mut row = vec![u64::MAX; self.sequence.len().div_ceil(64)];
        for places in other.sequence.iter().filter_map(|number| places[usize::from(*number)]) {
            let mut carry = false;
            for (word, places) in row.iter_mut().zip(places) {
                let matches = *word & places;
                let (sum, one) = word.overflowing_add(matches);
                let (sum, other) = sum.overflowing_add(u64::from(carry));
                carry = one || other;
                *word = sum | (*word & !places);
            }
        }
        let used = |at: usize| match self.sequence.len() - at * 64 {
            bits @ 0..64 => (1u64 << bits) - 1,
            _ => u64::MAX,
        };
        row.iter().enumerate().map(|(at, word)| (!word & used(at)).count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::html::tag::Tag;

    fn names(numbers: &[u8]) -> Vec<TagName> {
        const ALL: [Tag; 4] = [Tag::A, Tag::B, Tag::P, Tag::DIV];
        numbers.iter().map(|number| ALL[usize::from(*number) % 4].into()).collect()
    }

    fn textbook(one: &[TagName], other: &[TagName]) -> usize {
        let mut row = vec![0; other.len() + 1];
        for a in one {
            let mut diagonal = 0;
            for (j, b) in other.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if a == b { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[other.len()]
    }

    #[test]
    fn the_longer_page_counts() {
        let (one, other) = (Tags::new(&names(&[0, 1, 2])), Tags::new(&names(&[0, 2, 3, 3])));
        assert_eq!((one.similarity(&other), other.similarity(&one)), (0.5, 0.5));
        assert_eq!(one.similarity(&Tags::new(&[])), 0.0);
        assert_eq!(Tags::new(&[]).similarity(&Tags::new(&[])), 1.0);
    }

    proptest! {
        #[test]
        fn the_same_as_the_textbook(
            one in prop::collection::vec(0u8..4, 0..200),
            other in prop::collection::vec(0u8..4, 0..200),
        ) {
            let (one, other) = (names(&one), names(&other));
            prop_assert_eq!(Tags::new(&one).common(&Tags::new(&other)), textbook(&one, &other));
        }
    }
}
