//! The stack of open elements, and the searches for elements in scope.

use super::super::document::NodeId;
use super::super::tag::hint::{SCOPE, SPECIAL};
use super::super::tag::{Namespace, Tag};
use crate::limits::DEPTH_MAX;

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) node: NodeId,
    pub(super) tag: Tag,
    pub(super) namespace: Namespace,
    pub(super) hints: u32,
}

impl Open {
    pub(super) fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.namespace == Namespace::Html
    }

    pub(super) fn has(&self, hints: u32) -> bool {
        self.hints & hints != 0
    }

    pub(super) fn is_special(&self) -> bool {
        self.has(SPECIAL)
    }
}

/// The open elements, outermost first, with the number of open HTML elements of each name: most searches are for names that are not on the stack.
#[derive(Debug, Default)]
pub(super) struct Stack {
    open: Vec<Open>,
    counts: Vec<u32>,
    /// The names of elements past the depth limit, which are in the tree, but not on the stack.
    flattened: Vec<Tag>,
}

impl Stack {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.counts.clear();
        self.flattened.clear();
    }

    pub(super) fn push(&mut self, open: Open) {
        self.count(open, 1);
        self.open.push(open);
    }

    pub(super) fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.count(open, u32::MAX);
        if self.open.len() < DEPTH_MAX {
            self.flattened.clear();
        }
        Some(open)
    }

    pub(super) fn remove(&mut self, index: usize) -> Open {
        let open = self.open.remove(index);
        self.count(open, u32::MAX);
        open
    }

    pub(super) fn insert(&mut self, index: usize, open: Open) {
        self.count(open, 1);
        self.open.insert(index, open);
    }

    /// Replaces an element by a copy with the same name.
    pub(super) fn replace(&mut self, index: usize, node: NodeId) {
        self.open[index].node = node;
    }

    fn count(&mut self, open: Open, change: u32) {
        if open.namespace == Namespace::Html {
            let number = open.tag.0 as usize;
            if number >= self.counts.len() {
                self.counts.resize(number + 1, 0);
            }
            self.counts[number] = self.counts[number].wrapping_add(change);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Open> {
        self.open.get(index)
    }

    pub(super) fn last(&self) -> Option<&Open> {
        self.open.last()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Open> + ExactSizeIterator {
        self.open.iter()
    }

    /// Whether an HTML element with that name is open.
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.counts.get(tag.0 as usize).is_some_and(|count| *count > 0)
    }

    pub(super) fn position(&self, node: NodeId) -> Option<usize> {
        self.open.iter().rposition(|open| open.node == node)
    }

    pub(super) fn last_position(&self, tag: Tag) -> Option<usize> {
        if !self.has(tag) {
            return None;
        }
        self.open.iter().rposition(|open| open.is(tag))
    }

    /// Whether an element with that name is in scope: open, without an inner element that has one of the hints `scope`.
    pub(super) fn has_in_scope(&self, tag: Tag, scope: u32) -> bool {
        self.has(tag) && self.find_in_scope(scope, |open| open.is(tag))
    }

    /// Whether this element is in scope.
    pub(super) fn has_node_in_scope(&self, node: NodeId) -> bool {
        self.find_in_scope(SCOPE, |open| open.node == node)
    }

    /// Whether an open element that `is_wanted` accepts is in scope.
    pub(super) fn find_in_scope(&self, scope: u32, is_wanted: impl Fn(&Open) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if is_wanted(open) {
                return true;
            }
            if open.has(scope) {
                return false;
            }
        }
        false
    }

    /// Records an element past the depth limit, so that its end tag closes nothing else.
    pub(super) fn flatten(&mut self, tag: Tag) {
        self.flattened.push(tag);
    }

    /// Whether the end tag `tag` closes an element past the depth limit. Only the last few are searched, because there may be a million of them.
    pub(super) fn unflatten(&mut self, tag: Tag) -> bool {
        match self.flattened.iter().rev().take(32).position(|flattened| *flattened == tag) {
            Some(back) => {
                self.flattened.truncate(self.flattened.len() - 1 - back);
                true
            }
            None => false,
        }
    }
}
