//! The text segment table of a site: on how many pages each segment was seen, and when last.

use std::collections::{HashMap, VecDeque};

use crate::page::{Change, PageId};

use super::ageing::Ageing;
use super::expiring_map::{ExpiringMap, KeyHasher, map_bytes, once_key, short};
use crate::limits::{KNOWN_PAGES_MAX, TABLE_SEGMENTS_MAX};

/// Known pages that are checked for expiry with each new page: more than one, so that few expired pages remain.
const PAGES_LOOKED_AT: usize = 2;

/// The segments of one site. Time is measured in counted pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The index of the last counted page; the first page has 1.
    pub(super) page: u32,
    /// Segments that were on one page, as most are: a part of the key, and the index of the page.
    pub(super) once: ExpiringMap<u32, u32>,
    /// Segments that were on several pages.
    pub(super) often: ExpiringMap<u64, Entry>,
    /// The pages that are recognised when they are seen again, by 32 bits of the hash of their address.
    pub(super) known: HashMap<u32, Known, KeyHasher>,
    /// Their address hashes, in the order in which they are checked for expiry.
    order: VecDeque<u32>,
}

/// A segment that was on several pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The number of pages that had it.
    pub(super) df: u32,
    /// The index of the last page that had it.
    pub(super) last: u32,
}

/// A page that is recognised when it is seen again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) content: u32,
    /// The index of the last counted page when this page was last seen.
    pub(super) last: u32,
}

/// The effect of a page on the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableVisit {
    /// How the page relates to those before it.
    pub change: Change,
    /// Segments that became template with this page.
    pub became: Vec<u64>,
    /// Segments that were template, expired, and are new again.
    pub lapsed: Vec<u64>,
}

impl Table {
    /// Adds a page by the keys of its segments, without duplicates. `df_min` is the number of pages that makes a segment template.
    pub fn expand(&mut self, id: PageId, keys: &[u64], ageing: &Ageing, df_min: u32) -> TableVisit {
        let change = self.relate(id, ageing);
        let mut visit = TableVisit { change, became: Vec::new(), lapsed: Vec::new() };
        if change == Change::Unchanged {
            self.refresh(id, keys, ageing);
            return visit;
        }
        self.page = self.page.saturating_add(1);
        let page = self.page;
        let url = id.url as u32;
        if self.known.insert(url, Known { content: id.content, last: page }).is_none() {
            self.order.push_back(url);
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for key in keys.iter().map(|key| short(*key)) {
            if let Some(entry) = self.often.entries.get_mut(&key) {
                if page - entry.last <= ageing.life(entry.df) {
                    entry.df = entry.df.saturating_add(1);
                    entry.last = page;
                    visit.became.extend((entry.df == df_min).then_some(key));
                    continue;
                }
                // The entry has expired. Whether it was removed before must make no difference.
                visit.lapsed.extend((entry.df >= df_min).then_some(key));
                self.often.entries.remove(&key);
            }
            let is_full = self.len() >= TABLE_SEGMENTS_MAX;
            match self.once.entries.get_mut(&once_key(key)) {
                Some(last) if *last < page && page - *last <= ageing.life(1) => {
                    self.once.entries.remove(&once_key(key));
                    self.often.entries.insert(key, Entry { df: 2, last: page });
                    visit.became.extend((df_min == 2).then_some(key));
                    second.push(key);
                }
                Some(last) => *last = page,
                None if !is_full => {
                    self.once.entries.insert(once_key(key), page);
                    first.push(once_key(key));
                }
                None => {}
            }
        }
        self.once.look_at(first, page.saturating_add(ageing.life(1)));
        self.often.look_at(second, page.saturating_add(ageing.life(2)));
        visit
    }

    /// How a page relates to those before it.
    pub fn relate(&self, id: PageId, ageing: &Ageing) -> Change {
        match self.known.get(&(id.url as u32)).filter(|known| self.is_known(known, ageing)) {
            None => Change::New,
            Some(known) if known.content == id.content => Change::Unchanged,
            Some(_) => Change::Changed,
        }
    }

    fn refresh(&mut self, id: PageId, keys: &[u64], ageing: &Ageing) {
        let page = self.page;
        if let Some(known) = self.known.get_mut(&(id.url as u32)) {
            known.last = page;
        }
        for key in keys.iter().map(|key| short(*key)) {
            if let Some(entry) = self.often.entries.get_mut(&key) {
                if page - entry.last < ageing.life(entry.df) {
                    entry.last = page;
                }
            } else if let Some(last) = self.once.entries.get_mut(&once_key(key))
                && page - *last < ageing.life(1)
            {
                *last = page;
            }
        }
    }

    /// Removes expired segments, checking at most `steps` of them; the rest is left for the next call. Calls `forgotten` with the key and
    /// the page count of every removed segment that was on more than one page.
    pub fn shrink(&mut self, ageing: &Ageing, steps: usize, mut forgotten: impl FnMut(u64, u32)) {
        let left =
            self.often.shrink(self.page, steps, often_until(ageing), |key, entry| forgotten(key, entry.df));
        self.once.shrink(self.page, left, once_until(ageing), |_, _| {});
        self.forget_pages(ageing);
    }

    /// Checks a few known pages for expiry, in rotation.
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

    /// The number of pages with a segment that has not expired.
    #[inline]
    pub fn df(&self, key: u64, ageing: &Ageing) -> Option<u32> {
        let key = short(key);
        let often = self.often.entries.get(&key).filter(|entry| self.is_alive(entry, ageing));
        often.map(|entry| entry.df).or_else(|| {
            let last = self.once.entries.get(&once_key(key)).copied();
            last.filter(|last| self.is_alive_once(*last, ageing)).map(|_| 1)
        })
    }

    /// Whether a segment has not expired. A segment of the current page never has.
    #[inline]
    pub(super) fn is_alive(&self, entry: &Entry, ageing: &Ageing) -> bool {
        self.page - entry.last < ageing.life(entry.df)
    }

    /// Like [`Table::is_alive`], for a segment that was on one page.
    #[inline]
    pub(super) fn is_alive_once(&self, last: u32, ageing: &Ageing) -> bool {
        self.page - last < ageing.life(1)
    }

    /// All segments that have not expired with their page counts, in no order. For segments that were on one page, only the lower 30 bits
    /// of the key are known.
    pub fn segments(&self, ageing: &Ageing) -> impl Iterator<Item = (u64, u32)> {
        let often = self.often.entries.iter().filter(move |(_, entry)| self.is_alive(entry, ageing));
        let once = self.once.entries.iter().filter(move |(_, last)| self.is_alive_once(**last, ageing));
        often.map(|(key, entry)| (*key, entry.df)).chain(once.map(|(key, _)| (u64::from(*key), 1)))
    }

    /// The number of segments held, some of which may have expired.
    pub fn len(&self) -> usize {
        self.once.entries.len() + self.often.entries.len()
    }

    /// Whether no segment is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of counted pages.
    pub fn pages(&self) -> u32 {
        self.page
    }

    /// The number of pages that are recognised when they are seen again.
    pub fn known_pages(&self) -> usize {
        self.known.len()
    }

    /// An estimate of the memory that the table takes.
    pub fn bytes(&self) -> usize {
        size_of::<Table>()
            + self.once.bytes()
            + self.often.bytes()
            + map_bytes::<(u32, Known)>(self.known.capacity())
            + self.order.capacity() * size_of::<u32>()
    }

    /// Restores a saved table. `known` has every page once; expiry is checked from its end.
    pub(super) fn from_parts(
        page: u32,
        once: Vec<(u32, u32)>,
        often: Vec<(u64, Entry)>,
        known: Vec<(u32, Known)>,
        ageing: &Ageing,
    ) -> Table {
        Table {
            page,
            once: ExpiringMap::new(once, once_until(ageing)),
            often: ExpiringMap::new(often, often_until(ageing)),
            order: known.iter().rev().map(|(url, _)| *url).collect(),
            known: known.into_iter().collect(),
        }
    }
}

/// The page index at which a segment that was on one page expires, given that page's index.
fn once_until(ageing: &Ageing) -> impl Fn(&u32) -> u32 {
    |last| last.saturating_add(ageing.life(1))
}

/// Like [`once_until`], for a segment that was on several pages.
fn often_until(ageing: &Ageing) -> impl Fn(&Entry) -> u32 {
    |entry| entry.last.saturating_add(ageing.life(entry.df))
}
