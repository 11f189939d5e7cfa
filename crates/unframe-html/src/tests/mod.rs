//! Tests of the parser: the crate's own cases, the conformance suite, properties, and pages designed to be slow.

mod cases;
pub(crate) mod conformance;
mod hostile;
mod properties;
