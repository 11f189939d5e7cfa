//! Indexes of crawls, CDX and CDXJ, in one file or in parts (zipnum): they list records with their files and offsets, so that some of them can be read without the
//! rest.
//!
//! [`choose`] reads indexes and finds the files that they name among the inputs; [`read_chosen`](crate::read_chosen) reads what it
//! returns.

mod choose;
mod files;
mod filter;
mod inputs;
mod line;
mod surt;
mod zipnum;

pub(crate) use choose::RecordLocation;
pub use choose::{ChooseError, Chosen, choose};
pub use filter::{BadFilter, Filter};
