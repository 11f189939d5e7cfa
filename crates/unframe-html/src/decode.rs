//! Decodes the bytes of a page: charset, character references, line ends, null bytes.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr3;

use super::reference::{self, Place};
use super::span::Span;
use super::tokenizer::TextKind;

/// Decodes a text.
pub(crate) fn text<'a>(bytes: &'a [u8], encoding: &'static Encoding, kind: TextKind) -> Cow<'a, str> {
    match kind {
        TextKind::Data => decode(bytes, encoding, Some(Place::Text), ""),
        TextKind::Replaced => decode(bytes, encoding, Some(Place::Text), "\u{fffd}"),
        TextKind::Raw => decode(bytes, encoding, None, "\u{fffd}"),
    }
}

/// Decodes the value of an attribute.
pub(crate) fn attribute_value<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    decode(bytes, encoding, Some(Place::Attribute), "\u{fffd}")
}

/// Decodes the name of an attribute, a tag or a document type. Only ASCII letters are lower-cased.
pub(crate) fn name<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    let name = decode(bytes, encoding, None, "\u{fffd}");
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        name
    }
}

fn decode<'a>(
    bytes: &'a [u8],
    encoding: &'static Encoding,
    references: Option<Place>,
    null: &str,
) -> Cow<'a, str> {
    let plain = plain_len(bytes);
    // Most texts and values are short and plain, so checking them is faster than calling a decoder.
    if plain == bytes.len()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let Some(first) = memchr3(b'&', b'\r', 0, &bytes[plain..]) else {
        return encoding.decode_without_bom_handling(bytes).0;
    };
    let mut out = String::with_capacity(bytes.len());
    let mut plain_from = 0;
    let mut at = plain + first;
    while at < bytes.len() {
        let len = match special(bytes, at, references) {
            Special::None => {
                at += 1;
                at += memchr3(b'&', b'\r', 0, &bytes[at..]).unwrap_or(bytes.len() - at);
                continue;
            }
            special => {
                out.push_str(&encoding.decode_without_bom_handling(&bytes[plain_from..at]).0);
                special.push(&mut out, null)
            }
        };
        at += len;
        plain_from = at;
    }
    out.push_str(&encoding.decode_without_bom_handling(&bytes[plain_from..]).0);
    Cow::Owned(out)
}

/// Bytes in a text that are not a plain character.
enum Special {
    None,
    Reference(reference::Reference),
    LineEnd { len: usize },
    Null,
}

impl Special {
    /// Appends the decoded text, and returns the number of bytes that it was decoded from.
    fn push(self, out: &mut String, null: &str) -> usize {
        match self {
            Special::None => 0,
            Special::Reference(found) => {
                out.extend(&found.text[..found.chars]);
                found.len
            }
            Special::LineEnd { len } => {
                out.push('\n');
                len
            }
            Special::Null => {
                out.push_str(null);
                1
            }
        }
    }
}

fn special(bytes: &[u8], at: usize, references: Option<Place>) -> Special {
    match bytes[at] {
        b'&' => references
            .and_then(|place| reference::decode(&bytes[at..], place))
            .map_or(Special::None, Special::Reference),
        b'\r' => Special::LineEnd { len: 1 + usize::from(bytes.get(at + 1) == Some(&b'\n')) },
        0 => Special::Null,
        _ => Special::None,
    }
}

/// Calls `each` with every character of the text, and the span that it was decoded from. `base` is the position of `bytes`.
pub(crate) fn for_each_char(
    bytes: &[u8],
    base: u32,
    encoding: &'static Encoding,
    kind: TextKind,
    mut each: impl FnMut(char, Span),
) {
    let mut at = 0;
    while at < bytes.len() {
        let plain = plain_len(&bytes[at..]);
        (base + at as u32..).zip(&bytes[at..at + plain]).for_each(|(start, byte)| {
            each(*byte as char, Span { start, end: start + 1 });
        });
        at += plain;
        let start = base + at as u32;
        at += not_plain(&bytes[at..], encoding, kind, |c, len| each(c, Span { start, end: start + len }));
    }
}

/// Decodes the leading bytes of a text that may not be plain. Calls `each` with their character or characters, possibly none, and the
/// number of bytes. Returns this number as well.
pub(crate) fn not_plain(
    bytes: &[u8],
    encoding: &'static Encoding,
    kind: TextKind,
    mut each: impl FnMut(char, u32),
) -> usize {
    let Some(first) = bytes.first() else { return 0 };
    let references = (kind != TextKind::Raw).then_some(Place::Text);
    match special(bytes, 0, references) {
        Special::Reference(found) => {
            found.text[..found.chars].iter().for_each(|c| each(*c, found.len as u32));
            found.len
        }
        Special::LineEnd { len } => {
            each('\n', len as u32);
            len
        }
        Special::Null => {
            if kind != TextKind::Data {
                each(char::REPLACEMENT_CHARACTER, 1);
            }
            1
        }
        Special::None if first.is_ascii() => {
            each(*first as char, 1);
            1
        }
        Special::None => {
            let (chars, len) = one_character(bytes, encoding);
            chars.into_iter().flatten().for_each(|c| each(c, len as u32));
            len
        }
    }
}

/// Whether all bytes are plain in any charset.
#[inline]
pub(super) fn is_all_plain(bytes: &[u8]) -> bool {
    plain_len(bytes) == bytes.len()
}

/// The number of leading bytes that are plain in any charset, so that they need no decoding.
#[inline]
fn plain_len(bytes: &[u8]) -> usize {
    // Each chunk is compared as a whole, without early exit. The last chunk of each size may overlap the one before.
    let mut len = chunks_len::<16>(bytes, 0);
    if len < bytes.len() {
        len = chunks_len::<4>(bytes, len);
    }
    len + bytes[len..].iter().position(|byte| !is_plain(*byte)).unwrap_or(bytes.len() - len)
}

#[inline]
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii() & (byte != b'&') & (byte != b'\r') & (byte != 0)
}

/// The end of the run of plain chunks of `N` bytes that begins at `len`. All bytes before `len` are plain.
#[inline]
fn chunks_len<const N: usize>(bytes: &[u8], mut len: usize) -> usize {
    let is_all_plain = |chunk: &[u8; N]| chunk.iter().fold(true, |all, byte| all & is_plain(*byte));
    while let Some(chunk) = bytes[len..].first_chunk() {
        if !is_all_plain(chunk) {
            return len;
        }
        len += N;
    }
    match bytes.last_chunk() {
        Some(last) if is_all_plain(last) => bytes.len(),
        _ => len,
    }
}

/// The longest byte sequence of one character, in any charset.
const SEQUENCE_MAX: usize = 4;

/// The character (in Big5 rarely two) at the start of `bytes`, which is not ASCII, and the length of its byte sequence.
fn one_character(bytes: &[u8], encoding: &'static Encoding) -> ([Option<char>; 2], usize) {
    if encoding == UTF_8 {
        let len = bytes[0].leading_ones() as usize;
        if let Some(Ok(one)) = bytes.get(..len).map(std::str::from_utf8)
            && let Some(c) = one.chars().next()
        {
            return ([Some(c), None], len);
        }
        // The longest prefix that is one character, or the bytes that a decoder replaces with one U+FFFD.
        let chunk = bytes[..bytes.len().min(SEQUENCE_MAX)].utf8_chunks().next();
        return match chunk.map(|chunk| (chunk.valid().chars().next(), chunk.invalid().len())) {
            Some((Some(c), _)) => ([Some(c), None], c.len_utf8()),
            Some((None, invalid)) => ([Some(char::REPLACEMENT_CHARACTER), None], invalid.max(1)),
            None => ([Some(char::REPLACEMENT_CHARACTER), None], 1),
        };
    }
    for len in 1..=SEQUENCE_MAX.min(bytes.len()) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut out = [0u8; 16];
        let (_, _, written, malformed) = decoder.decode_to_utf8(&bytes[..len], &mut out, len == bytes.len());
        if written == 0 {
            continue;
        }
        // After a lead byte, a wrong trail byte is a character of its own.
        let len = if malformed { (len - 1).max(1) } else { len };
        let mut chars = std::str::from_utf8(&out[..written]).unwrap_or("\u{fffd}").chars();
        let first = chars.next();
        return ([first, if malformed { None } else { chars.next() }], len);
    }
    ([Some(char::REPLACEMENT_CHARACTER), None], bytes.len().min(SEQUENCE_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_line_ends_and_nulls() {
        assert_eq!(text(b"a &lt; b\r\nc\rd\0", UTF_8, TextKind::Data), "a < b\nc\nd");
        assert_eq!(text(b"&amp;\0", UTF_8, TextKind::Raw), "&amp;\u{fffd}");
        assert_eq!(text(b"&#13;\0", UTF_8, TextKind::Replaced), "\r\u{fffd}");
        assert_eq!(attribute_value(b"?a&amp;b&copy=1", UTF_8), "?a&b&copy=1");
        assert!(matches!(text(b"plain", UTF_8, TextKind::Data), Cow::Borrowed("plain")));
    }

    #[test]
    fn plain_bytes_end_where_the_first_other_one_is() {
        for len in 0..70 {
            let plain = vec![b'x'; len];
            assert_eq!(plain_len(&plain), len);
            for (at, other) in (0..len).flat_map(|at| [(at, b'&'), (at, 0), (at, 0x80), (at, b'\r')]) {
                let mut bytes = plain.clone();
                bytes[at] = other;
                assert_eq!(plain_len(&bytes), at, "{len} bytes, {other} at {at}");
            }
        }
    }

    #[test]
    fn characters_know_their_bytes() {
        let check = |bytes: &[u8], encoding, expected: &[(char, u32, u32)]| {
            let mut found = Vec::new();
            for_each_char(bytes, 10, encoding, TextKind::Data, |c, s| found.push((c, s.start, s.end)));
            assert_eq!(found, expected);
        };
        check("é&lt;x".as_bytes(), UTF_8, &[('é', 10, 12), ('<', 12, 16), ('x', 16, 17)]);
        check(b"\xffa", UTF_8, &[('\u{fffd}', 10, 11), ('a', 11, 12)]);
        check(b"\xc4\xe3a\r\n", encoding_rs::GBK, &[('你', 10, 12), ('a', 12, 13), ('\n', 13, 15)]);
        check(b"\x82\xa0<", encoding_rs::SHIFT_JIS, &[('あ', 10, 12), ('<', 12, 13)]);
        check(b"\x82<", encoding_rs::SHIFT_JIS, &[('\u{fffd}', 10, 11), ('<', 11, 12)]);
        check(b"\x88\x62", encoding_rs::BIG5, &[('\u{ca}', 10, 12), ('\u{304}', 10, 12)]);
        check(b"\xef\xf0", encoding_rs::WINDOWS_1251, &[('п', 10, 11), ('р', 11, 12)]);
    }
}
