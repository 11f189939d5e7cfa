//! The share of template words that were removed, and the share of content words that were kept.

use std::collections::HashMap;
use std::ops::AddAssign;

use unframe::PageParser;
use xxhash_rust::xxh3::xxh3_64;

use crate::eval::clean;
use crate::gold::{Gold, GoldPage};
use crate::words::for_each_word;

/// The gold words of a page, and counts of its own words.
pub(super) struct PageWords {
    gold: HashMap<u64, u32>,
    /// The number of words of the page, and how many of them are content.
    all: u64,
    content: u64,
}

/// Counts of words before and after templates were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Score {
    content: u64,
    content_kept: u64,
    template: u64,
    template_kept: u64,
}

impl PageWords {
    /// The words of a page; `None` if it has no gold text.
    pub(super) fn of(page: &GoldPage, parser: &mut PageParser) -> Option<PageWords> {
        let Some(Gold::Text(text)) = &page.gold else { return None };
        let mut gold: HashMap<u64, u32> = HashMap::new();
        for_each_word(text, |word| *gold.entry(xxh3_64(word.as_bytes())).or_default() += 1);
        let mut words = PageWords { gold, all: 0, content: 0 };
        (words.all, words.content) = words.count(&clean(page, &[], parser));
        Some(words)
    }

    /// The number of words of a text, and how many of them are content.
    fn count(&self, text: &str) -> (u64, u64) {
        let mut left = self.gold.clone();
        let (mut all, mut content) = (0, 0);
        for_each_word(text, |word| {
            all += 1;
            if let Some(count) = left.get_mut(&xxh3_64(word.as_bytes())).filter(|count| **count > 0) {
                *count -= 1;
                content += 1;
            }
        });
        (all, content)
    }

    /// Scores the text that remains of the page.
    pub(super) fn score(&self, text: &str) -> Score {
        let (all, content) = self.count(text);
        Score {
            content: self.content,
            content_kept: content,
            template: self.all - self.content,
            template_kept: all - content,
        }
    }
}

impl Score {
    /// The share of the template that was removed; 1 if there is none.
    pub(super) fn found(self) -> f64 {
        if self.template == 0 { 1.0 } else { 1.0 - self.template_kept as f64 / self.template as f64 }
    }

    /// The share of the content that was kept; 1 if there is none.
    pub(super) fn kept(self) -> f64 {
        if self.content == 0 { 1.0 } else { self.content_kept as f64 / self.content as f64 }
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.content += other.content;
        self.content_kept += other.content_kept;
        self.template += other.template;
        self.template_kept += other.template_kept;
    }
}
