//! Finds the template of every page of a web site by comparing its pages.
//!
//! This crate is pure: bytes in, values out. It opens no file, no socket and starts no thread.
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
//! [`clean`] is for pages in memory. Beyond it, from the page to what is made of it:
//! - [`page`], [`site`], [`charset`]: one HTML response, which pages it is compared with, which characters its bytes stand for;
//! - [`html`], [`parsed`], [`text`]: its tree with exact byte positions, made once, and what a reader sees of it;
//! - [`learn`], [`model`], [`model_file`]: what many pages show of their sites, on many threads, saved and merged;
//! - [`detect`], [`sample`]: the methods that find templates, and what they learn from;
//! - [`regions`]: which bytes of a page are template; [`templates`], [`select`]: the templates of a site, and how others find them, in CSS and XPath;
//! - [`render`], [`metadata`]: a page without its templates, as Markdown and HTML, and what it says of itself;
//! - [`fingerprint`]: which pages were made from the same template, by their structure alone.

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

// What the crates of this project share, and nobody else should build on.
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

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
