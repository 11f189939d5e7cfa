//! The options for reading, and the errors that prevent it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use unframe::SiteBy;

use crate::Progress;
use crate::limits::IN_FLIGHT_BYTES_MAX;

/// How to read a crawl.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// How pages are grouped into sites.
    pub site_by: SiteBy,
    /// Whether to read pages of any HTTP status, or only those with 200 or none.
    pub any_status: bool,
    /// Whether to skip pages with the same address and payload as an earlier page.
    pub unique: bool,
    /// The number of threads; 0 means one per core. With 1, everything runs on the calling thread. The number never affects the results or
    /// their order.
    pub threads: usize,
    /// Bytes of pages that several threads may read ahead of the sink.
    pub read_ahead: usize,
    /// Progress counters to update.
    pub progress: Option<Arc<Progress>>,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            site_by: SiteBy::default(),
            any_status: false,
            unique: true,
            threads: 0,
            read_ahead: IN_FLIGHT_BYTES_MAX,
            progress: None,
        }
    }
}

/// Why nothing could be read. Errors inside an input are a [`Problem`](unframe::Problem) instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An input does not exist.
    #[error("{}: {source}", path.display())]
    Missing {
        /// The path as given.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}
