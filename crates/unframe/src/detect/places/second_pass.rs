//! Features for the second pass over a single page: the first-pass scores of the text around each block.
//!
//! The first pass scores every block separately. It does not know that a paragraph between two likely paragraphs is likely content itself,
//! and so is a caption in the container with most of the likely content.

use std::collections::HashMap;

use super::blocks::PageBlocks;
use super::features::{LEVELS, NEIGHBOURS, PageView, RowWriter, running, share};
use super::forest::probability;
use super::single_page::sixteenths;
use crate::sample::PieceHasher;

/// The score of a neighbour that does not exist; real scores are larger.
const NONE: i64 = -128;
/// The distance to a block that does not exist.
const FAR: i64 = 999;
/// Numbers of blocks before and after a block whose scores are aggregated.
const REACHES: [usize; 3] = [2, 5, 15];
/// The minimum probability of likely content, in thousandths.
const LIKELY: u16 = 500;
/// The minimum share of the expected content inside the main container, in thousandths.
const MAIN_SHARE: u64 = 800;

/// The first-pass scores of a page, aggregated by context. *Expected words* are words times their probability of content, in thousandths.
pub(super) struct FirstPass {
    scores: Vec<i8>,
    /// Prefix sums of expected words over the blocks; the last entry is the total.
    expected_before: Vec<u64>,
    words_before: Vec<u64>,
    /// Expected words inside each element.
    expected_inside: Vec<u64>,
    /// Expected words and all words of each place, and of each path of tags.
    places: Vec<(u64, u64)>,
    tag_paths: HashMap<u32, (u64, u64), PieceHasher>,
    /// By block, the nearest blocks of likely content before and after it.
    likely_at_left: Vec<Option<u32>>,
    likely_at_right: Vec<Option<u32>>,
    /// The first and the last block of likely content.
    likely: Option<(usize, usize)>,
    /// By block, the last heading before it.
    headings: Vec<Option<u32>>,
    /// By element, its distance from the main container; only for that container and its ancestors.
    main_path: Vec<Option<u16>>,
}

impl FirstPass {
    /// Aggregates the scores of all blocks of a page.
    pub(super) fn of(page: &PageBlocks, scores: &[i32]) -> FirstPass {
        let probabilities: Vec<u16> = scores.iter().map(|score| probability(*score)).collect();
        let words = |at: usize| u64::from(page.blocks[at].word_count());
        let expected = |at: usize| words(at) * u64::from(probabilities[at]);
        let mut expected_inside = vec![0; page.elements.len()];
        let mut places = vec![(0, 0); page.places.len()];
        let mut tag_paths: HashMap<u32, (u64, u64), PieceHasher> = HashMap::default();
        for (at, block) in page.blocks.iter().enumerate() {
            expected_inside[block.container as usize] += expected(at);
            let path = tag_paths.entry(page.element(block.element).tag_path).or_default();
            for sums in [&mut places[block.place as usize], path] {
                *sums = (sums.0 + expected(at), sums.1 + words(at));
            }
        }
        for at in (1..expected_inside.len()).rev() {
            expected_inside[page.elements[at].parent as usize] += expected_inside[at];
        }
        let is_likely = |at: &usize| probabilities[*at] >= LIKELY;
        let blocks = || 0..page.blocks.len();
        let is_heading = |at: &usize| page.element(page.blocks[*at].container).is_heading();
        let mut likely_at_right = last(blocks().rev(), is_likely);
        likely_at_right.reverse();
        FirstPass {
            scores: scores.iter().map(|score| sixteenths(*score)).collect(),
            expected_before: running(blocks().map(expected)),
            words_before: running(blocks().map(words)),
            main_path: main_path(page, &expected_inside),
            expected_inside,
            places,
            tag_paths,
            likely_at_left: last(blocks(), is_likely),
            likely_at_right,
            likely: blocks().find(is_likely).zip(blocks().rev().find(is_likely)),
            headings: last(blocks(), is_heading),
        }
    }

    fn all_expected(&self) -> u64 {
        self.expected_before.last().copied().unwrap_or(0)
    }

    /// Expected words as a share of all words, in thousandths.
    fn share_of(sums: (u64, u64)) -> i64 {
        share(sums.0 / 1000, sums.1)
    }

    /// The same share over the blocks near a block, without the block itself.
    fn share_near(&self, at: usize, reach: usize) -> i64 {
        let (first, end) = (at.saturating_sub(reach), (at + reach + 1).min(self.scores.len()));
        let near = |sums: &[u64]| sums[end] - sums[first] - (sums[at + 1] - sums[at]);
        FirstPass::share_of((near(&self.expected_before), near(&self.words_before)))
    }
}

/// The number of features of [`of_block`].
pub(super) const AROUND_FEATURES: usize = 2 + NEIGHBOURS.len() + REACHES.len() + LEVELS * 2 + 11;

/// Adds the features of a block from the first-pass scores around it.
pub(super) fn of_block(
    first_pass: &FirstPass,
    page: &PageBlocks,
    view: &PageView<'_>,
    at: usize,
    row: &mut RowWriter<'_>,
) {
    let first = row.width();
    let block = &page.blocks[at];
    row.push(i64::from(first_pass.scores[at]));
    row.push(FirstPass::share_of(first_pass.places[block.place as usize]));
    for step in NEIGHBOURS {
        let neighbour = at.checked_add_signed(step as isize).and_then(|at| first_pass.scores.get(at));
        row.push(neighbour.map_or(NONE, |score| i64::from(*score)));
    }
    REACHES.iter().for_each(|reach| row.push(first_pass.share_near(at, *reach)));
    for container in view.containers(block) {
        let expected = first_pass.expected_inside[container as usize];
        row.push(FirstPass::share_of((expected, view.inside[container as usize].words)));
        row.push(share(expected, first_pass.all_expected()));
    }
    row.push(FirstPass::share_of(first_pass.tag_paths[&page.element(block.element).tag_path]));
    row.push(FirstPass::share_of((first_pass.all_expected(), view.words())));
    row.push((first_pass.all_expected() / 1000) as i64);
    row.push(share(first_pass.expected_before[at], first_pass.all_expected()));
    row.push(first_pass.headings[at].map_or(NONE, |heading| i64::from(first_pass.scores[heading as usize])));
    row.push(first_pass.likely_at_left[at].map_or(FAR, |left| at as i64 - i64::from(left)));
    row.push(first_pass.likely_at_right[at].map_or(FAR, |right| i64::from(right) - at as i64));
    let (first_likely, last_likely) = first_pass.likely.unwrap_or_default();
    row.push(at as i64 - first_likely as i64);
    row.push(last_likely as i64 - at as i64);
    let (steps, up) = to_main(first_pass, page, block.container);
    row.push(steps);
    row.push(up);
    debug_assert_eq!(row.width() - first, AROUND_FEATURES);
}

/// Steps from a container up to the nearest element that contains the main container, and from there down to the main container.
fn to_main(first_pass: &FirstPass, page: &PageBlocks, container: u32) -> (i64, i64) {
    let (mut at, mut steps) = (container, 0);
    loop {
        match first_pass.main_path[at as usize] {
            Some(up) => return (steps, i64::from(up)),
            None => (at, steps) = (page.parent(at), steps + 1),
        }
    }
}

fn main_path(page: &PageBlocks, expected: &[u64]) -> Vec<Option<u16>> {
    let enough = expected.first().copied().unwrap_or(0) * MAIN_SHARE / 1000;
    // Children come after their parents, so the last element with enough is the innermost.
    let main = expected.iter().rposition(|inside| *inside >= enough.max(1)).unwrap_or(0);
    let mut path = vec![None; page.elements.len()];
    let (mut at, mut distance) = (main as u32, 0u16);
    loop {
        path[at as usize] = Some(distance);
        if at == 0 {
            return path;
        }
        (at, distance) = (page.parent(at), distance.saturating_add(1));
    }
}

/// For each block in this order, the last earlier block for which `holds` is true.
fn last(order: impl Iterator<Item = usize>, holds: impl Fn(&usize) -> bool) -> Vec<Option<u32>> {
    let mut last = None;
    order
        .map(|at| {
            let found = last;
            if holds(&at) {
                last = Some(at as u32);
            }
            found
        })
        .collect()
}

/// The names of the features of [`of_block`].
pub(super) fn names() -> Vec<String> {
    let mut names = vec!["single_page".to_owned(), "single_page_place".to_owned()];
    names.extend(NEIGHBOURS.map(|step| format!("around_neighbour{step}")));
    names.extend(REACHES.map(|reach| format!("around_near{reach}")));
    for level in 0..LEVELS {
        names.extend([format!("around_container{level}"), format!("around_container{level}_part")]);
    }
    names.extend(
        "around_tag_path around_page around_page_words around_before around_heading around_left around_right around_since_first around_until_last \
         around_main_steps around_main_up"
            .split_whitespace()
            .map(str::to_owned),
    );
    names
}

#[cfg(test)]
mod tests {
    use super::super::features::Rows;
    use super::super::forest::UNIT;
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    /// Scores of a menu, a heading, two paragraphs and a footer, as log-odds.
    const PAGE: &str = "<div id=menu>Home</div><article><h2>Tea</h2><p>Boil the water</p><p>Wait a while</p></article><div id=end>Imprint</div>";
    const SCORES: [i32; 5] = [-4 * UNIT, 0, 4 * UNIT, 4 * UNIT, -4 * UNIT];

    /// A feature of every block.
    fn feature(name: &str) -> Vec<i16> {
        let mut parser = PageParser::new();
        let parsed = parser.open(PageBytes::utf8(PAGE.as_bytes()));
        let page = PageBlocks::of(parsed.document());
        let (view, first_pass) = (PageView::of(&page), FirstPass::of(&page, &SCORES));
        let number = names().iter().position(|known| known == name).expect("a feature");
        let mut rows = Rows::default();
        (0..SCORES.len()).for_each(|at| rows.add(&[], |row| of_block(&first_pass, &page, &view, at, row)));
        assert_eq!(rows.width(), names().len());
        rows.rows.iter().map(|row| row[number]).collect()
    }

    #[test]
    fn blocks_know_what_was_said_of_their_neighbours() {
        assert_eq!(feature("single_page"), [-64, 0, 64, 64, -64]);
        assert_eq!(feature("around_neighbour-1"), [-128, -64, 0, 64, 64]);
        assert_eq!(feature("around_neighbour1"), [0, 64, 64, -64, -128]);
        assert_eq!(feature("around_heading"), [-128, -128, 0, 0, 0]);
    }

    #[test]
    fn blocks_know_how_far_likely_content_is() {
        assert_eq!(feature("around_left"), [999, 999, 1, 1, 1]);
        assert_eq!(feature("around_right"), [1, 1, 1, 999, 999]);
        assert_eq!(feature("around_since_first"), [-1, 0, 1, 2, 3]);
    }

    #[test]
    fn the_main_container_has_most_of_what_is_likely() {
        // The article is the main container; menu and footer are its siblings.
        assert_eq!(feature("around_main_steps"), [1, 1, 1, 1, 1]);
        assert_eq!(feature("around_main_up"), [1, 0, 0, 0, 1]);
    }
}
