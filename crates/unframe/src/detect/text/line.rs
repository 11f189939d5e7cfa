//! Characters of a line, and a hash that rolls over them.

use super::Text;
use crate::text::{is_white, is_white_byte};

/// So many characters wait until the hash rolls over them: one long loop is quicker than one for each of many short texts.
pub(super) const WAITING: usize = 1 << 11;

/// Characters without white space that follows white space, and a hash that rolls over them.
#[derive(Debug)]
pub(super) struct Line {
    window: usize,
    /// Hashes up to here are counted. Comparing samples as well as a remainder does, and is much cheaper.
    threshold: u64,
    hash: u64,
    /// Whether a cheaper hash decides which windows are counted, so that only those get a full one.
    is_sampled: bool,
    /// How many characters the hash has rolled over.
    hashed: usize,
    /// The random bits of the characters of the last window, those of the characters that wait, and room for more.
    bits: Vec<u64>,
    /// How many there are.
    used: usize,
    /// Whether the last character is a space, or none has come yet.
    pub(super) is_after_white: bool,
}

impl Line {
    pub(super) fn new(text: &Text) -> Line {
        Line {
            window: text.window,
            threshold: u64::MAX / text.density.max(1),
            hash: 0,
            is_sampled: text.density > 1 && text.window >= SAMPLED_WINDOW_MIN,
            hashed: 0,
            // Before the first window is full, nothing leaves it: no bits.
            bits: vec![0; text.window + WAITING],
            used: text.window,
            is_after_white: true,
        }
    }

    /// How many characters there are.
    pub(super) fn len(&self) -> usize {
        self.hashed + (self.used - self.window)
    }

    /// A character by its bits.
    #[inline]
    pub(super) fn push(&mut self, bits: u64, each: &mut impl FnMut(usize, u64)) {
        if self.used == self.bits.len() {
            self.roll(1, each);
        }
        let is_white = bits == SPACE;
        self.bits[self.used] = bits;
        self.used += usize::from(!(is_white & self.is_after_white));
        self.is_after_white = is_white;
    }

    /// Characters of one byte each, as far as they are such. Tells how many there were.
    pub(super) fn push_plain(&mut self, text: &[u8], each: &mut impl FnMut(usize, u64)) -> usize {
        let mut read = 0;
        loop {
            let part = &text[read..text.len().min(read + self.bits.len() - self.used)];
            let taken = self.put_plain(part);
            read += taken;
            if taken < part.len() || read == text.len() {
                return read;
            }
            self.roll(1, each);
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

    /// Takes in all characters but a space at the end, which means nothing.
    pub(super) fn finish(&mut self, each: &mut impl FnMut(usize, u64)) {
        self.used -= usize::from(self.is_after_white && self.used > self.window);
        self.roll(0, each);
    }

    /// Lets the hash roll over the characters that wait, but for the last `kept`.
    #[inline(never)]
    fn roll(&mut self, kept: usize, each: &mut impl FnMut(usize, u64)) {
        if self.is_sampled {
            self.roll_sampled(kept, each);
        } else if self.window < 64 {
            let out_by = self.window as u32;
            self.roll_by(kept, each, |hash, leaves, enters| {
                hash.rotate_left(1) ^ (leaves.rotate_left(out_by) ^ enters)
            });
        } else {
            // After 64 rotations a character would be where it was, and equal ones 64 apart would cancel out.
            let out_by = FACTOR.wrapping_pow(self.window as u32);
            self.roll_by(kept, each, |hash, leaves, enters| {
                hash.wrapping_mul(FACTOR).wrapping_add(enters).wrapping_sub(leaves.wrapping_mul(out_by))
            });
        }
    }

    /// The same for one window in many. A gear hash (each character shifts it by one bit) decides: its last `window` bits depend on the characters of the
    /// window and on nothing else, and the highest of them on all of these characters.
    fn roll_sampled(&mut self, kept: usize, each: &mut impl FnMut(usize, u64)) {
        let Line { window, threshold, hash: mut gear, hashed, used, ref mut bits, .. } = *self;
        let rolled = used - window - kept;
        let unused = 64 - window.min(64) as u32;
        for (at, enters) in bits[window..used - kept].iter().enumerate() {
            gear = (gear << 1).wrapping_add(*enters);
            // Until the first window is full, there is nothing to count.
            if gear << unused <= threshold && hashed + at + 1 >= window {
                each(hashed + at + 1 - window, full_hash(&bits[at + 1..at + 1 + window]));
            }
        }
        bits.copy_within(rolled..used, 0);
        self.hash = gear;
        self.hashed += rolled;
        self.used -= rolled;
    }

    /// The same, with the step from one hash to the next by the characters that leave and enter the window.
    #[inline(always)]
    fn roll_by(
        &mut self,
        kept: usize,
        each: &mut impl FnMut(usize, u64),
        step: impl Fn(u64, u64, u64) -> u64,
    ) {
        let Line { window, threshold, mut hash, hashed, used, ref mut bits, .. } = *self;
        let rolled = used - window - kept;
        let mut pairs = bits[..used - kept].windows(window + 1).map(|bits| (bits[0], bits[window]));
        let mut next = |(leaves, enters): (u64, u64)| {
            hash = step(hash, leaves, enters);
            hash
        };
        // Until the first window is full, there is nothing to count.
        let filling = (window - 1).saturating_sub(hashed);
        pairs.by_ref().take(filling).for_each(|pair| {
            next(pair);
        });
        for (place, pair) in (hashed + filling + 1 - window..).zip(pairs) {
            let finished = finish(next(pair));
            if finished <= threshold {
                each(place, finished);
            }
        }
        bits.copy_within(rolled..used, 0);
        self.hash = hash;
        self.hashed += rolled;
        self.used -= rolled;
    }
}

impl Text {
    /// Calls `each` with the place and the hash of every window of a line that is counted.
    pub fn for_each_window(&self, characters: &[char], mut each: impl FnMut(usize, u64)) {
        let mut line = Line::new(self);
        for part in characters.chunks(WAITING) {
            let room = line.bits[line.used..].iter_mut();
            room.zip(part).for_each(|(bits, c)| *bits = spread(*c));
            line.used += part.len();
            line.roll(0, &mut each);
        }
    }
}

/// The hash of a window, from the bits of its characters: what a rolling hash would be.
fn full_hash(window: &[u64]) -> u64 {
    finish(match window.len() {
        ..64 => window.iter().fold(0, |hash: u64, bits| hash.rotate_left(1) ^ bits),
        _ => window.iter().fold(0, |hash: u64, bits| hash.wrapping_mul(FACTOR).wrapping_add(*bits)),
    })
}

/// Shorter windows have too few bits in a gear hash to sample evenly.
const SAMPLED_WINDOW_MIN: usize = 16;
/// What a hash of a long window is multiplied by for each character: odd, with bits everywhere.
const FACTOR: u64 = 0x9FB2_1C65_1E98_DF25;
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

/// Makes every bit of a rolling hash depend on every other, so that a threshold samples evenly.
#[inline]
pub(super) fn finish(rolling: u64) -> u64 {
    let mixed = (rolling ^ (rolling >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 32)
}
