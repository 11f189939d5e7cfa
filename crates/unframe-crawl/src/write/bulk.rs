//! Lines for the bulk API of Elasticsearch and OpenSearch: for each page or chunk an action, then the document, which is the same as a JSONL line.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::json::{chunk_line, clean_line, line};
use super::target::Target;
use super::{Body, CleanPage, PageWriter};

pub(super) struct Bulk {
    target: Target,
    index: Option<IndexName>,
}

impl Bulk {
    pub(super) fn new(target: Target, index: Option<IndexName>) -> Bulk {
        Bulk { target, index }
    }

    fn write_document(&mut self, name: &str, document: &[u8]) -> io::Result<()> {
        let index = self.index.as_ref().map(|index| index.0.as_str());
        self.target.write_all(&line(&Action { index: Index { index, id: &id(name) } })?)?;
        self.target.write_all(document)
    }
}

impl PageWriter for Bulk {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        let Body::Chunks(chunks) = &page.body else {
            return self.write_document(&page.url, &clean_line(page)?);
        };
        for (number, chunk) in chunks.iter().enumerate() {
            self.write_document(&format!("{}#{number}", page.url), &chunk_line(page, number, chunk)?)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.target.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        self.target.unfinished()
    }
}

#[derive(Serialize)]
struct Action<'a> {
    index: Index<'a>,
}

#[derive(Serialize)]
struct Index<'a> {
    /// The index. Without it, requests must name the index in their path.
    #[serde(rename = "_index", skip_serializing_if = "Option::is_none")]
    index: Option<&'a str>,
    #[serde(rename = "_id")]
    id: &'a str,
}

/// Maximum length of an identifier; longer ones are rejected.
const ID_BYTES_MAX: usize = 512;

/// The identifier of a page: its address, so that a new version replaces the old one. A chunk's has its number, too. The end of a long address
/// is replaced by a hash of the whole address.
fn id(url: &str) -> String {
    if url.len() <= ID_BYTES_MAX {
        return url.to_owned();
    }
    let hash = format!("#{:032x}", xxh3_128(url.as_bytes()));
    let mut end = ID_BYTES_MAX - hash.len();
    while !url.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{hash}", &url[..end])
}

/// The name of an index, as allowed by Elasticsearch and OpenSearch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexName(String);

/// The error for an invalid index name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be the name of an index: it must be in lower case, contain no space and none of \\ / * ? \" < > | , # :, not begin with - _ or +, and have at most 255 bytes"
)]
pub struct BadIndexName(String);

impl FromStr for IndexName {
    type Err = BadIndexName;

    fn from_str(name: &str) -> Result<IndexName, BadIndexName> {
        let is_bad = name.is_empty()
            || name.len() > 255
            || matches!(name, "." | "..")
            || name.starts_with(['-', '_', '+'])
            || name.contains(|c: char| c.is_uppercase() || c.is_control() || "\\/*?\"<>|,#: ".contains(c));
        if is_bad { Err(BadIndexName(name.to_owned())) } else { Ok(IndexName(name.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_addresses_become_short_identifiers() {
        let long = |end: &str| format!("http://example.com/{}{end}", "é".repeat(300));
        assert_eq!(id("http://example.com/"), "http://example.com/");
        assert_eq!(id(&"a".repeat(512)).len(), 512);
        assert!(id(&long("a")).len() <= 512 && id(&long("a")).starts_with("http://example.com/éé"));
        assert_ne!(id(&long("a")), id(&long("b")));
    }

    #[test]
    fn names_of_indexes() {
        for good in ["pages", "pages-2026.01", "über"] {
            assert!(good.parse::<IndexName>().is_ok(), "{good}");
        }
        for bad in ["", "..", "Pages", "_pages", "a b", "a/b", "a\n", &"a".repeat(256)] {
            assert!(bad.parse::<IndexName>().is_err(), "{bad}");
        }
    }
}
