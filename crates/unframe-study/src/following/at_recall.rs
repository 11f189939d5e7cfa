//! The storage needed to find a given share of the templates: table 1 of Wang and others (2008).
//!
//! As in the paper, each side is adjusted until it finds as much as is wanted: `segments` by its parameters Tb and N, of which the pair with the smallest
//! table is taken; the batch methods by the number of pages in a batch, of which the smallest is taken. Recall and precision count blocks, as [`crate::blocks`]
//! labels them; in the paper, people labelled the blocks.

use unframe::detect::{self, Detector, Segments};
use unframe::segments::{PageId, SegmentedPage, Table};
use unframe::{PageParser, Region};

use super::{BATCHES, grid, with_parameters};
use crate::blocks::{BlockCounts, LabelledPage, label_blocks};
use crate::eval::label;
use crate::gold::{GoldError, GoldFolder, GoldPage, GoldSite};
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
    /// The share of template blocks that were found.
    pub recall: f64,
    /// The share of template blocks among the blocks that were found.
    pub precision: f64,
}

/// The pages of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchStorage {
    /// How many.
    pub pages: usize,
    /// Their bytes, on average over batches.
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

/// The site as a stream, with these parameters.
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

/// The smallest batch with which a method finds enough.
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

/// The blocks of all pages together.
fn count(labelled: &[LabelledPage], regions: &[Vec<Region>]) -> BlockCounts {
    let mut sum = BlockCounts::default();
    labelled.iter().for_each(|page| sum += page.counts(&regions[page.number]));
    sum
}
