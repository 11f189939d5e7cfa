//! Counters of a run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of items read and skipped, and why items were skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Records of WARC and ARC files, lines of JSONL, rows of Parquet and HTML files.
    pub records: u64,
    /// Pages that were delivered.
    pub pages: u64,
    /// Bytes read from the input, in their compressed form on disk.
    pub bytes_read: u64,
    /// Bytes of the payloads of the pages.
    pub payload_bytes: u64,
    /// Problems, including those of pages.
    pub problems: u64,
    /// The number of skipped records by reason:
    /// - `request`, `warcinfo`, `metadata`, `conversion`, `continuation`, `other-record`: records of these types;
    /// - `wet`: WET files in a folder, which have to be named to be read; `wat`: metadata as JSON, as in WAT files;
    /// - `revisit`: the page equals an archived page, whose record has the payload;
    /// - `status`: an HTTP status other than 200;
    /// - `not-html`: images, scripts, documents and so on;
    /// - `duplicate`: the same address and payload as an earlier page of this run;
    /// - `not-a-crawl`: files of unknown formats in folders; `index`: CDX files and the like;
    /// - `hidden`, `empty-file`: files in folders that have a name with a leading dot, or no contents.
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

/// The progress of a run: counters that other threads can read during the run.
#[derive(Debug, Default)]
pub struct Progress {
    bytes_read: AtomicU64,
    bytes_total: AtomicU64,
    pages: AtomicU64,
}

impl Progress {
    /// Bytes read from the input so far, in their compressed form on disk.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Size of the whole input, if it consists of plain files; otherwise 0.
    pub fn bytes_total(&self) -> u64 {
        self.bytes_total.load(Ordering::Relaxed)
    }

    /// Pages delivered so far.
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
