//! Rows of features for boosting, from pages that are compared with all, some or none of the other pages of their site.

use unframe::detect::places::fitting::{Forest, KindScores, Lexicon, Rows, SiteTable, kind_scores};

use crate::boost::{Table, random};
use crate::data::{KnownPage, Site, Source};

/// Words of a long block count like so many.
const WORDS_MAX: f32 = 300.0;

/// Pages that are compared with each other.
pub(crate) struct Group<'s> {
    pub(crate) site: &'s Site,
    pub(crate) pages: Vec<&'s KnownPage>,
    pub(crate) table: Option<SiteTable>,
    pub(crate) kinds: Vec<KindScores>,
}

impl<'s> Group<'s> {
    pub(crate) fn new(site: &'s Site, pages: Vec<&'s KnownPage>, forests: &[Forest]) -> Group<'s> {
        let kinds: Vec<KindScores> = pages.iter().map(|page| kind_scores(forests, &page.kind_row)).collect();
        let table = (pages.len() > 1).then(|| {
            let records: Vec<Vec<u64>> =
                pages.iter().zip(&kinds).map(|(page, kinds)| page.blocks.record(*kinds)).collect();
            SiteTable::of(records.iter().map(Vec::as_slice))
        });
        Group { site, pages, table, kinds }
    }
}

/// Groups of `size` pages; 0 is all pages of a site.
pub(crate) fn groups<'s>(site: &'s Site, size: usize, forests: &[Forest]) -> Vec<Group<'s>> {
    let size = if size == 0 { site.pages.len() } else { size };
    site.pages.chunks(size.max(1)).map(|pages| Group::new(site, pages.iter().collect(), forests)).collect()
}

/// Groups of different sizes, as a seed says.
fn mixed_groups<'s>(site: &'s Site, seed: u64, forests: &[Forest]) -> Vec<Group<'s>> {
    let mut order: Vec<usize> = (0..site.pages.len()).collect();
    let name = site.name.bytes().fold(0, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
    order.sort_by_key(|at| random(seed, name, *at as u64));
    let mut groups = Vec::new();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let size = [2, 2, 3, 5, 8][random(seed, name, rest.len() as u64 + 1000) as usize % 5].min(rest.len());
        let (some, others) = rest.split_at(size);
        groups.push(Group::new(site, some.iter().map(|at| &site.pages[*at]).collect(), forests));
        rest = others;
    }
    groups
}

/// The groups that the trees are fitted on: pages by themselves, beside some others, and beside all.
pub(crate) fn training_groups<'s>(site: &'s Site, forests: &[Forest]) -> Vec<Group<'s>> {
    let mut all = Vec::new();
    // Of single pages with values it is not known what is template.
    if site.source != Source::Values {
        all.extend(groups(site, 1, forests));
    }
    if site.pages.len() > 1 {
        all.extend(mixed_groups(site, 3, forests));
        all.extend(groups(site, 0, forests));
    }
    all
}

/// How much the pages of a source count.
fn scale(source: Source) -> f32 {
    match source {
        Source::Human => 1.0,
        Source::Silver => 0.5,
        Source::Values => 1.0,
        Source::Single => 2.5,
        Source::Synthetic => 0.5,
    }
}

/// Adds the rows of a group.
pub(crate) fn add(group: &Group<'_>, lexicon: &Lexicon, table: &mut Table) {
    for (page, kinds) in group.pages.iter().zip(&group.kinds) {
        let mut rows = Rows::default();
        page.blocks.rows(group.table.as_ref(), *kinds, lexicon, &mut rows);
        let weights: Vec<f32> = (0..page.blocks.len()).map(|at| weight(page, at)).collect();
        let right = |at: &usize| page.labels[*at].is_some_and(|label| label >= 0.5);
        let content: f32 = (0..weights.len()).filter(right).map(|at| weights[at]).sum();
        let all: f32 = weights.iter().sum();
        let scale = scale(group.site.source) / (content + 0.25 * all).max(5.0);
        for (at, label) in page.labels.iter().enumerate() {
            let Some(label) = label else { continue };
            let row = &rows.values[at * table.features..(at + 1) * table.features];
            table.values.extend_from_slice(row);
            table.answers.push(*label >= 0.5);
            table.weights.push(weights[at] * scale);
        }
    }
}

fn weight(page: &KnownPage, at: usize) -> f32 {
    let words = (page.blocks.block_words(at).len() as f32).min(WORDS_MAX);
    // The three quarters' power, by square roots alone.
    words.sqrt() * words.sqrt().sqrt()
}
