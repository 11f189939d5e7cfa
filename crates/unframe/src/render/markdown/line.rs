//! The text of one block, with emphasis, code, links and images.
//!
//! Marks are written when the first word inside comes and closed when the first word outside comes. So white space
//! never stands inside of them, marks around nothing leave nothing, and marks around several blocks are repeated in each.

use super::address;
use super::escape::{self, InlineContext};
use crate::html::Node;
use crate::html::tag::Tag;
use crate::text::is_white;

/// An element that marks text.
#[derive(Clone, Copy)]
pub(super) struct Mark<'d> {
    /// Its [`kind`].
    pub(super) tag: Tag,
    pub(super) node: Node<'d>,
}

/// One name for all elements of the same meaning.
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
    /// Neighbouring links are two; neighbouring emphasis is one, and so is neighbouring code unless white space is between.
    fn is_same(&self, other: &Mark<'_>, is_apart: bool) -> bool {
        let can_join = match self.tag {
            Tag::A | Tag::SUP | Tag::SUB | Tag::Q => false,
            Tag::CODE => !is_apart,
            _ => true,
        };
        self.tag == other.tag && (can_join || self.node.index() == other.node.index())
    }

    /// What it begins with in Markdown.
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

    /// Tags and quotation marks are written wherever they are: Markdown has no rules for them.
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
    /// Where its delimiter begins; for code, where its text begins.
    at: usize,
    /// Whether the delimiter was written: Markdown does not accept one everywhere.
    is_written: bool,
}

/// A line in the making; see the [module](self).
#[derive(Default)]
pub(super) struct Line<'d> {
    out: String,
    /// The marks of the elements around, code last: nothing can be marked inside of code.
    wanted: Vec<Mark<'d>>,
    open: Vec<Open<'d>>,
    pending: Pending,
    /// Whether all must stand on one line: in headings and in cells.
    pub(super) is_single: bool,
    /// Whether the line is a cell of a table, in which a line break is a tag.
    pub(super) is_cell: bool,
}

#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Pending {
    #[default]
    Nothing,
    Space,
    Break,
}

impl<'d> Line<'d> {
    /// Writes text in which white space is collapsed.
    pub(super) fn write(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let word = rest.trim_start_matches(is_white);
            if word.len() < rest.len() {
                self.space();
            }
            let Some(first) = word.chars().next() else { return };
            let (word, after) = word.split_at(word.find(is_white).unwrap_or(word.len()));
            self.begin(first, true);
            if self.is_open(Tag::CODE) {
                self.out.push_str(word);
            } else {
                let next = after.chars().next().map(|_| ' ');
                escape::word(word, next, self.context(), &mut self.out);
            }
            rest = after;
        }
    }

    /// Writes a formula as it is: what is between dollar signs is not escaped.
    pub(super) fn formula(&mut self, formula: &str) {
        self.begin('$', false);
        self.out.push_str(formula);
    }

    pub(super) fn image(&mut self, alt: &str, address: &str) {
        self.begin('!', false);
        self.out.push_str("![");
        for (number, word) in alt.split(is_white).filter(|word| !word.is_empty()).enumerate() {
            if number > 0 {
                self.out.push(' ');
            }
            escape::word(word, Some(' '), InlineContext::Link, &mut self.out);
        }
        escape::address(address, &mut self.out);
    }

    /// Words before and after this do not touch.
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

    /// Begins a mark; false when the text is marked in this way already.
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

    /// The block that ends here, if there is anything in it.
    pub(super) fn finish(&mut self) -> Option<String> {
        let text = self.take()?;
        Some(text.split('\n').map(escape::line_start).collect::<Vec<_>>().join("\n"))
    }

    /// The same for a heading, whose end needs more care than its start.
    pub(super) fn finish_heading(&mut self) -> Option<String> {
        self.take().map(escape::heading_end)
    }

    /// The same for a cell of a table.
    pub(super) fn finish_cell(&mut self) -> String {
        self.take().unwrap_or_default().replace('|', "\\|")
    }

    fn take(&mut self) -> Option<String> {
        self.close(0, ' ');
        self.pending = Pending::Nothing;
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

    /// Makes ready for a word or image that begins with `first`: closes and opens marks around the white space.
    fn begin(&mut self, first: char, with_code: bool) {
        let wanted = self.wanted.iter().filter(|mark| with_code || mark.tag != Tag::CODE).count();
        let same = self.open.iter().zip(&self.wanted[..wanted]);
        let is_apart = self.pending != Pending::Nothing;
        let same = same.take_while(|(open, mark)| open.mark.is_same(mark, is_apart)).count();
        let is_text_going_on = self.pending == Pending::Nothing && same == wanted && same == self.open.len();
        let next = match self.pending {
            // Delimiters right behind delimiters are not written.
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
            // A tag in code would be code.
            Pending::Break if self.is_cell && self.is_open(Tag::CODE) => self.out.push(' '),
            Pending::Break if self.is_cell => self.out.push_str("<br>"),
            Pending::Break => self.out.push_str("\\\n"),
            _ => {}
        }
        for at in same..wanted {
            let delimiter = self.wanted[at].first_char();
            // Delimiters of the same character are one run; what counts is the character behind all of them.
            let behind =
                self.wanted[at..wanted].iter().map(Mark::first_char).find(|other| *other != delimiter);
            self.open_mark(self.wanted[at], behind.unwrap_or(first), !is_delimiter_closed);
        }
        if is_text_going_on && !self.is_open(Tag::CODE) {
            escape::joint(&mut self.out, first);
        }
    }

    fn open_mark(&mut self, mark: Mark<'d>, next: char, can_delimit: bool) {
        let mut open = Open { mark, at: self.out.len(), is_written: true };
        match mark.delimiter() {
            Some(delimiter) => {
                let start = self.run_start(mark.first_char());
                let before = self.out[..start].chars().next_back().unwrap_or(' ');
                // Inside of other marks, a delimiter that can close one of them might close it.
                let is_inside = self.open.iter().any(|open| {
                    open.is_written && open.at < start && open.mark.first_char() == mark.first_char()
                });
                // If the delimiter were removed again, two runs of backquotes could meet.
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

    /// Where the run of opening delimiters at the end of the line begins.
    fn run_start(&self, delimiter: char) -> usize {
        self.open.iter().rev().filter(|open| open.is_written).fold(self.out.len(), |start, open| {
            let len =
                open.mark.delimiter().filter(|_| open.mark.first_char() == delimiter).map_or(0, str::len);
            if open.at + len == start { open.at } else { start }
        })
    }

    /// Closes marks until `left` are open; `next` is the character that follows. Whether a delimiter was written.
    fn close(&mut self, left: usize, next: char) -> bool {
        let mut run: Option<(char, char)> = None;
        while self.open.len() > left
            && let Some(open) = self.open.pop()
        {
            let last = self.out.chars().next_back().unwrap_or(' ');
            // In a run of delimiters, what counts is the character before all of them.
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
                    escape::address(&address(open.mark.node, "href"), &mut self.out);
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

    /// Puts backquotes around what was written from `at` on.
    fn close_code(&mut self, at: usize, next: char) {
        let code = self.out.split_off(at);
        // Two runs of backquotes would be one; and at the start of a paragraph, Markdown would take `[…]:` for
        // the definition of a link.
        let is_misread = self.out.ends_with('`') || (self.is_open(Tag::A) && code.contains("]:"));
        if is_misread {
            escape::word(&code, Some(next), InlineContext::Link, &mut self.out);
        } else {
            escape::code(&code, &mut self.out);
        }
    }
}
