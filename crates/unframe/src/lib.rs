//! Finds the templates of web sites by comparing their pages, and extracts the content of the pages.
//!
//! This crate is pure: bytes in, values out. It opens no file or socket and starts no thread.
//!
//! Pages in, content out:
//!
//! ```
//! let page = |words: &str| format!("<ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul><p>{words}</p>");
//! let pages = [
//!     ("http://example.org/tea", page("Tea is hot.")),
//!     ("http://example.org/milk", page("Milk is cold.")),
//!     ("http://example.org/water", page("Water is wet.")),
//!     ("http://example.org/ice", page("Ice is both.")),
//! ];
//! for (content, (url, _)) in unframe::clean(&pages).iter().zip(&pages) {
//!     println!("{url}: {}", content.text); // http://example.org/tea: Tea is hot.
//!     assert!(!content.text.contains("About us"));
//! }
//! ```
//!
//! [`clean`] is for a few pages in memory. For more, [`learn`] learns the sites of a crawl and labels their pages, and [`render`] and [`text`]
//! output them without their templates. The modules, from the page to the output:
//! - [`page`], [`site`], [`charset`]: an HTML response, its site, and its charset;
//! - [`html`], [`parsed`], [`text`]: its tree with exact byte positions, parsed on demand, and its visible text;
//! - [`learn`], [`model`], [`model_file`]: learning sites on many threads, and saving and merging models;
//! - [`detect`], [`sample`]: the methods that find templates, and the samples that they learn from;
//! - [`regions`]: the template regions of a page; [`templates`], [`select`]: the templates of a site, and their CSS and XPath selectors;
//! - [`render`], [`metadata`]: the content of a page as Markdown, chunks or HTML, and its metadata;
//! - [`fingerprint`]: clustering and classification of pages by their structure.

pub mod charset;
mod clean;
pub mod detect;
pub mod fingerprint;
pub mod learn;
pub mod metadata;
pub mod model;
pub mod model_file;
pub mod page;
pub mod parsed;
pub mod regions;
pub mod render;
pub mod sample;
pub mod select;
pub mod site;
pub mod templates;
pub mod text;

// Shared by the crates of this project; not part of the stable API.
#[doc(hidden)]
pub mod aggregate;
#[doc(hidden)]
pub mod blocks;
#[doc(hidden)]
pub mod caught;
#[doc(hidden)]
pub mod language;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod segments;

pub use charset::{Charset, CharsetSource};
pub use clean::clean;
pub use model::Model;
pub use page::{Change, Origin, Page, PageId, Problem};
pub use parsed::{PageBytes, PageParser, ParsedPage};
pub use regions::{Region, RegionKind, Sort, TemplateHash};
pub use sample::Sample;
pub use site::SiteBy;
pub use unframe_html as html;
// Their types are in the signatures of this crate.
pub use {encoding_rs, jiff};

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
