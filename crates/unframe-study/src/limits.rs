//! The limits of studies.

/// Bytes of the dictionary of a site that pages are compressed with.
pub const SITE_DICTIONARY_MAX: usize = 1 << 20;

/// Bytes of different templates of a site that a store by reference holds in memory.
pub const SITE_TEMPLATES_MAX: usize = 256 << 20;

/// Largest gold file (the known content of a site's pages), decompressed.
pub const GOLD_BYTES_MAX: u64 = 1 << 30;
