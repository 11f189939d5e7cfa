//! A search index of a crawl without its templates. They are detected while the index is built.
//!
//! ```
//! use unframe::{Page, PageParser};
//! use unframe_search::{IndexWriter, Options, Preparer, Query, Removal, SearchIndex};
//!
//! # let folder = std::env::temp_dir().join(format!("unframe-search-doc-{}", std::process::id()));
//! let removal = Removal::Blocks(Default::default());
//! let mut writer = IndexWriter::open(&folder, removal.clone(), &Options::default())?;
//! let mut preparer = Preparer::new(&removal);
//! for (number, words) in ["black tea", "green tea", "cold milk"].iter().enumerate() {
//!     let html = format!("<div>All about tea and milk</div><p>{words}</p>");
//!     let page = Page::new(format!("http://tea.example/{number}"), html);
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
//! [`Preparer`] splits a page into blocks and words, in one pass over its tokens and on any thread. [`IndexWriter`] holds the words with
//! their positions until the commit, decides which blocks are template, and passes the pages to Tantivy.
//!
//! No page is parsed twice, even if pages are added later: the index stores the blocks of every page, and the next commit corrects
//! blocks that have become template or are no longer template. All data is in the files of Tantivy, which a commit changes atomically:
//! an interrupted build leaves the index unchanged.

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
mod tally;
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
