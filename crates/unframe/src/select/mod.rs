//! CSS and XPath selectors for the templates of a site.
//!
//! # What it does
//! 1. On each page, [`candidates`] finds the smallest elements that hold nothing but a template region, and thinks of
//!    several [`Selector`]s for each: by id, by class, by the way from an element that has one, by position as a last resort.
//! 2. [`Check`] tries all candidates of a site on its pages. One that ever selects content is out, and so is one that
//!    selects something on one page only. Of the others, as few as possible are taken that select the elements of all occurrences.
//!
//! # Assumes
//! An element is template when all of its visible text is in regions, whichever; one without visible text when all of it
//! is in one region. Text that shares its element with content has no element of its own, and no selector.
//!
//! # Cost
//! A tree a page for each of the two steps. The selectors to be tried are limited in number, length and memory, whatever the
//! pages are like (`SELECTOR_…` in [`limits`](crate::limits)).

mod candidates;
mod check;
mod elements;
mod matcher;
mod selector;
mod targets;
#[cfg(test)]
mod tests;

use crate::regions::{Region, RegionKind};

pub use candidates::{Candidates, candidates};
pub use check::{Check, Found, PageCheck, Tally};
pub use selector::{Combinator, Compound, Selector};

/// The regions that anybody has to select: markup needs no selector.
fn without_markup(regions: &[Region]) -> Vec<Region> {
    regions.iter().copied().filter(|region| region.kind != RegionKind::Markup).collect()
}
