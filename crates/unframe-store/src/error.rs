//! Errors of stores.

use std::io;
use std::path::{Path, PathBuf};

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An operation of the operating system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Another process writes to the store.
    #[error("{} is in use by {by}: one process at a time writes to a state; give each a folder of its own", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// A description of the process that uses it.
        by: String,
    },
    /// The folder does not exist, or it is not a store.
    #[error("{} is not a state of unframe: there is no file `state` in it", folder.display())]
    NotAState {
        /// The folder.
        folder: PathBuf,
    },
    /// A newer version of the program wrote the store.
    #[error("{} has format {found}, and this program knows {known}: use a newer unframe", folder.display())]
    Future {
        /// The folder.
        folder: PathBuf,
        /// The version of its format.
        found: u32,
        /// The version of the format that this program writes.
        known: u32,
    },
    /// An older version of the program wrote the store.
    #[error(
        "{} has format {found}, and this program reads {known} only: use the unframe that created it, or learn the sites again in another folder",
        folder.display()
    )]
    Past {
        /// The folder.
        folder: PathBuf,
        /// The version of its format.
        found: u32,
        /// The version of the format that this program writes.
        known: u32,
    },
    /// The store was created with another method or other parameters.
    #[error("{} was made with {saved}, which cannot be changed to {asked}: use another folder", folder.display())]
    Settings {
        /// The folder.
        folder: PathBuf,
        /// The method and parameters of the store.
        saved: String,
        /// The requested method and parameters.
        asked: String,
    },
    /// Bytes are missing or wrong.
    #[error("{} is damaged: {what}; --check shows details, --repair keeps the undamaged rest", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the damage.
        what: String,
    },
    /// The database failed in another way.
    #[error("{}: {what}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The message of the database.
        what: String,
    },
    /// The thread that writes to the database has ended.
    #[error("the thread that writes to the database has failed")]
    WriterEnded,
    /// An earlier write failed, and nothing is written after that.
    #[error(
        "{}: no more pages are accepted, because writing failed ({what}); open the state again to continue after the last committed page",
        folder.display()
    )]
    Stopped {
        /// The folder.
        folder: PathBuf,
        /// The error of the failed write.
        what: String,
    },
}

impl StoreError {
    /// Adds the path to an error of the operating system.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), what: what.into() }
    }
}
