//! CSS and XPath selectors for the templates of a site.
//!
//! # What it does
//! 1. On each page, [`candidates`] finds the smallest elements that contain only a template region, and derives several [`Selector`]s for
//!    each: by id, by class, by the path from an ancestor with an id or a class, by position as a last resort.
//! 2. [`Check`] tests all candidates of a site on its pages. Candidates that select content on any page, or that select something on one
//!    page only, are rejected. Of the others, it chooses as few as possible that together select the elements of all occurrences.
//!
//! # Assumes
//! An element is template if all of its visible text is in regions. An element without visible text is template if all of it is in one
//! region. Text that shares its element with content has no element of its own, and no selector.
//!
//! # Cost
//! One tree per page for each of the two steps. The candidates are limited in number, length and memory, whatever the pages look like
//! (`SELECTOR_…` in [`limits`](crate::limits)).

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

/// The regions without repeated markup, which needs no selector.
fn without_markup(regions: &[Region]) -> Vec<Region> {
    regions.iter().copied().filter(|region| region.kind != RegionKind::Markup).collect()
}
