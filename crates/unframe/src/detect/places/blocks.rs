//! A page as text blocks: what stands between two block-level tags or line breaks.
//!
//! Everything that is later asked of a page is asked of its blocks and of the elements around them, so this is the only walk
//! over the tree.

use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::elements::{Element, ElementReader};
use super::facts::PageFacts;
use super::markup::{self, Markup};
use super::shape::{Shape, ShapeReader};
use super::title_parts::{self, TitlePart};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind, Span};
use crate::sample::PieceHasher;
use crate::text::{is_hidden, is_white_text};

/// Blocks of a page that are looked at; what follows stays as it is.
pub(super) const BLOCKS_MAX: usize = 1 << 16;
/// Link targets that a block remembers.
pub(super) const TARGETS_MAX: usize = 2;

/// The blocks of a page.
#[derive(Debug, Default)]
pub struct PageBlocks {
    /// The blocks, in the order of the page.
    pub(super) blocks: Vec<Block>,
    /// The elements that hold text, parents first; the first one is the root.
    pub(super) elements: Vec<Element>,
    /// Hashes of the tokens of all elements; see [`Element::tokens`].
    pub(super) tokens: Vec<u32>,
    /// Hashes of the words of all blocks, lower case; see [`Block::words`].
    pub(super) words: Vec<u32>,
    /// The places of the blocks, each once; see [`Block::place`].
    pub(super) places: Vec<u64>,
    /// Text nodes with their blocks, in the order of the tree.
    pub(super) texts: Vec<TextNode>,
    /// Markup that nobody reads.
    pub(super) markup: Vec<Markup>,
    /// The parts of its title that other titles may have.
    pub(super) title_parts: Vec<TitlePart>,
    /// What its head says, and how many elements of a kind it has.
    pub(super) facts: PageFacts,
}

/// A run of text on its own lines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// The innermost element around all of its text.
    pub(super) element: u32,
    /// The innermost block-level element around it.
    pub(super) container: u32,
    /// Where it stands on the site, as a number of [`PageBlocks::places`].
    pub(super) place: u32,
    /// Its words, as a range of [`PageBlocks::words`].
    pub(super) words: (u32, u32),
    /// Letters, digits and marks of the text.
    pub(super) shape: Shape,
    /// Characters inside of links.
    pub(super) link_chars: u32,
    /// Links that its text is in.
    pub(super) links: u32,
    /// Hashes of the first link targets; 0 where there is none.
    pub(super) targets: [u32; TARGETS_MAX],
    /// A hash of the text, white space collapsed.
    pub(super) text: u64,
    /// The same with all numbers alike.
    pub(super) text_without_digits: u64,
    /// Whether a line break, and no tag of an element, is in front of it.
    pub(super) after_break: bool,
}

impl Block {
    pub(super) fn word_count(&self) -> u32 {
        self.words.1 - self.words.0
    }

    /// The share of its characters that are in links, of 1000.
    pub(super) fn link_density(&self) -> u32 {
        (u64::from(self.link_chars) * 1000 / u64::from(self.shape.chars.max(1))).min(1000) as u32
    }

    /// Words of sentences: enough of them, with punctuation, and not all links.
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
    /// The element that it is a child of.
    pub(super) parent: u32,
    /// The last element that begins before it.
    pub(super) after: u32,
    /// Its bytes.
    pub(super) span: Span,
    /// See [`Node::is_moved`].
    pub(super) is_moved: bool,
}

impl PageBlocks {
    /// Cuts a page.
    pub fn of(document: &Document<'_>) -> PageBlocks {
        let mut cutter = Cutter::new(document);
        let mut next = document.root().first_child();
        while let Some(node) = next {
            let is_entered = cutter.enter(node);
            let inside = if is_entered { node.first_child() } else { None };
            next = inside.or_else(|| node.next_outside());
        }
        cutter.end_block();
        cutter.page.markup = markup::of(document, &cutter.shows_text);
        cutter.page
    }

    /// The words of a block.
    pub(super) fn words_of(&self, block: &Block) -> &[u32] {
        &self.words[block.words.0 as usize..block.words.1 as usize]
    }

    /// The place of a block, as other pages know it.
    pub(super) fn place_of(&self, block: &Block) -> u64 {
        self.places[block.place as usize]
    }

    /// The cell of a table, the term or the description that a block fills.
    pub(super) fn cell(&self, block: &Block) -> Option<u32> {
        [block.container, self.parent(block.container)].into_iter().find(|at| self.element(*at).is_cell())
    }

    /// Whether a cell is the label of the next one: in the same row, or at the end of a row of headers above it.
    pub(super) fn is_label(&self, cell: u32, next: u32) -> bool {
        let [row, next_row] = [cell, next].map(|cell| self.parent(cell));
        let above =
            |rows: u32, next_rows: u32| rows == next_rows || self.parent(rows) == self.parent(next_rows);
        match row == next_row {
            true => cell != next,
            // Rows are in the same table, or in its head and its body.
            false => self.element(cell).is_header_cell() && above(self.parent(row), self.parent(next_row)),
        }
    }

    /// The tokens of an element's own attributes.
    pub(super) fn tokens_of(&self, element: &Element) -> &[u32] {
        &self.tokens[element.tokens.0 as usize..element.tokens.1 as usize]
    }

    pub(super) fn element(&self, at: u32) -> &Element {
        &self.elements[at as usize]
    }

    /// The element around an element; of the root, itself.
    pub(super) fn parent(&self, at: u32) -> u32 {
        self.elements[at as usize].parent
    }
}

struct Cutter {
    page: PageBlocks,
    /// The number of each element by the index of its node.
    numbers: Vec<u32>,
    /// Whether visible text is in each node, by its index.
    shows_text: Vec<bool>,
    /// The numbers of places.
    places: HashMap<u64, u32, PieceHasher>,
    reader: ElementReader,
    shape: ShapeReader,
    /// The text of the block so far, white space collapsed.
    text: String,
    /// The text nodes of the block so far.
    nodes: Vec<TextNode>,
    open: Block,
    last_link: u32,
    after_break: bool,
    has_text: bool,
    has_title: bool,
}

impl Cutter {
    fn new(document: &Document<'_>) -> Cutter {
        // About as many as most pages have: growing step by step copies all of them several times.
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
            shows_text: vec![false; document.node_count()],
            places: HashMap::default(),
            reader: ElementReader::default(),
            shape: ShapeReader::default(),
            text: String::new(),
            nodes: Vec::new(),
            open: Block::default(),
            last_link: 0,
            after_break: false,
            has_text: false,
            has_title: false,
        }
    }

    /// Takes in a node, and says whether to look inside.
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
            // Browsers show the first one.
            Tag::TITLE if node.parent().and_then(Node::tag) == Some(Tag::HEAD) && !self.has_title => {
                self.has_title = true;
                self.page.title_parts = title_parts::of(node);
                return false;
            }
            Tag::BR | Tag::HR => {
                self.end_block();
                self.after_break = true;
                return false;
            }
            Tag::TEMPLATE => return false,
            tag if is_hidden(tag) => return false,
            _ => {}
        }
        let parent = node.parent().map_or(0, |parent| self.numbers[parent.index()]);
        let element = self.reader.read(node, tag, parent, &mut self.page);
        if element.is_block {
            self.end_block();
            self.after_break = false;
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
        for node in std::iter::once(node).chain(node.ancestors()) {
            if std::mem::replace(&mut self.shows_text[node.index()], true) {
                break;
            }
        }
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

    fn text_space(&mut self) {
        if self.has_text {
            self.shape.read(" ", &mut self.text, &mut self.page.words);
        }
    }

    /// Ends the block, if it has a word; marks alone are no block, and stay where they are.
    fn end_block(&mut self) {
        if !self.has_text {
            return;
        }
        let mut block = self.open;
        (block.shape, block.text_without_digits) = self.shape.finish(&mut self.page.words);
        block.words.1 = self.page.words.len() as u32;
        block.text = xxh3::xxh3_64(self.text.trim_end().as_bytes());
        if block.words.1 > block.words.0 {
            block.place = self.place_number(block.element);
            self.page.texts.append(&mut self.nodes);
            self.page.blocks.push(block);
        }
        self.nodes.clear();
        self.text.clear();
        self.has_text = false;
    }

    fn place_number(&mut self, element: u32) -> u32 {
        let (place, places) = (self.page.elements[element as usize].place, &mut self.page.places);
        *self.places.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    }
}

/// How often each text stands on a page, and where first.
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
