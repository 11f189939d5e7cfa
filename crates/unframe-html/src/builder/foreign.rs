//! SVG and MathML inside a page.

use super::super::tag::hint::{HTML_INTEGRATION, TEXT_INTEGRATION};
use super::super::tag::{BREAKS_OUT, Namespace, Tag};
use super::super::tokenizer::{TagToken, TextKind, Token};
use super::stack::Open;
use super::{Builder, Step};

impl Builder<'_, '_> {
    /// The standard's "adjusted current node": the current element or, at the top of a fragment, the context element.
    #[inline]
    fn adjusted_current(&self) -> Open {
        match self.context {
            Some(context) if self.stack.len() == 1 => Open {
                namespace: context.namespace,
                tag: context.tag,
                hints: context.tag.hints(context.namespace),
                ..self.current()
            },
            _ => self.current(),
        }
    }

    #[inline]
    pub(super) fn is_in_foreign_content(&self) -> bool {
        self.adjusted_current().namespace != Namespace::Html
    }

    /// Whether a token is processed by the rules of HTML, rather than those of [`Builder::foreign`].
    #[inline]
    pub(super) fn follows_html_rules(&self, token: &Token) -> bool {
        let current = self.adjusted_current();
        if current.namespace == Namespace::Html {
            return true;
        }
        match token {
            Token::Eof => true,
            Token::Text { .. } => current.has(TEXT_INTEGRATION | HTML_INTEGRATION),
            Token::Start(tag) => {
                (current.has(TEXT_INTEGRATION) && !matches!(tag.tag, Tag::MGLYPH | Tag::MALIGNMARK))
                    || (current.namespace == Namespace::MathMl
                        && current.tag == Tag::ANNOTATION_XML
                        && tag.tag == Tag::SVG)
                    || current.has(HTML_INTEGRATION)
            }
            _ => false,
        }
    }

    pub(super) fn foreign(&mut self, token: Token) -> Step {
        match token {
            Token::Text { span, kind } => {
                let kind = if kind == TextKind::Data { TextKind::Replaced } else { kind };
                self.frameset_ok &= self.is_blank(span, kind);
                self.insert_text(span, kind);
            }
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Doctype(_) | Token::Eof => {}
            Token::Start(tag) if self.breaks_out(&tag) => return self.break_out(token),
            Token::Start(tag) => self.insert_foreign(tag, self.adjusted_current().namespace),
            Token::End(tag) if matches!(tag.tag, Tag::BR | Tag::P) => return self.break_out(token),
            Token::End(tag) => return self.end_foreign(tag),
        }
        Step::Done
    }

    /// Inserts an element of SVG or MathML.
    pub(super) fn insert_foreign(&mut self, tag: TagToken, namespace: Namespace) {
        let open = self.insert_in(tag, namespace);
        if tag.self_closing && self.is_open(open) {
            self.stack.pop();
            self.end_at(open.node, super::Span::empty(tag.span.end));
        }
    }

    /// Whether an HTML tag implies that the SVG or MathML around it was not closed.
    fn breaks_out(&self, tag: &TagToken) -> bool {
        match tag.tag {
            Tag::FONT => {
                [&b"color"[..], b"face", b"size"].iter().any(|name| self.attribute(tag, name).is_some())
            }
            other => BREAKS_OUT.contains(&other),
        }
    }

    fn break_out(&mut self, token: Token) -> Step {
        loop {
            let current = self.current();
            if current.namespace == Namespace::Html || current.has(TEXT_INTEGRATION | HTML_INTEGRATION) {
                break;
            }
            self.pop();
        }
        self.by_mode(self.mode, token)
    }

    fn end_foreign(&mut self, tag: TagToken) -> Step {
        if self.stack.unflatten(tag.tag) {
            return Step::Done;
        }
        for index in (1..self.stack.len()).rev() {
            let Some(open) = self.stack.get(index).copied() else { break };
            if open.namespace == Namespace::Html {
                return self.by_mode(self.mode, Token::End(tag));
            }
            if open.tag == tag.tag {
                while self.stack.len() > index + 1 {
                    self.pop();
                }
                self.close_current();
                return Step::Done;
            }
        }
        Step::Done
    }
}
