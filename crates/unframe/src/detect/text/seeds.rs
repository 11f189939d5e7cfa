//! Seeds: the few sampled windows of a line, with their contexts.
//!
//! A gear hash (each character shifts it by one bit) is computed over all characters and decides which windows are seeds. Its lowest n bits
//! depend only on the last n characters. So the gear hashes around a seed also show how far two occurrences of it agree, one bit per
//! character.

use super::Text;
use super::line::{Line, Scan, WAITING};
use super::roll::{GEAR_WINDOW_MIN, finish, full_hash, scan_characters, threshold};

/// Maximum number of characters on either side of a seed that are compared; each has one bit of a signature.
pub(super) const REACH_MAX: usize = 64;
/// A seed is extended by this many characters at a time.
pub(super) const STEP: usize = 4;
/// Maximum length of the text between two seeds that is compared as a whole. Nearly all are shorter at a density of 40.
const STRETCH_MAX: usize = 256;

/// Calls `each` with every seed of a line.
pub(super) struct Seeds<F> {
    /// Characters in a seed.
    len: usize,
    threshold: u64,
    /// The gear hash after each kept character.
    gears: Vec<u64>,
    /// The number of characters dropped before the kept ones.
    dropped: usize,
    /// The ends of the seeds that were not passed to `each` yet.
    ends: Vec<usize>,
    each: F,
}

/// A window of a line that is sampled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed<'l> {
    /// The index of its first character in the line.
    pub(super) at: usize,
    bits: &'l [u64],
    gears: &'l [u64],
    /// The range of the seed in `bits` and `gears`.
    start: usize,
    end: usize,
}

impl<F: FnMut(Seed<'_>)> Seeds<F> {
    pub(super) fn new(text: &Text, each: F) -> Seeds<F> {
        let threshold = threshold(text.density);
        let gears = Vec::with_capacity(kept_max(text.seed_len()) + REACH_MAX + 1 + WAITING);
        Seeds { len: text.seed_len(), threshold, gears, dropped: 0, ends: Vec::new(), each }
    }

    /// Computes the gear hashes of more characters, and records the ends of seeds.
    fn extend_gears(&mut self, bits: &[u64]) {
        let unused = 64 - self.len.min(64) as u32;
        let mut gear = self.gears.last().copied().unwrap_or_default();
        for bits in &bits[self.gears.len()..] {
            gear = (gear << 1).wrapping_add(*bits);
            self.gears.push(gear);
            if gear << unused <= self.threshold {
                self.ends.push(self.gears.len());
            }
        }
    }

    /// Calls `each` with the seeds that end no later than `last`.
    fn hand_out(&mut self, bits: &[u64], last: usize) {
        let complete = self.ends.partition_point(|end| *end <= last);
        for end in self.ends.drain(..complete) {
            // The first window must be full before it can be sampled.
            if let Some(start) = end.checked_sub(self.len) {
                (self.each)(Seed { at: self.dropped + start, bits, gears: &self.gears, start, end });
            }
        }
    }

    /// Drops the oldest characters, and returns their number.
    fn drop_before(&mut self, searched: usize) -> usize {
        let dropped = searched.saturating_sub(kept_max(self.len));
        self.gears.drain(..dropped);
        self.ends.iter_mut().for_each(|end| *end -= dropped);
        self.dropped += dropped;
        dropped
    }
}

impl<F: FnMut(Seed<'_>)> Scan for Seeds<F> {
    fn line(&self) -> Line {
        Line::new(kept_max(self.len) + REACH_MAX, 0)
    }

    fn scan(&mut self, bits: &[u64], is_last: bool) -> usize {
        self.extend_gears(bits);
        // A seed can be handed out only when the characters after it are known.
        let last = if is_last { bits.len() } else { bits.len().saturating_sub(REACH_MAX) };
        self.hand_out(bits, last);
        self.drop_before(last)
    }
}

/// The number of characters before the end of a seed that may be needed: the seed itself, one before it, and the text since the previous seed.
fn kept_max(seed_len: usize) -> usize {
    seed_len + STRETCH_MAX + 1
}

impl Seed<'_> {
    pub(super) fn end(&self) -> usize {
        self.at + self.end - self.start
    }

    /// The hash of the seed's characters.
    pub(super) fn hash(&self) -> u64 {
        full_hash(&self.bits[self.start..self.end])
    }

    /// A signature of the characters before the seed: the lowest n bits are equal if the n characters before it are equal.
    pub(super) fn left(&self) -> u64 {
        self.start.checked_sub(1).map_or(0, |before| self.gears[before])
    }

    /// Like [`Seed::left`], for the characters after the seed and for multiples of [`STEP`]. Each step has its own bits.
    pub(super) fn right(&self) -> u64 {
        let ends = self.gears[self.end..].iter().skip(STEP - 1).step_by(STEP).take(REACH_MAX / STEP);
        ends.enumerate().fold(0, |bits, (step, gear)| bits | (gear & ((1 << STEP) - 1)) << (step * STEP))
    }

    /// The number of characters before and after the seed; characters too far away to matter may be missing.
    pub(super) fn room(&self) -> (usize, usize) {
        (self.at, self.bits.len() - self.end)
    }

    /// The hash of the text from the earlier seed at `at` to this seed; `None` if the text is long.
    pub(super) fn stretch_from(&self, at: usize) -> Option<u64> {
        let len = self.at - at;
        (len <= STRETCH_MAX).then(|| stretch_hash(&self.bits[self.start - len..self.start]))
    }
}

/// The hash of a text of any length. Four independent chains hide the latency of the multiplications.
fn stretch_hash(bits: &[u64]) -> u64 {
    let mut chains = [bits.len() as u64, 1, 2, 3];
    for part in bits.chunks(4) {
        chains.iter_mut().zip(part).for_each(|(chain, bits)| *chain = mix(*chain, *bits));
    }
    finish(chains.into_iter().fold(0, mix))
}

/// Combines two numbers, depending on their order.
#[inline]
pub(super) fn mix(one: u64, other: u64) -> u64 {
    (one.rotate_left(29) ^ other).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl Text {
    /// Whether sampled windows are extended. Windows shorter than the gear hash needs are not.
    pub(super) fn extends(&self) -> bool {
        self.density > 1 && self.reach > 0 && self.window >= GEAR_WINDOW_MIN
    }

    /// The number of characters in a seed: fewer than in a window, so that a short template has more seeds. The extended text is a template
    /// only if it is at least as long as a window.
    fn seed_len(&self) -> usize {
        (self.window * 5 / 8).max(GEAR_WINDOW_MIN)
    }

    /// Calls `each` with the seeds of a line.
    pub(super) fn for_each_seed(&self, characters: &[char], each: impl FnMut(Seed<'_>)) {
        scan_characters(characters, Seeds::new(self, each));
    }
}
