//! Detects pages that were already read in the same run.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::limits::UNIQUE_PAGES_MAX;
use unframe::{Page, Problem};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// The pages seen so far, by hash.
#[derive(Default)]
pub(crate) struct Unique {
    seen: HashSet<u128, BuildHasherDefault<IdentityHasher>>,
    is_full: bool,
}

/// The hash of a page's address and payload.
pub(crate) fn hash(page: &Page) -> u128 {
    // Hashing each of the two at once is much faster than feeding them to a hasher piece by piece. Different seeds prevent an address and a
    // payload with the same text from cancelling each other out.
    xxh3_128_with_seed(page.url.as_bytes(), 1) ^ xxh3_128_with_seed(&page.payload, 0)
}

impl Unique {
    /// Adds a page, and returns whether it is new. The problem is returned once, when the limit is reached.
    pub(crate) fn insert(&mut self, hash: u128) -> (bool, Option<Problem>) {
        self.insert_within(hash, UNIQUE_PAGES_MAX)
    }

    fn insert_within(&mut self, hash: u128, pages_max: usize) -> (bool, Option<Problem>) {
        if self.seen.len() < pages_max {
            return (self.seen.insert(hash), None);
        }
        let message = format!("after {pages_max} pages, later ones are compared with these only");
        let is_first = !std::mem::replace(&mut self.is_full, true);
        (!self.seen.contains(&hash), is_first.then(|| Problem::new("repeats-unknown", message)))
    }
}

/// A hasher for keys that are already hashes.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            self.0 = chunk.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
        }
    }

    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_limit_pages_are_compared_with_the_first_ones_and_that_is_reported_once() {
        let mut unique = Unique::default();
        let mut insert = |hash| {
            let (is_new, problem) = unique.insert_within(hash, 2);
            (is_new, problem.map(|problem| problem.code))
        };
        assert_eq!([insert(1), insert(1), insert(2)], [(true, None), (false, None), (true, None)]);
        assert_eq!(insert(3), (true, Some("repeats-unknown")));
        assert_eq!([insert(3), insert(2)], [(true, None), (false, None)]);
    }
}
