//! The states in memory: an LRU cache.

use std::collections::HashMap;

use unframe::detect::{FollowMethod, Own, Visit};

use crate::PageRecord;
use crate::values::Summary;
use crate::writer::StateCopy;

/// The states of the most recently seen sites.
#[derive(Debug, Default)]
pub(crate) struct Hot {
    sites: HashMap<String, Site>,
    bytes: usize,
    /// Logical time of the last use. It orders the sites for eviction.
    clock: u64,
}

/// A site in memory.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) state: Own,
    /// The number of the last page that the state includes.
    pub(crate) last: u64,
    /// The first journal with pages of the site that the database lacks.
    pub(crate) unsaved_from: Option<u64>,
    pub(crate) oldest: Option<i64>,
    pub(crate) newest: Option<i64>,
    /// Whether the [`Totals`](crate::totals::Totals) include the site; `entries` is the number of its entries in them.
    pub(crate) is_counted: bool,
    pub(crate) entries: u64,
    used: u64,
    bytes: usize,
}

impl Site {
    pub(crate) fn new(state: Own, summary: Option<Summary>, method: &FollowMethod) -> Site {
        let bytes = method.memory(&state);
        Site {
            state,
            last: summary.map_or(0, |summary| summary.last),
            unsaved_from: None,
            oldest: summary.and_then(|summary| summary.oldest),
            newest: summary.and_then(|summary| summary.newest),
            is_counted: summary.is_some(),
            entries: summary.map_or(0, |summary| summary.entries),
            used: 0,
            bytes,
        }
    }

    /// Adds a page to the state.
    pub(crate) fn apply(&mut self, number: u64, page: &PageRecord<'_>, method: &FollowMethod) -> Visit {
        let visit = method.take(&mut self.state, page.id, page.pieces);
        self.last = number;
        if let Some(date) = page.date {
            self.oldest = Some(self.oldest.map_or(date, |oldest| oldest.min(date)));
            self.newest = Some(self.newest.map_or(date, |newest| newest.max(date)));
        }
        visit
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary { last: self.last, entries: self.entries, bytes: 0, oldest: self.oldest, newest: self.newest }
    }
}

impl Hot {
    pub(crate) fn contains(&self, site: &str) -> bool {
        self.sites.contains_key(site)
    }

    pub(crate) fn insert(&mut self, name: String, site: Site) {
        self.bytes += site.bytes;
        self.sites.insert(name, site);
    }

    /// Changes a site, which becomes the most recently used one.
    pub(crate) fn touch<T>(
        &mut self,
        name: &str,
        method: &FollowMethod,
        change: impl FnOnce(&mut Site) -> T,
    ) -> Option<T> {
        let site = self.sites.get_mut(name)?;
        self.clock += 1;
        site.used = self.clock;
        let result = change(site);
        let bytes = method.memory(&site.state);
        self.bytes = self.bytes + bytes - site.bytes;
        site.bytes = bytes;
        Some(result)
    }

    /// A site. The order of use stays the same.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Site> {
        self.sites.get_mut(name)
    }

    /// Approximate memory of all states, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The names of all sites in memory.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.sites.keys().cloned()
    }

    /// The sites with pages that the database lacks.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let unsaved = self.sites.iter().filter(|(_, site)| site.unsaved_from.is_some());
        unsaved.map(|(name, _)| name.clone()).collect()
    }

    /// Evicts the least recently used sites until `wanted` bytes are free. Returns the evicted states that must be saved. The most
    /// recently used site stays.
    pub(crate) fn evict(&mut self, wanted: usize) -> Vec<StateCopy> {
        let mut order: Vec<(u64, String)> =
            self.sites.iter().map(|(name, site)| (site.used, name.clone())).collect();
        order.sort_unstable();
        order.pop();
        let mut unsaved = Vec::new();
        let mut freed = 0;
        for (_, name) in order {
            if freed >= wanted {
                break;
            }
            let Some(site) = self.sites.remove(&name) else { continue };
            freed += site.bytes;
            if site.unsaved_from.is_some() {
                let summary = site.summary();
                unsaved.push((name, site.state, summary));
            }
        }
        self.bytes -= freed;
        unsaved
    }
}
