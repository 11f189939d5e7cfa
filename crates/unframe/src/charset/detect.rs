//! Detects the charset of a page from its bytes, if the page declares none, or one that contradicts its bytes.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr;

use super::{Charset, CharsetSource};
use crate::limits::CHARSET_DETECTION_BYTES;

/// ASCII bytes kept before and after each stretch of other bytes, because the detector judges letters by their neighbours.
const CONTEXT_BYTES: usize = 16;

/// Detects the charset from the bytes alone.
pub(super) fn detect(payload: &[u8]) -> Charset {
    let detected = |encoding| Charset { encoding, source: CharsetSource::Content };
    if let Some(encoding) = utf16_latin(payload) {
        return detected(encoding);
    }
    if payload.is_ascii() {
        return match iso_2022_jp(payload) {
            Some(encoding) => detected(encoding),
            None => Charset { encoding: UTF_8, source: CharsetSource::Default },
        };
    }
    if is_utf8(payload) {
        return detected(UTF_8);
    }
    detected(guess(payload, Utf8Detection::Allow))
}

/// Detects UTF-16 of mostly Latin text without a byte order mark: every other byte is zero. Firefox does the same.
fn utf16_latin(payload: &[u8]) -> Option<&'static Encoding> {
    let start = payload.get(..32)?;
    let (even, odd): (Vec<_>, Vec<_>) = start.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip();
    let none = |bytes: &[u8]| bytes.iter().all(|&byte| byte != 0);
    let all = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    if none(&even) && all(&odd) {
        Some(UTF_16LE)
    } else if all(&even) && none(&odd) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Detects ISO-2022-JP, which consists of ASCII bytes with escape sequences that switch to Japanese. Without an escape there is nothing to detect.
fn iso_2022_jp(payload: &[u8]) -> Option<&'static Encoding> {
    let start = memchr(0x1b, payload)?;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let end = payload.len().min(start + CHARSET_DETECTION_BYTES);
    detector.feed(&payload[start..end], end == payload.len());
    Some(detector.guess(None, Utf8Detection::Deny)).filter(|&guess| guess == encoding_rs::ISO_2022_JP)
}

/// The number of non-ASCII characters from which valid UTF-8 is no coincidence.
const UTF8_CHARS_MIN: usize = 3;

/// Whether the payload is certainly UTF-8, whatever it declares. UTF-16 does not qualify: its zero bytes are ASCII, so validity proves nothing.
pub(super) fn is_surely_utf8(payload: &[u8]) -> bool {
    let is_lead = |byte: &&u8| **byte >= 0xC2;
    payload.iter().filter(is_lead).take(UTF8_CHARS_MIN).count() == UTF8_CHARS_MIN && is_utf8(payload)
}

/// The number of invalid sequences from which a page that declares UTF-8 may be in another charset.
const INVALID_MIN: usize = 3;

/// Whether the payload is probably not UTF-8 although it declares so: several sequences are invalid, and they outnumber the valid non-ASCII
/// characters.
pub(super) fn is_hardly_utf8(payload: &[u8]) -> bool {
    if is_utf8(payload) {
        return false;
    }
    let (mut valid, mut invalid) = (0, 0);
    for chunk in payload.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|byte| *byte >= 0xC2).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    invalid >= INVALID_MIN && invalid > valid
}

/// The detector's guess for a payload that is not UTF-8.
pub(super) fn guess_other(payload: &[u8]) -> &'static Encoding {
    guess(payload, Utf8Detection::Deny)
}

/// Whether the payload is UTF-8, allowing for a truncated last character.
fn is_utf8(payload: &[u8]) -> bool {
    match simdutf8::compat::from_utf8(payload) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !payload[..error.valid_up_to()].is_ascii(),
    }
}

/// The detector's guess from the first non-ASCII stretches of the page, up to the limit.
///
/// A page with a single bad byte far from the beginning still counts as UTF-8, as it should.
fn guess(payload: &[u8], utf8: Utf8Detection) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut at = 0;
    let mut left = CHARSET_DETECTION_BYTES;
    while let Some((start, end)) = next_stretch(payload, at, left) {
        detector.feed(&payload[start..end], false);
        left -= end - start;
        at = end;
    }
    if left > 0 {
        detector.feed(b"", true);
    }
    detector.guess(None, utf8)
}

/// The next stretch from `at` on that contains non-ASCII bytes, at most `left` bytes of it.
///
/// The stretch ends with a run of ASCII. No charset has a character with two ASCII bytes in a row, so no character is split.
fn next_stretch(payload: &[u8], at: usize, left: usize) -> Option<(usize, usize)> {
    let other = at + Encoding::ascii_valid_up_to(payload.get(at..)?);
    if other == payload.len() {
        return None;
    }
    let start = other.saturating_sub(CONTEXT_BYTES).max(at);
    let most = payload.get(start..)?;
    let most = most.get(..left).unwrap_or(most);
    let run = most.get(other - start..)?.windows(CONTEXT_BYTES).position(|window| window.is_ascii());
    let length = run.map_or(most.len(), |run| other - start + run + CONTEXT_BYTES);
    (length > 0).then_some((start, start + length))
}
