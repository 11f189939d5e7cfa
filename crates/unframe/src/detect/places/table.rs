//! What the pages of a site have in common: how many have a text, a place, a container, a link target. What stands on one page only
//! is left out, so that a table stays small.

use std::collections::{HashMap, HashSet};

use super::copies::originals;
use super::kind::{KindScores, PageKind};
use super::record::{Fact, Record, RecordedBlock};
use crate::sample::PieceHasher;

/// What the sampled pages of a site have in common.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteTable {
    /// Pages that were compared, copies of a page counted once.
    pub pages: u32,
    /// The log-odds of each kind of page, in sixteenths, added up over the pages.
    pub kinds: [i32; PageKind::ALL.len()],
    /// How many pages have each fact, if more than one has.
    pub counts: HashMap<u64, u32, PieceHasher>,
    /// The places that more than one page has.
    pub places: HashMap<u64, PlaceStats, PieceHasher>,
}

/// Sums over the blocks at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlaceStats {
    /// Pages that have the place.
    pub pages: u32,
    /// Blocks there, on all pages.
    pub blocks: u32,
    /// Different texts there, numbers alike.
    pub texts: u32,
    /// Blocks whose text more than one page has, numbers alike.
    pub repeated: u32,
    /// Words.
    pub words: u32,
    /// Words in links.
    pub link_words: u32,
    /// Blocks of prose.
    pub prose: u32,
    /// The most blocks of one page.
    pub most: u32,
    /// The fewest blocks of a page that has any.
    pub fewest: u32,
    /// The log-odds of each word's block by its page alone, in sixteenths, added up.
    pub score: i32,
}

impl PlaceStats {
    /// How many numbers it has.
    pub const NUMBERS: usize = 10;

    /// All numbers, as files keep them.
    pub fn numbers(&self) -> [u32; PlaceStats::NUMBERS] {
        let PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score } =
            *self;
        // Small numbers of either sign become small numbers.
        let score = (score << 1 ^ score >> 31) as u32;
        [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score]
    }

    /// The same from its numbers.
    pub fn of_numbers(numbers: [u32; PlaceStats::NUMBERS]) -> PlaceStats {
        let [pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score] = numbers;
        let score = (score >> 1) as i32 ^ -((score & 1) as i32);
        PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, most, fewest, score }
    }

    /// Adds a block: whether its text is new there, and whether other pages have it.
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

    /// Counts a page with so many blocks there.
    pub(super) fn add_page(&mut self, blocks: u32) {
        self.fewest = if self.pages == 0 { blocks } else { self.fewest.min(blocks) };
        self.most = self.most.max(blocks);
        self.pages += 1;
    }
}

impl SiteTable {
    /// The table of pages, from their records.
    pub fn of<'r>(records: impl Iterator<Item = &'r [u64]> + Clone) -> SiteTable {
        let records = records.map(Record);
        let originals = originals(records.clone().map(Record::blocks));
        let is_original = |number: usize| originals[number] == number;
        // Copies count with their originals, page after page.
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

    /// How many pages have a fact.
    pub(super) fn count(&self, fact: Fact, hash: u64) -> u32 {
        self.counts.get(&fact.key(hash)).copied().unwrap_or(0)
    }
}

/// The keys of what is kept though only one page has it: which page it was, and its title.
fn keys_kept_once(record: Record<'_>) -> impl Iterator<Item = u64> {
    record.fingerprint().map(|print| Fact::Sampled.key(print)).into_iter().chain(record.title())
}

/// Counts pages: of each fact, on how many it was, and which was the last.
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
