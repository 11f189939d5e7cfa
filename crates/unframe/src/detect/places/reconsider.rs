//! What becomes of a block beside what became of its neighbours: decisions about single blocks that make no sense together are corrected.

use super::blocks::Block;
use super::decide::{Caution, HARDLY_CONTENT, Judge, is_surely_template};
use super::elements::ancestor;
use crate::html::tag::Tag;

/// Items that make a list, and the share of their characters in links, in thousandths.
const LIST_ITEMS: usize = 3;
pub(super) const LIST_LINKS: u32 = 600;
/// Words that a label has at most.
const LABEL_WORDS: u32 = 6;
/// Words of a text from which on its heading belongs to it.
const HEADED_WORDS: u32 = 4;

impl Judge<'_> {
    /// Corrects what stays of a page.
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

    /// The items of a list of links stay or go together, as most of their words do.
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

    /// A paragraph stays if the text before and after it at the same place does, as most of it: nobody cuts a paragraph out of an article.
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

    /// Preformatted text that no other page has stays with the text right above it.
    fn keep_listings(&self, stays: &mut [bool]) {
        let page = self.single_page.page;
        let preformatted = ancestor(Tag::PRE);
        for at in 1..stays.len() {
            let is_preformatted = page.element(page.blocks[at].element).is_in(preformatted);
            stays[at] |= is_preformatted && stays[at - 1] && self.site.pages_with_text(at) == 0;
        }
    }

    /// A heading that no other page has stays with the text right below it, though other pages have one like it at the same place.
    fn keep_headings(&self, stays: &mut [bool]) {
        let (page, blocks) = (self.single_page.page, &self.single_page.page.blocks);
        let is_heading = |at: usize| page.element(blocks[at].container).is_heading();
        for at in 0..stays.len().saturating_sub(1) {
            let is_own = is_heading(at) && self.site.pages_with_text(at) == 0;
            stays[at] |= is_own && stays[at + 1] && blocks[at + 1].word_count() >= HEADED_WORDS;
        }
    }

    /// The headline stays: the heading that is most like the title of the page, if no other page has it at the same place. Some of those who
    /// marked the content of pages left headlines out; a reader would not.
    fn keep_headline(&self, stays: &mut [bool]) {
        let Some(at) = self.single_page.view.title else { return };
        let page = self.single_page.page;
        let is_heading = page.element(page.blocks[at].container).is_heading();
        stays[at] |= is_heading && self.site.pages_with_text(at) == 0;
    }

    /// A label that all pages have stays with what it is the label of: the next cell of its row, the row below it, or the description of a term.
    fn keep_labels(&self, stays: &mut [bool]) {
        let (page, blocks) = (self.single_page.page, &self.single_page.page.blocks);
        let cells: Vec<Option<u32>> = blocks.iter().map(|block| page.cell(block)).collect();
        let is_short = |block: &Block| block.word_count() <= LABEL_WORDS && block.link_density() < LIST_LINKS;
        // From the end, so that a row of several labels stays with the value after the last one.
        for at in (1..stays.len()).rev() {
            let (Some(label), Some(value)) = (cells[at - 1], cells[at]) else { continue };
            // A cell with several lines is no label but a column of the page, such as the one with the author of a post.
            let has_no_label_before = at == 1 || cells[at - 2] != Some(label);
            stays[at - 1] |=
                stays[at] && has_no_label_before && is_short(&blocks[at - 1]) && page.is_label(label, value);
        }
    }
}

/// The paragraphs of a page at one place.
#[derive(Debug, Clone, Copy, Default)]
struct Paragraphs {
    /// The first and the last one that stays.
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

    /// Whether a paragraph is between two that stay, as most do.
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
        // What follows the last one that stays may be a notice at the end.
        assert!(!paragraphs([true, true, true, false]).surround(3));
        assert!(!paragraphs([true, false, false, true]).surround(1), "only half of the words stay");
        assert!(!Paragraphs::default().surround(0));
    }
}
