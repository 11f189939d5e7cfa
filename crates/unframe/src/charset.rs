//! The charset of a page.

mod detect;
mod prescan;
#[cfg(test)]
mod tests;

use std::fmt;

use encoding_rs::{Encoding, UTF_8};

/// Finds the charset of a page as browsers do, except for pages that are UTF-8 but declare another charset, or that declare UTF-8 but are not.
///
/// `content_type` is the value of the HTTP header `Content-Type`, if there was one. The first of these sources that names a charset decides:
///
/// 1. a byte order mark;
/// 2. the `charset` parameter of `content_type`;
/// 3. `<meta>` in the first [`META_PRESCAN_BYTES`](crate::limits::META_PRESCAN_BYTES) (the prescan of the WHATWG standard), then `<meta>`
///    in the rest of the head (within [`META_HEAD_BYTES`](crate::limits::META_HEAD_BYTES)), as browsers do in practice, then the XML
///    declaration;
/// 4. the bytes: plain ASCII and valid UTF-8 are UTF-8, anything else goes to a detector.
///
/// A declared charset is ignored if the bytes are valid UTF-8 with non-ASCII characters in several places: text in another charset hardly
/// ever looks like that. Declared UTF-8 is ignored if several byte sequences are invalid, and more are invalid than valid; then the bytes
/// decide as in step 4. Browsers show such pages as garbage, but here their text matters more.
///
/// An unknown label counts as absent. So do the labels that browsers map to the `replacement` encoding (`iso-2022-kr`, `hz-gb-2312`): a
/// browser shows nothing of such a page, to protect its user, but here the markup is worth keeping.
///
/// ```
/// use unframe::charset::{self, CharsetSource};
///
/// let charset = charset::find(b"<meta charset=gb2312><p>", Some("text/html"));
/// assert_eq!(charset.name(), "GBK");
/// assert_eq!(charset.source, CharsetSource::Meta);
/// ```
pub fn find(payload: &[u8], content_type: Option<&str>) -> Charset {
    if let Some((encoding, _)) = Encoding::for_bom(payload) {
        return Charset { encoding, source: CharsetSource::Bom };
    }
    let declared = match content_type.and_then(http_charset) {
        Some(encoding) => Some(Charset { encoding, source: CharsetSource::Http }),
        None => prescan::declared(payload).map(|encoding| Charset { encoding, source: CharsetSource::Meta }),
    };
    match declared {
        Some(charset) if charset.encoding != UTF_8 && detect::is_surely_utf8(payload) => {
            Charset { encoding: UTF_8, source: CharsetSource::Content }
        }
        Some(charset) if charset.encoding == UTF_8 && detect::is_hardly_utf8(payload) => {
            Charset { encoding: detect::guess_other(payload), source: CharsetSource::Content }
        }
        Some(charset) => charset,
        None => detect::detect(payload),
    }
}

/// The charset of a page and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// The encoding, as browsers understand its label.
    pub encoding: &'static Encoding,
    /// The source that named it.
    pub source: CharsetSource,
}

impl Charset {
    /// The name of the encoding in the WHATWG standard, such as `UTF-8` or `windows-1252`.
    pub fn name(&self) -> &'static str {
        self.encoding.name()
    }
}

/// Writes the name and the source: `GBK (meta)`.
impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.source)
    }
}

/// The sources of a charset, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `charset` parameter of the HTTP header `Content-Type`.
    Http,
    /// The page itself: `<meta charset>`, `<meta http-equiv=content-type>` or the XML declaration.
    Meta,
    /// Detected from the bytes of the page.
    Content,
    /// Nothing: the page is plain ASCII or empty.
    Default,
}

impl CharsetSource {
    /// The stable name used in output: `bom`, `http`, `meta`, `content` or `default`.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Content => "content",
            CharsetSource::Default => "default",
        }
    }
}

impl fmt::Display for CharsetSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The encoding for a web label, ignoring surrounding white space and letter case.
fn by_label(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label)
}

/// The encoding named by the `charset` parameter of a `Content-Type` header. The first known label counts.
///
/// Like browsers, this is more lenient than the standard towards sloppy servers: white space around `=`, single quotes, a missing closing
/// quote, and several header values joined by commas.
fn http_charset(content_type: &str) -> Option<&'static Encoding> {
    let quotes_and_space = |c: char| c.is_ascii_whitespace() || c == '"' || c == '\'';
    content_type.split([';', ',']).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| by_label(value.trim_matches(quotes_and_space).as_bytes()))?
    })
}
