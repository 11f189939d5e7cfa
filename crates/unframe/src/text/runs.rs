//! Text without collapsed white space.

use super::is_white_byte;

/// The parts of a UTF-8 text without no-break spaces that remain when leading and repeated white space is removed.
pub(super) struct Runs<'a> {
    rest: &'a [u8],
}

impl<'a> Runs<'a> {
    pub(super) fn of(text: &'a [u8]) -> Runs<'a> {
        Runs { rest: text }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        // The previous part ended at repeated white space.
        let start = self.rest.iter().position(|byte| !is_white_byte(*byte))?;
        let (run, rest) = self.rest[start..].split_at(run_len(&self.rest[start..]));
        self.rest = rest;
        Some(run)
    }
}

/// The number of bytes before repeated white space.
#[inline]
fn run_len(text: &[u8]) -> usize {
    let mut len = 0;
    // Eight bytes are checked at once. The last of them is the first of the next eight.
    loop {
        match text[len..].first_chunk() {
            Some(eight) if has_two_low(u64::from_le_bytes(*eight)) => break,
            Some(_) => len += 7,
            None => match text.last_chunk() {
                Some(last) if !has_two_low(u64::from_le_bytes(*last)) => return text.len(),
                _ => break,
            },
        }
    }
    let is_again = |pair: &[u8]| is_white_byte(pair[0]) & is_white_byte(pair[1]);
    text[len..].windows(2).position(is_again).map_or(text.len(), |at| len + at + 1)
}

/// Whether two adjacent bytes of eight are at most as large as a space, like all white space.
#[inline]
const fn has_two_low(eight: u64) -> bool {
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // The highest bit of each byte larger than a space becomes set, and nothing is carried into the next byte.
    let low = !(((eight & !HIGH) + u64::from_le_bytes([0x7F - b' '; 8])) | eight) & HIGH;
    low & (low >> 8) != 0
}

/// Converts white space to a space.
#[inline]
pub(super) const fn space_if_white(byte: u8) -> u8 {
    if is_white_byte(byte) { b' ' } else { byte }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let runs: Vec<_> = Runs::of(text.as_bytes()).map(|run| std::str::from_utf8(run).unwrap()).collect();
        assert_eq!(runs, expected, "{text:?}");
    }

    #[test]
    fn white_space_after_white_space_is_left_out() {
        check("", &[]);
        check("a b", &["a b"]);
        check(" a", &["a"]);
        check(" \n ", &[]);
        check("a \n  b ", &["a ", "b "]);
        check("sixteen letters and more   then", &["sixteen letters and more ", "then"]);
        check("0123456789abcde  f", &["0123456789abcde ", "f"]);
        check("0123456789abcdef  g", &["0123456789abcdef ", "g"]);
        check("ßßß ßßß ÿÿÿ  ÿÿÿ ", &["ßßß ßßß ÿÿÿ ", "ÿÿÿ "]);
        // Bytes smaller than a space that are not white space.
        check("01234\u{1}\u{2} 9ab", &["01234\u{1}\u{2} 9ab"]);
    }

    #[test]
    fn runs_end_wherever_white_space_is_repeated() {
        for len in 2..40 {
            for at in 1..len {
                let mut text = vec![b'x'; len];
                text[at - 1] = b' ';
                assert_eq!(run_len(&text), len, "{len} bytes, a space before {at}");
                text[at] = b'\n';
                assert_eq!(run_len(&text), at, "{len} bytes, white space again at {at}");
            }
        }
    }
}
