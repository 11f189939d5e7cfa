//! The insertion modes after the body, and those of framesets.

use super::super::document::NodeId;
use super::super::span::Span;
use super::super::tag::Tag;
use super::super::tokenizer::{TextKind, Token, is_space};
use super::place::Place;
use super::{Builder, Mode, Step};
use crate::limits::NODES_MAX;

impl Builder<'_, '_> {
    fn is_only_spaces(&self, token: &Token) -> bool {
        match token {
            Token::Text { span, kind } => self.split_spaces(*span, *kind).1.is_empty(),
            _ => false,
        }
    }

    /// Processes the leading white space of a text as part of the body; `None` if nothing is left.
    fn spaces_in_body(&mut self, token: Token) -> Option<Token> {
        let Token::Text { span, kind } = token else { return Some(token) };
        let (spaces, rest) = self.split_spaces(span, kind);
        if !spaces.is_empty() {
            self.in_body(Token::Text { span: spaces, kind });
        }
        self.rest_of_text(rest, kind)
    }

    pub(super) fn after_body(&mut self, token: Token) -> Step {
        let Some(token) = self.spaces_in_body(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => {
                let html = self.stack.get(0).map_or(NodeId::NONE, |open| open.node);
                self.insert_comment(data, Place::end_of(html));
            }
            Token::Doctype(_) | Token::Eof => {}
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            Token::End(tag) if tag.tag == Tag::HTML => {
                if self.context.is_none() {
                    if let Some(html) = self.stack.get(0).map(|open| open.node) {
                        self.mark_end(html, self.span);
                    }
                    self.mode = Mode::AfterAfterBody;
                }
            }
            token => return self.reprocess_in(Mode::InBody, token),
        }
        Step::Done
    }

    pub(super) fn after_after_body(&mut self, token: Token) -> Step {
        let Some(token) = self.spaces_in_body(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, Place::end_of(NodeId::NONE)),
            Token::Doctype(_) | Token::Eof => {}
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            token => return self.reprocess_in(Mode::InBody, token),
        }
        Step::Done
    }

    /// Inserts the white space of a text and drops the rest.
    fn insert_only_spaces(&mut self, span: Span, kind: TextKind) {
        let input = self.tokenizer.input();
        let mut at = span.start as usize;
        while at < span.end as usize && self.nodes.len() < NODES_MAX {
            let len = input[at..span.end as usize].iter().take_while(|byte| is_space(**byte)).count();
            self.insert_text(Span::new(at, at + len), kind);
            at += len + 1;
        }
    }

    pub(super) fn in_frameset(&mut self, token: Token) -> Step {
        match token {
            Token::Text { span, kind } => self.insert_only_spaces(span, kind),
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Start(tag) => match tag.tag {
                Tag::HTML => return self.in_body(token),
                Tag::FRAMESET => {
                    self.insert(tag);
                }
                Tag::FRAME => self.insert_void(tag),
                Tag::NOFRAMES => return self.in_head(token),
                _ => {}
            },
            Token::End(tag) if tag.tag == Tag::FRAMESET && self.stack.len() > 1 => {
                self.close_current();
                if self.context.is_none() && !self.current_is(Tag::FRAMESET) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            Token::End(_) | Token::Doctype(_) | Token::Eof => {}
        }
        Step::Done
    }

    pub(super) fn after_frameset(&mut self, token: Token) -> Step {
        match token {
            Token::Text { span, kind } => self.insert_only_spaces(span, kind),
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::NOFRAMES => return self.in_head(token),
            Token::End(tag) if tag.tag == Tag::HTML => self.mode = Mode::AfterAfterFrameset,
            _ => {}
        }
        Step::Done
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) -> Step {
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, Place::end_of(NodeId::NONE)),
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::NOFRAMES => return self.in_head(token),
            Token::Text { span, kind } if self.is_only_spaces(&token) => {
                return self.in_body(Token::Text { span, kind });
            }
            Token::Text { span, kind } => self.insert_only_spaces(span, kind),
            _ => {}
        }
        Step::Done
    }
}
