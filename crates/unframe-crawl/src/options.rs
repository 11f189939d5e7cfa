//! How a crawl is to be read, and what can make that impossible.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use unframe::SiteBy;

use crate::Progress;
use crate::limits::IN_FLIGHT_BYTES_MAX;

/// How a crawl is to be read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// What makes two pages belong to the same site.
    pub site_by: SiteBy,
    /// Whether pages of any HTTP status are wanted, or only those with 200 (and those that say nothing).
    pub any_status: bool,
    /// Whether a page is skipped that has the same address and the same payload as one before it.
    pub unique: bool,
    /// How many threads make pages; 0 for one a core. With 1, everything is done on the calling thread. The number never
    /// changes what is read, nor in which order.
    pub threads: usize,
    /// Bytes of pages that are read ahead of the one that takes them, when there are several threads.
    pub read_ahead: usize,
    /// Counters to look at while reading.
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

/// Why nothing could be read. Anything that is wrong inside an input is a [`Problem`](unframe::Problem) instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An input is not there.
    #[error("{}: {source}", path.display())]
    Missing {
        /// The path as it was given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
