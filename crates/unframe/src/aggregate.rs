//! From template hashes to templates: which of them occur together, in the same order, on many pages.
//!
//! # What it does
//! Greedy, phase after phase:
//! 1. Take the template hash with the most occurrences. Pages that have it go on, with a cursor behind its first occurrence.
//! 2. Of what lies behind the cursors of these pages, take the hash with the most occurrences, move the cursors behind it, drop
//!    the pages that lack it; and so on until nothing is left.
//! 3. Of all beginnings of that sequence, keep the one with the largest *pages × hashes*, which is the number of
//!    occurrences that it explains. That is a template: its occurrences are removed from all pages.
//!
//! Equal numbers of occurrences: the smaller average offset in the page, then the smaller hash. Equal products: the
//! shorter beginning, which is on more pages. Pages × hashes counts each page once; a template that stands on a page
//! several times is removed as often.
//!
//! By the letter of the paper, all that one page has left could make the largest product and so be a template. That
//! says nothing about the site, so two or more hashes must occur together on [`Aggregator::pages_min`] pages, by default 2; 1 is
//! the paper's letter.
//!
//! # Example
//! Pages `1 2 3`, `1 2 3`, `1 9 3`: the hash 1 is on three pages, `1 3` on three, `1 3 …` on none. So `1 3` is the first
//! template (3 × 2 = 6), `2` the second, `9` the third.
//!
//! # Cost
//! A phase looks once at each remaining occurrence on the pages of its first hash, and removes at least one occurrence
//! from each of these pages. So all phases together take at most *occurrences × regions of the longest page* steps.
//! 12 bytes of memory for each region.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 4.3.

mod curves;
mod greedy;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use curves::{Coverage, Shared, average_coverage, shared_hashes};

use crate::html::Span;
use crate::regions::{Region, TemplateHash};
use crate::sample::PieceHasher;

/// A group of template hashes that occur together, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The hashes, in the order in which they stand on the pages.
    pub hashes: Vec<TemplateHash>,
    /// The pages that have all of them, by the order in which they were added, ascending.
    pub pages: Vec<u32>,
    /// How often the whole sequence was found: at least once a page.
    pub occurrences: u64,
    /// Bytes of all occurrences together.
    pub bytes: u64,
    /// Where each hash stands on the first of the pages, the first time.
    pub first: Vec<Span>,
    /// Where each hash stands on the last of the pages, the last time.
    pub last: Vec<Span>,
}

/// The templates of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Aggregation {
    /// The templates, in the order in which they were found: the most widely used first.
    pub templates: Vec<Template>,
    /// All template hashes: most occurrences first, then by hash.
    pub ranks: Vec<Ranked>,
    /// Bytes of all regions together.
    pub bytes: u64,
    /// How many pages were added.
    pub pages: u32,
}

/// A template hash and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    /// The hash.
    pub template: TemplateHash,
    /// Occurrences on all pages.
    pub occurrences: u64,
    /// Pages with at least one.
    pub pages: u32,
    /// Bytes of all occurrences together.
    pub bytes: u64,
}

/// Collects the regions of a site's pages.
///
/// ```
/// use unframe::aggregate::Aggregator;
/// use unframe::html::Span;
/// use unframe::regions::{Region, TemplateHash};
///
/// let mut aggregator = Aggregator::default();
/// for page in [[1, 2, 3], [1, 2, 3], [1, 9, 3]] {
///     let regions: Vec<Region> = (0..3)
///         .map(|at| Region::new(Span::new(at * 10, at * 10 + 5), TemplateHash(page[at]), 2))
///         .collect();
///     aggregator.add_page(&regions);
/// }
/// let site = aggregator.finish();
/// assert_eq!(site.templates[0].hashes, [TemplateHash(1), TemplateHash(3)]);
/// assert_eq!(site.templates[0].pages, [0, 1, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct Aggregator {
    /// On how many pages two or more hashes must occur together to be one template.
    pub pages_min: usize,
    /// Hashes are numbered in the order in which they are met.
    numbers: HashMap<u64, u32, PieceHasher>,
    hashes: Vec<TemplateHash>,
    pages: Vec<Vec<Occurrence>>,
}

/// An occurrence of a hash on a page.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    /// The number of the hash.
    hash: u32,
    span: Span,
}

impl Default for Aggregator {
    fn default() -> Aggregator {
        Aggregator { pages_min: 2, numbers: HashMap::default(), hashes: Vec::new(), pages: Vec::new() }
    }
}

impl Aggregator {
    /// Adds a page: its regions, sorted, none overlapping another.
    pub fn add_page(&mut self, regions: &[Region]) {
        let occurrences = regions.iter().map(|region| {
            let next = self.hashes.len() as u32;
            let hash = *self.numbers.entry(region.template.0).or_insert(next);
            if hash == next {
                self.hashes.push(region.template);
            }
            Occurrence { hash, span: region.span }
        });
        self.pages.push(occurrences.collect());
    }

    /// Groups the hashes into templates.
    pub fn finish(self) -> Aggregation {
        let ranks = self.ranks();
        let bytes = ranks.iter().map(|ranked| ranked.bytes).sum();
        let pages = self.pages.len() as u32;
        let templates = greedy::templates(self.hashes, self.pages, self.pages_min);
        Aggregation { templates, ranks, bytes, pages }
    }

    fn ranks(&self) -> Vec<Ranked> {
        let zero = |template| Ranked { template, occurrences: 0, pages: 0, bytes: 0 };
        let mut ranks: Vec<Ranked> = self.hashes.iter().copied().map(zero).collect();
        let mut last_page = vec![None; ranks.len()];
        for (page, occurrences) in self.pages.iter().enumerate() {
            for occurrence in occurrences {
                let number = occurrence.hash as usize;
                let ranked = &mut ranks[number];
                ranked.occurrences += 1;
                ranked.bytes += occurrence.span.len() as u64;
                ranked.pages += u32::from(last_page[number] != Some(page));
                last_page[number] = Some(page);
            }
        }
        ranks.sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.occurrences), ranked.template));
        ranks
    }
}
