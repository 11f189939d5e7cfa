//! A range of bytes.

use std::ops::Range;

/// A range of bytes from `start` (inclusive) to `end` (exclusive).
///
/// Positions are 32 bits wide, which halves the size of a tree. No page is longer than [`PAGE_BYTES_MAX`](crate::limits::PAGE_BYTES_MAX).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span from `start` (inclusive) to `end` (exclusive).
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The empty span at `position`.
    pub const fn empty(position: u32) -> Span {
        Span { start: position, end: position }
    }

    /// The number of bytes.
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are no bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies entirely inside.
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes in the span.
    pub fn slice(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.range()]
    }
}
