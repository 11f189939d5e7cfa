//! Markup without visible text: elements of the head, scripts, styles, comments, and empty wrappers.
//!
//! Sites repeat most of it byte for byte except for numbers (versions, times, the id of the page), so markup is compared with all numbers
//! treated as equal, except where it shows an image. Inline elements are left alone, since they belong to the text around them. So are
//! table cells, whose removal would shift columns, and formulas, whose parts may have no text, such as a space.

use xxhash_rust::xxh3;

use super::elements::{is_inline, push_with_numbers_alike};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind, Span};

/// The maximum number of pieces of markup of a page.
pub(super) const MARKUP_MAX: usize = 1 << 10;

/// A piece of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Markup {
    pub(super) span: Span,
    /// A hash of its bytes. Every number counts as the same number, unless the markup shows an image.
    pub(super) hash: u64,
}

/// The markup of a page, in tree order: the largest nodes that show nothing. `shows` says for every node whether it shows text or a
/// formula.
pub(super) fn of(document: &Document<'_>, shows: &[bool]) -> Vec<Markup> {
    let mut found = Vec::new();
    let mut memory = Vec::new();
    let mut next = document.root().first_child();
    while let Some(node) = next {
        let is_open = shows[node.index()] || matches!(node.tag(), Some(Tag::HTML | Tag::HEAD | Tag::BODY));
        if !is_open && is_markup(node) {
            found.push(Markup { span: node.span(), hash: hash(node, &mut memory) });
        }
        if found.len() == MARKUP_MAX {
            break;
        }
        let inside = if is_open { node.first_child() } else { None };
        next = inside.or_else(|| node.next_outside());
    }
    found
}

fn hash(node: Node<'_>, memory: &mut Vec<u8>) -> u64 {
    if shows_image(node) {
        return xxh3::xxh3_64(node.bytes());
    }
    memory.clear();
    push_with_numbers_alike(node.bytes(), memory);
    xxh3::xxh3_64(memory)
}

/// Whether markup shows an image. Images often differ only in the number in their file name.
fn shows_image(node: Node<'_>) -> bool {
    node.tag() == Some(Tag::IMG) || node.descendants().any(|node| node.tag() == Some(Tag::IMG))
}

fn is_markup(node: Node<'_>) -> bool {
    if node.is_moved() || node.span().is_empty() {
        return false;
    }
    match (node.kind(), node.tag()) {
        (NodeKind::Comment, _) => true,
        // The title is read by people.
        (NodeKind::Element, Some(Tag::TITLE)) => false,
        (NodeKind::Element, Some(tag)) => !is_inline(tag) && !STRUCTURE.contains(&tag),
        _ => false,
    }
}

/// Elements that structure a page even if they are empty.
const STRUCTURE: [Tag; 13] = [
    Tag::BR,
    Tag::HR,
    Tag::TD,
    Tag::TH,
    Tag::TR,
    Tag::TBODY,
    Tag::THEAD,
    Tag::TFOOT,
    Tag::COL,
    Tag::COLGROUP,
    Tag::CAPTION,
    Tag::MATH,
    Tag::SVG,
];

/// Whether a script is the source of a formula.
pub(super) fn is_formula(script: Node<'_>) -> bool {
    script.attribute("type").is_some_and(|kind| kind.trim_start().starts_with("math/"))
}
