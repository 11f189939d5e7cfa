//! Training rows: features and labels of blocks, on single pages and on pages that are compared with some or all other pages of their site.

use unframe::detect::places::fitting::{KindScores, Rows, SiteTable, Weights, kind_scores};

use crate::boost::{Dataset, random};
use crate::data::{GoldPage, Site, Source};

/// The number of words at which the weight of a block is capped.
const WORDS_MAX: f32 = 300.0;

/// A page with its single-page features.
pub(crate) struct SinglePage<'s> {
    pub(crate) page: &'s GoldPage,
    kinds: KindScores,
    rows: Rows,
}

impl<'s> SinglePage<'s> {
    pub(crate) fn new(page: &'s GoldPage, weights: &Weights) -> SinglePage<'s> {
        let kinds = kind_scores(&weights.kinds, &page.kind_row);
        SinglePage { page, kinds, rows: page.blocks.single_page_rows(kinds, &weights.lexicon) }
    }
}

/// A page with its single-page scores.
pub(crate) struct ScoredPage<'s> {
    pub(crate) single_page: SinglePage<'s>,
    scores: Vec<i32>,
    /// The part of the page that is kept in the sample of a site.
    record: Vec<u64>,
}

/// Computes the single-page scores of pages.
pub(crate) fn score_pages<'s>(
    pages: impl Iterator<Item = &'s GoldPage>,
    weights: &Weights,
) -> Vec<ScoredPage<'s>> {
    let score = |page| {
        let single_page = SinglePage::new(page, weights);
        let scores = single_page.page.blocks.single_page_scores(&single_page.rows, &weights.single_page);
        let record = single_page.page.blocks.record(single_page.kinds, &scores);
        ScoredPage { single_page, scores, record }
    };
    pages.map(score).collect()
}

/// Pages that are compared with each other.
pub(crate) struct Group<'g, 's> {
    pub(crate) pages: Vec<&'g ScoredPage<'s>>,
    /// `None` for a single page.
    pub(crate) table: Option<SiteTable>,
}

impl<'g, 's> Group<'g, 's> {
    fn new(pages: Vec<&'g ScoredPage<'s>>) -> Group<'g, 's> {
        let table = (pages.len() > 1).then(|| SiteTable::of(pages.iter().map(|page| page.record.as_slice())));
        Group { pages, table }
    }
}

/// Groups of `size` pages, or one of all pages if it is 0.
pub(crate) fn groups<'g, 's>(pages: &'g [ScoredPage<'s>], size: usize) -> Vec<Group<'g, 's>> {
    let size = if size == 0 { pages.len() } else { size };
    pages.chunks(size.max(1)).map(|pages| Group::new(pages.iter().collect())).collect()
}

/// Random groups of mixed sizes, so that the trees learn how much evidence a comparison with few pages gives.
fn random_groups<'g, 's>(name: &str, pages: &'g [ScoredPage<'s>], seed: u64) -> Vec<Group<'g, 's>> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    let name = name.bytes().fold(0, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    order.sort_by_key(|at| random(seed, name, *at as u64));
    let mut groups = Vec::new();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let size = [2, 2, 3, 5, 8][random(seed, name, rest.len() as u64 + 1000) as usize % 5].min(rest.len());
        let (group, others) = rest.split_at(size);
        groups.push(Group::new(group.iter().map(|at| &pages[*at]).collect()));
        rest = others;
    }
    groups
}

/// Adds the single-page rows of a site.
pub(crate) fn add_single_page(site: &Site, weights: &Weights, dataset: &mut Dataset) {
    // On these sites only repeated text is labelled as boilerplate, and a single page does not show repetition.
    if site.source == Source::Values {
        return;
    }
    for page in site.training_pages() {
        let single_page = SinglePage::new(page, weights);
        add_rows(site.source, page, &single_page.rows, dataset);
    }
}

/// Adds the rows of the second pass over single pages.
pub(crate) fn add_second_pass(site: &Site, weights: &Weights, dataset: &mut Dataset) {
    if site.source == Source::Values {
        return;
    }
    for page in score_pages(site.training_pages(), weights) {
        let labelled = page.single_page.page;
        let rows = labelled.blocks.second_pass_rows(&page.single_page.rows, &page.scores);
        add_rows(site.source, labelled, &rows, dataset);
    }
}

/// Adds the rows of a site's pages, compared with some other pages and with all.
pub(crate) fn add_site(site: &Site, weights: &Weights, dataset: &mut Dataset) {
    if site.pages.len() < 2 {
        return;
    }
    let pages = score_pages(site.training_pages(), weights);
    let mixed = [3, 4].into_iter().flat_map(|seed| random_groups(&site.name, &pages, seed));
    for group in mixed.chain(groups(&pages, 0)) {
        let Some(table) = &group.table else { continue };
        for page in &group.pages {
            let labelled = page.single_page.page;
            let rows = labelled.blocks.site_rows(table, &page.single_page.rows, &page.scores);
            add_rows(site.source, labelled, &rows, dataset);
        }
    }
}

/// The weight of pages from a source.
fn source_weight(source: Source) -> f32 {
    match source {
        Source::Human => 1.0,
        Source::Silver => 1.1,
        Source::Values => 1.5,
        Source::Single | Source::Several => 3.0,
        Source::Synthetic => 0.5,
    }
}

/// Adds the rows of the labelled blocks of a page. Weights are normalised so that long pages do not outweigh short ones.
fn add_rows(source: Source, page: &GoldPage, rows: &Rows, dataset: &mut Dataset) {
    let weights: Vec<f32> = (0..page.blocks.len()).map(|at| block_weight(page, at)).collect();
    let is_content = |at: &usize| page.labels[*at].is_some_and(|label| label >= 0.5);
    let content: f32 = (0..weights.len()).filter(is_content).map(|at| weights[at]).sum();
    let all: f32 = weights.iter().sum();
    let scale = source_weight(source) / (content + 0.25 * all).max(5.0);
    for (at, label) in page.labels.iter().enumerate() {
        let Some(label) = label else { continue };
        let row = &rows.rows[at][..dataset.features];
        dataset.values.extend_from_slice(row);
        dataset.labels.push(*label >= 0.5);
        dataset.weights.push(weights[at] * scale);
    }
}

fn block_weight(page: &GoldPage, at: usize) -> f32 {
    let words = (page.blocks.block_words(at).len() as f32).min(WORDS_MAX);
    // The weight is `words` to the power of 3/4. Square roots are exact on every machine, `powf` is not.
    words.sqrt() * words.sqrt().sqrt()
}
