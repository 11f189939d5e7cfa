//! `sst`: unimportant elements of the site style tree.
//!
//! # What it does
//! The trees of the sampled pages are merged into one site style tree. An element keeps its styles, each a sequence of children with the
//! number of pages that use it. The importance of an element is measured by entropy: an element whose children come in many styles is
//! important, and so is a text whose words differ from page to page. An element is noise if its importance, including that of its content,
//! is below `threshold`. The outermost noise elements are template.
//!
//! - element on `m` pages with shares `p` of its styles: `−Σ p·log_m p`, or 1 if `m` is 1;
//! - text or image: one minus the mean entropy of its words or its address over the pages (base `m`);
//! - combined: `(1 − γ^l)·own + γ^l·Σ p·(importance of the style)`, with `l` styles; the importance of a style is the mean of its elements.
//!
//! A tree of all pages of a large site would not fit into memory. With `samples` above 1 there are several trees, each of `sample`
//! different pages, and elements that are noise in any of them are template. Chen, Ye and Li (4.3) apply the method to large sites in this
//! way.
//!
//! # Assumes
//! A child is identified by its name and its presentational attributes. Comments, scripts, styles and elements without any text or image do
//! not count in means. On a page that was not sampled, an element is recognised if it and all its ancestors have styles of a sampled page.
//!
//! # Example
//! In a menu with the same words on all of 100 pages, each word has entropy 1, so the menu has importance 0 and is noise. A paragraph of
//! words that no other page has has importance 1.
//!
//! # Cost
//! One tree and one walk over it per page; memory for the outlines of `sample` · `samples` pages, 8 bytes per word and 16 per element.
//!
//! # Paper
//! Yi, Liu, Li: Eliminating Noisy Information in Web Pages for Data Mining (2003), which Chen, Ye, Li (2006) compare `blocks` with. The
//! paper chooses the threshold for each site; this implementation has one for all sites.

mod outline;
mod tree;

use std::collections::HashMap;

use super::Detector;
use super::settings::{Setting, SettingError, number, sample_size};
use crate::html::NodeKind;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash, tidy};
use crate::sample::{Count, PieceHasher, Sample};
use outline::Outline;
use tree::StyleTree;

/// The site style tree; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Sst {
    /// Elements of less importance are noise.
    pub threshold: f64,
    /// The weight of an element's content, γ.
    pub gamma: f64,
    /// The number of pages of a site that are merged into one tree.
    pub sample: usize,
    /// The number of trees per site, each of different pages.
    pub samples: usize,
}

impl Default for Sst {
    fn default() -> Sst {
        Sst { threshold: 0.3, gamma: 0.9, sample: 500, samples: 1 }
    }
}

impl Detector for Sst {
    fn name(&self) -> &'static str {
        "sst"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("threshold", self.threshold),
            Setting::new("gamma", self.gamma),
            Setting::new("sample", self.sample),
            Setting::new("samples", self.samples),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        const SHARE: &str = "a number from 0 to 1 is needed";
        match name {
            "threshold" => self.threshold = number("threshold", value, 0.0..=1.0, SHARE)?,
            "gamma" => self.gamma = number("gamma", value, 0.0..=1.0, SHARE)?,
            "sample" => self.sample = sample_size(value)?,
            "samples" => self.samples = number("samples", value, 1..=1000, "1 to 1000 samples are possible")?,
            _ => return Err(SettingError::Unknown { method: "sst", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample.saturating_mul(self.samples)
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        outline::write(page.document(), |piece, _| pieces.push(piece));
    }

    fn rule(&self, pages_sampled: usize) -> String {
        format!(
            "an element is template when nothing inside of it says more than {}, as {pages_sampled} merged pages show",
            self.threshold
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let document = page.document();
        let (mut pieces, mut nodes) = (Vec::new(), Vec::new());
        outline::write(document, |piece, node| {
            pieces.push(piece);
            nodes.extend(node);
        });
        let outline = Outline::read(&pieces);
        let mut regions = Vec::new();
        // Children directly follow their parents, so all descendants of a region are skipped at once.
        let mut skip_to = 0;
        for (at, key) in outline.keys().into_iter().enumerate() {
            let (Some(count), Some(node)) = (model.count(key), nodes.get(at)) else { continue };
            if at < skip_to {
                continue;
            }
            skip_to = outline.end(at);
            let is_lost = node.kind() == NodeKind::Element && node.is_moved();
            if !is_lost {
                let template = TemplateHash(outline.content_hash(at));
                regions.push(Region::new(node.span(), template, count.pages));
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
            _ => self.noise(sample),
        };
        Model::new(sample.pages_observed(), pages, templates)
    }
}

impl Sst {
    /// The elements that at least one tree classifies as noise. Pages are in a random order, so consecutive pages are a valid sample.
    fn noise(&self, sample: &Sample) -> HashMap<u64, Count, PieceHasher> {
        let pages: Vec<&[u64]> = sample.pages().map(|(_, pieces)| pieces).collect();
        let mut noise: HashMap<u64, Count, PieceHasher> = HashMap::default();
        for pages in pages.chunks(self.sample.max(1)) {
            let mut tree = StyleTree::default();
            pages.iter().for_each(|pieces| tree.merge(&Outline::read(pieces)));
            for (key, count) in tree.noise(self.threshold, self.gamma) {
                let total = noise.entry(key).or_default();
                total.occurrences += count.occurrences;
                total.pages += count.pages;
            }
        }
        noise
    }
}
