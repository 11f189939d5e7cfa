//! Pages as the readers of JSONL and Parquet return them, before their site and charset are known.

use std::borrow::Cow;

use jiff::Timestamp;
use unframe::Problem;

/// A page of a JSONL or Parquet file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawPage {
    /// The URL that it was fetched from.
    pub(crate) url: String,
    /// The time of the fetch.
    pub(crate) date: Option<Timestamp>,
    /// The HTML.
    pub(crate) payload: Vec<u8>,
    /// The substitute for `Content-Type`. It is UTF-8 if the file declares the HTML as text, because a charset that the page itself
    /// declares then refers to the original bytes.
    pub(crate) content_type: Option<Cow<'static, str>>,
    /// The line's offset in bytes, or the row's number.
    pub(crate) offset: u64,
    /// The problems of the page.
    pub(crate) problems: Vec<Problem>,
}

/// A page, or the problem of a line or row without one.
pub(crate) type RowResult = Result<RawPage, RowError>;

/// A problem and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowError {
    /// The line's offset in bytes, or the row's number.
    pub(crate) offset: u64,
    pub(crate) problem: Problem,
}

impl RowError {
    pub(crate) fn new(offset: u64, code: &'static str, message: impl Into<String>) -> RowError {
        RowError { offset, problem: Problem::new(code, message) }
    }
}

/// The content type of HTML that is already decoded.
pub(crate) const UTF8_HTML: &str = "text/html; charset=utf-8";

/// Names of the field with the address, best first, ignoring case.
pub(crate) const URL_NAMES: [&str; 5] = ["url", "uri", "target_uri", "warc_target_uri", "page_url"];

/// Names of the field with the HTML.
pub(crate) const HTML_NAMES: [&str; 4] = ["html", "raw_html", "html_content", "page_html"];

/// Names of the field with the date.
pub(crate) const DATE_NAMES: [&str; 7] =
    ["date", "timestamp", "fetch_time", "fetched_at", "crawl_date", "crawled_at", "warc_date"];

/// The index of a name in a list of names; the first is the best.
pub(crate) fn rank(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| known.eq_ignore_ascii_case(name))
}
