//! The text of a page that a reader sees, with the bytes that every character came from.

pub mod content;

use crate::html::tag::Tag;
use crate::html::tokenizer::{TagToken, TextKind, Token, Tokenizer};
use crate::html::{Source, Span};

/// A piece of a page, for those who are after its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// Visible text.
    Text {
        /// Its bytes, in [`Source::bytes`].
        span: Span,
        /// What has to be decoded.
        kind: TextKind,
    },
    /// A start tag.
    Start(TagToken),
    /// An end tag.
    End(TagToken),
}

/// The visible text and the tags of a page: without comments, scripts, styles, the title, and frames.
///
/// No tree is built, so it runs at the speed of the tokenizer.
#[derive(Debug)]
pub struct Pieces<'p> {
    tokens: Tokenizer<'p>,
    hidden: bool,
}

impl<'p> Pieces<'p> {
    /// The pieces of a page.
    pub fn of(source: &Source<'p>) -> Pieces<'p> {
        Pieces { tokens: source.tokens(), hidden: false }
    }

    /// The tokenizer, for the attributes of the last start tag.
    pub fn tokens(&self) -> &Tokenizer<'p> {
        &self.tokens
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            match self.tokens.next_by_name() {
                Token::Text { .. } if self.hidden => {}
                Token::Text { span, kind } => return Some(Piece::Text { span, kind }),
                Token::Start(tag) => {
                    self.hidden = is_hidden(tag.tag);
                    return Some(Piece::Start(tag));
                }
                Token::End(tag) => {
                    self.hidden = false;
                    return Some(Piece::End(tag));
                }
                Token::Comment { .. } | Token::Doctype(_) => {}
                Token::Eof => return None,
            }
        }
    }
}

/// Elements whose text is for the browser, not for the reader. Their content has no tags, so it is one token.
pub(crate) fn is_hidden(tag: Tag) -> bool {
    matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES)
}

/// The text of a page as one line: a tag and a run of white space each count as one space.
#[derive(Debug, Default)]
pub struct Line {
    /// The characters.
    pub chars: Vec<char>,
    /// The bytes of the page that each character came from.
    pub spans: Vec<Span>,
}

impl Line {
    /// Reads the text of a page, in the memory of the last one.
    pub fn fill(&mut self, source: &Source<'_>) {
        self.chars.clear();
        self.spans.clear();
        for piece in Pieces::of(source) {
            match piece {
                Piece::Start(tag) | Piece::End(tag) => self.space(source.original(tag.span)),
                Piece::Text { span, kind } => source.for_each_char(span, kind, |c, span| {
                    if is_white(c) { self.space(span) } else { self.push(c, span) }
                }),
            }
        }
        while self.chars.last() == Some(&' ') {
            self.chars.pop();
            self.spans.pop();
        }
    }

    #[inline]
    fn space(&mut self, span: Span) {
        match self.chars.last() {
            // A space at the start means nothing, and one after another is the same one.
            None | Some(' ') => {}
            Some(_) => self.push(' ', Span { start: span.start, end: span.start }),
        }
    }

    #[inline]
    fn push(&mut self, c: char, span: Span) {
        self.chars.push(c);
        self.spans.push(span);
    }
}

/// White space as browsers collapse it, and the no-break space, which looks the same.
#[inline]
pub fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r' | '\u{a0}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::source::SourceMemory;

    #[test]
    fn a_line_is_what_a_reader_sees() {
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f";
        let mut memory = SourceMemory::default();
        let mut line = Line::default();
        line.fill(&memory.open(page.as_bytes(), encoding_rs::UTF_8));
        assert_eq!(line.chars.iter().collect::<String>(), "a < b éf");
        let bytes: Vec<&str> = line.spans.iter().map(|span| &page[span.range()]).collect();
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f"]);
    }
}
