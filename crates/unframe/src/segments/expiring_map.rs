//! Segments by their keys, with the pages at which they may expire.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};

/// Bits of a segment's key. The probability that a text is mistaken for a given other text is about one in a million million, which is
/// enough for the texts of one site. A 64-bit key would dominate the memory of a segment.
pub const KEY_BITS: u32 = 40;

/// Bits of the key that are stored for a segment that was on one page only, as most were. A collision makes a text template one page too
/// early at most: when the text is seen again, its whole key is available.
pub(super) const ONCE_BITS: u32 = 30;

/// The part of a key that is stored for a segment that was on one page only.
pub(super) fn once_key(key: u64) -> u32 {
    (key & ((1 << ONCE_BITS) - 1)) as u32
}

/// The part of a hash that is stored as a key.
pub(crate) fn short(hash: u64) -> u64 {
    hash & ((1 << KEY_BITS) - 1)
}

/// Memory is freed when there is room for this many times the number of segments.
const ROOM_MAX: usize = 4;
/// Room that is never freed.
const ROOM_MIN: usize = 64;

/// Segments with their entries.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExpiringMap<K: Eq + Hash, E> {
    pub(super) entries: HashMap<K, E, KeyHasher>,
    /// Keys by the page at which they may expire. Every segment is in a list, and some keys in the lists belong to removed segments.
    due: BTreeMap<u32, Vec<K>>,
}

impl<K: Eq + Hash, E> Default for ExpiringMap<K, E> {
    fn default() -> ExpiringMap<K, E> {
        ExpiringMap { entries: HashMap::default(), due: BTreeMap::new() }
    }
}

impl<K: Copy + Eq + Hash, E: Copy> ExpiringMap<K, E> {
    /// A map of these entries, each with the page at which it may expire.
    pub(super) fn new(segments: Vec<(K, E)>, deadline: impl Fn(&E) -> u32) -> ExpiringMap<K, E> {
        let mut due: BTreeMap<u32, Vec<K>> = BTreeMap::new();
        for (key, entry) in &segments {
            due.entry(deadline(entry)).or_default().push(*key);
        }
        ExpiringMap { entries: segments.into_iter().collect(), due }
    }

    /// Schedules a check of new segments at a page.
    pub(super) fn look_at(&mut self, mut keys: Vec<K>, page: u32) {
        if !keys.is_empty() {
            self.due.entry(page).or_default().append(&mut keys);
        }
    }

    /// Drops the entries that expire at a page, checking at most `steps` of them, and returns the number of unused steps.
    pub(super) fn shrink(
        &mut self,
        page: u32,
        steps: usize,
        deadline: impl Fn(&E) -> u32,
        mut forgotten: impl FnMut(K, E),
    ) -> usize {
        let mut left = steps;
        while left > 0
            && let Some(mut due) = self.due.first_entry()
            && *due.key() <= page
        {
            let keys = due.get_mut();
            let looked_at = keys.split_off(keys.len().saturating_sub(left));
            left -= looked_at.len();
            if keys.is_empty() {
                due.remove();
            }
            for key in looked_at {
                let Some(entry) = self.entries.get(&key).copied() else { continue };
                let deadline = deadline(&entry);
                if deadline <= page {
                    forgotten(key, entry);
                    self.entries.remove(&key);
                } else {
                    self.due.entry(deadline).or_default().push(key);
                }
            }
        }
        let room = self.entries.capacity();
        if room > ROOM_MIN && room / ROOM_MAX > self.entries.len() {
            self.entries.shrink_to(self.entries.len() * 2);
        }
        left
    }

    /// An estimate of the memory that the map takes.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.entries.len() * size_of::<K>() + self.due.len() * 64;
        map_bytes::<(K, E)>(self.entries.capacity()) + lists
    }
}

/// An estimate of the memory of a hash map: one slot in eight is never used, and each slot has an additional byte.
pub(super) fn map_bytes<T>(capacity: usize) -> usize {
    (capacity * 8 / 7) * (size_of::<T>() + 1)
}

/// Spreads keys, which are already hashes, but have too few bits for a hash map, which uses the highest bits first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyHasher;

impl BuildHasher for KeyHasher {
    type Hasher = SpreadHasher;

    fn build_hasher(&self) -> SpreadHasher {
        SpreadHasher(0)
    }
}

/// See [`KeyHasher`].
#[derive(Debug)]
pub(super) struct SpreadHasher(u64);

impl Hasher for SpreadHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxhash_rust::xxh3::xxh3_64(bytes);
    }

    fn write_u32(&mut self, key: u32) {
        self.write_u64(u64::from(key));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
