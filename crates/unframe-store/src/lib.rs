//! What is learned page by page, on disk: the text segment tables of any number of sites.
//!
//! [`Store`] is the way in. The tables of the sites that are being crawled are in memory. What a page did to them is made
//! durable by a short journal, many pages at a time; an embedded database holds the table of each site as one value, which
//! is rewritten now and then in the background, so that the journal stays short. A table used as a counter in the database
//! would cost ten times the work itself.
//!
//! After a crash at any moment the store opens and holds all pages that were committed, and perhaps some more of those
//! that came after, in their order: never a page without those before it. A page that comes again is not counted twice,
//! since every table knows its pages.
//!
//! One process writes to a folder at a time; another gets [`StoreError::InUse`], and can still ask for the
//! [status](status_of_running). Processes that work on different sites have a folder each.
//!
//! Reading order of the modules: `store` (pages in, tables out), `hot` (tables in memory), `journal`, `values` (the database),
//! `writer` (the background), `totals` and `status` (what is there), `check` and `overlay` (damage), `folder` (names, lock, version). `docs/store-format.md` describes the files.

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
pub use folder::saved_settings;
pub use record::PageRecord;
pub use status::{Status, status_of_running};
pub use store::{Options, Store, Visited};
