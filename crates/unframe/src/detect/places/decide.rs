//! The decision for each block: content, or a kind of boilerplate.
//!
//! A block is *template* if the comparison with other pages shows it: its text is repeated, or it changes inside a template. It is *clutter* if
//! no other page has it, but the features that were fitted on other sites say that readers would not call it content.

use super::blocks::{Block, PageBlocks};
use super::features::Rows;
use super::forest::probability;
use super::kind::{KindScores, PageKind};
use super::landmarks::{Landmarks, TemplateOfBlock, Usual};
use super::markup::Markup;
use super::reconsider::LIST_LINKS;
use super::scorer::Scorer;
use super::second_pass::{self, FirstPass};
use super::single_page::{NOT_SCORED, SinglePage, SinglePageScores};
use super::site::{self, SiteView};
use super::table::SiteTable;
use super::title_parts;
use super::weights::{Calibration, Weights};
use crate::regions::RegionKind;

/// From this number of other pages on, repetition alone can decide.
const OTHERS_SURE: u32 = 3;
/// From this number of other pages on, the kind of the site is used.
const OTHERS_FEW: u32 = 2;
/// From this number of other pages on, the kind of the site is well known.
const OTHERS_MANY: u32 = 4;
/// Text that at least this share of the other pages has at the same place is template whatever its score, in thousandths.
const REPEATED_SURE: u64 = 900;
/// The same share on product pages, where many pages have the same values, and on pages of an unclear kind.
const REPEATED_CAUTIOUS: u64 = 970;
/// On pages of an unclear kind, text that at least this share of the other pages has, in thousandths, is removed if its probability of
/// content is below [`HARDLY_CONTENT`].
const REPEATED_SOME: u64 = 100;
/// A probability, in thousandths, below which a block is almost never content.
pub(super) const HARDLY_CONTENT: u16 = 100;
/// If the log-odds of the likeliest kind are below this, in sixteenths, the kind of the site is unclear.
const KIND_MIN: i8 = -12;
/// Pages are treated as products even if another kind is likelier by up to this margin, in sixteenths of log-odds, because removed values
/// are lost. The second margin is for sites with many known pages.
const PRODUCT_MARGIN: i8 = 12;
const PRODUCT_MARGIN_MANY: i8 = 16;
/// The minimum share of the words kept on a product page that is expected to be content, in thousandths.
const PRODUCT_CONTENT_MIN: u64 = 600;
/// The highest threshold on product pages: a block with a higher probability of content is always kept unless nearly all pages have it.
const PRODUCT_MAX: u16 = 300;
/// The threshold for articles that were compared with other pages, in thousandths.
const ARTICLE_MIN: u16 = 450;
/// The lowest threshold for an article of which less than half of the expected content would be kept otherwise.
const ARTICLE_LEAST: u16 = 50;
/// Bounds of the threshold for all other pages, where it is chosen for the best expected F1.
const OTHER_MIN: u16 = 200;
const OTHER_MAX: u16 = 500;
/// The number of feature rows held in memory at a time.
const ROWS_AT_ONCE: usize = 256;

/// The decision for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Content,
    /// It is removed.
    Goes {
        kind: RegionKind,
        template: TemplateOfBlock,
        /// In percent.
        confidence: u8,
        /// Pages of the site that have the text or, if it changes, its place.
        pages: u32,
    },
}

/// How cautiously text is removed from a page that was compared with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caution {
    /// The kind of the page is known.
    None,
    /// It is a product page: unlikely values are kept as long as most of what is kept is content.
    Values,
    /// The kind of the page is unclear: only what is certainly template is removed.
    Unclear,
}

/// The decisions for a page.
pub(super) struct Judged {
    pub(super) verdicts: Vec<Verdict>,
    /// Repeated markup, each piece with the number of pages that have it.
    pub(super) markup: Vec<(Markup, u32)>,
    /// By block, the log-odds of content.
    pub(super) scores: Vec<i32>,
    pub(super) kind: PageKind,
}

/// Everything that the decisions for a page are based on.
pub(super) struct Judge<'p> {
    pub(super) single_page: SinglePage<'p>,
    /// Only for a page that is not compared with others.
    first_pass: Option<FirstPass>,
    pub(super) site: SiteView<'p>,
    of_site: KindScores,
    weights: &'p Weights,
}

impl<'p> Judge<'p> {
    /// A page compared with its site, or a single page.
    pub(super) fn new(page: &'p PageBlocks, table: Option<&'p SiteTable>, weights: &'p Weights) -> Judge<'p> {
        Judge::with(page, table, weights, |is_open| SinglePage::of_places(page, weights, is_open))
    }

    /// The same for a page that has been scored as a single page.
    pub(super) fn with_scores(
        page: &'p PageBlocks,
        table: Option<&'p SiteTable>,
        weights: &'p Weights,
        single_page: &'p SinglePageScores,
    ) -> Judge<'p> {
        Judge::with(page, table, weights, |is_open| SinglePage::with_scores(page, single_page, is_open))
    }

    /// The same page without its site, with the single-page scores that it already has.
    fn single(page: &'p PageBlocks, weights: &'p Weights, single_page: &'p SinglePage<'p>) -> Judge<'p> {
        Judge::with(page, None, weights, |_| single_page.reused())
    }

    fn with(
        page: &'p PageBlocks,
        table: Option<&'p SiteTable>,
        weights: &'p Weights,
        single_page: impl FnOnce(&dyn Fn(u32) -> bool) -> SinglePage<'p>,
    ) -> Judge<'p> {
        let mut site = SiteView::of(page, table);
        let is_open = open_places(page, &site);
        let single_page = single_page(&|place| is_open[place as usize]);
        site.set_scores(page, &single_page.scores);
        let of_site = table.filter(|table| table.pages > 1).map_or(single_page.kinds, SiteTable::mean_kinds);
        let first_pass = (site.others() == 0).then(|| FirstPass::of(page, &single_page.scores));
        Judge { single_page, first_pass, site, of_site, weights }
    }

    /// The trees that score the blocks.
    pub(super) fn scorer(&self) -> &'p Scorer {
        if self.first_pass.is_some() { &self.weights.second_pass } else { &self.weights.with_site }
    }

    /// The features of a block, for these trees.
    pub(super) fn row(&self, at: usize, rows: &mut Rows) {
        let (page, view) = (self.single_page.page, &self.single_page.view);
        rows.add(self.single_page.row(at), |row| match &self.first_pass {
            Some(first_pass) => second_pass::of_block(first_pass, page, view, at, row),
            None => {
                site::of_block(&self.site, page, view, at, row);
                self.of_site.iter().for_each(|score| row.push(i64::from(*score)));
            }
        });
    }

    /// The likeliest kind of the page: that of its site, if the page is compared with others.
    pub(super) fn kind(&self) -> PageKind {
        let best = (0..PageKind::ALL.len()).rev().max_by_key(|at| self.of_site[*at]).unwrap_or(0);
        PageKind::ALL[best]
    }

    /// The final scores of all blocks.
    fn scores(&self) -> Vec<i32> {
        let mut scores = vec![NOT_SCORED; self.single_page.scores.len()];
        let open: Vec<usize> = (0..scores.len()).filter(|at| !is_surely_template(&self.site, *at)).collect();
        let mut rows = Rows::with_capacity(open.len().min(ROWS_AT_ONCE));
        for some in open.chunks(ROWS_AT_ONCE) {
            rows.rows.clear();
            some.iter().for_each(|at| self.row(*at, &mut rows));
            for (at, score) in some.iter().zip(self.scorer().scores(&rows.rows)) {
                // Both passes count equally: the second has more context, but spreads errors of the first pass to neighbouring blocks.
                scores[*at] = if self.first_pass.is_some() {
                    (score + self.single_page.scores[*at]) / 2
                } else {
                    score
                };
            }
        }
        if self.counts_single_page() {
            let single = Judge::single(self.single_page.page, self.weights, &self.single_page).scores();
            scores.iter_mut().zip(single).for_each(|(score, single)| *score = (*score + 2 * single) / 3);
        }
        scores
    }

    /// Whether the single-page scores count twice as much as the comparison with one other page, which may be of another kind. Not in
    /// documentation and catalogues: there, one other page is enough to recognise the template, and a single page rarely shows it.
    fn counts_single_page(&self) -> bool {
        self.site.others() == 1 && !matches!(self.kind(), PageKind::Documentation | PageKind::Product)
    }

    /// The caution that the kind of the site calls for.
    fn caution(&self) -> Caution {
        let others = self.site.others();
        if others < OTHERS_FEW {
            return Caution::None;
        }
        let is_sure = others >= OTHERS_MANY;
        let margin = if is_sure { PRODUCT_MARGIN_MANY } else { PRODUCT_MARGIN };
        let [product, best] = [PageKind::Product, self.kind()].map(|kind| self.of_site[kind as usize]);
        match () {
            () if product >= best.saturating_sub(margin) => Caution::Values,
            () if is_sure && best < KIND_MIN => Caution::Unclear,
            () => Caution::None,
        }
    }

    fn stays(&self, at: usize, probability: u16, threshold: u16, caution: Caution) -> bool {
        match caution {
            Caution::None => probability > threshold,
            Caution::Values => probability > threshold && self.may_be_value(at, probability),
            Caution::Unclear => {
                let is_hardly = probability < HARDLY_CONTENT && self.site.is_at_place_on(at, REPEATED_SOME);
                !self.is_everywhere(at) && !is_hardly
            }
        }
    }

    fn is_everywhere(&self, at: usize) -> bool {
        self.site.is_at_place_on(at, REPEATED_CAUTIOUS)
    }

    /// Whether a block of a product page may be a value, which many pages may share. Text on nearly all pages is none, and neither is an
    /// unlikely link on half of them, which belongs to a menu.
    fn may_be_value(&self, at: usize, probability: u16) -> bool {
        let is_link = self.single_page.page.blocks[at].link_density() >= LIST_LINKS;
        let is_on_half = self.site.pages_with_text(at) * 2 >= self.site.others();
        let is_of_menu = is_link && is_on_half && probability < HARDLY_CONTENT;
        !(self.is_everywhere(at) || is_of_menu)
    }

    /// Decides on all blocks.
    pub(super) fn judge(&self, certainty: f64) -> Judged {
        let scores = self.scores();
        let probabilities: Vec<u16> = scores.iter().map(|score| probability(*score)).collect();
        let caution = self.caution();
        let threshold = adjusted(self.threshold(&probabilities, caution), certainty);
        let mut stays: Vec<bool> =
            (0..scores.len()).map(|at| self.stays(at, probabilities[at], threshold, caution)).collect();
        self.reconsider(&mut stays, &probabilities, caution);
        if self.site.others() > 0 && !stays.contains(&true) {
            stays = self.rest(certainty);
        }
        let page = self.single_page.page;
        let landmarks = Landmarks::of(page, &stays, &self.usual(&stays));
        let verdict = |at: usize| match stays[at] {
            true => Verdict::Content,
            false => self.verdict(at, scores[at], landmarks.template_of(page, &page.blocks[at])),
        };
        let verdicts = (0..scores.len()).map(verdict).collect();
        Judged { verdicts, markup: self.repeated_markup(), scores, kind: self.kind() }
    }

    /// What is usual at the place of each block, over all pages that have the place. If no other page has it, this page decides.
    fn usual(&self, stays: &[bool]) -> Vec<Usual> {
        let page = self.single_page.page;
        let mut blocks_at = vec![0; page.places.len()];
        page.blocks.iter().for_each(|block| blocks_at[block.place as usize] += 1);
        let usual = |(at, block): (usize, &Block)| match self.site.place(page, at) {
            Some(place) => {
                let pages = u64::from(place.pages) * blocks_at[block.place as usize];
                let goes = place.score < 0 || is_surely_template(&self.site, at);
                Usual { words: u64::from(place.words) * 1000 / pages, goes }
            }
            None => Usual { words: u64::from(block.word_count()) * 1000, goes: !stays[at] },
        };
        page.blocks.iter().enumerate().map(usual).collect()
    }

    /// The content of a page of which nothing would be kept: the blocks that no other page has. A copy of another page has none, and is
    /// decided as a single page.
    fn rest(&self, certainty: f64) -> Vec<bool> {
        let own: Vec<bool> =
            (0..self.single_page.scores.len()).map(|at| self.site.pages_with_text(at) == 0).collect();
        if own.contains(&true) {
            return own;
        }
        let single_page = Judge::new(self.single_page.page, None, self.weights);
        let probabilities: Vec<u16> = single_page.scores().iter().map(|score| probability(*score)).collect();
        let threshold = adjusted(single_page_threshold(self.single_page.page, &probabilities), certainty);
        probabilities.iter().map(|probability| *probability > threshold).collect()
    }

    fn threshold(&self, probabilities: &[u16], caution: Caution) -> u16 {
        match self.site.others() {
            _ if caution == Caution::Values => self.product_threshold(probabilities),
            1.. if self.of_site[PageKind::Article as usize] > 0 => self.article_threshold(probabilities),
            _ => single_page_threshold(self.single_page.page, probabilities),
        }
    }

    /// The lowest threshold at which most of what is kept is expected to be content. Values look like templates, so this keeps as much as
    /// possible: nearly everything in a plain catalogue, but hardly any menu of a modern shop.
    fn product_threshold(&self, probabilities: &[u16]) -> u16 {
        let page = self.single_page.page;
        let may_stay = |at: &usize| self.may_be_value(*at, probabilities[*at]);
        let mut order: Vec<usize> = (0..probabilities.len()).filter(may_stay).collect();
        order.sort_by_key(|at| std::cmp::Reverse(probabilities[*at]));
        let (mut words, mut content, mut threshold) = (0, 0, PRODUCT_MAX);
        for at in order {
            let count = u64::from(page.blocks[at].word_count());
            words += count;
            content += count * u64::from(probabilities[at]);
            if content >= words * PRODUCT_CONTENT_MIN {
                threshold = probabilities[at].saturating_sub(1).min(PRODUCT_MAX);
            }
        }
        threshold
    }

    /// The threshold of an article: [`ARTICLE_MIN`], or lower if that would keep less than half of the expected content.
    fn article_threshold(&self, probabilities: &[u16]) -> u16 {
        let page = self.single_page.page;
        let likely = page.blocks.iter().zip(probabilities.iter().map(|probability| u64::from(*probability)));
        let (mut expected, mut kept) = (0, 0);
        for (block, probability) in likely {
            let words = u64::from(block.word_count());
            expected += words * probability;
            kept += if probability > u64::from(ARTICLE_MIN) { words * 1000 } else { 0 };
        }
        match kept * 2 < expected {
            true => best_expected(page, probabilities).clamp(ARTICLE_LEAST, ARTICLE_MIN),
            false => ARTICLE_MIN,
        }
    }

    fn repeated_markup(&self) -> Vec<(Markup, u32)> {
        let (page, others) = (self.single_page.page, self.site.others());
        let with = |hash| self.site.pages_with_markup(hash);
        let markup = page.markup.iter().copied().filter(|markup| is_repeated(with(markup.hash), others));
        let is_on_most = |hash| with(hash) > 0 && with(hash) * 2 >= others;
        let of_title = title_parts::repeated(&page.title_parts, is_on_most);
        markup.chain(of_title).map(|markup| (markup, with(markup.hash) + 1)).collect()
    }

    fn verdict(&self, at: usize, score: i32, template: TemplateOfBlock) -> Verdict {
        let (others, with) = (self.site.others(), self.site.pages_with_text(at));
        let (page, view) = (self.single_page.page, &self.single_page.view);
        let place = self.site.place(page, at);
        let outer = view.containers(&page.blocks[at])[2];
        let is_stable = place.is_some_and(|place| place.pages * 2 > others);
        let is_in_template =
            is_stable && (template.sort.is_of_site() || self.site.repeated_around(view, outer) >= 300);
        let (kind, pages) = match () {
            () if is_repeated(with, others) => (RegionKind::Repeated, with + 1),
            () if is_in_template => (RegionKind::Changing, place.map_or(1, |place| place.pages)),
            () => (RegionKind::Clutter, 1),
        };
        Verdict::Goes { kind, template, confidence: self.confidence(score), pages }
    }

    /// The confidence that a block with this score is not content, in percent, calibrated on held-out sites.
    pub(super) fn confidence(&self, score: i32) -> u8 {
        self.weights.calibration(self.kind()).confidence(score)
    }
}

/// Whether text or markup that `with` of the other pages have counts as repeated.
fn is_repeated(with: u32, others: u32) -> bool {
    with > 0 && with * 10 >= others
}

/// By place, whether its blocks need scores. Certain template needs none, unless its place also has other text.
fn open_places(page: &PageBlocks, site: &SiteView<'_>) -> Vec<bool> {
    let mut is_open = vec![false; page.places.len()];
    for (at, block) in page.blocks.iter().enumerate() {
        is_open[block.place as usize] |= !is_surely_template(site, at);
    }
    is_open
}

/// Whether nearly all other pages have the text at the same place.
pub(super) fn is_surely_template(site: &SiteView<'_>, at: usize) -> bool {
    site.others() >= OTHERS_SURE && site.is_at_place_on(at, REPEATED_SURE)
}

impl Calibration {
    /// The confidence that a block with this score is not content, in percent.
    fn confidence(self, score: i32) -> u8 {
        let score = i64::from(score) * i64::from(self.scale) / 1000 + i64::from(self.shift);
        ((1005 - u32::from(probability(score as i32))) / 10).clamp(1, 99) as u8
    }
}

/// Adapts a threshold to the parameter `certainty`; 0.5 leaves it unchanged.
fn adjusted(threshold: u16, certainty: f64) -> u16 {
    (f64::from(threshold) * 2.0 * (1.0 - certainty)).round().min(990.0) as u16
}

/// The threshold of a single page.
fn single_page_threshold(page: &PageBlocks, probabilities: &[u16]) -> u16 {
    best_expected(page, probabilities).clamp(OTHER_MIN, OTHER_MAX)
}

/// The threshold with the best expected F1 of the words that are kept.
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
        // Fractions are compared by cross-multiplication, without rounding.
        if u128::from(right) * u128::from(best.1) > u128::from(best.0) * u128::from(kept + all) {
            best = (right, kept + all);
            threshold = probabilities[at].saturating_sub(1);
        }
    }
    threshold
}

#[cfg(test)]
mod tests {
    use super::super::record;
    use super::super::weights::WEIGHTS;
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    #[test]
    fn pages_may_have_millions_of_words() {
        let block = |first| Block { words: (first, first + 4_000_000), ..Block::default() };
        let page = PageBlocks { blocks: vec![block(0), block(4_000_000)], ..PageBlocks::default() };
        // Without the second half, 90 % of the kept words are expected to be content, and 90 % of the content is kept.
        assert_eq!(best_expected(&page, &[900, 100]), 899);
    }

    fn blocks_of(html: &str) -> PageBlocks {
        PageBlocks::of(PageParser::new().open(PageBytes::utf8(html.as_bytes())).document())
    }

    #[test]
    fn what_usually_goes_is_known_from_all_pages() {
        let page = |number: usize| {
            let prose =
                format!("On day {number}, the kettle boils water, pours it over the leaves, and waits. ");
            let own = if number == 0 { "<div class=own>Only here</div>" } else { "" };
            blocks_of(&format!(
                "<nav><a href=/>Home</a></nav><p>{}</p><div class=price>Tea</div><div class=price>Milk</div>{own}",
                prose.repeat(number + 1)
            ))
        };
        let pages: Vec<PageBlocks> = (0..4).map(page).collect();
        let record = |page: &PageBlocks| {
            let single_page = SinglePage::of(page, &WEIGHTS);
            let mut record = Vec::new();
            record::write(page, single_page.kinds, &single_page.scores, &mut record);
            record
        };
        let records: Vec<Vec<u64>> = pages.iter().map(record).collect();
        let table = SiteTable::of(records.iter().map(Vec::as_slice));
        let judge = Judge::new(&pages[0], Some(&table), &WEIGHTS);
        let usual = |stays: bool| -> Vec<(u64, bool)> {
            judge.usual(&[stays; 5]).iter().map(|usual| (usual.words, usual.goes)).collect()
        };
        // The prose of the four pages has 14, 28, 42 and 56 words. Two words of two texts at one place are one for each.
        let known = [(1000, true), (35_000, false), (1000, true), (1000, true)];
        assert_eq!(usual(true), [&known[..], &[(2000, false)]].concat());
        assert_eq!(usual(false), [&known[..], &[(2000, true)]].concat());
        // A single page knows only itself.
        let single = Judge::new(&pages[0], None, &WEIGHTS).usual(&[true, false, true, true, true]);
        assert_eq!(
            single.iter().map(|usual| usual.goes).collect::<Vec<_>>(),
            [false, true, false, false, false]
        );
    }
}
