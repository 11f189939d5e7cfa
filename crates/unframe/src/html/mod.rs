//! The document tree of a page, with exact byte positions.
