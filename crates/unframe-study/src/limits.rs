//! The limits of studies.

/// Maximum size in bytes of the compression dictionary of a site.
pub const SITE_DICTIONARY_MAX: usize = 1 << 20;

/// Maximum size in bytes of the distinct templates of a site that a store by reference keeps in memory.
pub const SITE_TEMPLATES_MAX: usize = 256 << 20;

/// Largest gold file (the known content of a site's pages), decompressed.
pub const GOLD_BYTES_MAX: u64 = 1 << 30;
