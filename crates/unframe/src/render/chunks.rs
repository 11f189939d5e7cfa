//! The content of a page in chunks for retrieval: each belongs to one heading and knows its bytes.
//!
//! A page is cut at headings first. Paragraphs of a section are put together as long as they fit, and a paragraph that is too
//! long is cut behind a sentence, or else between words. Headings are not part of the text: they are the path of the chunk.

mod blocks;

use crate::html::Span;
use crate::parsed::ParsedPage;
use crate::regions::Region;
use blocks::{Block, Word};

/// A part of the content of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The headings above it, the highest first.
    pub headings: Vec<String>,
    /// The text: paragraphs on lines of their own.
    pub text: String,
    /// How many tokens a language model is likely to make of it; see [`tokens`].
    pub tokens: usize,
    /// Its bytes: from its first character to its last. Templates in between belong to the range, not to the text.
    pub span: Span,
}

/// Estimates how many tokens a text has: one for four characters, and one for each character of Chinese, Japanese and Korean.
pub fn tokens(text: &str) -> usize {
    let quarters: usize = text.chars().map(quarters).sum();
    quarters.div_ceil(4)
}

/// Quarters of a token.
fn quarters(c: char) -> usize {
    if matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..)
    {
        4
    } else {
        1
    }
}

/// The content of a page, everything outside of `regions`, in chunks of at most `tokens_max` tokens; a longer word is a chunk of its
/// own. Regions are sorted and do not overlap.
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

/// Puts paragraphs together.
struct Cutter {
    /// Quarters of a token that fit into a chunk.
    quarters_max: usize,
    /// The headings above, with their levels.
    headings: Vec<(u8, String)>,
    /// The words of the chunk that is being made.
    open: Vec<Word>,
    /// What they take.
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

    /// Ends a chunk behind the last sentence of a paragraph that is too long, if that is in the second half; else here.
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

/// Quarters of a token that a word takes.
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
