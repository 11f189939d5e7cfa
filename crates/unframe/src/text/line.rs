//! The text of a page as one line, with the bytes that every character came from.

use super::runs::{Runs, space_if_white};
use super::{Piece, is_white, is_white_text};
use crate::html::decode::Part;
use crate::html::{Source, Span};

/// The text of a page as one line: a tag and a run of white space each count as one space.
#[derive(Debug, Default)]
pub struct Line {
    /// The characters.
    pub chars: Vec<char>,
    /// Characters that lie in the page side by side, each as one byte: the number of the first and where it begins.
    runs: Vec<(u32, u32)>,
    /// The characters, by number, that do not lie in the page as one byte, and their bytes.
    wide: Vec<(u32, Span)>,
}

impl Line {
    /// Reads the text of a page, in the memory of the last one.
    pub fn fill(&mut self, source: &Source<'_>, pieces: impl Iterator<Item = Piece>) {
        self.chars.clear();
        self.runs.clear();
        self.wide.clear();
        for piece in pieces {
            match piece {
                Piece::Start { .. } | Piece::End { .. } => self.space(),
                Piece::Text { span, .. } if is_white_text(span.slice(source.bytes())) => self.space(),
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
        let number = at as u32;
        if self.chars.get(at).is_none_or(|c| *c == ' ') {
            return Span { start: 0, end: 0 };
        }
        if let Ok(found) = self.wide.binary_search_by_key(&number, |(at, _)| *at) {
            return self.wide[found].1;
        }
        let run = self.runs.partition_point(|(first, _)| *first <= number);
        let (first, start) = self.runs.get(run.wrapping_sub(1)).copied().unwrap_or_default();
        let start = start + (number - first);
        Span { start, end: start + 1 }
    }

    fn ends_in_space(&self) -> bool {
        self.chars.last().is_none_or(|last| *last == ' ')
    }

    /// A space at the start means nothing, and one after another is the same one.
    #[inline]
    fn space(&mut self) {
        if !self.ends_in_space() {
            self.chars.push(' ');
        }
    }

    fn push(&mut self, c: char, span: Span) {
        if is_white(c) {
            return self.space();
        }
        self.wide.push((self.chars.len() as u32, span));
        self.chars.push(c);
    }

    /// Characters of one byte each.
    fn push_plain(&mut self, plain: &[u8], start: u32) {
        for (at, run) in Runs::of(plain, self.ends_in_space()) {
            self.runs.push((self.chars.len() as u32, start + at as u32));
            self.chars.extend(run.iter().map(|byte| char::from(space_if_white(*byte))));
        }
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
