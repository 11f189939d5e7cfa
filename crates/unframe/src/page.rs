//! One HTML response and where it came from.

use std::fmt;
use std::sync::Arc;

use xxhash_rust::xxh3;

use crate::Charset;

/// One HTML page of a crawl, as it was received.
#[derive(Debug, Clone)]
pub struct Page {
    /// The address it was fetched from.
    pub url: String,
    /// The key of the site that the page is compared with; see [`SiteBy`](crate::SiteBy).
    pub site: String,
    /// When it was fetched.
    pub date: Option<jiff::Timestamp>,
    /// The bytes of the body after HTTP transfer and content coding, before charset decoding. All positions that
    /// unframe reports count these bytes.
    pub payload: Vec<u8>,
    /// The charset of the bytes.
    pub charset: Charset,
    /// The identifier of the WARC record that it was read from, as it stands there: `<urn:uuid:…>`.
    pub record_id: Option<String>,
    /// Where the page was read from.
    pub origin: Origin,
    /// Its problems. The page is usable all the same.
    pub problems: Vec<Problem>,
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
#[non_exhaustive]
pub enum Change {
    /// Its address is new.
    New,
    /// Its address is known, with other bytes.
    Changed,
    /// It was known and is unchanged: nothing was counted.
    Unchanged,
}

impl Change {
    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Unchanged => "unchanged",
        }
    }
}

/// A place in the input: a file and a position in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file's name as the user gave it; `-` for standard input, `a.wacz!archive/b.warc.gz` for a file in an archive.
    pub file: Arc<str>,
    /// Where the record begins, in bytes of the file as it is on disk (for compressed files: where its member or frame
    /// begins); the line's offset for JSONL, the row's number for Parquet.
    pub offset: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.file, self.offset)
    }
}

/// Something wrong with the input. The code is stable, for programs; the message is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable name such as `truncated-body`.
    pub code: &'static str,
    /// What was expected and what was found.
    pub message: String,
}

impl Problem {
    /// A problem of the kind `code`, explained by `message`.
    pub fn new(code: &'static str, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
