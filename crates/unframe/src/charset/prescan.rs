//! Finds the charset that a page declares in its markup.
//!
//! [`prescan`] implements "prescan a byte stream to determine its encoding" of the WHATWG standard, step by step; the rest of this file is
//! its subroutines. `None` from `?` is the standard's "ran out of bytes": the search ends without a result.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memchr2_iter, memmem};

use super::by_label;
use crate::limits::{META_HEAD_BYTES, META_PRESCAN_BYTES};

/// The encoding that `<meta>` or the XML declaration names.
pub(super) fn declared(payload: &[u8]) -> Option<&'static Encoding> {
    if payload.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if payload.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let first = payload.get(..META_PRESCAN_BYTES).unwrap_or(payload);
    let head = payload.get(..META_HEAD_BYTES).unwrap_or(payload);
    prescan(first, Reach::AllBytes)
        .or_else(|| if head.len() > first.len() { prescan(head, Reach::Head) } else { None })
        .or_else(|| xml_encoding(head))
}

/// The extent of a prescan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All given bytes, as in the standard; the text of scripts is searched like any other.
    AllBytes,
    /// Until the head of the page ends, skipping scripts, styles and the title.
    Head,
}

fn prescan(bytes: &[u8], reach: Reach) -> Option<&'static Encoding> {
    let mut scan = Scanner { bytes, at: 0 };
    loop {
        scan.at += memchr(b'<', scan.rest())?;
        let rest = scan.rest();
        if rest.starts_with(b"<!--") {
            // The dashes that open a comment may also close it: `<!-->`.
            scan.at += 2;
            scan.at += memmem::find(scan.rest(), b"-->")? + 2;
        } else if is_meta(rest) {
            scan.at += b"<meta".len();
            if let Some(encoding) = meta(&mut scan)? {
                return Some(encoding);
            }
        } else if let Some(name) = tag_name(rest) {
            if reach == Reach::Head && !belongs_in_head(name) {
                return None;
            }
            let raw_text = (reach == Reach::Head).then(|| raw_text_end(name)).flatten();
            scan.at += rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
            while scan.attribute()?.is_some() {}
            if let Some(end_tag) = raw_text {
                scan.at += find_ignoring_case(scan.rest(), end_tag)?;
                continue;
            }
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            scan.at += memchr(b'>', rest)?;
        }
        scan.at += 1;
    }
}

/// Reads the attributes of a `<meta>` tag. `None` at the end of the bytes, `Some(None)` if it names no charset.
fn meta(scan: &mut Scanner<'_>) -> Option<Option<&'static Encoding>> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut got_pragma = false;
    let mut need_pragma = false;
    // Outer `None`: not named yet; inner `None`: named by an unknown label.
    let mut charset: Option<Option<&'static Encoding>> = None;
    while let Some((name, value)) = scan.attribute()? {
        // Only three attributes matter, so only these are remembered, and the list stays short on any page.
        if !matches!(&name[..], b"http-equiv" | b"content" | b"charset") || seen.contains(&name) {
            continue;
        }
        match &name[..] {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(encoding) = from_content(&value) {
                    charset = Some(Some(encoding));
                    need_pragma = true;
                }
            }
            b"charset" => {
                charset = Some(by_label(&value));
                need_pragma = false;
            }
            _ => {}
        }
        seen.push(name);
    }
    let counts = got_pragma || !need_pragma;
    Some(charset.flatten().filter(|_| counts).map(as_readable))
}

/// Replaces encodings that cannot be right: bytes in which `<meta` was found as ASCII are not UTF-16, and nobody means `x-user-defined`.
fn as_readable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// "Extracting a character encoding from a meta element": the charset in a value such as `text/html; charset=x`.
fn from_content(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    let label = loop {
        rest = &rest[find_ignoring_case(rest, b"charset")? + b"charset".len()..];
        if let Some(after_equals) = rest.trim_ascii_start().strip_prefix(b"=") {
            break after_equals.trim_ascii_start();
        }
    };
    match label.first()? {
        quote @ (b'"' | b'\'') => {
            let label = &label[1..];
            by_label(&label[..memchr(*quote, label)?])
        }
        _ => label.split(|&byte| is_space(byte) || byte == b';').next().and_then(by_label),
    }
}

/// "Get an XML encoding": the encoding in `<?xml version="1.0" encoding="x"?>` at the very beginning.
fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let rest = &declaration[memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let rest = trim_controls(trim_controls(rest).strip_prefix(b"=")?);
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..memchr(*quote, rest)?];
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    by_label(label).map(as_readable)
}

fn trim_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| byte > b' ').unwrap_or(bytes.len());
    &bytes[start..]
}

/// A position in the bytes that only moves forward.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.byte().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// "Get an attribute", with name and value in lower case. `None` at the end of the bytes, `Some(None)` at the end of the tag, with the
    /// position at its `>`.
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        while self.byte().is_some_and(|byte| is_space(byte) || byte == b'/') {
            self.at += 1;
        }
        if self.byte()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                byte if is_space(byte) => break,
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.skip_spaces();
        if self.byte()? != b'=' {
            return Some(Some((name, Vec::new())));
        }
        self.at += 1;
        self.skip_spaces();
        Some(Some((name, self.value()?)))
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let first = self.byte()?;
        if matches!(first, b'"' | b'\'') {
            self.at += 1;
            let length = memchr(first, self.rest())?;
            let value = self.rest()[..length].to_ascii_lowercase();
            self.at += length + 1;
            return Some(value);
        }
        let length = self.rest().iter().position(|&byte| is_space(byte) || byte == b'>')?;
        let value = self.rest()[..length].to_ascii_lowercase();
        self.at += length;
        Some(value)
    }
}

/// White space as defined by the prescan.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && rest.get(5).is_some_and(|&byte| is_space(byte) || byte == b'/')
}

/// The name of the tag that begins here, with a leading `/` for an end tag.
fn tag_name(rest: &[u8]) -> Option<&[u8]> {
    let after = rest.get(1..)?;
    let letters = after.strip_prefix(b"/").unwrap_or(after);
    letters.first().filter(|byte| byte.is_ascii_alphabetic())?;
    let end = after.iter().skip(1).position(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'));
    Some(&after[..end.map_or(after.len(), |end| end + 1)])
}

/// Whether the head of a page continues after this tag. At other tags, browsers stop looking for `<meta>`.
fn belongs_in_head(name: &[u8]) -> bool {
    const START_TAGS: [&[u8]; 11] = [
        b"html",
        b"head",
        b"script",
        b"noscript",
        b"style",
        b"link",
        b"meta",
        b"object",
        b"title",
        b"base",
        b"template",
    ];
    const END_OF_HEAD: [&[u8]; 2] = [b"/head", b"/html"];
    let is = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    if name.starts_with(b"/") { !is(&END_OF_HEAD) } else { is(&START_TAGS) }
}

/// The end of the raw text that a start tag opens.
fn raw_text_end(name: &[u8]) -> Option<&'static [u8]> {
    const RAW_TEXT: [&[u8]; 3] = [b"</script", b"</style", b"</title"];
    RAW_TEXT.into_iter().find(|end| end[2..].eq_ignore_ascii_case(name))
}

/// The position of the first occurrence of `needle`, ignoring case.
fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), haystack).find(|&at| {
        haystack[at..].get(..needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle))
    })
}
