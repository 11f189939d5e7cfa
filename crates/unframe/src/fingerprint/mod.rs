//! Which pages were made from the same template, by their structure alone.
pub mod signature;
pub use signature::{Fingerprint, Fingerprinter};
