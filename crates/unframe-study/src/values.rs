//! Scores of gold values: how many survive cleaning, and how much of the repeated text is removed.
//!
//! A value is scored only if the page's visible text contains it, with white space collapsed. Values in attributes or scripts could not be kept by any
//! method. A value survives if the cleaned text contains it as well. A method that removes nothing keeps all values, so the removal is measured too: of
//! the text nodes that occur on more than half of the site's pages, the
//! share of characters that was removed.

use std::collections::{BTreeMap, HashMap, HashSet};

use unframe::regions::RegionCursor;
use unframe::text::content::Share;
use unframe::text::{Piece, is_white};
use unframe::{PageBytes, PageParser, ParsedPage, Region};
use xxhash_rust::xxh3;

/// Maximum number of lost values that are listed for each site.
const LOST_SHOWN: usize = 5;

/// The value score of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValueScore {
    /// The number of gold values.
    pub known: u64,
    /// The number of values that the visible text of their page contains.
    pub visible: u64,
    /// The number of values that the cleaned text contains.
    pub kept: u64,
    /// The number of characters in text nodes that occur on more than half of the pages, and how many of them were removed.
    pub repeated: Share,
    /// The first values that were lost.
    pub lost: Vec<Lost>,
}

/// A value that did not survive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The page.
    pub url: String,
    /// The attribute of the value, such as `price`.
    pub attribute: String,
    /// The value.
    pub value: String,
}

impl ValueScore {
    /// The share of visible values that survive, from 0 to 1; 1 if there are no visible values.
    pub fn kept_share(&self) -> f64 {
        if self.visible == 0 { 1.0 } else { self.kept as f64 / self.visible as f64 }
    }

    /// Counts the values of a page.
    pub fn add_page(&mut self, url: &str, values: &BTreeMap<String, Vec<String>>, full: &str, cleaned: &str) {
        let (full, cleaned) = (collapsed(full), collapsed(cleaned));
        for (attribute, value) in
            values.iter().flat_map(|(name, values)| values.iter().map(move |v| (name, v)))
        {
            self.known += 1;
            let needle = collapsed(value);
            if needle.is_empty() || !full.contains(&needle) {
                continue;
            }
            self.visible += 1;
            if cleaned.contains(&needle) {
                self.kept += 1;
            } else if self.lost.len() < LOST_SHOWN {
                let (url, attribute) = (url.to_owned(), attribute.clone());
                self.lost.push(Lost { url, attribute, value: needle });
            }
        }
    }

    /// Adds the counts of another site.
    pub fn add(&mut self, other: &ValueScore) {
        self.known += other.known;
        self.visible += other.visible;
        self.kept += other.kept;
        self.add_repeated(other.repeated);
    }

    /// Counts repeated text.
    pub fn add_repeated(&mut self, repeated: Share) {
        self.repeated.template += repeated.template;
        self.repeated.total += repeated.total;
    }
}

fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// The text nodes that occur on more than half of a site's pages.
#[derive(Debug, Default)]
pub struct RepeatedText {
    nodes: HashSet<u64>,
}

impl RepeatedText {
    /// Compares the pages of a site. A single page has no repeated text.
    pub fn of<'p>(pages: impl IntoIterator<Item = PageBytes<'p>>, parser: &mut PageParser) -> RepeatedText {
        let (mut pages_with, mut page_count) = (HashMap::<u64, usize>::new(), 0);
        for page in pages {
            let mut on_page = HashSet::new();
            for_each_text_node(&parser.open(page), |node, _| _ = on_page.insert(hash(node)));
            on_page.into_iter().for_each(|node| *pages_with.entry(node).or_default() += 1);
            page_count += 1;
        }
        let is_repeated = |pages: usize| page_count > 1 && pages * 2 > page_count;
        RepeatedText {
            nodes: pages_with
                .into_iter()
                .filter(|(_, pages)| is_repeated(*pages))
                .map(|(node, _)| node)
                .collect(),
        }
    }

    /// The number of characters of repeated text on a page, without white space, and how many of them are in regions.
    pub fn removed(&self, page: &ParsedPage<'_>, regions: &[Region]) -> Share {
        let mut share = Share::default();
        let mut cursor = RegionCursor::new(regions);
        for_each_text_node(page, |node, starts| {
            if self.nodes.contains(&hash(node)) {
                share.total += starts.len() as u64;
                share.template += starts.iter().filter(|start| cursor.at(**start).is_some()).count() as u64;
            }
        });
        share
    }
}

fn hash(node: &str) -> u64 {
    xxh3::xxh3_64(node.as_bytes())
}

/// Calls `each` for every visible text node, with its characters without white space and the start of each character.
fn for_each_text_node(page: &ParsedPage<'_>, mut each: impl FnMut(&str, &[u32])) {
    let source = page.source();
    let (mut node, mut starts) = (String::new(), Vec::new());
    let mut end = |node: &mut String, starts: &mut Vec<u32>| {
        if !node.is_empty() {
            each(node, starts);
            node.clear();
            starts.clear();
        }
    };
    for piece in page.pieces() {
        match *piece {
            // Comments split a text node into several pieces.
            Piece::Text { span, kind } => source.for_each_char(span, kind, |c, bytes| {
                if !is_white(c) {
                    node.push(c);
                    starts.push(bytes.start);
                }
            }),
            Piece::Start { .. } | Piece::End { .. } => end(&mut node, &mut starts),
        }
    }
    end(&mut node, &mut starts);
}

#[cfg(test)]
mod tests {
    use unframe::TemplateHash;
    use unframe::html::Span;

    use super::*;

    fn bytes(page: &str) -> PageBytes<'_> {
        PageBytes::utf8(page.as_bytes())
    }

    #[test]
    fn values_are_found_whatever_the_white_space() {
        let values = BTreeMap::from([
            ("price".to_owned(), vec!["$ 5".to_owned(), "$ 7".to_owned()]),
            ("title".to_owned(), vec![" Tea\u{a0}& \n milk".to_owned()]),
        ]);
        let mut score = ValueScore::default();
        score.add_page("u", &values, "Menu\nTea &\tmilk\n$ 5", "Tea & milk");
        assert_eq!((score.known, score.visible, score.kept), (3, 2, 1));
        assert_eq!(score.kept_share(), 0.5);
        assert_eq!(score.lost[0].value, "$ 5");
        assert_eq!(ValueScore::default().kept_share(), 1.0);
    }

    #[test]
    fn text_on_more_than_half_of_the_pages_is_repeated() {
        let pages = ["<b>Ho<!-- -->me</b><i>one</i>", "<b>Home </b><i>two</i>", "<b>Away</b><i>two</i>"];
        let mut parser = PageParser::new();
        let repeated = RepeatedText::of(pages.map(bytes), &mut parser);
        let all = |end| Region::new(Span::new(0, end), TemplateHash(0), 2);
        // `Home` and `two` occur on two of three pages. A region over the first 5 bytes of the page covers `Ho` of `Home`.
        assert_eq!(
            repeated.removed(&parser.open(bytes(pages[0])), &[all(5)]),
            Share { template: 2, total: 4 }
        );
        assert_eq!(repeated.removed(&parser.open(bytes(pages[1])), &[]), Share { template: 0, total: 7 });
        assert_eq!(
            repeated.removed(&parser.open(bytes(pages[2])), &[all(25)]),
            Share { template: 3, total: 3 }
        );
        let one = RepeatedText::of([bytes(pages[0])], &mut parser);
        assert_eq!(one.removed(&parser.open(bytes(pages[0])), &[]), Share::default());
    }
}
