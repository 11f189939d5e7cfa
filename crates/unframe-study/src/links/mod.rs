//! Links in templates, and their effect on the ranking of pages.
//!
//! - [`Graph`]: the pages of a crawl and the links between them;
//! - [`rank`]: pages ranked by all links, and by links in content only.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 1: links that templates repeat are not votes for the pages
//! that they lead to.

mod graph;
pub mod rank;
mod report;
#[cfg(test)]
mod tests;

pub use graph::{Edge, Graph};
pub use report::LinkReport;
