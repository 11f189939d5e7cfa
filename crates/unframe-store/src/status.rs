//! The status of a store: how much it holds.

use std::path::Path;

use crate::StoreError;
use crate::folder::{self, saved_method};
use crate::journal;
use crate::totals::Totals;

/// The size of a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Number of sites.
    pub sites: u64,
    /// Number of entries in the states of all sites, such as texts and places.
    pub entries: u64,
    /// Total size of the files, in bytes.
    pub bytes: u64,
    /// Number of visits so far, repeated visits of a page included.
    pub pages: u64,
    /// The date of the oldest page, in seconds of Unix time.
    pub oldest: Option<i64>,
    /// The date of the newest page.
    pub newest: Option<i64>,
}

impl Status {
    /// `next` is the number of the next page.
    pub(crate) fn new(folder: &Path, next: u64, totals: Totals) -> Result<Status, StoreError> {
        Ok(Status {
            sites: totals.sites,
            entries: totals.entries,
            bytes: folder::bytes(folder)?,
            pages: next.saturating_sub(1),
            oldest: totals.oldest,
            newest: totals.newest,
        })
    }
}

/// The status of a store that another process is writing to, as of its last commit. Changes nothing and takes no lock. `None` while
/// the other process is still opening the store.
///
/// # Errors
/// If there is no store, or it cannot be read.
pub fn status_of_running(path: &Path) -> Result<Option<Status>, StoreError> {
    if saved_method(path)?.is_none() {
        return Err(StoreError::NotAState { folder: path.to_owned() });
    }
    for number in folder::journals(path)?.into_iter().rev() {
        match journal::last_frame(&folder::journal(path, number), number) {
            Ok(Some(frame)) => return Status::new(path, frame.next(), frame.totals).map(Some),
            // The journal is new, or was deleted meanwhile.
            Ok(None) => {}
            Err(StoreError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}
