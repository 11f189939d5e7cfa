//! Measures how well methods find templates, and how much of the web is template.
//!
//! - [`eval`]: scores of methods on folders of gold data;
//! - [`blocks`]: how many template blocks methods find;
//! - [`search`]: the effect of removing templates on search;
//! - [`following`]: page by page compared with batches, and the effect of a redesign;
//! - [`gold`]: folders of gold data;
//! - [`curve`](mod@curve): the same scores for smaller and larger groups of pages;
//! - [`peers`]: other programs, scored on the same pages;
//! - [`words`], [`values`]: the two scores;
//! - [`method`]: methods by name, with their parameters;
//! - [`report`]: the scores as a table, as CSV and as JSON;
//! - [`volume`]: how much of each site, category and crawl is template;
//! - [`evolve`]: templates over time;
//! - [`links`]: links in templates, and pages ranked with and without them;
//! - [`savings`]: how much a store saves by keeping each template once;
//! - [`fingerprints`]: scores of methods that compare the structure of pages;
//! - [`papers`]: the tables and figures of the four papers, with the published values and ours;
//! - [`table`]: rows and columns for people and for programs;
//! - [`plot`]: points, lines and bars as SVG;
//! - [`limits`]: the limits of studies.
//!
//! In addition to the library, this crate uses `unframe-crawl`, because a folder of gold data has its pages as
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
