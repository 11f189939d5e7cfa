//! Splits a page into tags, text and comments by the WHATWG standard, without copying or decoding.
//!
//! # What it does
//! Every token is a byte range. Text is found with `memchr`; character references, line ends and charsets are decoded only on demand. Pages
//! in a charset in which the bytes of ASCII always mean ASCII are tokenized directly; pages in other charsets are transcoded first.
//!
//! # Assumes
//! The caller switches to raw text where tree construction requires it (`switch_to`). Without a tree, [`Tokenizer::next_by_name`] switches
//! by tag names.
//!
//! # Cost
//! Linear. No byte is read more than a few times, and the only allocation is the list of attributes, which is reused.

mod attributes;
mod by_name;
mod markup;
mod names;
mod raw;
#[cfg(test)]
mod tests;

pub use attributes::Attribute;
pub(crate) use attributes::AttributeRange;
pub(crate) use by_name::Foreign;
pub use names::hash_of_name;
pub use names::{NamedTag, TagName};

use super::find::find_near;
use super::problem::{ParseProblem, ParseProblems};
use super::span::Span;
use super::tag::{Tag, TagNames};

/// A token of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// Characters.
    Text {
        /// The bytes.
        span: Span,
        /// How the text must be decoded.
        kind: TextKind,
    },
    /// `<div class=x>`
    Start(TagToken),
    /// `</div>`
    End(TagToken),
    /// `<!-- -->`, and everything that the standard treats as a comment.
    Comment {
        /// The span of the whole comment.
        span: Span,
        /// The span between the delimiters.
        data: Span,
    },
    /// `<!doctype html>`
    Doctype(Doctype),
    /// The end of the page.
    Eof,
}

/// A start or end tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagToken {
    /// The span of the whole tag.
    pub span: Span,
    /// The span of the name.
    pub name: Span,
    /// The interned tag id.
    pub tag: Tag,
    /// Whether it ends in `/>`.
    pub self_closing: bool,
    pub(crate) attributes: AttributeRange,
}

/// A document type. Missing parts are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Doctype {
    /// The span of the whole document type.
    pub span: Span,
    /// `html`
    pub name: Option<Span>,
    /// The public identifier, without quotes.
    pub public: Option<Span>,
    /// The system identifier, without quotes.
    pub system: Option<Span>,
    /// Whether it is so broken that the page counts as one without a document type.
    pub force_quirks: bool,
}

/// How a piece of text must be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// Character references are decoded, and null bytes are dropped.
    Data,
    /// Character references are decoded, and null bytes become U+FFFD. For text in `title` and `textarea`, and in SVG and MathML.
    Replaced,
    /// Null bytes become U+FFFD, and nothing else is decoded. For scripts, styles and `<![CDATA[ ]]>`.
    Raw,
}

/// The most frequent kinds of token; see [`Tokenizer::text_or_tag`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextOrTag {
    Text(Span),
    Start(TagToken),
    End(TagToken),
    /// The next token is of another kind and was not read.
    Neither,
}

/// How the tokenizer reads the next bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Data,
    Rcdata,
    Rawtext,
    Script,
    Plaintext,
    /// Inside `<![CDATA[`; only the conformance tests start here.
    #[cfg(test)]
    Cdata,
}

/// Cuts a page into tokens; see the [module](self).
#[derive(Debug)]
pub struct Tokenizer<'a> {
    input: &'a [u8],
    position: usize,
    mode: Mode,
    /// The element whose end tag ends raw text. `None` for a fragment, whose raw text has no end.
    raw_element: Option<Tag>,
    /// The attributes of all start tags so far; tokens refer to ranges of this list.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) names: TagNames,
    seen_names: attributes::SeenNames,
    pub(crate) problems: ParseProblems,
    /// Whether only links keep their attributes.
    only_links: bool,
    foreign: Foreign,
}

impl<'a> Tokenizer<'a> {
    /// A tokenizer at the start of `input`. Bytes past 4 GiB are not read.
    pub fn new(input: &'a [u8]) -> Tokenizer<'a> {
        Tokenizer::reusing(input, 0, Vec::new(), TagNames::default())
    }

    /// A tokenizer at `position`, with memory from an earlier page.
    pub(crate) fn reusing(
        input: &'a [u8],
        position: usize,
        mut attributes: Vec<Attribute>,
        mut names: TagNames,
    ) -> Tokenizer<'a> {
        attributes.clear();
        names.clear();
        Tokenizer {
            input: &input[..input.len().min(u32::MAX as usize)],
            position,
            mode: Mode::Data,
            raw_element: None,
            attributes,
            names,
            seen_names: Default::default(),
            problems: ParseProblems::default(),
            only_links: false,
            foreign: Default::default(),
        }
    }

    /// The lower-case name of a tag of this page.
    pub fn name(&self, tag: Tag) -> &[u8] {
        self.names.name(tag)
    }

    /// Skips the attributes of all tags but `a` and `area`, to save time.
    pub(crate) fn only_links(self) -> Tokenizer<'a> {
        Tokenizer { only_links: true, ..self }
    }

    /// The page.
    pub fn input(&self) -> &'a [u8] {
        self.input
    }

    /// The number of bytes read so far.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How the next bytes are read.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Switches to raw text: reads what follows as the content of `element`, up to its end tag.
    pub(crate) fn switch_to(&mut self, mode: Mode, element: Tag) {
        self.mode = mode;
        self.raw_element = Some(element);
    }

    /// Reads the whole input as the content of an element whose tags are not part of the input.
    pub(crate) fn begin_in(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// The next token of a page that is read without building a tree: raw text is detected by tag names only.
    #[inline]
    pub fn next_by_name(&mut self) -> Token {
        self.attributes.clear();
        let token = self.next(self.is_foreign());
        match &token {
            Token::Start(start) => self.begin_by_name(start.tag, start.self_closing),
            Token::End(end) => self.end_by_name(end.tag),
            _ => {}
        }
        token
    }

    /// The attributes of a start tag, which must be the last token that [`Tokenizer::next_by_name`] returned.
    pub fn attributes_of(&self, tag: &TagToken) -> &[Attribute] {
        self.attributes.get(tag.attributes.range()).unwrap_or_default()
    }

    /// The next token. `cdata` says whether `<![CDATA[` begins a CDATA section here.
    #[inline(always)]
    pub(crate) fn next(&mut self, cdata: bool) -> Token {
        loop {
            return match self.text_or_tag() {
                TextOrTag::Text(span) => Token::Text { span, kind: TextKind::Data },
                TextOrTag::Start(tag) => Token::Start(tag),
                TextOrTag::End(tag) => Token::End(tag),
                TextOrTag::Neither => match self.neither(cdata) {
                    Some(token) => token,
                    None => continue,
                },
            };
        }
    }

    /// Reads a text or a tag, the most frequent tokens.
    ///
    /// Tokens are too large for registers, and passing them between functions takes longer than finding them. So this path is inlined into
    /// its callers.
    #[inline(always)]
    pub(crate) fn text_or_tag(&mut self) -> TextOrTag {
        if self.mode != Mode::Data {
            return TextOrTag::Neither;
        }
        let start = self.position;
        let end = self.find_markup(start);
        if end > start {
            self.position = end;
            return TextOrTag::Text(Span::new(start, end));
        }
        let is_end = match self.input.get(start + 1..) {
            Some([b'/', byte, ..]) if byte.is_ascii_alphabetic() => true,
            Some([byte, ..]) if byte.is_ascii_alphabetic() => false,
            _ => return TextOrTag::Neither,
        };
        match self.tag(start, is_end) {
            Some(tag) if is_end => TextOrTag::End(tag),
            Some(tag) => TextOrTag::Start(tag),
            None => TextOrTag::Neither,
        }
    }

    /// Reads the kinds of token that [`Tokenizer::text_or_tag`] does not. `None` if the standard drops the bytes.
    pub(crate) fn neither(&mut self, cdata: bool) -> Option<Token> {
        if self.mode != Mode::Data {
            return self.raw();
        }
        let start = self.position;
        match self.input.get(start + 1..) {
            None | Some([]) => Some(Token::Eof),
            Some([b'/', b'>', ..]) => {
                self.position = start + 3;
                None
            }
            Some([b'/', ..]) => Some(self.bogus_comment(start, start + 2)),
            Some([b'!', ..]) => Some(self.declaration(start, cdata)),
            Some(_) => Some(self.bogus_comment(start, start + 1)),
        }
    }

    /// The position of the next `<` that begins markup, or the end of the page.
    #[inline]
    fn find_markup(&self, from: usize) -> usize {
        // Tags often follow each other without text between them.
        if self.is_markup(from) {
            return from;
        }
        let mut from = from;
        while let Some(found) = find_near(b'<', &self.input[from..]) {
            let at = from + found;
            if self.is_markup(at) {
                return at;
            }
            from = at + 1;
        }
        self.input.len()
    }

    #[inline]
    fn is_markup(&self, at: usize) -> bool {
        match self.input.get(at..) {
            Some([b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..]) => true,
            Some([b'<', byte, ..]) => byte.is_ascii_alphabetic(),
            _ => false,
        }
    }

    /// Reads a tag. `None` if the page ends inside the tag, which the standard drops.
    #[inline(always)]
    fn tag(&mut self, start: usize, is_end: bool) -> Option<TagToken> {
        let input = self.input;
        let name_start = start + 1 + usize::from(is_end);
        let mut at = name_start;
        while at < input.len() && !ends_tag_name(input[at]) {
            at += 1;
        }
        let name = Span::new(name_start, at);
        let tag = self.names.tag_at(input, name_start, at);
        let first = self.attributes.len();
        // The attributes of an end tag are ignored.
        let is_skipping = is_end || self.only_links && !matches!(tag, Tag::A | Tag::AREA);
        // Most tags have no attributes.
        let closed = match input.get(at) {
            Some(b'>') => Some((at + 1, false)),
            _ if is_skipping => self.skip_attributes(at),
            _ => self.tag_attributes(at),
        };
        let Some((end, self_closing)) = closed else {
            self.problems.add(ParseProblem::EndsInTag, start);
            self.attributes.truncate(first);
            self.position = input.len();
            return None;
        };
        self.position = end;
        let attributes = AttributeRange { start: first as u32, len: (self.attributes.len() - first) as u32 };
        Some(TagToken { span: Span::new(start, end), name, tag, self_closing, attributes })
    }
}

/// The white space of the HTML standard.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[inline]
const fn ends_tag_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}
