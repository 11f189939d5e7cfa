//! A bounded LRU cache of values read from disk.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Values by their names.
#[derive(Debug)]
pub(crate) struct Cache<T> {
    values: HashMap<String, Entry<T>>,
    bytes: usize,
    bytes_max: usize,
    clock: u64,
    /// Number of changes on disk so far.
    changes: u64,
    /// The names of the values that changed last.
    changed: VecDeque<String>,
}

/// Number of changes that are remembered by name.
const CHANGES_KEPT: usize = 64;

/// The number of changes on disk when reading a value started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadStart(u64);

#[derive(Debug)]
struct Entry<T> {
    value: Arc<T>,
    bytes: usize,
    used: u64,
}

impl<T> Cache<T> {
    pub(crate) fn new(bytes_max: usize) -> Cache<T> {
        Cache { values: HashMap::new(), bytes: 0, bytes_max, clock: 0, changes: 0, changed: VecDeque::new() }
    }

    pub(crate) fn get(&mut self, name: &str) -> Option<Arc<T>> {
        self.clock += 1;
        let entry = self.values.get_mut(name)?;
        entry.used = self.clock;
        Some(Arc::clone(&entry.value))
    }

    /// Call this before reading a value from disk, so that `put` can detect a change meanwhile.
    pub(crate) fn begin(&self) -> ReadStart {
        ReadStart(self.changes)
    }

    /// Adds a value that was read from disk, unless it may have changed meanwhile.
    pub(crate) fn put(&mut self, begun: ReadStart, name: &str, value: Arc<T>, bytes: usize) {
        if self.may_have_changed(begun, name) {
            return;
        }
        self.drop_value(name);
        self.clock += 1;
        self.bytes += bytes;
        self.values.insert(name.to_owned(), Entry { value, bytes, used: self.clock });
        // The newest value stays even if it alone exceeds the limit, because it is in use.
        while self.bytes > self.bytes_max && self.values.len() > 1 {
            let oldest = self.values.iter().min_by_key(|(_, entry)| entry.used).map(|(name, _)| name.clone());
            oldest.into_iter().for_each(|name| self.drop_value(&name));
        }
    }

    /// Call this when a value has changed on disk.
    pub(crate) fn forget(&mut self, name: &str) {
        self.changes += 1;
        self.changed.push_back(name.to_owned());
        if self.changed.len() > CHANGES_KEPT {
            self.changed.pop_front();
        }
        self.drop_value(name);
    }

    /// Whether a value may have changed since then. After too many changes, any value may have.
    fn may_have_changed(&self, begun: ReadStart, name: &str) -> bool {
        let since = (self.changes - begun.0) as usize;
        since > self.changed.len() || self.changed.iter().rev().take(since).any(|changed| changed == name)
    }

    fn drop_value(&mut self, name: &str) {
        self.bytes -= self.values.remove(name).map_or(0, |entry| entry.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first() {
        let mut cache = Cache::new(10);
        let begun = cache.begin();
        cache.put(begun, "a", Arc::new(1), 5);
        cache.put(begun, "b", Arc::new(2), 5);
        assert_eq!(cache.get("a").as_deref(), Some(&1));
        cache.put(begun, "c", Arc::new(3), 5);
        assert_eq!(
            (cache.get("a").is_some(), cache.get("b").is_some(), cache.get("c").is_some()),
            (true, false, true)
        );
        cache.put(begun, "d", Arc::new(4), 50);
        assert_eq!((cache.values.len(), cache.bytes), (1, 50));
        cache.forget("d");
        assert_eq!(cache.bytes, 0);
    }

    #[test]
    fn what_changed_while_it_was_read_is_not_held() {
        let mut cache = Cache::new(10);
        let begun = cache.begin();
        // Another thread writes a new value, or none, between reading the old one and holding it.
        cache.forget("a");
        cache.put(begun, "a", Arc::new("old"), 1);
        assert_eq!(cache.get("a"), None);
        let begun = cache.begin();
        // Changes of other values do not matter, as long as all changes are remembered.
        (0..CHANGES_KEPT).for_each(|_| cache.forget("b"));
        cache.put(begun, "a", Arc::new("new"), 1);
        assert_eq!(cache.get("a").as_deref(), Some(&"new"));
        cache.forget("a");
        (0..CHANGES_KEPT).for_each(|_| cache.forget("b"));
        cache.put(begun, "a", Arc::new("old"), 1);
        assert_eq!(cache.get("a"), None);
    }
}
