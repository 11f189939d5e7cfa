//! Pages as the readers of tables hand them over, before their site and charset are known.

use std::borrow::Cow;

use jiff::Timestamp;
use unframe::Problem;

/// A page of a JSONL or Parquet file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawPage {
    /// The address it was fetched from.
    pub(crate) url: String,
    /// When it was fetched.
    pub(crate) date: Option<Timestamp>,
    /// The HTML.
    pub(crate) payload: Vec<u8>,
    /// What stands in for `Content-Type`: it names UTF-8 where the file says that the HTML is text, since then a
    /// charset that the page itself declares is that of another copy.
    pub(crate) content_type: Option<Cow<'static, str>>,
    /// The line's offset in bytes, or the row's number.
    pub(crate) offset: u64,
    /// What was wrong with it.
    pub(crate) problems: Vec<Problem>,
}

/// A page, or what is wrong at a line or row that gives none.
pub(crate) type Found = Result<RawPage, Misread>;

/// A problem and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misread {
    /// The line's offset in bytes, or the row's number.
    pub(crate) offset: u64,
    pub(crate) problem: Problem,
}

impl Misread {
    pub(crate) fn new(offset: u64, code: &'static str, message: impl Into<String>) -> Misread {
        Misread { offset, problem: Problem::new(code, message) }
    }
}

/// The content type of HTML that is text already.
pub(crate) const UTF8_HTML: &str = "text/html; charset=utf-8";

/// Names under which the address is found, best first, whatever their case.
pub(crate) const URL_NAMES: [&str; 5] = ["url", "uri", "target_uri", "warc_target_uri", "page_url"];

/// Names under which the HTML is found.
pub(crate) const HTML_NAMES: [&str; 4] = ["html", "raw_html", "html_content", "page_html"];

/// Names under which the date is found.
pub(crate) const DATE_NAMES: [&str; 7] =
    ["date", "timestamp", "fetch_time", "fetched_at", "crawl_date", "crawled_at", "warc_date"];

/// The place of a name in a list of names; the first is the best.
pub(crate) fn rank(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| known.eq_ignore_ascii_case(name))
}
