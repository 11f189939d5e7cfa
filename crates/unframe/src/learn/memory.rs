//! Counts the memory of the learned data.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Learned, lock};
use crate::detect::Detector;

/// Bytes of memory of a site beside its name and what was learned of it: its place in a hash map, locks, and what the allocator adds.
const SITE_BYTES: usize = 192;

/// Bytes of memory, about.
#[derive(Default)]
pub(super) struct MemoryUse(AtomicUsize);

impl MemoryUse {
    pub(super) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn add_site(&self, site: &str, learned: &Learned, detector: &dyn Detector) {
        self.add(SITE_BYTES + site.len() + learned.bytes(detector));
    }

    /// Changes what was learned of a site, and counts what that took or gave back.
    pub(super) fn change<T>(
        &self,
        site: &Mutex<Learned>,
        detector: &dyn Detector,
        change: impl FnOnce(&mut Learned) -> T,
    ) -> T {
        let learned = &mut *lock(site);
        let before = learned.bytes(detector);
        let changed = change(learned);
        // The sum wraps around in the same way, so that it is right in the end.
        self.add(learned.bytes(detector).wrapping_sub(before));
        changed
    }

    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
