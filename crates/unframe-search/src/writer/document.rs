//! Converts a page into a Tantivy document.

use std::collections::HashSet;

use tantivy::{DateTime, TantivyDocument};
use unframe::blocks::WordAt;
use unframe::sample::PieceHasher;
use xxhash_rust::xxh3;

use crate::analyze::Writer;
use crate::format::Fields;
use crate::record;

/// Tantivy counts nanoseconds in an `i64`, so its dates range from 1677 to 2262. Dates outside of this range are clamped.
const SECONDS_MAX: i64 = i64::MAX / 1_000_000_000;

/// A page with its blocks.
pub(super) struct Draft<'p> {
    pub(super) url: &'p str,
    pub(super) site: &'p str,
    pub(super) language: &'p str,
    pub(super) title: &'p str,
    pub(super) date: Option<i64>,
    pub(super) blocks: Vec<DraftBlock<'p>>,
}

/// A block with its words.
pub(super) struct DraftBlock<'p> {
    pub(super) style: u64,
    pub(super) is_template: bool,
    /// The text that the positions in `words` refer to.
    pub(super) base: &'p str,
    pub(super) text: &'p str,
    pub(super) words: &'p [WordAt],
    pub(super) hashes: &'p [u64],
}

/// A document, and the numbers of words on its page.
pub(super) struct Made {
    pub(super) document: TantivyDocument,
    /// Its size in memory, approximately.
    pub(super) bytes: usize,
    pub(super) words: u64,
    pub(super) template_words: u64,
}

impl Draft<'_> {
    /// Makes the document, and counts the words.
    pub(super) fn document(&self, fields: &Fields, searchable_templates: bool) -> Made {
        let (mut content, mut template) = (Writer::default(), Writer::default());
        let mut different: HashSet<u64, PieceHasher> = HashSet::default();
        let (mut words, mut template_words) = (0, 0);
        for block in &self.blocks {
            words += block.words.len() as u64;
            if !block.is_template {
                content.block(block.base, block.words);
                different.extend(block.hashes);
                continue;
            }
            template_words += block.words.len() as u64;
            // A phrase must not match across the removed block.
            content.gap();
            if searchable_templates {
                template.block(block.base, block.words);
                template.gap();
            }
        }
        let content_words = (words - template_words) as f64;
        let mut document = TantivyDocument::with_capacity(content.out.len() + 256);
        // The address is stored first, so that readers who need only the address can stop after it.
        document.add_text(fields.url, self.url);
        document.add_text(fields.site, self.site);
        if !self.language.is_empty() {
            document.add_text(fields.language, self.language);
        }
        if !self.title.is_empty() {
            document.add_text(fields.title, self.title);
        }
        if let Some(date) = self.date {
            document
                .add_date(fields.date, DateTime::from_timestamp_secs(date.clamp(-SECONDS_MAX, SECONDS_MAX)));
        }
        document.add_text(fields.content, &content.out);
        if !template.out.is_empty() {
            document.add_text(fields.template, &template.out);
        }
        document.add_f64(fields.tf_average, content_words / different.len().max(1) as f64);
        document.add_u64(fields.order, xxh3::xxh3_64(self.url.as_bytes()));
        let mut blocks = Vec::new();
        record::write(
            self.blocks.iter().map(|block| (block.style, block.is_template, block.text)),
            &mut blocks,
        );
        document.add_bytes(fields.blocks, &blocks);
        let bytes = content.out.len() + template.out.len() + blocks.len() + size_of::<TantivyDocument>();
        Made { document, bytes, words, template_words }
    }
}
