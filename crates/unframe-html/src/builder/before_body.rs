//! The insertion modes up to the start of the body.

use super::super::document::NodeId;
use super::super::span::Span;
use super::super::tag::Tag;
use super::super::tokenizer::{Mode as TokenizerMode, TagToken, TextKind, Token};
use super::place::Place;
use super::{Builder, Mode, Step, quirks};

impl Builder<'_, '_> {
    /// Drops the leading white space of a text; `None` if nothing is left.
    fn without_spaces(&mut self, token: Token) -> Option<Token> {
        let Token::Text { span, kind } = token else { return Some(token) };
        let (_, rest) = self.split_spaces(span, kind);
        self.rest_of_text(rest, kind)
    }

    /// Inserts the leading white space of a text; `None` if nothing is left.
    pub(super) fn insert_spaces(&mut self, token: Token) -> Option<Token> {
        let Token::Text { span, kind } = token else { return Some(token) };
        let (spaces, rest) = self.split_spaces(span, kind);
        self.insert_text(spaces, kind);
        self.rest_of_text(rest, kind)
    }

    /// Makes the rest of a text the current token.
    pub(super) fn rest_of_text(&mut self, rest: Span, kind: TextKind) -> Option<Token> {
        self.span = rest;
        (!rest.is_empty()).then_some(Token::Text { span: rest, kind })
    }

    pub(super) fn initial(&mut self, token: Token) -> Step {
        let Some(token) = self.without_spaces(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, Place::end_of(NodeId::NONE)),
            Token::Doctype(doctype) => {
                self.insert_doctype(doctype);
                self.quirks = quirks::is_quirks(&doctype, self.tokenizer.input());
                self.mode = Mode::BeforeHtml;
            }
            token => {
                self.quirks = true;
                return self.reprocess_in(Mode::BeforeHtml, token);
            }
        }
        Step::Done
    }

    pub(super) fn before_html(&mut self, token: Token) -> Step {
        let Some(token) = self.without_spaces(token) else { return Step::Done };
        match token {
            Token::Doctype(_) => {}
            Token::Comment { data, .. } => self.insert_comment(data, Place::end_of(NodeId::NONE)),
            Token::Start(tag) if tag.tag == Tag::HTML => {
                self.insert(tag);
                self.mode = Mode::BeforeHead;
            }
            Token::End(tag) if !matches!(tag.tag, Tag::HEAD | Tag::BODY | Tag::HTML | Tag::BR) => {}
            token => {
                self.insert_implied(Tag::HTML);
                return self.reprocess_in(Mode::BeforeHead, token);
            }
        }
        Step::Done
    }

    pub(super) fn before_head(&mut self, token: Token) -> Step {
        let Some(token) = self.without_spaces(token) else { return Step::Done };
        match token {
            Token::Doctype(_) => {}
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Start(tag) if tag.tag == Tag::HTML => return self.in_body(token),
            Token::Start(tag) if tag.tag == Tag::HEAD => {
                self.head = self.insert(tag).node;
                self.mode = Mode::InHead;
            }
            Token::End(tag) if !matches!(tag.tag, Tag::HEAD | Tag::BODY | Tag::HTML | Tag::BR) => {}
            token => {
                self.head = self.insert_implied(Tag::HEAD);
                return self.reprocess_in(Mode::InHead, token);
            }
        }
        Step::Done
    }

    pub(super) fn in_head(&mut self, token: Token) -> Step {
        let Some(token) = self.insert_spaces(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Doctype(_) => {}
            Token::Start(tag) => return self.start_in_head(tag),
            Token::End(tag) => match tag.tag {
                Tag::HEAD => {
                    self.close_current();
                    self.mode = Mode::AfterHead;
                }
                Tag::BODY | Tag::HTML | Tag::BR => return self.leave_head(token),
                Tag::TEMPLATE => self.end_template(),
                _ => {}
            },
            token => return self.leave_head(token),
        }
        Step::Done
    }

    fn start_in_head(&mut self, tag: TagToken) -> Step {
        match tag.tag {
            Tag::HTML => return self.in_body(Token::Start(tag)),
            Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META => self.insert_void(tag),
            Tag::TITLE => return self.insert_raw(tag, TokenizerMode::Rcdata),
            Tag::NOFRAMES | Tag::STYLE => return self.insert_raw(tag, TokenizerMode::Rawtext),
            Tag::NOSCRIPT => {
                self.insert(tag);
                self.mode = Mode::InHeadNoscript;
            }
            Tag::SCRIPT => return self.insert_raw(tag, TokenizerMode::Script),
            Tag::TEMPLATE => self.start_template(tag),
            Tag::HEAD => {}
            _ => return self.leave_head(Token::Start(tag)),
        }
        Step::Done
    }

    fn leave_head(&mut self, token: Token) -> Step {
        self.pop();
        self.reprocess_in(Mode::AfterHead, token)
    }

    pub(super) fn in_head_noscript(&mut self, token: Token) -> Step {
        let Some(token) = self.insert_spaces(token) else { return Step::Done };
        match token {
            Token::Doctype(_) => Step::Done,
            Token::Comment { .. } => self.in_head(token),
            Token::Start(tag) => match tag.tag {
                Tag::HTML => self.in_body(token),
                Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META | Tag::NOFRAMES | Tag::STYLE => {
                    self.in_head(token)
                }
                Tag::HEAD | Tag::NOSCRIPT => Step::Done,
                _ => self.leave_noscript(token),
            },
            Token::End(tag) => match tag.tag {
                Tag::NOSCRIPT => {
                    self.close_current();
                    self.mode = Mode::InHead;
                    Step::Done
                }
                Tag::BR => self.leave_noscript(token),
                _ => Step::Done,
            },
            token => self.leave_noscript(token),
        }
    }

    fn leave_noscript(&mut self, token: Token) -> Step {
        self.pop();
        self.reprocess_in(Mode::InHead, token)
    }

    pub(super) fn after_head(&mut self, token: Token) -> Step {
        let Some(token) = self.insert_spaces(token) else { return Step::Done };
        match token {
            Token::Comment { data, .. } => self.insert_comment(data, self.place()),
            Token::Doctype(_) => {}
            Token::Start(tag) => match tag.tag {
                Tag::HTML => return self.in_body(token),
                Tag::BODY => {
                    self.insert(tag);
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                }
                Tag::FRAMESET => {
                    self.insert(tag);
                    self.mode = Mode::InFrameset;
                }
                other if belongs_in_head(other) => return self.back_in_head(token),
                Tag::HEAD => {}
                _ => return self.implied_body(token),
            },
            Token::End(tag) => match tag.tag {
                Tag::TEMPLATE => return self.in_head(token),
                Tag::BODY | Tag::HTML | Tag::BR => return self.implied_body(token),
                _ => {}
            },
            token => return self.implied_body(token),
        }
        Step::Done
    }

    /// Inserts a late head element into the head.
    fn back_in_head(&mut self, token: Token) -> Step {
        let head = super::stack::Open {
            node: self.head,
            tag: Tag::HEAD,
            namespace: Default::default(),
            hints: Tag::HEAD.hints(Default::default()),
        };
        self.stack.push(head);
        let step = self.in_head(token);
        if let Some(at) = self.stack.position(self.head) {
            self.stack.remove(at);
        }
        step
    }

    fn implied_body(&mut self, token: Token) -> Step {
        self.insert_implied(Tag::BODY);
        self.reprocess_in(Mode::InBody, token)
    }

    /// Adds the attributes of a second `<html>` or `<body>` tag that the first one lacks.
    pub(super) fn merge_attributes(&mut self, index: usize, tag: TagToken) {
        let Some(node) = self.stack.get(index).map(|open| open.node) else { return };
        let input = self.tokenizer.input();
        let own = self.nodes[node.index()].attributes;
        let name_of = |span: Span| span.slice(input);
        let all = &self.tokenizer.attributes;
        let added: Vec<_> = all[tag.attributes.range()]
            .iter()
            .filter(|new| {
                !all[own.range()].iter().any(|old| name_of(old.name).eq_ignore_ascii_case(name_of(new.name)))
            })
            .copied()
            .collect();
        // A page of thousands of `<html a1>`, `<html a2>`, … would have the attributes copied again and again.
        if added.is_empty() || own.len as usize + added.len() > MERGED_ATTRIBUTES_MAX {
            return;
        }
        let start = self.tokenizer.attributes.len() as u32;
        self.tokenizer.attributes.extend_from_within(own.range());
        self.tokenizer.attributes.extend(added);
        let attributes = &mut self.nodes[node.index()].attributes;
        attributes.len = self.tokenizer.attributes.len() as u32 - start;
        attributes.start = start;
    }
}

/// Maximum number of attributes of `html` and `body` after merging those of repeated tags.
const MERGED_ATTRIBUTES_MAX: usize = 256;

/// Elements that the rules of the head handle wherever they are.
pub(super) const fn belongs_in_head(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::BASE
            | Tag::BASEFONT
            | Tag::BGSOUND
            | Tag::LINK
            | Tag::META
            | Tag::NOFRAMES
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::TITLE
    )
}
