//! Block-level recall: the share of template blocks that methods find, the measure of Chen, Ye, Li (2006), table 2.
//!
//! Pages are cut into blocks as the method `blocks` cuts them. A block outside of the content is an actual template block if its text occurs on
//! at least [`PAGES_MIN`] pages of the site. The gold data are plain texts without positions, so a block counts as content if its words occur
//! consecutively in the gold text. A block of fewer than [`WORDS_SURE`] words must also lie between longer blocks that do, if the page has any.
//! A block is found if regions cover more than half of its bytes. As in the paper, the score of a page is the share of its template blocks that was
//! found, and the score of a site is the mean over its pages. A method that removes everything finds everything, so content blocks that are mistaken
//! for template are counted as well.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Value, json};
use unframe::{PageParser, Region};

use unframe::blocks::{Block, CutPage, words};
use unframe::detect::Blocks;
use xxhash_rust::xxh3;

use crate::eval::label;
use crate::gold::{Gold, GoldError, GoldFolder, GoldPage, GoldSite};
use crate::method::Method;
use crate::parallel;
use crate::table::Table;

/// The smallest number of pages of the site on which the text of a template block occurs.
pub const PAGES_MIN: usize = 5;
/// The smallest number of words with which a match with the content is not considered accidental.
pub const WORDS_SURE: usize = 4;

/// The scores of all methods on all sites.
#[derive(Debug, Clone)]
pub struct BlockReport {
    /// The names of the methods.
    pub methods: Vec<String>,
    /// The sites.
    pub sites: Vec<SiteBlocks>,
    /// The problems of the input.
    pub problems: Vec<String>,
}

/// The scores of a site.
#[derive(Debug, Clone)]
pub struct SiteBlocks {
    /// The name of the site.
    pub name: String,
    /// The number of actual template blocks on all pages.
    pub templates: u64,
    /// The scores of each method.
    pub scores: Vec<BlockScore>,
    problems: Vec<String>,
}

/// The scores of a method on a site, as shares from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BlockScore {
    /// The share of template blocks that were found: the mean over the pages that have template blocks.
    pub found: f64,
    /// The share of content blocks that were mistaken for template: the mean over the pages that have content blocks.
    pub lost: f64,
}

/// Scores methods on all sites of a folder of gold texts.
///
/// # Errors
/// If the folder or one of its files is missing or broken.
pub fn evaluate(folder: &Path, methods: &[Method], threads: usize) -> Result<BlockReport, GoldError> {
    evaluate_folder(&GoldFolder::open(folder)?, methods, threads)
}

/// The same as [`evaluate`], for a folder that is already open.
///
/// # Errors
/// If one of its files is missing or broken.
pub fn evaluate_folder(
    folder: &GoldFolder,
    methods: &[Method],
    threads: usize,
) -> Result<BlockReport, GoldError> {
    let mut report = BlockReport {
        methods: methods.iter().map(|method| method.name.clone()).collect(),
        sites: Vec::new(),
        problems: Vec::new(),
    };
    for site in parallel::map(&folder.sites, threads, |site| measure(site, methods)) {
        let mut site = site?;
        report.problems.append(&mut site.problems);
        report.sites.push(site);
    }
    Ok(report)
}

fn measure(site: &GoldSite, methods: &[Method]) -> Result<SiteBlocks, GoldError> {
    let read = site.read(usize::MAX)?;
    let mut parser = PageParser::new();
    let pages: Vec<LabelledPage> = label_blocks(&read.pages, &mut parser);
    let score = |method: &Method| {
        let (regions, _) = label(&*method.detector, &read.pages, 0);
        let shares = |kind: BlockKind| {
            let shares = pages.iter().filter_map(|page| page.covered(&regions[page.number], kind));
            let shares: Vec<f64> = shares.collect();
            // `Iterator::sum` of an empty list is -0.0, so the sum starts at 0.0.
            shares.iter().fold(0.0, |sum, share| sum + share) / shares.len().max(1) as f64
        };
        BlockScore { found: shares(BlockKind::Template), lost: shares(BlockKind::Content) }
    };
    Ok(SiteBlocks {
        name: site.name.clone(),
        templates: pages.iter().map(|page| page.of(BlockKind::Template).count() as u64).sum(),
        scores: methods.iter().map(score).collect(),
        problems: read.problems,
    })
}

/// The label of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Template,
    Content,
    /// The block cannot be assigned to either kind with certainty.
    Other,
}

/// A page with its labelled blocks.
pub(crate) struct LabelledPage {
    /// The index of the page in its site.
    pub(crate) number: usize,
    blocks: Vec<(Block, BlockKind)>,
}

/// Counts of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BlockCounts {
    /// The number of template blocks, and how many of them were found.
    pub(crate) templates: usize,
    pub(crate) templates_found: usize,
    /// The number of content blocks that were mistaken for template.
    pub(crate) content_lost: usize,
}

impl LabelledPage {
    fn of(&self, kind: BlockKind) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |(_, of)| *of == kind).map(|(block, _)| block)
    }

    /// The share of the blocks of a kind that the regions cover; `None` if the page has no such blocks.
    fn covered(&self, regions: &[Region], kind: BlockKind) -> Option<f64> {
        let all = self.of(kind).count();
        (all > 0).then(|| self.count_covered(regions, kind) as f64 / all as f64)
    }

    /// The number of blocks of a kind that the regions cover by more than half.
    fn count_covered(&self, regions: &[Region], kind: BlockKind) -> usize {
        let is_covered = |block: &&Block| {
            let overlaps = regions.iter().map(|region| {
                let (start, end) =
                    (region.span.start.max(block.span.start), region.span.end.min(block.span.end));
                end.saturating_sub(start)
            });
            2 * overlaps.sum::<u32>() > block.span.end - block.span.start
        };
        self.of(kind).filter(is_covered).count()
    }

    /// Counts the blocks that the regions cover.
    pub(crate) fn counts(&self, regions: &[Region]) -> BlockCounts {
        BlockCounts {
            templates: self.of(BlockKind::Template).count(),
            templates_found: self.count_covered(regions, BlockKind::Template),
            content_lost: self.count_covered(regions, BlockKind::Content),
        }
    }
}

impl std::ops::AddAssign for BlockCounts {
    fn add_assign(&mut self, other: BlockCounts) {
        self.templates += other.templates;
        self.templates_found += other.templates_found;
        self.content_lost += other.content_lost;
    }
}

impl BlockCounts {
    /// The share of template blocks that were found; 1 if there are none.
    pub(crate) fn recall(&self) -> f64 {
        if self.templates == 0 { 1.0 } else { self.templates_found as f64 / self.templates as f64 }
    }

    /// The share of template blocks among the found blocks. Blocks of kind `Other` are not counted.
    pub(crate) fn precision(&self) -> f64 {
        match self.templates_found + self.content_lost {
            0 => 1.0,
            found => self.templates_found as f64 / found as f64,
        }
    }
}

/// Labels the blocks of all pages that have a gold text.
pub(crate) fn label_blocks(pages: &[GoldPage], parser: &mut PageParser) -> Vec<LabelledPage> {
    let cutter = Blocks::default();
    let cut: Vec<(CutPage, Vec<u64>)> = pages
        .iter()
        .map(|page| {
            let cut = cutter.cut(&parser.open(&page.page), &[]);
            let hashes = cut.hashes();
            (cut, hashes)
        })
        .collect();
    let text_of = |hashes: &[u64], block: &Block| {
        let mut hash = xxh3::Xxh3::new();
        hashes[block.words()].iter().for_each(|word| hash.update(&word.to_le_bytes()));
        hash.digest()
    };
    let mut on_pages: HashMap<u64, usize> = HashMap::new();
    for (cut, hashes) in &cut {
        let texts: HashSet<u64> = cut.blocks.iter().map(|block| text_of(hashes, block)).collect();
        texts.into_iter().for_each(|text| *on_pages.entry(text).or_default() += 1);
    }
    let known = pages.iter().zip(&cut).enumerate().filter_map(|(number, (page, cut))| match &page.gold {
        Some(Gold::Text(gold)) => Some((number, gold, cut)),
        _ => None,
    });
    known
        .map(|(number, gold, (cut, hashes))| {
            let is_content = content_blocks(cut, hashes, gold);
            let kinds = cut.blocks.iter().zip(is_content).map(|(block, is_content)| {
                let repeats = on_pages.get(&text_of(hashes, block)).is_some_and(|pages| *pages >= PAGES_MIN);
                let kind = match (is_content, repeats) {
                    (true, _) => BlockKind::Content,
                    (false, true) => BlockKind::Template,
                    (false, false) => BlockKind::Other,
                };
                (*block, kind)
            });
            LabelledPage { number, blocks: kinds.collect() }
        })
        .collect()
}

/// For each block, whether it lies in the content.
fn content_blocks(cut: &CutPage, hashes: &[u64], gold: &str) -> Vec<bool> {
    let mut memory = String::new();
    let mut gold_words = Vec::new();
    words::split(gold, |word| gold_words.push(words::hash(&gold[word], &mut memory)));
    let mut starts: HashMap<u64, Vec<usize>> = HashMap::new();
    gold_words.iter().enumerate().for_each(|(at, word)| starts.entry(*word).or_default().push(at));
    let stands_in_gold = |block: &Block| {
        let wanted = &hashes[block.words()];
        let starts = wanted.first().and_then(|first| starts.get(first)).into_iter().flatten();
        starts.into_iter().any(|at| gold_words[*at..].starts_with(wanted))
    };
    let mut is_content: Vec<bool> = cut.blocks.iter().map(stands_in_gold).collect();
    let is_sure = |at: &usize| is_content[*at] && cut.blocks[*at].words().len() >= WORDS_SURE;
    let first = (0..cut.blocks.len()).find(is_sure);
    let last = (0..cut.blocks.len()).rev().find(is_sure);
    for (at, is_content) in is_content.iter_mut().enumerate() {
        let is_between = first.is_some_and(|first| first <= at) && last.is_some_and(|last| at <= last);
        *is_content &= is_between || first.is_none();
    }
    is_content
}

impl BlockReport {
    /// One row for each site, and a row of means.
    pub fn table(&self) -> Table {
        let mut headings = vec!["site".to_owned(), "template blocks".to_owned()];
        for method in &self.methods {
            headings.extend([format!("{method}: found %"), "content lost %".to_owned()]);
        }
        let mut table = Table::new(1, headings);
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        for site in &self.sites {
            let found = |score: &BlockScore| match site.templates {
                0 => "none".to_owned(),
                _ => percent(score.found),
            };
            let cells = site.scores.iter().flat_map(|score| [found(score), percent(score.lost)]);
            table.row([site.name.clone(), site.templates.to_string()].into_iter().chain(cells));
        }
        let means = (0..self.methods.len()).flat_map(|at| {
            let mean = self.mean(at);
            [percent(mean.found), percent(mean.lost)]
        });
        let blocks: u64 = self.sites.iter().map(|site| site.templates).sum();
        table.row(["mean of sites".to_owned(), blocks.to_string()].into_iter().chain(means));
        table
    }

    /// The mean score of a method over the sites that have template blocks.
    pub fn mean(&self, method: usize) -> BlockScore {
        let sites: Vec<&SiteBlocks> = self.sites.iter().filter(|site| site.templates > 0).collect();
        let mean = |figure: fn(&BlockScore) -> f64| {
            let sum = sites.iter().fold(0.0, |sum, site| sum + figure(&site.scores[method]));
            sum / sites.len().max(1) as f64
        };
        BlockScore { found: mean(|score| score.found), lost: mean(|score| score.lost) }
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let scores = |site: &SiteBlocks| -> Value {
            let scores = self.methods.iter().zip(&site.scores);
            scores
                .map(|(name, score)| (name.clone(), json!({"found": score.found, "lost": score.lost})))
                .collect()
        };
        let sites = self.sites.iter().map(
            |site| json!({"site": site.name, "template_blocks": site.templates, "methods": scores(site)}),
        );
        json!({"sites": sites.collect::<Vec<_>>()})
    }
}

#[cfg(test)]
mod tests {
    use unframe::html::Span;
    use unframe::{Page, PageBytes};

    use super::*;

    /// A page of a site, with its gold text if it has one.
    fn page(html: &str, gold: Option<&str>) -> GoldPage {
        let page = Page::new("http://a.example/", html);
        let gold = gold.map(|gold| Gold::Text(gold.to_owned()));
        GoldPage { page, gold, unsure: String::new(), page_type: None }
    }

    #[test]
    fn pages_without_gold_do_not_shift_the_others() {
        let html = |number: usize| format!("<div>All rights reserved</div><p>Tea number {number} is hot</p>");
        let pages: Vec<GoldPage> = (0..6)
            .map(|number| page(&html(number), (number == 5).then_some("Tea number 5 is hot")))
            .collect();
        let labelled = label_blocks(&pages, &mut PageParser::new());
        assert_eq!(labelled.iter().map(|page| page.number).collect::<Vec<_>>(), [5]);
        let whole = Region::new(Span::new(0, html(5).len()), unframe::TemplateHash(1), 6);
        let counts = labelled[0].counts(&[whole]);
        assert_eq!(counts, BlockCounts { templates: 1, templates_found: 1, content_lost: 1 });
        assert_eq!((counts.recall(), counts.precision()), (1.0, 0.5));
    }

    #[test]
    fn short_texts_are_content_only_between_long_ones() {
        let html = "<div>Tea</div><div>Home</div><p>Tea is a hot drink</p><p>Tea</p><p>It is green or black</p><div>Tea</div>";
        let page = PageBytes::utf8(html.as_bytes());
        let cut = Blocks::default().cut(&PageParser::new().open(page), &[]);
        let found = content_blocks(&cut, &cut.hashes(), "Tea is a hot drink. Tea. It is green or black.");
        assert_eq!(found, [false, false, true, true, true, false]);
    }
}
