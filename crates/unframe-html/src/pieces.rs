//! A page cut into visible text and tags.

use crate::source::Source;
use crate::span::Span;
use crate::tag::Tag;
use crate::tokenizer::{TagToken, TextKind, TextOrTag, Token, Tokenizer};

/// A piece of a page, for those who are after its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// Visible text.
    Text {
        /// Its bytes, in [`Source::bytes`].
        span: Span,
        /// What has to be decoded.
        kind: TextKind,
    },
    /// A start tag.
    Start {
        /// The name.
        tag: Tag,
        /// Its bytes, in [`Source::bytes`].
        span: Span,
        /// Whether it is a link: `a[href]` or `area[href]`.
        is_link: bool,
    },
    /// An end tag.
    End {
        /// The name.
        tag: Tag,
        /// Its bytes, in [`Source::bytes`].
        span: Span,
    },
}

/// The visible text and the tags of a page: without comments, scripts, styles, the title, frames, and templates for scripts. Of SVG, the tags of
/// such are left out as well: a title there is not that of the page.
///
/// No tree is built, so it runs at the speed of the tokenizer.
#[derive(Debug)]
pub struct Pieces<'p> {
    tokens: Tokenizer<'p>,
    /// Whether the text that follows is not for readers.
    hidden: bool,
    /// How many `template` are open, in which nothing is.
    templates: u32,
    /// Whether only scripts are left out.
    has_hidden: bool,
}

impl<'p> Pieces<'p> {
    /// The pieces of a page.
    pub fn of(source: &Source<'p>) -> Pieces<'p> {
        Pieces { tokens: source.tokens().only_links(), hidden: false, templates: 0, has_hidden: false }
    }

    /// The pieces of a page with the text that readers do not see: the title, styles and frames, but not scripts.
    pub fn all_but_scripts(source: &Source<'p>) -> Pieces<'p> {
        Pieces { has_hidden: true, ..Pieces::of(source) }
    }

    fn is_link(&self, tag: &TagToken) -> bool {
        let is_href = |name: &[u8]| name.eq_ignore_ascii_case(b"href");
        matches!(tag.tag, Tag::A | Tag::AREA)
            && self
                .tokens
                .attributes_of(tag)
                .iter()
                .any(|found| is_href(found.name.slice(self.tokens.input())))
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline(always)]
    fn next(&mut self) -> Option<Piece> {
        loop {
            self.tokens.attributes.clear();
            match self.tokens.text_or_tag() {
                TextOrTag::Text(_) if self.hidden => {}
                TextOrTag::Text(span) => return Some(Piece::Text { span, kind: TextKind::Data }),
                TextOrTag::Start(start) => {
                    self.tokens.begin_by_name(start.tag, start.self_closing);
                    let is_read = self.has_hidden && start.tag != Tag::SCRIPT;
                    self.hidden = (is_hidden(start.tag) && !is_read) || self.templates > 0;
                    if start.tag == Tag::TEMPLATE {
                        self.templates += 1;
                        self.hidden = true;
                    } else if self.hidden && (self.templates > 0 || self.tokens.is_foreign()) {
                        continue;
                    }
                    let is_link = self.is_link(&start);
                    return Some(Piece::Start { tag: start.tag, span: start.span, is_link });
                }
                TextOrTag::End(end) => {
                    self.tokens.end_by_name(end.tag);
                    if end.tag == Tag::TEMPLATE {
                        self.templates = self.templates.saturating_sub(1);
                    }
                    self.hidden = self.templates > 0;
                    if self.hidden {
                        continue;
                    }
                    return Some(Piece::End { tag: end.tag, span: end.span });
                }
                TextOrTag::Neither => match self.tokens.neither(self.tokens.is_foreign()) {
                    Some(Token::Text { span, kind }) if !self.hidden => {
                        return Some(Piece::Text { span, kind });
                    }
                    Some(Token::Eof) => return None,
                    _ => {}
                },
            }
        }
    }
}

/// Elements whose text is for the browser, not for the reader. Their content has no tags, so it is one token.
pub fn is_hidden(tag: Tag) -> bool {
    matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::SourceMemory;

    /// The tags of a page with all their attributes read.
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
