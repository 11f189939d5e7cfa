//! Seeds: the few sampled windows of a line, and what stands around them.
//!
//! A gear hash (each character shifts it by one bit) goes over all characters and decides which windows are seeds. Its lowest n bits depend on the
//! last n characters and on nothing else, so the gears around a seed also show how far two occurrences of it agree: one bit a character.

use super::Text;
use super::line::{Line, Scan, WAITING};
use super::roll::{GEAR_WINDOW_MIN, finish, full_hash, scan_characters, threshold};

/// Characters on either side of a seed that are compared, at most: a bit of a signature for each.
pub(super) const REACH_MAX: usize = 64;
/// A seed is extended by this many characters at a time.
pub(super) const STEP: usize = 4;
/// The text from one seed to the next is compared as a whole if it has at most this many characters, as nearly all have at a density of 40.
const STRETCH_MAX: usize = 256;

/// Calls `each` with every seed of a line.
pub(super) struct Seeds<F> {
    /// Characters in a seed.
    len: usize,
    threshold: u64,
    /// The gear hash after each character that is kept.
    gears: Vec<u64>,
    /// How many characters were dropped before them.
    dropped: usize,
    /// Where seeds end that were not handed out yet.
    ends: Vec<usize>,
    each: F,
}

/// A window of a line that is sampled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed<'l> {
    /// The number of its first character in the line.
    pub(super) at: usize,
    bits: &'l [u64],
    gears: &'l [u64],
    /// Where it is in them.
    start: usize,
    end: usize,
}

impl<F: FnMut(Seed<'_>)> Seeds<F> {
    pub(super) fn new(text: &Text, each: F) -> Seeds<F> {
        let threshold = threshold(text.density);
        let gears = Vec::with_capacity(kept_max(text.seed_len()) + REACH_MAX + 1 + WAITING);
        Seeds { len: text.seed_len(), threshold, gears, dropped: 0, ends: Vec::new(), each }
    }

    /// Goes on with the gears, and notes where seeds end.
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

    /// Hands out the seeds that end no later than `last`.
    fn hand_out(&mut self, bits: &[u64], last: usize) {
        let complete = self.ends.partition_point(|end| *end <= last);
        for end in self.ends.drain(..complete) {
            // Until the first window is full, there is nothing to sample.
            if let Some(start) = end.checked_sub(self.len) {
                (self.each)(Seed { at: self.dropped + start, bits, gears: &self.gears, start, end });
            }
        }
    }

    /// Drops the oldest characters, and returns how many.
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
        // A seed is complete when the characters after it are there.
        let last = if is_last { bits.len() } else { bits.len().saturating_sub(REACH_MAX) };
        self.hand_out(bits, last);
        self.drop_before(last)
    }
}

/// Characters before the end of a seed that may be asked for: itself, one before it, and the stretch from the seed before.
fn kept_max(seed_len: usize) -> usize {
    seed_len + STRETCH_MAX + 1
}

impl Seed<'_> {
    pub(super) fn end(&self) -> usize {
        self.at + self.end - self.start
    }

    /// The hash of its characters.
    pub(super) fn hash(&self) -> u64 {
        full_hash(&self.bits[self.start..self.end])
    }

    /// A signature of the characters before it: the lowest n bits are equal if the n characters before it are.
    pub(super) fn left(&self) -> u64 {
        self.start.checked_sub(1).map_or(0, |before| self.gears[before])
    }

    /// The same of the characters after it, for n that [`STEP`] divides. Each step has bits of its own.
    pub(super) fn right(&self) -> u64 {
        let ends = self.gears[self.end..].iter().skip(STEP - 1).step_by(STEP).take(REACH_MAX / STEP);
        ends.enumerate().fold(0, |bits, (step, gear)| bits | (gear & ((1 << STEP) - 1)) << (step * STEP))
    }

    /// How many characters stand before it, and after it; all that matter are counted.
    pub(super) fn room(&self) -> (usize, usize) {
        (self.at, self.bits.len() - self.end)
    }

    /// The hash of the text from an earlier seed to its own start; nothing if that is long.
    pub(super) fn stretch_from(&self, at: usize) -> Option<u64> {
        let len = self.at - at;
        (len <= STRETCH_MAX).then(|| stretch_hash(&self.bits[self.start - len..self.start]))
    }
}

/// The hash of a text of any length. Four chains are multiplied at once, since each must wait for its last product.
fn stretch_hash(bits: &[u64]) -> u64 {
    let mut chains = [bits.len() as u64, 1, 2, 3];
    for part in bits.chunks(4) {
        chains.iter_mut().zip(part).for_each(|(chain, bits)| *chain = mix(*chain, *bits));
    }
    finish(chains.into_iter().fold(0, mix))
}

/// A number that depends on two others and on their order.
#[inline]
pub(super) fn mix(one: u64, other: u64) -> u64 {
    (one.rotate_left(29) ^ other).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl Text {
    /// Whether sampled windows are extended; shorter ones have too few characters for seeds.
    pub(super) fn extends(&self) -> bool {
        self.density > 1 && self.reach > 0 && self.window >= GEAR_WINDOW_MIN
    }

    /// Characters in a seed: fewer than in a window, so that a short template has more of them. What is found is a template only if it is as long as
    /// a window after it was extended.
    fn seed_len(&self) -> usize {
        (self.window * 5 / 8).max(GEAR_WINDOW_MIN)
    }

    /// Calls `each` with the seeds of a line.
    pub(super) fn for_each_seed(&self, characters: &[char], each: impl FnMut(Seed<'_>)) {
        scan_characters(characters, Seeds::new(self, each));
    }
}
