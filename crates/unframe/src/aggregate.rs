//! Groups template hashes into templates: hashes that occur together, in the same order, on many pages.
//!
//! # What it does
//! A greedy algorithm in phases:
//! 1. Take the template hash with the most occurrences. The pages that have it stay in the phase; each gets a cursor behind the hash's
//!    first occurrence.
//! 2. Among the occurrences behind these cursors, take the hash with the most occurrences, move the cursors behind it, and drop the pages
//!    that lack it. Repeat until nothing is left.
//! 3. Of all prefixes of the resulting sequence, keep the one with the largest *pages × hashes*, which is the number of occurrences that it
//!    explains. This prefix is a template: its occurrences are removed from all pages.
//!
//! Ties: equal numbers of occurrences are decided by the smaller average offset in the page, then by the smaller hash; equal products by
//! the shorter prefix, which is on more pages. Pages × hashes counts each page once, but a template that occurs several times on a page is
//! removed as often.
//!
//! Taken literally, the paper lets everything that is left of a single page have the largest product and become a template. Such a template
//! says nothing about the site, so two or more hashes must occur together on at least [`Aggregator::pages_min`] pages, by default 2. With
//! 1, the algorithm is that of the paper.
//!
//! # Example
//! Pages `1 2 3`, `1 2 3`, `1 9 3`: the hash 1 is on three pages, `1 3` is on three, and no page has anything behind that. So `1 3` is the
//! first template (3 × 2 = 6), `2` the second, `9` the third.
//!
//! # Cost
//! A phase visits each remaining occurrence on the pages of its first hash once, and removes at least one occurrence from each of these
//! pages. All phases together therefore take at most *occurrences × regions of the longest page* steps. Each region takes 12 bytes of
//! memory.
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
    /// The pages that have all of these hashes, as indexes in the order in which pages were added, ascending.
    pub pages: Vec<u32>,
    /// How often the whole sequence was found: at least once per page.
    pub occurrences: u64,
    /// Bytes of all occurrences together.
    pub bytes: u64,
    /// The spans of the hashes at the first occurrence on the first page.
    pub first: Vec<Span>,
    /// The spans of the hashes at the last occurrence on the last page.
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
    /// Pages with at least one occurrence.
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
    /// The number of pages on which two or more hashes must occur together to form a template.
    pub pages_min: usize,
    /// The index of each hash, in the order of first occurrence.
    numbers: HashMap<u64, u32, PieceHasher>,
    hashes: Vec<TemplateHash>,
    pages: Vec<Vec<Occurrence>>,
}

/// An occurrence of a hash on a page.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    /// The index of the hash.
    hash: u32,
    span: Span,
}

impl Default for Aggregator {
    fn default() -> Aggregator {
        Aggregator { pages_min: 2, numbers: HashMap::default(), hashes: Vec::new(), pages: Vec::new() }
    }
}

impl Aggregator {
    /// Adds a page by its regions, which must be sorted and must not overlap.
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
