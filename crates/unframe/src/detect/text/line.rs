//! Buffers the characters of a line, to hash many of them in one loop.

use crate::text::{is_white, is_white_byte};

/// This many characters wait until they are scanned: one long loop is quicker than one for each of many short texts.
pub(super) const WAITING: usize = 1 << 11;

/// Goes over the characters of a line, part by part.
pub(super) trait Scan {
    /// An empty line, with room for what it keeps.
    fn line(&self) -> Line;

    /// Takes in what is new in `bits`, which begin with the characters that an earlier call kept. Nothing follows if it `is_last`. Returns how many
    /// characters at the front are not needed again.
    fn scan(&mut self, bits: &[u64], is_last: bool) -> usize;
}

/// The characters of a line, as random bits for each, without white space that follows white space.
#[derive(Debug)]
pub(super) struct Line {
    /// The bits of characters that are kept, those of characters that wait, and room for more.
    bits: Vec<u64>,
    /// How many there are.
    used: usize,
    /// How many of them stand before the first character of the line, without bits.
    padding: usize,
    /// How many were dropped.
    dropped: usize,
    /// Whether the last character is a space, or none has come yet.
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

    /// How many characters there are.
    pub(super) fn len(&self) -> usize {
        self.dropped + self.used - self.padding
    }

    /// A character by its bits.
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

    /// Characters of one byte each, as far as they are such. Returns how many there were.
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

    /// The same while there is room. Without a branch for white space: what follows such overwrites it.
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

    /// At most [`WAITING`] characters as they are, white space after white space included.
    pub(super) fn put(&mut self, bits: impl ExactSizeIterator<Item = u64>, scan: &mut impl Scan) {
        if self.used + bits.len() > self.bits.len() {
            self.scan(scan);
        }
        let end = self.used + bits.len();
        self.bits[self.used..end].iter_mut().zip(bits).for_each(|(place, bits)| *place = bits);
        (self.used, self.is_after_white) = (end, false);
    }

    /// Scans what is there, but for a space at the end of the line, which means nothing.
    pub(super) fn finish(&mut self, scan: &mut impl Scan) {
        self.used -= usize::from(self.is_after_white && self.used > self.padding);
        scan.scan(&self.bits[..self.used], true);
    }

    /// Makes room. The last character waits, since it may be a space at the end.
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

/// Random bits for a character; all white space has those of a space.
#[inline]
pub(super) fn spread(c: char) -> u64 {
    match PLAIN.get(c as usize) {
        Some(bits) if *bits != 0 => *bits,
        _ if is_white(c) => SPACE,
        _ => mixed(c as u64),
    }
}

/// The same for bytes that stand for themselves in a text; nothing for others.
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
