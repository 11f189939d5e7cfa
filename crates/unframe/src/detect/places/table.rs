//! What the pages of a site have in common: the number of pages with each text, place, container and link target. What only one page
//! has is left out, so that a table stays small.

use std::collections::{HashMap, HashSet};

use super::copies::originals;
use super::kind::{KindScores, PageKind};
use super::record::{Fact, Record, RecordedBlock};
use crate::sample::PieceHasher;

/// What the sampled pages of a site have in common.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteTable {
    /// The number of compared pages; copies of a page count once.
    pub pages: u32,
    /// The log-odds of each kind of page, in sixteenths, summed over the pages.
    pub kinds: [i32; PageKind::ALL.len()],
    /// The number of pages with each fact, if more than one has it.
    pub counts: HashMap<u64, u32, PieceHasher>,
    /// The places on more than one page.
    pub places: HashMap<u64, PlaceStats, PieceHasher>,
}

/// Statistics of the blocks at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlaceStats {
    /// Pages that have the place.
    pub pages: u32,
    /// Blocks at the place, over all pages.
    pub blocks: u32,
    /// Distinct texts, where every number counts as the same number.
    pub texts: u32,
    /// Blocks whose text is on more than one page, except for numbers.
    pub repeated: u32,
    /// Words.
    pub words: u32,
    /// Words in links.
    pub link_words: u32,
    /// Blocks of prose.
    pub prose: u32,
    /// The maximum number of blocks on one page.
    pub most: u32,
    /// The minimum number of blocks on a page that has the place.
    pub fewest: u32,
    /// The single-page scores of the blocks, in sixteenths, summed over their words.
    pub score: i32,
}

impl PlaceStats {
    /// The number of statistics.
    pub const NUMBERS: usize = 10;

    /// All statistics, as stored in files.
    pub fn numbers(&self) -> [u32; PlaceStats::NUMBERS] {
        let PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score } =
            *self;
        // Zigzag encoding: small numbers of either sign become small numbers.
        let score = (score << 1 ^ score >> 31) as u32;
        [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score]
    }

    /// The inverse of [`PlaceStats::numbers`].
    pub fn of_numbers(numbers: [u32; PlaceStats::NUMBERS]) -> PlaceStats {
        let [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score] = numbers;
        let score = (score >> 1) as i32 ^ -((score & 1) as i32);
        PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score }
    }

    /// Adds a block. `is_new`: its text is new at the place; `is_repeated`: other pages have it.
    pub(super) fn add(&mut self, block: RecordedBlock<'_>, is_new: bool, is_repeated: bool) {
        let words = block.words();
        self.blocks += 1;
        self.texts += u32::from(is_new);
        self.repeated += u32::from(is_repeated);
        self.words = self.words.saturating_add(words);
        self.link_words = self.link_words.saturating_add(words * block.link_density() / 1000);
        self.prose += u32::from(block.is_prose());
        self.score = self.score.saturating_add(i32::from(block.score()) * words as i32);
    }

    /// Counts a page with this number of blocks at the place.
    pub(super) fn add_page(&mut self, blocks: u32) {
        self.fewest = if self.pages == 0 { blocks } else { self.fewest.min(blocks) };
        self.most = self.most.max(blocks);
        self.pages += 1;
    }
}

impl SiteTable {
    /// The table of a site, from the records of its pages.
    pub fn of<'r>(records: impl Iterator<Item = &'r [u64]> + Clone) -> SiteTable {
        let records = records.map(Record);
        let originals = originals(records.clone().map(Record::blocks));
        let is_original = |number: usize| originals[number] == number;
        // Copies follow their originals, and are counted as the same page.
        let mut order: Vec<(usize, Record<'_>)> = records.clone().enumerate().collect();
        order.sort_by_key(|(number, _)| originals[*number]);
        let mut counter = Counter::default();
        let mut kinds = [0; PageKind::ALL.len()];
        for (number, record) in order {
            counter.pages += u32::from(is_original(number));
            if is_original(number) {
                kinds.iter_mut().zip(record.kinds()).for_each(|(sum, score)| *sum += i32::from(score));
            }
            record.facts(|key| counter.count(key));
            keys_kept_once(record).for_each(|key| counter.count(key));
        }
        let is_kept_once: HashSet<u64, PieceHasher> = records.clone().flat_map(keys_kept_once).collect();
        let each = records.enumerate().filter(|(number, _)| is_original(*number));
        let places = places(each.map(|(_, record)| record), &counter);
        let Counter { pages, mut counts } = counter;
        counts.retain(|key, (on, _)| *on > 1 || is_kept_once.contains(key));
        let counts = counts.into_iter().map(|(key, (on, _))| (key, on)).collect();
        SiteTable { pages, kinds, counts, places }
    }

    /// The mean log-odds of each kind of page, in sixteenths.
    pub fn mean_kinds(&self) -> KindScores {
        self.kinds.map(|sum| (sum / (self.pages.max(1) as i32)).clamp(-127, 127) as i8)
    }

    /// The number of pages with a fact.
    pub(super) fn count(&self, fact: Fact, hash: u64) -> u32 {
        self.counts.get(&fact.key(hash)).copied().unwrap_or(0)
    }
}

/// Keys that stay in the table though only one page has them: the fingerprint of a sampled page, and its title.
fn keys_kept_once(record: Record<'_>) -> impl Iterator<Item = u64> {
    record.fingerprint().map(|print| Fact::Sampled.key(print)).into_iter().chain(record.title())
}

/// Counts, for each fact, the pages that have it, and remembers the last one.
#[derive(Default)]
struct Counter {
    pages: u32,
    counts: HashMap<u64, (u32, u32), PieceHasher>,
}

impl Counter {
    fn count(&mut self, key: u64) {
        let (on, last) = self.counts.entry(key).or_default();
        if *last != self.pages {
            (*on, *last) = (*on + 1, self.pages);
        }
    }

    fn is_repeated(&self, key: u64) -> bool {
        self.counts.get(&key).is_some_and(|(on, _)| *on > 1)
    }
}

fn places<'r>(
    records: impl Iterator<Item = Record<'r>>,
    counter: &Counter,
) -> HashMap<u64, PlaceStats, PieceHasher> {
    let mut places: HashMap<u64, PlaceStats, PieceHasher> = HashMap::default();
    let mut texts: HashSet<(u64, u64)> = HashSet::new();
    for record in records {
        let mut of_page: HashMap<u64, u32, PieceHasher> = HashMap::default();
        for block in record.blocks() {
            *of_page.entry(block.place()).or_default() += 1;
            let is_new = texts.insert((block.place(), block.without_digits()));
            let is_repeated = counter.is_repeated(block.without_digits_key());
            places.entry(block.place()).or_default().add(block, is_new, is_repeated);
        }
        for (place, blocks) in of_page {
            places.entry(place).or_default().add_page(blocks);
        }
    }
    places.retain(|_, stats| stats.pages > 1);
    places
}
