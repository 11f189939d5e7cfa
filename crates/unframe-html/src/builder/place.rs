//! The places of nodes in the tree, and their positions in the page.

use super::super::document::{NodeData, NodeId, NodeKind};
use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::super::tag::hint::{FOSTERS, HTML_INTEGRATION, TABLE_PART};
use super::super::tag::{Namespace, Tag};
use super::super::tokenizer::{AttributeRange, Doctype, TagToken, TextKind};
use super::Builder;
use super::stack::Open;
use crate::limits::DEPTH_MAX;

/// An insertion point in the tree.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) parent: NodeId,
    /// The next sibling; none at the end of the parent.
    before: NodeId,
    /// Whether the place in the tree differs from the place of the bytes.
    moved: bool,
}

impl Place {
    pub(super) fn end_of(parent: NodeId) -> Place {
        Place { parent, before: NodeId::NONE, moved: false }
    }
}

/// The root node of a tree.
pub(super) fn root() -> NodeData {
    NodeData { end: NodeData::OPEN_END, ..blank(NodeKind::Document, Span::default()) }
}

fn blank(kind: NodeKind, span: Span) -> NodeData {
    NodeData {
        parent: NodeId::NONE,
        first_child: NodeId::NONE,
        last_child: NodeId::NONE,
        previous: NodeId::NONE,
        next: NodeId::NONE,
        start: span.start,
        open_end: span.end,
        close_start: span.end,
        end: span.end,
        attributes: AttributeRange::default(),
        tag: Tag::HTML,
        kind,
        namespace: Namespace::Html,
        text_kind: TextKind::Data,
        flags: 0,
    }
}

impl Builder<'_, '_> {
    /// The innermost open element. The stack is never empty once `html` is on it.
    #[inline]
    pub(super) fn current(&self) -> Open {
        self.stack.last().copied().unwrap_or(Open {
            node: NodeId::NONE,
            tag: Tag::HTML,
            namespace: Namespace::Html,
            hints: 0,
        })
    }

    pub(super) fn current_is(&self, tag: Tag) -> bool {
        self.current().is(tag)
    }

    /// The standard's "appropriate place for inserting a node".
    #[inline]
    pub(super) fn place(&self) -> Place {
        let current = self.current();
        if self.foster && current.has(FOSTERS) { self.foster_place() } else { Place::end_of(current.node) }
    }

    /// Like [`Builder::place`], with an override target.
    pub(super) fn place_in(&self, target: Open) -> Place {
        if self.foster && target.has(FOSTERS) { self.foster_place() } else { Place::end_of(target.node) }
    }

    /// The foster parenting place, in front of the table.
    fn foster_place(&self) -> Place {
        let table = self.stack.last_position(Tag::TABLE);
        let template = self.stack.last_position(Tag::TEMPLATE);
        let node_at = |index: usize| self.stack.get(index).map_or(NodeId::NONE, |open| open.node);
        match (table, template) {
            (table, Some(template)) if table.is_none_or(|table| template > table) => {
                Place::end_of(node_at(template))
            }
            (None, _) => Place::end_of(node_at(0)),
            (Some(table), _) => {
                let table = node_at(table);
                Place { parent: self.nodes[table.index()].parent, before: table, moved: true }
            }
        }
    }

    /// Inserts the element of a start tag and pushes it onto the stack.
    #[inline]
    pub(super) fn insert(&mut self, tag: TagToken) -> Open {
        self.insert_in(tag, Namespace::Html)
    }

    /// Like [`Builder::insert`], in any namespace. The element is not pushed if it is too deep.
    pub(super) fn insert_in(&mut self, tag: TagToken, namespace: Namespace) -> Open {
        let open = self.insert_closed(tag, namespace);
        if self.stack.len() >= DEPTH_MAX && !open.has(TABLE_PART) {
            self.flatten(open);
        } else {
            self.open(open);
        }
        open
    }

    /// Inserts an element and pushes it regardless of its depth, because the insertion modes rely on it.
    pub(super) fn insert_and_always_push(&mut self, tag: TagToken) {
        let open = self.insert_closed(tag, Namespace::Html);
        self.open(open);
    }

    /// Inserts an element that has no content.
    pub(super) fn insert_void(&mut self, tag: TagToken) {
        self.insert_closed(tag, Namespace::Html);
    }

    /// Inserts an element that is implied rather than written in the page.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> NodeId {
        let span = Span::empty(self.span.start);
        let token =
            TagToken { span, name: span, tag, self_closing: false, attributes: AttributeRange::default() };
        self.insert(token).node
    }

    fn insert_closed(&mut self, tag: TagToken, namespace: Namespace) -> Open {
        let mut data = blank(NodeKind::Element, tag.span);
        data.tag = tag.tag;
        data.namespace = namespace;
        data.attributes = tag.attributes;
        let mut hints = tag.tag.hints(namespace);
        if namespace == Namespace::MathMl && self.is_html_annotation(&tag) {
            hints |= HTML_INTEGRATION;
        }
        let node = self.add(data, self.place());
        Open { node, tag: tag.tag, namespace, hints }
    }

    fn is_html_annotation(&self, tag: &TagToken) -> bool {
        tag.tag == Tag::ANNOTATION_XML
            && self.attribute(tag, b"encoding").is_some_and(|encoding| {
                encoding.eq_ignore_ascii_case(b"text/html")
                    || encoding.eq_ignore_ascii_case(b"application/xhtml+xml")
            })
    }

    pub(super) fn open(&mut self, open: Open) {
        let parent = self.nodes[open.node.index()].parent;
        let parent_end = self.nodes[parent.index()].end;
        let data = &mut self.nodes[open.node.index()];
        data.end = NodeData::OPEN_END;
        data.set(NodeData::OPEN, true);
        if parent_end != NodeData::OPEN_END {
            data.set(NodeData::MOVED, true);
        }
        self.stack.push(open);
    }

    #[cold]
    fn flatten(&mut self, open: Open) {
        self.tokenizer.problems.add(ParseProblem::TooDeep, self.span.start as usize);
        self.stack.flatten(open.tag);
    }

    /// Whether an element is on the stack. Elements past the depth limit are not.
    pub(super) fn is_open(&self, open: Open) -> bool {
        self.nodes[open.node.index()].has(NodeData::OPEN)
    }

    /// A copy of an element, as the formatting rules require, without bytes of its own.
    pub(super) fn copy_of(&mut self, original: NodeId, start: u32) -> NodeId {
        let original = self.nodes[original.index()];
        let mut data = blank(NodeKind::Element, Span::empty(start));
        data.tag = original.tag;
        data.namespace = original.namespace;
        data.attributes = original.attributes;
        data.end = NodeData::OPEN_END;
        data.set(NodeData::OPEN, true);
        self.nodes.push(data);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Inserts text, merged into the preceding text if the two are contiguous.
    #[inline]
    pub(super) fn insert_text(&mut self, span: Span, kind: TextKind) {
        if span.is_empty() {
            return;
        }
        let place = self.place();
        let before = self.nodes[place.before.index()];
        let neighbour = if place.before.is_some() {
            before.previous
        } else {
            self.nodes[place.parent.index()].last_child
        };
        if neighbour.is_some() {
            let text = &mut self.nodes[neighbour.index()];
            if text.kind == NodeKind::Text && text.end == span.start && text.text_kind == kind {
                text.end = span.end;
                return;
            }
        }
        let mut data = blank(NodeKind::Text, span);
        data.text_kind = kind;
        self.add(data, place);
    }

    pub(super) fn insert_comment(&mut self, data: Span, place: Place) {
        let mut comment = blank(NodeKind::Comment, self.span);
        comment.open_end = data.start;
        comment.close_start = data.end;
        self.add(comment, place);
    }

    pub(super) fn insert_doctype(&mut self, doctype: Doctype) {
        self.doctype = Some(doctype);
        self.add(blank(NodeKind::Doctype, doctype.span), Place::end_of(NodeId::NONE));
    }

    fn add(&mut self, data: NodeData, place: Place) -> NodeId {
        let node = NodeId(self.nodes.len() as u32);
        self.nodes.push(data);
        self.link(node, place);
        node
    }

    /// Links an unattached node into its place.
    pub(super) fn link(&mut self, node: NodeId, place: Place) {
        let Place { parent, before, moved } = place;
        let parent_end = self.nodes[parent.index()].end;
        let previous = if before.is_some() {
            std::mem::replace(&mut self.nodes[before.index()].previous, node)
        } else {
            std::mem::replace(&mut self.nodes[parent.index()].last_child, node)
        };
        let data = &mut self.nodes[node.index()];
        data.parent = parent;
        data.previous = previous;
        data.next = before;
        // Content after `</body>` still belongs to the body.
        if moved || data.end > parent_end {
            data.set(NodeData::MOVED, true);
        }
        match previous.is_some() {
            true => self.nodes[previous.index()].next = node,
            false => self.nodes[parent.index()].first_child = node,
        }
    }

    /// Removes a node from the tree.
    pub(super) fn unlink(&mut self, node: NodeId) {
        let NodeData { parent, previous, next, .. } = self.nodes[node.index()];
        match previous.is_some() {
            true => self.nodes[previous.index()].next = next,
            false => self.nodes[parent.index()].first_child = next,
        }
        match next.is_some() {
            true => self.nodes[next.index()].previous = previous,
            false => self.nodes[parent.index()].last_child = previous,
        }
        let data = &mut self.nodes[node.index()];
        (data.previous, data.next) = (NodeId::NONE, NodeId::NONE);
    }

    /// Moves a node to the end of another parent.
    pub(super) fn relink(&mut self, node: NodeId, place: Place) {
        self.unlink(node);
        self.link(node, place);
    }

    /// Moves all children of `from` to the end of `to`.
    pub(super) fn move_children(&mut self, from: NodeId, to: NodeId) {
        let mut child = self.nodes[from.index()].first_child;
        while child.is_some() {
            let next = self.nodes[child.index()].next;
            self.relink(child, Place::end_of(to));
            child = next;
        }
    }

    /// Pops the current element, which has no end tag: it ends where the token that closes it begins.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(open) = self.stack.pop() {
            self.end_at(open.node, Span::empty(self.span.start));
        }
    }

    /// Pops the current element, whose end tag is the current token.
    #[inline]
    pub(super) fn close_current(&mut self) {
        if let Some(open) = self.stack.pop() {
            self.end_at(open.node, self.span);
        }
    }

    /// Removes an element from the middle of the stack. Its open children stay open.
    pub(super) fn remove_from_stack(&mut self, index: usize, end_tag: Span) {
        let removed = self.stack.remove(index).node;
        self.end_at(removed, end_tag);
        if let Some(inner) = self.stack.get(index)
            && self.nodes[inner.node.index()].parent == removed
        {
            self.nodes[inner.node.index()].set(NodeData::MOVED, true);
        }
    }

    /// Ends an element that was removed from the stack.
    pub(super) fn end_at(&mut self, node: NodeId, end_tag: Span) {
        self.nodes[node.index()].set(NodeData::OPEN, false);
        self.mark_end(node, end_tag);
    }

    /// Sets the end of an element, unless it is known already.
    pub(super) fn mark_end(&mut self, node: NodeId, end_tag: Span) {
        let data = &mut self.nodes[node.index()];
        if data.end == NodeData::OPEN_END {
            data.close_start = end_tag.start;
            data.end = end_tag.end.max(data.open_end);
        }
    }

    /// Pops elements up to and including one of that name, all without end tags.
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while self.stack.len() > 0 {
            let found = self.current_is(tag);
            self.pop();
            if found {
                return;
            }
        }
    }

    /// Pops elements up to and including one of that name, whose end tag is the current token.
    pub(super) fn close_until(&mut self, tag: Tag) {
        while self.stack.len() > 1 && !self.current_is(tag) {
            self.pop();
        }
        self.close_current();
    }

    /// Pops all elements that are still open at the end of the page.
    pub(super) fn close_everything(&mut self) {
        while self.stack.len() > 0 {
            self.pop();
        }
        self.nodes[0].end = self.span.end;
    }
}
