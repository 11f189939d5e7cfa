//! Counters of a run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much was read and skipped, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Records of WARC and ARC files, lines of JSONL, rows of Parquet and HTML files.
    pub records: u64,
    /// Pages that were handed over.
    pub pages: u64,
    /// Bytes read from the input, as they are on disk.
    pub bytes_read: u64,
    /// Bytes of the payloads of the pages.
    pub payload_bytes: u64,
    /// Problems, those of pages included.
    pub problems: u64,
    /// How many records were skipped, by reason:
    /// - `request`, `warcinfo`, `metadata`, `conversion`, `continuation`, `other-record`: records of these types;
    /// - `wet`: texts without markup, as in WET files; `wat`: metadata as JSON, as in WAT files;
    /// - `revisit`: the page is the same as one that was archived before, which is where its payload is;
    /// - `status`: an HTTP status other than 200;
    /// - `not-html`: images, scripts, documents and so on;
    /// - `duplicate`: the same address and payload as a page before it in this run;
    /// - `not-a-crawl`: files in folders that are of no known format; `index`: CDX files and the like;
    /// - `hidden`, `empty-file`: files in folders whose names begin with a dot, or that have no contents.
    pub skipped: BTreeMap<&'static str, u64>,
}

impl Summary {
    pub(crate) fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: Summary) {
        self.records += other.records;
        self.pages += other.pages;
        self.bytes_read += other.bytes_read;
        self.payload_bytes += other.payload_bytes;
        self.problems += other.problems;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
    }
}

/// The progress of a run: counters that other threads can read meanwhile.
#[derive(Debug, Default)]
pub struct Progress {
    bytes_read: AtomicU64,
    bytes_total: AtomicU64,
    pages: AtomicU64,
}

impl Progress {
    /// Bytes read from the input so far, as they are on disk.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Size of the whole input, if it consists of plain files; otherwise 0.
    pub fn bytes_total(&self) -> u64 {
        self.bytes_total.load(Ordering::Relaxed)
    }

    /// Pages handed over so far.
    pub fn pages(&self) -> u64 {
        self.pages.load(Ordering::Relaxed)
    }

    pub(crate) fn add_bytes_read(&self, bytes: u64) {
        self.bytes_read.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn set_bytes_total(&self, bytes: u64) {
        self.bytes_total.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn add_page(&self) {
        self.pages.fetch_add(1, Ordering::Relaxed);
    }
}
