//! Which pages to index again: those that were written before a text on them became template, or was template no more.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;
use unframe_store::Visited;

/// Memory of a page beside its address and its segments, about.
const PAGE_BYTES: usize = 96;

/// The pages that were written last, and the log.
pub(super) struct Reindex {
    log: File,
    lines: Vec<u8>,
    sites: HashMap<Arc<str>, VecDeque<Emitted>>,
    /// The sites of all pages, in the order in which they were written.
    order: VecDeque<Arc<str>>,
    bytes: usize,
    bytes_max: usize,
}

/// A page that was written.
struct Emitted {
    url: Box<str>,
    /// Ascending.
    keys: Box<[u64]>,
}

/// A line of the log.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    /// What its segments are now: `template` or `content`.
    now: &'a str,
    segments: Vec<String>,
}

impl Reindex {
    pub(super) fn new(log: File, bytes_max: usize) -> Reindex {
        let (sites, order) = (HashMap::new(), VecDeque::new());
        Reindex { log, lines: Vec::new(), sites, order, bytes: 0, bytes_max }
    }

    /// Notes which pages hold segments that changed with the last page.
    pub(super) fn changed(&mut self, site: &str, visited: &Visited) -> anyhow::Result<()> {
        for (now, keys) in [("template", &visited.became), ("content", &visited.ended)] {
            if !keys.is_empty() {
                self.list(site, now, keys)?;
            }
        }
        Ok(())
    }

    fn list(&mut self, site: &str, now: &str, keys: &[u64]) -> anyhow::Result<()> {
        let Some(pages) = self.sites.get(site) else { return Ok(()) };
        // Of a page that was written more than once, the last version counts.
        let mut seen = HashSet::new();
        for page in pages.iter().rev() {
            if !seen.insert(&page.url) {
                continue;
            }
            let held = keys.iter().filter(|key| page.keys.binary_search(key).is_ok());
            let segments: Vec<String> = held.map(|key| format!("{key:010x}")).collect();
            if !segments.is_empty() {
                serde_json::to_writer(&mut self.lines, &Line { url: &page.url, site, now, segments })?;
                self.lines.push(b'\n');
            }
        }
        Ok(())
    }

    /// Remembers a page that is written, and forgets the oldest ones if there is no room.
    pub(super) fn emitted(&mut self, site: &str, url: &str, keys: Vec<u64>) {
        let page = Emitted { url: url.into(), keys: keys.into() };
        self.bytes += page.bytes();
        let name = match self.sites.get_key_value(site) {
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(site),
        };
        self.order.push_back(Arc::clone(&name));
        self.sites.entry(name).or_default().push_back(page);
        while self.bytes > self.bytes_max
            && let Some(name) = self.order.pop_front()
        {
            let Some(pages) = self.sites.get_mut(&name) else { continue };
            self.bytes -= pages.pop_front().map_or(0, |page| page.bytes());
            if pages.is_empty() {
                self.sites.remove(&name);
            }
        }
    }

    /// Writes the lines.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.log.write_all(&self.lines).context("cannot write the pages to index again")?;
        self.lines.clear();
        Ok(())
    }
}

impl Emitted {
    fn bytes(&self) -> usize {
        PAGE_BYTES + self.url.len() + self.keys.len() * size_of::<u64>()
    }
}
