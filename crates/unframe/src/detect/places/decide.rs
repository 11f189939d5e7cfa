//! What becomes of each block: two questions, two answers.
//!
//! *Is it template?* The comparison with other pages says so: its text is repeated, or it changes inside of a template. *Is it clutter?* The page
//! itself, and what was learned of many other sites, say that a reader would not call it content.

use super::blocks::PageBlocks;
use super::features::{self, LexiconRows, PageView, Rows};
use super::forest::{Forest, UNIT, probability};
use super::kind::{self, KindScores, PageKind};
use super::site::{self, SiteTable, SiteView};
use super::sort::sort_of;
use super::weights::{Calibration, Weights};
use crate::regions::{RegionKind, Sort};

/// Other pages from which on repetition alone decides.
const OTHERS_SURE: u32 = 3;
/// The share of other pages with the same text at the same place from which on it is template whatever else speaks for it, in thousandths.
const REPEATED_SURE: u64 = 900;
/// The same on pages of products, whose values stand on many pages, and on pages that are not understood.
const REPEATED_CAUTIOUS: u64 = 970;
/// On pages that are not understood, text also goes that so many thousandths of the other pages have and that is hardly ever content.
const REPEATED_SOME: u64 = 100;
const HARDLY_CONTENT: u16 = 100;
/// Log-odds of the likeliest kind, in sixteenths, below which a site's pages are not understood.
const KIND_MIN: i8 = -12;
/// The probability of content below which a block of an article goes that was compared with other pages, in thousandths.
const ARTICLE_MIN: u16 = 500;
/// Bounds of this probability for other pages, where it is the one with the best expected result.
const OTHER_MIN: u16 = 200;
const OTHER_MAX: u16 = 500;
/// What becomes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Content,
    /// It goes.
    Goes {
        kind: RegionKind,
        sort: Sort,
        /// In percent.
        confidence: u8,
        /// Pages of the site that have the text, or its place.
        pages: u32,
    },
}

/// How careful to be with a page that was compared with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caution {
    /// Its kind is known.
    None,
    /// It is of a product: only what all pages have goes.
    Values,
    /// Its kind is not known: only what is surely template goes.
    Unclear,
}

/// A page, judged.
pub(super) struct Judged {
    pub(super) verdicts: Vec<Verdict>,
    /// How likely each block is content, in thousandths.
    pub(super) probabilities: Vec<u16>,
    pub(super) kind: PageKind,
    pub(super) others: u32,
}

/// Everything that is known of a page before its blocks are judged.
pub(super) struct Judge<'p> {
    pub(super) page: &'p PageBlocks,
    pub(super) view: PageView<'p>,
    pub(super) site: SiteView<'p>,
    pub(super) kinds: KindScores,
    of_site: KindScores,
    words: LexiconRows,
    weights: &'p Weights,
}

impl<'p> Judge<'p> {
    /// A page beside its site, or by itself.
    pub(super) fn new(page: &'p PageBlocks, table: Option<&'p SiteTable>, weights: &'p Weights) -> Judge<'p> {
        let view = PageView::of(page);
        let kinds = kinds_of(&view, page, &weights.kinds);
        let mut words = LexiconRows::default();
        features::of_lexicon(&view, &weights.lexicon, &weights.lexicon.paths(page), &mut words);
        let of_site = table.filter(|table| table.pages > 1).map_or(kinds, SiteTable::mean_kinds);
        Judge { page, site: SiteView::of(page, table), view, kinds, of_site, words, weights }
    }

    /// The features of a block.
    pub(super) fn row(&self, at: usize, rows: &mut Rows) {
        features::of_block(&self.view, at, rows);
        rows.values.extend(self.words.0[at]);
        features::of_page(&self.view, rows);
        site::of_block(&self.site, self.page, &self.view, at, rows);
        self.kinds.iter().chain(&self.of_site).for_each(|score| rows.push(i64::from(*score)));
    }

    /// The kind of the page: that of its site, where there is one.
    pub(super) fn kind(&self) -> PageKind {
        let best = (0..PageKind::ALL.len()).rev().max_by_key(|at| self.of_site[*at]).unwrap_or(0);
        PageKind::ALL[best]
    }

    fn scores(&self) -> Vec<i32> {
        let mut rows = Rows::default();
        (0..self.page.blocks.len())
            .map(|at| {
                if self.is_surely_template(at) {
                    return -8 * UNIT;
                }
                rows.values.clear();
                self.row(at, &mut rows);
                self.weights.blocks.score(&rows.values)
            })
            .collect()
    }

    fn is_surely_template(&self, at: usize) -> bool {
        self.site.others() >= OTHERS_SURE && self.site.is_at_place_on(at, REPEATED_SURE)
    }

    /// How careful to be: values of products look like templates, and what a page is for may not be clear.
    fn caution(&self) -> Caution {
        match self.kind() {
            _ if self.site.others() + 1 < OTHERS_SURE => Caution::None,
            PageKind::Product => Caution::Values,
            kind if self.of_site[kind as usize] < KIND_MIN => Caution::Unclear,
            _ => Caution::None,
        }
    }

    fn stays(&self, at: usize, probability: u16, threshold: u16, caution: Caution) -> bool {
        let is_everywhere = || self.site.is_at_place_on(at, REPEATED_CAUTIOUS);
        match caution {
            Caution::None => probability > threshold,
            Caution::Values => !is_everywhere(),
            Caution::Unclear => {
                let is_hardly = probability < HARDLY_CONTENT && self.site.is_at_place_on(at, REPEATED_SOME);
                !is_everywhere() && !is_hardly
            }
        }
    }

    /// Judges all blocks.
    pub(super) fn judge(&self, certainty: f64) -> Judged {
        let scores = self.scores();
        let probabilities: Vec<u16> = scores.iter().map(|score| probability(*score)).collect();
        let threshold = adjusted(self.threshold(&probabilities), certainty);
        let caution = self.caution();
        let verdicts = (0..scores.len())
            .map(|at| {
                let stays = self.stays(at, probabilities[at], threshold, caution);
                if stays { Verdict::Content } else { self.verdict(at, scores[at]) }
            })
            .collect();
        Judged { verdicts, probabilities, kind: self.kind(), others: self.site.others() }
    }

    fn threshold(&self, probabilities: &[u16]) -> u16 {
        match self.site.others() {
            1.. if self.of_site[PageKind::Article as usize] > 0 => ARTICLE_MIN,
            _ => best_expected(self.page, probabilities).clamp(OTHER_MIN, OTHER_MAX),
        }
    }

    fn verdict(&self, at: usize, score: i32) -> Verdict {
        let (others, with) = (self.site.others(), self.site.pages_with_text(at));
        let place = self.site.place(self.page, at);
        let around = self.view.containers(&self.page.blocks[at])[2];
        let is_stable = place.is_some_and(|place| place.pages * 2 > others);
        let is_in_template = is_stable && self.site.repeated_around(&self.view, around) >= 300;
        let (kind, pages) = match () {
            () if with > 0 && with * 10 >= others => (RegionKind::Repeated, with + 1),
            () if is_in_template => (RegionKind::Changing, place.map_or(1, |place| place.pages)),
            () => (RegionKind::Clutter, 1),
        };
        let confidence = self.weights.calibration(self.kind()).confidence(score);
        Verdict::Goes { kind, sort: sort_of(self.page, at), confidence, pages }
    }
}

impl Calibration {
    /// How sure it is that a block with this score is not content, in percent.
    fn confidence(self, score: i32) -> u8 {
        let score = i64::from(score) * i64::from(self.scale) / 1000 + i64::from(self.shift);
        ((1005 - u32::from(probability(score as i32))) / 10).clamp(1, 99) as u8
    }
}

/// The threshold for another certainty than a half.
fn adjusted(threshold: u16, certainty: f64) -> u16 {
    (f64::from(threshold) * 2.0 * (1.0 - certainty)).round().min(990.0) as u16
}

/// Whether nothing is left: other pages are copies of it.
pub(super) fn is_empty(judged: &Judged) -> bool {
    !judged.verdicts.contains(&Verdict::Content)
}

/// The kind scores of a page.
pub(super) fn kinds_of(view: &PageView<'_>, page: &PageBlocks, forests: &[Forest]) -> KindScores {
    let mut rows = Rows::default();
    kind::features(view, page, &mut rows);
    kind::scores(forests, &rows.values)
}

/// The threshold at which the expected F1 of what is kept is best.
fn best_expected(page: &PageBlocks, probabilities: &[u16]) -> u16 {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(probabilities[*at]));
    let words = |at: usize| u64::from(page.blocks[at].word_count());
    let expected = |at: usize| words(at) * u64::from(probabilities[at]);
    let all: u64 = order.iter().map(|at| expected(*at)).sum();
    let (mut kept, mut right, mut best, mut threshold) = (0, 0, (0u64, 1u64), 500);
    for at in order {
        kept += words(at) * 1000;
        right += expected(at);
        // Fractions are compared by cross multiplication, so that nothing is rounded.
        if right * best.1 > best.0 * (kept + all) {
            best = (right, kept + all);
            threshold = probabilities[at].saturating_sub(1);
        }
    }
    threshold
}
