//! Tokenization of pages and queries.
//!
//! Words are runs of letters and digits in lower case. Chinese, Japanese and Korean text is indexed as characters and as bigrams. A query
//! consists of the bigrams; only a character without a neighbour becomes a query word of its own.
//!
//! Pages are split into words when they are prepared, and passed to Tantivy as a string in which the words are [marked](Writer). The
//! tokenizer only separates them at the marks. Queries and titles are plain text and are split here.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unframe::blocks::{WordAt, words};

/// The name under which Tantivy knows the tokenizer.
pub(crate) const TOKENIZER: &str = "unframe-words";

/// Longer words are not indexed.
const WORD_BYTES_MAX: usize = 255;

/// Marks a word at the next position.
const NEXT: char = '\u{1f}';
/// Marks a word at the same position as the previous one.
const SAME: char = '\u{1e}';
/// Marks a position without a word, which phrases do not match across.
const GAP: char = '\u{1d}';

/// Writes words with the marks at which the tokenizer separates them.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) out: String,
    lower: String,
}

impl Writer {
    /// Adds a position without a word.
    pub(crate) fn gap(&mut self) {
        self.out.push(GAP);
    }

    /// Adds the words of a block.
    pub(crate) fn block(&mut self, text: &str, places: &[WordAt]) {
        for (at, place) in places.iter().enumerate() {
            let word = place.of(text);
            // The limit applies to the indexed form: a few letters take more bytes in lower case.
            let lower = words::lower(word, &mut self.lower);
            if lower.len() > WORD_BYTES_MAX {
                self.gap();
                continue;
            }
            self.out.push(NEXT);
            self.out.push_str(lower);
            if let Some(next) = places.get(at + 1).filter(|next| next.start == place.end)
                && is_cjk(word)
                && is_cjk(next.of(text))
            {
                self.out.push(SAME);
                self.out.push_str(word);
                self.out.push_str(next.of(text));
            }
        }
    }
}

fn is_cjk(word: &str) -> bool {
    word.chars().next().is_some_and(words::is_cjk)
}

/// The tokenizer: separates marked words, and splits plain text into words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// The marked words of the last plain text.
    marked: String,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        let Words { marked, token } = self;
        token.reset();
        let text = if text.starts_with([NEXT, GAP]) {
            text
        } else {
            mark_query(text, marked);
            marked
        };
        WordStream { rest: text, token }
    }
}

/// Marks the words of a query or a title.
fn mark_query(text: &str, out: &mut String) {
    out.clear();
    let mut lower = String::new();
    let mut places = Vec::new();
    words::split(text, |word| places.push(word));
    let is_pair = |one: usize| {
        let (Some(first), Some(second)) = (places.get(one), places.get(one + 1)) else { return false };
        first.end == second.start && is_cjk(&text[first.clone()]) && is_cjk(&text[second.clone()])
    };
    for (at, place) in places.iter().enumerate() {
        let word = &text[place.clone()];
        if is_pair(at) {
            out.push(NEXT);
            out.push_str(&text[place.start..places[at + 1].end]);
        } else if !(at > 0 && is_pair(at - 1)) {
            let lower = words::lower(word, &mut lower);
            if lower.len() <= WORD_BYTES_MAX {
                out.push(NEXT);
                out.push_str(lower);
            }
        }
    }
}

/// The words of a text, one after the other.
pub(crate) struct WordStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            let mut chars = self.rest.chars();
            match chars.next() {
                Some(NEXT) => self.token.position = self.token.position.wrapping_add(1),
                Some(SAME) => {}
                Some(GAP) => {
                    self.token.position = self.token.position.wrapping_add(1);
                    self.rest = chars.as_str();
                    continue;
                }
                _ => return false,
            }
            let rest = chars.as_str();
            let is_mark = |byte: &u8| (0x1d..=0x1f).contains(byte);
            let end = rest.bytes().position(|byte| is_mark(&byte)).unwrap_or(rest.len());
            self.token.text.clear();
            self.token.text.push_str(&rest[..end]);
            self.rest = &rest[end..];
            return true;
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(usize, String)> {
        let mut words = Words::default();
        let mut stream = words.token_stream(text);
        let mut found = Vec::new();
        while stream.advance() {
            found.push((stream.token().position, stream.token().text.clone()));
        }
        found
    }

    fn marked(text: &str) -> String {
        let mut places = Vec::new();
        words::split(text, |word| places.push(WordAt { start: word.start as u32, end: word.end as u32 }));
        let mut writer = Writer::default();
        writer.block(text, &places);
        writer.out
    }

    fn expected(words: &[(usize, &str)]) -> Vec<(usize, String)> {
        words.iter().map(|(at, word)| (*at, (*word).to_owned())).collect()
    }

    #[test]
    fn pages_and_queries_have_the_same_words() {
        assert_eq!(tokens("Green Tea, Чай"), expected(&[(0, "green"), (1, "tea"), (2, "чай")]));
        assert_eq!(tokens(&marked("Green Tea, Чай")), tokens("Green Tea, Чай"));
    }

    #[test]
    fn characters_and_pairs() {
        let page = [(0, "東"), (0, "東京"), (1, "京"), (1, "京都"), (2, "都"), (3, "x")];
        assert_eq!(tokens(&marked("東京都 x")), expected(&page));
        assert_eq!(tokens("東京都"), expected(&[(0, "東京"), (1, "京都")]));
        assert_eq!(tokens("茶"), expected(&[(0, "茶")]));
    }

    #[test]
    fn holes_take_a_place() {
        let mut writer = Writer::default();
        writer.block("a", &[WordAt { start: 0, end: 1 }]);
        writer.gap();
        writer.block("b", &[WordAt { start: 0, end: 1 }]);
        assert_eq!(tokens(&writer.out), expected(&[(0, "a"), (2, "b")]));
    }

    #[test]
    fn what_a_page_says_never_marks_anything() {
        assert_eq!(tokens(&marked("a\u{1f}b\u{1e}c")), expected(&[(0, "a"), (1, "b"), (2, "c")]));
    }
}
