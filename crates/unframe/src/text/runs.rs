//! ASCII text without the white space that browsers do not show.

use super::is_white_byte;

/// Parts of an ASCII text, each with its place, that leave out white space that follows white space.
pub(crate) struct Runs<'a> {
    text: &'a [u8],
    at: usize,
    is_after_white: bool,
}

impl<'a> Runs<'a> {
    /// The parts of `text`; `is_after_white` tells that white space stands before it.
    pub(crate) fn of(text: &'a [u8], is_after_white: bool) -> Runs<'a> {
        Runs { text, at: 0, is_after_white }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = (usize, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = &self.text[self.at..];
        let is_word = |byte: &u8| !is_white_byte(*byte);
        let skipped = if self.is_after_white { rest.iter().position(is_word)? } else { 0 };
        let rest = &rest[skipped..];
        let len = run_len(rest);
        let start = self.at + skipped;
        self.at = start + len;
        // What ended it is white space after white space, or the end of the text.
        self.is_after_white = true;
        (len > 0).then(|| (start, &rest[..len]))
    }
}

/// How many bytes there are up to white space that follows white space.
#[inline]
fn run_len(text: &[u8]) -> usize {
    let mut len = 0;
    // Eight bytes at once, of which the last is the first of the next eight.
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

/// Whether two of eight bytes of ASCII, side by side, are spaces or something lower, as all white space is.
#[inline]
const fn has_two_low(eight: u64) -> bool {
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // What is higher than a space gets the highest bit, and nothing is carried into the next byte.
    let low = !eight.wrapping_add(u64::from_le_bytes([0x7F - b' '; 8])) & HIGH;
    low & (low >> 8) != 0
}

/// All white space is shown as a space.
#[inline]
pub(crate) const fn space_if_white(byte: u8) -> u8 {
    if is_white_byte(byte) { b' ' } else { byte }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, is_after_white: bool, expected: &[(usize, &str)]) {
        let runs: Vec<_> = Runs::of(text.as_bytes(), is_after_white)
            .map(|(at, run)| (at, std::str::from_utf8(run).unwrap()))
            .collect();
        assert_eq!(runs, expected, "{text:?}");
    }

    #[test]
    fn white_space_after_white_space_is_left_out() {
        check("", false, &[]);
        check("a b", false, &[(0, "a b")]);
        check(" a", false, &[(0, " a")]);
        check(" a", true, &[(1, "a")]);
        check(" \n ", true, &[]);
        check(" \n ", false, &[(0, " ")]);
        check("a \n  b ", false, &[(0, "a "), (5, "b ")]);
        check("sixteen letters and more   then", false, &[(0, "sixteen letters and more "), (27, "then")]);
        check("0123456789abcde  f", false, &[(0, "0123456789abcde "), (17, "f")]);
        check("0123456789abcdef  g", false, &[(0, "0123456789abcdef "), (18, "g")]);
        // Lower than a space, and no white space.
        check("01234\u{1}\u{2} 9ab", false, &[(0, "01234\u{1}\u{2} 9ab")]);
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
