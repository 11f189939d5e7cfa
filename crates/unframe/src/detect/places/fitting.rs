//! What fitting needs to see of a page: its blocks, their features, and the words that a lexicon is made from.
//!
//! Only built with the feature `fitting`, for the program that `cargo xtask fit` runs.

pub use super::blocks::PageBlocks;
use super::decide::{self, Judge, Verdict};
pub use super::features::Rows;
use super::features::{self, LexiconRows, PageView};
pub use super::forest::{Forest, Split, UNIT};
use super::kind;
pub use super::kind::{KindScores, PageKind};
pub use super::lexicon::Lexicon;
use super::lexicon::used_words;
pub use super::site::SiteTable;
use super::site::{self, SiteView};
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

    /// The place of a block.
    pub fn block_place(&self, at: usize) -> u64 {
        self.element(self.blocks[at].element).place
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
    pub fn record(&self, kinds: KindScores) -> Vec<u64> {
        let mut record = Vec::new();
        site::record(self, kinds, &mut record);
        record
    }

    /// The features that tell the kind of the page.
    pub fn kind_row(&self) -> Vec<i16> {
        let mut rows = Rows::default();
        kind::features(&PageView::of(self), self, &mut rows);
        rows.values
    }

    /// Which blocks stay, beside a site or alone, and the scores that decide.
    pub fn judge(&self, table: Option<&SiteTable>, weights: &Weights) -> Decisions {
        let judge = Judge::new(self, table, weights);
        let mut judged = judge.judge(0.5);
        if judged.others > 0 && decide::is_empty(&judged) {
            judged = Judge::new(self, None, weights).judge(0.5);
        }
        Decisions {
            stays: judged.verdicts.iter().map(|verdict| *verdict == Verdict::Content).collect(),
            probabilities: judged.probabilities,
            kind: judged.kind,
        }
    }

    /// The features of all blocks, beside a site or alone.
    pub fn rows(&self, table: Option<&SiteTable>, kinds: KindScores, lexicon: &Lexicon, rows: &mut Rows) {
        let of_site = table.map_or(kinds, SiteTable::mean_kinds);
        let view = PageView::of(self);
        let site = SiteView::of(self, table);
        let mut words = LexiconRows::default();
        features::of_lexicon(&view, lexicon, &lexicon.paths(self), &mut words);
        for at in 0..self.len() {
            features::of_block(&view, at, rows);
            rows.values.extend(words.0[at]);
            features::of_page(&view, rows);
            site::of_block(&site, self, &view, at, rows);
            kinds.iter().chain(&of_site).for_each(|score| rows.push(i64::from(*score)));
        }
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
pub fn kind_scores(forests: &[Forest], row: &[i16]) -> KindScores {
    kind::scores(forests, row)
}

/// The names of all features.
pub fn names() -> Vec<String> {
    super::names::names()
}
