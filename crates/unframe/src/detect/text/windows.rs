//! The text of a page as one line, with windows that slide over it.

use std::ops::Range;

use super::Text;
use super::line::{Line, SPACE, Scan, spread};
use super::roll::Rolling;
use super::seeds::{Seed, Seeds};
use crate::html::tokenizer::TextKind;
use crate::html::{Source, Span};
use crate::text::{Piece, is_white};

/// A page as one line, in which a tag and a run of white space are one space each, and a window that slides over it.
///
/// The characters are not copied: the line refers to the texts of the page.
#[derive(Debug)]
pub struct Windows<'p> {
    source: Source<'p>,
    texts: Vec<LineText>,
}

/// A text of the page in the line. A space may separate it from the next text.
#[derive(Debug, Clone, Copy)]
struct LineText {
    span: Span,
    kind: TextKind,
    /// Whether a space precedes the text, so that white space at its start is skipped.
    is_after_white: bool,
    /// The range of its characters in the line.
    start: usize,
    end: usize,
}

impl<'p> Windows<'p> {
    /// Reads the pieces of a page, and calls `each` with the position and the hash of every counted window, without extension.
    pub fn read(
        source: Source<'p>,
        pieces: &[Piece],
        text: &Text,
        each: impl FnMut(usize, u64),
    ) -> Windows<'p> {
        let mut windows = Windows { source, texts: Vec::new() };
        windows.scan(pieces, Rolling::new(text, each));
        windows
    }

    /// Like [`Windows::read`], with seeds instead of windows.
    pub(super) fn read_seeds(
        source: Source<'p>,
        pieces: &[Piece],
        text: &Text,
        each: impl FnMut(Seed<'_>),
    ) -> Windows<'p> {
        let mut windows = Windows { source, texts: Vec::new() };
        windows.scan(pieces, Seeds::new(text, each));
        windows
    }

    fn scan(&mut self, pieces: &[Piece], mut scan: impl Scan) {
        let mut line = scan.line();
        for piece in pieces {
            match *piece {
                Piece::Start { .. } | Piece::End { .. } => line.push(SPACE, &mut scan),
                Piece::Text { span, kind } => self.text(span, kind, &mut line, &mut scan),
            }
        }
        line.finish(&mut scan);
    }

    fn text(&mut self, span: Span, kind: TextKind, line: &mut Line, scan: &mut impl Scan) {
        let (start, is_after_white) = (line.len(), line.is_after_white);
        let mut rest = span;
        loop {
            rest.start += line.push_plain(rest.slice(self.source.bytes()), scan) as u32;
            if rest.is_empty() {
                break;
            }
            rest.start += self.source.not_plain(rest, kind, |c| line.push(spread(c), scan)) as u32;
        }
        let end = line.len();
        if end > start {
            self.texts.push(LineText { span, kind, is_after_white, start, end });
        }
    }

    /// The words in parts of the line, which must be in order and must not overlap.
    pub fn words(&self, parts: &[Range<usize>]) -> Vec<Words> {
        let mut words = vec![Words::default(); parts.len()];
        let mut at = 0;
        for text in &self.texts {
            if parts.get(at).is_none_or(|part| text.end <= part.start) {
                continue;
            }
            let (mut number, mut is_after_white) = (text.start, text.is_after_white);
            self.source.for_each_char(text.span, text.kind, |c, bytes| {
                let is_white = is_white(c);
                if is_white && is_after_white {
                    return;
                }
                while parts.get(at).is_some_and(|part| part.end <= number) {
                    at += 1;
                }
                if !is_white && parts.get(at).is_some_and(|part| part.start <= number) {
                    words[at].push(number, c, bytes);
                }
                number += 1;
                is_after_white = is_white;
            });
        }
        words
    }
}

/// Words of the line, separated by single spaces.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The text.
    pub text: String,
    /// The span from the first character to the last; `None` if there is no word.
    pub span: Option<Span>,
    /// The index of the character that would follow without a space.
    next: usize,
}

impl Words {
    fn push(&mut self, number: usize, c: char, bytes: Span) {
        let start = self.span.map_or(bytes.start, |span| span.start);
        if self.span.is_some() && number > self.next {
            self.text.push(' ');
        }
        self.text.push(c);
        self.span = Some(Span { start, end: bytes.end });
        self.next = number + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::WAITING;
    use super::super::roll::finish;
    use super::*;
    use crate::html::source::SourceMemory;
    use crate::text::Pieces;

    fn pieces(source: &Source<'_>) -> Vec<Piece> {
        Pieces::of(source).collect()
    }

    #[test]
    fn a_line_is_what_a_reader_sees() {
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f \tg <p> ";
        let mut memory = SourceMemory::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        let mut places = Vec::new();
        let text = Text { window: 1, ..Text::default() };
        let windows = Windows::read(source, &pieces(&source), &text, |at, _| places.push(at));
        assert_eq!(places, (0..10).collect::<Vec<_>>());
        let words = |parts: &[Range<usize>]| -> Vec<(String, &str)> {
            let bytes = |words: &Words| words.span.map_or("", |span| &page[span.range()]);
            windows.words(parts).into_iter().map(|words| (words.text.clone(), bytes(&words))).collect()
        };
        let each: Vec<_> = (0..10).map(|at| at..at + 1).collect();
        let bytes: Vec<&str> = words(&each).into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f", "", "g"]);
        assert_eq!(words(std::slice::from_ref(&(0..10)))[0].0, "a < b éf g");
        let parts = [("<".to_owned(), "&lt;"), ("éf".to_owned(), "é<!-- c -->f")];
        assert_eq!(words(&[1..4, 5..9]), parts);
    }

    #[test]
    fn windows_are_those_of_the_line_however_it_is_written() {
        let text = Text { window: 5, ..Text::default() };
        let pages = ["one two  three", "one <b>two</b>\tthree", "<p>one\n\n two<p>th&#114;ee<p>"];
        let line: Vec<char> = "one two three".chars().collect();
        let mut expected = Vec::new();
        text.for_each_window(&line, |at, hash| expected.push((at, hash)));
        assert_eq!(expected.len(), 9);
        for page in pages {
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            let mut found = Vec::new();
            Windows::read(source, &pieces(&source), &text, |at, hash| found.push((at, hash)));
            assert_eq!(found, expected, "{page}");
        }
    }

    #[test]
    fn windows_go_on_from_one_long_stretch_to_the_next() {
        let text = Text { window: 5, ..Text::default() };
        let words: String = (0..WAITING).map(|number| format!("{number} ")).collect();
        let characters: Vec<char> = words.trim_end().chars().collect();
        for page in [words.clone(), words.replace(' ', "<p> ")] {
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            let mut found = Vec::new();
            let windows = Windows::read(source, &pieces(&source), &text, |at, hash| found.push((at, hash)));
            let expected: Vec<(usize, u64)> = characters
                .windows(5)
                .enumerate()
                .map(|(at, window)| {
                    let roll = |hash: u64, c: &char| hash.rotate_left(1) ^ spread(*c);
                    (at, finish(window.iter().fold(0, roll)))
                })
                .collect();
            assert!(found == expected);
            assert_eq!(windows.words(std::slice::from_ref(&(0..characters.len())))[0].text, words.trim_end());
        }
    }
}
