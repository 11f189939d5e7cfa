//! Keeps the state of incremental learning on disk: one state for each site, for every method that processes pages in order.
//!
//! Start with [`Store`]. The states of recently crawled sites are in memory. A write-ahead journal makes pages durable, many with one
//! commit. An embedded database holds the state of each site as one value. A background thread rewrites changed states, so that the
//! journal stays short. Updating the database with every page would cost many times the work itself.
//!
//! After a crash at any moment the store opens and holds a prefix of the visited pages: all that were committed, and perhaps some
//! later ones. A page that is visited again is not counted twice, because every state knows its pages.
//!
//! Only one process at a time writes to a folder. Other processes get [`StoreError::InUse`], but can read the
//! [status](status_of_running). Processes that work on different sites use separate folders.
//!
//! The modules: `store` (the interface), `hot` (states in memory), `journal`, `values` (the database),
//! `writer` (the background thread), `pending` (pages that are not acknowledged), `totals` and `status` (counters), `check` and `overlay` (damage), `folder` (names, lock, version). `docs/store-format.md` describes the files.

mod check;
mod error;
mod folder;
mod hot;
mod journal;
pub mod limits;
mod overlay;
mod pending;
mod record;
mod status;
mod store;
mod totals;
mod values;
mod writer;

pub use check::{Fault, check, repair};
pub use error::StoreError;
pub use folder::saved_method;
pub use record::PageRecord;
pub use status::{Status, status_of_running};
pub use store::{Options, Store, Visited};
