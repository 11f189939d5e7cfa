//! Limits of a store.

/// Maximum number of pages that are remembered because they are durable but not acknowledged. Beyond it, the earliest are dropped: they
/// are no longer reported as unacknowledged when they are visited again.
pub const PENDING_PAGES_MAX: usize = 1 << 18;
