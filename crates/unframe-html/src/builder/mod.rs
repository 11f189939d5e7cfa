//! Tree construction by the rules of the HTML standard.
//!
//! # What it does
//! The insertion modes of the standard, one function per mode, with scripting off. Names follow the standard, so that each rule can be
//! found there. In addition, nodes get positions: a node begins at the token that created it, and ends with its end tag or at the token
//! that closed it.
//!
//! # Cost
//! Linear in the page: the stack of open elements is no deeper than [`DEPTH_MAX`], counters answer most searches of the stack, and the
//! number of repeated formatting elements is bounded. After [`NODES_MAX`] nodes, the rest of the page is one text.
//!
//! The modules: `stack` (open elements and scopes), `place` (where nodes go in the tree), `formatting` (`<b>` across
//! paragraphs), then the modes: `before_body`, `in_body`, `in_table`, `template`,
//! `after_body`, `foreign`.

mod after_body;
mod before_body;
mod foreign;
mod formatting;
mod in_body;
mod in_body_tags;
mod in_table;
mod place;
mod quirks;
mod stack;
mod template;

use super::document::{NodeData, NodeId};
use super::pieces::PieceLog;
use super::problem::{ParseProblem, ParseProblems};
use super::span::Span;
use super::tag::{Namespace, Tag, TagNames};
use super::tokenizer::{
    Attribute, Doctype, Mode as TokenizerMode, TagToken, TextKind, TextOrTag, Token, Tokenizer, is_space,
};
use super::{reference, reference::Place as ReferencePlace};
use crate::limits::NODES_MAX;
use formatting::Formatting;
use stack::Stack;

/// The context element of a fragment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) namespace: Namespace,
    pub(crate) tag: Tag,
}

/// Memory that is reused from page to page.
#[derive(Debug, Default)]
pub(crate) struct Working {
    stack: Stack,
    formatting: Vec<Formatting>,
    template_modes: Vec<Mode>,
    table_text: Vec<(Span, TextKind)>,
}

/// The result of tree construction, except the nodes.
pub(crate) struct Built {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) names: TagNames,
    pub(crate) doctype: Option<Doctype>,
    pub(crate) quirks: bool,
    pub(crate) problems: ParseProblems,
}

/// Builds the tree of a page into `nodes`, and logs its pieces if there is a log.
pub(crate) fn build(
    tokenizer: Tokenizer<'_>,
    nodes: &mut Vec<NodeData>,
    working: &mut Working,
    context: Option<Context>,
    log: Option<&mut PieceLog<'_>>,
) -> Built {
    let mut builder = Builder::new(tokenizer, nodes, working, context);
    builder.run(log);
    let Builder { tokenizer, doctype, quirks, .. } = builder;
    Built {
        attributes: tokenizer.attributes,
        names: tokenizer.names,
        doctype,
        quirks,
        problems: tokenizer.problems,
    }
}

/// The insertion modes of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// The result of applying a rule to a token.
enum Step {
    /// The token was processed.
    Done,
    /// The token, or the rest of it, must be reprocessed in the mode that the rule switched to.
    Reprocess(Token),
}

struct Builder<'a, 'w> {
    tokenizer: Tokenizer<'a>,
    nodes: &'w mut Vec<NodeData>,
    stack: &'w mut Stack,
    formatting: &'w mut Vec<Formatting>,
    template_modes: &'w mut Vec<Mode>,
    /// Pending text in a table, until it is known whether it is only white space.
    table_text: &'w mut Vec<(Span, TextKind)>,
    mode: Mode,
    /// The mode to return to after raw text or table text.
    return_mode: Mode,
    context: Option<Context>,
    head: NodeId,
    form: NodeId,
    frameset_ok: bool,
    /// Whether foster parenting is enabled.
    foster: bool,
    /// Whether a line feed right after `<pre>` is to be dropped.
    skip_line_feed: bool,
    /// The span of the current token.
    span: Span,
    doctype: Option<Doctype>,
    quirks: bool,
    /// The number of elements that the formatting rules may still repeat.
    repeat_budget: usize,
}

impl<'a, 'w> Builder<'a, 'w> {
    fn new(
        tokenizer: Tokenizer<'a>,
        nodes: &'w mut Vec<NodeData>,
        working: &'w mut Working,
        context: Option<Context>,
    ) -> Builder<'a, 'w> {
        let Working { stack, formatting, template_modes, table_text } = working;
        nodes.clear();
        nodes.push(place::root());
        stack.clear();
        formatting.clear();
        template_modes.clear();
        table_text.clear();
        let len = tokenizer.input().len();
        let mut builder = Builder {
            tokenizer,
            nodes,
            stack,
            formatting,
            template_modes,
            table_text,
            mode: Mode::Initial,
            return_mode: Mode::InBody,
            context,
            head: NodeId::NONE,
            form: NodeId::NONE,
            frameset_ok: true,
            foster: false,
            skip_line_feed: false,
            span: Span::default(),
            doctype: None,
            quirks: false,
            repeat_budget: crate::limits::REPEATED_FORMATTING_MAX
                + len / crate::limits::REPEATED_FORMATTING_BYTES,
        };
        if let Some(context) = context {
            builder.begin_fragment(context);
        }
        builder
    }

    fn begin_fragment(&mut self, context: Context) {
        self.insert_implied(Tag::HTML);
        if context.namespace == Namespace::Html {
            let raw = match context.tag {
                Tag::TITLE | Tag::TEXTAREA => TokenizerMode::Rcdata,
                Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => TokenizerMode::Rawtext,
                Tag::SCRIPT => TokenizerMode::Script,
                Tag::PLAINTEXT => TokenizerMode::Plaintext,
                _ => TokenizerMode::Data,
            };
            self.tokenizer.begin_in(raw);
            if context.tag == Tag::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
        }
        self.reset_insertion_mode();
    }

    fn run(&mut self, mut log: Option<&mut PieceLog<'_>>) {
        loop {
            if self.nodes.len() + self.table_text.len() >= NODES_MAX {
                self.read_rest_as_text();
            }
            let Some(token) = self.next_token(log.as_deref_mut()) else { continue };
            self.span = span_of(&token, self.tokenizer.input().len());
            let token = if self.skip_line_feed { self.without_line_feed(token) } else { token };
            self.process(token);
            if token == Token::Eof {
                return self.close_everything();
            }
        }
    }

    /// Reads the rest of the page as one text, because its tags would make too many nodes. An element without markup, such as a script, is
    /// read to its end first: the rest would be hidden in it.
    #[cold]
    fn read_rest_as_text(&mut self) {
        let position = self.tokenizer.position();
        if self.mode != Mode::Text && position < self.tokenizer.input().len() {
            self.tokenizer.problems.add(ParseProblem::TooManyNodes, position);
            self.tokenizer.begin_in(TokenizerMode::Plaintext);
        }
    }

    /// The next token that is not processed yet. Frequent tokens in the body are processed as they are found, because creating a large
    /// token takes longer than finding it.
    #[inline(always)]
    fn next_token(&mut self, log: Option<&mut PieceLog<'_>>) -> Option<Token> {
        let is_foreign = self.is_in_foreign_content();
        let is_in_body = self.mode == Mode::InBody && !is_foreign && !self.skip_line_feed;
        let found = self.tokenizer.text_or_tag();
        if let TextOrTag::Neither = found {
            let mode = self.tokenizer.mode();
            let token = self.tokenizer.neither(is_foreign);
            if let Some(log) = log {
                log.add_other(mode, token.as_ref(), is_foreign);
            }
            return token;
        }
        if let Some(log) = log {
            log.add(&self.tokenizer, &found);
        }
        let step = match found {
            TextOrTag::Text(span) if is_in_body => {
                self.span = span;
                self.text_in_body(span, TextKind::Data);
                return None;
            }
            TextOrTag::Start(tag) if is_in_body => {
                self.span = tag.span;
                self.start_in_body(tag)
            }
            TextOrTag::End(tag) if is_in_body => {
                self.span = tag.span;
                self.end_in_body(tag)
            }
            TextOrTag::Text(span) => return Some(Token::Text { span, kind: TextKind::Data }),
            TextOrTag::Start(tag) => return Some(Token::Start(tag)),
            TextOrTag::End(tag) => return Some(Token::End(tag)),
            TextOrTag::Neither => return None,
        };
        if let Step::Reprocess(rest) = step {
            self.process(rest);
        }
        None
    }

    #[inline]
    fn process(&mut self, token: Token) {
        let mut token = token;
        loop {
            let step = if self.follows_html_rules(&token) {
                self.by_mode(self.mode, token)
            } else {
                self.foreign(token)
            };
            match step {
                Step::Done => return,
                Step::Reprocess(rest) => token = rest,
            }
        }
    }

    /// Processes a token by the rules of `mode`, which may differ from the current mode.
    #[inline]
    fn by_mode(&mut self, mode: Mode, token: Token) -> Step {
        match mode {
            Mode::InBody => self.in_body(token),
            Mode::Text => self.in_raw_text(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCell => self.in_cell(token),
            Mode::InRow => self.in_row(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTemplate => self.in_template(token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    /// Switches to `mode` and reprocesses the token.
    fn reprocess_in(&mut self, mode: Mode, token: Token) -> Step {
        self.mode = mode;
        Step::Reprocess(token)
    }

    /// Drops the line feed at the start of `<pre>` and `<textarea>`.
    fn without_line_feed(&mut self, token: Token) -> Token {
        self.skip_line_feed = false;
        let Token::Text { span, kind } = token else { return token };
        let text = span.slice(self.tokenizer.input());
        let len = match text {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            [b'\r', ..] => 1,
            [b'&', ..] if kind != TextKind::Raw => reference::decode(text, ReferencePlace::Text)
                .filter(|found| found.text[0] == '\n')
                .map_or(0, |found| found.len),
            _ => 0,
        };
        Token::Text { span: Span { start: span.start + len as u32, ..span }, kind }
    }

    /// Splits a text into its leading white space and the rest.
    fn split_spaces(&self, span: Span, kind: TextKind) -> (Span, Span) {
        let text = span.slice(self.tokenizer.input());
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            match byte {
                byte if is_space(*byte) => at += 1,
                b'&' if kind != TextKind::Raw => match reference::decode(&text[at..], ReferencePlace::Text) {
                    Some(found) if found.text[0].is_ascii() && is_space(found.text[0] as u8) => {
                        at += found.len
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        let middle = span.start + at as u32;
        (Span { end: middle, ..span }, Span { start: middle, ..span })
    }

    /// Whether a text is only white space and null bytes.
    fn is_blank(&self, span: Span, kind: TextKind) -> bool {
        let mut rest = span;
        loop {
            rest = self.split_spaces(rest, kind).1;
            match rest.slice(self.tokenizer.input()).first() {
                None => return true,
                Some(0) => rest.start += 1,
                Some(_) => return false,
            }
        }
    }

    /// Whether a text is only null bytes, which are dropped.
    fn is_all_null(&self, span: Span) -> bool {
        span.slice(self.tokenizer.input()).iter().all(|byte| *byte == 0)
    }

    /// Inserts an element whose content has no markup.
    fn insert_raw(&mut self, tag: TagToken, mode: TokenizerMode) -> Step {
        self.insert_and_always_push(tag);
        self.tokenizer.switch_to(mode, tag.tag);
        self.return_mode = self.mode;
        self.mode = Mode::Text;
        Step::Done
    }

    fn in_raw_text(&mut self, token: Token) -> Step {
        match token {
            Token::Text { span, kind } => {
                self.insert_text(span, kind);
                Step::Done
            }
            Token::End(_) => {
                self.close_current();
                self.mode = self.return_mode;
                Step::Done
            }
            token => {
                self.pop();
                self.reprocess_in(self.return_mode, token)
            }
        }
    }

    /// The raw value of an attribute of a tag.
    fn attribute(&self, tag: &TagToken, name: &[u8]) -> Option<&[u8]> {
        let input = self.tokenizer.input();
        let found = self
            .tokenizer
            .attributes_of(tag)
            .iter()
            .find(|a| a.name.slice(input).eq_ignore_ascii_case(name))?;
        Some(found.value.slice(input))
    }
}

/// The span of a token. The end of the page is an empty span.
fn span_of(token: &Token, len: usize) -> Span {
    match token {
        Token::Text { span, .. } | Token::Comment { span, .. } => *span,
        Token::Start(tag) | Token::End(tag) => tag.span,
        Token::Doctype(doctype) => doctype.span,
        Token::Eof => Span::new(len, len),
    }
}
