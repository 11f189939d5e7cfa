//! `shingle`: near-duplicate blocks.
//!
//! # What it does
//! Pages are cut into blocks like in `blocks`. A shingle is a sequence of `window` adjacent words of a block. Each of several hash
//! functions has a minimum over the shingles of a block, and the probability that two blocks agree on it is the share of their shingles
//! that they have in common (Broder). A supershingle is a hash of `minima` of these minima. A block has `supershingles` of them, and blocks
//! that share one are near-duplicates. A block is template if one of its supershingles is on at least `df` pages.
//!
//! # Assumes
//! A block with fewer words than a shingle is one shingle. The position and the style of a block do not matter. A site with fewer pages
//! than `df` is assumed to have few pages, not few templates: `df` is then the number of pages, but at least two.
//!
//! # Example
//! With 2 supershingles of 4 minima, blocks that share 95 % of their shingles are recognised as duplicates with a probability of 0.97, and
//! blocks that share half of them with a probability of 0.12.
//!
//! # Cost
//! One pass of the tokenizer per page, and `minima × supershingles` hashes per word.
//!
//! # Paper
//! The method that Chen, Ye, Li (2006) compare `blocks` with; after Broder and others: Syntactic Clustering of the Web (1997), and Ma,
//! Goharian, Chowdhury, Chung: Extracting Unstructured Data from Template Generated Web Documents (2003).

use super::Detector;
use super::blocks::hash_of;
use super::settings::{Setting, SettingError, number, sample_size};
use crate::blocks::Cutter;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash, tidy};
use crate::sample::Count;
use crate::segments::BLOCK_TAGS;

/// Near-duplicate blocks; see the [module](self).
#[derive(Debug, Clone)]
pub struct Shingle {
    /// The number of pages that must have a template block.
    pub df: u32,
    /// Words in a shingle.
    pub window: usize,
    /// The number of minima in a supershingle.
    pub minima: usize,
    /// The number of supershingles of a block.
    pub supershingles: usize,
    /// The number of pages of a site that are compared.
    pub sample: usize,
    block_tags: String,
    cutter: Cutter,
}

impl Default for Shingle {
    fn default() -> Shingle {
        Shingle {
            df: 5,
            window: 4,
            minima: 4,
            supershingles: 2,
            sample: 200,
            block_tags: BLOCK_TAGS.to_owned(),
            cutter: Cutter::new(BLOCK_TAGS, false),
        }
    }
}

impl Shingle {
    fn df_for(&self, pages: usize) -> usize {
        (self.df as usize).min(pages).max(2)
    }

    /// Appends the supershingles of a block.
    fn fingerprint(&self, words: &[u64], minima: &mut Vec<u64>, out: &mut Vec<u64>) {
        minima.clear();
        minima.resize(self.minima * self.supershingles, u64::MAX);
        for shingle in words.windows(self.window.min(words.len()).max(1)) {
            let shingle = hash_of(shingle);
            for (number, smallest) in (1u64..).zip(minima.iter_mut()) {
                *smallest = (*smallest).min(permuted(shingle, number));
            }
        }
        out.extend((0u64..).zip(minima.chunks(self.minima)).map(|(number, minima)| hash_of(minima) ^ number));
    }
}

/// One of many hash functions of a shingle.
fn permuted(shingle: u64, number: u64) -> u64 {
    let mixed = (shingle ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB)
}

impl Detector for Shingle {
    fn name(&self) -> &'static str {
        "shingle"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("df", self.df),
            Setting::new("window", self.window),
            Setting::new("minima", self.minima),
            Setting::new("supershingles", self.supershingles),
            Setting::new("sample", self.sample),
            Setting::new("blocks", &self.block_tags),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        const FEW: &str = "a number from 1 to 64 is needed";
        match name {
            "df" => self.df = number("df", value, 2..=1_000_000, "a number of pages from 2 on is needed")?,
            "window" => self.window = number("window", value, 1..=1000, "a number of words is needed")?,
            "minima" => self.minima = number("minima", value, 1..=64, FEW)?,
            "supershingles" => self.supershingles = number("supershingles", value, 1..=64, FEW)?,
            "sample" => self.sample = sample_size(value)?,
            "blocks" => {
                super::settings::check_tags(value)?;
                self.block_tags = value.to_owned();
                self.cutter = Cutter::new(value, false);
            }
            _ => return Err(SettingError::Unknown { method: "shingle", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        let cut = self.cutter.cut(page, &[]);
        let hashes = cut.hashes();
        let mut minima = Vec::new();
        for block in &cut.blocks {
            self.fingerprint(&hashes[block.words()], &mut minima, pieces);
        }
        pieces.sort_unstable();
    }

    fn is_template(&self, count: Count, pages_sampled: usize) -> bool {
        count.pages as usize >= self.df_for(pages_sampled)
    }

    fn rule(&self, pages_sampled: usize) -> String {
        format!(
            "a block is template when {} of {pages_sampled} compared pages have one that says nearly the same",
            self.df_for(pages_sampled)
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let cut = self.cutter.cut(page, &[]);
        let hashes = cut.hashes();
        let (mut minima, mut shingles) = (Vec::new(), Vec::new());
        let mut regions = Vec::new();
        for block in &cut.blocks {
            shingles.clear();
            self.fingerprint(&hashes[block.words()], &mut minima, &mut shingles);
            let pages = shingles.iter().filter_map(|shingle| model.count(*shingle)).map(|count| count.pages);
            if let Some(pages) = pages.max() {
                let template = TemplateHash(hash_of(&hashes[block.words()]));
                regions.push(Region::new(block.span, template, pages));
            }
        }
        tidy(&mut regions);
        regions
    }
}
