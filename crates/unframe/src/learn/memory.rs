//! Tracks the memory of the learned data.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Learned, lock};
use crate::detect::Detector;

/// Bytes of memory per site in addition to its name and its learned data: its hash map entry, locks, and the allocator's overhead.
const SITE_BYTES: usize = 192;

/// An estimate of memory in bytes.
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

    /// Changes the learned data of a site, and tracks the change in memory.
    pub(super) fn change<T>(
        &self,
        site: &Mutex<Learned>,
        detector: &dyn Detector,
        change: impl FnOnce(&mut Learned) -> T,
    ) -> T {
        let learned = &mut *lock(site);
        let before = learned.bytes(detector);
        let changed = change(learned);
        // The sum wraps around in the same way, so the result is right.
        self.add(learned.bytes(detector).wrapping_sub(before));
        changed
    }

    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}
