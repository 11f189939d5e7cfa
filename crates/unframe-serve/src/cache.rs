//! Values that were read from disk, as many as fit; the one that was not asked for the longest goes first.

use std::collections::HashMap;
use std::sync::Arc;

/// Values by their names.
#[derive(Debug)]
pub(crate) struct Cache<T> {
    values: HashMap<String, Entry<T>>,
    bytes: usize,
    bytes_max: usize,
    clock: u64,
}

#[derive(Debug)]
struct Entry<T> {
    value: Arc<T>,
    bytes: usize,
    used: u64,
}

impl<T> Cache<T> {
    pub(crate) fn new(bytes_max: usize) -> Cache<T> {
        Cache { values: HashMap::new(), bytes: 0, bytes_max, clock: 0 }
    }

    pub(crate) fn get(&mut self, name: &str) -> Option<Arc<T>> {
        self.clock += 1;
        let entry = self.values.get_mut(name)?;
        entry.used = self.clock;
        Some(Arc::clone(&entry.value))
    }

    pub(crate) fn put(&mut self, name: &str, value: Arc<T>, bytes: usize) {
        self.forget(name);
        self.clock += 1;
        self.bytes += bytes;
        self.values.insert(name.to_owned(), Entry { value, bytes, used: self.clock });
        // The newest stays even if it is too large by itself: it is in use just now.
        while self.bytes > self.bytes_max && self.values.len() > 1 {
            let oldest = self.values.iter().min_by_key(|(_, entry)| entry.used).map(|(name, _)| name.clone());
            oldest.into_iter().for_each(|name| self.forget(&name));
        }
    }

    pub(crate) fn forget(&mut self, name: &str) {
        self.bytes -= self.values.remove(name).map_or(0, |entry| entry.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first() {
        let mut cache = Cache::new(10);
        cache.put("a", Arc::new(1), 5);
        cache.put("b", Arc::new(2), 5);
        assert_eq!(cache.get("a").as_deref(), Some(&1));
        cache.put("c", Arc::new(3), 5);
        assert_eq!(
            (cache.get("a").is_some(), cache.get("b").is_some(), cache.get("c").is_some()),
            (true, false, true)
        );
        cache.put("d", Arc::new(4), 50);
        assert_eq!((cache.values.len(), cache.bytes), (1, 50));
        cache.forget("d");
        assert_eq!(cache.bytes, 0);
    }
}
