//! How much storage is saved by storing each template once, measured by storing every page in several formats.
//!
//! - gzip and zstd, each page separately;
//! - zstd with a dictionary for each site, built from its templates;
//! - templates by reference: a page is stored as its own bytes and the numbers of its templates, which are stored once per site. Every page is restored
//!   and compared; a page that differs is a bug, and is counted as stored whole.
//!
//! [`cache_curve`] is another measure: the transfer volume that a cache of the most frequent template hashes would save.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), sections 1.1 and 4.3 (figure 3).

mod cache;
mod reference;
mod report;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::AddAssign;

use flate2::Compression;
use flate2::write::GzEncoder;
use unframe::Region;
use xxhash_rust::xxh3::xxh3_64;
use zstd::dict::EncoderDictionary;

pub use cache::{CachePoint, cache_curve};
pub use report::SavingsReport;

use crate::limits::{SITE_DICTIONARY_MAX, SITE_TEMPLATES_MAX};

/// The default compression level of zstd.
const ZSTD_LEVEL: i32 = 3;

/// Collects the templates of a site while its pages are read.
#[derive(Debug, Clone, Default)]
pub struct TemplateStore {
    pieces: HashMap<u64, Piece>,
    bytes: usize,
}

#[derive(Debug, Clone)]
struct Piece {
    bytes: Vec<u8>,
    occurrences: u64,
}

impl TemplateStore {
    /// Adds the templates of a page. At most [`SITE_TEMPLATES_MAX`] bytes of distinct templates are kept.
    pub fn add(&mut self, payload: &[u8], regions: &[Region]) {
        for region in regions {
            let bytes = region.span.slice(payload);
            match self.pieces.get_mut(&xxh3_64(bytes)) {
                Some(piece) => piece.occurrences += 1,
                None if self.bytes + bytes.len() <= SITE_TEMPLATES_MAX => {
                    self.bytes += bytes.len();
                    self.pieces.insert(xxh3_64(bytes), Piece { bytes: bytes.to_vec(), occurrences: 1 });
                }
                None => {}
            }
        }
    }

    /// Builds the dictionary, and numbers the templates that occur more than once. The most frequent templates get the shortest numbers.
    pub fn finish(self) -> io::Result<SiteStore> {
        let mut pieces: Vec<Piece> =
            self.pieces.into_values().filter(|piece| piece.occurrences > 1).collect();
        pieces.sort_by(|a, b| b.occurrences.cmp(&a.occurrences).then_with(|| a.bytes.cmp(&b.bytes)));
        let numbers = (0..).zip(&pieces).map(|(number, piece)| (xxh3_64(&piece.bytes), number)).collect();
        let dictionary = dictionary(&pieces);
        let templates = pieces.into_iter().map(|piece| piece.bytes).collect::<Vec<_>>();
        let packed = zstd::bulk::compress(&templates.concat(), ZSTD_LEVEL)?.len() as u64;
        Ok(SiteStore {
            numbers,
            templates_packed: packed,
            dictionary_packed: zstd::bulk::compress(&dictionary, ZSTD_LEVEL)?.len() as u64,
            dictionary: EncoderDictionary::copy(&dictionary, ZSTD_LEVEL),
            templates,
        })
    }
}

/// The templates that save most. The best ones come last, where zstd refers to them with the shortest offsets.
fn dictionary(pieces: &[Piece]) -> Vec<u8> {
    let mut by_worth: Vec<&Piece> = pieces.iter().collect();
    by_worth.sort_by_key(|piece| std::cmp::Reverse(piece.occurrences * piece.bytes.len() as u64));
    let mut left = SITE_DICTIONARY_MAX;
    by_worth.retain(|piece| {
        let fits = piece.bytes.len() <= left;
        left -= if fits { piece.bytes.len() } else { 0 };
        fits
    });
    by_worth.into_iter().rev().flat_map(|piece| piece.bytes.iter().copied()).collect()
}

/// The templates of a site, each stored once.
pub struct SiteStore {
    /// The number of each template, by the hash of its bytes.
    numbers: HashMap<u64, u32>,
    templates: Vec<Vec<u8>>,
    templates_packed: u64,
    dictionary: EncoderDictionary<'static>,
    dictionary_packed: u64,
}

/// The bytes of pages in several storage formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// The number of pages.
    pub pages: u64,
    /// Uncompressed.
    pub plain: u64,
    /// gzip, each page separately.
    pub gzip: u64,
    /// zstd, each page separately.
    pub zstd: u64,
    /// zstd with the dictionary of the site.
    pub dictionary: u64,
    /// Templates by reference.
    pub reference: u64,
    /// Templates by reference, then zstd, each page separately.
    pub reference_zstd: u64,
    /// The number of pages that were not restored correctly and are counted as stored whole.
    pub broken: u64,
}

impl AddAssign for Sizes {
    fn add_assign(&mut self, other: Sizes) {
        self.pages += other.pages;
        self.plain += other.plain;
        self.gzip += other.gzip;
        self.zstd += other.zstd;
        self.dictionary += other.dictionary;
        self.reference += other.reference;
        self.reference_zstd += other.reference_zstd;
        self.broken += other.broken;
    }
}

impl SiteStore {
    /// Stores a page in every format.
    pub fn measure(&self, payload: &[u8], regions: &[Region]) -> io::Result<Sizes> {
        let referring = self.refer(payload, regions);
        let is_whole = self.restore(&referring).as_deref() == Some(payload);
        let referring = if is_whole { referring.as_slice() } else { payload };
        let mut with_dictionary = zstd::bulk::Compressor::with_prepared_dictionary(&self.dictionary)?;
        Ok(Sizes {
            pages: 1,
            plain: payload.len() as u64,
            gzip: gzip(payload)?.len() as u64,
            zstd: zstd::bulk::compress(payload, ZSTD_LEVEL)?.len() as u64,
            dictionary: with_dictionary.compress(payload)?.len() as u64,
            reference: referring.len() as u64,
            reference_zstd: zstd::bulk::compress(referring, ZSTD_LEVEL)?.len() as u64,
            broken: u64::from(!is_whole),
        })
    }

    /// The bytes that are stored once for the site: the dictionary, and the templates, uncompressed and compressed.
    pub fn overhead(&self) -> Sizes {
        Sizes {
            dictionary: self.dictionary_packed,
            reference: self.templates.iter().map(|template| template.len() as u64).sum(),
            reference_zstd: self.templates_packed,
            ..Sizes::default()
        }
    }
}

fn gzip(payload: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(payload)?;
    packed.finish()
}
