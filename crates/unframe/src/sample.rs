//! A uniform sample of the pages of a site.
//!
//! # What it does
//! Every page has a rank: a hash of its URL and its bytes, mixed with a seed. The sample is the `size` pages with the smallest ranks. So
//! the sample is uniform, needs one pass over a crawl of unknown size, and does not depend on the order of the pages or on how they are
//! split into parts: two samples are merged by keeping the smallest ranks of both.
//!
//! # Cost
//! Memory for the pieces of `size` pages, however many pages the site has: 8 bytes per piece. [`Sample::bytes`] returns the total.

use std::collections::{BTreeMap, HashMap};

use xxhash_rust::xxh3;

use crate::limits::PIECES_PER_PAGE_MAX;

/// A page's position in the order that the sample is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u128);

impl Rank {
    /// The rank of a page. The same page has the same rank wherever it is read.
    pub fn of(url: &str, payload: &[u8], seed: u64) -> Rank {
        let content = xxh3::xxh3_64(payload);
        Rank(xxh3::xxh3_128_with_seed(url.as_bytes(), seed ^ content))
    }
}

/// The pieces of the sampled pages of one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    size: usize,
    /// The number of observed pages, sampled or not.
    pages_observed: u64,
    pages: BTreeMap<Rank, Box<[u64]>>,
    /// The total number of pieces.
    pieces: usize,
}

/// Bytes of memory per page in addition to its pieces: its tree entry, and the allocator's overhead.
pub(crate) const PAGE_BYTES: usize = 64;
/// Bytes of memory per sample in addition to its pages: a tree allocates room for eleven of them at once.
pub(crate) const SAMPLE_BYTES: usize = 384;

/// The number of occurrences of a piece in a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Occurrences.
    pub occurrences: u32,
    /// Pages with at least one occurrence.
    pub pages: u32,
}

impl Sample {
    /// An empty sample of at most `size` pages.
    pub fn new(size: usize) -> Sample {
        Sample { size: size.max(1), pages_observed: 0, pages: BTreeMap::new(), pieces: 0 }
    }

    /// Counts a page, and returns whether it is sampled: most pages of a large site are not.
    pub fn observe(&mut self, rank: Rank) -> bool {
        self.pages_observed += 1;
        self.wants(rank)
    }

    fn wants(&self, rank: Rank) -> bool {
        let has_room = self.pages.len() < self.size;
        has_room && !self.pages.contains_key(&rank)
            || self.pages.last_key_value().is_some_and(|(last, _)| rank < *last)
                && !self.pages.contains_key(&rank)
    }

    /// Adds the pieces of a page, unless the sample is full of smaller ranks.
    pub fn add(&mut self, rank: Rank, mut pieces: Vec<u64>) {
        if !self.wants(rank) {
            return;
        }
        pieces.truncate(PIECES_PER_PAGE_MAX);
        self.pieces += pieces.len();
        self.pages.insert(rank, pieces.into_boxed_slice());
        self.shrink();
    }

    /// Adds a page whose pieces follow later, unless the sample is full of smaller ranks.
    pub(crate) fn reserve(&mut self, rank: Rank) {
        self.add(rank, Vec::new());
    }

    /// Whether a page is in the sample.
    pub(crate) fn has(&self, rank: Rank) -> bool {
        self.pages.contains_key(&rank)
    }

    /// Sets the pieces of a reserved page, if it is still in the sample.
    pub(crate) fn fill(&mut self, rank: Rank, mut pieces: Vec<u64>) {
        pieces.truncate(PIECES_PER_PAGE_MAX);
        if let Some(reserved) = self.pages.get_mut(&rank) {
            self.pieces = self.pieces - reserved.len() + pieces.len();
            *reserved = pieces.into_boxed_slice();
        }
    }

    /// Merges another sample of the same site.
    pub fn merge(&mut self, other: Sample) {
        self.pages_observed += other.pages_observed;
        self.pages.extend(other.pages);
        // Some pages may be in both samples.
        self.pieces = self.pages.values().map(|pieces| pieces.len()).sum();
        self.shrink();
    }

    fn shrink(&mut self) {
        while self.pages.len() > self.size
            && let Some((_, pieces)) = self.pages.pop_last()
        {
            self.pieces -= pieces.len();
        }
    }

    /// An estimate of the memory that the sample takes.
    pub fn bytes(&self) -> usize {
        SAMPLE_BYTES + self.pages.len() * PAGE_BYTES + self.pieces * size_of::<u64>()
    }

    /// The number of observed pages.
    pub fn pages_observed(&self) -> u64 {
        self.pages_observed
    }

    /// The number of pages in the sample.
    pub fn pages_sampled(&self) -> usize {
        self.pages.len()
    }

    /// The number of pages that the sample can hold.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The sampled pages in the order of their ranks, each with its pieces as the method returned them.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = (Rank, &[u64])> + Clone {
        self.pages.iter().map(|(rank, pieces)| (*rank, pieces.as_ref()))
    }

    /// Restores a sample from its saved parts.
    pub fn from_parts(size: usize, pages_observed: u64, pages: Vec<(Rank, Vec<u64>)>) -> Sample {
        let mut sample = Sample { pages_observed, ..Sample::new(size) };
        for (rank, pieces) in pages {
            sample.add(rank, pieces);
        }
        sample
    }

    /// Counts the pieces of the sample and keeps those for which `is_kept` returns true. Equal pieces of a page must be adjacent.
    pub fn count(&self, is_kept: impl Fn(Count) -> bool) -> HashMap<u64, Count, PieceHasher> {
        let mut counts: HashMap<u64, Count, PieceHasher> = HashMap::default();
        for pieces in self.pages.values() {
            for run in pieces.chunk_by(|one, other| one == other) {
                let count = counts.entry(run[0]).or_default();
                count.occurrences = count.occurrences.saturating_add(run.len() as u32);
                count.pages += 1;
            }
        }
        counts.retain(|_, count| is_kept(*count));
        counts.shrink_to_fit();
        counts
    }
}

/// A hasher for pieces, which are already hashes.
#[derive(Debug, Clone, Copy, Default)]
pub struct PieceHasher;

impl std::hash::BuildHasher for PieceHasher {
    type Hasher = IdentityHasher;

    fn build_hasher(&self) -> IdentityHasher {
        IdentityHasher(0)
    }
}

/// See [`PieceHasher`].
#[derive(Debug, Clone, Copy)]
pub struct IdentityHasher(u64);

impl std::hash::Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3::xxh3_64(bytes);
    }

    fn write_u64(&mut self, piece: u64) {
        self.0 = piece;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pieces_are_counted_by_occurrence_and_by_page() {
        let mut sample = Sample::new(10);
        sample.add(Rank(1), vec![7, 7, 8]);
        sample.add(Rank(2), vec![7]);
        let counts = sample.count(|count| count.occurrences > 1);
        assert_eq!(counts.len(), 1);
        assert_eq!(counts[&7], Count { occurrences: 3, pages: 2 });
    }

    #[test]
    fn a_page_has_so_many_pieces_and_no_more() {
        for (pieces, kept) in
            [(PIECES_PER_PAGE_MAX, PIECES_PER_PAGE_MAX), (PIECES_PER_PAGE_MAX + 1, PIECES_PER_PAGE_MAX)]
        {
            let mut sample = Sample::new(10);
            sample.add(Rank(1), vec![7; pieces]);
            assert_eq!(sample.pages().map(|(_, pieces)| pieces.len()).collect::<Vec<_>>(), [kept]);
        }
    }

    #[test]
    fn the_smallest_ranks_are_kept() {
        let mut sample = Sample::new(2);
        for rank in [5, 3, 9, 1] {
            if sample.observe(Rank(rank)) {
                sample.add(Rank(rank), vec![rank as u64]);
            }
        }
        assert_eq!(sample.pages().map(|(rank, _)| rank.0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(sample.pages_observed(), 4);
    }

    #[test]
    fn memory_is_that_of_the_pages_that_are_kept() {
        let mut sample = Sample::new(2);
        sample.reserve(Rank(5));
        sample.add(Rank(3), vec![7; 100]);
        sample.fill(Rank(5), vec![7; 1000]);
        assert_eq!(sample.bytes(), SAMPLE_BYTES + 2 * PAGE_BYTES + 8 * 1100);
        let mut other = Sample::new(2);
        other.add(Rank(1), vec![7; 10]);
        other.add(Rank(3), vec![7; 100]);
        sample.merge(other);
        assert_eq!(sample.bytes(), SAMPLE_BYTES + 2 * PAGE_BYTES + 8 * 110);
    }

    proptest! {
        #[test]
        fn order_and_grouping_do_not_matter(
            ranks in prop::collection::hash_set(0u128..1000, 0..60),
            split in 0usize..60,
            size in 1usize..20,
        ) {
            let ranks: Vec<u128> = ranks.into_iter().collect();
            let learn = |ranks: &[u128]| {
                let mut sample = Sample::new(size);
                for rank in ranks {
                    if sample.observe(Rank(*rank)) {
                        sample.add(Rank(*rank), vec![*rank as u64 % 7, *rank as u64]);
                    }
                }
                sample
            };
            let whole = learn(&ranks);
            let mut reversed = ranks.clone();
            reversed.reverse();
            prop_assert_eq!(&whole, &learn(&reversed));
            let (left, right) = ranks.split_at(split.min(ranks.len()));
            let mut merged = learn(right);
            merged.merge(learn(left));
            prop_assert_eq!(&whole, &merged);
        }
    }
}
