//! Fingerprints of page structure: finds pages that were made from the same template.
//!
//! ```
//! use unframe::fingerprint::{Clusters, Method, Settings, SignatureMaker};
//!
//! let settings = Settings::new(Method::Fingerprint);
//! let mut maker = SignatureMaker::new(&settings);
//! let mut clusters = Clusters::new(settings);
//! let pages = ["<ul><li><li></ul><p>a", "<ul><li><li></ul><p>b", "<table><tr><td></table><hr>"];
//! let entries = pages.map(|page| clusters.add(0, &maker.make(page.as_bytes(), encoding_rs::UTF_8)).unwrap());
//! let names = clusters.names();
//! assert_eq!(names.of(entries[0]), names.of(entries[1]));
//! assert_ne!(names.of(entries[0]), names.of(entries[2]));
//! ```
//!
//! - [`signature`]: the fingerprint of a page, from its first tags;
//! - [`vocabulary`]: a fingerprint from the names of the page's parts, which is not from a paper;
//! - [`method`]: these two and eight published methods for the same task, by name;
//! - [`index`], [`split`]: finding similar fingerprints among many;
//! - [`cluster`]: clustering of pages by template;
//! - [`classify`]: classification of pages by known templates;
//! - [`mod@file`]: the file format of clusters and known templates.

pub mod classify;
pub mod cluster;
mod comparisons;
pub mod file;
pub mod index;
pub mod method;
pub mod signature;
pub mod split;
pub mod vocabulary;

use crate::limits::{COMPARED_PAGES_MAX, FINGERPRINTS_MAX};
pub use classify::Classifier;
pub use cluster::{ClusterId, Clusters};
pub use method::{Method, Settings, Signature, SignatureMaker};
pub use signature::{Fingerprint, Fingerprinter};
pub use vocabulary::Vocabulary;

/// The error for more different pages than the memory limits allow; see [`limits`](crate::limits).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the method would have to keep more than {0} pages: split the input or use another method")]
pub struct Full(pub usize);

/// Checks that one more page can be kept when there are `len`.
fn check_room(method: Method, len: usize) -> Result<(), Full> {
    let most = if method.is_looked_up() { FINGERPRINTS_MAX } else { COMPARED_PAGES_MAX };
    if len < most { Ok(()) } else { Err(Full(most)) }
}

/// The scope of a site: pages of different scopes are never similar. Scope 0 is for all sites together.
pub fn scope_of(site: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(site.as_bytes()).max(1)
}
