//! Joins frequent windows that overlap or touch.

use std::cmp::Ordering;

use xxhash_rust::xxh3;

use super::{Text, Words};
use crate::model::Model;
use crate::regions::{Region, TemplateHash};
use crate::sample::Count;

/// Joins the frequent windows of a line in their order.
pub(super) struct Joiner<'m> {
    text: &'m Text,
    model: &'m Model,
    pub(super) joined: Vec<Joined>,
    /// Whether the last counted window is frequent.
    was_frequent: bool,
}

/// Joined frequent windows, as a range of characters of the line.
pub(super) struct Joined {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) pages: u32,
    /// Whether it continues where the previous one was cut.
    pub(super) is_next: bool,
}

impl Joined {
    fn extend(&mut self, end: usize, count: Count) {
        self.end = end;
        self.pages = self.pages.min(count.pages);
    }

    /// The region without the spaces at its ends; `None` for a window that is only a space.
    pub(super) fn region(&self, words: Words) -> Option<Region> {
        let hash = TemplateHash(xxh3::xxh3_64(words.text.as_bytes()));
        Some(Region::new(words.span?, hash, self.pages))
    }
}

impl<'m> Joiner<'m> {
    pub(super) fn new(text: &'m Text, model: &'m Model) -> Joiner<'m> {
        Joiner { text, model, joined: Vec::new(), was_frequent: false }
    }

    /// Processes the next counted window.
    #[inline]
    pub(super) fn push(&mut self, at: usize, hash: u64) {
        let found = self.model.count(hash);
        if let Some(count) = found {
            self.push_frequent(at, count);
        }
        self.was_frequent = found.is_some();
    }

    fn push_frequent(&mut self, at: usize, count: Count) {
        let (end, gap) = (at + self.text.window, self.gap());
        let last = self.joined.last().filter(|last| at <= last.end + gap);
        let cut = last.map(|last| self.cut(last, at, count));
        match (self.joined.last_mut(), cut) {
            (Some(last), Some(Some(cut))) => {
                last.end = cut;
                self.joined.push(Joined { start: cut, end, pages: count.pages, is_next: true });
            }
            (Some(last), Some(None)) => last.extend(end, count),
            _ => self.joined.push(Joined { start: at, end, pages: count.pages, is_next: false }),
        }
    }

    /// The position at which joined text is cut before the window at `at`, because the number of pages changes there. Text on more or fewer
    /// pages is a template of its own, so two texts that differ at their edges share most of their templates.
    fn cut(&self, last: &Joined, at: usize, count: Count) -> Option<usize> {
        let cut = match count.pages.cmp(&last.pages) {
            _ if self.text.density > 1 => return None,
            Ordering::Equal => return None,
            // The last character of the window is the first character that fewer pages have.
            Ordering::Less => at + self.text.window - 1,
            // The window is the first one without a character that fewer pages have.
            Ordering::Greater => at,
        };
        Some(cut.clamp(last.start + 1, last.end))
    }

    /// Maximum number of characters between two windows that are joined.
    fn gap(&self) -> usize {
        if self.was_frequent && self.text.density > 1 {
            self.text.window + self.text.density as usize
        } else {
            0
        }
    }
}
