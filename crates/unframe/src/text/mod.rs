//! The text of a page that a reader sees, with the bytes that every character came from.

pub mod content;

use crate::html::decode::Part;
use crate::html::tag::Tag;
use crate::html::tokenizer::{TagToken, TextKind, Token, Tokenizer};
use crate::html::{Source, Span};
use crate::regions::Region;

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
    /// Where they came from: long runs of characters lie in the page as they are.
    runs: Vec<Run>,
}

/// Characters that came from bytes without a gap.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// The number of the first character.
    first: u32,
    /// Where it begins in the page.
    start: u32,
    /// The bytes of each character.
    char_len: u32,
}

impl Line {
    /// Reads the text of a page, in the memory of the last one.
    pub fn fill(&mut self, source: &Source<'_>) {
        self.chars.clear();
        self.runs.clear();
        for piece in Pieces::of(source) {
            match piece {
                Piece::Start(_) | Piece::End(_) => {
                    self.space();
                }
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
        while self.chars.last() == Some(&' ') {
            self.chars.pop();
        }
    }

    /// The bytes of the page that a character came from; none of a space.
    pub fn span(&self, at: usize) -> Span {
        let after = self.runs.partition_point(|run| run.first as usize <= at);
        let Some(run) = after.checked_sub(1).map(|at| self.runs[at]) else { return Span::default() };
        let start = run.start + (at as u32 - run.first) * run.char_len;
        match self.chars.get(at) {
            Some(' ') | None => Span::empty(start),
            Some(_) => Span { start, end: start + run.char_len },
        }
    }

    /// A space at the start means nothing, and one after another is the same one.
    #[inline]
    fn space(&mut self) -> bool {
        let is_new = self.chars.last().is_some_and(|last| *last != ' ');
        if is_new {
            self.chars.push(' ');
        }
        is_new
    }

    fn push(&mut self, c: char, span: Span) {
        if is_white(c) {
            self.space();
            return;
        }
        let first = self.chars.len() as u32;
        self.runs.push(Run { first, start: span.start, char_len: span.end - span.start });
        self.chars.push(c);
    }

    /// Characters of one byte each: word by word, since white space is collapsed.
    fn push_plain(&mut self, plain: &[u8], start: u32) {
        let mut at = 0;
        // Whether what comes next follows the run that is open.
        let mut is_joined = false;
        while at < plain.len() {
            if is_white_byte(plain[at]) {
                let is_new = self.space();
                is_joined &= is_new;
                at += 1;
                continue;
            }
            let len = plain[at..].iter().position(|byte| is_white_byte(*byte)).unwrap_or(plain.len() - at);
            if !is_joined {
                let first = self.chars.len() as u32;
                self.runs.push(Run { first, start: start + at as u32, char_len: 1 });
            }
            self.chars.extend(plain[at..at + len].iter().map(|byte| *byte as char));
            is_joined = true;
            at += len;
        }
    }
}

/// White space of one byte.
#[inline]
const fn is_white_byte(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0C | b'\r')
}

/// The visible text of each region of a page, on one line and no longer than `chars_max`. The regions are sorted and do
/// not overlap.
pub fn of_regions(source: &Source<'_>, regions: &[Region], chars_max: usize) -> Vec<String> {
    let mut lines = vec![(String::new(), 0); regions.len()];
    let mut at = 0;
    for piece in Pieces::of(source) {
        let Piece::Text { span, kind } = piece else {
            // Words on both sides of a tag are kept apart.
            lines[at.min(regions.len())..].iter_mut().take(1).for_each(|(line, len)| push_space(line, len));
            continue;
        };
        source.for_each_char(span, kind, |c, bytes| {
            while regions.get(at).is_some_and(|region| region.span.end <= bytes.start) {
                at += 1;
            }
            let is_inside = regions.get(at).is_some_and(|region| region.span.start <= bytes.start);
            if let (true, Some((line, len))) = (is_inside, lines.get_mut(at)) {
                if is_white(c) {
                    push_space(line, len);
                } else if *len < chars_max {
                    line.push(c);
                    *len += 1;
                }
            }
        });
    }
    lines.into_iter().map(|(line, _)| line.trim_end().to_owned()).collect()
}

fn push_space(line: &mut String, len: &mut usize) {
    if !line.is_empty() && !line.ends_with(' ') {
        line.push(' ');
        *len += 1;
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
    fn regions_have_a_text() {
        let page = "<p>one<b>two</b> &lt;<p>three four";
        let region = |start, end| Region::new(Span { start, end }, crate::TemplateHash(0), 2);
        let mut memory = SourceMemory::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        let regions = [region(0, 22), region(24, 34)];
        assert_eq!(of_regions(&source, &regions, 99), ["one two <", "three four"]);
        assert_eq!(of_regions(&source, &regions, 2), ["on", "th"]);
        assert!(of_regions(&source, &[], 9).is_empty());
    }

    #[test]
    fn a_line_is_what_a_reader_sees() {
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f";
        let mut memory = SourceMemory::default();
        let mut line = Line::default();
        line.fill(&memory.open(page.as_bytes(), encoding_rs::UTF_8));
        assert_eq!(line.chars.iter().collect::<String>(), "a < b éf");
        let bytes: Vec<&str> = (0..line.chars.len()).map(|at| &page[line.span(at).range()]).collect();
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f"]);
    }
}
