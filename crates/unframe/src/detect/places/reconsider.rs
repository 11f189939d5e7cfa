//! Rules that correct the decisions for single blocks where these contradict each other: half of a list, a label without its value.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{Block, PageBlocks};
use super::decide::{Caution, HARDLY_CONTENT, Judge, is_surely_template};
use super::elements::ancestor;
use crate::html::tag::Tag;

/// The minimum number of items of a list.
const LIST_ITEMS: usize = 3;
/// The minimum share of linked characters in an item of a list of links, in thousandths.
pub(super) const LIST_LINKS: u32 = 600;
/// The maximum number of words of a label.
const LABEL_WORDS: u32 = 6;
/// The minimum number of words of a text that keeps its heading.
const HEADED_WORDS: u32 = 4;
/// The maximum number of blocks of a section that are examined.
const SECTION_BLOCKS: usize = 64;
/// Where headings are those of a menu or a form, not of a section.
const NOT_HEADED: u32 = ancestor(Tag::NAV)
    | ancestor(Tag::FOOTER)
    | ancestor(Tag::ASIDE)
    | ancestor(Tag::FORM)
    | ancestor(Tag::HEADER);

impl Judge<'_> {
    /// Applies all rules to a page.
    pub(super) fn reconsider(&self, stays: &mut [bool], probabilities: &[u16], caution: Caution) {
        self.keep_paragraphs(stays, probabilities);
        if caution == Caution::None {
            self.keep_tables(stays);
        }
        self.keep_listings(stays);
        if self.site.others() == 0 {
            return;
        }
        if caution == Caution::None {
            self.decide_lists(stays);
            self.keep_headings(stays);
            self.keep_headline(stays);
        }
        self.keep_labels(stays);
        keep_section_headings(self.single_page.page, stays);
    }

    /// The items of a list of links are kept or removed together, like the majority of their words.
    fn decide_lists(&self, stays: &mut [bool]) {
        let page = self.single_page.page;
        let mut lists = vec![Vec::new(); page.places.len()];
        for (at, block) in page.blocks.iter().enumerate() {
            if block.link_density() >= LIST_LINKS && !is_surely_template(&self.site, at) {
                lists[block.place as usize].push(at);
            }
        }
        for items in lists.iter().filter(|items| items.len() >= LIST_ITEMS) {
            let words = |is_counted: &dyn Fn(&usize) -> bool| -> u32 {
                items.iter().filter(|at| is_counted(at)).map(|at| page.blocks[*at].word_count()).sum()
            };
            let most_stay = words(&|at| stays[*at]) * 2 > words(&|_| true);
            items.iter().for_each(|at| stays[*at] = most_stay);
        }
    }

    /// A table of data has no holes: if most of its words are kept, or some of them and the text before and after it, all are kept that no other
    /// page has.
    fn keep_tables(&self, stays: &mut [bool]) {
        let page = self.single_page.page;
        for table in tables_of(page) {
            let words = |is_counted: &dyn Fn(usize) -> bool| -> u64 {
                let counted = table.blocks.iter().filter(|at| is_counted(**at));
                counted.map(|at| u64::from(page.blocks[*at].word_count())).sum()
            };
            let kept = words(&|at| stays[at]);
            let is_inside = kept > 0
                && table.neighbours(stays.len()).is_some_and(|around| around.iter().all(|at| stays[*at]));
            if is_inside || kept * 2 > words(&|_| true) {
                table.blocks.iter().for_each(|at| stays[*at] |= self.site.pages_with_text(*at) == 0);
            }
        }
    }

    /// A paragraph is kept between two kept paragraphs at the same place, if most of the text there is kept: articles have no holes.
    fn keep_paragraphs(&self, stays: &mut [bool], probabilities: &[u16]) {
        let (page, prose) = (self.single_page.page, &self.single_page.view.prose);
        let mut places = vec![Paragraphs::default(); page.places.len()];
        for (at, block) in page.blocks.iter().enumerate().filter(|(at, _)| prose[*at] > 0) {
            places[block.place as usize].add(at, prose[at], stays[at]);
        }
        for (at, block) in page.blocks.iter().enumerate().filter(|(at, _)| prose[*at] > 0) {
            let is_possible = probabilities[at] >= HARDLY_CONTENT && self.site.pages_with_text(at) == 0;
            stays[at] |= is_possible && places[block.place as usize].surround(at);
        }
    }

    /// Preformatted text that no other page has is kept with the text directly before it.
    fn keep_listings(&self, stays: &mut [bool]) {
        let page = self.single_page.page;
        let preformatted = ancestor(Tag::PRE);
        for at in 1..stays.len() {
            let is_preformatted = page.element(page.blocks[at].element).is_in(preformatted);
            stays[at] |= is_preformatted && stays[at - 1] && self.site.pages_with_text(at) == 0;
        }
    }

    /// A heading that no other page has is kept with the text directly after it.
    fn keep_headings(&self, stays: &mut [bool]) {
        let (page, blocks) = (self.single_page.page, &self.single_page.page.blocks);
        let is_heading = |at: usize| page.element(blocks[at].container).is_heading();
        for at in 0..stays.len().saturating_sub(1) {
            let is_own = is_heading(at) && self.site.pages_with_text(at) == 0;
            stays[at] |= is_own && stays[at + 1] && blocks[at + 1].word_count() >= HEADED_WORDS;
        }
    }

    /// The headline, which is the heading most similar to the page's title, is kept if no other page has it. This is a rule because some
    /// gold data leave headlines out, which readers would not.
    fn keep_headline(&self, stays: &mut [bool]) {
        let Some(at) = self.single_page.view.title else { return };
        let page = self.single_page.page;
        let is_heading = page.element(page.blocks[at].container).is_heading();
        stays[at] |= is_heading && self.site.pages_with_text(at) == 0;
    }

    /// A label is kept with its value: the next cell of its row, the row below it, or the description of a term.
    fn keep_labels(&self, stays: &mut [bool]) {
        let (page, blocks) = (self.single_page.page, &self.single_page.page.blocks);
        let cells: Vec<Option<u32>> = blocks.iter().map(|block| page.cell(block)).collect();
        let is_short = |block: &Block| block.word_count() <= LABEL_WORDS && block.link_density() < LIST_LINKS;
        // Backwards, so that a row of several labels is kept with the value after the last one.
        for at in (1..stays.len()).rev() {
            let (Some(label), Some(value)) = (cells[at - 1], cells[at]) else { continue };
            // A cell with several lines is not a label but a column of the layout, such as the author's column of a forum post.
            let has_no_label_before = at == 1 || cells[at - 2] != Some(label);
            stays[at - 1] |=
                stays[at] && has_no_label_before && is_short(&blocks[at - 1]) && page.is_label(label, value);
        }
    }
}

/// A heading is kept with its section, even if other pages have the same heading: "Parameters", "References". The first text below it
/// must be kept, and most of the words up to the next heading of its level. Kept text must precede it: the name of a site, which may be
/// above all text, is no such heading.
fn keep_section_headings(page: &PageBlocks, stays: &mut [bool]) {
    let level = |at: usize| page.element(page.blocks[at].container).heading_level();
    let is_text = |at: usize| level(at).is_none();
    let Some(first) = (0..stays.len()).find(|at| stays[*at]) else { return };
    // Backwards, so that the headings in a section are decided before its own.
    for at in (first + 1..stays.len().saturating_sub(1)).rev().filter(|at| level(*at) > Some(1)) {
        let block = &page.blocks[at];
        if stays[at] || block.link_density() >= LIST_LINKS || page.element(block.element).is_in(NOT_HEADED) {
            continue;
        }
        let scope = common(page, block.container, page.blocks[at + 1].element);
        let is_end = |next: usize| {
            level(next).is_some_and(|next| Some(next) <= level(at))
                || common(page, scope, page.blocks[next].element) != scope
        };
        let below = (at + 1..stays.len()).take(SECTION_BLOCKS);
        let section: Vec<usize> = below.take_while(|next| !is_end(*next)).filter(|at| is_text(*at)).collect();
        let words = |is_counted: &dyn Fn(usize) -> bool| -> u64 {
            let counted = section.iter().filter(|at| is_counted(**at));
            counted.map(|at| u64::from(page.blocks[*at].word_count())).sum()
        };
        let kept = words(&|at| stays[at]);
        let begins = section.first().is_some_and(|at| stays[*at]);
        stays[at] = begins && kept >= u64::from(HEADED_WORDS) && kept * 3 >= words(&|_| true) * 2;
    }
}

/// A table of data, by its blocks.
#[derive(Default)]
struct DataTable {
    blocks: Vec<usize>,
    cells: BTreeSet<u32>,
}

impl DataTable {
    /// Whether it has several rows and columns, of cells with little more than one text each. Other tables are for the layout.
    fn is_data(&self, page: &PageBlocks) -> bool {
        let rows: BTreeSet<u32> = self.cells.iter().map(|cell| page.parent(*cell)).collect();
        rows.len() >= 2
            && self.cells.len() >= rows.len() * 2 - 1
            && self.blocks.len() * 2 <= self.cells.len() * 3
    }

    /// The blocks before and after it.
    fn neighbours(&self, blocks: usize) -> Option<[usize; 2]> {
        let (before, after) = (self.blocks.first()?.checked_sub(1)?, self.blocks.last()? + 1);
        (after < blocks).then_some([before, after])
    }
}

/// The tables of data of a page, without those around other tables.
fn tables_of(page: &PageBlocks) -> impl Iterator<Item = DataTable> {
    let mut tables: BTreeMap<u32, DataTable> = BTreeMap::new();
    for (at, block) in page.blocks.iter().enumerate() {
        if !page.element(block.element).is_in(ancestor(Tag::TABLE)) {
            continue;
        }
        let mut around =
            std::iter::successors(Some(block.container), |at| (*at > 0).then(|| page.parent(*at)));
        if let Some(cell) = around.find(|at| page.element(*at).is_table_cell()) {
            // Around a cell are its row, a section of the table, and the table.
            let table = tables.entry(page.parent(page.parent(page.parent(cell)))).or_default();
            table.blocks.push(at);
            table.cells.insert(cell);
        }
    }
    tables.into_values().filter(|table| table.is_data(page))
}

/// The innermost element that contains both.
fn common(page: &PageBlocks, a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while a != b {
        // Both have parents, because only the root has depth 0.
        match page.element(a).depth.cmp(&page.element(b).depth) {
            Ordering::Less => b = page.parent(b),
            Ordering::Greater => a = page.parent(a),
            Ordering::Equal => (a, b) = (page.parent(a), page.parent(b)),
        }
    }
    a
}

/// The paragraphs of a page at one place.
#[derive(Debug, Clone, Copy, Default)]
struct Paragraphs {
    /// The first and the last kept paragraph.
    stay: Option<(usize, usize)>,
    words: u32,
    words_that_stay: u32,
}

impl Paragraphs {
    fn add(&mut self, at: usize, words: u32, stays: bool) {
        self.words = self.words.saturating_add(words);
        if stays {
            self.stay = Some((self.stay.map_or(at, |(first, _)| first), at));
            self.words_that_stay = self.words_that_stay.saturating_add(words);
        }
    }

    /// Whether a paragraph is between two kept ones, and most words of all paragraphs are kept.
    fn surround(self, at: usize) -> bool {
        let is_between = self.stay.is_some_and(|(first, last)| first < at && at < last);
        is_between && self.words_that_stay > self.words / 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    #[test]
    fn a_listing_stays_with_the_text_above_it() {
        let html = "<p>Read the log</p><pre>error 17\n\nerror 18</pre><p>Imprint</p><pre>v1</pre>";
        let mut parser = PageParser::new();
        let parsed = parser.open(PageBytes::utf8(html.as_bytes()));
        let page = PageBlocks::of(parsed.document());
        let mut stays = [true, false, false, false];
        Judge::new(&page, None, &WEIGHTS).keep_listings(&mut stays);
        assert_eq!(stays, [true, true, false, false]);
    }

    #[test]
    fn tables_of_data_have_no_holes() {
        let check = |html: &str, before: &[bool], expected: &[bool]| {
            let mut parser = PageParser::new();
            let parsed = parser.open(PageBytes::utf8(html.as_bytes()));
            let page = PageBlocks::of(parsed.document());
            let mut stays = before.to_vec();
            Judge::new(&page, None, &WEIGHTS).keep_tables(&mut stays);
            assert_eq!(stays, expected, "{html}");
        };
        let table = "<table><tr><th>Tea<th>Price<tr><td>Sencha<td>7</table>";
        check(table, &[true, true, true, false], &[true; 4]);
        check(table, &[true, false, false, false], &[true, false, false, false]);
        // Text around it stays.
        let inside = format!("<p>before{table}<p>after");
        check(&inside, &[true, true, false, false, false, true], &[true; 6]);
        check(&inside, &[true, false, false, false, false, true], &[true, false, false, false, false, true]);
        // Columns of the layout.
        let layout = "<table><tr><td><p>a<p>b<p>c<p>d<p>e<td>f<tr><td>g<td>h</table>";
        let half = [true, true, true, true, true, false, false, false];
        check(layout, &half, &half);
    }

    #[test]
    fn a_heading_stays_with_its_section() {
        let check = |html: &str, before: &[bool], expected: &[bool]| {
            let mut parser = PageParser::new();
            let page = parser.open(PageBytes::utf8(html.as_bytes()));
            let mut stays = before.to_vec();
            keep_section_headings(&PageBlocks::of(page.document()), &mut stays);
            assert_eq!(stays, expected, "{html}");
        };
        let text = "<p>a text of several words</p>";
        let sections = format!("<p>a</p><h2>Uses</h2><h3>Tea</h3>{text}<h2>More</h2><ul><li>b<li>c</ul>");
        check(
            &sections,
            &[true, false, false, true, false, false, false],
            &[true, true, true, true, false, false, false],
        );
        // The name of the site, and a heading in a sidebar.
        check(&format!("<h2>Site</h2>{text}"), &[false, true], &[false, true]);
        check(
            &format!("{text}<aside><h2>Box</h2>{text}</aside>"),
            &[true, false, true],
            &[true, false, true],
        );
        // A section of which most is removed.
        check(
            &format!("{text}<h2>Box</h2>{text}{text}"),
            &[true, false, true, false],
            &[true, false, true, false],
        );
        // The section ends with the element around it and its heading.
        let divided = format!("{text}<div><div><h2>Box</h2></div>{text}</div>{text}{text}");
        check(&divided, &[true, false, true, false, false], &[true, true, true, false, false]);
    }

    #[test]
    fn a_paragraph_between_two_that_stay_is_surrounded_if_most_words_stay() {
        let paragraphs = |stay: [bool; 4]| {
            let mut paragraphs = Paragraphs::default();
            stay.into_iter().enumerate().for_each(|(at, stays)| paragraphs.add(at, 20, stays));
            paragraphs
        };
        let most = paragraphs([true, false, true, true]);
        assert!(most.surround(1));
        // A paragraph after the last kept one may be a notice at the end of the page.
        assert!(!paragraphs([true, true, true, false]).surround(3));
        assert!(!paragraphs([true, false, false, true]).surround(1), "only half of the words stay");
        assert!(!Paragraphs::default().surround(0));
    }
}
