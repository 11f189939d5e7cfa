//! Signatures: the positions of a word in a block, in 128 bits.

/// Summarises a sequence of offsets. The sequence is split into four equal parts with 32 bits each. In the bits of its part, each
/// difference between adjacent offsets sets the bit of its remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Signature(pub u128);

impl Signature {
    /// The signature of a word at these offsets, ascending. The first difference is that to the start of the block.
    pub fn of(mut offsets: impl ExactSizeIterator<Item = u32>) -> Signature {
        let count = offsets.len();
        // Most words occur in a block once, and division is slow.
        if count == 1 {
            return Signature(offsets.next().map_or(0, |offset| 1 << (offset % 32)));
        }
        let mut bits = 0;
        let mut last = 0;
        for (number, offset) in offsets.enumerate() {
            let part = number * 4 / count;
            bits |= 1 << (part as u32 * 32 + (offset - last) % 32);
            last = offset;
        }
        Signature(bits)
    }

    /// The signature as seen from the end of a block with that many words, which words inserted before the word do not change. For a word
    /// that occurs once, it is the distance from the end, in the last part. For other words, the differences in the first part are removed:
    /// they begin with the distance from the start, which the other parts do not depend on.
    pub fn seen_from_end(self, block_words: usize) -> Signature {
        match self.0.count_ones() {
            1 => {
                let after = (block_words as u32).wrapping_sub(1 + self.0.trailing_zeros()) % 32;
                Signature(1 << (96 + after))
            }
            _ => Signature(self.0 & !u128::from(u32::MAX)),
        }
    }

    /// Whether the number of common bits is at least `share` of the bits of the signature with more.
    pub fn is_similar(self, other: Signature, share: f64) -> bool {
        let more = self.0.count_ones().max(other.0.count_ones());
        self == other || f64::from((self.0 & other.0).count_ones()) >= share * f64::from(more)
    }
}

/// Calls `each` with every different word of a block, ascending, and its signature. `memory` is a reused buffer.
pub(crate) fn for_each_signature(
    words: &[u64],
    memory: &mut Vec<(u64, u32)>,
    mut each: impl FnMut(u64, Signature),
) {
    memory.clear();
    memory.extend(words.iter().zip(0..).map(|(word, offset)| (*word, offset)));
    memory.sort_unstable();
    for places in memory.chunk_by(|one, other| one.0 == other.0) {
        each(places[0].0, Signature::of(places.iter().map(|(_, offset)| *offset)));
    }
}
