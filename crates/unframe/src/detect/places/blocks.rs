//! A page cut into text blocks at block-level tags and line breaks.
//!
//! This is the only walk over the tree: every later step works on the blocks and on the elements around them.

use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::elements::{Element, ElementReader, is_inline};
use super::facts::PageFacts;
use super::flow::{Flow, FlowReader};
use super::markup::{self, Markup};
use super::shape::{Shape, ShapeReader};
use super::title_parts::{self, TitlePart};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind, Span};
use crate::sample::PieceHasher;
use crate::text::{is_hidden, is_white_text};

/// The maximum number of blocks of a page; the text after them is kept as content.
pub(super) const BLOCKS_MAX: usize = 1 << 16;
/// The maximum number of link targets stored for a block.
pub(super) const TARGETS_MAX: usize = 2;

/// The blocks of a page.
#[derive(Debug, Default)]
pub struct PageBlocks {
    /// The blocks, in page order.
    pub(super) blocks: Vec<Block>,
    /// The elements that may hold text, parents first; the first one is the root.
    pub(super) elements: Vec<Element>,
    /// Hashed tokens of all elements; see [`Element::tokens`].
    pub(super) tokens: Vec<u32>,
    /// Hashed lower-case words of all blocks; see [`Block::words`].
    pub(super) words: Vec<u32>,
    /// The distinct places of the blocks; see [`Block::place`].
    pub(super) places: Vec<u64>,
    /// The text nodes of all blocks, in tree order.
    pub(super) texts: Vec<TextNode>,
    /// Markup without visible text; see [`markup`].
    pub(super) markup: Vec<Markup>,
    /// Parts of the title that other pages of the site may have, such as the name of the site.
    pub(super) title_parts: Vec<TitlePart>,
    /// Titles, metadata and element counts.
    pub(super) facts: PageFacts,
}

/// A run of text between two block-level tags or line breaks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// The innermost element that contains all of its text.
    pub(super) element: u32,
    /// The innermost block-level element that contains it.
    pub(super) container: u32,
    /// Its place on the site: an index into [`PageBlocks::places`].
    pub(super) place: u32,
    /// Its words, as a range of [`PageBlocks::words`].
    pub(super) words: (u32, u32),
    /// Counts of characters, and patterns in the text.
    pub(super) shape: Shape,
    /// Characters inside links.
    pub(super) link_chars: u32,
    /// The number of links that contain its text.
    pub(super) links: u32,
    /// Hashes of the first link targets; 0 for none.
    pub(super) targets: [u32; TARGETS_MAX],
    /// A hash of the text with white space collapsed.
    pub(super) text: u64,
    /// A hash of the text in which every number counts as the same number.
    pub(super) text_without_digits: u64,
    /// Whether it begins at a line break rather than at a tag.
    pub(super) after_break: bool,
}

impl Block {
    pub(super) fn word_count(&self) -> u32 {
        self.words.1 - self.words.0
    }

    /// The share of its characters inside links, in thousandths.
    pub(super) fn link_density(&self) -> u32 {
        (u64::from(self.link_chars) * 1000 / u64::from(self.shape.chars.max(1))).min(1000) as u32
    }

    /// Words of running text outside links; 0 for a block that is short, mostly links, or without punctuation.
    pub(super) fn prose_words(&self) -> u32 {
        let words = self.word_count();
        match words >= 8 && self.link_density() < 400 && self.shape.stops + self.shape.commas > 0 {
            true => (u64::from(words) * u64::from(1000 - self.link_density()) / 1000).max(1) as u32,
            false => 0,
        }
    }
}

/// A text node that belongs to a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextNode {
    pub(super) block: u32,
    /// Its parent element.
    pub(super) parent: u32,
    /// The last element that starts before it.
    pub(super) after: u32,
    pub(super) span: Span,
    /// See [`Node::is_moved`].
    pub(super) is_moved: bool,
}

impl PageBlocks {
    /// Cuts a page into blocks.
    pub fn of(document: &Document<'_>) -> PageBlocks {
        let mut cutter = Cutter::new(document);
        let mut next = document.root().first_child();
        while let Some(node) = next {
            let is_entered = cutter.enter(node);
            let inside = if is_entered { node.first_child() } else { None };
            next = inside.or_else(|| node.next_outside());
        }
        cutter.end_block();
        cutter.page.markup = markup::of(document, &cutter.shows);
        cutter.page
    }

    /// The hashed words of a block.
    pub(super) fn words_of(&self, block: &Block) -> &[u32] {
        &self.words[block.words.0 as usize..block.words.1 as usize]
    }

    /// The place of a block: the same hash on all pages of the site.
    pub(super) fn place_of(&self, block: &Block) -> u64 {
        self.places[block.place as usize]
    }

    /// The table cell, term or description that contains a block.
    pub(super) fn cell(&self, block: &Block) -> Option<u32> {
        [block.container, self.parent(block.container)].into_iter().find(|at| self.element(*at).is_cell())
    }

    /// Whether a cell labels the next one: both are in one row, or the first ends a header row above the other.
    pub(super) fn is_label(&self, cell: u32, next: u32) -> bool {
        let [row, next_row] = [cell, next].map(|cell| self.parent(cell));
        let above =
            |rows: u32, next_rows: u32| rows == next_rows || self.parent(rows) == self.parent(next_rows);
        match row == next_row {
            true => cell != next,
            // The two rows share a parent, or one is in the head and the other in the body of one table.
            false => self.element(cell).is_header_cell() && above(self.parent(row), self.parent(next_row)),
        }
    }

    /// The hashed tokens of an element's own attributes.
    pub(super) fn tokens_of(&self, element: &Element) -> &[u32] {
        &self.tokens[element.tokens.0 as usize..element.tokens.1 as usize]
    }

    pub(super) fn element(&self, at: u32) -> &Element {
        &self.elements[at as usize]
    }

    /// The parent of an element; the root is its own parent.
    pub(super) fn parent(&self, at: u32) -> u32 {
        self.elements[at as usize].parent
    }
}

struct Cutter {
    page: PageBlocks,
    /// The index in `page.elements` of each node, by the node's index.
    numbers: Vec<u32>,
    /// Whether a node contains visible text or a formula, by the node's index.
    shows: Vec<bool>,
    /// The index in `page.places` of each place.
    places: HashMap<u64, u32, PieceHasher>,
    flow: FlowReader,
    reader: ElementReader,
    shape: ShapeReader,
    /// The text of the open block, white space collapsed.
    text: String,
    /// The text nodes of the open block.
    nodes: Vec<TextNode>,
    open: Block,
    last_link: u32,
    after_break: bool,
    has_text: bool,
    has_formula: bool,
    /// Whether the open block has letters outside formulas.
    has_letters: bool,
    has_title: bool,
}

impl Cutter {
    fn new(document: &Document<'_>) -> Cutter {
        // Estimates that suit most pages: growing step by step would copy the lists several times.
        let mut page = PageBlocks {
            blocks: Vec::with_capacity(document.node_count() / 8),
            elements: Vec::with_capacity(document.node_count() / 2 + 1),
            tokens: Vec::with_capacity(document.node_count()),
            words: Vec::with_capacity(document.node_count() * 2),
            texts: Vec::with_capacity(document.node_count() / 4),
            ..PageBlocks::default()
        };
        page.elements.push(Element::root());
        Cutter {
            page,
            numbers: vec![0; document.node_count()],
            shows: vec![false; document.node_count()],
            places: HashMap::default(),
            flow: FlowReader::new(document),
            reader: ElementReader::default(),
            shape: ShapeReader::default(),
            text: String::new(),
            nodes: Vec::new(),
            open: Block::default(),
            last_link: 0,
            after_break: false,
            has_text: false,
            has_formula: false,
            has_letters: false,
            has_title: false,
        }
    }

    /// Processes a node; returns whether its children are to be visited.
    fn enter(&mut self, node: Node<'_>) -> bool {
        match node.kind() {
            NodeKind::Element => self.element(node),
            NodeKind::Text => {
                self.text_node(node);
                false
            }
            _ => false,
        }
    }

    fn element(&mut self, node: Node<'_>) -> bool {
        let Some(tag) = node.tag() else { return false };
        self.page.facts.read(node, tag);
        match tag {
            // Browsers show the first title.
            Tag::TITLE if node.parent().and_then(Node::tag) == Some(Tag::HEAD) && !self.has_title => {
                self.has_title = true;
                self.page.title_parts = title_parts::of(node);
                return false;
            }
            Tag::TEMPLATE => return false,
            tag if is_hidden(tag) => {
                if tag == Tag::SCRIPT && markup::is_formula(node) {
                    self.show(node);
                }
                return false;
            }
            _ => {}
        }
        let parent = node.parent().map_or(0, |parent| self.numbers[parent.index()]);
        if self.page.elements[parent as usize].is_unit {
            self.numbers[node.index()] = parent;
            self.shows[node.index()] = true;
            return true;
        }
        if matches!(tag, Tag::BR | Tag::HR) {
            self.end_block();
            self.after_break = true;
            return false;
        }
        let flow = self.flow.of(node, tag);
        let element = self.reader.read(node, tag, flow, parent, &mut self.page);
        match flow {
            Flow::Block => {
                self.end_block();
                self.after_break = false;
            }
            Flow::Inline if is_inline(tag) => {}
            // Without text, they are no markup either.
            Flow::Inline | Flow::Unit => self.show(node),
        }
        self.numbers[node.index()] = self.page.elements.len() as u32;
        self.page.elements.push(element);
        true
    }

    fn text_node(&mut self, node: Node<'_>) {
        if is_white_text(node.bytes()) {
            self.text_space();
            return;
        }
        let Some(parent) = node.parent() else { return };
        self.show(node);
        let parent = self.numbers[parent.index()];
        let container = self.page.elements[parent as usize].container;
        if self.has_text && self.open.container != container {
            self.end_block();
            self.after_break = false;
        }
        if self.page.blocks.len() >= BLOCKS_MAX {
            return;
        }
        if !self.has_text {
            self.open =
                Block { element: parent, container, after_break: self.after_break, ..Block::default() };
            self.open.words = (self.page.words.len() as u32, 0);
            self.last_link = 0;
        } else if self.open.element != parent {
            self.open.element = container;
        }
        self.has_text = true;
        self.nodes.push(TextNode {
            block: self.page.blocks.len() as u32,
            parent,
            after: self.page.elements.len() as u32 - 1,
            span: node.span(),
            is_moved: node.is_moved(),
        });
        let before = self.shape.chars();
        let text = node.text();
        match self.page.elements[parent as usize].is_unit {
            true => self.has_formula = true,
            false => self.has_letters = self.has_letters || text.contains(char::is_alphabetic),
        }
        self.shape.read(&text, &mut self.text, &mut self.page.words);
        let link = self.page.elements[parent as usize].link;
        if link > 0 {
            self.open.link_chars += self.shape.chars() - before;
            if link != self.last_link {
                self.last_link = link;
                let target = self.reader.target_of(link);
                if let Some(free) = self.open.targets.get_mut(self.open.links as usize) {
                    *free = target;
                }
                self.open.links += 1;
            }
        }
    }

    /// Notes that a node shows something, and that so do its ancestors.
    fn show(&mut self, node: Node<'_>) {
        for node in std::iter::once(node).chain(node.ancestors()) {
            if std::mem::replace(&mut self.shows[node.index()], true) {
                break;
            }
        }
    }

    fn text_space(&mut self) {
        if self.has_text {
            self.shape.read(" ", &mut self.text, &mut self.page.words);
        }
    }

    /// Closes the open block. Text without any word, such as a bullet, makes no block and is never removed by itself. Nor does a formula in
    /// a line of its own, which says too little without the text around it: it goes if the text before and after it goes.
    fn end_block(&mut self) {
        if !self.has_text {
            return;
        }
        let mut block = self.open;
        (block.shape, block.text_without_digits) = self.shape.finish(&mut self.page.words);
        block.words.1 = self.page.words.len() as u32;
        block.text = xxh3::xxh3_64(self.text.trim_end().as_bytes());
        let is_formula = self.has_formula && !self.has_letters;
        if block.words.1 > block.words.0 && !is_formula {
            block.place = self.place_number(block.element);
            self.page.texts.append(&mut self.nodes);
            self.page.blocks.push(block);
        }
        self.nodes.clear();
        self.text.clear();
        (self.has_text, self.has_formula, self.has_letters) = (false, false, false);
    }

    fn place_number(&mut self, element: u32) -> u32 {
        let (place, places) = (self.page.elements[element as usize].place, &mut self.page.places);
        *self.places.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    }
}

/// For each text of a page, the number of its blocks and the index of the first one.
pub(super) fn duplicates(page: &PageBlocks) -> HashMap<u64, (u32, u32), PieceHasher> {
    let mut found: HashMap<u64, (u32, u32), PieceHasher> =
        HashMap::with_capacity_and_hasher(page.blocks.len(), PieceHasher);
    for (at, block) in page.blocks.iter().enumerate() {
        found.entry(block.text).or_insert((0, at as u32)).0 += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_may_have_millions_of_characters_and_words() {
        let shape = Shape { chars: 40_000_000, stops: 1, ..Shape::default() };
        let block = Block { words: (0, 20_000_000), link_chars: 10_000_000, shape, ..Block::default() };
        assert_eq!((block.link_density(), block.prose_words()), (250, 15_000_000));
        assert_eq!(Block { link_chars: 40_000_000, ..block }.link_density(), 1000);
    }
}
