//! Snippets: parts of pages around the words of a query.

use std::collections::BTreeSet;
use std::ops::Range;

use unframe::blocks::{WordAt, words};

use crate::record::StoredBlock;

/// Number of words in a snippet.
const WORDS: usize = 36;
/// Number of words before the first match.
const BEFORE: usize = 8;

/// A part of the content of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    /// The text, on one line.
    pub text: String,
    /// The byte ranges of query words in the text.
    pub marks: Vec<Range<usize>>,
}

/// A match of a query word.
#[derive(Debug, Clone, Copy)]
struct Match {
    /// The number of the word in its block.
    at: usize,
    /// The number of the word in the query.
    word: usize,
    /// The number of words of the page that the match covers: two for a CJK bigram, otherwise one.
    len: usize,
}

impl Snippet {
    /// The part of the content with the most distinct words of `searched`, which must be sorted. Falls back to the start of the content.
    pub(crate) fn of(blocks: &[StoredBlock], searched: &[String]) -> Snippet {
        let mut best = None;
        let mut most = 0;
        for block in blocks.iter().filter(|block| !block.is_template) {
            let places = block.words();
            let matches = matches(block, &places, searched);
            let (count, first) = densest(&matches);
            if count > most {
                most = count;
                best = Some(cut(block, &places, &matches, first));
            }
        }
        best.unwrap_or_else(|| beginning(blocks))
    }
}

fn matches(block: &StoredBlock, places: &[WordAt], searched: &[String]) -> Vec<Match> {
    let find = |word: &str| searched.binary_search_by(|known| known.as_str().cmp(word)).ok();
    let mut lower = String::new();
    let mut found = Vec::new();
    for (at, place) in places.iter().enumerate() {
        if let Some(next) = places.get(at + 1).filter(|next| next.start == place.end)
            && let Some(word) = find(&block.text[place.start as usize..next.end as usize])
        {
            found.push(Match { at, word, len: 2 });
        } else if let Some(word) = find(words::lower(place.of(&block.text), &mut lower)) {
            found.push(Match { at, word, len: 1 });
        }
    }
    found
}

/// The largest number of distinct query words in one snippet, and the index of the first match in it.
fn densest(matches: &[Match]) -> (usize, usize) {
    let mut best = (0, 0);
    for (number, first) in matches.iter().enumerate() {
        let near = matches[number..].iter().take_while(|other| other.at < first.at + WORDS - BEFORE);
        let count = near.map(|other| other.word).collect::<BTreeSet<_>>().len();
        if count > best.0 {
            best = (count, number);
        }
    }
    best
}

fn cut(block: &StoredBlock, places: &[WordAt], matches: &[Match], first: usize) -> Snippet {
    let middle = matches.get(first).map_or(0, |first| first.at);
    let from = middle.saturating_sub(BEFORE);
    let to = (from + WORDS).min(places.len());
    // A block that fits is shown completely, with the punctuation at its ends.
    let start = if from == 0 { 0 } else { places[from].start as usize };
    let end = if to == places.len() { block.text.len() } else { places[to - 1].end as usize };
    let prefix = if from == 0 { "" } else { "… " };
    let suffix = if to == places.len() { "" } else { " …" };
    let text = format!("{prefix}{}{suffix}", block.text[start..end].replace('\n', " "));
    let mut marks: Vec<Range<usize>> = Vec::new();
    for found in matches.iter().filter(|found| (from..to).contains(&found.at)) {
        let last = (found.at + found.len).min(to) - 1;
        let mark = places[found.at].start as usize..places[last].end as usize;
        let mark = mark.start - start + prefix.len()..mark.end - start + prefix.len();
        match marks.last_mut().filter(|last| last.end >= mark.start) {
            Some(last) => last.end = last.end.max(mark.end),
            None => marks.push(mark),
        }
    }
    Snippet { text, marks }
}

/// The start of the first content block with enough text, or of the first content block.
fn beginning(blocks: &[StoredBlock]) -> Snippet {
    let mut content = blocks.iter().filter(|block| !block.is_template);
    let first = content.clone().next();
    let long = content.find(|block| block.text.len() > 60);
    match long.or(first) {
        Some(block) => cut(block, &block.words(), &[], 0),
        None => Snippet::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str, is_template: bool) -> StoredBlock {
        StoredBlock { style: 0, is_template, text: text.to_owned() }
    }

    #[track_caller]
    fn check(blocks: &[StoredBlock], searched: &[&str], expected: &str) {
        let searched: Vec<String> = searched.iter().map(|word| (*word).to_owned()).collect();
        let Snippet { mut text, marks } = Snippet::of(blocks, &searched);
        for mark in marks.iter().rev() {
            text.insert(mark.end, ']');
            text.insert(mark.start, '[');
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn templates_are_never_shown() {
        let blocks = [block("Tea and milk", true), block("Hot Tea.", false)];
        check(&blocks, &["milk", "tea"], "Hot [Tea].");
        check(&blocks[..1], &["tea"], "");
    }

    #[test]
    fn the_place_with_most_words_is_shown() {
        let long = format!("tea {} fresh\nmilk and tea {}", "word ".repeat(60).trim(), "more ".repeat(60));
        let expected =
            format!("… {}fresh [milk] and [tea] {} …", "word ".repeat(7), "more ".repeat(25).trim());
        check(&[block("Only tea", false), block(&long, false)], &["milk", "tea"], &expected);
    }

    #[test]
    fn pairs_of_characters_are_marked() {
        check(&[block("我在東京都喝茶", false)], &["京都", "東京"], "我在[東京都]喝茶");
    }

    #[test]
    fn without_words_the_content_begins() {
        let long = "A text of more than sixty bytes says more than one of a few, so it is shown.";
        check(&[block("Menu", true), block("Tiny", false), block(long, false)], &[], long);
    }
}
