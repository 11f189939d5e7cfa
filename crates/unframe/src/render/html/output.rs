//! Copies a page except for its cuts.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};
use memchr::memrchr;

use crate::html::Span;
use crate::parsed::PageBytes;

/// A partial copy of a page. Positions must be in ascending order.
pub(super) struct Output<'c> {
    payload: &'c [u8],
    encoding: &'static Encoding,
    out: Vec<u8>,
    /// The position up to which the page was copied or cut.
    at: usize,
    /// The remaining cuts.
    cuts: &'c [Span],
    /// Whether anything was left out since the last copied byte.
    is_after_gap: bool,
    /// The ISO-2022-JP shift states at this position of the page and at the end of the copy.
    shift: Option<Shift>,
}

impl<'c> Output<'c> {
    pub(super) fn new(page: PageBytes<'c>, cuts: &'c [Span]) -> Output<'c> {
        let shift = (page.encoding == ISO_2022_JP).then(Shift::default);
        let out = Vec::with_capacity(page.payload.len());
        let PageBytes { payload, encoding } = page;
        Output { payload, encoding, out, at: 0, cuts, is_after_gap: false, shift }
    }

    /// Copies the bytes up to `end` except for the cuts.
    pub(super) fn keep_to(&mut self, end: u32) {
        self.keep_to_byte(end as usize);
    }

    fn keep_to_byte(&mut self, end: usize) {
        let end = end.min(self.payload.len());
        while self.at < end {
            match self.next_cut() {
                Some(cut) if cut.start <= self.at => self.skip_to(cut.end.min(end)),
                Some(cut) if cut.start < end => self.copy_to(cut.start),
                _ => self.copy_to(end),
            }
        }
    }

    /// Copies the bytes before the span except for the cuts, and leaves the span out.
    pub(super) fn leave_out(&mut self, span: Span) {
        self.keep_to(span.start);
        self.skip_to((span.end as usize).max(self.at));
    }

    /// Whether the next byte is cut.
    pub(super) fn is_cut(&mut self) -> bool {
        let at = self.at;
        self.next_cut().is_some_and(|cut| cut.start <= at)
    }

    /// Appends a space.
    pub(super) fn space(&mut self) {
        if let Some(shift) = &mut self.shift
            && shift.copy != ASCII
        {
            self.out.extend(ASCII);
            shift.copy = ASCII;
        }
        match self.encoding {
            encoding if encoding == UTF_16LE => self.out.extend(b" \0"),
            encoding if encoding == UTF_16BE => self.out.extend(b"\0 "),
            _ => self.out.push(b' '),
        }
    }

    /// Copies the rest and returns the copy.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.keep_to_byte(self.payload.len());
        self.out
    }

    /// The first cut that ends after the current position.
    fn next_cut(&mut self) -> Option<std::ops::Range<usize>> {
        while self.cuts.first().is_some_and(|cut| cut.end as usize <= self.at) {
            self.cuts = &self.cuts[1..];
        }
        self.cuts.first().map(|cut| cut.range())
    }

    fn skip_to(&mut self, end: usize) {
        if let Some(shift) = &mut self.shift {
            shift.page = last_shift(&self.payload[self.at..end]).unwrap_or(shift.page);
        }
        self.is_after_gap |= end > self.at;
        self.at = end;
    }

    fn copy_to(&mut self, end: usize) {
        let bytes = &self.payload[self.at..end];
        if std::mem::take(&mut self.is_after_gap) && makes_markup(&self.out, bytes) {
            self.space();
        }
        if let Some(shift) = &mut self.shift {
            if shift.page != shift.copy && bytes.first() != Some(&ESCAPE) {
                self.out.extend(shift.page);
            }
            shift.page = last_shift(bytes).unwrap_or(shift.page);
            shift.copy = shift.page;
        }
        self.out.extend_from_slice(bytes);
        self.at = end;
    }
}

/// Whether bytes could begin a tag or a character reference together with the preceding text: `a <` and `b` must not become `a <b`.
fn makes_markup(text: &[u8], next: &[u8]) -> bool {
    let Some(next) = next.first() else { return false };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let name = text.iter().rev().take(32).take_while(|byte| is_name(byte)).count();
    match text.last() {
        Some(b'<') => next.is_ascii_alphabetic() || b"/!?".contains(next),
        _ => text[..text.len() - name].ends_with(b"&") && (is_name(next) || *next == b';'),
    }
}

const ESCAPE: u8 = 0x1b;

/// The escape sequence of ISO-2022-JP that switches to ASCII.
const ASCII: [u8; 3] = [ESCAPE, b'(', b'B'];

struct Shift {
    page: [u8; 3],
    copy: [u8; 3],
}

impl Default for Shift {
    fn default() -> Shift {
        Shift { page: ASCII, copy: ASCII }
    }
}

fn last_shift(bytes: &[u8]) -> Option<[u8; 3]> {
    let at = memrchr(ESCAPE, bytes)?;
    bytes.get(at..at + 3)?.try_into().ok()
}
