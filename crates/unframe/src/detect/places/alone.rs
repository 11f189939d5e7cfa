//! A page by itself: what its blocks look like, and what the trees make of it before any other page is asked.

use std::collections::HashMap;

use super::blocks::{Block, PageBlocks};
use super::features::{self, LexiconRows, PageView, Rows};
use super::forest::{Scorer, UNIT};
use super::kind::{self, KindScores};
use super::lexicon::Lexicon;
use super::weights::Weights;
use crate::sample::PieceHasher;

/// How much of a block's score is that of its place, in tenths.
const PLACE_TENTHS: i64 = 3;

/// A page by itself.
pub(super) struct Alone<'p> {
    pub(super) page: &'p PageBlocks,
    pub(super) view: PageView<'p>,
    pub(super) kinds: KindScores,
    /// The features of all blocks, row after row.
    rows: Rows,
    /// How likely each block is content, as log-odds in [`UNIT`]s.
    pub(super) scores: Vec<i32>,
}

impl<'p> Alone<'p> {
    /// Judges the blocks of a page by the page alone.
    pub(super) fn of(page: &'p PageBlocks, weights: &Weights) -> Alone<'p> {
        let view = PageView::of(page);
        let kinds = kinds_of(&view, page, &weights.kinds);
        let rows = rows(&view, page, kinds, &weights.lexicon);
        let scores = scores(page, &rows, &weights.alone);
        Alone { page, view, kinds, rows, scores }
    }

    /// The features of a block.
    pub(super) fn row(&self, at: usize) -> &[i16] {
        &self.rows.rows[at][..self.rows.width()]
    }
}

/// The features of all blocks.
pub(super) fn rows(view: &PageView<'_>, page: &PageBlocks, kinds: KindScores, lexicon: &Lexicon) -> Rows {
    let mut words = LexiconRows::default();
    features::of_lexicon(view, lexicon, &lexicon.paths(page), &mut words);
    let mut rows = Rows::default();
    for (at, words) in words.0.iter().enumerate() {
        rows.begin();
        features::of_block(view, at, &mut rows);
        words.iter().for_each(|worth| rows.push_small(*worth));
        features::of_page(view, &mut rows);
        kinds.iter().for_each(|score| rows.push(i64::from(*score)));
    }
    rows
}

/// The scores of all blocks. Blocks at one place of a page are mostly alike, so each is drawn towards the mean of its place.
pub(super) fn scores(page: &PageBlocks, rows: &Rows, scorer: &Scorer) -> Vec<i32> {
    let mut scores = scorer.scores(&rows.rows);
    let place = |block: &Block| page.element(block.element).place;
    let mut sums: HashMap<u64, (i64, i64), PieceHasher> = HashMap::default();
    for (block, score) in page.blocks.iter().zip(&scores) {
        let (sum, words) = sums.entry(place(block)).or_default();
        *sum += i64::from(*score) * i64::from(block.word_count());
        *words += i64::from(block.word_count());
    }
    for (block, score) in page.blocks.iter().zip(&mut scores) {
        let (sum, words) = sums[&place(block)];
        *score = ((i64::from(*score) * (10 - PLACE_TENTHS) + sum / words.max(1) * PLACE_TENTHS) / 10) as i32;
    }
    scores
}

/// The kind scores of a page.
fn kinds_of(view: &PageView<'_>, page: &PageBlocks, scorers: &[Scorer]) -> KindScores {
    kind::scores(scorers, &kind::features(view, page))
}

/// A score in sixteenths of log-odds, as records and features have it.
pub(super) fn sixteenths(score: i32) -> i8 {
    (score / (UNIT / 16)).clamp(-127, 127) as i8
}
