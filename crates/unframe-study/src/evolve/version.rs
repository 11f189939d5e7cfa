//! One version of a page.

use jiff::Timestamp;
use unframe::text;
use unframe::text::content::{self, Volume};
use unframe::{ParsedPage, Region};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::words::for_each_word;

/// One version of a page.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its address without the parts that differ between versions; see [`super::dated::address`].
    pub address: String,
    /// The address as it was fetched.
    pub url: String,
    /// When it was fetched.
    pub date: Timestamp,
    /// Its bucket of time.
    pub bucket: (i64, String),
    /// Whether it represents its address in its snapshot.
    pub is_measured: bool,
    /// How much of it is template.
    pub volume: Volume,
    /// The text of its templates.
    pub template: TextValue,
    /// The text outside of templates.
    pub content: TextValue,
    /// A hash of all its text.
    pub whole: u64,
}

/// A text in a form that can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextValue {
    /// A hash that is equal for texts that differ only in white space.
    pub hash: u64,
    /// The hashes of its distinct words, ascending.
    pub words: Vec<u32>,
}

impl TextValue {
    /// The value of a text.
    pub fn of(text: &str) -> TextValue {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(xxh3_64(word.as_bytes()) as u32));
        words.sort_unstable();
        words.dedup();
        TextValue { hash: hash_of(text), words }
    }
}

impl Version {
    /// A version of a page, with its template regions.
    pub fn new(
        dated: super::dated::Dated,
        bucket: (i64, String),
        page: &ParsedPage<'_>,
        regions: &[Region],
    ) -> Version {
        let cleaned = content::extract(page, regions);
        let whole = hash_of(&content::extract(page, &[]).text);
        let template = text::of_regions(page.source(), regions, usize::MAX).join(" ");
        Version {
            address: dated.address,
            url: dated.url,
            date: dated.date,
            bucket,
            is_measured: false,
            volume: cleaned.volume,
            template: TextValue::of(&template),
            content: TextValue::of(&cleaned.text),
            whole,
        }
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = Xxh3::new();
    for word in text.split_whitespace() {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    hasher.digest()
}
