//! Measures templates: how well methods find them, and how much of the web they are.
//!
//! - [`eval`]: scores of methods on folders of gold data;
//! - [`blocks`]: how many template blocks methods find;
//! - [`search`]: what removing templates does to search;
//! - [`following`]: page by page against many pages at once, and what a redesign does;
//! - [`gold`]: what such a folder holds;
//! - [`curve`](mod@curve): the same scores for smaller and larger groups of pages;
//! - [`peers`]: other programs, to be scored beside our methods;
//! - [`words`], [`values`]: the two scores;
//! - [`method`]: methods by name, with their parameters;
//! - [`report`]: the scores as a table, as CSV and as JSON;
//! - [`volume`]: how much of each site, category and crawl is template;
//! - [`evolve`]: templates over time;
//! - [`links`]: links in templates, and pages ranked with and without them;
//! - [`savings`]: what a store saves that keeps each template once;
//! - [`fingerprints`]: scores of methods that compare the structure of pages;
//! - [`papers`]: every table and figure of the four papers, printed values beside ours;
//! - [`table`]: rows and columns for people and for programs;
//! - [`plot`]: points, lines and bars as SVG;
//! - [`limits`]: what one study may hold.
//!
//! Beside the library, this crate uses `unframe-crawl`, which its peers do not: a folder of gold data holds its pages as
//! WARC files, and a second reader of WARC would be one too many. It uses `unframe-search` to measure it,
//! and `unframe-picture` to write reports.

mod clock;
pub mod eval;
pub mod blocks;
#[cfg(feature = "search")]
pub mod search;
pub mod following;
pub mod parallel;
pub mod curve;
pub mod peers;
pub mod gold;
pub mod words;
pub mod values;
pub mod method;
pub mod report;
pub mod volume;
pub mod evolve;
pub mod links;
pub mod savings;
pub mod plot;
pub mod fingerprints;
pub mod papers;
pub mod table;
pub mod limits;

pub use curve::{Curve, curve};
pub use eval::{EvalError, Options, evaluate};
pub use gold::GoldError;
pub use method::Method;
pub use report::Report;

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
