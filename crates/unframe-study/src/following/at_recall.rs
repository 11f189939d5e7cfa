//! What must be held to find a given part of the templates: table 1 of Wang and others (2008).
//!
//! As in the paper, each side is adjusted until it finds as much as is wanted: `segments` by its parameters Tb and N, of which the pair with the smallest
//! table is taken; the batch methods by the number of pages in a batch, of which the smallest is taken.

use unframe::PageParser;
use unframe::detect::{self, Segments};
use unframe::segments::CutPage;

use super::score::PageWords;
use super::{grid, smallest_batches, stream, with_parameters};
use crate::gold::{GoldError, GoldFolder, GoldSite};
use crate::parallel;

/// What each side holds on a site.
#[derive(Debug, Clone, PartialEq)]
pub struct AtRecall {
    /// The site.
    pub site: String,
    /// The smallest table that finds enough; `None` if none of those that were tried does.
    pub table: Option<TableStorage>,
    /// For each method, the smallest batch that finds enough; `None` if none does.
    pub batches: Vec<Option<BatchStorage>>,
}

/// A table of segments, on average over all pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableStorage {
    /// The parameter Tb.
    pub base: u32,
    /// The parameter N.
    pub factor: u32,
    /// Bytes in memory.
    pub memory: f64,
    /// Bytes as it is stored.
    pub stored: f64,
    /// The share of the templates' words that was found.
    pub found: f64,
    /// The share of the content's words that was kept.
    pub kept: f64,
}

/// The pages of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchStorage {
    /// How many.
    pub pages: usize,
    /// Their bytes, on average over batches.
    pub bytes: f64,
    /// The share of the templates' words that was found.
    pub found: f64,
    /// The share of the content's words that was kept.
    pub kept: f64,
}

/// Measures all sites of a folder of gold texts.
///
/// # Errors
/// If one of its files is missing or broken.
pub fn at_recall(
    folder: &GoldFolder,
    methods: &[&str],
    found_min: f64,
    threads: usize,
) -> Result<Vec<AtRecall>, GoldError> {
    parallel::map(&folder.sites, threads, |site| measure(site, methods, found_min)).into_iter().collect()
}

fn measure(site: &GoldSite, methods: &[&str], found_min: f64) -> Result<AtRecall, GoldError> {
    let pages = site.read(usize::MAX)?.pages;
    let mut parser = PageParser::new();
    let words: Vec<Option<PageWords>> = pages.iter().map(|page| PageWords::of(page, &mut parser)).collect();
    let usual = Segments::default();
    let cut: Vec<CutPage> = pages.iter().map(|page| usual.cut(&parser.open(&page.page))).collect();
    let tables = grid().map(|(base, factor)| {
        let found = stream(&with_parameters(base, factor), &pages, &cut, &words);
        let (memory, stored) = (found.memory, found.stored);
        TableStorage { base, factor, memory, stored, found: found.score.found(), kept: found.score.kept() }
    });
    let enough = tables.filter(|table| table.found >= found_min);
    let methods = methods.iter().filter_map(|name| detect::method(name));
    let batch = |method: Box<dyn detect::Detector>| {
        let batch = smallest_batches(&*method, &pages, &words, found_min, 0.0).to_find?;
        let (found, kept) = (batch.score.found(), batch.score.kept());
        Some(BatchStorage { pages: batch.pages, bytes: batch.bytes, found, kept })
    };
    Ok(AtRecall {
        site: site.name.clone(),
        table: enough.min_by(|one, other| one.stored.total_cmp(&other.stored)),
        batches: methods.map(batch).collect(),
    })
}
