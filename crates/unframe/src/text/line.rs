//! The text of a page as one line, with the bytes that every character came from.

use super::{Piece, is_white, is_white_byte};
use crate::html::decode::Part;
use crate::html::{Source, Span};

/// The text of a page as one line: a tag and a run of white space each count as one space.
#[derive(Debug, Default)]
pub struct Line {
    /// The characters.
    pub chars: Vec<char>,
    /// Where each of them begins in the page.
    starts: Vec<u32>,
    /// The characters, by number, that do not lie in the page as one byte, and their bytes.
    wide: Vec<(u32, u32)>,
}

impl Line {
    /// Reads the text of a page, in the memory of the last one.
    pub fn fill(&mut self, source: &Source<'_>, pieces: impl Iterator<Item = Piece>) {
        self.chars.clear();
        self.starts.clear();
        self.wide.clear();
        for piece in pieces {
            match piece {
                Piece::Start { .. } | Piece::End { .. } => self.space(),
                Piece::Text { span, kind } => {
                    let is_whole = source.for_each_part(span, kind, |part, start| match part {
                        Part::Plain(plain) => self.push_plain(plain, start),
                        Part::Char(c, len) => self.push(c, Span { start, end: start + len }),
                    });
                    if !is_whole {
                        source.for_each_char(span, kind, |c, span| self.push(c, span));
                    }
                }
            }
        }
        if self.chars.last() == Some(&' ') {
            self.chars.pop();
        }
    }

    /// The bytes of the page that a character came from; none of a space.
    pub fn span(&self, at: usize) -> Span {
        let start = self.starts.get(at).copied().unwrap_or_default();
        let len = match self.chars.get(at) {
            Some(' ') | None => 0,
            Some(_) => match self.wide.binary_search_by_key(&(at as u32), |(at, _)| *at) {
                Ok(found) => self.wide[found].1,
                Err(_) => 1,
            },
        };
        Span { start, end: start + len }
    }

    fn ends_in_space(&self) -> bool {
        self.chars.last().is_none_or(|last| *last == ' ')
    }

    /// A space at the start means nothing, and one after another is the same one.
    #[inline]
    fn space(&mut self) {
        if !self.ends_in_space() {
            self.chars.push(' ');
            self.starts.push(0);
        }
    }

    fn push(&mut self, c: char, span: Span) {
        if is_white(c) {
            return self.space();
        }
        self.wide.push((self.chars.len() as u32, span.end - span.start));
        self.chars.push(c);
        self.starts.push(span.start);
    }

    /// Characters of one byte each. Every byte is written, and one that does not count is written over by the next: no
    /// branch has to be foretold.
    fn push_plain(&mut self, plain: &[u8], start: u32) {
        let mut len = self.chars.len();
        let mut was_white = self.ends_in_space();
        self.chars.resize(len + plain.len(), ' ');
        self.starts.resize(len + plain.len(), 0);
        for (byte, position) in plain.iter().zip(start..) {
            let is_white = is_white_byte(*byte);
            self.chars[len] = if is_white { ' ' } else { *byte as char };
            self.starts[len] = position;
            len += usize::from(!(is_white & was_white));
            was_white = is_white;
        }
        self.chars.truncate(len);
        self.starts.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pieces;
    use super::*;
    use crate::html::source::SourceMemory;

    #[test]
    fn a_line_is_what_a_reader_sees() {
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f";
        let mut memory = SourceMemory::default();
        let mut line = Line::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        line.fill(&source, Pieces::of(&source));
        assert_eq!(line.chars.iter().collect::<String>(), "a < b éf");
        let bytes: Vec<&str> = (0..line.chars.len()).map(|at| &page[line.span(at).range()]).collect();
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f"]);
    }
}
