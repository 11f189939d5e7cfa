//! One HTML response and where it came from.

use std::fmt;
use std::sync::Arc;

use xxhash_rust::xxh3;

use crate::{Charset, SiteBy, charset};

/// One HTML page of a crawl, as it was received.
#[derive(Debug, Clone)]
pub struct Page {
    /// The URL that it was fetched from.
    pub url: String,
    /// The key of the site that the page is compared with; see [`SiteBy`].
    pub site: String,
    /// The time of the fetch.
    pub date: Option<jiff::Timestamp>,
    /// The bytes of the body after HTTP transfer and content coding, before charset decoding. All positions that unframe reports refer to
    /// these bytes.
    pub payload: Vec<u8>,
    /// The charset of the bytes.
    pub charset: Charset,
    /// The identifier of the WARC record that it was read from, verbatim: `<urn:uuid:…>`.
    pub record_id: Option<String>,
    /// Where the page was read from.
    pub origin: Origin,
    /// Problems of the page, which is usable nevertheless.
    pub problems: Vec<Problem>,
}

impl Page {
    /// A page of unknown date and origin. Its site is its host, and its charset is found from its bytes.
    ///
    /// ```
    /// let page = unframe::Page::new("http://www.tea.example/green", "<p>Tea");
    /// assert_eq!((page.site.as_str(), page.date), ("tea.example", None));
    /// ```
    pub fn new(url: impl Into<String>, payload: impl Into<Vec<u8>>) -> Page {
        let (url, payload) = (url.into(), payload.into());
        Page {
            site: SiteBy::Host.key(&url),
            url,
            date: None,
            charset: charset::find(&payload, None),
            payload,
            record_id: None,
            origin: Origin { file: "-".into(), offset: 0 },
            problems: Vec::new(),
        }
    }
}

/// Hashes of a page's address and content. The same page has the same id wherever it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageId {
    /// The hash of the address.
    pub url: u64,
    /// The hash of the bytes.
    pub content: u32,
}

impl PageId {
    /// The id of a page.
    pub fn of(url: &str, payload: &[u8]) -> PageId {
        PageId { url: xxh3::xxh3_64(url.as_bytes()), content: xxh3::xxh3_64(payload) as u32 }
    }
}

/// How a page relates to the pages before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The address is new.
    New,
    /// The address is known, with other bytes.
    Changed,
    /// The page is known and unchanged, so nothing was counted.
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

/// A location in the input: a file and a position in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file's name as the user gave it; `-` for standard input, `a.wacz!archive/b.warc.gz` for a file in an archive.
    pub file: Arc<str>,
    /// The offset of the record in the bytes of the file on disk (for compressed files, the offset of its member or frame); for JSONL, the
    /// offset of the line; for Parquet, the number of the row.
    pub offset: u64,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.file, self.offset)
    }
}

/// A problem of the input. The code is stable, for programs; the message is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A stable name such as `truncated-body`.
    pub code: &'static str,
    /// A description of what was expected and what was found.
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
