//! Transcodes pages in charsets whose ASCII bytes can have another meaning: UTF-16 and ISO-2022-JP.
//!
//! Such a page is transcoded to UTF-8 before it is parsed, with a map from every byte of the copy to the byte of the page that it came
//! from. These charsets are rare, so the map is simple rather than compact.

use encoding_rs::{Encoding, UTF_8};

/// A page transcoded to UTF-8; the memory is reused for every page.
#[derive(Debug, Default)]
pub(crate) struct Transcoded {
    pub(crate) text: Vec<u8>,
    /// The position in the page for each byte of `text`, and for its end.
    origins: Vec<u32>,
}

impl Transcoded {
    /// Bytes of memory that are kept for the next page. The map takes four times as much as the text.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.text.capacity() + self.origins.capacity() * size_of::<u32>()
    }

    /// Transcodes `payload` from byte `from` on.
    pub(crate) fn fill(&mut self, payload: &[u8], from: usize, encoding: &'static Encoding) {
        self.text.clear();
        self.origins.clear();
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut pending_from = from;
        // Feeding the decoder byte by byte shows which bytes each character consists of.
        for at in from..payload.len() {
            let is_last = at + 1 == payload.len();
            let mut out = [0u8; 32];
            let (_, _, written, _) = decoder.decode_to_utf8(&payload[at..at + 1], &mut out, is_last);
            if written > 0 {
                self.text.extend_from_slice(&out[..written]);
                self.origins.resize(self.text.len(), pending_from as u32);
                pending_from = at + 1;
            }
        }
        self.origins.push(payload.len() as u32);
    }

    /// Converts a position in `text` to a position in the page.
    pub(crate) fn origin(&self, position: u32) -> u32 {
        self.origins.get(position as usize).or(self.origins.last()).copied().unwrap_or(0)
    }
}

/// Whether a page in this charset must be transcoded before it is parsed.
pub(crate) fn is_needed(encoding: &'static Encoding) -> bool {
    encoding != UTF_8 && !encoding.is_ascii_compatible()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_map_back() {
        let mut transcoded = Transcoded::default();
        let payload: Vec<u8> = "a漢😀b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        transcoded.fill(&payload, 0, encoding_rs::UTF_16LE);
        assert_eq!(transcoded.text, "a漢😀b".as_bytes());
        assert_eq!([0, 1, 4, 8, 9].map(|at| transcoded.origin(at)), [0, 2, 4, 8, 10]);
    }

    #[test]
    fn the_map_counts_as_memory() {
        let mut transcoded = Transcoded::default();
        transcoded.fill(&b"a\0".repeat(1000), 0, encoding_rs::UTF_16LE);
        assert!(transcoded.kept_bytes() >= 5 * 1000, "{} bytes", transcoded.kept_bytes());
    }

    #[test]
    fn shifted_japanese_maps_back() {
        let mut transcoded = Transcoded::default();
        transcoded.fill(b"<\x1b$B$\"\x1b(B>", 0, encoding_rs::ISO_2022_JP);
        assert_eq!(transcoded.text, "<あ>".as_bytes());
        assert_eq!([0, 1, 4, 5].map(|at| transcoded.origin(at)), [0, 1, 6, 10]);
    }
}
