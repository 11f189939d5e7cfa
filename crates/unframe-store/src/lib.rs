//! Stores what is learned page by page on disk: the states of any number of sites, for every method that processes pages in order.
//!
//! Start with [`Store`]. The states of the sites that are being crawled are in memory. Each page is made
//! durable by a short journal, many pages at a time; an embedded database holds the state of each site as one value, which
//! is rewritten now and then in the background, so that the journal stays short. A database used as a counter
//! would cost many times the work itself.
//!
//! After a crash at any moment the store opens and holds all pages that were committed, and perhaps some more of those
//! that came after, in their order: never a page without those before it. A page that comes again is not counted twice,
//! since every state knows its pages.
//!
//! One process writes to a folder at a time; another gets [`StoreError::InUse`], and can still ask for the
//! [status](status_of_running). Processes that work on different sites have a folder each.
//!
//! The modules: `store` (the interface), `hot` (states in memory), `journal`, `values` (the database),
//! `writer` (the background thread), `totals` and `status` (counters), `check` and `overlay` (damage), `folder` (names, lock, version). `docs/store-format.md` describes the files.

mod check;
mod error;
mod folder;
mod hot;
mod journal;
mod overlay;
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
