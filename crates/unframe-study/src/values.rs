//! Scores of gold values: how many survive, and how much of the repeated text is removed.
//!
//! A value counts when the page's visible text contains it, white space collapsed: others (in attributes, in scripts) no
//! method could keep. It survives when the cleaned text contains it as well. Keeping all values is easy for a method that
//! removes nothing, so the other side is measured too: of the text nodes that stand on more than half of the site's pages, the
//! share of characters that was removed.

use std::collections::{BTreeMap, HashMap, HashSet};

use unframe::regions::RegionCursor;
use unframe::text::content::Share;
use unframe::text::{Piece, is_white};
use unframe::{PageBytes, PageParser, ParsedPage, Region};
use xxhash_rust::xxh3;

/// How many lost values are named for each site.
const LOST_SHOWN: usize = 5;

/// The value score of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValueScore {
    /// Values that are known.
    pub known: u64,
    /// Those that the visible text of their page contains.
    pub visible: u64,
    /// Those that the cleaned text still contains.
    pub kept: u64,
    /// Characters of text nodes that stand on more than half of the pages, and those that were removed.
    pub repeated: Share,
    /// The first values that were lost.
    pub lost: Vec<Lost>,
}

/// A value that did not survive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The page.
    pub url: String,
    /// What kind of value it is.
    pub attribute: String,
    /// The value.
    pub value: String,
}

impl ValueScore {
    /// The share of visible values that survive, from 0 to 1; 1 where there are none.
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

    /// Takes in the counts of another site.
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

/// The text nodes that stand on more than half of a site's pages.
#[derive(Debug, Default)]
pub struct RepeatedText {
    nodes: HashSet<u64>,
}

impl RepeatedText {
    /// Compares the pages of a site. With fewer than two pages nothing repeats.
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

    /// How many characters of repeated text a page has, white space aside, and how many of them are in regions.
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

/// Calls `each` with every visible text between two tags: its characters without white space, and where each begins.
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
            // Text may come in several pieces, cut by comments.
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
        // `Home` and `two` stand on two of three pages. A region over 5 bytes of page 1 covers `Ho` of `Home`.
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
