//! The effect of removing templates on search: known-item queries on an index of each site.
//!
//! For each site and each method of removing templates, the study builds an index of its pages in memory and asks the same [queries] with all
//! rankings. It reports the mean reciprocal rank of the first right page (within the first [`DEPTH`] results), the recall among the first ten, the
//! number of right pages among the first ten, and the size of the indexes. [judged] asks queries that the user supplies.

pub mod judged;
pub mod queries;
mod report;

use std::path::Path;
use std::time::Instant;

use unframe::detect::Blocks;
use unframe::{Page, PageParser, Region};
use unframe_search::{
    IndexBytes, IndexWriter, Options as IndexOptions, Preparer, Query, Ranking, Removal, SearchError,
    SearchIndex,
};

use crate::eval::label;
use crate::gold::{GoldError, GoldFolder, GoldPage, GoldSite};
use crate::method::Method;
use crate::parallel;
use queries::KnownItem;
pub use report::{Mean, SearchReport};

/// Number of results that are requested for each query.
pub const DEPTH: usize = 50;
/// All rankings.
pub const RANKINGS: [Ranking; 3] = [Ranking::Bm25, Ranking::Pivoted, Ranking::Okapi];

/// Options of the study.
#[derive(Debug, Clone)]
pub struct Options {
    /// Maximum number of queries of each kind and site.
    pub queries_max: usize,
    /// Number of example queries that the report lists for each method and kind, of those that gain most and of those that lose most.
    pub examples: usize,
    /// Number of sites that are measured in parallel; 0 for one per core.
    pub threads: usize,
}

/// Why the study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The gold data cannot be read.
    #[error(transparent)]
    Gold(#[from] GoldError),
    /// An index cannot be built.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// Measures `none` and then `methods` on all sites of a folder of gold texts.
///
/// # Errors
/// If the folder or one of its files is missing or broken.
pub fn evaluate(folder: &Path, methods: &[Method], options: &Options) -> Result<SearchReport, StudyError> {
    evaluate_folder(&GoldFolder::open(folder)?, methods, options)
}

/// The same as [`evaluate`], for a folder that is already open.
///
/// # Errors
/// If one of its files is missing or broken.
pub fn evaluate_folder(
    folder: &GoldFolder,
    methods: &[Method],
    options: &Options,
) -> Result<SearchReport, StudyError> {
    let mut report = SearchReport::new(methods, options.examples);
    for site in parallel::map(&folder.sites, options.threads, |site| measure(site, methods, options)) {
        report.add(site?);
    }
    Ok(report)
}

/// The measurements of a site.
pub(crate) struct SiteSearch {
    pub(crate) site: String,
    pub(crate) pages: usize,
    /// The size of the index for `none` and for each method.
    pub(crate) sizes: Vec<IndexBytes>,
    /// The seconds for finding the templates and building the index, on one thread, for `none` and for each method.
    pub(crate) seconds: Vec<f64>,
    pub(crate) answers: Vec<Answers>,
    pub(crate) problems: Vec<String>,
}

/// The results of one query.
pub(crate) struct Answers {
    pub(crate) query: KnownItem,
    /// The ranks by ranking, then by method, starting with `none`.
    pub(crate) places: Vec<Vec<ResultRanks>>,
}

/// The ranks of the right pages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResultRanks {
    /// The rank of the first right page, from 1.
    pub(crate) first: Option<usize>,
    /// The number of right pages among the first ten.
    pub(crate) in_ten: usize,
}

fn measure(site: &GoldSite, methods: &[Method], options: &Options) -> Result<SiteSearch, StudyError> {
    let read = site.read(usize::MAX)?;
    let queries = queries::of(&read.pages, options.queries_max);
    let removals = std::iter::once(None).chain(methods.iter().map(Some));
    let mut seconds = Vec::new();
    let indexes: Result<Vec<SearchIndex>, SearchError> = removals
        .map(|method| {
            let start = Instant::now();
            let index = index(&read.pages, method);
            seconds.push(start.elapsed().as_secs_f64());
            index
        })
        .collect();
    let indexes = indexes?;
    let ask = |query: KnownItem| -> Result<Answers, SearchError> {
        let ranked = |ranking: Ranking| -> Result<Vec<ResultRanks>, SearchError> {
            indexes.iter().map(|index| places(index, &query, ranking)).collect()
        };
        let places = RANKINGS.into_iter().map(ranked).collect::<Result<_, _>>()?;
        Ok(Answers { query, places })
    };
    Ok(SiteSearch {
        site: site.name.clone(),
        pages: read.pages.len(),
        seconds,
        sizes: indexes.iter().map(SearchIndex::bytes).collect::<Result<_, _>>()?,
        answers: queries.into_iter().map(ask).collect::<Result<_, _>>()?,
        problems: read.problems,
    })
}

/// The index of a site, built as `unframe index` does it, on one thread.
fn index(pages: &[GoldPage], method: Option<&Method>) -> Result<SearchIndex, SearchError> {
    let removal = removal_of(method);
    let regions = match method {
        Some(method) if matches!(removal, Removal::Labels(_)) => label(&*method.detector, pages, 0).0,
        _ => vec![Vec::new(); pages.len()],
    };
    index_of(pages.iter().map(|page| &page.page).zip(&regions), &removal)
}

/// How a method removes templates: `blocks` while the index is built, all others by their regions.
fn removal_of(method: Option<&Method>) -> Removal {
    match method {
        None => Removal::None,
        Some(method) if method.detector.name() == "blocks" => {
            let mut blocks = Blocks::default();
            for setting in method.detector.settings() {
                // This cannot fail: the settings come from a detector of the same kind.
                let _ = unframe::detect::Detector::set(&mut blocks, setting.name, &setting.value);
            }
            Removal::Blocks(blocks)
        }
        Some(method) => Removal::Labels(method.name.clone()),
    }
}

/// The index of pages with their regions.
fn index_of<'p>(
    pages: impl Iterator<Item = (&'p Page, &'p Vec<Region>)>,
    removal: &Removal,
) -> Result<SearchIndex, SearchError> {
    let options = IndexOptions { threads: 1, searchable_templates: false, ..IndexOptions::default() };
    let mut writer = IndexWriter::in_memory(removal.clone(), &options)?;
    let mut preparer = Preparer::new(removal);
    let mut parser = PageParser::new();
    for (page, regions) in pages {
        writer.add(preparer.prepare(page, &parser.open(page), regions))?;
    }
    Ok(writer.commit_and_open()?.1)
}

fn places(index: &SearchIndex, item: &KnownItem, ranking: Ranking) -> Result<ResultRanks, SearchError> {
    let query = Query { ranking, limit: DEPTH, ..Query::new(&item.text) };
    let found = index.urls(&query)?;
    let is_right = |url: &String| item.right.contains(url);
    Ok(ResultRanks {
        first: found.iter().position(is_right).map(|at| at + 1),
        in_ten: found.iter().take(10).filter(|url| is_right(url)).count(),
    })
}
