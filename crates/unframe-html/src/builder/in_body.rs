//! The insertion mode "in body": text, end tags, and shared functions. Start tags are in `in_body_tags`.

use super::super::document::NodeId;
use super::super::span::Span;
use super::super::tag::hint::{BUTTON_SCOPE, HEADING, IMPLIED_END, LIST_SCOPE, SCOPE};
use super::super::tag::{Namespace, Tag};
use super::super::tokenizer::{AttributeRange, TagToken, TextKind, Token};
use super::{Builder, Mode, Step};

impl Builder<'_, '_> {
    #[inline]
    pub(super) fn in_body(&mut self, token: Token) -> Step {
        match token {
            Token::Text { span, kind } => self.text_in_body(span, kind),
            Token::Start(tag) => return self.start_in_body(tag),
            Token::End(tag) => return self.end_in_body(tag),
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Doctype(_) => {}
            Token::Eof if !self.template_modes.is_empty() => return self.in_template(token),
            Token::Eof => {}
        }
        Step::Done
    }

    #[inline]
    pub(super) fn text_in_body(&mut self, span: Span, kind: TextKind) {
        if kind == TextKind::Data && self.is_all_null(span) {
            return;
        }
        self.reconstruct_formatting();
        self.insert_text(span, kind);
        if self.frameset_ok {
            self.frameset_ok = self.is_blank(span, kind);
        }
    }

    pub(super) fn end_in_body(&mut self, tag: TagToken) -> Step {
        if self.stack.unflatten(tag.tag) {
            return Step::Done;
        }
        match tag.tag {
            Tag::TEMPLATE => return self.in_head(Token::End(tag)),
            Tag::BODY => {
                self.end_body(tag.span);
            }
            Tag::HTML => {
                if self.end_body(Span::empty(tag.span.start)) {
                    return Step::Reprocess(Token::End(tag));
                }
            }
            Tag::FORM => self.end_form(),
            Tag::P => self.end_p(),
            Tag::LI => self.end_item(Tag::LI, SCOPE | LIST_SCOPE),
            Tag::DD | Tag::DT => self.end_item(tag.tag, SCOPE),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.end_heading(),
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                if self.end_block(tag.tag) {
                    self.clear_formatting_to_marker();
                }
            }
            Tag::BR => {
                let attributes = AttributeRange::default();
                return self.start_in_body(TagToken { attributes, self_closing: false, ..tag });
            }
            other if is_formatting(other) => self.adoption_agency(other, tag.span),
            other if is_block(other) => {
                self.end_block(other);
            }
            other => self.any_other_end_tag(other, tag.span),
        }
        Step::Done
    }

    /// Handles `</body>`, which pops nothing yet, because more content may follow, but marks the ends of the body and of its open elements.
    fn end_body(&mut self, end_tag: Span) -> bool {
        if !self.stack.has_in_scope(Tag::BODY, SCOPE) {
            return false;
        }
        for index in (1..self.stack.len()).rev() {
            let Some(open) = self.stack.get(index).copied() else { continue };
            self.mark_end(open.node, if open.is(Tag::BODY) { end_tag } else { Span::empty(end_tag.start) });
        }
        self.mode = Mode::AfterBody;
        true
    }

    /// Closes the elements whose end tags may be omitted before an end tag of that name, then all elements up to the one with that name.
    fn end_block(&mut self, tag: Tag) -> bool {
        if !self.stack.has_in_scope(tag, SCOPE) {
            return false;
        }
        self.generate_implied_end_tags();
        self.close_until(tag);
        true
    }

    fn end_item(&mut self, tag: Tag, scope: u32) {
        if self.stack.has_in_scope(tag, scope) {
            self.generate_implied_end_tags_except(tag);
            self.close_until(tag);
        }
    }

    fn end_heading(&mut self) {
        if !self.stack.find_in_scope(SCOPE, |open| open.has(HEADING)) {
            return;
        }
        self.generate_implied_end_tags();
        while !self.current().has(HEADING) {
            self.pop();
        }
        self.close_current();
    }

    fn end_p(&mut self) {
        if !self.stack.has_in_scope(Tag::P, SCOPE | BUTTON_SCOPE) {
            self.insert_implied(Tag::P);
        }
        self.generate_implied_end_tags_except(Tag::P);
        self.close_until(Tag::P);
    }

    fn end_form(&mut self) {
        if self.stack.has(Tag::TEMPLATE) {
            self.end_block(Tag::FORM);
            return;
        }
        let form = std::mem::replace(&mut self.form, NodeId::NONE);
        if !form.is_some() || !self.stack.has_node_in_scope(form) {
            return;
        }
        self.generate_implied_end_tags();
        if let Some(at) = self.stack.position(form) {
            self.remove_from_stack(at, self.span);
        }
    }

    pub(super) fn any_other_end_tag(&mut self, tag: Tag, end_tag: Span) {
        if !self.stack.has(tag) {
            return;
        }
        for index in (0..self.stack.len()).rev() {
            let Some(open) = self.stack.get(index).copied() else { return };
            if open.is(tag) {
                self.generate_implied_end_tags_except(tag);
                while self.stack.len() > index + 1 {
                    self.pop();
                }
                self.stack.pop();
                return self.end_at(open.node, end_tag);
            }
            if open.is_special() {
                return;
            }
        }
    }

    #[inline]
    pub(super) fn generate_implied_end_tags(&mut self) {
        while self.current().has(IMPLIED_END) {
            self.pop();
        }
    }

    pub(super) fn generate_implied_end_tags_except(&mut self, tag: Tag) {
        while self.current().has(IMPLIED_END) && !self.current_is(tag) {
            self.pop();
        }
    }

    /// The standard's "close a p element", if one is open in button scope.
    #[inline]
    pub(super) fn close_p(&mut self) {
        if self.stack.has_in_scope(Tag::P, SCOPE | BUTTON_SCOPE) {
            self.generate_implied_end_tags_except(Tag::P);
            self.pop_until(Tag::P);
        }
    }

    pub(super) fn is_in_scope(&self, tag: Tag) -> bool {
        self.stack.has_in_scope(tag, SCOPE)
    }

    pub(super) fn is_fragment_of(&self, tag: Tag) -> bool {
        self.context.is_some_and(|context| context.tag == tag && context.namespace == Namespace::Html)
    }
}

/// Formatting elements, including `a` and `nobr`, whose start tags have rules of their own.
pub(super) const fn is_formatting(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::A
            | Tag::B
            | Tag::BIG
            | Tag::CODE
            | Tag::EM
            | Tag::FONT
            | Tag::I
            | Tag::NOBR
            | Tag::S
            | Tag::SMALL
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::TT
            | Tag::U
    )
}

/// Elements whose end tag closes unclosed elements in them.
pub(super) const fn is_block(tag: Tag) -> bool {
    is_plain_block(tag) || matches!(tag, Tag::BUTTON | Tag::LISTING | Tag::PRE | Tag::SELECT)
}

/// Blocks whose start tag only closes a paragraph.
pub(super) const fn is_plain_block(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::ADDRESS
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::BLOCKQUOTE
            | Tag::CENTER
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::DIR
            | Tag::DIV
            | Tag::DL
            | Tag::FIELDSET
            | Tag::FIGCAPTION
            | Tag::FIGURE
            | Tag::FOOTER
            | Tag::HEADER
            | Tag::HGROUP
            | Tag::MAIN
            | Tag::MENU
            | Tag::NAV
            | Tag::OL
            | Tag::SEARCH
            | Tag::SECTION
            | Tag::SUMMARY
            | Tag::UL
    )
}
