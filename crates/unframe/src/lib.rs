//! Finds the template of every page of a web site by comparing its pages.
//!
//! This crate is pure: bytes in, values out. It opens no file, no socket and starts no thread.
//!
//! Reading order of the modules:
//! - [`page`]: one HTML response and where it came from;
//! - [`site`]: which pages are compared with each other;
//! - [`charset`]: which characters the bytes of a page stand for;
//! - [`html`]: the document tree of a page, with exact byte positions, a crate of its own;
//! - [`parsed`]: a page whose tree and text are made once, when they are needed;
//! - [`text`]: what a reader sees of a page;
//! - [`regions`]: which bytes are template;
//! - [`segments`]: templates page by page;
//! - [`blocks`]: pages in blocks and words, for search;
//! - [`sample`], [`model`], [`detect`]: what is learned of a site, and the methods that learn it;
//! - [`learn`]: many sites at once; [`model_file`]: what was learned, saved;
//! - [`metadata`]: what a page says of itself: author, dates, language and the like;
//! - [`render`]: a page without its templates, as Markdown and as HTML;
//! - [`aggregate`]: from repeated pieces to whole templates;
//! - [`select`]: how others find templates on a page, in CSS and in XPath;
//! - [`fingerprint`]: which pages were made from the same template, by their structure alone;
//! - [`limits`]: every limit of the program, in one place;
//! - [`caught`]: panics of libraries that end no program.

pub mod charset;
pub mod parsed;
pub mod text;
pub mod regions;
pub mod segments;
pub mod blocks;
pub mod sample;
pub mod model;
pub mod model_file;
pub mod detect;
pub mod learn;
pub mod language;
pub mod metadata;
pub mod render;
pub mod aggregate;
pub mod templates;
pub mod select;
pub mod fingerprint;
pub mod limits;
pub mod caught;
pub mod page;
pub mod site;

pub use charset::{Charset, CharsetSource};
pub use model::Model;
pub use page::{Change, Origin, Page, PageId, Problem};
pub use parsed::{PageBytes, PageParser, ParsedPage};
pub use regions::{Region, RegionKind, Sort, TemplateHash};
pub use sample::Sample;
pub use site::SiteBy;
pub use unframe_html as html;

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
