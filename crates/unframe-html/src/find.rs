//! Finds a byte that is usually near.

use memchr::memchr;

/// Bytes that are searched before [`memchr`] is called, whose call takes as long as searching twice as many.
const NEAR: usize = 24;
const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// Like [`memchr`], but faster if the byte is among the next few, as are the ends of most texts and values.
#[inline]
pub(crate) fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < NEAR
        && let Some(chunk) = bytes[at..].first_chunk()
    {
        // Bytes that are equal become 0. The borrow sets the highest bit of the first of these, and of no byte before it.
        let unequal = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(byte));
        let zeros = unequal.wrapping_sub(ONES) & !unequal & (ONES << 7);
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr(byte, &bytes[at..]).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_wherever_they_are() {
        for wanted in [0, 1, b'<', 0x7f, 0x80, 0xff] {
            // Bytes that differ in a single bit, or by one, are the most likely false matches.
            for other in [wanted ^ 1, wanted ^ 0x80, wanted.wrapping_add(1), wanted.wrapping_sub(1)] {
                for len in 0..60 {
                    let mut bytes = vec![other; len];
                    assert_eq!(find_near(wanted, &bytes), None);
                    for at in (0..len).rev() {
                        bytes[at] = wanted;
                        assert_eq!(find_near(wanted, &bytes), Some(at), "{wanted} at {at} of {len}");
                    }
                }
            }
        }
    }
}
