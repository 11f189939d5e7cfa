//! Errors of indexes.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;

/// Why an index cannot be built or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The folder has no index.
    #[error("{}: there is no index here; build one with `unframe index INPUT -o {}`", folder.display(), folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has other files than those of an index.
    #[error("{}: the folder is neither empty nor an index of unframe; choose another one", folder.display())]
    NotAnIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// The first build was never completed.
    #[error("{}: the index was never completed; build it again", folder.display())]
    Unfinished {
        /// The folder.
        folder: PathBuf,
    },
    /// Another version of the program wrote the index.
    #[error("{}: the index has format {found}, and this program reads format {expected}; build it again", folder.display())]
    Format {
        /// The folder.
        folder: PathBuf,
        /// The format of the index.
        found: String,
        /// The format of this program.
        expected: u32,
    },
    /// The index was built with another method.
    #[error("{}: the index was built with {found}, and not with {asked}; use the same, or build another index", folder.display())]
    OtherMethod {
        /// The folder.
        folder: PathBuf,
        /// The method of the index.
        found: String,
        /// The requested method.
        asked: String,
    },
    /// Another process is writing to the index.
    #[error("{}: another process is writing to the index; wait until it is done", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The query cannot be parsed.
    #[error("the query cannot be understood: {0}. Put words with punctuation into quotation marks")]
    Query(String),
    /// A file cannot be read or written.
    #[error("{}: {source}", folder.display())]
    Io {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The pages have more blocks than one run can compare.
    #[error("these pages have more than {} blocks together; index them in several runs", u32::MAX)]
    TooManyBlocks,
    /// A page of the index cannot be read.
    #[error("the index is damaged: build it again")]
    Damaged,
    /// Any other error of Tantivy.
    #[error("the search library reports: {0}")]
    Tantivy(#[from] TantivyError),
}

impl SearchError {
    pub(crate) fn io(folder: &Path) -> impl Fn(io::Error) -> SearchError {
        move |source| SearchError::Io { folder: folder.to_owned(), source }
    }
}
