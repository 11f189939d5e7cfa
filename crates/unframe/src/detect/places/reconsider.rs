//! Rules that correct the decisions for single blocks where these contradict each other: half of a list, a label without its value.

use super::blocks::Block;
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

impl Judge<'_> {
    /// Applies all rules to a page.
    pub(super) fn reconsider(&self, stays: &mut [bool], probabilities: &[u16], caution: Caution) {
        self.keep_paragraphs(stays, probabilities);
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
    use super::super::blocks::PageBlocks;
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
