//! Finds pages to index again: those that were written before one of their texts became template or ceased to be.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;
use unframe::Page;
use unframe::detect::Labels;
use unframe_store::Visited;

/// Approximate memory of a page without its address and texts.
const PAGE_BYTES: usize = 96;
/// Approximate memory of a verdict.
const VERDICT_BYTES: usize = 24;

/// The pages that were written last, and the log.
pub(super) struct Reindex {
    log: File,
    lines: Vec<u8>,
    sites: HashMap<Arc<str>, Emitted>,
    /// The sites of all pages, in the order in which they were written.
    order: VecDeque<Arc<str>>,
    bytes: usize,
    bytes_max: usize,
}

/// The pages of a site that were written.
#[derive(Default)]
struct Emitted {
    pages: VecDeque<EmittedPage>,
    /// Whether each text is template, by the last page that has it. Only for methods that label each text anew on every page.
    verdicts: HashMap<u64, bool>,
}

/// A page that was written.
struct EmittedPage {
    url: Box<str>,
    /// Texts that were content, and texts that were template, as ascending hashes. For methods that report when a text changes, all texts are in both.
    kept: Arc<[u64]>,
    removed: Arc<[u64]>,
}

/// A line of the log.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    /// The new label of the texts: `template` or `content`.
    now: &'a str,
    texts: Vec<String>,
}

impl Reindex {
    pub(super) fn new(log: File, bytes_max: usize) -> Reindex {
        let (sites, order) = (HashMap::new(), VecDeque::new());
        Reindex { log, lines: Vec::new(), sites, order, bytes: 0, bytes_max }
    }

    /// Notes which pages hold texts that changed with a page, then remembers the page.
    pub(super) fn page(
        &mut self,
        page: &Page,
        visited: &Visited,
        labels: Labels,
        pieces: Vec<u64>,
    ) -> anyhow::Result<()> {
        let Labels { kept, removed, .. } = labels;
        let labels_texts = !(kept.is_empty() && removed.is_empty());
        let (mut became, mut ended) = (visited.became.clone(), visited.ended.clone());
        if labels_texts && let Some(site) = self.sites.get(&*page.site) {
            let had = |verdict: bool| move |text: &&u64| site.verdicts.get(*text) == Some(&verdict);
            became.extend(removed.iter().filter(had(false)));
            ended.extend(kept.iter().filter(had(true)));
        }
        self.list(&page.site, "template", &became, |page| &page.kept)?;
        self.list(&page.site, "content", &ended, |page| &page.removed)?;
        let (kept, removed): (Arc<[u64]>, Arc<[u64]>) = match labels_texts {
            true => (kept.into(), removed.into()),
            false => {
                let all: Arc<[u64]> = pieces.into();
                (Arc::clone(&all), all)
            }
        };
        self.remember(&page.site, EmittedPage { url: page.url.as_str().into(), kept, removed }, labels_texts);
        Ok(())
    }

    /// Lists the pages on which one of these texts had the other label.
    fn list(
        &mut self,
        site: &str,
        now: &str,
        texts: &[u64],
        before: impl Fn(&EmittedPage) -> &[u64],
    ) -> anyhow::Result<()> {
        let Some(emitted) = self.sites.get(site).filter(|_| !texts.is_empty()) else { return Ok(()) };
        // Of a page that was written more than once, the last version counts.
        let mut seen = HashSet::new();
        for page in emitted.pages.iter().rev().filter(|page| seen.insert(&page.url)) {
            let held = before(page);
            let changed: Vec<u64> =
                texts.iter().copied().filter(|text| held.binary_search(text).is_ok()).collect();
            if !changed.is_empty() {
                let texts = changed.iter().map(|text| format!("{text:010x}")).collect();
                serde_json::to_writer(&mut self.lines, &Line { url: &page.url, site, now, texts })?;
                self.lines.push(b'\n');
            }
        }
        Ok(())
    }

    /// Remembers a page that is written, and forgets the oldest ones if there is no room.
    fn remember(&mut self, site: &str, page: EmittedPage, labels_texts: bool) {
        let name = match self.sites.get_key_value(site) {
            Some((name, _)) => Arc::clone(name),
            None => Arc::from(site),
        };
        self.bytes += page.bytes();
        self.order.push_back(Arc::clone(&name));
        let emitted = self.sites.entry(name).or_default();
        if labels_texts {
            let before = emitted.verdicts.len();
            emitted.verdicts.extend(page.kept.iter().map(|text| (*text, false)));
            emitted.verdicts.extend(page.removed.iter().map(|text| (*text, true)));
            self.bytes += (emitted.verdicts.len() - before) * VERDICT_BYTES;
        }
        emitted.pages.push_back(page);
        while self.bytes > self.bytes_max
            && let Some(name) = self.order.pop_front()
        {
            let Some(emitted) = self.sites.get_mut(&name) else { continue };
            self.bytes -= emitted.pages.pop_front().map_or(0, |page| page.bytes());
            if emitted.pages.is_empty() {
                self.bytes -= emitted.verdicts.len() * VERDICT_BYTES;
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

impl EmittedPage {
    fn bytes(&self) -> usize {
        // Where texts have no labels, both lists are the same.
        let is_shared = Arc::ptr_eq(&self.kept, &self.removed);
        let texts = self.kept.len() + if is_shared { 0 } else { self.removed.len() };
        PAGE_BYTES + self.url.len() + texts * size_of::<u64>()
    }
}
