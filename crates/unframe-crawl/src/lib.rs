//! Reads pages from crawls: WARC, WET, ARC, WACZ, folders of HTML files, MHTML, JSONL, Parquet.
//!
//! Start with [`read`], which reads any mix of files and folders on all cores and delivers pages in order. [`pages`] does the same as an
//! iterator. [`cdx`] selects records by an index, for [`read_chosen`]. [`mod@write`] writes pages without their templates; [`WarcWriter`]
//! writes any WARC records.
//!
//! The modules in the order of the data flow: `input` (from paths to files), `decode` (from files to bytes), `record` (from bytes to
//! records), `http` and `extract` (from records to pages), `read` and `parallel` (threads).

mod batch;
pub mod cdx;
mod date;
mod decode;
mod extract;
mod http;
mod input;
mod jsonl;
pub mod limits;
mod mhtml;
mod options;
mod pages;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod plain_text;
mod raw_page;
mod read;
mod record;
mod remote;
mod saved;
mod sniff;
mod summary;
#[cfg(test)]
mod testing;
mod unique;
pub mod write;
mod writer;

pub use date::parse_date;
pub use input::file_url;
pub use options::{ReadError, ReadOptions};
pub use pages::{Pages, pages, pages_of_stream};
pub use read::{Event, read, read_chosen, read_stream};
pub use sniff::looks_binary;
pub use summary::{Progress, Summary};
pub use writer::WarcWriter;

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
