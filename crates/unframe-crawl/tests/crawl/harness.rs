//! Builds records and files for the tests, and reads them.

use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;

use flate2::Compression;
use flate2::write::GzEncoder;
use unframe::Page;
use unframe_crawl::{Event, ReadOptions, Summary, WarcWriter, read_stream};

pub(crate) const DATE: &str = "2026-01-31T12:00:00Z";

/// What was read: a line a page or problem, and the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) lines: Vec<String>,
    pub(crate) summary: Summary,
}

impl Outcome {
    /// The addresses of the pages.
    pub(crate) fn urls(&self) -> Vec<&str> {
        let pages = self.lines.iter().filter_map(|line| line.strip_prefix("page "));
        pages.map(|line| line.split(' ').next().unwrap()).collect()
    }

    /// The codes of the problems, those of pages included.
    pub(crate) fn problems(&self) -> Vec<&str> {
        let words = self.lines.iter().flat_map(|line| line.split(' '));
        words.filter_map(|word| word.strip_prefix('!')).collect()
    }

    pub(crate) fn skipped(&self, reason: &str) -> u64 {
        self.summary.skipped.get(reason).copied().unwrap_or(0)
    }
}

pub(crate) fn read_bytes(bytes: impl Into<Vec<u8>>) -> Outcome {
    read_from(Cursor::new(bytes.into()), 1)
}

pub(crate) fn read_from(reader: impl Read + Send + 'static, threads: usize) -> Outcome {
    read_with(reader, &ReadOptions { threads, ..ReadOptions::default() })
}

pub(crate) fn read_with(reader: impl Read + Send + 'static, options: &ReadOptions) -> Outcome {
    let mut lines = Vec::new();
    let summary = read_stream(
        "crawl",
        reader,
        options,
        || page_line,
        |event| {
            lines.push(event_line(event));
            ControlFlow::Continue(())
        },
    );
    Outcome { lines, summary }
}

pub(crate) fn event_line(event: Event<String>) -> String {
    match event {
        Event::Page(line) => line,
        Event::Problem { origin, problem } => format!("!{} {}", problem.code, origin.offset),
    }
}

/// `page URL OFFSET LENGTH HASH !problem…`
pub(crate) fn page_line(page: Page) -> String {
    let hash =
        page.payload.iter().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
    let mut line = format!("page {} {} {} {hash:x}", page.url, page.origin.offset, page.payload.len());
    for problem in &page.problems {
        line.push_str(&format!(" !{}", problem.code));
    }
    line
}

/// A page with a number in it.
pub(crate) fn html(number: usize) -> String {
    let words = ["alpha", "beta", "gamma", "delta", "epsilon"];
    let text: String =
        (0..number * 7 % 50 + 5).map(|n| format!("<p>{} {}", words[(n * number) % 5], n * number)).collect();
    format!("<!doctype html><title>Page {number}</title>{text}")
}

pub(crate) fn url(number: usize) -> String {
    format!("https://example.com/{number}")
}

/// The record of one page, not compressed.
pub(crate) fn record(number: usize) -> Vec<u8> {
    let mut writer = WarcWriter::plain(Vec::new());
    let headers = [("Content-Type", "text/html; charset=utf-8")];
    writer.response(&url(number), DATE.parse().unwrap(), 200, &headers, html(number).as_bytes()).unwrap();
    writer.into_inner()
}

/// The records of pages 0 to `count`, with a `warcinfo` record first.
pub(crate) fn records(count: usize) -> Vec<Vec<u8>> {
    let mut writer = WarcWriter::plain(Vec::new());
    writer.info("software: unframe\r\n", DATE.parse().unwrap()).unwrap();
    std::iter::once(writer.into_inner()).chain((0..count).map(record)).collect()
}

/// A record as no writer of ours writes it.
pub(crate) fn warc(kind: &str, url: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {DATE}\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Each part in a gzip member of its own.
pub(crate) fn gzip_each(parts: &[Vec<u8>]) -> Vec<u8> {
    parts.iter().flat_map(|part| gzip(part)).collect()
}

/// A reader that returns pieces of uneven sizes.
pub(crate) struct Uneven {
    pub(crate) bytes: Cursor<Vec<u8>>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) next: usize,
}

impl Uneven {
    pub(crate) fn new(bytes: Vec<u8>, sizes: Vec<usize>) -> Uneven {
        Uneven { bytes: Cursor::new(bytes), sizes, next: 0 }
    }
}

impl Read for Uneven {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.get(self.next % self.sizes.len().max(1)).copied().unwrap_or(1).max(1);
        self.next += 1;
        let length = into.len().min(size);
        self.bytes.read(&mut into[..length])
    }
}
