//! A search index of a crawl without its templates, which are found while it is built.
//!
//! ```
//! use unframe::{Charset, CharsetSource, Page, PageParser};
//! use unframe_search::{IndexWriter, Options, Preparer, Query, Removal, SearchIndex};
//!
//! # fn page(url: &str, html: &str) -> Page {
//! #     let charset = Charset { encoding: encoding_rs::UTF_8, source: CharsetSource::Default };
//! #     let origin = unframe::Origin { file: "-".into(), offset: 0 };
//! #     Page { url: url.into(), site: "tea.example".into(), date: None, payload: html.into(), charset, record_id: None, origin, problems: vec![] }
//! # }
//! # let folder = std::env::temp_dir().join(format!("unframe-search-doc-{}", std::process::id()));
//! let removal = Removal::Blocks(Default::default());
//! let mut writer = IndexWriter::open(&folder, removal.clone(), &Options::default())?;
//! let mut preparer = Preparer::new(&removal);
//! for (number, words) in ["black tea", "green tea", "cold milk"].iter().enumerate() {
//!     let html = format!("<div>All about tea and milk</div><p>{words}</p>");
//!     let page = page(&format!("http://tea.example/{number}"), &html);
//!     writer.add(preparer.prepare(&page, &PageParser::new().open(&page), &[]))?;
//! }
//! writer.commit()?;
//! let found = SearchIndex::open(&folder)?.search(&Query::new("milk"))?;
//! // The first line is on all pages, and so on none of the index.
//! assert_eq!((found.total, found.hits[0].url.as_str()), (1, "http://tea.example/2"));
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), unframe_search::SearchError>(())
//! ```
//!
//! The path of a page: [`Preparer`] splits it into blocks and words, in one pass over its tokens and on any thread; [`IndexWriter`] keeps
//! the words with their positions until all pages are there, decides which blocks are template, and passes the rest to Tantivy. Nothing is read or
//! parsed twice, also not when pages are added later: the index holds the blocks of every page, so that a block that turns out to be
//! template (or none any more) is corrected at the next commit. Everything is in the files of Tantivy, which change all at once: a build that is interrupted leaves the
//! index as it was.

mod analyze;
mod error;
mod format;
mod language;
mod places;
mod prepare;
mod rank;
mod record;
mod search;
mod snippet;
mod spill;
mod spool;
mod templates;
mod writer;

pub use error::SearchError;
pub use format::FORMAT;
pub use prepare::{Prepared, Preparer};
pub use search::{Found, Hit, IndexBytes, Query, Ranking, SearchIndex};
pub use snippet::Snippet;
pub use writer::{Committed, IndexWriter, Options, Removal};

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
