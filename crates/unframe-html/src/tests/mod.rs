//! Tests of the parser: our own cases, the conformance suite, properties, and pages made to be slow.

mod cases;
pub(crate) mod conformance;
mod hostile;
mod properties;
