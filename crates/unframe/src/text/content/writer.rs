//! Writes text as browsers lay it out.

use super::super::inline;
use super::super::is_white_byte;
use super::super::runs::{Runs, space_if_white};
use crate::html::tag::Tag;

/// Writes text as browsers lay it out.
#[derive(Default)]
pub(super) struct Writer {
    /// The text in UTF-8.
    out: Vec<u8>,
    /// The white space to write before the next word.
    pending: Pending,
    /// Whether the last measured character is white space.
    after_white: bool,
    /// Whether to drop a line feed right after `<pre>`, as browsers do.
    pub(super) skip_line_feed: bool,
    /// The open inline elements with [notation](inline::needs_notation), and the positions of their text.
    open: Vec<(Tag, usize)>,
}

/// Maximum nesting of inline elements with notation; deeper ones get no notation.
const INLINE_DEPTH_MAX: usize = 8;

/// Maximum number of open inline elements; further ones are ignored.
const OPEN_MAX: usize = 64;

/// Bytes before an inline element that are needed to decide its notation.
const BEFORE_BYTES: usize = 32;

#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Pending {
    #[default]
    Nothing,
    Space,
    Tab,
    Line,
}

impl Writer {
    /// Returns the written text.
    pub(super) fn finish(self) -> String {
        // Only whole strings and spaces were written, so this is valid UTF-8.
        String::from_utf8(self.out).unwrap_or_default()
    }

    /// Writes text, preserving or collapsing white space. Returns its length, like [`Writer::visible_len`].
    pub(super) fn text(&mut self, text: &str, is_preformatted: bool) -> u64 {
        match is_preformatted {
            true => self.preformatted(text),
            false if text.contains('\u{a0}') => self.words(text),
            false => return self.flowing(text.as_bytes()),
        }
        self.visible_len(text)
    }

    /// Writes UTF-8 text without no-break spaces, collapsing white space. Returns its length, like [`Writer::visible_len`].
    pub(super) fn flowing(&mut self, text: &[u8]) -> u64 {
        let (Some(first), Some(last)) = (text.first(), text.last()) else { return 0 };
        if is_white_byte(*first) {
            self.ask_for(Pending::Space);
        }
        let mut written = 0;
        for run in Runs::of(text) {
            if written == 0 {
                self.begin_word();
            }
            written += char_count(run);
            self.out.extend(run.iter().map(|byte| space_if_white(*byte)));
        }
        if written > 0 && is_white_byte(*last) {
            self.out.pop();
            self.ask_for(Pending::Space);
        }
        self.with_white_at_the_ends(written, *first, *last)
    }

    /// Separates the words of two adjacent links, which are two items even if a style sheet keeps them apart. Letters that need no space stay
    /// together.
    pub(super) fn separate_links(&mut self) {
        if self.out.last().is_some_and(u8::is_ascii_alphanumeric) {
            self.ask_for(Pending::Space);
        }
    }

    /// Writes a formula as one word.
    pub(super) fn formula(&mut self, formula: &str) {
        self.begin_word();
        self.out.extend_from_slice(formula.as_bytes());
    }

    /// Begins or ends an inline element with [notation](inline::needs_notation).
    #[cold]
    pub(super) fn inline(&mut self, tag: Tag, is_start: bool) {
        if is_start {
            // The stack is searched at every end, so it must stay short.
            if self.open.len() < OPEN_MAX {
                self.open.push((tag, self.out.len()));
            }
        } else if let Some(depth) = self.open.iter().rposition(|(open, _)| *open == tag) {
            let start = self.open[depth].1;
            self.open.truncate(depth);
            let is_quoted = tag == Tag::Q && self.open.iter().any(|(open, _)| *open == Tag::Q);
            if depth < INLINE_DEPTH_MAX && !is_quoted {
                self.add_notation(tag, start);
            }
        }
    }

    /// Adds the notation of an element to the text from `start` on.
    fn add_notation(&mut self, tag: Tag, start: usize) {
        let is_boundary = |at: &usize| self.out.get(*at).is_some_and(|byte| (*byte as i8) >= -64);
        let Some(from) = (start.saturating_sub(BEFORE_BYTES)..=start).find(is_boundary) else { return };
        // Later writes may have removed white space, so that the position no longer exists.
        if let Ok(mut tail) = String::from_utf8(self.out[from..].to_vec()) {
            inline::add_notation(tag, &mut tail, start - from);
            self.out.truncate(from);
            self.out.extend_from_slice(tail.as_bytes());
        }
    }

    /// Writes any text, collapsing white space.
    fn words(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let word_start = white_len(rest.as_bytes());
            if word_start > 0 {
                self.ask_for(Pending::Space);
                rest = &rest[word_start..];
            }
            if rest.is_empty() {
                return;
            }
            let word_end = word_len(rest.as_bytes());
            self.begin_word();
            self.out.extend_from_slice(&rest.as_bytes()[..word_end]);
            rest = &rest[word_end..];
        }
    }

    /// Writes text, preserving white space.
    fn preformatted(&mut self, text: &str) {
        let skip = std::mem::take(&mut self.skip_line_feed);
        let text = text.strip_prefix('\n').filter(|_| skip).unwrap_or(text);
        if !text.is_empty() {
            self.begin_word();
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Marks the place of something visible that is left out: words on both sides must not touch.
    pub(super) fn leave_out(&mut self) {
        self.ask_for(Pending::Space);
    }

    pub(super) fn end_cell(&mut self) {
        self.ask_for(Pending::Tab);
    }

    pub(super) fn end_block(&mut self) {
        self.ask_for(Pending::Line);
    }

    pub(super) fn line_break(&mut self) {
        self.ask_for(Pending::Line);
    }

    fn ask_for(&mut self, pending: Pending) {
        self.pending = self.pending.max(pending);
    }

    fn begin_word(&mut self) {
        let between = match std::mem::take(&mut self.pending) {
            Pending::Nothing => return,
            Pending::Space => b' ',
            Pending::Tab => b'\t',
            Pending::Line => b'\n',
        };
        if between == b'\n' {
            let is_kept = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n');
            self.out.truncate(self.out.iter().rposition(is_kept).map_or(0, |last| last + 1));
        }
        if self.out.last().is_some_and(|last| *last != b'\n') {
            self.out.push(between);
        }
    }

    /// Writes text that is only white space, which collapses. Returns its length, like [`Writer::visible_len`].
    pub(super) fn white(&mut self) -> u64 {
        self.ask_for(Pending::Space);
        u64::from(!std::mem::replace(&mut self.after_white, true))
    }

    /// The length of a text in characters, counting a run of white space as one.
    pub(super) fn visible_len(&mut self, text: &str) -> u64 {
        let mut len = 0;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let white = white_len(rest);
            len += u64::from(white > 0 && !self.after_white);
            let word = word_len(&rest[white..]);
            len += char_count(&rest[white..white + word]);
            self.after_white = word == 0;
            rest = &rest[white + word..];
        }
        len
    }
}

impl Writer {
    /// Like [`Writer::visible_len`], for ASCII.
    pub(super) fn visible_len_ascii(&mut self, text: &[u8]) -> u64 {
        let (Some(first), Some(last)) = (text.first(), text.last()) else { return 0 };
        let runs = Runs::of(text).map(|run| run.len() as u64).sum();
        self.with_white_at_the_ends(runs, *first, *last)
    }

    /// Adds the white space at the start of a text to the length of its runs, which exclude it.
    fn with_white_at_the_ends(&mut self, runs: u64, first: u8, last: u8) -> u64 {
        let len = runs + u64::from(is_white_byte(first) & !self.after_white);
        self.after_white = is_white_byte(last);
        len
    }
}

/// The number of characters in a part of a UTF-8 text: all bytes except continuation bytes.
fn char_count(text: &[u8]) -> u64 {
    text.iter().filter(|byte| (**byte as i8) >= -64).count() as u64
}

/// The length of the white space at the start of a text in UTF-8.
#[inline]
pub(crate) fn white_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        match text.get(len..) {
            Some([byte, ..]) if is_white_byte(*byte) => len += 1,
            Some([0xC2, 0xA0, ..]) => len += 2,
            _ => return len,
        }
    }
}

/// The length of the word at the start of a text in UTF-8.
#[inline]
pub(crate) fn word_len(text: &[u8]) -> usize {
    let mut len = 0;
    loop {
        let ends = |byte: &u8| is_white_byte(*byte) || *byte == 0xC2;
        len += text[len..].iter().position(ends).unwrap_or(text.len() - len);
        match text.get(len..) {
            // A character with the same first byte as the no-break space.
            Some([0xC2, next, ..]) if *next != 0xA0 => len += 2,
            _ => return len,
        }
    }
}
