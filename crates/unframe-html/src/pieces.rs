//! Splits a page into visible text and tags.

use crate::limits::PIECES_MAX;
use crate::source::Source;
use crate::span::Span;
use crate::tag::Tag;
use crate::tokenizer::{Foreign, Mode, TagToken, TextKind, TextOrTag, Token, Tokenizer};

/// A piece of a page, for extracting its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// Visible text.
    Text {
        /// The span in [`Source::bytes`].
        span: Span,
        /// How to decode it.
        kind: TextKind,
    },
    /// A start tag.
    Start {
        /// The interned tag id.
        tag: Tag,
        /// The span in [`Source::bytes`].
        span: Span,
        /// Whether it is a link: `a[href]` or `area[href]`.
        is_link: bool,
    },
    /// An end tag.
    End {
        /// The interned tag id.
        tag: Tag,
        /// The span in [`Source::bytes`].
        span: Span,
    },
}

/// The visible text and the tags of a page. Comments, scripts, styles, the title, frames and `template` elements are left out. In SVG, even
/// the tags of such elements are left out: a title there is not the title of the page.
///
/// No tree is built, so it runs at the speed of the tokenizer. After [`PIECES_MAX`] pieces, the rest of the page is one text.
#[derive(Debug)]
pub struct Pieces<'p> {
    tokens: Tokenizer<'p>,
    visibility: Visibility,
    /// The number of pieces so far.
    count: usize,
}

/// The visibility of the text after the tags read so far.
#[derive(Debug, Default)]
struct Visibility {
    /// Whether the text after the last tag is hidden.
    hidden: bool,
    /// The number of open `template` elements, whose content is hidden.
    templates: u32,
    /// Whether only scripts are left out.
    has_hidden: bool,
}

impl Visibility {
    /// Processes a start tag, and returns whether it is a piece.
    #[inline(always)]
    fn start(&mut self, tag: Tag, is_foreign: bool) -> bool {
        let is_read = self.has_hidden && tag != Tag::SCRIPT;
        self.hidden = (is_hidden(tag) && !is_read) || self.templates > 0;
        if tag == Tag::TEMPLATE {
            self.templates += 1;
            self.hidden = true;
            return true;
        }
        !self.hidden || self.templates == 0 && !is_foreign
    }

    /// Processes an end tag, and returns whether it is a piece.
    #[inline(always)]
    fn end(&mut self, tag: Tag) -> bool {
        if tag == Tag::TEMPLATE {
            self.templates = self.templates.saturating_sub(1);
        }
        self.hidden = self.templates > 0;
        !self.hidden
    }
}

impl<'p> Pieces<'p> {
    /// The pieces of a page.
    pub fn of(source: &Source<'p>) -> Pieces<'p> {
        Pieces { tokens: source.tokens().only_links(), visibility: Visibility::default(), count: 0 }
    }

    /// The pieces of a page including invisible text: the title, styles and frames, but not scripts.
    pub fn all_but_scripts(source: &Source<'p>) -> Pieces<'p> {
        let visibility = Visibility { has_hidden: true, ..Visibility::default() };
        Pieces { visibility, ..Pieces::of(source) }
    }

    /// Reads the rest of the page as one text, unless the text after the last tag is hidden or has no markup anyway.
    #[cold]
    fn read_rest_as_text(&mut self) {
        let has_rest = self.tokens.position() < self.tokens.input().len();
        if has_rest && !self.visibility.hidden && self.tokens.mode() == Mode::Data {
            self.tokens.begin_in(Mode::Plaintext);
        }
    }
}

fn is_link(tokens: &Tokenizer<'_>, tag: &TagToken) -> bool {
    let is_href = |name: &[u8]| name.eq_ignore_ascii_case(b"href");
    matches!(tag.tag, Tag::A | Tag::AREA)
        && tokens.attributes_of(tag).iter().any(|found| is_href(found.name.slice(tokens.input())))
}

/// Logs the pieces of a page while a tree is built from the same tokens.
///
/// The tree builder knows what is raw text and what is SVG, whereas [`Pieces`] goes by tag names alone. On most pages both agree. If they
/// differ, the log reports it, and the pieces must be computed separately.
#[derive(Debug)]
pub(crate) struct PieceLog<'w> {
    pieces: &'w mut Vec<Piece>,
    visibility: Visibility,
    foreign: Foreign,
    /// The tokenizer mode that follows from tag names alone.
    mode: Mode,
    differs: bool,
}

impl<'w> PieceLog<'w> {
    pub(crate) fn new(pieces: &'w mut Vec<Piece>) -> PieceLog<'w> {
        pieces.clear();
        let (visibility, foreign) = (Visibility::default(), Foreign::default());
        PieceLog { pieces, visibility, foreign, mode: Mode::Data, differs: false }
    }

    /// Whether the pieces are the same as those of [`Pieces`].
    pub(crate) fn is_right(&self) -> bool {
        !self.differs
    }

    /// Logs a text or a tag that was just read.
    #[inline(always)]
    pub(crate) fn add(&mut self, tokens: &Tokenizer<'_>, found: &TextOrTag) {
        // The tree does not end where the pieces do.
        self.differs |= tokens.mode() != self.mode || self.pieces.len() >= PIECES_MAX;
        if self.differs {
            return;
        }
        match found {
            TextOrTag::Text(span) if !self.visibility.hidden => {
                self.pieces.push(Piece::Text { span: *span, kind: TextKind::Data });
            }
            TextOrTag::Start(start) => {
                self.mode = self.foreign.begin(start.tag, start.self_closing).unwrap_or(Mode::Data);
                if self.visibility.start(start.tag, self.foreign.is_next()) {
                    let is_link = is_link(tokens, start);
                    self.pieces.push(Piece::Start { tag: start.tag, span: start.span, is_link });
                }
            }
            TextOrTag::End(end) => {
                self.foreign.end(end.tag);
                if self.visibility.end(end.tag) {
                    self.pieces.push(Piece::End { tag: end.tag, span: end.span });
                }
            }
            TextOrTag::Text(_) | TextOrTag::Neither => {}
        }
    }

    /// Logs another token: the mode it was read in, and whether it is in SVG or MathML.
    pub(crate) fn add_other(&mut self, mode: Mode, token: Option<&Token>, is_foreign: bool) {
        self.differs |=
            mode != self.mode || is_foreign != self.foreign.is_next() || self.pieces.len() >= PIECES_MAX;
        if self.differs {
            return;
        }
        self.mode = Mode::Data;
        if let Some(Token::Text { span, kind }) = token
            && !self.visibility.hidden
        {
            self.pieces.push(Piece::Text { span: *span, kind: *kind });
        }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline(always)]
    fn next(&mut self) -> Option<Piece> {
        loop {
            self.tokens.attributes.clear();
            if self.count >= PIECES_MAX {
                self.read_rest_as_text();
            }
            match self.tokens.text_or_tag() {
                TextOrTag::Text(_) if self.visibility.hidden => {}
                TextOrTag::Text(span) => {
                    self.count += 1;
                    return Some(Piece::Text { span, kind: TextKind::Data });
                }
                TextOrTag::Start(start) => {
                    self.tokens.begin_by_name(start.tag, start.self_closing);
                    if !self.visibility.start(start.tag, self.tokens.is_foreign()) {
                        continue;
                    }
                    let is_link = is_link(&self.tokens, &start);
                    self.count += 1;
                    return Some(Piece::Start { tag: start.tag, span: start.span, is_link });
                }
                TextOrTag::End(end) => {
                    self.tokens.end_by_name(end.tag);
                    if !self.visibility.end(end.tag) {
                        continue;
                    }
                    self.count += 1;
                    return Some(Piece::End { tag: end.tag, span: end.span });
                }
                TextOrTag::Neither => match self.tokens.neither(self.tokens.is_foreign()) {
                    Some(Token::Text { span, kind }) if !self.visibility.hidden => {
                        self.count += 1;
                        return Some(Piece::Text { span, kind });
                    }
                    Some(Token::Eof) => return None,
                    _ => {}
                },
            }
        }
    }
}

/// Elements whose text browsers do not display. Their content is one raw text token.
pub fn is_hidden(tag: Tag) -> bool {
    matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::TreeMemory;
    use crate::source::SourceMemory;

    /// The pieces logged during tree construction, if they are right.
    fn logged(source: &Source<'_>) -> Option<Vec<Piece>> {
        let (mut tree, mut pieces) = (TreeMemory::default(), Vec::new());
        let (_, is_right) = source.parse_with_pieces(&mut tree, &mut pieces);
        is_right.then_some(pieces)
    }

    #[test]
    fn pieces_are_those_of_the_tree_unless_the_tree_reads_other_tokens() {
        let mut memory = SourceMemory::default();
        let mut of = |page: &'static str| {
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            (logged(&source), Pieces::of(&source).collect::<Vec<_>>())
        };
        let (logged, pieces) =
            of("<title>a<b</title><p>x<svg><title>y</title></svg><script>i<j</script><a href=/>z");
        assert_eq!(logged, Some(pieces));
        // In a frameset, the tree builder ignores text areas.
        assert_eq!(of("<frameset><textarea><b>").0, None);
    }

    /// The tags of a page, read with all attributes.
    fn tags(source: &Source<'_>) -> Vec<(Tag, Span)> {
        let mut tokens = source.tokens();
        let mut tags = Vec::new();
        loop {
            match tokens.next_by_name() {
                Token::Start(tag) | Token::End(tag) => tags.push((tag.tag, tag.span)),
                Token::Eof => return tags,
                _ => {}
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_of_the_tree_are_those_of_the_page(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<p>", "</p>", "<a href=x>", "</a>", "<title>", "</title>", "<textarea>", "</textarea>", "<svg>", "</svg>", "<math>", "<desc>",
                    "</desc>", "<foreignObject>", "<script>", "</script>", "<style>", "</style>", "<select>", "<option>", "</select>", "<table>", "<td>",
                    "</table>", "<template>", "</template>", "<![CDATA[", "]]>", "<!--", "-->", "x", " ", "<noscript>", "</noscript>", "<frameset>",
                    "<xmp>", "</xmp>", "<plaintext>", "<svg/>", "<mi>", "</", "<", "&amp;", "<pre>\n", "<body>", "</body>", "</html>", "<iframe>",
                ]),
                0..30,
            )
        ) {
            let page = parts.concat();
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            if let Some(logged) = logged(&source) {
                prop_assert_eq!(logged, Pieces::of(&source).collect::<Vec<_>>());
            }
        }

        #[test]
        fn tags_end_where_they_do_when_their_attributes_are_read(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<p", "<a", "</p", ">", "/", "/>", " ", "\n", "=", "\"", "'", "x", "href", "a=b", "<title>", "</title>", "<!--",
                ]),
                0..40,
            )
        ) {
            let page = parts.concat();
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            let found: Vec<(Tag, Span)> = Pieces::of(&source)
                .filter_map(|piece| match piece {
                    Piece::Start { tag, span, .. } | Piece::End { tag, span } => Some((tag, span)),
                    Piece::Text { .. } => None,
                })
                .collect();
            prop_assert_eq!(found, tags(&source));
        }
    }
}
