//! Indexes of crawls: CDX and CDXJ, in one file or in several parts (zipnum), and WAT files. They list records with their files and offsets, so that some
//! records can be read without the others.
//!
//! [`choose`] reads indexes and finds the files that they name among the inputs. [`read_chosen`](crate::read_chosen) reads the chosen records.

mod choose;
mod files;
mod filter;
mod inputs;
mod line;
mod surt;
mod wat;
mod zipnum;

pub(crate) use choose::RecordLocation;
pub use choose::{ChooseError, Chosen, choose};
pub use filter::{BadFilter, Filter};
