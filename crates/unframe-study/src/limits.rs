//! The limits of studies.

/// Bytes of the dictionary of a site that pages are compressed with.
pub const SITE_DICTIONARY_MAX: usize = 1 << 20;

/// Bytes of different templates of a site that a store by reference holds in memory.
pub const SITE_TEMPLATES_MAX: usize = 256 << 20;
