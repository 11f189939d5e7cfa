//! Pages that wait on disk, for a verb that finishes the sites one after the other although the crawl mixes them.
//!
//! # What it does
//! The same external grouping as that of what is learned ([`spill`](super)): pages are gathered in memory, and sorted by site into a run when they
//! take too much. A merge of the runs has the pages of a site together, in the order of the crawl.
//!
//! # Cost
//! Disk space for the pages, compressed with LZ4 to about a quarter of their HTML.

use std::sync::{Mutex, PoisonError};

use anyhow::anyhow;
use unframe::{Page, PageBytes};

use super::cannot_read;
use super::runs::{self, Merge, Run, RunWriter};
use crate::learning::on_threads;

/// Bytes of pages, unpacked, that are distributed over the threads at once.
const BATCH_BYTES: usize = 8 << 20;

/// A page and what is needed to find its templates.
pub(crate) struct SitePage {
    pub(crate) site: String,
    pub(crate) url: String,
    payload: Vec<u8>,
    encoding: &'static encoding_rs::Encoding,
}

impl SitePage {
    pub(crate) fn bytes(&self) -> PageBytes<'_> {
        PageBytes { payload: &self.payload, encoding: self.encoding }
    }

    pub(crate) fn pack(self) -> PackedPage {
        let mut bytes = (self.payload.len() as u32).to_le_bytes().to_vec();
        for text in [self.url.as_bytes(), self.encoding.name().as_bytes()] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text);
        }
        bytes.extend(lz4_flex::block::compress(&self.payload));
        bytes.shrink_to_fit();
        PackedPage { site: self.site, bytes }
    }
}

impl From<Page> for SitePage {
    fn from(page: Page) -> SitePage {
        let Page { site, url, payload, charset, .. } = page;
        SitePage { site, url, payload, encoding: charset.encoding }
    }
}

/// A page as it is on disk: the length of its payload, the lengths and bytes of its address and of the name of its encoding, and the
/// compressed payload.
pub(crate) struct PackedPage {
    site: String,
    bytes: Vec<u8>,
}

impl PackedPage {
    fn unpack(self) -> anyhow::Result<SitePage> {
        let damaged = || anyhow!("{}: a page there is damaged; run again", cannot_read());
        let mut rest = self.bytes.as_slice();
        let len = take_number(&mut rest).ok_or_else(damaged)?;
        let url = take_text(&mut rest).ok_or_else(damaged)?;
        let encoding = take_text(&mut rest).ok_or_else(damaged)?;
        let encoding = encoding_rs::Encoding::for_label(encoding.as_bytes()).ok_or_else(damaged)?;
        let payload = lz4_flex::block::decompress(rest, len).ok().ok_or_else(damaged)?;
        Ok(SitePage { site: self.site, url, payload, encoding })
    }

    fn unpacked_len(&self) -> usize {
        take_number(&mut self.bytes.as_slice()).unwrap_or(0)
    }
}

fn take_number(rest: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?) as usize)
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let len = take_number(rest)?;
    String::from_utf8(rest.split_off(..len)?.to_vec()).ok()
}

/// Pages that are being put aside.
pub(crate) struct PageSorter {
    pages: Vec<PackedPage>,
    bytes: usize,
    bytes_max: usize,
    runs: Vec<Run>,
}

impl PageSorter {
    /// Keeps about `bytes_max` bytes of pages in memory.
    pub(crate) fn new(bytes_max: usize) -> PageSorter {
        PageSorter { pages: Vec::new(), bytes: 0, bytes_max, runs: Vec::new() }
    }

    /// Adds a page, in the order of the crawl.
    pub(crate) fn add(&mut self, page: PackedPage) -> anyhow::Result<()> {
        self.bytes += size_of::<PackedPage>() + page.site.len() + page.bytes.len();
        self.pages.push(page);
        if self.bytes > self.bytes_max { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> anyhow::Result<()> {
        // The sort is stable: the pages of a site stay in their order.
        self.pages.sort_by(|a, b| a.site.cmp(&b.site));
        self.bytes = 0;
        let mut run = RunWriter::new(0)?;
        self.pages.drain(..).try_for_each(|page| run.add(&page.site, &page.bytes))?;
        runs::push(&mut self.runs, run.finish()?, |merge, larger| {
            while let Some((site, page)) = merge.next_part()? {
                larger.add(&site, &page)?;
            }
            Ok(())
        })
    }

    /// All pages that were added.
    pub(crate) fn finish(mut self) -> anyhow::Result<SortedPages> {
        self.write_run()?;
        let starts = vec![0; self.runs.len()];
        Ok(SortedPages { runs: self.runs, starts })
    }
}

/// Pages on disk, ordered by site, those of a site in the order of the crawl.
pub(crate) struct SortedPages {
    runs: Vec<Run>,
    /// The positions in the runs where reading begins.
    starts: Vec<u64>,
}

impl SortedPages {
    /// Lets the next readings begin at a place that an earlier one has returned.
    pub(crate) fn begin_at(&mut self, Positions(starts): Positions) {
        self.starts = starts;
    }

    /// Reads the pages of the first sites, as far as `is_wanted` holds. `sink` gets what the workers make of them, in order, and may make
    /// `is_wanted` true for fewer of the last sites. Returns the positions of the first page that is not wanted.
    pub(crate) fn read<T: Send, W: FnMut(SitePage) -> T>(
        &self,
        is_wanted: impl Fn(&str) -> bool,
        threads: usize,
        new_worker: impl Fn() -> W + Sync,
        mut sink: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Positions> {
        let mut merge = Merge::at(&self.runs, self.starts.clone())?;
        loop {
            let mut batch = Vec::new();
            let mut bytes = 0;
            while bytes < BATCH_BYTES && merge.next_site().is_some_and(&is_wanted) {
                let Some((site, page)) = merge.next_part()? else { break };
                let page = PackedPage { site, bytes: page };
                bytes += page.unpacked_len();
                batch.push(page);
            }
            if batch.is_empty() {
                return Ok(Positions(merge.positions()));
            }
            let new_worker = || {
                let mut worker = new_worker();
                move |page: PackedPage| page.unpack().map(&mut worker)
            };
            in_parallel(batch, threads, new_worker).into_iter().try_for_each(|made| sink(made?))?;
        }
    }
}

/// A place between two pages of [`SortedPages`].
pub(crate) struct Positions(Vec<u64>);

/// Processes items on several threads, and returns the results in the order of the items.
fn in_parallel<A: Send, T: Send, W: FnMut(A) -> T>(
    items: Vec<A>,
    threads: usize,
    new_worker: impl Fn() -> W + Sync,
) -> Vec<T> {
    let queue = Mutex::new(items.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    on_threads(threads, &|| {
        let mut worker = new_worker();
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((number, item)) = next() {
            let made = worker(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, made));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, made)| made).collect()
}
