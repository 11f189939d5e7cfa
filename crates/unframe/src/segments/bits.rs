//! Numbers of variable bit width, lowest bit first.

/// Writes bits.
#[derive(Default)]
pub(super) struct BitWriter {
    out: Vec<u8>,
    /// Bits that do not fill a byte yet.
    held: u128,
    filled: u32,
}

impl BitWriter {
    /// Appends to existing bytes.
    pub(super) fn after(out: Vec<u8>) -> BitWriter {
        BitWriter { out, ..BitWriter::default() }
    }

    /// Writes the lowest `width` bits, at most 64, of a number that has no higher bits.
    pub(super) fn bits(&mut self, number: u64, width: u32) {
        self.held |= u128::from(number) << self.filled;
        self.filled += width;
        while self.filled >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.filled -= 8;
        }
    }

    /// Writes this many zeros and a one.
    fn unary(&mut self, zeros: u64) {
        (0..zeros / 32).for_each(|_| self.bits(0, 32));
        let zeros = (zeros % 32) as u32;
        self.bits(1 << zeros, zeros + 1);
    }

    /// Writes a number that is usually small: three bits up to 3, five up to 11, seven up to 27 and so on (exponential Golomb).
    pub(super) fn small(&mut self, number: u64) {
        let width = (number + 4).ilog2();
        self.unary(u64::from(width - 2));
        self.bits(number + 4 - (1 << width), width);
    }

    /// Writes a number of about `width` bits, with its higher bits in unary (Rice).
    pub(super) fn about(&mut self, number: u64, width: u32) {
        self.unary(number >> width);
        self.bits(number & ((1 << width) - 1), width);
    }

    /// Returns the bytes, with the last one padded with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.out.push(self.held as u8);
        }
        self.out
    }
}

/// Reads what [`BitWriter`] writes; `None` at the end.
pub(super) struct BitReader<'a> {
    rest: &'a [u8],
    held: u128,
    filled: u32,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { rest: bytes, held: 0, filled: 0 }
    }

    fn fill(&mut self) {
        while self.filled <= 120
            && let Some((byte, rest)) = self.rest.split_first()
        {
            self.held |= u128::from(*byte) << self.filled;
            self.filled += 8;
            self.rest = rest;
        }
    }

    /// Drops held bits, fewer than 128.
    fn skip(&mut self, width: u32) {
        self.held >>= width;
        self.filled -= width;
    }

    pub(super) fn bits(&mut self, width: u32) -> Option<u64> {
        if self.filled < width {
            self.fill();
        }
        if self.filled < width {
            return None;
        }
        let number = (self.held & ((1 << width) - 1)) as u64;
        self.skip(width);
        Some(number)
    }

    fn unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        while self.held == 0 {
            zeros += u64::from(std::mem::take(&mut self.filled));
            self.fill();
            if self.filled == 0 {
                return None;
            }
        }
        let last = self.held.trailing_zeros();
        self.skip(last);
        self.skip(1);
        Some(zeros + u64::from(last))
    }

    pub(super) fn small(&mut self) -> Option<u64> {
        let width = 2 + u32::try_from(self.unary()?).ok().filter(|width| *width < 60)?;
        Some(self.bits(width)? + (1 << width) - 4)
    }

    pub(super) fn about(&mut self, width: u32) -> Option<u64> {
        let above = self.unary()?;
        let number = above.checked_shl(width).filter(|number| number >> width == above)?;
        Some(number | self.bits(width)?)
    }

    /// Whether only padding is left.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.filled < 8 && self.held == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_take_the_bits_that_are_promised() {
        let length = |write: fn(&mut BitWriter)| {
            let mut writer = BitWriter::default();
            write(&mut writer);
            writer.out.len() as u32 * 8 + writer.filled
        };
        assert_eq!(length(|writer| writer.small(0)), 3);
        assert_eq!(length(|writer| writer.small(3)), 3);
        assert_eq!(length(|writer| writer.small(4)), 5);
        assert_eq!(length(|writer| writer.small(11)), 5);
        assert_eq!(length(|writer| writer.small(12)), 7);
        assert_eq!(length(|writer| writer.about(0b111_0101, 4)), 7 + 1 + 4);
        assert_eq!(length(|writer| writer.about(5, 30)), 31);
    }

    #[test]
    fn what_is_cut_off_is_not_read() {
        let mut writer = BitWriter::default();
        writer.about(1000 << 20, 20);
        let bytes = writer.finish();
        for end in 0..bytes.len() {
            assert_eq!(BitReader::new(&bytes[..end]).about(20), None, "{end}");
        }
        assert_eq!(BitReader::new(&[0, 0, 0]).small(), None);
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec((0u32..3, 0u64..1 << 40, 26u32..63), 0..50)) {
            let mut writer = BitWriter::default();
            for (kind, number, width) in &numbers {
                match kind {
                    0 => writer.bits(*number, 40),
                    1 => writer.small(*number),
                    _ => writer.about(*number, *width),
                }
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (kind, number, width) in &numbers {
                let read = match kind {
                    0 => reader.bits(40),
                    1 => reader.small(),
                    _ => reader.about(*width),
                };
                prop_assert_eq!(read, Some(*number));
            }
            prop_assert!(reader.is_empty());
        }
    }
}
