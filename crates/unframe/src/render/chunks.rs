//! Splits the content of a page into chunks for retrieval. Each chunk belongs to one heading and has a byte span.
//!
//! A page is split at headings first. Paragraphs of a section are combined as long as they fit, and a paragraph that is too long is split
//! after a sentence, or else between words. Headings are not part of the text: they are the path of the chunk.

mod blocks;

use crate::html::Span;
use crate::parsed::ParsedPage;
use crate::regions::Region;
use blocks::{Block, Word};

/// A part of the content of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The headings of the chunk's section and of those around it, the highest first.
    pub headings: Vec<String>,
    /// The text, with each paragraph in a line of its own.
    pub text: String,
    /// The estimated number of tokens for a language model; see [`tokens`].
    pub tokens: usize,
    /// The span from the first character to the last. Templates in between are in the span, but not in the text.
    pub span: Span,
}

/// Estimates the number of tokens in a text: a quarter for each character, and one for each Chinese, Japanese or Korean character.
pub fn tokens(text: &str) -> usize {
    let quarters: usize = text.chars().map(quarters).sum();
    quarters.div_ceil(4)
}

/// The estimated quarters of a token for a character.
fn quarters(c: char) -> usize {
    if matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..)
    {
        4
    } else {
        1
    }
}

/// Splits the content of a page, everything outside of `regions`, into chunks of at most `tokens_max` tokens. A longer word is a chunk of
/// its own. Regions must be sorted and must not overlap.
///
/// ```
/// use unframe::{PageBytes, PageParser};
///
/// let page = PageBytes::utf8(b"<h1>Tea</h1><p>Hot.<h2>Iced</h2><p>Cold.");
/// let chunks = unframe::render::chunks(&PageParser::new().open(page), &[], 500);
/// assert_eq!(chunks[1].headings, ["Tea", "Iced"]);
/// assert_eq!((chunks[1].text.as_str(), chunks[1].span.start), ("Cold.", 35));
/// ```
pub fn chunks(page: &ParsedPage<'_>, regions: &[Region], tokens_max: usize) -> Vec<Chunk> {
    let mut cutter = Cutter {
        quarters_max: tokens_max.max(1).saturating_mul(4),
        headings: Vec::new(),
        open: Vec::new(),
        quarters: 0,
        done: Vec::new(),
    };
    for block in blocks::of(page, regions) {
        match block.level {
            Some(level) => cutter.heading(level, text(&block.words)),
            None => cutter.paragraph(block),
        }
    }
    cutter.end_chunk();
    cutter.done
}

/// Combines words and paragraphs into chunks.
struct Cutter {
    /// The number of quarters of a token that fit into a chunk.
    quarters_max: usize,
    /// The current headings with their levels.
    headings: Vec<(u8, String)>,
    /// The words of the current chunk.
    open: Vec<Word>,
    /// Their quarters of a token.
    quarters: usize,
    done: Vec<Chunk>,
}

impl Cutter {
    fn heading(&mut self, level: u8, text: String) {
        self.end_chunk();
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, text));
    }

    fn paragraph(&mut self, block: Block) {
        let needed: usize = block.words.iter().map(|word| 1 + word_quarters(word)).sum();
        if self.quarters + needed > self.quarters_max {
            self.end_chunk();
        }
        for (number, mut word) in block.words.into_iter().enumerate() {
            if number == 0 {
                word.before = '\n';
            }
            while !self.open.is_empty() && self.quarters + 1 + word_quarters(&word) > self.quarters_max {
                self.cut();
            }
            self.push(word);
        }
    }

    fn push(&mut self, word: Word) {
        self.quarters += word_quarters(&word) + usize::from(!self.open.is_empty());
        self.open.push(word);
    }

    /// Ends a chunk in the middle of a paragraph that is too long: after its last sentence end if that is in the second half, else at the
    /// current word.
    fn cut(&mut self) {
        let ends = |word: &Word| {
            word.text.trim_end_matches(['"', '”', '’', ')']).ends_with(['.', '!', '?', '。', '！', '？'])
        };
        let sentence = self.open.iter().rposition(ends).map(|last| last + 1);
        let end = sentence.filter(|end| *end >= self.open.len() / 2).unwrap_or(self.open.len());
        let rest = self.open.split_off(end);
        self.end_chunk();
        rest.into_iter().for_each(|word| self.push(word));
    }

    fn end_chunk(&mut self) {
        self.quarters = 0;
        let words = std::mem::take(&mut self.open);
        if let (Some(first), Some(last)) = (words.first(), words.last()) {
            let text = text(&words);
            let headings = self.headings.iter().map(|(_, heading)| heading.clone()).collect();
            let span = Span { start: first.span.start, end: last.span.end };
            self.done.push(Chunk { headings, tokens: tokens(&text), text, span });
        }
    }
}

/// The estimated quarters of a token for a word.
fn word_quarters(word: &Word) -> usize {
    word.text.chars().map(quarters).sum()
}

fn text(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(word.before);
        }
        text.push_str(&word.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};
    use crate::render::testing::marked;

    fn cut_page(page: &str, tokens_max: usize) -> Vec<(String, String)> {
        let (page, regions) = marked(page);
        let found = chunks(&PageParser::new().open(PageBytes::utf8(page.as_bytes())), &regions, tokens_max);
        found.into_iter().map(|chunk| (chunk.headings.join(" > "), chunk.text)).collect()
    }

    fn pair(headings: &str, text: &str) -> (String, String) {
        (headings.to_owned(), text.to_owned())
    }

    #[test]
    fn chunks_belong_to_headings() {
        let page =
            "<p>Intro<h1>A</h1><p>one<p>two <b>three</b><h2>B</h2><ul><li>x<li>y</ul><h3>C</h3>z<h2>D</h2>w";
        let expected = [
            pair("", "Intro"),
            pair("A", "one\ntwo three"),
            pair("A > B", "x\ny"),
            pair("A > B > C", "z"),
            pair("A > D", "w"),
        ];
        assert_eq!(cut_page(page, 500), expected);
    }

    #[test]
    fn links_of_headings_to_themselves_are_left_out() {
        let page = "<h1>A<a class=headerlink href=#a>¶</a></h1>one <a href=#a>#</a>";
        assert_eq!(cut_page(page, 500), [pair("A", "one #")]);
    }

    #[test]
    fn long_texts_are_cut_at_paragraphs_then_sentences_then_words() {
        assert_eq!(cut_page("<p>aaaa bbbb<p>cccc dddd", 3), [pair("", "aaaa bbbb"), pair("", "cccc dddd")]);
        assert_eq!(
            cut_page("<p>One two. Three four five.", 4),
            [pair("", "One two."), pair("", "Three four five.")]
        );
        assert_eq!(cut_page("<p>aaaa bbbb cccc", 2), [pair("", "aaaa"), pair("", "bbbb"), pair("", "cccc")]);
        assert_eq!(
            cut_page("<p>aaaaaaaaaaaaaaaaaaaaaaaa b", 2),
            [pair("", "aaaaaaaaaaaaaaaaaaaaaaaa"), pair("", "b")]
        );
    }

    #[test]
    fn regions_and_what_is_hidden_are_left_out() {
        assert_eq!(
            cut_page("<p>a ⟦<b>menu</b>⟧ b<script>c</script><template>d</template>", 9),
            [pair("", "a b")]
        );
    }

    #[test]
    fn code_and_tables_keep_their_lines() {
        assert_eq!(cut_page("<pre>a\n  b</pre>", 9), [pair("", "a\n  b")]);
        assert_eq!(cut_page("<table><tr><td>a<td>b<tr><td>c<td>d</table>", 9), [pair("", "a\tb\nc\td")]);
    }

    #[test]
    fn superscripts_and_quotations_have_signs() {
        let page = "<p>10<sup>6</sup> <sup>2</sup> <q>hot tea</q>, <q>milk</q> n<q>o</q><p><q>a<p>b</q>";
        assert_eq!(cut_page(page, 99), [pair("", "10^6 2 \"hot tea\", \"milk\" n\"o\"\n\"a\"\nb")]);
    }

    #[test]
    fn chunks_know_their_bytes() {
        let page = "<h1>Tea</h1>\n<p>Tea &amp; <b>milk</b>.</p><p>End";
        let found = chunks(&PageParser::new().open(PageBytes::utf8(page.as_bytes())), &[], 500);
        assert_eq!(found[0].text, "Tea & milk.\nEnd");
        assert_eq!(
            &page[found[0].span.start as usize..found[0].span.end as usize],
            "Tea &amp; <b>milk</b>.</p><p>End"
        );
    }

    #[test]
    fn tokens_are_estimated() {
        assert_eq!((tokens(""), tokens("tea"), tokens("green tea"), tokens("茶は熱い")), (0, 1, 3, 4));
    }
}
