//! A page by itself: what its blocks look like, and what the trees make of it before any other page is asked.

use std::borrow::Cow;

use super::blocks::PageBlocks;
use super::features::{self, PageView, Rows};
use super::forest::UNIT;
use super::kind::{self, KindScores};
use super::lexicon::Lexicon;
use super::scorer::Scorer;
use super::weights::Weights;

/// How much of a block's score is that of its place, in tenths.
const PLACE_TENTHS: i64 = 3;
/// The score of a block that was not asked for.
pub(super) const NOT_ASKED: i32 = -8 * UNIT;

/// A page by itself.
pub(super) struct Alone<'p> {
    pub(super) page: &'p PageBlocks,
    pub(super) view: PageView<'p>,
    pub(super) kinds: KindScores,
    asked: Cow<'p, AskedRows>,
    /// How likely each block of the page is content, as log-odds in [`UNIT`]s.
    pub(super) scores: Vec<i32>,
}

/// The blocks that are asked for, in their order, and their features.
#[derive(Debug, Clone)]
struct AskedRows {
    blocks: Vec<u32>,
    rows: Rows,
}

/// What is known of a page that was judged by itself, without the page.
#[derive(Debug)]
pub(super) struct JudgedAlone {
    pub(super) kinds: KindScores,
    pub(super) scores: Vec<i32>,
    asked: AskedRows,
}

impl<'p> Alone<'p> {
    /// Judges the blocks of a page by the page alone.
    pub(super) fn of(page: &'p PageBlocks, weights: &Weights) -> Alone<'p> {
        Alone::of_places(page, weights, |_| true)
    }

    /// The same for the blocks of some places of the page.
    pub(super) fn of_places(
        page: &'p PageBlocks,
        weights: &Weights,
        is_asked: impl Fn(u32) -> bool,
    ) -> Alone<'p> {
        let view = PageView::of(page);
        let kinds = kind::scores(&weights.kinds, &kind::features(&view, page));
        let blocks: Vec<u32> =
            (0..page.blocks.len() as u32).filter(|at| is_asked(page.blocks[*at as usize].place)).collect();
        let rows = rows(&view, kinds, &weights.lexicon, &blocks);
        let scores = scores(page, &blocks, &rows, &weights.alone);
        Alone { page, view, kinds, asked: Cow::Owned(AskedRows { blocks, rows }), scores }
    }

    /// The same of a page that was judged before, all of it.
    pub(super) fn again(
        page: &'p PageBlocks,
        judged: &'p JudgedAlone,
        is_asked: impl Fn(u32) -> bool,
    ) -> Alone<'p> {
        let blocks = page.blocks.iter().zip(&judged.scores);
        let scores = blocks.map(|(block, score)| if is_asked(block.place) { *score } else { NOT_ASKED });
        Alone {
            page,
            view: PageView::of(page),
            kinds: judged.kinds,
            asked: Cow::Borrowed(&judged.asked),
            scores: scores.collect(),
        }
    }

    /// The same, without judging the page another time.
    pub(super) fn reused(&'p self) -> Alone<'p> {
        Alone {
            page: self.page,
            view: PageView::of(self.page),
            kinds: self.kinds,
            asked: Cow::Borrowed(&self.asked),
            scores: self.scores.clone(),
        }
    }

    /// What can be kept of it without the page.
    pub(super) fn without_page(self) -> JudgedAlone {
        JudgedAlone { kinds: self.kinds, scores: self.scores, asked: self.asked.into_owned() }
    }

    /// The features of a block that was asked for.
    pub(super) fn row(&self, at: usize) -> &[i16] {
        match self.asked.blocks.binary_search(&(at as u32)) {
            Ok(row) => &self.asked.rows.rows[row][..self.asked.rows.width()],
            Err(_) => &[],
        }
    }
}

/// The features of some blocks.
pub(super) fn rows(view: &PageView<'_>, kinds: KindScores, lexicon: &Lexicon, asked: &[u32]) -> Rows {
    let mut of_page = Rows::default();
    of_page.add(&[], |row| {
        features::of_page(view, row);
        kinds.iter().for_each(|score| row.push(i64::from(*score)));
    });
    let of_page = &of_page.rows[0][..of_page.width()];
    let mut rows = Rows::with_capacity(asked.len());
    for (at, words) in asked.iter().zip(features::of_lexicon(view, lexicon, asked)) {
        rows.add(&[], |row| {
            features::of_block(view, *at as usize, row);
            row.extend(&words);
            row.extend(of_page);
        });
    }
    rows
}

/// The scores of all blocks, from the rows of those that are asked for. Blocks at one place of a page are mostly alike, so each is drawn towards the mean of its place.
pub(super) fn scores(page: &PageBlocks, asked: &[u32], rows: &Rows, scorer: &Scorer) -> Vec<i32> {
    let mut scores = vec![NOT_ASKED; page.blocks.len()];
    let mut sums = vec![(0, 0); page.places.len()];
    for (at, score) in asked.iter().zip(scorer.scores(&rows.rows)) {
        let block = &page.blocks[*at as usize];
        let (sum, words): &mut (i64, i64) = &mut sums[block.place as usize];
        scores[*at as usize] = score;
        *sum += i64::from(score) * i64::from(block.word_count());
        *words += i64::from(block.word_count());
    }
    for at in asked {
        let (sum, words) = sums[page.blocks[*at as usize].place as usize];
        let score = &mut scores[*at as usize];
        *score = ((i64::from(*score) * (10 - PLACE_TENTHS) + sum / words.max(1) * PLACE_TENTHS) / 10) as i32;
    }
    scores
}

/// A score in sixteenths of log-odds, as records and features have it.
pub(super) fn sixteenths(score: i32) -> i8 {
    (score / (UNIT / 16)).clamp(-127, 127) as i8
}
