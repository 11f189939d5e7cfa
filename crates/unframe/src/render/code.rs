//! Code blocks: the text of a `pre` with its white space.

mod language;

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::text::content::{is_block, is_replaced};
use crate::text::inline;
use crate::text::omitted::has_class;

/// Maximum number of nodes of a table that are searched for its first line of code.
const LISTING_NODES_MAX: usize = 16;
/// Maximum number of elements between a `pre` and its column.
const COLUMN_LEVELS: usize = 3;
/// Classes of the columns of code and of its line numbers.
const COLUMNS: [&str; 5] = ["code", "lntd", "rouge-code", "linenos", "gutter"];

/// A code block under construction.
pub(super) struct Code {
    text: String,
    language: String,
    /// The separator before the next text, unless that text begins with white space.
    pending: Option<char>,
}

/// The action at the end of an element in code.
#[derive(Clone, Copy)]
pub(super) enum AtCodeEnd {
    Nothing,
    /// The end of a superscript or subscript.
    Script {
        tag: Tag,
        at: usize,
    },
    Separator(char),
}

impl Code {
    pub(super) fn of(node: Node<'_>) -> Code {
        Code { text: String::new(), language: language::of(node), pending: None }
    }

    pub(super) fn write(&mut self, text: &str) {
        let is_apart = self.text.ends_with(char::is_whitespace) || text.starts_with(char::is_whitespace);
        if text.is_empty() {
            return;
        }
        if let Some(pending) = self.pending.take()
            && !self.text.is_empty()
            && !(is_apart && pending != '\n')
            && !self.text.ends_with('\n')
        {
            self.text.push(pending);
        }
        self.text.push_str(text);
    }

    /// Separates the words before and after the current position.
    pub(super) fn separate(&mut self, by: char) {
        if self.pending != Some('\n') {
            self.pending = Some(by);
        }
    }

    /// Begins an element in code, where only lines and words matter.
    pub(super) fn enter(&mut self, tag: Option<Tag>) -> AtCodeEnd {
        let separator = match tag {
            Some(Tag::TD | Tag::TH) => '\t',
            Some(tag @ (Tag::SUP | Tag::SUB)) => return AtCodeEnd::Script { tag, at: self.text.len() },
            Some(tag) if is_replaced(tag) => ' ',
            Some(tag) if is_block(tag) => '\n',
            Some(Tag::BR) => {
                self.write("\n");
                return AtCodeEnd::Nothing;
            }
            _ => return AtCodeEnd::Nothing,
        };
        self.separate(separator);
        AtCodeEnd::Separator(separator)
    }

    /// Ends an element in code.
    pub(super) fn leave(&mut self, at_end: AtCodeEnd) {
        match at_end {
            AtCodeEnd::Nothing => {}
            // Code cannot contain tags.
            AtCodeEnd::Script { tag, at } => inline::add_notation(tag, &mut self.text, at),
            AtCodeEnd::Separator(separator) => self.separate(separator),
        }
    }

    /// The lines that are not empty.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.split('\n').map(str::trim).filter(|line| !line.is_empty())
    }

    /// The language, which may be empty, and the text; `None` if there is no text.
    pub(super) fn finish(self) -> Option<(String, String)> {
        let Code { text, language, .. } = self;
        let code = text.trim_end_matches(['\n', ' ', '\t']).trim_start_matches('\n');
        (!code.trim().is_empty()).then(|| (language, code.to_owned()))
    }
}

/// Whether an element other than `pre` has only lines of code: one `div` for each, as Doxygen generates it, or one row of a table, as
/// GitHub does.
pub(super) fn is_listing(node: Node<'_>) -> bool {
    let first = || node.children().find(|child| child.kind() == NodeKind::Element);
    match node.tag() {
        Some(Tag::DIV) => {
            has_class(node, &["fragment"]) && first().is_some_and(|line| has_class(line, &["line"]))
        }
        Some(Tag::TABLE) => {
            let mut inside = node.descendants().take(LISTING_NODES_MAX);
            inside.any(|cell| cell.tag() == Some(Tag::TD) && has_class(cell, &["blob-code", "hljs-ln-code"]))
        }
        _ => false,
    }
}

/// Whether a `pre` is in a table that has line numbers in one column and the code in another.
pub(super) fn is_in_column(pre: Node<'_>) -> bool {
    let mut around = pre.ancestors().take(COLUMN_LEVELS);
    around.any(|around| around.tag() == Some(Tag::TD) && has_class(around, &COLUMNS))
}

/// Whether a text in code is white space between the elements of a listing or of a table.
pub(super) fn is_between_lines(text: Node<'_>) -> bool {
    let Some(parent) = text.parent() else { return false };
    match parent.tag() {
        Some(Tag::TABLE | Tag::TBODY | Tag::THEAD | Tag::TFOOT | Tag::TR) => text.text().trim().is_empty(),
        Some(Tag::DIV) => is_listing(parent),
        _ => false,
    }
}
