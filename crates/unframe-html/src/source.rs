//! The bytes of a page and their charset.

use std::borrow::Cow;

use encoding_rs::Encoding;
use memchr::memchr;

use super::decode;
use super::span::Span;
use super::tag::Tag;
use super::tokenizer::{TextKind, Token, Tokenizer};
use super::transcode::{self, Transcoded};
use crate::limits::PAGE_BYTES_MAX;

/// A page with its charset, which can be tokenized.
///
/// Token spans are positions in [`Source::bytes`], which for a few charsets are a transcoded copy of the page. [`Source::original`]
/// converts them to positions in the page.
#[derive(Debug, Clone, Copy)]
pub struct Source<'p> {
    bytes: &'p [u8],
    encoding: &'static Encoding,
    /// The origins of the bytes, if they are a copy.
    origins: Option<&'p Transcoded>,
    /// The start of the page, after a byte order mark.
    start: usize,
    /// Whether the page is longer than [`PAGE_BYTES_MAX`].
    is_cut: bool,
}

/// Memory for transcoded copies of pages, reused for every page.
#[derive(Debug, Default)]
pub struct SourceMemory {
    transcoded: Transcoded,
}

impl SourceMemory {
    pub(crate) fn kept_bytes(&self) -> usize {
        self.transcoded.kept_bytes()
    }

    /// Opens a page. Bytes past [`PAGE_BYTES_MAX`] are ignored.
    pub fn open<'p>(&'p mut self, payload: &'p [u8], encoding: &'static Encoding) -> Source<'p> {
        let is_cut = payload.len() > PAGE_BYTES_MAX;
        let payload = &payload[..payload.len().min(PAGE_BYTES_MAX)];
        let bom = Encoding::for_bom(payload).filter(|(found, _)| *found == encoding);
        let start = bom.map_or(0, |(_, len)| len);
        if !transcode::is_needed(encoding) {
            return Source { bytes: payload, encoding, origins: None, start, is_cut };
        }
        self.transcoded.fill(payload, start, encoding);
        let origins = &self.transcoded;
        Source {
            bytes: &origins.text,
            encoding: encoding_rs::UTF_8,
            origins: Some(origins),
            start: 0,
            is_cut,
        }
    }
}

impl<'p> Source<'p> {
    /// The bytes that are tokenized: the page itself, or a transcoded copy in UTF-8.
    pub fn bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// Whether the end of the page was cut off.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The position of the first token.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The tokens of the page, without a tree.
    pub fn tokens(&self) -> Tokenizer<'p> {
        Tokenizer::reusing(self.bytes, self.start, Vec::new(), Default::default())
    }

    /// The text of a title whose start tag ends at `start`. An unclosed title ends at the next tag.
    pub fn title_text(&self, start: u32) -> Span {
        let start = start as usize;
        let mut tokens = Tokenizer::reusing(self.bytes, start, Vec::new(), Default::default());
        tokens.begin_by_name(Tag::TITLE, false);
        let is_closed = |span: Span| span.range().end < self.bytes.len();
        match tokens.next_by_name() {
            Token::Text { span, .. } if is_closed(span) => span,
            Token::Text { .. } => {
                let rest = &self.bytes[start..];
                Span::new(start, start + memchr(b'<', rest).unwrap_or(rest.len()))
            }
            _ => Span::new(start, start),
        }
    }

    /// Converts a span of [`Source::bytes`] to a span of the page.
    pub fn original(&self, span: Span) -> Span {
        match self.origins {
            None => span,
            Some(origins) => Span { start: origins.origin(span.start), end: origins.origin(span.end) },
        }
    }

    /// The decoded text of a text token.
    pub fn text(&self, span: Span, kind: TextKind) -> Cow<'p, str> {
        decode::text(span.slice(self.bytes), self.encoding, kind)
    }

    /// The bytes of a text, if all of them are plain ASCII that needs no decoding.
    #[inline]
    pub fn plain(&self, span: Span) -> Option<&'p [u8]> {
        Some(span.slice(self.bytes)).filter(|bytes| decode::is_all_plain(bytes))
    }

    /// The decoded value of an attribute.
    pub fn attribute_value(&self, span: Span) -> Cow<'p, str> {
        decode::attribute_value(span.slice(self.bytes), self.encoding)
    }

    /// The name of a tag or attribute, in lower case.
    pub fn name(&self, span: Span) -> Cow<'p, str> {
        self.name_of(span.slice(self.bytes))
    }

    pub(crate) fn name_of<'n>(&self, name: &'n [u8]) -> Cow<'n, str> {
        decode::name(name, self.encoding)
    }

    /// Decodes the leading bytes of a part of a text that are not plain ASCII. Calls `each` with their characters, and returns the number of bytes.
    pub fn not_plain(&self, span: Span, kind: TextKind, mut each: impl FnMut(char)) -> usize {
        decode::not_plain(span.slice(self.bytes), self.encoding, kind, |c, _| each(c))
    }

    /// Calls `each` with every character of a text token, and its span in the page.
    pub fn for_each_char(&self, span: Span, kind: TextKind, mut each: impl FnMut(char, Span)) {
        decode::for_each_char(span.slice(self.bytes), span.start, self.encoding, kind, |c, span| {
            each(c, self.original(span))
        });
    }
}
