//! `<template>`, and the reset of the insertion mode.

use super::super::tag::hint::THOROUGH_END;
use super::super::tag::{Namespace, Tag};
use super::super::tokenizer::{TagToken, Token};
use super::before_body::belongs_in_head;
use super::{Builder, Mode, Step};

impl Builder<'_, '_> {
    pub(super) fn start_template(&mut self, tag: TagToken) {
        let open = self.insert(tag);
        if self.is_open(open) {
            self.insert_marker();
            self.frameset_ok = false;
            self.mode = Mode::InTemplate;
            self.template_modes.push(Mode::InTemplate);
        }
    }

    pub(super) fn end_template(&mut self) {
        if !self.stack.has(Tag::TEMPLATE) {
            return;
        }
        while self.current().has(THOROUGH_END) {
            self.pop();
        }
        self.close_until(Tag::TEMPLATE);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_insertion_mode();
    }

    pub(super) fn in_template(&mut self, token: Token) -> Step {
        match token {
            Token::Start(tag) => {
                let mode = match tag.tag {
                    other if belongs_in_head(other) => return self.in_head(token),
                    Tag::CAPTION | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD => Mode::InTable,
                    Tag::COL => Mode::InColumnGroup,
                    Tag::TR => Mode::InTableBody,
                    Tag::TD | Tag::TH => Mode::InRow,
                    _ => Mode::InBody,
                };
                self.template_modes.pop();
                self.template_modes.push(mode);
                self.reprocess_in(mode, token)
            }
            Token::End(tag) if tag.tag == Tag::TEMPLATE => self.in_head(token),
            Token::End(_) => Step::Done,
            Token::Eof => {
                if !self.stack.has(Tag::TEMPLATE) {
                    return Step::Done;
                }
                self.pop_until(Tag::TEMPLATE);
                self.clear_formatting_to_marker();
                self.template_modes.pop();
                self.reset_insertion_mode();
                Step::Reprocess(token)
            }
            token => self.in_body(token),
        }
    }

    /// The standard's "reset the insertion mode appropriately".
    pub(super) fn reset_insertion_mode(&mut self) {
        for index in (0..self.stack.len()).rev() {
            let is_last = index == 0;
            let Some(open) = self.stack.get(index) else { break };
            let (tag, namespace) = match self.context {
                Some(context) if is_last => (context.tag, context.namespace),
                _ => (open.tag, open.namespace),
            };
            if namespace == Namespace::Html
                && let Some(mode) = self.mode_inside(tag, is_last)
            {
                self.mode = mode;
                return;
            }
        }
        self.mode = Mode::InBody;
    }

    fn mode_inside(&self, tag: Tag, is_last: bool) -> Option<Mode> {
        Some(match tag {
            Tag::TD | Tag::TH if !is_last => Mode::InCell,
            Tag::TR => Mode::InRow,
            Tag::TBODY | Tag::THEAD | Tag::TFOOT => Mode::InTableBody,
            Tag::CAPTION => Mode::InCaption,
            Tag::COLGROUP => Mode::InColumnGroup,
            Tag::TABLE => Mode::InTable,
            Tag::TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
            Tag::HEAD if !is_last => Mode::InHead,
            Tag::BODY => Mode::InBody,
            Tag::FRAMESET => Mode::InFrameset,
            Tag::HTML if self.head.is_some() => Mode::AfterHead,
            Tag::HTML => Mode::BeforeHead,
            _ => return None,
        })
    }
}
