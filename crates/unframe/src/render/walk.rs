//! Visits the nodes of a page in document order, with an action at the end of each element, and finds the parts of texts that are kept.

use super::{is_hidden, regions_in};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind};
use crate::regions::{Region, RegionCursor};
use crate::text::hidden_email;
use crate::text::permalink::is_permalink;

/// Writes a page node by node.
pub(super) trait Visitor<'d> {
    /// The action at the end of an element.
    type AtEnd;

    /// Begins a node. `None` if its descendants are to be skipped.
    fn enter(&mut self, node: Node<'d>) -> Option<Self::AtEnd>;

    /// Ends an element.
    fn leave(&mut self, at_end: Self::AtEnd);
}

/// Visits all nodes of a page.
pub(super) fn visit<'d, V: Visitor<'d>>(document: &'d Document<'d>, visitor: &mut V) {
    // The actions at the ends of the open elements.
    let mut open: Vec<V::AtEnd> = Vec::new();
    let mut next = document.root().first_child();
    while let Some(node) = next {
        if let Some(at_end) = visitor.enter(node) {
            if let Some(child) = node.first_child() {
                open.push(at_end);
                next = Some(child);
                continue;
            }
            visitor.leave(at_end);
        }
        let mut ending = node;
        next = loop {
            if let Some(sibling) = ending.next_sibling() {
                break Some(sibling);
            }
            let Some(parent) = ending.parent().filter(|parent| parent.kind() == NodeKind::Element) else {
                break None;
            };
            if let Some(at_end) = open.pop() {
                visitor.leave(at_end);
            }
            ending = parent;
        };
    }
}

/// The space that is due before the next word of a line.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
pub(super) enum Pending {
    #[default]
    Nothing,
    Space,
    Break,
}

/// Whether an element is a link directly after another one, whose last word would be glued to its first.
pub(super) fn follows_link(node: Node<'_>) -> bool {
    let is_link = |node: &Node<'_>| node.tag() == Some(Tag::A);
    let before = || node.previous_sibling().filter(is_link);
    is_link(&node) && before().is_some_and(|link| link.text().ends_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Whether an element is left out with its content: it is not for readers, or repeats an address.
pub(super) fn is_skipped(node: Node<'_>) -> bool {
    is_hidden(node) || is_permalink(node)
}

/// Calls `part` with each part of a text that is outside of the regions, and with `None` where something is left out.
pub(super) fn kept_text(node: Node<'_>, regions: &[Region], mut part: impl FnMut(Option<&str>)) {
    let regions = regions_in(regions, node.span());
    match regions {
        [] => match hidden_email::of_text(node) {
            Some(address) => return part(Some(&address)),
            None => return part(Some(&node.text())),
        },
        // Most text of templates is inside one region.
        [region] if region.span.contains(node.span()) => return part(None),
        _ => {}
    }
    let mut cursor = RegionCursor::new(regions);
    let mut kept = String::new();
    node.for_each_char(|c, bytes| {
        if cursor.at(bytes.start).is_none() {
            kept.push(c);
        } else {
            part(Some(&kept));
            kept.clear();
            part(None);
        }
    });
    part(Some(&kept));
}
