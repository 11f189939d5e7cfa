//! The text segment table of a site: what was seen on how many pages, and when last.

use std::collections::{BTreeMap, HashMap, VecDeque};

use xxhash_rust::xxh3;

use super::ageing::Ageing;
use crate::limits::{KNOWN_PAGES_MAX, TABLE_SEGMENTS_MAX};
use crate::sample::PieceHasher;

/// Known pages that are looked at with each page: more than one, so that there are never many that should be gone.
const PAGES_LOOKED_AT: usize = 2;

/// The segments of one site. Time is the number of pages that were counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The number of the last page that was counted; the first is 1.
    pub(super) page: u32,
    pub(super) segments: HashMap<u64, Entry, PieceHasher>,
    /// When each segment may have to be forgotten: every one stands in one list.
    due: BTreeMap<u32, Vec<u64>>,
    /// The pages that are recognised when they come again, by the hash of their address.
    pub(super) known: HashMap<u64, Known, PieceHasher>,
    /// Their addresses, in the order in which it is looked whether they are to be forgotten.
    order: VecDeque<u64>,
}

/// What is known of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// On how many pages it was.
    pub(super) df: u32,
    /// The number of the page that last had it.
    pub(super) last: u32,
}

/// What is known of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) content: u32,
    /// The number of the last page that was counted when it was last seen.
    pub(super) last: u32,
}

/// A page's address and content, as hashes: the same page has the same id wherever it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageId {
    /// Of the address.
    pub url: u64,
    /// Of the bytes.
    pub content: u32,
}

impl PageId {
    /// The id of a page.
    pub fn of(url: &str, payload: &[u8]) -> PageId {
        PageId { url: xxh3::xxh3_64(url.as_bytes()), content: xxh3::xxh3_64(payload) as u32 }
    }
}

/// How a page relates to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Its address was not known.
    New,
    /// Its address was known, with other bytes.
    Changed,
    /// It was known as it is: nothing was counted.
    Unchanged,
}

/// What a page did to the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// How the page relates to those before it.
    pub change: Change,
    /// Segments that became template with this page.
    pub became: Vec<u64>,
    /// Segments that were template, had to be forgotten, and are new again.
    pub lapsed: Vec<u64>,
}

impl Table {
    /// Takes in a page by the keys of its segments, each once. `df_min` is the number of pages that makes a segment template.
    pub fn expand(&mut self, id: PageId, keys: &[u64], ageing: &Ageing, df_min: u32) -> Visit {
        let change = self.relate(id, ageing);
        let mut visit = Visit { change, became: Vec::new(), lapsed: Vec::new() };
        if change == Change::Unchanged {
            self.see_again(id, keys, ageing);
            return visit;
        }
        self.page = self.page.saturating_add(1);
        let page = self.page;
        if self.known.insert(id.url, Known { content: id.content, last: page }).is_none() {
            self.order.push_back(id.url);
        }
        let mut new = Vec::new();
        for key in keys {
            if let Some(entry) = self.segments.get_mut(key) {
                if page - entry.last > ageing.life(entry.df) {
                    // It should be gone already; whether it is must make no difference.
                    if entry.df >= df_min {
                        visit.lapsed.push(*key);
                    }
                    entry.df = 0;
                }
                entry.df = entry.df.saturating_add(1);
                entry.last = page;
                if entry.df == df_min {
                    visit.became.push(*key);
                }
            } else if self.segments.len() < TABLE_SEGMENTS_MAX {
                self.segments.insert(*key, Entry { df: 1, last: page });
                new.push(*key);
            }
        }
        if !new.is_empty() {
            self.due.entry(page.saturating_add(ageing.life(1))).or_default().append(&mut new);
        }
        visit
    }

    /// How a page relates to those before it.
    pub fn relate(&self, id: PageId, ageing: &Ageing) -> Change {
        match self.known.get(&id.url).filter(|known| self.is_known(known, ageing)) {
            None => Change::New,
            Some(known) if known.content == id.content => Change::Unchanged,
            Some(_) => Change::Changed,
        }
    }

    fn see_again(&mut self, id: PageId, keys: &[u64], ageing: &Ageing) {
        let page = self.page;
        if let Some(known) = self.known.get_mut(&id.url) {
            known.last = page;
        }
        for key in keys {
            if let Some(entry) = self.segments.get_mut(key)
                && page - entry.last < ageing.life(entry.df)
            {
                entry.last = page;
            }
        }
    }

    /// Forgets what is due, looking at no more than `steps` segments; the rest is for the next time.
    /// `forgotten` is called with every segment that goes, and the number of its pages.
    pub fn shrink(&mut self, ageing: &Ageing, steps: usize, mut forgotten: impl FnMut(u64, u32)) {
        let mut left = steps;
        while left > 0
            && let Some(mut due) = self.due.first_entry()
            && *due.key() <= self.page
        {
            let keys = due.get_mut();
            let looked_at = keys.split_off(keys.len().saturating_sub(left));
            left -= looked_at.len();
            if keys.is_empty() {
                due.remove();
            }
            for key in looked_at {
                let Some(entry) = self.segments.get(&key) else { continue };
                let deadline = entry.last.saturating_add(ageing.life(entry.df));
                if deadline <= self.page {
                    forgotten(key, entry.df);
                    self.segments.remove(&key);
                } else {
                    self.due.entry(deadline).or_default().push(key);
                }
            }
        }
        self.forget_pages(ageing);
    }

    /// Looks at a few pages, round and round, whether they are to be forgotten.
    fn forget_pages(&mut self, ageing: &Ageing) {
        for _ in 0..PAGES_LOOKED_AT {
            let Some(url) = self.order.pop_front() else { return };
            let is_known = self.known.get(&url).is_some_and(|known| self.is_known(known, ageing));
            if is_known && self.order.len() < KNOWN_PAGES_MAX {
                self.order.push_back(url);
            } else {
                self.known.remove(&url);
            }
        }
    }

    pub(super) fn is_known(&self, known: &Known, ageing: &Ageing) -> bool {
        self.page - known.last < ageing.longest()
    }

    /// On how many pages a segment was, if it is not forgotten.
    #[inline]
    pub fn df(&self, key: u64, ageing: &Ageing) -> Option<u32> {
        self.segments.get(&key).filter(|entry| self.is_alive(entry, ageing)).map(|entry| entry.df)
    }

    /// Whether a segment is to be remembered: one of this very page always is.
    #[inline]
    pub(super) fn is_alive(&self, entry: &Entry, ageing: &Ageing) -> bool {
        self.page - entry.last < ageing.life(entry.df)
    }

    /// All segments that are not forgotten and their numbers of pages, in no order.
    pub fn segments(&self, ageing: &Ageing) -> impl Iterator<Item = (u64, u32)> {
        let alive = self.segments.iter().filter(move |(_, entry)| self.is_alive(entry, ageing));
        alive.map(|(key, entry)| (*key, entry.df))
    }

    /// How many segments are held, some of which may be due to be forgotten.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether no segment is held.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// How many pages were counted.
    pub fn pages(&self) -> u32 {
        self.page
    }

    /// How many pages are recognised when they come again.
    pub fn known_pages(&self) -> usize {
        self.known.len()
    }

    /// The memory that the table takes, about.
    pub fn bytes(&self) -> usize {
        let map = |capacity: usize, entry: usize| (capacity * 8 / 7) * (entry + 1);
        let lists = self.segments.len() * size_of::<u64>() + self.due.len() * 64;
        size_of::<Table>()
            + map(self.segments.capacity(), size_of::<(u64, Entry)>())
            + map(self.known.capacity(), size_of::<(u64, Known)>())
            + self.order.capacity() * size_of::<u64>()
            + lists
    }

    /// A table from what was saved of it; `known` has every page once.
    pub(super) fn from_parts(
        page: u32,
        segments: Vec<(u64, Entry)>,
        known: Vec<(u64, Known)>,
        ageing: &Ageing,
    ) -> Table {
        let mut table = Table { page, ..Table::default() };
        for (key, entry) in &segments {
            let deadline = entry.last.saturating_add(ageing.life(entry.df));
            table.due.entry(deadline).or_default().push(*key);
        }
        table.segments = segments.into_iter().collect();
        table.order = known.iter().map(|(url, _)| *url).collect();
        table.known = known.into_iter().collect();
        table
    }
}
