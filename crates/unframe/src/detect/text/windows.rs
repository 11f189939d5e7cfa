//! The text of a page as one line, and the windows that slide over it.

use super::Text;
use crate::html::decode::Part;
use crate::html::{Source, Span};
use crate::text::{Piece, is_white, is_white_byte, is_white_text};

/// A window is shorter, so the bytes of its characters are still known.
const SPANS: usize = 64;

/// Reads a page as one line, a tag and a run of white space each as one space, while a window slides over it.
#[derive(Debug)]
pub struct Windows {
    window: usize,
    threshold: u64,
    rolling: u64,
    /// The line.
    chars: Vec<char>,
    /// The bytes of the last characters, by their number modulo 64; those of spaces mean nothing.
    spans: [Span; SPANS],
    /// Whether white space was read that is only seen when something follows.
    owes_space: bool,
}

/// A window that is counted.
#[derive(Debug)]
pub struct Window<'w> {
    /// The number of its first character in the line.
    pub at: usize,
    /// The hash of its characters.
    pub hash: u64,
    line: &'w Windows,
}

impl Window<'_> {
    /// The number of the character after its last one.
    pub(super) fn end(&self) -> usize {
        self.at + self.line.window
    }

    /// Its first and last characters that are no spaces, by number, and the bytes from one to the other. Spaces never
    /// follow each other.
    pub(super) fn words(&self) -> Option<(usize, usize, Span)> {
        let Windows { chars, spans, .. } = self.line;
        let first = self.at + usize::from(chars[self.at] == ' ');
        let end = self.end() - usize::from(chars[self.end() - 1] == ' ');
        let last = end.checked_sub(1).filter(|last| first <= *last)?;
        let (start, end) = (spans[first % SPANS].start, spans[last % SPANS].end);
        Some((first, last, Span { start, end }))
    }
}

impl Windows {
    pub(super) fn new(text: &Text) -> Windows {
        Windows {
            window: text.window,
            threshold: text.threshold(),
            rolling: 0,
            chars: Vec::new(),
            spans: [Span { start: 0, end: 0 }; SPANS],
            owes_space: false,
        }
    }

    /// The characters of the line.
    pub fn into_chars(self) -> Vec<char> {
        self.chars
    }

    /// Reads a page, and calls `each` with the windows that are counted.
    pub fn read(
        &mut self,
        source: &Source<'_>,
        pieces: impl Iterator<Item = Piece>,
        mut each: impl FnMut(Window<'_>),
    ) {
        // About as much of most pages is text; it grows for others.
        self.chars.reserve(source.bytes().len() / 4);
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

    /// A space at the start or the end of the line means nothing, and one after another is the same one.
    #[inline]
    fn space(&mut self) {
        self.owes_space = !self.chars.is_empty();
    }

    fn push(&mut self, c: char, span: Span, each: &mut impl FnMut(Window<'_>)) {
        if is_white(c) {
            return self.space();
        }
        self.pay_space(each);
        self.rolling = self.take(self.rolling, c, spread(c), span, each);
    }

    /// Characters of one byte each.
    fn push_plain(&mut self, plain: &[u8], start: u32, each: &mut impl FnMut(Window<'_>)) {
        let Some(last) = plain.iter().rposition(|byte| !is_white_byte(*byte)) else {
            return self.space();
        };
        if is_white_byte(plain[0]) {
            self.space();
        }
        self.pay_space(each);
        let mut rolling = self.rolling;
        let mut is_after_white = true;
        for (at, byte) in (start..).zip(&plain[..=last]) {
            let is_white = is_white_byte(*byte);
            if is_white & is_after_white {
                continue;
            }
            is_after_white = is_white;
            let c = if is_white { ' ' } else { char::from(*byte) };
            let span = Span { start: at, end: at + 1 };
            rolling = self.take(rolling, c, PLAIN[usize::from(*byte)], span, each);
        }
        self.rolling = rolling;
        if last + 1 < plain.len() {
            self.space();
        }
    }

    #[inline]
    fn pay_space(&mut self, each: &mut impl FnMut(Window<'_>)) {
        if std::mem::take(&mut self.owes_space) {
            self.rolling = self.take(self.rolling, ' ', spread(' '), Span { start: 0, end: 0 }, each);
        }
    }

    /// Takes one character in. The rolling hash is the caller's meanwhile, so that it stays in a register.
    #[inline(always)]
    fn take(
        &mut self,
        rolling: u64,
        c: char,
        bits: u64,
        span: Span,
        each: &mut impl FnMut(Window<'_>),
    ) -> u64 {
        let number = self.chars.len();
        self.spans[number % SPANS] = span;
        self.chars.push(c);
        let rolling = roll(rolling, bits, &self.chars, self.window);
        if let Some(at) = (number + 1).checked_sub(self.window) {
            let hash = finish(rolling);
            if hash <= self.threshold {
                each(Window { at, hash, line: self });
            }
        }
        rolling
    }
}

impl Text {
    /// Calls `each` with the hashes of the windows of a line that are counted.
    pub fn for_each_window(&self, line: &[char], mut each: impl FnMut(u64)) {
        let threshold = self.threshold();
        let mut rolling = 0;
        for (number, c) in line.iter().enumerate() {
            rolling = roll(rolling, spread(*c), &line[..=number], self.window);
            let hash = finish(rolling);
            if number + 1 >= self.window && hash <= threshold {
                each(hash);
            }
        }
    }

    /// Hashes up to here are counted. Comparing samples as well as a remainder does, and is much cheaper.
    fn threshold(&self) -> u64 {
        u64::MAX / self.density.max(1)
    }
}

/// The rolling hash of the window at the end of `chars`, whose last character has these bits, from that of the one before.
#[inline(always)]
fn roll(rolling: u64, bits: u64, chars: &[char], window: usize) -> u64 {
    let rolling = rolling.rotate_left(1) ^ bits;
    match chars.len().checked_sub(window + 1) {
        Some(left) => rolling ^ spread(chars[left]).rotate_left(window as u32 % 64),
        None => rolling,
    }
}

/// Random bits for a character; those of ASCII are looked up.
#[inline]
fn spread(c: char) -> u64 {
    PLAIN.get(c as usize).copied().unwrap_or_else(|| mixed(c as u64))
}

/// The bits of the characters of ASCII; all white space has those of a space.
const PLAIN: [u64; 128] = {
    let mut table = [0; 128];
    let mut c = 0;
    while c < 128 {
        table[c] = mixed(if is_white_byte(c as u8) { b' ' as u64 } else { c as u64 });
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
        let page = "<title>T</title> <p>a  &lt;\n<b>b</b><script>x</script>é<!-- c -->f \n<p> ";
        let mut memory = SourceMemory::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        let mut windows = Text { window: 1, ..Text::default() }.windows();
        let mut bytes = Vec::new();
        windows.read(&source, Pieces::of(&source), |window| {
            bytes.push(window.words().map_or("", |(_, _, span)| &page[span.range()]));
        });
        assert_eq!(bytes, ["a", "", "&lt;", "", "b", "", "é", "f"]);
        assert_eq!(windows.into_chars().iter().collect::<String>(), "a < b éf");
    }

    #[test]
    fn windows_are_those_of_the_line_wherever_it_is_cut() {
        let pages = ["one two  three", "one <b>two</b>\tthree", "<p>one\n\n two<p>th&#114;ee<p>"];
        let hashes = pages.map(|page| {
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            let mut hashes = Vec::new();
            let mut windows = Text { window: 5, ..Text::default() }.windows();
            windows.read(&source, Pieces::of(&source), |window| hashes.push(window.hash));
            hashes
        });
        let mut slid = Vec::new();
        let chars: Vec<char> = "one two three".chars().collect();
        Text { window: 5, ..Text::default() }.for_each_window(&chars, |hash| slid.push(hash));
        assert_eq!(slid.len(), 9);
        assert_eq!(hashes, [slid.clone(), slid.clone(), slid]);
    }
}
