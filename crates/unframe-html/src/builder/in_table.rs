//! The insertion modes of tables.

use super::super::tag::Tag;
use super::super::tag::hint::{FOSTERS, TABLE_SCOPE};
use super::super::tokenizer::{TagToken, Token};
use super::stack::Open;
use super::{Builder, Mode, Step};

impl Builder<'_, '_> {
    fn is_in_table_scope(&self, tag: Tag) -> bool {
        self.stack.has_in_scope(tag, TABLE_SCOPE)
    }

    /// Pops elements until the current element has one of these names; `html` and `template` stop it too.
    fn clear_back_to(&mut self, tags: &[Tag]) {
        let stops = |open: &Open| {
            tags.iter().any(|tag| open.is(*tag)) || open.is(Tag::TEMPLATE) || open.is(Tag::HTML)
        };
        while self.stack.last().is_some_and(|open| !stops(open)) {
            self.pop();
        }
    }

    pub(super) fn in_table(&mut self, token: Token) -> Step {
        match token {
            Token::Text { .. } if self.current().has(FOSTERS) || self.current_is(Tag::TEMPLATE) => {
                self.table_text.clear();
                self.return_mode = self.mode;
                self.reprocess_in(Mode::InTableText, token)
            }
            Token::Comment { data, .. } => {
                self.insert_comment(data, self.place());
                Step::Done
            }
            Token::Doctype(_) => Step::Done,
            Token::Start(tag) => self.start_in_table(tag),
            Token::End(tag) => match tag.tag {
                Tag::TABLE => {
                    if self.is_in_table_scope(Tag::TABLE) {
                        self.close_until(Tag::TABLE);
                        self.reset_insertion_mode();
                    }
                    Step::Done
                }
                Tag::BODY
                | Tag::CAPTION
                | Tag::COL
                | Tag::COLGROUP
                | Tag::HTML
                | Tag::TBODY
                | Tag::TD
                | Tag::TFOOT
                | Tag::TH
                | Tag::THEAD
                | Tag::TR => Step::Done,
                Tag::TEMPLATE => self.in_head(token),
                _ => self.in_body_fostered(token),
            },
            Token::Eof => self.in_body(token),
            token => self.in_body_fostered(token),
        }
    }

    fn start_in_table(&mut self, tag: TagToken) -> Step {
        let token = Token::Start(tag);
        let mode = match tag.tag {
            Tag::CAPTION => Mode::InCaption,
            Tag::COLGROUP => Mode::InColumnGroup,
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => Mode::InTableBody,
            Tag::COL => {
                self.clear_back_to(&[Tag::TABLE]);
                self.insert_implied(Tag::COLGROUP);
                return self.reprocess_in(Mode::InColumnGroup, token);
            }
            Tag::TD | Tag::TH | Tag::TR => {
                self.clear_back_to(&[Tag::TABLE]);
                self.insert_implied(Tag::TBODY);
                return self.reprocess_in(Mode::InTableBody, token);
            }
            Tag::TABLE => {
                if self.is_in_table_scope(Tag::TABLE) {
                    self.pop_until(Tag::TABLE);
                    self.reset_insertion_mode();
                    return Step::Reprocess(token);
                }
                return Step::Done;
            }
            Tag::STYLE | Tag::SCRIPT | Tag::TEMPLATE => return self.in_head(token),
            Tag::INPUT
                if self.attribute(&tag, b"type").is_some_and(|kind| kind.eq_ignore_ascii_case(b"hidden")) =>
            {
                self.insert_void(tag);
                return Step::Done;
            }
            Tag::FORM => {
                if !self.form.is_some() && !self.stack.has(Tag::TEMPLATE) {
                    self.insert_void(tag);
                    self.form = super::NodeId(self.nodes.len() as u32 - 1);
                }
                return Step::Done;
            }
            _ => return self.in_body_fostered(token),
        };
        self.clear_back_to(&[Tag::TABLE]);
        if mode == Mode::InCaption {
            self.insert_marker();
        }
        self.insert(tag);
        self.mode = mode;
        Step::Done
    }

    /// Foster parenting: nodes that do not belong in a table are inserted in front of it.
    fn in_body_fostered(&mut self, token: Token) -> Step {
        self.foster = true;
        let step = self.in_body(token);
        self.foster = false;
        step
    }

    pub(super) fn in_table_text(&mut self, token: Token) -> Step {
        if let Token::Text { span, kind } = token {
            self.table_text.push((span, kind));
            return Step::Done;
        }
        let texts = std::mem::take(self.table_text);
        let only_spaces = texts.iter().all(|(span, kind)| self.is_blank(*span, *kind));
        self.foster = !only_spaces;
        let token_span = self.span;
        for (span, kind) in &texts {
            self.span = *span;
            if only_spaces {
                self.insert_text(*span, *kind);
            } else {
                self.text_in_body(*span, *kind);
            }
        }
        self.foster = false;
        self.span = token_span;
        // The list is put back, so that its memory is reused.
        *self.table_text = texts;
        self.table_text.clear();
        self.reprocess_in(self.return_mode, token)
    }

    pub(super) fn in_caption(&mut self, token: Token) -> Step {
        match token {
            Token::End(tag) if tag.tag == Tag::CAPTION => {
                self.leave_caption(true);
                Step::Done
            }
            Token::Start(tag) if is_table_part(tag.tag) => self.leave_caption_for(token),
            Token::End(tag) if tag.tag == Tag::TABLE => self.leave_caption_for(token),
            Token::End(tag) if is_table_part(tag.tag) || matches!(tag.tag, Tag::BODY | Tag::HTML) => {
                Step::Done
            }
            token => self.in_body(token),
        }
    }

    fn leave_caption_for(&mut self, token: Token) -> Step {
        match self.leave_caption(false) {
            true => Step::Reprocess(token),
            false => Step::Done,
        }
    }

    fn leave_caption(&mut self, by_end_tag: bool) -> bool {
        if !self.is_in_table_scope(Tag::CAPTION) {
            return false;
        }
        self.generate_implied_end_tags();
        match by_end_tag {
            true => self.close_until(Tag::CAPTION),
            false => self.pop_until(Tag::CAPTION),
        }
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        true
    }

    pub(super) fn in_column_group(&mut self, token: Token) -> Step {
        let Some(token) = self.insert_spaces(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Doctype(_) => {}
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::COL => self.insert_void(tag),
            Token::Start(tag) if tag.tag == Tag::TEMPLATE => return self.in_head(token),
            Token::End(tag) if tag.tag == Tag::COLGROUP => {
                if self.current_is(Tag::COLGROUP) {
                    self.close_current();
                    self.mode = Mode::InTable;
                }
            }
            Token::End(tag) if tag.tag == Tag::COL => {}
            Token::End(tag) if tag.tag == Tag::TEMPLATE => return self.in_head(token),
            Token::Eof => return self.in_body(token),
            token => {
                if self.current_is(Tag::COLGROUP) {
                    self.pop();
                    return self.reprocess_in(Mode::InTable, token);
                }
            }
        }
        Step::Done
    }

    pub(super) fn in_table_body(&mut self, token: Token) -> Step {
        match token {
            Token::Start(tag) if tag.tag == Tag::TR => {
                self.clear_back_to(&TABLE_BODIES);
                self.insert(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            Token::Start(tag) if matches!(tag.tag, Tag::TH | Tag::TD) => {
                self.clear_back_to(&TABLE_BODIES);
                self.insert_implied(Tag::TR);
                self.reprocess_in(Mode::InRow, token)
            }
            Token::End(tag) if TABLE_BODIES.contains(&tag.tag) => {
                if self.is_in_table_scope(tag.tag) {
                    self.clear_back_to(&TABLE_BODIES);
                    self.close_current();
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            Token::Start(tag)
                if matches!(tag.tag, Tag::CAPTION | Tag::COL | Tag::COLGROUP)
                    || TABLE_BODIES.contains(&tag.tag) =>
            {
                self.leave_table_body(token)
            }
            Token::End(tag) if tag.tag == Tag::TABLE => self.leave_table_body(token),
            Token::End(tag) if is_table_part(tag.tag) || matches!(tag.tag, Tag::BODY | Tag::HTML) => {
                Step::Done
            }
            token => self.in_table(token),
        }
    }

    fn leave_table_body(&mut self, token: Token) -> Step {
        if !TABLE_BODIES.iter().any(|tag| self.is_in_table_scope(*tag)) {
            return Step::Done;
        }
        self.clear_back_to(&TABLE_BODIES);
        self.pop();
        self.reprocess_in(Mode::InTable, token)
    }

    pub(super) fn in_row(&mut self, token: Token) -> Step {
        match token {
            Token::Start(tag) if matches!(tag.tag, Tag::TH | Tag::TD) => {
                self.clear_back_to(&[Tag::TR]);
                self.insert(tag);
                self.mode = Mode::InCell;
                self.insert_marker();
                Step::Done
            }
            Token::End(tag) if tag.tag == Tag::TR => {
                if self.is_in_table_scope(Tag::TR) {
                    self.clear_back_to(&[Tag::TR]);
                    self.close_current();
                    self.mode = Mode::InTableBody;
                }
                Step::Done
            }
            Token::Start(tag) if is_table_part(tag.tag) => self.leave_row(token),
            Token::End(tag) if tag.tag == Tag::TABLE => self.leave_row(token),
            Token::End(tag) if TABLE_BODIES.contains(&tag.tag) => {
                if self.is_in_table_scope(tag.tag) {
                    return self.leave_row(token);
                }
                Step::Done
            }
            Token::End(tag) if is_table_part(tag.tag) || matches!(tag.tag, Tag::BODY | Tag::HTML) => {
                Step::Done
            }
            token => self.in_table(token),
        }
    }

    fn leave_row(&mut self, token: Token) -> Step {
        if !self.is_in_table_scope(Tag::TR) {
            return Step::Done;
        }
        self.clear_back_to(&[Tag::TR]);
        self.pop();
        self.reprocess_in(Mode::InTableBody, token)
    }

    pub(super) fn in_cell(&mut self, token: Token) -> Step {
        match token {
            Token::End(tag) if matches!(tag.tag, Tag::TD | Tag::TH) => {
                if self.is_in_table_scope(tag.tag) {
                    self.generate_implied_end_tags();
                    self.close_until(tag.tag);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            Token::Start(tag) if is_table_part(tag.tag) => self.leave_cell(token),
            Token::End(tag)
                if matches!(tag.tag, Tag::BODY | Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::HTML) =>
            {
                Step::Done
            }
            Token::End(tag) if matches!(tag.tag, Tag::TABLE | Tag::TR) || TABLE_BODIES.contains(&tag.tag) => {
                if self.is_in_table_scope(tag.tag) {
                    return self.leave_cell(token);
                }
                Step::Done
            }
            token => self.in_body(token),
        }
    }

    fn leave_cell(&mut self, token: Token) -> Step {
        if !self.is_in_table_scope(Tag::TD) && !self.is_in_table_scope(Tag::TH) {
            return Step::Done;
        }
        self.generate_implied_end_tags();
        while !(self.current_is(Tag::TD) || self.current_is(Tag::TH)) {
            self.pop();
        }
        self.pop();
        self.clear_formatting_to_marker();
        self.reprocess_in(Mode::InRow, token)
    }
}

const TABLE_BODIES: [Tag; 3] = [Tag::TBODY, Tag::TFOOT, Tag::THEAD];

/// The tags that imply the end of an open cell, caption or row.
const fn is_table_part(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR
    )
}
