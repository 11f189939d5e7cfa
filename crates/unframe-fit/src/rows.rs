//! Rows of features for boosting, from pages by themselves, and from pages that are compared with some or all others of their site.

use unframe::detect::places::fitting::{KindScores, Rows, SiteTable, Weights, kind_scores};

use crate::boost::{Table, random};
use crate::data::{KnownPage, Site, Source};

/// Words of a long block count like so many.
const WORDS_MAX: f32 = 300.0;

/// A page as it looks by itself.
pub(crate) struct SinglePage<'s> {
    pub(crate) page: &'s KnownPage,
    kinds: KindScores,
    rows: Rows,
}

impl<'s> SinglePage<'s> {
    pub(crate) fn new(page: &'s KnownPage, weights: &Weights) -> SinglePage<'s> {
        let kinds = kind_scores(&weights.kinds, &page.kind_row);
        SinglePage { page, kinds, rows: page.blocks.single_page_rows(kinds, &weights.lexicon) }
    }
}

/// A page with what the trees make of it by itself.
pub(crate) struct ScoredPage<'s> {
    pub(crate) single_page: SinglePage<'s>,
    scores: Vec<i32>,
    /// What it leaves in a sample.
    record: Vec<u64>,
}

/// Pages of a site, scored by themselves.
pub(crate) fn scored<'s>(
    pages: impl Iterator<Item = &'s KnownPage>,
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
    /// None of a single page.
    pub(crate) table: Option<SiteTable>,
}

impl<'g, 's> Group<'g, 's> {
    fn new(pages: Vec<&'g ScoredPage<'s>>) -> Group<'g, 's> {
        let table = (pages.len() > 1).then(|| SiteTable::of(pages.iter().map(|page| page.record.as_slice())));
        Group { pages, table }
    }
}

/// Groups of `size` pages; 0 is all pages of a site.
pub(crate) fn groups<'g, 's>(pages: &'g [ScoredPage<'s>], size: usize) -> Vec<Group<'g, 's>> {
    let size = if size == 0 { pages.len() } else { size };
    pages.chunks(size.max(1)).map(|pages| Group::new(pages.iter().collect())).collect()
}

/// Groups of different sizes, as a seed says.
fn mixed_groups<'g, 's>(name: &str, pages: &'g [ScoredPage<'s>], seed: u64) -> Vec<Group<'g, 's>> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    let name = name.bytes().fold(0, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    order.sort_by_key(|at| random(seed, name, *at as u64));
    let mut groups = Vec::new();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let size = [2, 2, 3, 5, 8][random(seed, name, rest.len() as u64 + 1000) as usize % 5].min(rest.len());
        let (some, others) = rest.split_at(size);
        groups.push(Group::new(some.iter().map(|at| &pages[*at]).collect()));
        rest = others;
    }
    groups
}

/// Adds the rows of a site's pages by themselves.
pub(crate) fn add_single_page(site: &Site, weights: &Weights, table: &mut Table) {
    // Of single pages with values it is not known what is template.
    if site.source == Source::Values {
        return;
    }
    for page in site.fitted() {
        let single_page = SinglePage::new(page, weights);
        add(site.source, page, &single_page.rows, table);
    }
}

/// Adds the rows of a second look at a site's pages by themselves.
pub(crate) fn add_second_pass(site: &Site, weights: &Weights, table: &mut Table) {
    if site.source == Source::Values {
        return;
    }
    for page in scored(site.fitted(), weights) {
        let known = page.single_page.page;
        add(site.source, known, &known.blocks.second_pass_rows(&page.single_page.rows, &page.scores), table);
    }
}

/// Adds the rows of a site's pages beside some others, and beside all.
pub(crate) fn add_site(site: &Site, weights: &Weights, table: &mut Table) {
    if site.pages.len() < 2 {
        return;
    }
    let pages = scored(site.fitted(), weights);
    let mixed = [3, 4].into_iter().flat_map(|seed| mixed_groups(&site.name, &pages, seed));
    for group in mixed.chain(groups(&pages, 0)) {
        let Some(of_site) = &group.table else { continue };
        for page in &group.pages {
            let known = page.single_page.page;
            let rows = known.blocks.site_rows(of_site, &page.single_page.rows, &page.scores);
            add(site.source, known, &rows, table);
        }
    }
}

/// How much the pages of a source count.
fn scale(source: Source) -> f32 {
    match source {
        Source::Human => 1.0,
        Source::Silver => 1.1,
        Source::Values => 1.5,
        Source::Single | Source::Several => 3.0,
        Source::Synthetic => 0.5,
    }
}

/// Adds the rows of a page whose answer is known.
fn add(source: Source, page: &KnownPage, rows: &Rows, table: &mut Table) {
    let weights: Vec<f32> = (0..page.blocks.len()).map(|at| weight(page, at)).collect();
    let right = |at: &usize| page.labels[*at].is_some_and(|label| label >= 0.5);
    let content: f32 = (0..weights.len()).filter(right).map(|at| weights[at]).sum();
    let all: f32 = weights.iter().sum();
    let scale = scale(source) / (content + 0.25 * all).max(5.0);
    for (at, label) in page.labels.iter().enumerate() {
        let Some(label) = label else { continue };
        let row = &rows.rows[at][..table.features];
        table.values.extend_from_slice(row);
        table.answers.push(*label >= 0.5);
        table.weights.push(weights[at] * scale);
    }
}

fn weight(page: &KnownPage, at: usize) -> f32 {
    let words = (page.blocks.block_words(at).len() as f32).min(WORDS_MAX);
    // The three quarters' power, by square roots alone.
    words.sqrt() * words.sqrt().sqrt()
}
