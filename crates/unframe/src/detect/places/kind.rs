//! The kind of a page: article, product, listing, forum, documentation, service. What counts as content depends on the kind, so the scores of
//! all kinds are features of every block.

use super::blocks::{Block, PageBlocks};
use super::elements::ancestor;
use super::features::{PageView, RowWriter, Rows, of_page, share};
use super::forest::{UNIT, probability};
use super::scorer::{Row, Scorer};
use super::single_page::sixteenths;
use crate::html::tag::Tag;
use crate::metadata::DeclaredKind;

/// A kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageKind {
    /// News, blog posts, essays.
    Article,
    /// One item with its values: a product, a person, a job.
    Product,
    /// Many items in brief: search results, categories.
    Listing,
    /// Posts of several people.
    Forum,
    /// Manuals, references, wikis.
    Documentation,
    /// What an organisation offers.
    Service,
    /// None of these, or too uncertain to say. No page is scored for this kind.
    Other,
}

impl PageKind {
    /// The kinds that pages are scored for: all except [`PageKind::Other`].
    pub const ALL: [PageKind; 6] = [
        PageKind::Article,
        PageKind::Product,
        PageKind::Listing,
        PageKind::Forum,
        PageKind::Documentation,
        PageKind::Service,
    ];

    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Product => "product",
            PageKind::Listing => "listing",
            PageKind::Forum => "forum",
            PageKind::Documentation => "documentation",
            PageKind::Service => "service",
            PageKind::Other => "other",
        }
    }
}

/// The log-odds of each kind, in sixteenths.
pub type KindScores = [i8; PageKind::ALL.len()];

/// The scores of a page, from its features.
pub(super) fn scores(scorers: &[Scorer], row: &Row) -> KindScores {
    std::array::from_fn(|kind| {
        let score = scorers.get(kind).map_or(0, |scorer| scorer.scores(std::slice::from_ref(row))[0]);
        sixteenths(score)
    })
}

/// The likeliest kind, the first one of equals, and its share of the probabilities of all kinds, in percent.
pub(super) fn likeliest(scores: KindScores) -> (PageKind, u8) {
    let shares = scores.map(|score| u32::from(probability(i32::from(score) * (UNIT / 16))));
    let (at, best) = shares
        .iter()
        .enumerate()
        .fold((0, 0), |best, (at, share)| if *share > best.1 { (at, *share) } else { best });
    let all: u32 = shares.iter().sum();
    (PageKind::ALL[at], ((best * 100 + all / 2) / all.max(1)) as u8)
}

/// A kind is reported if it is likelier than all others together, in percent.
const REPORTED_MIN: u8 = 50;
/// How much a certain declaration adds to the score of its kind and takes from the others.
const CERTAIN: i8 = 80;
/// How much any other declaration does.
const LIKELY: i8 = 16;

/// The kind to report, from the scores of a page and what the page declares, and its probability in percent.
pub(super) fn reported(scores: KindScores, declared: Option<DeclaredKind>) -> (PageKind, u8) {
    let (kind, percent) = likeliest(declared.map_or(scores, |declared| with(scores, declared)));
    match percent < REPORTED_MIN {
        true => (PageKind::Other, 100 - percent),
        false => (kind, percent),
    }
}

/// The scores of a page that declares its kind. The declaration is no feature of the fitted scores, on which cleaning depends.
fn with(scores: KindScores, declared: DeclaredKind) -> KindScores {
    let weight = if declared.is_certain { CERTAIN } else { LIKELY };
    std::array::from_fn(|at| match PageKind::ALL[at] == declared.kind {
        true => scores[at].saturating_add(weight),
        false => scores[at].saturating_sub(weight),
    })
}

/// Packs scores into one word of a record.
pub(super) fn pack(scores: KindScores) -> u64 {
    scores.iter().fold(0, |packed, score| packed << 8 | u64::from(*score as u8))
}

/// The inverse of [`pack`].
pub(super) fn unpack(packed: u64) -> KindScores {
    let len = PageKind::ALL.len();
    std::array::from_fn(|at| (packed >> (8 * (len - 1 - at))) as u8 as i8)
}

/// Features of the page as a whole.
pub(super) fn features(view: &PageView<'_>, page: &PageBlocks) -> Row {
    let mut rows = Rows::default();
    rows.add(&[], |row| write(view, page, row));
    rows.rows[0]
}

fn write(view: &PageView<'_>, page: &PageBlocks, row: &mut RowWriter<'_>) {
    let blocks = &page.blocks;
    let (words, count) = (view.words(), blocks.len() as u64);
    let words_of = |is: &dyn Fn(usize, &Block) -> bool| -> u64 {
        blocks
            .iter()
            .enumerate()
            .filter(|(at, block)| is(*at, block))
            .map(|(_, block)| u64::from(block.word_count()))
            .sum()
    };
    let inside = |tags: &[Tag]| {
        let bits = tags.iter().fold(0, |bits, tag| bits | ancestor(*tag));
        share(words_of(&|_, block| page.element(block.element).is_in(bits)), words)
    };
    let is_prose = |at: usize| view.prose[at] > 0;
    let blocks_with = |is: &dyn Fn(&Block) -> bool| blocks.iter().filter(|block| is(block)).count() as u64;
    row.push(words as i64);
    row.push(count as i64);
    row.push(share(view.all_prose(), words));
    row.push(view.all_prose() as i64);
    let run = longest_run(view);
    row.push(share(run, words));
    row.push(run as i64);
    let linked: u64 = blocks
        .iter()
        .map(|block| u64::from(block.word_count()) * u64::from(block.link_density()) / 1000)
        .sum();
    row.push(share(linked, words));
    for tags in [
        &[Tag::UL, Tag::OL][..],
        &[Tag::TABLE],
        &[Tag::DL],
        &[Tag::PRE],
        &[Tag::FORM, Tag::SELECT, Tag::BUTTON],
        &[Tag::ARTICLE],
        &[Tag::MAIN],
        &[Tag::FIGURE],
    ] {
        row.push(inside(tags));
    }
    row.push(share(blocks_with(&|block| block.word_count() <= 4), count));
    row.push(view.place_count() as i64);
    let (most, most_words, most_links) = view.largest_place();
    row.push(most as i64);
    row.push(share(most_words, words));
    row.push(share(most_links, most_words));
    let is_heading = |block: &Block| {
        page.element(block.element).is_heading() || page.element(block.container).is_heading()
    };
    row.push(blocks_with(&is_heading) as i64);
    row.push(share(words_of(&|_, block| is_heading(block)), words));
    let (digits, chars) = blocks.iter().fold((0, 0), |(digits, chars), block| {
        (digits + u64::from(block.shape.digits), chars + u64::from(block.shape.chars))
    });
    row.push(share(digits, chars));
    row.push(share(blocks_with(&|block| block.shape.has_date), count));
    row.push(blocks_with(&|block| block.shape.has_date) as i64);
    row.push((0..blocks.len()).filter(|at| is_prose(*at)).count() as i64);
    row.push(blocks.iter().map(|block| i64::from(block.word_count())).max().unwrap_or(0));
    row.push(view.main_share());
    row.push(share(words_of(&|at, block| block.link_density() < 300 && !is_prose(at)), words));
    row.push((words * 10 / count.max(1)) as i64);
    row.push(view.last_prose());
    of_page(view, row);
}

/// The words of the longest run of prose with gaps of at most two other blocks.
fn longest_run(view: &PageView<'_>) -> u64 {
    let (mut best, mut run, mut gap) = (0, 0, 0);
    for prose in &view.prose {
        if *prose > 0 {
            (run, gap) = (run + u64::from(*prose), 0);
        } else {
            gap += 1;
            run = if gap > 2 { 0 } else { run };
        }
        best = best.max(run);
    }
    best
}

/// The number of features.
#[cfg(feature = "fitting")]
pub(super) const FEATURES: usize = 31 + super::facts::KIND_HINTS.len() + super::facts::COUNTED.len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_kind_is_as_likely_as_it_is_beside_the_others() {
        // Log-odds of 2 and of -4: 0.881 of 0.881 + 5 * 0.018.
        assert_eq!(likeliest([-64, -64, 32, -64, -64, -64]), (PageKind::Listing, 91));
        // Everything speaks against all of them.
        assert_eq!(likeliest([-127; 6]), (PageKind::Article, 0));
        assert_eq!(likeliest([48, 48, -127, -127, -127, -127]), (PageKind::Article, 50));
    }

    #[test]
    fn a_kind_that_is_not_likelier_than_all_others_is_other() {
        assert_eq!(reported([48, 40, 40, -127, -127, -127], None), (PageKind::Other, 66));
        assert_eq!(reported([48, -64, -64, -64, -64, -64], None).0, PageKind::Article);
        assert!(!PageKind::ALL.contains(&PageKind::Other));
    }

    #[test]
    fn what_a_page_declares_outweighs_what_it_looks_like() {
        // The page looks like documentation.
        let scores = [-48, -64, -64, -48, 40, -64];
        let declared = |kind, is_certain| reported(scores, Some(DeclaredKind { kind, is_certain })).0;
        assert_eq!(reported(scores, None).0, PageKind::Documentation);
        assert_eq!(declared(PageKind::Forum, true), PageKind::Forum);
        assert_eq!(declared(PageKind::Article, true), PageKind::Article);
        assert_eq!(declared(PageKind::Article, false), PageKind::Documentation);
    }

    #[test]
    fn scores_fit_into_a_word() {
        let scores = [1, -1, 127, -127, 0, 5];
        assert_eq!(unpack(pack(scores)), scores);
    }
}
