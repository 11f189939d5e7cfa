//! The start tags of the insertion mode "in body".

use super::super::tag::hint::{BUTTON_SCOPE, HEADING, SCOPE};
use super::super::tag::{Namespace, Tag};
use super::super::tokenizer::{Mode as TokenizerMode, TagToken, Token};
use super::before_body::belongs_in_head;
use super::in_body::{is_formatting, is_plain_block};
use super::{Builder, Mode, Step};

impl Builder<'_, '_> {
    pub(super) fn start_in_body(&mut self, tag: TagToken) -> Step {
        match tag.tag {
            other if is_plain_block(other) => self.block(tag),
            Tag::P => self.block(tag),
            Tag::A => self.start_a(tag),
            Tag::LI => self.item(tag, &[Tag::LI]),
            Tag::NOBR => self.start_nobr(tag),
            other if is_formatting(other) => self.insert_formatting(tag),
            Tag::AREA | Tag::BR | Tag::EMBED | Tag::IMG | Tag::KEYGEN | Tag::WBR => self.void(tag),
            Tag::TABLE => self.start_table(tag),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.start_heading(tag),
            Tag::INPUT => self.start_input(tag),
            Tag::DD | Tag::DT => self.item(tag, &[Tag::DD, Tag::DT]),
            Tag::FORM => self.start_form(tag),
            other if belongs_in_head(other) => return self.in_head(Token::Start(tag)),
            Tag::OPTION | Tag::OPTGROUP => self.start_option(tag),
            Tag::SELECT => self.start_select(tag),
            Tag::BUTTON => self.start_button(tag),
            Tag::TEXTAREA => {
                self.skip_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag, TokenizerMode::Rcdata);
            }
            Tag::HR => self.start_hr(tag),
            Tag::PARAM | Tag::SOURCE | Tag::TRACK => self.insert_void(tag),
            Tag::SVG => self.start_foreign(tag, Namespace::Svg),
            Tag::MATH => self.start_foreign(tag, Namespace::MathMl),
            Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::FRAME
            | Tag::HEAD
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => {}
            _ => return self.start_rare(tag),
        }
        Step::Done
    }

    /// Rare tags, and all tags without a rule of their own.
    fn start_rare(&mut self, tag: TagToken) -> Step {
        match tag.tag {
            Tag::HTML => {
                if !self.stack.has(Tag::TEMPLATE) {
                    self.merge_attributes(0, tag);
                }
            }
            Tag::BODY => self.second_body(tag),
            Tag::FRAMESET => self.start_frameset(tag),
            Tag::PRE | Tag::LISTING => {
                self.block(tag);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            Tag::PLAINTEXT => {
                self.block(tag);
                self.tokenizer.switch_to(TokenizerMode::Plaintext, tag.tag);
            }
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                self.reconstruct_formatting();
                let open = self.insert(tag);
                if self.is_open(open) {
                    self.insert_marker();
                }
                self.frameset_ok = false;
            }
            Tag::IMAGE => return Step::Reprocess(Token::Start(TagToken { tag: Tag::IMG, ..tag })),
            Tag::XMP => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.insert_raw(tag, TokenizerMode::Rawtext);
            }
            Tag::IFRAME => {
                self.frameset_ok = false;
                return self.insert_raw(tag, TokenizerMode::Rawtext);
            }
            Tag::NOEMBED => return self.insert_raw(tag, TokenizerMode::Rawtext),
            Tag::RB | Tag::RTC => {
                if self.is_in_scope(Tag::RUBY) {
                    self.generate_implied_end_tags();
                }
                self.insert(tag);
            }
            Tag::RP | Tag::RT => {
                if self.is_in_scope(Tag::RUBY) {
                    self.generate_implied_end_tags_except(Tag::RTC);
                }
                self.insert(tag);
            }
            _ => {
                self.reconstruct_formatting();
                self.insert(tag);
            }
        }
        Step::Done
    }

    #[inline]
    fn block(&mut self, tag: TagToken) {
        self.close_p();
        self.insert(tag);
    }

    fn void(&mut self, tag: TagToken) {
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.frameset_ok = false;
    }

    fn start_heading(&mut self, tag: TagToken) {
        self.close_p();
        if self.current().has(HEADING) {
            self.pop();
        }
        self.insert(tag);
    }

    /// `li`, `dd`, `dt`: closes the previous item, whose end tag is usually omitted.
    fn item(&mut self, tag: TagToken, kinds: &[Tag]) {
        self.frameset_ok = false;
        if let Some(kind) = self.open_item(kinds) {
            self.generate_implied_end_tags_except(kind);
            self.pop_until(kind);
        }
        self.block(tag);
    }

    /// The tag of the open item that a new item closes.
    fn open_item(&self, kinds: &[Tag]) -> Option<Tag> {
        if !kinds.iter().any(|kind| self.stack.has(*kind)) {
            return None;
        }
        for open in self.stack.iter().rev() {
            if let Some(kind) = kinds.iter().find(|kind| open.is(**kind)) {
                return Some(*kind);
            }
            if open.is_special() && !(open.is(Tag::ADDRESS) || open.is(Tag::DIV) || open.is(Tag::P)) {
                return None;
            }
        }
        None
    }

    fn start_a(&mut self, tag: TagToken) {
        if let Some(open) = self.active_formatting(Tag::A) {
            let here = super::Span::empty(self.span.start);
            self.adoption_agency(Tag::A, here);
            self.forget_formatting(open);
            if let Some(at) = self.stack.position(open) {
                self.remove_from_stack(at, here);
            }
        }
        self.insert_formatting(tag);
    }

    fn start_nobr(&mut self, tag: TagToken) {
        self.reconstruct_formatting();
        if self.is_in_scope(Tag::NOBR) {
            self.adoption_agency(Tag::NOBR, super::Span::empty(self.span.start));
        }
        self.insert_formatting(tag);
    }

    fn start_table(&mut self, tag: TagToken) {
        if !self.quirks && self.stack.has_in_scope(Tag::P, SCOPE | BUTTON_SCOPE) {
            self.close_p();
        }
        let open = self.insert(tag);
        self.frameset_ok = false;
        if self.is_open(open) {
            self.mode = Mode::InTable;
        }
    }

    fn start_form(&mut self, tag: TagToken) {
        let in_template = self.stack.has(Tag::TEMPLATE);
        if self.form.is_some() && !in_template {
            return;
        }
        self.close_p();
        let form = self.insert(tag).node;
        if !in_template {
            self.form = form;
        }
    }

    fn start_button(&mut self, tag: TagToken) {
        if self.is_in_scope(Tag::BUTTON) {
            self.generate_implied_end_tags();
            self.pop_until(Tag::BUTTON);
        }
        self.reconstruct_formatting();
        self.insert(tag);
        self.frameset_ok = false;
    }

    fn start_input(&mut self, tag: TagToken) {
        if self.is_fragment_of(Tag::SELECT) {
            return;
        }
        if self.is_in_scope_of_select() {
            self.pop_until(Tag::SELECT);
        }
        self.reconstruct_formatting();
        self.insert_void(tag);
        if !self.attribute(&tag, b"type").is_some_and(|kind| kind.eq_ignore_ascii_case(b"hidden")) {
            self.frameset_ok = false;
        }
    }

    fn start_hr(&mut self, tag: TagToken) {
        self.close_p();
        if self.is_in_scope_of_select() {
            self.generate_implied_end_tags();
        }
        self.insert_void(tag);
        self.frameset_ok = false;
    }

    fn start_select(&mut self, tag: TagToken) {
        if self.is_fragment_of(Tag::SELECT) {
            return;
        }
        if self.is_in_scope_of_select() {
            return self.pop_until(Tag::SELECT);
        }
        self.reconstruct_formatting();
        self.insert(tag);
        self.frameset_ok = false;
    }

    fn start_option(&mut self, tag: TagToken) {
        if self.is_in_scope_of_select() {
            match tag.tag {
                Tag::OPTION => self.generate_implied_end_tags_except(Tag::OPTGROUP),
                _ => self.generate_implied_end_tags(),
            }
        } else if self.current_is(Tag::OPTION) {
            self.pop();
        }
        self.reconstruct_formatting();
        self.insert(tag);
    }

    fn is_in_scope_of_select(&self) -> bool {
        self.is_in_scope(Tag::SELECT)
    }

    fn start_foreign(&mut self, tag: TagToken, namespace: Namespace) {
        self.reconstruct_formatting();
        self.insert_foreign(tag, namespace);
    }

    fn second_body(&mut self, tag: TagToken) {
        let has_body = self.stack.get(1).is_some_and(|open| open.is(Tag::BODY));
        if has_body && !self.stack.has(Tag::TEMPLATE) {
            self.frameset_ok = false;
            self.merge_attributes(1, tag);
        }
    }

    /// Replaces a body that is still empty with a frameset.
    fn start_frameset(&mut self, tag: TagToken) {
        let Some(body) = self.stack.get(1).filter(|open| open.is(Tag::BODY)).map(|open| open.node) else {
            return;
        };
        if !self.frameset_ok {
            return;
        }
        while self.stack.len() > 1 {
            self.pop();
        }
        self.unlink(body);
        self.insert(tag);
        self.mode = Mode::InFrameset;
    }
}
