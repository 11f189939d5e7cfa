//! Which characters the bytes of a page stand for.

use encoding_rs::Encoding;

/// The charset of a page and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// The encoding, as browsers understand its label.
    pub encoding: &'static Encoding,
    /// What named it.
    pub source: CharsetSource,
}

/// What named the charset of a page, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `charset` parameter of the HTTP header `Content-Type`.
    Http,
    /// `<meta charset>` or `<meta http-equiv=content-type>`.
    Meta,
    /// The bytes themselves.
    Detected,
    /// Nothing: the page is plain ASCII or empty.
    Default,
}
