//! Splits the content of a page into blocks of words with byte spans.

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind, Span};
use crate::parsed::ParsedPage;
use crate::regions::{Region, RegionCursor};
use crate::render::walk::follows_link;
use crate::render::{is_hidden, regions_in};
use crate::text::content::{is_block, is_replaced};
use crate::text::math::{self, Math};
use crate::text::omitted::Omitted;
use crate::text::permalink::is_permalink;
use crate::text::{hidden_email, inline, is_white};

/// Maximum number of ancestors in which a heading is searched.
const ANCESTORS_MAX: usize = 6;

/// A paragraph, a row of a table, or a heading.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The level of a heading.
    pub(super) level: Option<u8>,
    pub(super) words: Vec<Word>,
}

/// A word or, in code, a line.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    /// The character between it and the previous word.
    pub(super) before: char,
    pub(super) span: Span,
}

/// The blocks of a page outside of `regions`.
pub(super) fn of(page: &ParsedPage<'_>, regions: &[Region]) -> Vec<Block> {
    let mut walk = Walk {
        regions,
        has_math: math::is_on(page),
        omitted: Omitted::outside(page, regions),
        block: Block::default(),
        before: Some(' '),
        inline: Vec::new(),
        done: Vec::new(),
    };
    let mut next = page.document().root().first_child();
    while let Some(node) = next {
        let inner = if walk.enter(node) { node.first_child() } else { None };
        next = inner.or_else(|| walk.leave_to_next(node));
    }
    walk.end_block();
    walk.done
}

struct Walk<'r> {
    regions: &'r [Region],
    has_math: bool,
    omitted: Omitted,
    block: Block,
    /// The character before the next word; `None` if the next character continues the last word.
    before: Option<char>,
    /// The open elements with [notation](inline::needs_notation).
    inline: Vec<Inline>,
    done: Vec<Block>,
}

/// An element with notation, and the position where it begins.
struct Inline {
    tag: Tag,
    /// The number of blocks before it.
    blocks: usize,
    /// The number of words of its block before it. The last of them may continue in it.
    words: usize,
    /// The length of the last word in bytes, if that word continues in the element.
    at: Option<usize>,
}

impl Walk<'_> {
    /// Whether the children of a node are to be visited.
    fn enter(&mut self, node: Node<'_>) -> bool {
        match node.kind() {
            NodeKind::Text => self.text(node),
            NodeKind::Element if self.has_math && self.math(node) => return false,
            NodeKind::Element if is_hidden(node) || is_permalink(node) => return false,
            NodeKind::Element if self.omitted.contains(node) => return false,
            NodeKind::Element => {
                self.separate(node);
                if follows_link(node) {
                    self.before = self.before.or(Some(' '));
                }
                self.begin_inline(node);
            }
            _ => {}
        }
        node.kind() == NodeKind::Element
    }

    /// The next node after this one's descendants. Ancestors without a following sibling end.
    fn leave_to_next<'d>(&mut self, node: Node<'d>) -> Option<Node<'d>> {
        let mut node = node;
        loop {
            self.separate(node);
            self.end_inline(node);
            if let Some(next) = node.next_sibling() {
                return Some(next);
            }
            node = node.parent()?;
        }
    }

    /// Separates words or blocks at the start or the end of an element.
    fn separate(&mut self, node: Node<'_>) {
        match node.tag() {
            Some(Tag::BR) => self.before = Some('\n'),
            Some(Tag::TD | Tag::TH) => self.before = Some('\t'),
            Some(tag) if is_replaced(tag) => self.before = self.before.or(Some(' ')),
            Some(tag) if is_block(tag) => self.end_block(),
            _ => {}
        }
    }

    fn begin_inline(&mut self, node: Node<'_>) {
        if let Some(tag) = node.tag().filter(|tag| inline::needs_notation(*tag)) {
            let words = &self.block.words;
            let at = words.last().filter(|_| self.before.is_none()).map(|word| word.text.len());
            self.inline.push(Inline { tag, blocks: self.done.len(), words: words.len(), at });
        }
    }

    /// Adds the notation of an element: quotation marks around all its words, other notation within a word.
    fn end_inline(&mut self, node: Node<'_>) {
        if !node.tag().is_some_and(inline::needs_notation) {
            return;
        }
        let Some(Inline { tag, blocks, words, at }) = self.inline.pop() else { return };
        // Nested quotations get no marks.
        if tag == Tag::Q && self.inline.iter().any(|open| open.tag == Tag::Q) {
            return;
        }
        let first = words - usize::from(at.is_some());
        let inside = self.block.words.get_mut(first..).filter(|_| blocks == self.done.len());
        match inside.unwrap_or_default() {
            [] => {}
            [word] => inline::add_notation(tag, &mut word.text, at.unwrap_or(0)),
            [word, .., last] if tag == Tag::Q => {
                word.text.insert(at.unwrap_or(0), '"');
                last.text.push('"');
            }
            _ => {}
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        if !block.words.is_empty() {
            self.done.push(block);
        }
        self.before = Some(' ');
    }

    fn text(&mut self, node: Node<'_>) {
        let mut cursor = RegionCursor::new(regions_in(self.regions, node.span()));
        let around = || node.ancestors().take(ANCESTORS_MAX).filter_map(Node::tag);
        if let Some(address) = hidden_email::of_text(node)
            && cursor.at(node.span().start).is_none()
        {
            let level = around().find_map(level);
            return address.chars().for_each(|c| self.push(c, node.span(), level));
        }
        let is_code = around().any(|tag| tag == Tag::PRE);
        let level = around().find_map(level);
        node.for_each_char(|c, bytes| {
            let is_left_out = cursor.at(bytes.start).is_some();
            match c {
                '\n' if is_code && !is_left_out => self.before = Some('\n'),
                ' ' | '\t' if is_code && !is_left_out => self.push(c, bytes, level),
                _ if is_left_out || is_white(c) => self.before = self.before.or(Some(' ')),
                _ => self.push(c, bytes, level),
            }
        });
    }

    fn push(&mut self, c: char, bytes: Span, level: Option<u8>) {
        self.block.level = self.block.level.or(level);
        match (self.before.take(), self.block.words.last_mut()) {
            (None, Some(word)) => {
                word.text.push(c);
                word.span.end = bytes.end;
            }
            (before, _) => {
                let before = before.unwrap_or(' ');
                self.block.words.push(Word { text: c.to_string(), before, span: bytes });
            }
        }
    }

    /// Writes an element that is a formula. Returns whether it is a formula or a duplicate of one.
    fn math(&mut self, node: Node<'_>) -> bool {
        let Some(math) = math::of(node) else { return false };
        let span = node.span();
        if let Math::Formula(formula) = math
            && RegionCursor::new(regions_in(self.regions, span)).at(span.start).is_none()
        {
            let before = self.before.take().unwrap_or(' ');
            self.block.words.push(Word { text: formula.marked(), before, span });
        }
        true
    }
}

fn level(tag: Tag) -> Option<u8> {
    let levels = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
    levels.iter().zip(1..).find(|(level, _)| **level == tag).map(|(_, number)| number)
}
