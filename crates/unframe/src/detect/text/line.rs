//! Buffers the characters of a line, to hash many of them in one loop.

use crate::text::{is_white, is_white_byte};

/// The number of characters that are buffered before a scan: one long loop is faster than a loop for each of many short texts.
pub(super) const WAITING: usize = 1 << 11;

/// Scans the characters of a line, part by part.
pub(super) trait Scan {
    /// An empty line, with room for the characters that the scan keeps.
    fn line(&self) -> Line;

    /// Scans the new characters in `bits`, which begin with the characters that the previous call kept. `is_last` means that nothing
    /// follows. Returns the number of characters at the front that are no longer needed.
    fn scan(&mut self, bits: &[u64], is_last: bool) -> usize;
}

/// The characters of a line, as random bits for each, without repeated white space.
#[derive(Debug)]
pub(super) struct Line {
    /// The bits of the kept characters and of the buffered ones, and room for more.
    bits: Vec<u64>,
    /// The number of characters in `bits`.
    used: usize,
    /// The number of padding characters without bits before the first character of the line.
    padding: usize,
    /// The number of dropped characters.
    dropped: usize,
    /// Whether the last character is a space, or there is none yet.
    pub(super) is_after_white: bool,
}

impl Line {
    /// An empty line for a scan that keeps at most this many characters.
    pub(super) fn new(kept_max: usize, padding: usize) -> Line {
        Line {
            bits: vec![0; kept_max + 1 + WAITING],
            used: padding,
            padding,
            dropped: 0,
            is_after_white: true,
        }
    }

    /// The number of characters.
    pub(super) fn len(&self) -> usize {
        self.dropped + self.used - self.padding
    }

    /// Appends a character, given by its bits.
    #[inline]
    pub(super) fn push(&mut self, bits: u64, scan: &mut impl Scan) {
        if self.used == self.bits.len() {
            self.scan(scan);
        }
        let is_white = bits == SPACE;
        self.bits[self.used] = bits;
        self.used += usize::from(!(is_white & self.is_after_white));
        self.is_after_white = is_white;
    }

    /// Appends single-byte characters, up to the first other byte. Returns their number.
    pub(super) fn push_plain(&mut self, text: &[u8], scan: &mut impl Scan) -> usize {
        let mut read = 0;
        loop {
            let part = &text[read..text.len().min(read + self.bits.len() - self.used)];
            let taken = self.put_plain(part);
            read += taken;
            if taken < part.len() || read == text.len() {
                return read;
            }
            self.scan(scan);
        }
    }

    /// Like [`Line::push_plain`], while there is room. White space needs no branch: the character after it overwrites repeated white space.
    #[inline]
    fn put_plain(&mut self, part: &[u8]) -> usize {
        let (mut used, mut is_after_white) = (self.used, self.is_after_white);
        let mut taken = 0;
        for byte in part {
            let bits = PLAIN[usize::from(*byte)];
            if bits == 0 {
                break;
            }
            self.bits[used] = bits;
            let is_white = bits == SPACE;
            used += usize::from(!(is_white & is_after_white));
            is_after_white = is_white;
            taken += 1;
        }
        (self.used, self.is_after_white) = (used, is_after_white);
        taken
    }

    /// Appends at most [`WAITING`] characters unchanged, including repeated white space.
    pub(super) fn put(&mut self, bits: impl ExactSizeIterator<Item = u64>, scan: &mut impl Scan) {
        if self.used + bits.len() > self.bits.len() {
            self.scan(scan);
        }
        let end = self.used + bits.len();
        self.bits[self.used..end].iter_mut().zip(bits).for_each(|(place, bits)| *place = bits);
        (self.used, self.is_after_white) = (end, false);
    }

    /// Scans the remaining characters, except a space at the end of the line, which is ignored.
    pub(super) fn finish(&mut self, scan: &mut impl Scan) {
        self.used -= usize::from(self.is_after_white && self.used > self.padding);
        scan.scan(&self.bits[..self.used], true);
    }

    /// Makes room by scanning. The last character stays buffered, because it may be a space at the end.
    #[inline(never)]
    fn scan(&mut self, scan: &mut impl Scan) {
        let dropped = scan.scan(&self.bits[..self.used - 1], false);
        self.bits.copy_within(dropped..self.used, 0);
        self.dropped += dropped;
        self.used -= dropped;
    }
}

/// The bits of a space.
pub(super) const SPACE: u64 = mixed(b' ' as u64);

/// Random bits for a character. All white space has the bits of a space.
#[inline]
pub(super) fn spread(c: char) -> u64 {
    match PLAIN.get(c as usize) {
        Some(bits) if *bits != 0 => *bits,
        _ if is_white(c) => SPACE,
        _ => mixed(c as u64),
    }
}

/// The bits of bytes that stand for themselves in a text; 0 for others.
static PLAIN: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'&' => 0,
            white if is_white_byte(white) => SPACE,
            other => mixed(other as u64),
        };
        byte += 1;
    }
    table
};

const fn mixed(c: u64) -> u64 {
    let mixed = (c + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
