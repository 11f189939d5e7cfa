//! The storage needed to find a given share of the templates: table 1 of Wang and others (2008).
//!
//! As in the paper, each method is tuned until it reaches the wanted recall. For `segments`, the parameters Tb and N with the smallest stored table
//! are selected; for the batch methods, the smallest number of pages in a batch. Recall and precision count blocks, as [`crate::blocks`] labels
//! them; in the paper, people labelled the blocks.

use unframe::detect::{self, Detector, Segments};
use unframe::segments::{PageId, SegmentedPage, Table};
use unframe::{PageParser, Region};

use super::{BATCHES, grid, with_parameters};
use crate::blocks::{BlockCounts, LabelledPage, label_blocks};
use crate::eval::label;
use crate::gold::{GoldError, GoldFolder, GoldPage, GoldSite};
use crate::parallel;

/// The storage that each method needs on a site.
#[derive(Debug, Clone, PartialEq)]
pub struct AtRecall {
    /// The site.
    pub site: String,
    /// The smallest table with sufficient recall; `None` if no tried parameters reach it.
    pub table: Option<TableStorage>,
    /// For each method, the smallest batch with sufficient recall; `None` if no tried size reaches it.
    pub batches: Vec<Option<BatchStorage>>,
}

/// The table of `segments`; sizes are means over all pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableStorage {
    /// The parameter Tb.
    pub base: u32,
    /// The parameter N.
    pub factor: u32,
    /// Its bytes in memory.
    pub memory: f64,
    /// Its bytes in the stored encoding.
    pub stored: f64,
    /// The share of template blocks that were found.
    pub recall: f64,
    /// The share of template blocks among the blocks that were found.
    pub precision: f64,
}

/// A batch of pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchStorage {
    /// The number of pages.
    pub pages: usize,
    /// The bytes of its pages, averaged over batches.
    pub bytes: f64,
    /// The share of template blocks that were found.
    pub recall: f64,
    /// The share of template blocks among the blocks that were found.
    pub precision: f64,
}

/// Measures all sites of a folder of gold texts.
///
/// # Errors
/// If one of its files is missing or broken.
pub fn at_recall(
    folder: &GoldFolder,
    methods: &[&str],
    recall_min: f64,
    threads: usize,
) -> Result<Vec<AtRecall>, GoldError> {
    parallel::map(&folder.sites, threads, |site| measure(site, methods, recall_min)).into_iter().collect()
}

fn measure(site: &GoldSite, methods: &[&str], recall_min: f64) -> Result<AtRecall, GoldError> {
    let pages = site.read(usize::MAX)?.pages;
    let mut parser = PageParser::new();
    let labelled = label_blocks(&pages, &mut parser);
    let cut: Vec<SegmentedPage> = {
        let usual = Segments::default();
        pages.iter().map(|page| usual.cut(&parser.open(&page.page))).collect()
    };
    let tables = grid().map(|(base, factor)| table(base, factor, &pages, &cut, &labelled));
    let enough = tables.filter(|table| table.recall >= recall_min);
    let methods = methods.iter().filter_map(|name| detect::method(name));
    Ok(AtRecall {
        site: site.name.clone(),
        table: enough.min_by(|one, other| one.stored.total_cmp(&other.stored)),
        batches: methods.map(|method| batch(&*method, &pages, &labelled, recall_min)).collect(),
    })
}

/// Labels the site as a stream with these parameters.
fn table(
    base: u32,
    factor: u32,
    pages: &[GoldPage],
    cut: &[SegmentedPage],
    labelled: &[LabelledPage],
) -> TableStorage {
    let segments = with_parameters(base, factor);
    let mut table = Table::default();
    let (mut memory, mut stored) = (0.0, 0.0);
    let mut regions = Vec::with_capacity(pages.len());
    for (page, cut) in pages.iter().zip(cut) {
        segments.visit(&mut table, PageId::of(&page.page.url, &page.page.payload), &cut.keys());
        regions.push(segments.label_cut(&table, cut));
        memory += table.bytes() as f64;
        stored += table.encode(segments.ageing()).len() as f64;
    }
    let (count, found) = (pages.len().max(1) as f64, count(labelled, &regions));
    let (memory, stored) = (memory / count, stored / count);
    TableStorage { base, factor, memory, stored, recall: found.recall(), precision: found.precision() }
}

/// The smallest batch with which a method reaches the recall.
fn batch(
    method: &dyn Detector,
    pages: &[GoldPage],
    labelled: &[LabelledPage],
    recall_min: f64,
) -> Option<BatchStorage> {
    let bytes: usize = pages.iter().map(|page| page.page.payload.len()).sum();
    for size in BATCHES {
        let regions: Vec<Vec<Region>> =
            pages.chunks(size).flat_map(|batch| label(method, batch, 0).0).collect();
        let found = count(labelled, &regions);
        if found.recall() >= recall_min {
            let bytes = bytes as f64 / pages.chunks(size).len().max(1) as f64;
            let (recall, precision) = (found.recall(), found.precision());
            return Some(BatchStorage { pages: size.min(pages.len()), bytes, recall, precision });
        }
        if size >= pages.len() {
            break;
        }
    }
    None
}

/// The block counts of all pages together.
fn count(labelled: &[LabelledPage], regions: &[Vec<Region>]) -> BlockCounts {
    let mut sum = BlockCounts::default();
    labelled.iter().for_each(|page| sum += page.counts(&regions[page.number]));
    sum
}
