//! The state of a site for labelling page by page: the counts of a [`SiteTable`], updated with every page, which age.
//!
//! Every fact has the number of pages that had it, the time when it was last seen, and the page that had it then. So a page that arrives
//! again is not counted twice, though no page is stored. A fact of one page is forgotten after [`LIFE_ONCE`] pages without it; each
//! further page that has it doubles this time. After [`PAGES_MAX`] compared pages all counts are halved, so that recent pages weigh more.

mod codec;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::copies::{SHARED_MIN, WORDS_MIN, pages_of_copies};
use super::kind::PageKind;
use super::record::{Fact, Record};
use super::table::{PlaceStats, SiteTable};
use crate::limits::{STATE_FACTS_MAX, STATE_PLACES_MAX};
use crate::page::{Change, PageId};
use crate::sample::PieceHasher;

/// Pages after which a fact of a single page is forgotten.
const LIFE_ONCE: u32 = 10;
/// Pages after which any fact is forgotten, however many pages had it.
const LIFE_MAX: u32 = 500;
/// Compared pages after which all counts are halved.
const PAGES_MAX: u32 = 64;
/// Pages between two searches for facts to forget.
const SWEEP: u32 = 8;

/// The state of a site.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SiteState {
    /// The time: the number of pages so far, without pages that arrived again unchanged.
    clock: u32,
    /// The number of compared pages; copies of a page count once.
    compared: u32,
    /// See [`SiteTable::kinds`].
    kinds: [i32; PageKind::ALL.len()],
    facts: HashMap<u64, SeenFact, PieceHasher>,
    places: HashMap<u64, SeenPlace, PieceHasher>,
    /// The pages that would be recognised if they arrived again, by address.
    known: HashMap<u32, KnownPage>,
}

/// A fact and its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SeenFact {
    /// The number of pages that had it.
    pages: u32,
    /// When it was last seen.
    last: u32,
    /// The page that had it then; 0 if unknown.
    by: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct SeenPlace {
    stats: PlaceStats,
    last: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct KnownPage {
    content: u32,
    last: u32,
    /// Words of its prose that is content by single-page scores.
    prose: u32,
    /// The key of its title; 0 if it has none.
    title: u64,
}

impl SiteState {
    /// A state that begins with the table of a model.
    pub(super) fn of_table(table: &SiteTable) -> SiteState {
        let clock = table.pages;
        let seen = |(key, pages): (&u64, &u32)| (*key, SeenFact { pages: *pages, last: clock, by: 0 });
        let place = |(place, stats): (&u64, &PlaceStats)| (*place, SeenPlace { stats: *stats, last: clock });
        let mut state = SiteState {
            clock,
            compared: table.pages,
            kinds: table.kinds,
            facts: table.counts.iter().filter(|(_, pages)| **pages > 1).map(seen).collect(),
            places: table.places.iter().map(place).collect(),
            known: HashMap::new(),
        };
        while state.compared >= PAGES_MAX {
            state.halve();
        }
        state
    }

    /// The current table of the site.
    pub(super) fn table(&self) -> SiteTable {
        let counts = self.facts.iter().filter(|(_, fact)| fact.pages > 1);
        let titles = self.known.values().map(|page| page.title).filter(|title| *title != 0);
        let places = self.places.iter().filter(|(_, place)| place.stats.pages > 1);
        SiteTable {
            pages: self.compared,
            kinds: self.kinds,
            counts: counts
                .map(|(key, fact)| (*key, fact.pages))
                .chain(titles.map(|title| (title, 1)))
                .collect(),
            places: places.map(|(key, place)| (*key, place.stats)).collect(),
        }
    }

    /// The part of the current table that labelling a page needs, right after that page was added. Later pages do not change this copy.
    pub(super) fn table_for(&self, record: Record<'_>) -> SiteTable {
        let mut table = SiteTable { pages: self.compared, kinds: self.kinds, ..SiteTable::default() };
        record.facts(|key| {
            if let Some(fact) = self.facts.get(&key).filter(|fact| fact.pages > 1) {
                table.counts.insert(key, fact.pages);
            }
        });
        let titles: HashSet<u64, PieceHasher> = self.known.values().map(|page| page.title).collect();
        for block in record.blocks() {
            let title = Fact::Title.key(block.text());
            if block.link_density() > 0 && titles.contains(&title) {
                table.counts.insert(title, 1);
            }
            if let Some(place) = self.places.get(&block.place()).filter(|place| place.stats.pages > 1) {
                table.places.insert(block.place(), place.stats);
            }
        }
        // The page itself is among the compared pages.
        table.counts.extend(record.fingerprint().map(|print| (Fact::Sampled.key(print), 1)));
        table
    }

    /// The number of compared pages.
    pub(super) fn pages(&self) -> u32 {
        self.compared
    }

    /// The number of facts and places.
    pub(super) fn len(&self) -> usize {
        self.facts.len() + self.places.len()
    }

    /// An estimate of its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        // One slot in eight of a map stays free, and each slot has a control byte.
        let map = |capacity: usize, entry: usize| capacity * 8 / 7 * (entry + 1);
        size_of::<SiteState>()
            + map(self.facts.capacity(), size_of::<(u64, SeenFact)>())
            + map(self.places.capacity(), size_of::<(u64, SeenPlace)>())
            + map(self.known.capacity(), size_of::<(u32, KnownPage)>())
    }

    /// Adds a page, and returns how it relates to earlier pages.
    pub(super) fn take(&mut self, id: PageId, record: Record<'_>) -> Change {
        let url = (id.url as u32).max(1);
        let change = match self.known.get(&url) {
            None => Change::New,
            Some(known) if known.content == id.content => Change::Unchanged,
            Some(_) => Change::Changed,
        };
        if change == Change::Unchanged {
            self.refresh(url, record);
            return change;
        }
        self.clock = self.clock.saturating_add(1);
        let prose =
            record.blocks().filter(|block| block.is_prose_of_content()).map(|block| block.words()).sum();
        let original = self.original(url, record, prose);
        self.known.insert(
            url,
            KnownPage { content: id.content, last: self.clock, prose, title: record.title().unwrap_or(0) },
        );
        if change == Change::New && original == url {
            self.compared += 1;
            self.kinds.iter_mut().zip(record.kinds()).for_each(|(sum, score)| *sum += i32::from(score));
            self.add_places(url, record);
        }
        record.facts(|key| self.count(key, [url, original]));
        if self.compared >= PAGES_MAX {
            self.halve();
        }
        if self.clock.is_multiple_of(SWEEP) {
            self.forget();
        }
        change
    }

    /// Counts a fact of a page, unless the page itself, or the page that it is a copy of, had it last.
    fn count(&mut self, key: u64, page: [u32; 2]) {
        let (clock, is_full) = (self.clock, self.facts.len() >= STATE_FACTS_MAX);
        match self.facts.get_mut(&key) {
            Some(fact) => {
                fact.pages += u32::from(!page.contains(&fact.by));
                (fact.last, fact.by) = (clock, page[1]);
            }
            None if !is_full => {
                self.facts.insert(key, SeenFact { pages: 1, last: clock, by: page[1] });
            }
            None => {}
        }
    }

    /// Adds the blocks of a page to the statistics of their places. This comes before its facts are counted.
    fn add_places(&mut self, url: u32, record: Record<'_>) {
        let mut of_page: HashMap<u64, u32, PieceHasher> = HashMap::default();
        for block in record.blocks() {
            if self.places.len() >= STATE_PLACES_MAX && !self.places.contains_key(&block.place()) {
                continue;
            }
            let of_others =
                |key| self.facts.get(&key).filter(|fact| fact.by != url).map_or(0, |fact| fact.pages);
            let (alike, same) = (of_others(block.without_digits_key()), of_others(block.at_place_key()));
            *of_page.entry(block.place()).or_default() += 1;
            let SeenPlace { stats, last } = self.places.entry(block.place()).or_default();
            *last = self.clock;
            stats.add(block, alike == 0 && same == 0, alike > 0);
            // If one page had the text before, its block now counts as repeated, too.
            stats.repeated = (stats.repeated + u32::from(alike == 1)).min(stats.blocks);
        }
        for (place, blocks) in of_page {
            self.places.entry(place).or_default().stats.add_page(blocks);
        }
    }

    /// The page that this page is a copy of, else the page itself.
    fn original(&self, url: u32, record: Record<'_>, prose: u32) -> u32 {
        if u64::from(prose) < WORDS_MIN {
            return url;
        }
        let most = pages_of_copies(self.compared as usize + 1) as u32;
        let mut shared: HashMap<u32, u64> = HashMap::new();
        for block in record.blocks().filter(|block| block.is_prose_of_content()) {
            if let Some(fact) = self.facts.get(&block.text_key()).filter(|fact| fact.pages < most) {
                *shared.entry(fact.by).or_default() += u64::from(block.words());
            }
        }
        let is_copy = |(of, shared): &(u32, u64)| {
            let other = self.known.get(of).map_or(u32::MAX, |page| page.prose);
            *of != url && shared * 10 >= u64::from(prose.max(other)) * SHARED_MIN
        };
        shared.into_iter().filter(is_copy).map(|(of, _)| of).min().unwrap_or(url)
    }

    /// Notes that an unchanged page arrived again: nothing is counted, but its facts and places count as seen.
    fn refresh(&mut self, url: u32, record: Record<'_>) {
        if let Some(known) = self.known.get_mut(&url) {
            known.last = self.clock;
        }
        let clock = self.clock;
        record.facts(|key| {
            if let Some(fact) = self.facts.get_mut(&key) {
                fact.last = clock;
            }
        });
        for block in record.blocks() {
            if let Some(place) = self.places.get_mut(&block.place()) {
                place.last = clock;
            }
        }
    }

    fn halve(&mut self) {
        let half = |number: &mut u32| *number = number.div_ceil(2);
        half(&mut self.compared);
        self.kinds.iter_mut().for_each(|sum| *sum /= 2);
        self.facts.values_mut().for_each(|fact| half(&mut fact.pages));
        for SeenPlace { stats, .. } in self.places.values_mut() {
            let PlaceStats { pages, blocks, texts, repeated, words, link_words, prose, .. } = stats;
            [pages, blocks, texts, repeated, words, link_words, prose].into_iter().for_each(half);
            stats.score /= 2;
        }
    }

    fn forget(&mut self) {
        let age = |last: u32| self.clock - last;
        self.facts.retain(|_, fact| age(fact.last) < life(fact.pages));
        self.places.retain(|_, place| age(place.last) < life(place.stats.pages));
        self.known.retain(|_, page| age(page.last) < LIFE_MAX);
        // A stored state can only refer to known pages, and a state must not depend on whether it has been stored.
        for fact in self.facts.values_mut().filter(|fact| !self.known.contains_key(&fact.by)) {
            fact.by = 0;
        }
        self.facts.shrink_to(self.facts.len() * 2);
    }
}

/// Pages without a fact after which it is forgotten, if this number of pages had it.
fn life(pages: u32) -> u32 {
    (LIFE_ONCE << pages.saturating_sub(1).min(6)).min(LIFE_MAX)
}
