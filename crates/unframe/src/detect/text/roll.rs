//! A rolling hash over the windows of a line.

use super::Text;
use super::line::{Line, Scan, WAITING, spread};

/// Calls `each` with the position and the hash of every counted window.
pub(super) struct Rolling<F> {
    window: usize,
    /// Hashes up to this value are counted. This comparison samples as well as a remainder does, and is much cheaper.
    threshold: u64,
    hash: u64,
    /// Whether a cheaper hash selects the counted windows, so that only those get a full hash.
    is_sampled: bool,
    /// The number of characters hashed so far.
    hashed: usize,
    each: F,
}

impl<F: FnMut(usize, u64)> Rolling<F> {
    pub(super) fn new(text: &Text, each: F) -> Rolling<F> {
        Rolling {
            window: text.window,
            threshold: threshold(text.density),
            hash: 0,
            is_sampled: text.density > 1 && text.window >= GEAR_WINDOW_MIN,
            hashed: 0,
            each,
        }
    }

    /// Rolls a gear hash (each character shifts it by one bit), which selects one window in many. Its last `window` bits depend only on the
    /// characters of the window, and the highest of these bits depends on all of them.
    fn roll_sampled(&mut self, bits: &[u64]) {
        let Rolling { window, threshold, hash: mut gear, hashed, ref mut each, .. } = *self;
        let unused = 64 - window.min(64) as u32;
        for (at, enters) in bits[window..].iter().enumerate() {
            gear = (gear << 1).wrapping_add(*enters);
            // The first window must be full before it can be counted.
            if gear << unused <= threshold && hashed + at + 1 >= window {
                each(hashed + at + 1 - window, full_hash(&bits[at + 1..at + 1 + window]));
            }
        }
        self.hash = gear;
    }

    /// Rolls the hash. `step` computes the next hash from the characters that leave and enter the window.
    #[inline(always)]
    fn roll_by(&mut self, bits: &[u64], step: impl Fn(u64, u64, u64) -> u64) {
        let Rolling { window, threshold, mut hash, hashed, ref mut each, .. } = *self;
        let mut pairs = bits.windows(window + 1).map(|bits| (bits[0], bits[window]));
        let mut next = |(leaves, enters): (u64, u64)| {
            hash = step(hash, leaves, enters);
            hash
        };
        // The first window must be full before it can be counted.
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
        self.hash = hash;
    }
}

impl<F: FnMut(usize, u64)> Scan for Rolling<F> {
    fn line(&self) -> Line {
        // Nothing leaves the window before it is full, so the padding has no bits.
        Line::new(self.window, self.window)
    }

    fn scan(&mut self, bits: &[u64], _is_last: bool) -> usize {
        if self.is_sampled {
            self.roll_sampled(bits);
        } else if self.window < 64 {
            let out_by = self.window as u32;
            self.roll_by(bits, |hash, leaves, enters| {
                hash.rotate_left(1) ^ (leaves.rotate_left(out_by) ^ enters)
            });
        } else {
            // After 64 rotations, a character would be in its old position, and equal characters 64 apart would cancel out.
            let out_by = FACTOR.wrapping_pow(self.window as u32);
            self.roll_by(bits, |hash, leaves, enters| {
                hash.wrapping_mul(FACTOR).wrapping_add(enters).wrapping_sub(leaves.wrapping_mul(out_by))
            });
        }
        let rolled = bits.len() - self.window;
        self.hashed += rolled;
        rolled
    }
}

impl Text {
    /// Calls `each` with the position and the hash of every counted window of a line, without extension.
    pub fn for_each_window(&self, characters: &[char], each: impl FnMut(usize, u64)) {
        scan_characters(characters, Rolling::new(self, each));
    }
}

/// Scans a line that is one string of characters, with its white space unchanged.
pub(super) fn scan_characters(characters: &[char], mut scan: impl Scan) {
    let mut line = scan.line();
    for part in characters.chunks(WAITING) {
        line.put(part.iter().map(|c| spread(*c)), &mut scan);
    }
    line.finish(&mut scan);
}

/// The highest hash that is counted.
pub(super) fn threshold(density: u64) -> u64 {
    u64::MAX / density.max(1)
}

/// The hash of a window from the bits of its characters, equal to the rolling hash.
pub(super) fn full_hash(window: &[u64]) -> u64 {
    finish(match window.len() {
        ..64 => window.iter().fold(0, |hash: u64, bits| hash.rotate_left(1) ^ bits),
        _ => window.iter().fold(0, |hash: u64, bits| hash.wrapping_mul(FACTOR).wrapping_add(*bits)),
    })
}

/// Shorter windows have too few bits in a gear hash for even sampling.
pub(super) const GEAR_WINDOW_MIN: usize = 16;
/// The multiplier of a long window's hash for each character: an odd number with evenly distributed bits.
const FACTOR: u64 = 0x9FB2_1C65_1E98_DF25;
/// Makes every bit depend on all bits of a rolling hash, so that a threshold samples evenly.
#[inline]
pub(super) fn finish(rolling: u64) -> u64 {
    let mixed = (rolling ^ (rolling >> 31)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 32)
}
