//! Segments by their keys, and when each may have to be forgotten.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, Hasher};

/// Bits of the key of a segment. One text in a million million is taken for a given other one, which is enough for the
/// texts of one site; 64 bits would be most of what is stored of it.
pub const KEY_BITS: u32 = 40;

/// Bits of the key that are kept of a segment that was on one page, which most were. When two are taken for one, a text
/// is template a page too early, no more: when it is seen again, the whole key is at hand.
pub(super) const ONCE_BITS: u32 = 30;

/// The bits of a key that are kept of a segment that was on one page.
pub(super) fn once_key(key: u64) -> u32 {
    (key & ((1 << ONCE_BITS) - 1)) as u32
}

/// The bits of a hash that are kept as a key.
pub(crate) fn short(hash: u64) -> u64 {
    hash & ((1 << KEY_BITS) - 1)
}

/// Memory is given back when so many times more segments would fit than are there.
const ROOM_MAX: usize = 4;
/// Room that is never given back.
const ROOM_MIN: usize = 64;

/// Segments, each with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExpiringMap<K: Eq + Hash, E> {
    pub(super) entries: HashMap<K, E, KeyHasher>,
    /// By the page at which they may have to be forgotten. Every segment stands in a list; some that stand there are gone.
    due: BTreeMap<u32, Vec<K>>,
}

impl<K: Eq + Hash, E> Default for ExpiringMap<K, E> {
    fn default() -> ExpiringMap<K, E> {
        ExpiringMap { entries: HashMap::default(), due: BTreeMap::new() }
    }
}

impl<K: Copy + Eq + Hash, E: Copy> ExpiringMap<K, E> {
    /// Segments with what is known of them and the page at which each may have to be forgotten.
    pub(super) fn new(segments: Vec<(K, E)>, deadline: impl Fn(&E) -> u32) -> ExpiringMap<K, E> {
        let mut due: BTreeMap<u32, Vec<K>> = BTreeMap::new();
        for (key, entry) in &segments {
            due.entry(deadline(entry)).or_default().push(*key);
        }
        ExpiringMap { entries: segments.into_iter().collect(), due }
    }

    /// Segments that are new here will be looked at when a page has come.
    pub(super) fn look_at(&mut self, mut keys: Vec<K>, page: u32) {
        if !keys.is_empty() {
            self.due.entry(page).or_default().append(&mut keys);
        }
    }

    /// Drops the entries that expire at a page, checking at most `steps` of them, and returns how many more could be checked.
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

    /// The memory that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.entries.len() * size_of::<K>() + self.due.len() * 64;
        map_bytes::<(K, E)>(self.entries.capacity()) + lists
    }
}

/// The memory of a hash map, about: one place in eight is never used, and each has a byte more.
pub(super) fn map_bytes<T>(capacity: usize) -> usize {
    (capacity * 8 / 7) * (size_of::<T>() + 1)
}

/// Keys are hashes already, but of too few bits for a map, which looks at the highest first.
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
