//! `blocks`: words at the same places in blocks of the same style.
//!
//! # What it does
//! Pages are cut into blocks, and blocks of equal position and equal attributes are compared word by word. A word is a template word if it
//! is at similar positions in at least `df` of these blocks, counted from the start or from the end of the block. A block is template if at
//! least `ratio` of its different words are template words. [`crate::blocks`] says more. Words of fewer than `df` blocks are skipped, and a
//! block is given up as soon as too many of its words are not template words.
//!
//! `unframe index` applies the method to all pages while it builds a search index.
//!
//! # Assumes
//! A site with fewer pages than `df` is assumed to have few pages, not few templates: `df` is then the number of pages, but at least two.
//! On a page that was not compared, a word is a template word if one of the compared pages has it at positions with the same signature.
//!
//! # Example
//! `<div class=foot>Printed on paper</div>` as the third block on 5 pages is template. On a sixth page, whose block says `Printed on old
//! paper`, only two of four words are at their positions, so the block is not template.
//!
//! # Cost
//! One pass of the tokenizer per page; memory for the words of `sample` pages, 24 bytes each.
//!
//! # Paper
//! Chen, Ye, Li: Template Detection for Large Scale Search Engines (2006).

use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::Detector;
use super::settings::{Setting, SettingError, is_first, number, sample_size};
use crate::blocks::{CutPage, Cutter, Signature, cluster_sizes, for_each_signature};
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash, tidy};
use crate::sample::{Count, PieceHasher, Sample};
use crate::segments::BLOCK_TAGS;

/// Words at the same positions in blocks; see the [module](self).
#[derive(Debug, Clone)]
pub struct Blocks {
    /// The number of blocks in which a template word must be at similar positions.
    pub df: u32,
    /// The share of template words from which a block is template.
    pub ratio: f64,
    /// The share of equal bits from which two signatures are similar.
    pub similarity: f64,
    /// The number of pages of a site that are compared.
    pub sample: usize,
    by_position: bool,
    block_tags: String,
    cutter: Cutter,
}

impl Default for Blocks {
    fn default() -> Blocks {
        Blocks {
            df: 5,
            ratio: 0.8,
            similarity: 0.8,
            sample: 200,
            by_position: true,
            block_tags: BLOCK_TAGS.to_owned(),
            cutter: Cutter::new(BLOCK_TAGS, true),
        }
    }
}

impl Blocks {
    /// Cuts a page into blocks, which also begin and end at the boundaries of regions.
    pub fn cut(&self, page: &ParsedPage<'_>, regions: &[Region]) -> CutPage {
        self.cutter.cut(page, regions)
    }

    /// The number of blocks that a cluster must have on a site of that many pages.
    pub fn df_for(&self, pages: usize) -> u32 {
        self.df.min(u32::try_from(pages).unwrap_or(u32::MAX)).max(2)
    }

    /// Whether a block with this many template words out of `words` different words is template.
    pub fn is_template_block(&self, template_words: u32, words: u32) -> bool {
        template_words > 0 && f64::from(template_words) / f64::from(words) >= self.ratio
    }

    /// The smallest number of pages of any template word of a block; `None` if the block is not template.
    fn template_pages(
        &self,
        model: &Model,
        style: u64,
        words: &[(u64, Signature)],
        len: usize,
    ) -> Option<u32> {
        let allowed = words.len() as f64 * (1.0 - self.ratio) + 1e-9;
        let (mut others, mut pages) = (0u32, u32::MAX);
        for (word, signature) in words {
            let count = |signature| model.count(key(style, *word, signature));
            match count(*signature).or_else(|| count(signature.seen_from_end(len))) {
                Some(count) => pages = pages.min(count.pages),
                None => others += 1,
            }
            if f64::from(others) > allowed {
                return None;
            }
        }
        (pages < u32::MAX).then_some(pages)
    }
}

/// The key of a template word in the model: the word, its signature, and the style of its blocks.
fn key(style: u64, word: u64, signature: Signature) -> u64 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&style.to_le_bytes());
    bytes[8..16].copy_from_slice(&word.to_le_bytes());
    bytes[16..].copy_from_slice(&signature.0.to_le_bytes());
    xxh3::xxh3_64(&bytes)
}

impl Detector for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("df", self.df),
            Setting::new("ratio", self.ratio),
            Setting::new("similarity", self.similarity),
            Setting::new("position", if self.by_position { "path" } else { "any" }),
            Setting::new("sample", self.sample),
            Setting::new("blocks", &self.block_tags),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        const SHARE: &str = "a share is needed, such as 0.8";
        match name {
            "df" => self.df = number("df", value, 2..=1_000_000, "a number of blocks from 2 on is needed")?,
            "ratio" => self.ratio = number("ratio", value, 0.0..=1.0, SHARE)?,
            "similarity" => self.similarity = number("similarity", value, 0.0..=1.0, SHARE)?,
            "sample" => self.sample = sample_size(value)?,
            "position" => {
                let expected = "`path` or `any` is needed";
                self.by_position = is_first("position", value, ["path", "any"], expected)?;
                self.cutter = Cutter::new(&self.block_tags, self.by_position);
            }
            "blocks" => {
                super::settings::check_tags(value)?;
                self.block_tags = value.to_owned();
                self.cutter = Cutter::new(value, self.by_position);
            }
            _ => return Err(SettingError::Unknown { method: "blocks", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    /// For each block: its style, the number of its different words (low bits) and of all its words (high bits), and each word with its signature.
    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        let cut = self.cut(page, &[]);
        let hashes = cut.hashes();
        let mut memory = Vec::new();
        for block in &cut.blocks {
            pieces.extend([block.style, (block.words().len() as u64) << 32]);
            let count_at = pieces.len() - 1;
            for_each_signature(&hashes[block.words()], &mut memory, |word, signature| {
                pieces.extend([word, (signature.0 >> 64) as u64, signature.0 as u64]);
                pieces[count_at] += 1;
            });
        }
    }

    fn rule(&self, pages_sampled: usize) -> String {
        format!(
            "a word is template when it stands at similar places of {} blocks of the same style ({pages_sampled} compared pages); a \
             block is when at least {} of its words are",
            self.df_for(pages_sampled),
            self.ratio
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let cut = self.cut(page, &[]);
        let hashes = cut.hashes();
        let (mut memory, mut words) = (Vec::new(), Vec::new());
        let mut regions = Vec::new();
        for block in &cut.blocks {
            words.clear();
            let block_hashes = &hashes[block.words()];
            for_each_signature(block_hashes, &mut memory, |word, signature| words.push((word, signature)));
            if let Some(pages) = self.template_pages(model, block.style, &words, block_hashes.len()) {
                regions.push(Region::new(block.span, TemplateHash(hash_of(block_hashes)), pages));
            }
        }
        tidy(&mut regions);
        regions
    }

    fn model(&self, sample: &Sample) -> Model {
        let pages = sample.pages_sampled();
        let templates = match pages {
            // A single page cannot be compared with anything.
            0 | 1 => Default::default(),
            _ => self.template_words(sample),
        };
        Model::new(sample.pages_observed(), pages, templates)
    }
}

impl Blocks {
    fn template_words(&self, sample: &Sample) -> HashMap<u64, Count, PieceHasher> {
        let mut places: Vec<PlacedWord> =
            sample.pages().flat_map(|(_, pieces)| read_pieces(pieces)).collect();
        places.sort_unstable();
        let df = self.df_for(sample.pages_sampled());
        let mut templates: HashMap<u64, Count, PieceHasher> = HashMap::default();
        let (mut signatures, mut sizes, mut memory) = (Vec::new(), Vec::new(), Vec::new());
        for of_word in places.chunk_by(|one, other| (one.style, one.word) == (other.style, other.word)) {
            if of_word.len() < df as usize {
                continue;
            }
            for view in [PlacedWord::seen_from_start, PlacedWord::seen_from_end] {
                signatures.clear();
                signatures.extend(of_word.iter().map(view));
                signatures.sort_unstable();
                cluster_sizes(&signatures, self.similarity, &mut sizes, &mut memory);
                for (signature, size) in sizes.iter().filter(|(_, size)| *size >= df) {
                    let pages = (*size).min(sample.pages_sampled() as u32);
                    let key = key(of_word[0].style, of_word[0].word, *signature);
                    templates.insert(key, Count { occurrences: *size, pages });
                }
            }
        }
        templates
    }
}

/// A word of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedWord {
    style: u64,
    word: u64,
    signature: Signature,
    /// The number of words in the block.
    block_words: u32,
}

impl PlacedWord {
    /// The signature of the positions, counted from the start of the block.
    fn seen_from_start(&self) -> Signature {
        self.signature
    }

    /// The signature of the positions, counted from the end of the block.
    fn seen_from_end(&self) -> Signature {
        self.signature.seen_from_end(self.block_words as usize)
    }
}

/// Reads the words of a page. A truncated block ends the page.
fn read_pieces(pieces: &[u64]) -> Vec<PlacedWord> {
    let mut found = Vec::new();
    let mut rest = pieces;
    while let [style, counts, words @ ..] = rest {
        let (block_words, different) = ((counts >> 32) as u32, *counts as u32 as usize);
        let len = different.saturating_mul(3).min(words.len());
        found.extend(words[..len].chunks_exact(3).map(|word| PlacedWord {
            style: *style,
            word: word[0],
            signature: Signature(u128::from(word[1]) << 64 | u128::from(word[2])),
            block_words,
        }));
        rest = &words[len..];
    }
    found
}

/// The hash of a sequence of words.
pub(super) fn hash_of(words: &[u64]) -> u64 {
    let mut hash = xxh3::Xxh3::new();
    words.iter().for_each(|word| hash.update(&word.to_le_bytes()));
    hash.digest()
}
