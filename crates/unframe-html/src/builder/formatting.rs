//! Formatting elements, which continue across the ends of other elements: `<b>one<p>two</b>three`.

use super::super::document::{NodeData, NodeId};
use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::super::tag::{Namespace, Tag};
use super::super::tokenizer::{Attribute, TagToken};
use super::Builder;
use super::place::Place;
use super::stack::Open;
use crate::limits::FORMATTING_MAX;

/// An entry of the list of active formatting elements.
#[derive(Debug, Clone, Copy)]
pub(super) enum Formatting {
    /// A marker, as at the start of a cell, a button or an object: formatting elements before it are not repeated after it.
    Marker,
    /// A formatting element.
    Element { node: NodeId, tag: Tag },
}

impl Formatting {
    fn is(&self, wanted: NodeId) -> bool {
        matches!(self, Formatting::Element { node, .. } if *node == wanted)
    }
}

/// Maximum number of equal formatting elements that are repeated ("Noah's Ark").
const EQUAL_MAX: usize = 3;

impl Builder<'_, '_> {
    /// Inserts a formatting element and makes it active.
    pub(super) fn insert_formatting(&mut self, tag: TagToken) {
        self.reconstruct_formatting();
        let open = self.insert(tag);
        if !self.is_open(open) {
            return;
        }
        let equal: Vec<usize> = self
            .formatting_since_marker()
            .filter(|(_, node, other)| *other == tag.tag && self.has_equal_attributes(*node, open.node))
            .map(|(index, _, _)| index)
            .take(EQUAL_MAX)
            .collect();
        if equal.len() == EQUAL_MAX {
            self.formatting.remove(equal[EQUAL_MAX - 1]);
        }
        if self.formatting.len() >= FORMATTING_MAX {
            self.tokenizer.problems.add(ParseProblem::TooMuchFormatting, self.span.start as usize);
            self.formatting.remove(0);
        }
        self.formatting.push(Formatting::Element { node: open.node, tag: tag.tag });
    }

    /// The active formatting elements after the last marker, the last one first.
    fn formatting_since_marker(&self) -> impl Iterator<Item = (usize, NodeId, Tag)> + '_ {
        self.formatting.iter().enumerate().rev().map_while(|(index, entry)| match entry {
            Formatting::Marker => None,
            Formatting::Element { node, tag } => Some((index, *node, *tag)),
        })
    }

    fn has_equal_attributes(&self, one: NodeId, other: NodeId) -> bool {
        let input = self.tokenizer.input();
        let of = |node: NodeId| &self.tokenizer.attributes[self.nodes[node.index()].attributes.range()];
        let equal = |a: &Attribute, b: &Attribute| {
            a.name.slice(input).eq_ignore_ascii_case(b.name.slice(input))
                && a.value.slice(input) == b.value.slice(input)
        };
        let (one, other) = (of(one), of(other));
        one.len() == other.len() && one.iter().all(|a| other.iter().any(|b| equal(a, b)))
    }

    /// The standard's "reconstruct the active formatting elements".
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
        match self.formatting.last() {
            None | Some(Formatting::Marker) => {}
            Some(Formatting::Element { node, .. }) if self.nodes[node.index()].has(NodeData::OPEN) => {}
            Some(_) => self.repeat_formatting(),
        }
    }

    #[cold]
    fn repeat_formatting(&mut self) {
        let is_open = |node: &NodeId| self.nodes[node.index()].has(NodeData::OPEN);
        let closed = self.formatting.iter().rev().take_while(|entry| match entry {
            Formatting::Marker => false,
            Formatting::Element { node, .. } => !is_open(node),
        });
        let first = self.formatting.len() - closed.count();
        for index in first..self.formatting.len() {
            let Formatting::Element { node, tag } = self.formatting[index] else { continue };
            if self.repeat_budget == 0 || self.stack.len() >= crate::limits::DEPTH_MAX {
                self.tokenizer.problems.add(ParseProblem::TooMuchFormatting, self.span.start as usize);
                return;
            }
            self.repeat_budget -= 1;
            let place = self.place();
            let copy = self.copy_of(node, self.span.start);
            self.link(copy, place);
            self.stack.push(open_html(copy, tag));
            self.formatting[index] = Formatting::Element { node: copy, tag };
        }
    }

    pub(super) fn insert_marker(&mut self) {
        self.formatting.push(Formatting::Marker);
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(Formatting::Element { .. }) = self.formatting.pop() {}
    }

    /// The last active formatting element of that name after the last marker.
    pub(super) fn active_formatting(&self, wanted: Tag) -> Option<NodeId> {
        self.formatting_since_marker().find(|(_, _, tag)| *tag == wanted).map(|(_, node, _)| node)
    }

    fn formatting_position(&self, node: NodeId) -> Option<usize> {
        self.formatting.iter().rposition(|entry| entry.is(node))
    }

    pub(super) fn forget_formatting(&mut self, node: NodeId) {
        if let Some(at) = self.formatting_position(node) {
            self.formatting.remove(at);
        }
    }

    /// The standard's "adoption agency algorithm": closes a formatting element that other elements may overlap.
    pub(super) fn adoption_agency(&mut self, tag: Tag, end_tag: Span) {
        let current = self.current();
        if current.is(tag) && self.formatting_position(current.node).is_none() {
            self.stack.pop();
            return self.end_at(current.node, end_tag);
        }
        for _ in 0..8 {
            let Some(element) = self.active_formatting(tag) else {
                return self.any_other_end_tag(tag, end_tag);
            };
            let Some(element_at) = self.stack.position(element) else {
                return self.forget_formatting(element);
            };
            if !self.stack.has_node_in_scope(element) {
                return;
            }
            let block =
                self.stack.iter().enumerate().skip(element_at + 1).find(|(_, open)| open.is_special());
            let Some((block_at, block)) = block.map(|(at, open)| (at, *open)) else {
                while self.stack.len() > element_at + 1 {
                    self.pop();
                }
                self.stack.pop();
                self.end_at(element, end_tag);
                return self.forget_formatting(element);
            };
            self.adopt(element, element_at, block, block_at, end_tag);
        }
    }

    /// One round: moves `block`, and the elements between it and `element`, out of `element`, and its content into a copy.
    fn adopt(&mut self, element: NodeId, element_at: usize, block: Open, block_at: usize, end_tag: Span) {
        if self.repeat_budget < 8 {
            // If there are too many copies, the block stays inside.
            self.tokenizer.problems.add(ParseProblem::TooMuchFormatting, self.span.start as usize);
            return self.forget_formatting(element);
        }
        let ancestor = self.stack.get(element_at.wrapping_sub(1)).copied().unwrap_or(self.current());
        let (last, bookmark) = self.adopt_between(element, element_at, block, block_at);
        self.adopt_node(last, last == block.node, self.place_in(ancestor));
        self.repeat_budget -= 1;
        let copy = self.copy_of(element, self.nodes[block.node.index()].open_end);
        let tag = self.nodes[element.index()].tag;
        self.move_children(block.node, copy);
        self.link(copy, Place::end_of(block.node));
        self.replace_formatting(element, Formatting::Element { node: copy, tag }, bookmark);
        if let Some(at) = self.stack.position(element) {
            self.remove_from_stack(at, end_tag);
        }
        if let Some(at) = self.stack.position(block.node) {
            self.stack.insert(at + 1, open_html(copy, tag));
        }
    }

    /// The inner loop: copies the formatting elements between `element` and `block`. Returns the outermost node to move, and the active
    /// element that the copy of `element` is inserted after, if it does not replace `element`.
    fn adopt_between(
        &mut self,
        element: NodeId,
        element_at: usize,
        block: Open,
        block_at: usize,
    ) -> (NodeId, Option<NodeId>) {
        let mut last = block.node;
        let mut bookmark = None;
        for (round, at) in (element_at + 1..block_at).rev().enumerate() {
            let Some(open) = self.stack.get(at).copied() else { break };
            if open.node == element {
                break;
            }
            if round >= 3 {
                self.forget_formatting(open.node);
            }
            let Some(active_at) = self.formatting_position(open.node) else {
                self.remove_from_stack(at, Span::empty(self.span.start));
                continue;
            };
            self.repeat_budget -= 1;
            let copy = self.copy_of(open.node, self.nodes[last.index()].start);
            self.end_at(open.node, Span::empty(self.span.start));
            self.formatting[active_at] = Formatting::Element { node: copy, tag: open.tag };
            self.stack.replace(at, copy);
            let is_block = last == block.node;
            if is_block {
                bookmark = Some(copy);
            }
            self.adopt_node(last, is_block, Place::end_of(copy));
            last = copy;
        }
        (last, bookmark)
    }

    /// Inserts a node at a place. The block moves there from elsewhere in the tree, whereas a copy is new.
    fn adopt_node(&mut self, node: NodeId, is_in_tree: bool, place: Place) {
        match is_in_tree {
            true => self.relink(node, place),
            false => self.link(node, place),
        }
    }

    fn replace_formatting(&mut self, old: NodeId, new: Formatting, bookmark: Option<NodeId>) {
        match bookmark {
            None => {
                if let Some(at) = self.formatting_position(old) {
                    self.formatting[at] = new;
                }
            }
            Some(after) => {
                self.forget_formatting(old);
                let at = self.formatting_position(after).map_or(self.formatting.len(), |at| at + 1);
                self.formatting.insert(at, new);
            }
        }
    }
}

fn open_html(node: NodeId, tag: Tag) -> Open {
    Open { node, tag, namespace: Namespace::Html, hints: tag.hints(Namespace::Html) }
}
