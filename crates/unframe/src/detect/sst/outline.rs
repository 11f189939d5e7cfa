//! The outline of a page for the style tree: element names with their presentational attributes, and words.

use xxhash_rust::xxh3;

use crate::blocks::words;
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind};
use crate::text::is_hidden;

/// The end of a node. In all other pieces, the lowest bits distinguish nodes from words.
const CLOSE: u64 = 0;
const NODE: u64 = 1;
const WORD: u64 = 2;
const KIND: u64 = 3;

/// The presentational attributes.
const LOOKS: [&str; 10] =
    ["class", "style", "role", "align", "width", "height", "bgcolor", "background", "border", "color"];

/// Writes the outline of a page: for each element, text and image a piece, its content, and [`CLOSE`]. For pieces that begin a node, the
/// second argument is the node.
pub(super) fn write<'d>(document: &'d Document<'_>, mut each: impl FnMut(u64, Option<Node<'d>>)) {
    let mut next = document.root().first_child();
    let mut memory = String::new();
    while let Some(node) = next {
        let is_open = begin(node, &mut memory, &mut each);
        let inside = node.first_child().filter(|_| is_open);
        if inside.is_none() && is_open {
            each(CLOSE, None);
        }
        next = inside.or_else(|| after(node, &mut each));
    }
}

/// The node after the end of a node; writes [`CLOSE`] for the ancestors that end with it.
fn after<'d>(node: Node<'d>, each: &mut impl FnMut(u64, Option<Node<'d>>)) -> Option<Node<'d>> {
    let mut ending = node;
    loop {
        if let Some(sibling) = ending.next_sibling() {
            return Some(sibling);
        }
        ending = ending.parent().filter(|parent| parent.kind() == NodeKind::Element)?;
        each(CLOSE, None);
    }
}

/// Writes the piece of a node, if it counts.
fn begin<'d>(node: Node<'d>, memory: &mut String, each: &mut impl FnMut(u64, Option<Node<'d>>)) -> bool {
    match node.kind() {
        NodeKind::Element if node.tag().is_some_and(is_hidden) => false,
        NodeKind::Element => {
            each(looks(node) & !KIND | NODE, Some(node));
            if node.tag() == Some(Tag::IMG)
                && let Some(address) = node.attribute("src")
            {
                each(xxh3::xxh3_64(address.as_bytes()) & !KIND | WORD, None);
            }
            true
        }
        NodeKind::Text => {
            let text = node.text();
            let mut is_open = false;
            words::split(&text, |word| {
                if !is_open {
                    each(NODE, Some(node));
                    is_open = true;
                }
                each(words::hash(&text[word], memory) & !KIND | WORD, None);
            });
            is_open
        }
        NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => false,
    }
}

fn looks(node: Node<'_>) -> u64 {
    let name = xxh3::xxh3_64(node.name().as_bytes());
    // A sum does not depend on the order of the attributes.
    node.attributes().filter(|(name, _)| LOOKS.contains(&&**name)).fold(name, |sum, (name, value)| {
        sum.wrapping_add(xxh3::xxh3_64_with_seed(value.as_bytes(), xxh3::xxh3_64(name.as_bytes())))
    })
}

/// A decoded outline.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The nodes in document order, parents before their children.
    pub(super) nodes: Vec<OutlineNode>,
    pub(super) words: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineNode {
    /// The index of the parent; its own index for an outermost node.
    pub(super) parent: usize,
    /// The index among its siblings.
    child: u64,
    /// A hash of the sequence of children.
    pub(super) style: u64,
    /// The number of children.
    pub(super) children: u64,
    /// The index after that of the last descendant.
    end: usize,
    /// The range of its words, including those of descendants.
    words: (usize, usize),
}

impl Outline {
    /// Decodes pieces. A truncated outline ends at the cut.
    pub(super) fn read(pieces: &[u64]) -> Outline {
        let mut outline = Outline::default();
        let mut open: Vec<usize> = Vec::new();
        for piece in pieces {
            match piece & KIND {
                NODE => outline.begin(*piece, &mut open),
                WORD => outline.words.push(*piece),
                _ => outline.end_node(&mut open),
            }
        }
        while !open.is_empty() {
            outline.end_node(&mut open);
        }
        outline
    }

    fn begin(&mut self, piece: u64, open: &mut Vec<usize>) {
        let at = self.nodes.len();
        let mut child = 0;
        if let Some(parent) = open.last().map(|parent| &mut self.nodes[*parent]) {
            parent.style = xxh3::xxh3_64_with_seed(&piece.to_le_bytes(), parent.style);
            child = parent.children;
            parent.children += 1;
        }
        let parent = open.last().copied().unwrap_or(at);
        let words = (self.words.len(), self.words.len());
        self.nodes.push(OutlineNode { parent, child, style: 0, children: 0, end: at + 1, words });
        open.push(at);
    }

    fn end_node(&mut self, open: &mut Vec<usize>) {
        if let Some(at) = open.pop() {
            let (end, words_end) = (self.nodes.len(), self.words.len());
            self.nodes[at].end = end;
            self.nodes[at].words.1 = words_end;
        }
    }

    /// The key of every node in the style tree, which identifies the child, the parent's style, and the parent.
    pub(super) fn keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            let key = match node.parent == at {
                true => xxh3::xxh3_64(b"root"),
                false => {
                    let style = style_key(keys[node.parent], self.nodes[node.parent].style);
                    xxh3::xxh3_64_with_seed(&node.child.to_le_bytes(), style)
                }
            };
            keys.push(key);
        }
        keys
    }

    /// The index after that of a node's last descendant.
    pub(super) fn end(&self, at: usize) -> usize {
        self.nodes[at].end
    }

    /// The words in a node.
    pub(super) fn words(&self, at: usize) -> &[u64] {
        let (start, end) = self.nodes[at].words;
        self.words.get(start..end).unwrap_or_default()
    }

    /// A hash that is equal for nodes with equal words.
    pub(super) fn content_hash(&self, at: usize) -> u64 {
        crate::detect::blocks::hash_of(self.words(at))
    }
}

/// The key of a style in the style tree.
fn style_key(element: u64, style: u64) -> u64 {
    xxh3::xxh3_64_with_seed(&style.to_le_bytes(), element)
}
