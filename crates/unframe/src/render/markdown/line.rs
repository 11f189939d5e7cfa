//! The text of one block, with emphasis, code, links and images.
//!
//! An opening mark is written before the first word inside, and a closing mark before the first word outside. So marks never enclose white
//! space at their ends, empty marks are not written, and marks around several blocks are repeated in each.

use super::dollars;
use super::escape::{self, InlineContext};
use crate::html::Node;
use crate::html::tag::Tag;
use crate::render::addresses::{self, Addresses};
use crate::render::walk::Pending;
use crate::text::is_white;

/// An element that marks text.
#[derive(Clone, Copy)]
pub(super) struct Mark<'d> {
    /// Its [`kind`].
    pub(super) tag: Tag,
    pub(super) node: Node<'d>,
}

/// One representative for all elements of the same meaning.
pub(super) fn kind(tag: Tag) -> Tag {
    match tag {
        Tag::B | Tag::STRONG => Tag::STRONG,
        Tag::I | Tag::EM => Tag::EM,
        Tag::S | Tag::STRIKE | Tag::DEL => Tag::DEL,
        Tag::KBD | Tag::SAMP | Tag::TT | Tag::CODE => Tag::CODE,
        other => other,
    }
}

impl Mark<'_> {
    /// Whether two adjacent elements become one mark. Adjacent links stay separate. Adjacent emphasis is merged, and so is adjacent code
    /// unless white space is between.
    fn is_same(&self, other: &Mark<'_>, is_apart: bool) -> bool {
        let can_join = match self.tag {
            Tag::A | Tag::SUP | Tag::SUB | Tag::Q => false,
            Tag::CODE => !is_apart,
            _ => true,
        };
        self.tag == other.tag && (can_join || self.node.index() == other.node.index())
    }

    /// The first character of the mark in Markdown.
    fn first_char(&self) -> char {
        match self.tag {
            Tag::STRONG | Tag::EM => '*',
            Tag::DEL => '~',
            Tag::A => '[',
            Tag::SUP | Tag::SUB => '<',
            Tag::Q => '"',
            _ => '`',
        }
    }

    /// The delimiters of marks that can be written anywhere: tags and quotation marks, for which Markdown has no rules.
    fn free_delimiters(&self) -> Option<(&'static str, &'static str)> {
        match self.tag {
            Tag::SUP => Some(("<sup>", "</sup>")),
            Tag::SUB => Some(("<sub>", "</sub>")),
            Tag::Q => Some(("\"", "\"")),
            _ => None,
        }
    }

    fn delimiter(&self) -> Option<&'static str> {
        match self.tag {
            Tag::STRONG => Some("**"),
            Tag::EM => Some("*"),
            Tag::DEL => Some("~~"),
            _ => None,
        }
    }
}

/// A mark that was opened.
struct Open<'d> {
    mark: Mark<'d>,
    /// The position of the opening delimiter or, for code, of the text.
    at: usize,
    /// Whether the delimiter was written, because Markdown does not accept one everywhere.
    is_written: bool,
}

/// The length of the box of a task: `[x]`.
const TASK_BYTES: usize = 3;

/// A line under construction; see the [module](self).
pub(super) struct Line<'d> {
    out: String,
    addresses: Addresses<'d>,
    /// The last link, by its index, and its address: a link around many blocks is repeated in each.
    link: Option<(usize, String)>,
    /// The marks of the surrounding elements, with code last, because code cannot contain marks.
    wanted: Vec<Mark<'d>>,
    open: Vec<Open<'d>>,
    pending: Pending,
    /// Whether the text has dollar signs outside code, which may have to be escaped.
    has_dollar: bool,
    has_formula: bool,
    /// Whether dollar signs of the text enclose formulas, so that they stay.
    keeps_dollars: bool,
    /// Whether the text must be a single line, as in headings and in cells.
    pub(super) is_single: bool,
    /// Whether the line is a table cell, where a line break is a tag.
    pub(super) is_cell: bool,
    /// The end of the last [marker](Line::marker).
    marker_end: usize,
}

impl<'d> Line<'d> {
    /// An empty line. `keeps_dollars` says that dollar signs of the text enclose formulas.
    pub(super) fn new(addresses: Addresses<'d>, keeps_dollars: bool) -> Line<'d> {
        Line {
            out: String::new(),
            addresses,
            link: None,
            wanted: Vec::new(),
            open: Vec::new(),
            pending: Pending::Nothing,
            has_dollar: false,
            has_formula: false,
            keeps_dollars,
            is_single: false,
            is_cell: false,
            marker_end: 0,
        }
    }

    /// Writes text with its white space collapsed.
    pub(super) fn write(&mut self, text: &str) {
        if text.starts_with(is_white) {
            self.space();
        }
        let words = text.trim_matches(is_white);
        let Some(first) = words.chars().next() else { return };
        // The same marks are open from the first word to the last one.
        self.begin(first, true);
        let context = if self.is_open(Tag::CODE) { InlineContext::Code } else { self.context() };
        let is_space_next = text.ends_with(is_white);
        let lines = words.split(['\n', '\r', '\t']).map(|line| line.trim_matches(is_white));
        let mut lines = lines.filter(|line| !line.is_empty()).peekable();
        let start = self.out.len();
        while let Some(line) = lines.next() {
            let is_last = lines.peek().is_none();
            let next = (!is_last || is_space_next).then_some(' ');
            escape::words(line, next, context, &mut self.out);
            if !is_last {
                self.out.push(' ');
            }
        }
        if context != InlineContext::Code {
            self.note_dollars(words, start);
        }
        if is_space_next {
            self.space();
        }
    }

    /// Writes a formula verbatim: text between dollar signs is not escaped.
    pub(super) fn formula(&mut self, formula: &str) {
        let Some(first) = formula.chars().next() else { return };
        self.begin(first, false);
        if first == '$' {
            self.escape_dollars(0, true);
            self.has_formula = true;
        } else if self.out.ends_with(first) {
            // Two runs of backquotes would be one.
            self.out.push(' ');
        }
        self.out.push_str(formula);
    }

    /// Escapes dollar signs of a text that was written from `start` on, or notes that they may have to be.
    fn note_dollars(&mut self, text: &str, start: usize) {
        self.has_dollar |= !self.keeps_dollars && text.contains('$');
        if self.has_formula {
            self.escape_dollars(start, true);
        }
    }

    /// Escapes the noted dollar signs from `start` on, all or only those that could enclose a formula.
    fn escape_dollars(&mut self, start: usize, all: bool) {
        if !std::mem::take(&mut self.has_dollar) {
            return;
        }
        let found = dollars::to_escape(&self.out[start..], all);
        for open in &mut self.open {
            open.at += found.iter().filter(|at| start + **at < open.at).count();
        }
        self.marker_end += found.iter().filter(|at| start + **at < self.marker_end).count();
        let text = self.out.split_off(start);
        dollars::escape(&text, &found, &mut self.out);
    }

    /// Writes a reference to a note or the box of a task: brackets with a meaning.
    pub(super) fn marker(&mut self, marker: &str) {
        self.begin('[', false);
        self.out.push_str(marker);
        self.marker_end = self.out.len();
    }

    /// Writes a line of code, after a line break.
    pub(super) fn code_line(&mut self, code: &str) {
        self.line_break();
        self.begin('`', false);
        escape::code(code, &mut self.out);
    }

    /// Whether no text was written since the last block.
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    pub(super) fn image(&mut self, alt: &str, address: &str) {
        self.begin('!', false);
        self.out.push_str("![");
        let start = self.out.len();
        for (number, word) in alt.split(is_white).filter(|word| !word.is_empty()).enumerate() {
            if number > 0 {
                self.out.push(' ');
            }
            escape::word(word, Some(' '), InlineContext::Link, &mut self.out);
        }
        self.note_dollars(alt, start);
        let address = self.addresses.absolute(address);
        let is_written = self.addresses.spend(address.len());
        escape::address(if is_written { &address } else { "" }, &mut self.out);
    }

    /// Separates the words before and after the current position.
    pub(super) fn space(&mut self) {
        self.pending = self.pending.max(Pending::Space);
    }

    pub(super) fn line_break(&mut self) {
        let is_heading = self.is_single && !self.is_cell;
        self.pending = self.pending.max(if is_heading { Pending::Space } else { Pending::Break });
    }

    /// Whether the next word is code.
    pub(super) fn is_in_code(&self) -> bool {
        self.wanted.last().is_some_and(|last| last.tag == Tag::CODE)
    }

    /// Whether a line break comes before the next word.
    pub(super) fn has_break(&self) -> bool {
        self.pending == Pending::Break
    }

    /// Begins a mark. Returns false if the text already has this mark.
    pub(super) fn begin_mark(&mut self, mark: Mark<'d>) -> bool {
        if self.wanted.iter().any(|wanted| wanted.tag == mark.tag) {
            return false;
        }
        self.wanted.insert(self.wanted.len() - usize::from(self.is_in_code()), mark);
        true
    }

    pub(super) fn end_mark(&mut self, tag: Tag) {
        self.wanted.retain(|mark| mark.tag != kind(tag));
    }

    /// Ends the block and returns its text, unless it is empty.
    pub(super) fn finish(&mut self) -> Option<String> {
        // The box of a task is at the start of its item.
        let is_task =
            self.marker_end == TASK_BYTES && self.out.starts_with(['[']) && !self.out.starts_with("[^");
        let text = self.take()?;
        let lines = text.split('\n').enumerate().map(|(number, line)| match number {
            0 if is_task => line.to_owned(),
            _ => escape::line_start(line),
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }

    /// Like [`Line::finish`], for a heading, whose end needs escaping.
    pub(super) fn finish_heading(&mut self) -> Option<String> {
        self.take().map(escape::heading_end)
    }

    /// Like [`Line::finish`], for a table cell.
    pub(super) fn finish_cell(&mut self) -> String {
        self.take().unwrap_or_default().replace('|', "\\|")
    }

    fn take(&mut self) -> Option<String> {
        self.close(0, ' ');
        self.escape_dollars(0, false);
        self.has_formula = false;
        (self.pending, self.marker_end) = (Pending::Nothing, 0);
        let text = std::mem::take(&mut self.out);
        (!text.is_empty()).then_some(text)
    }

    fn context(&self) -> InlineContext {
        match self.open.is_empty() {
            true => InlineContext::Nothing,
            false if self.is_open(Tag::A) => InlineContext::Link,
            false => InlineContext::Emphasis,
        }
    }

    fn is_open(&self, tag: Tag) -> bool {
        self.open.iter().any(|open| open.mark.tag == tag)
    }

    /// Prepares for a word or image that begins with `first`: closes and opens marks around the pending white space.
    fn begin(&mut self, first: char, with_code: bool) {
        let wanted = self.wanted.iter().filter(|mark| with_code || mark.tag != Tag::CODE).count();
        let same = self.open.iter().zip(&self.wanted[..wanted]);
        let is_apart = self.pending != Pending::Nothing;
        let same = same.take_while(|(open, mark)| open.mark.is_same(mark, is_apart)).count();
        let is_text_going_on = self.pending == Pending::Nothing && same == wanted && same == self.open.len();
        let next = match self.pending {
            // Delimiters directly after delimiters are not written.
            Pending::Nothing => {
                let mut behind = self.wanted[same..wanted].iter().filter(|mark| mark.delimiter().is_none());
                behind.next().map_or(first, Mark::first_char)
            }
            _ => ' ',
        };
        let is_delimiter_closed = self.close(same, next) && self.pending == Pending::Nothing;
        match std::mem::take(&mut self.pending) {
            Pending::Space if !self.out.is_empty() => self.out.push(' '),
            Pending::Break if self.out.is_empty() => {}
            // A tag in code would be displayed as code.
            Pending::Break if self.is_cell && self.is_open(Tag::CODE) => self.out.push(' '),
            Pending::Break if self.is_cell => self.out.push_str("<br>"),
            Pending::Break => self.out.push_str("\\\n"),
            _ => {}
        }
        for at in same..wanted {
            let delimiter = self.wanted[at].first_char();
            // Adjacent delimiters of the same character form one run, so the character after the whole run matters.
            let behind =
                self.wanted[at..wanted].iter().map(Mark::first_char).find(|other| *other != delimiter);
            self.open_mark(self.wanted[at], behind.unwrap_or(first), !is_delimiter_closed);
        }
        // The brackets of a marker must not become a link or a definition.
        if self.marker_end > 0 && self.marker_end == self.out.len() {
            if "(:".contains(first) {
                self.out.push('\\');
            }
        } else if is_text_going_on && !self.is_open(Tag::CODE) {
            escape::joint(&mut self.out, first);
        }
    }

    fn open_mark(&mut self, mark: Mark<'d>, next: char, can_delimit: bool) {
        let mut open = Open { mark, at: self.out.len(), is_written: true };
        match mark.delimiter() {
            Some(delimiter) => {
                let start = self.run_start(mark.first_char());
                let before = self.out[..start].chars().next_back().unwrap_or(' ');
                // Inside other marks, a delimiter that can close one of them might do so.
                let is_inside = self.open.iter().any(|open| {
                    open.is_written && open.at < start && open.mark.first_char() == mark.first_char()
                });
                // If the delimiter were removed again, two runs of backquotes could become adjacent.
                let is_clear = before != '`' && (!is_inside || !escape::can_close(before, next));
                open.is_written = can_delimit && is_clear && escape::can_open(before, next);
                if open.is_written {
                    self.out.push_str(delimiter);
                }
            }
            None if mark.tag == Tag::A => {
                escape::joint(&mut self.out, '[');
                self.out.push('[');
            }
            None => self.out.extend(mark.free_delimiters().map(|(begin, _)| begin)),
        }
        self.open.push(open);
    }

    /// The start of the run of opening delimiters at the end of the line.
    fn run_start(&self, delimiter: char) -> usize {
        self.open.iter().rev().filter(|open| open.is_written).fold(self.out.len(), |start, open| {
            let len =
                open.mark.delimiter().filter(|_| open.mark.first_char() == delimiter).map_or(0, str::len);
            if open.at + len == start { open.at } else { start }
        })
    }

    /// Closes marks until `left` are open; `next` is the following character. Returns whether a delimiter was written.
    fn close(&mut self, left: usize, next: char) -> bool {
        let mut run: Option<(char, char)> = None;
        while self.open.len() > left
            && let Some(open) = self.open.pop()
        {
            let last = self.out.chars().next_back().unwrap_or(' ');
            // For a run of delimiters, the character before the whole run matters.
            let before = run
                .filter(|(delimiter, _)| *delimiter == open.mark.first_char())
                .map_or(last, |(_, before)| before);
            match open.mark.delimiter() {
                Some(_) if !open.is_written => {}
                Some(delimiter) if escape::can_close(before, next) => {
                    self.out.push_str(delimiter);
                    run = Some((open.mark.first_char(), before));
                }
                Some(delimiter) => {
                    let inside = self.out.split_off(open.at + delimiter.len());
                    self.out.truncate(open.at);
                    if let Some(first) = inside.chars().next() {
                        escape::joint(&mut self.out, first);
                    }
                    self.out.push_str(&inside);
                }
                None if open.mark.tag == Tag::A => {
                    self.end_link(open.mark.node);
                    run = None;
                }
                None => {
                    match open.mark.free_delimiters() {
                        Some((_, end)) => self.out.push_str(end),
                        None => self.close_code(open.at, next),
                    }
                    run = None;
                }
            }
        }
        run.is_some()
    }

    /// Appends the address of a link.
    fn end_link(&mut self, node: Node<'d>) {
        let known = self.link.take().filter(|(index, _)| *index == node.index());
        let (index, address) = known.unwrap_or_else(|| {
            let target = addresses::target(node).unwrap_or_default();
            (node.index(), self.addresses.absolute(&target).into_owned())
        });
        let is_written = self.addresses.spend(address.len());
        escape::address(if is_written { &address } else { "" }, &mut self.out);
        self.link = Some((index, address));
    }

    /// Encloses the text from `at` on in backquotes.
    fn close_code(&mut self, at: usize, next: char) {
        let code = self.out.split_off(at);
        // Adjacent runs of backquotes would be one run. At the start of a paragraph, Markdown would read `[…]:` as a link definition.
        let is_misread = self.out.ends_with('`') || (self.is_open(Tag::A) && code.contains("]:"));
        if is_misread {
            escape::word(&code, Some(next), InlineContext::Link, &mut self.out);
        } else {
            escape::code(&code, &mut self.out);
        }
    }
}
