//! Studies of templates: how well methods find them, and how much of the web they are.
//!
//! - [`eval`]: scores of methods on folders of gold data;
//! - [`blocks`]: how many template blocks methods find;
//! - [`search`]: the effect of removing templates on search;
//! - [`following`]: labelling page by page compared with batches, and the effect of a redesign;
//! - [`gold`]: folders of gold data;
//! - [`curve`](mod@curve): scores of methods by the number of pages that are compared;
//! - [`peers`]: other programs, scored on the same pages;
//! - [`words`], [`values`]: the scores of gold texts and of gold values;
//! - [`method`]: methods by name, with their parameters;
//! - [`report`]: the scores as a table, as CSV and as JSON;
//! - [`volume`]: how much of each site, category and crawl is template;
//! - [`evolve`]: templates over time;
//! - [`links`]: links in templates, and pages ranked with and without them;
//! - [`savings`]: how much a store saves by keeping each template once;
//! - [`fingerprints`]: scores of methods that compare the structure of pages;
//! - [`papers`]: the tables and figures of the four papers, with the published values and ours;
//! - [`table`]: tables as text, HTML and CSV;
//! - [`plot`]: points, lines and bars as SVG;
//! - [`limits`]: the limits of studies.
//!
//! In addition to `unframe`, this crate uses `unframe-crawl`, because the pages of gold data are WARC files, and a second reader of WARC would be
//! redundant. It uses `unframe-search` for the study of search,
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

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
