//! A range of bytes.

use std::ops::Range;

/// A range of bytes: `start` is the first byte, `end` the one after the last.
///
/// Positions are 32 bits wide, which halves the size of a tree; no page is longer than
/// [`PAGE_BYTES_MAX`](crate::limits::PAGE_BYTES_MAX).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// No bytes, at `position`.
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

    /// Whether all of `other` lies inside.
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `bytes` that the span names.
    pub fn slice(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.range()]
    }
}
