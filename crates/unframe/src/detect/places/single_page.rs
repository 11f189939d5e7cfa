//! The first pass: features and scores of the blocks of a single page, without other pages.

use std::borrow::Cow;

use super::blocks::PageBlocks;
use super::features::{self, PageView, Rows};
use super::forest::UNIT;
use super::kind::{self, KindScores};
use super::lexicon::Lexicon;
use super::scorer::Scorer;
use super::weights::Weights;

/// The weight of the mean score of a block's place in the score of the block, in tenths.
const PLACE_TENTHS: i64 = 3;
/// The score of a block that was not selected.
pub(super) const NOT_SCORED: i32 = -8 * UNIT;

/// A page, scored as a single page.
pub(super) struct SinglePage<'p> {
    pub(super) page: &'p PageBlocks,
    pub(super) view: PageView<'p>,
    pub(super) kinds: KindScores,
    selected: Cow<'p, SelectedRows>,
    /// By block, the log-odds of content, in [`UNIT`]s.
    pub(super) scores: Vec<i32>,
}

/// The selected blocks, in order, and their features.
#[derive(Debug, Clone)]
struct SelectedRows {
    blocks: Vec<u32>,
    rows: Rows,
}

/// The scores and features of a single page, without the page itself.
#[derive(Debug)]
pub(super) struct SinglePageScores {
    pub(super) kinds: KindScores,
    pub(super) scores: Vec<i32>,
    selected: SelectedRows,
}

impl<'p> SinglePage<'p> {
    /// Scores the blocks of a page by features of that page only.
    pub(super) fn of(page: &'p PageBlocks, weights: &Weights) -> SinglePage<'p> {
        SinglePage::of_places(page, weights, |_| true)
    }

    /// Scores only the blocks at selected places of the page.
    pub(super) fn of_places(
        page: &'p PageBlocks,
        weights: &Weights,
        is_selected: impl Fn(u32) -> bool,
    ) -> SinglePage<'p> {
        let view = PageView::of(page);
        let kinds = kind::scores(&weights.kinds, &kind::features(&view, page));
        let blocks: Vec<u32> =
            (0..page.blocks.len() as u32).filter(|at| is_selected(page.blocks[*at as usize].place)).collect();
        let rows = rows(&view, kinds, &weights.lexicon, &blocks);
        let scores = scores(page, &blocks, &rows, &weights.single_page);
        SinglePage { page, view, kinds, selected: Cow::Owned(SelectedRows { blocks, rows }), scores }
    }

    /// The same with scores that were computed before, for all blocks of the page.
    pub(super) fn with_scores(
        page: &'p PageBlocks,
        judged: &'p SinglePageScores,
        is_selected: impl Fn(u32) -> bool,
    ) -> SinglePage<'p> {
        let blocks = page.blocks.iter().zip(&judged.scores);
        let scores = blocks.map(|(block, score)| if is_selected(block.place) { *score } else { NOT_SCORED });
        SinglePage {
            page,
            view: PageView::of(page),
            kinds: judged.kinds,
            selected: Cow::Borrowed(&judged.selected),
            scores: scores.collect(),
        }
    }

    /// A copy that shares the features.
    pub(super) fn reused(&'p self) -> SinglePage<'p> {
        SinglePage {
            page: self.page,
            view: PageView::of(self.page),
            kinds: self.kinds,
            selected: Cow::Borrowed(&self.selected),
            scores: self.scores.clone(),
        }
    }

    /// Detaches the scores and features from the page.
    pub(super) fn without_page(self) -> SinglePageScores {
        SinglePageScores { kinds: self.kinds, scores: self.scores, selected: self.selected.into_owned() }
    }

    /// The features of a selected block.
    pub(super) fn row(&self, at: usize) -> &[i16] {
        match self.selected.blocks.binary_search(&(at as u32)) {
            Ok(row) => &self.selected.rows.rows[row][..self.selected.rows.width()],
            Err(_) => &[],
        }
    }
}

/// The features of selected blocks.
pub(super) fn rows(view: &PageView<'_>, kinds: KindScores, lexicon: &Lexicon, selected: &[u32]) -> Rows {
    let mut of_page = Rows::default();
    of_page.add(&[], |row| {
        features::of_page(view, row);
        kinds.iter().for_each(|score| row.push(i64::from(*score)));
    });
    let of_page = &of_page.rows[0][..of_page.width()];
    let mut rows = Rows::with_capacity(selected.len());
    for (at, words) in selected.iter().zip(features::of_lexicon(view, lexicon, selected)) {
        rows.add(&[], |row| {
            features::of_block(view, *at as usize, row);
            row.extend(&words);
            row.extend(of_page);
        });
    }
    rows
}

/// The scores of all blocks, from the rows of the selected ones. Blocks at one place of a page are mostly alike, so each score is averaged
/// with the mean of its place.
pub(super) fn scores(page: &PageBlocks, selected: &[u32], rows: &Rows, scorer: &Scorer) -> Vec<i32> {
    let mut scores = vec![NOT_SCORED; page.blocks.len()];
    let mut sums = vec![(0, 0); page.places.len()];
    for (at, score) in selected.iter().zip(scorer.scores(&rows.rows)) {
        let block = &page.blocks[*at as usize];
        let (sum, words): &mut (i64, i64) = &mut sums[block.place as usize];
        scores[*at as usize] = score;
        *sum += i64::from(score) * i64::from(block.word_count());
        *words += i64::from(block.word_count());
    }
    for at in selected {
        let (sum, words) = sums[page.blocks[*at as usize].place as usize];
        let score = &mut scores[*at as usize];
        *score = ((i64::from(*score) * (10 - PLACE_TENTHS) + sum / words.max(1) * PLACE_TENTHS) / 10) as i32;
    }
    scores
}

/// A score in sixteenths of log-odds, as stored in records and features.
pub(super) fn sixteenths(score: i32) -> i8 {
    (score / (UNIT / 16)).clamp(-127, 127) as i8
}
