//! Finds pages of a site that are near-duplicates: an article under two addresses, its print view, the same text in two versions of a
//! manual. Text that only copies share is not template, so all copies of a page count as one page.

use std::collections::HashMap;

use super::record::RecordedBlock;
use crate::sample::PieceHasher;

/// A text on more pages than this is no evidence of copies.
const PAGES_MAX: usize = 8;
/// Neither is a text on more than this share of the pages, in tenths.
const SHARE_MAX: usize = 5;
/// The minimum share of the longer page's prose that copies share, in tenths.
pub(super) const SHARED_MIN: u64 = 7;
/// A page with fewer words of prose is never a copy.
pub(super) const WORDS_MIN: u64 = 40;

/// The maximum number of pages, out of `pages`, that may share a text that is evidence of copies.
pub(super) fn pages_of_copies(pages: usize) -> usize {
    (pages * SHARE_MAX / 10).clamp(2, PAGES_MAX)
}

/// For each page, given by its blocks, the number of the first page that it is a copy of, else its own number.
pub(super) fn originals<'r, B: Iterator<Item = RecordedBlock<'r>>>(
    pages: impl Iterator<Item = B>,
) -> Vec<usize> {
    let mut words: Vec<u64> = Vec::new();
    let mut holders: HashMap<u64, Vec<(usize, u64)>, PieceHasher> = HashMap::default();
    for (number, page) in pages.enumerate() {
        words.push(0);
        for block in page.filter(RecordedBlock::is_prose_of_content) {
            let pages = holders.entry(block.text()).or_default();
            if pages.last().is_none_or(|(last, _)| *last != number) {
                let block_words = u64::from(block.words());
                words[number] += block_words;
                pages.push((number, block_words));
            }
        }
    }
    let most = pages_of_copies(words.len());
    let mut shared: HashMap<(usize, usize), u64> = HashMap::new();
    for pages in holders.values().filter(|pages| (2..=most).contains(&pages.len())) {
        for (at, (later, words)) in pages.iter().enumerate() {
            pages[..at]
                .iter()
                .for_each(|(earlier, _)| *shared.entry((*earlier, *later)).or_default() += words);
        }
    }
    let mut copies: Vec<(usize, usize)> = shared
        .into_iter()
        .filter(|((one, other), shared)| {
            let most = words[*one].max(words[*other]);
            most >= WORDS_MIN && shared * 10 >= most * SHARED_MIN
        })
        .map(|(pair, _)| pair)
        .collect();
    // Sorted by the later page, so that the original of the earlier one is final when it is used.
    copies.sort_unstable_by_key(|(earlier, later)| (*later, *earlier));
    let mut originals: Vec<usize> = (0..words.len()).collect();
    for (earlier, later) in copies {
        originals[later] = originals[later].min(originals[earlier]);
    }
    originals
}

#[cfg(test)]
mod tests {
    use super::super::record::{Record, prose_block};
    use super::*;

    /// The originals of pages, each given by its texts of 30 words of prose.
    fn originals_of(pages: &[&[u64]]) -> Vec<usize> {
        let record = |page: &&[u64]| -> Vec<u64> {
            // No markup in front of the blocks.
            [0; 3].into_iter().chain(page.iter().flat_map(|text| prose_block(*text, 30))).collect()
        };
        let records: Vec<Vec<u64>> = pages.iter().map(record).collect();
        originals(records.iter().map(|record| Record(record).blocks()))
    }

    #[test]
    fn copies_have_most_of_their_prose_in_common() {
        assert_eq!(originals_of(&[&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 2, 3, 9]]), [0, 1, 0]);
        assert_eq!(originals_of(&[&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 2, 7, 9]]), [0, 1, 2]);
        // A summary is no copy, and neither is a page with hardly any prose.
        assert_eq!(originals_of(&[&[1, 2, 3, 4], &[1]]), [0, 1]);
        assert_eq!(originals_of(&[&[1], &[1]]), [0, 1]);
    }

    #[test]
    fn copies_of_copies_have_one_original() {
        let pages: [&[u64]; 6] =
            [&[1, 2, 3, 4], &[11], &[1, 2, 3, 5], &[9, 8, 7, 6], &[2, 1, 5, 3], &[12, 13]];
        assert_eq!(originals_of(&pages), [0, 1, 0, 3, 0, 5]);
    }

    #[test]
    fn what_many_pages_have_tells_nothing() {
        // A notice of 60 words is all the prose of five pages of six.
        assert_eq!(originals_of(&[&[1, 2], &[1, 2], &[1, 2], &[1, 2], &[1, 2], &[3, 4]]), [0, 1, 2, 3, 4, 5]);
    }
}
