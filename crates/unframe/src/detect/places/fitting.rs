//! The internals that the fit needs: the blocks of a page, their features, and the words for the lexicon.
//!
//! This module exists only with the feature `fitting`, for the program that `cargo xtask fit` runs.

pub use super::blocks::PageBlocks;
use super::decide::{Judge, Verdict};
use super::features::PageView;
pub use super::features::Rows;
use super::forest::probability;
pub use super::forest::{Forest, Split, UNIT};
use super::kind;
pub use super::kind::{KindScores, PageKind};
pub use super::lexicon::Lexicon;
use super::lexicon::used_words;
use super::record;
pub use super::scorer::{Row, Scorer};
use super::second_pass::{self, FirstPass};
use super::single_page;
use super::site::{self, SiteView};
pub use super::table::SiteTable;
pub use super::weights::{Calibration, Weights, encode};

impl PageBlocks {
    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The hashed words of a block.
    pub fn block_words(&self, at: usize) -> &[u32] {
        self.words_of(&self.blocks[at])
    }

    /// Two hashes of the text of a block; in the second one, every number counts as the same number.
    pub fn block_text(&self, at: usize) -> (u64, u64) {
        (self.blocks[at].text, self.blocks[at].text_without_digits)
    }

    /// The distinct tokens on the path of a block.
    pub fn path_tokens(&self, at: usize) -> Vec<u32> {
        let (mut tokens, mut element) = (Vec::new(), self.blocks[at].element);
        while element > 0 {
            for token in self.tokens_of(self.element(element)) {
                if !tokens.contains(token) {
                    tokens.push(*token);
                }
            }
            element = self.parent(element);
        }
        tokens
    }

    /// The words of a block that the lexicon looks up.
    pub fn lexicon_words(&self, at: usize) -> &[u32] {
        used_words(self.block_words(at))
    }

    /// The record of the page in a sample.
    pub fn record(&self, kinds: KindScores, scores: &[i32]) -> Vec<u64> {
        let mut numbers = Vec::new();
        record::write(self, kinds, scores, &mut numbers);
        numbers
    }

    /// The features for the kind of the page.
    pub fn kind_row(&self) -> Row {
        kind::features(&PageView::of(self), self)
    }

    /// The decisions for all blocks, with a site or as a single page.
    pub fn judge(&self, table: Option<&SiteTable>, weights: &Weights) -> Decisions {
        let judged = Judge::new(self, table, weights).judge(0.5);
        Decisions {
            stays: judged.verdicts.iter().map(|verdict| *verdict == Verdict::Content).collect(),
            probabilities: judged.scores.iter().map(|score| probability(*score)).collect(),
            kind: judged.kind,
        }
    }

    /// The single-page features of all blocks.
    pub fn single_page_rows(&self, kinds: KindScores, lexicon: &Lexicon) -> Rows {
        single_page::rows(&PageView::of(self), kinds, lexicon, &self.all())
    }

    /// The single-page scores of all blocks.
    pub fn single_page_scores(&self, rows: &Rows, scorer: &Scorer) -> Vec<i32> {
        single_page::scores(self, &self.all(), rows, scorer)
    }

    fn all(&self) -> Vec<u32> {
        (0..self.blocks.len() as u32).collect()
    }

    /// The second-pass features of all blocks: single-page features, then those of the surrounding first-pass scores.
    pub fn second_pass_rows(&self, single_page: &Rows, scores: &[i32]) -> Rows {
        let (view, first_pass) = (PageView::of(self), FirstPass::of(self, scores));
        let mut rows = Rows::default();
        for (at, row) in single_page.rows.iter().enumerate() {
            rows.add(&row[..single_page.width()], |row| {
                second_pass::of_block(&first_pass, self, &view, at, row)
            });
        }
        rows
    }

    /// The features of all blocks with a site: single-page features, then those of the comparison.
    pub fn site_rows(&self, table: &SiteTable, single_page: &Rows, scores: &[i32]) -> Rows {
        let (view, mut site) = (PageView::of(self), SiteView::of(self, Some(table)));
        site.set_scores(self, scores);
        let mut rows = Rows::default();
        for (at, row) in single_page.rows.iter().enumerate() {
            rows.add(&row[..single_page.width()], |row| {
                site::of_block(&site, self, &view, at, row);
                table.mean_kinds().iter().for_each(|score| row.push(i64::from(*score)));
            });
        }
        rows
    }
}

/// The decisions for the blocks of a page.
pub struct Decisions {
    /// By block, whether it is content.
    pub stays: Vec<bool>,
    /// By block, the probability of content before calibration, in thousandths.
    pub probabilities: Vec<u16>,
    /// The likeliest kind of the page.
    pub kind: PageKind,
}

/// The hashed words of a text, as in blocks.
pub fn words(text: &str) -> Vec<u32> {
    super::facts::words(text, usize::MAX)
}

/// The number of features for the kind of a page.
pub const KIND_FEATURES: usize = kind::FEATURES;

/// The scores of all kinds for a page.
pub fn kind_scores(scorers: &[Scorer], row: &Row) -> KindScores {
    kind::scores(scorers, row)
}

/// The names of the features of a single page.
pub fn single_page_names() -> Vec<String> {
    super::names::single_page_names()
}

/// The names of all features.
pub fn names() -> Vec<String> {
    super::names::names()
}

/// The names of the features of the second pass over a single page.
pub fn second_pass_names() -> Vec<String> {
    super::names::second_pass_names()
}
