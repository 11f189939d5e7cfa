//! What fitting needs to see of a page: its blocks, their features, and the words that a lexicon is made from.
//!
//! Only built with the feature `fitting`, for the program that `cargo xtask fit` runs.

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
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Hashes of the words of a block.
    pub fn block_words(&self, at: usize) -> &[u32] {
        self.words_of(&self.blocks[at])
    }

    /// A hash of the text of a block, and one with all numbers alike.
    pub fn block_text(&self, at: usize) -> (u64, u64) {
        (self.blocks[at].text, self.blocks[at].text_without_digits)
    }

    /// Tokens on the path of a block, each once.
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

    /// The words of a block that a lexicon is made from.
    pub fn lexicon_words(&self, at: usize) -> &[u32] {
        used_words(self.block_words(at))
    }

    /// What the page leaves in a sample.
    pub fn record(&self, kinds: KindScores, scores: &[i32]) -> Vec<u64> {
        let mut numbers = Vec::new();
        record::write(self, kinds, scores, &mut numbers);
        numbers
    }

    /// The features that tell the kind of the page.
    pub fn kind_row(&self) -> Row {
        kind::features(&PageView::of(self), self)
    }

    /// Which blocks are content, with a site or as a single page, and their scores.
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

    /// The second-pass features of all blocks: single-page features, and the first-pass scores around them.
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

    /// The features of all blocks with a site, from the single-page features and scores.
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

/// What became of the blocks of a page.
pub struct Decisions {
    /// Whether each is content.
    pub stays: Vec<bool>,
    /// How likely each is content, in thousandths, before calibration.
    pub probabilities: Vec<u16>,
    /// What the page was taken for.
    pub kind: PageKind,
}

/// Hashes of the words of a text, as blocks have them.
pub fn words(text: &str) -> Vec<u32> {
    super::facts::words(text, usize::MAX)
}

/// How many features tell the kind of a page.
pub const KIND_FEATURES: usize = kind::FEATURES;

/// The scores of a page's kind.
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
