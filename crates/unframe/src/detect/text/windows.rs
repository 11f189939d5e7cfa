//! The text of a page as one line, and the windows that slide over it.

use super::Text;
use crate::html::decode::Part;
use crate::html::{Source, Span};
use crate::text::{Piece, Runs, is_white, is_white_byte, is_white_text, space_if_white};

/// A page as one line, a tag and a run of white space each as one space, and a window that slides over it.
///
/// The characters are copied nowhere: the line knows where they stand in the page.
#[derive(Debug)]
pub struct Windows<'p> {
    source: Source<'p>,
    /// The parts of the line; between them are spaces.
    parts: Vec<LinePart>,
    /// Whether white space was read that is only seen when something follows.
    owes_space: bool,
    rolling: Rolling,
}

/// Characters that stand in the page side by side, each as one byte, or one that does not stand there as one byte.
#[derive(Debug, Clone, Copy)]
struct LinePart {
    /// The number of the first one in the line.
    number: usize,
    span: Span,
    other: Option<char>,
}

impl LinePart {
    fn end(self) -> usize {
        self.number + if self.other.is_some() { 1 } else { self.span.len() }
    }
}

impl<'p> Windows<'p> {
    /// A page of which nothing has been read.
    pub fn new(source: Source<'p>, text: &Text) -> Windows<'p> {
        Windows { source, parts: Vec::new(), owes_space: false, rolling: Rolling::new(text) }
    }

    /// Reads the pieces of the page, and calls `each` with the place and the hash of every window that is counted.
    pub fn read(&mut self, pieces: impl Iterator<Item = Piece>, mut each: impl FnMut(usize, u64)) {
        let source = self.source;
        for piece in pieces {
            match piece {
                Piece::Start { .. } | Piece::End { .. } => self.space(),
                Piece::Text { span, .. } if is_white_text(span.slice(source.bytes())) => self.space(),
                Piece::Text { span, kind } => {
                    let is_whole = source.for_each_part(span, kind, |part, start| match part {
                        Part::Plain(plain) => self.push_plain(plain, start, &mut each),
                        Part::Char(c, len) => self.push(c, Span { start, end: start + len }, &mut each),
                    });
                    if !is_whole {
                        source.for_each_char(span, kind, |c, span| self.push(c, span, &mut each));
                    }
                }
            }
        }
    }

    /// A part of the line without the spaces at its ends, and its bytes. `None`: there is nothing but a space.
    pub fn words(&self, start: usize, end: usize) -> Option<(String, Span)> {
        let mut text = String::with_capacity(end - start);
        let mut span: Option<Span> = None;
        self.for_each_char(start, end, |c, bytes| {
            if c != ' ' {
                span = Some(Span { start: span.map_or(bytes.start, |span| span.start), end: bytes.end });
            } else if text.is_empty() {
                return;
            }
            text.push(c);
        });
        text.truncate(text.trim_end_matches(' ').len());
        Some((text, span?))
    }

    /// Calls `each` with characters of the line, by number, and their bytes; those of a space mean nothing.
    fn for_each_char(&self, start: usize, end: usize, mut each: impl FnMut(char, Span)) {
        let first = self.parts.partition_point(|part| part.end() <= start);
        let mut next = start;
        for part in self.parts[first..].iter().take_while(|part| part.number < end) {
            if next < part.number {
                each(' ', Span::default());
            }
            let here = next.max(part.number)..part.end().min(end);
            next = here.end;
            match part.other {
                Some(other) => each(other, part.span),
                None => {
                    for number in here {
                        let at = part.span.start as usize + (number - part.number);
                        each(char::from(space_if_white(self.source.bytes()[at])), Span::new(at, at + 1));
                    }
                }
            }
        }
    }

    /// A space at the start or the end of the line means nothing, and one after another is the same one.
    #[inline]
    fn space(&mut self) {
        self.owes_space = !self.parts.is_empty();
    }

    fn push(&mut self, c: char, span: Span, each: &mut impl FnMut(usize, u64)) {
        if is_white(c) {
            return self.space();
        }
        self.pay_space(each);
        self.parts.push(LinePart { number: self.rolling.len, span, other: Some(c) });
        self.rolling.push(c, each);
    }

    /// Characters of one byte each.
    fn push_plain(&mut self, plain: &[u8], start: u32, each: &mut impl FnMut(usize, u64)) {
        if is_white_byte(plain[0]) {
            self.space();
        }
        let Some(last) = plain.iter().rposition(|byte| !is_white_byte(*byte)) else { return };
        self.pay_space(each);
        for (at, run) in Runs::of(&plain[..=last], true) {
            let start = start + at as u32;
            let span = Span { start, end: start + run.len() as u32 };
            self.parts.push(LinePart { number: self.rolling.len, span, other: None });
            self.rolling.push_plain(run, each);
        }
        if last + 1 < plain.len() {
            self.space();
        }
    }

    #[inline]
    fn pay_space(&mut self, each: &mut impl FnMut(usize, u64)) {
        if std::mem::take(&mut self.owes_space) {
            self.rolling.push_plain(b" ", each);
        }
    }
}

/// A hash that rolls over characters.
#[derive(Debug)]
struct Rolling {
    window: usize,
    /// Hashes up to here are counted. Comparing samples as well as a remainder does, and is much cheaper.
    threshold: u64,
    hash: u64,
    /// How many characters there were.
    len: usize,
    /// The random bits of the last characters, by their number modulo 64: windows are shorter.
    bits: [u64; 64],
}

impl Rolling {
    fn new(text: &Text) -> Rolling {
        Rolling {
            window: text.window,
            threshold: u64::MAX / text.density.max(1),
            hash: 0,
            len: 0,
            bits: [0; 64],
        }
    }

    fn push(&mut self, c: char, each: &mut impl FnMut(usize, u64)) {
        self.take([spread(c)], each);
    }

    fn push_plain(&mut self, plain: &[u8], each: &mut impl FnMut(usize, u64)) {
        self.take(plain.iter().map(|byte| PLAIN[usize::from(byte & 0x7F)]), each);
    }

    #[inline(always)]
    fn take(&mut self, characters: impl IntoIterator<Item = u64>, each: &mut impl FnMut(usize, u64)) {
        let Rolling { window, threshold, mut hash, mut len, ref mut bits } = *self;
        let out_by = window as u32 % 64;
        for enters in characters {
            // Before the first window is full, nothing leaves it: no bits.
            let leaves = bits[len.wrapping_sub(window) % 64];
            bits[len % 64] = enters;
            len += 1;
            hash = hash.rotate_left(1) ^ leaves.rotate_left(out_by) ^ enters;
            let finished = finish(hash);
            if finished <= threshold && len >= window {
                each(len - window, finished);
            }
        }
        (self.hash, self.len) = (hash, len);
    }
}

impl Text {
    /// Calls `each` with the place and the hash of every window of a line that is counted.
    pub fn for_each_window(&self, line: &[char], mut each: impl FnMut(usize, u64)) {
        Rolling::new(self).take(line.iter().map(|c| spread(*c)), &mut each);
    }
}

/// Random bits for a character; those of ASCII are looked up.
#[inline]
fn spread(c: char) -> u64 {
    PLAIN.get(c as usize).copied().unwrap_or_else(|| mixed(c as u64))
}

/// The bits of the characters of ASCII; all white space has those of a space.
static PLAIN: [u64; 128] = {
    let mut table = [0; 128];
    let mut c = 0;
    while c < 128 {
        table[c] = mixed(space_if_white(c as u8) as u64);
        c += 1;
    }
    table
};

const fn mixed(c: u64) -> u64 {
    let mixed = (c + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Makes every bit of a rolling hash depend on every other, so that a threshold samples evenly.
#[inline]
fn finish(rolling: u64) -> u64 {
    let mixed = (rolling ^ (rolling >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::source::SourceMemory;
    use crate::text::Pieces;

    #[test]
    fn a_line_is_what_a_reader_sees() {
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f \tg <p> ";
        let mut memory = SourceMemory::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        let mut windows = Windows::new(source, &Text { window: 1, ..Text::default() });
        let mut places = Vec::new();
        windows.read(Pieces::of(&source), |at, _| places.push(at));
        assert_eq!(places, (0..10).collect::<Vec<_>>());
        let words = |start, end| windows.words(start, end).map(|(text, span)| (text, &page[span.range()]));
        let bytes: Vec<&str> = (0..10).map(|at| words(at, at + 1).map_or("", |(_, bytes)| bytes)).collect();
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f", "", "g"]);
        assert_eq!(words(0, 10).unwrap().0, "a < b éf g");
        assert_eq!(words(1, 4), Some(("<".to_owned(), "&lt;")));
        assert_eq!(words(5, 9), Some(("éf".to_owned(), "é<!-- c -->f")));
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
            Windows::new(source, &text).read(Pieces::of(&source), |at, hash| found.push((at, hash)));
            assert_eq!(found, expected, "{page}");
        }
    }
}
