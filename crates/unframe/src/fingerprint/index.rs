//! Finds all indexed fingerprints that differ from a given one in at most one number.
//!
//! # What it does
//! A fingerprint is split into a prefix and a suffix. Two hash tables find all fingerprints with the same prefix and all with the same
//! suffix. A single difference is in one of the two parts, so the other part is equal.
//!
//! An inserted or deleted number changes the length and shifts the numbers after it. So the keys of the tables include the length. A
//! similar fingerprint has one of three lengths (one less, the same, one more). For each of them, the position of its split in the given
//! fingerprint is known: the prefix is counted from the start, and the suffix from the end. Short fingerprints are split in the same
//! proportion as full ones; otherwise all short ones would share the empty suffix.
//!
//! # Cost
//! A look-up reads at most six lists of fingerprints that share a part. Each different fingerprint takes 72 bytes, and about 80 bytes in the tables.
//!
//! # Paper
//! Hachenberg, Gottron: *Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web Documents* (2013), section 3.3 and algorithm 2.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::signature::{Fingerprint, LENGTH, is_within_one};
use crate::limits::FINGERPRINT_LENGTH_MAX;
use crate::sample::PieceHasher;

/// The position at which full fingerprints are split, as in the paper.
pub const SPLIT: usize = 17;

/// Marks the end of a list.
const NONE: u32 = u32::MAX;

/// The different fingerprints, with indexes in the order of insertion.
#[derive(Debug, Clone)]
pub struct Index {
    cut: Cut,
    entries: Vec<Entry>,
    /// The last entry with each prefix. The key is the hash of scope, length and prefix.
    prefixes: HashMap<u64, u32, PieceHasher>,
    suffixes: HashMap<u64, u32, PieceHasher>,
    /// The entry of each whole fingerprint. The fingerprints of most pages are known, and need no search of a list.
    whole: HashMap<u64, u32, PieceHasher>,
}

#[derive(Debug, Clone)]
struct Entry {
    scope: u64,
    fingerprint: Fingerprint,
    /// The previous entry with the same prefix.
    next_prefix: u32,
    next_suffix: u32,
}

/// The position at which fingerprints are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    length: usize,
    split: usize,
}

impl Cut {
    /// Splits fingerprints of `length` after `split` numbers. Both values are clamped to their limits.
    pub fn new(length: usize, split: usize) -> Cut {
        let length = length.clamp(1, FINGERPRINT_LENGTH_MAX);
        Cut { length, split: split.min(length) }
    }

    /// The position at which a fingerprint of `len` numbers is split, at most `len`.
    #[inline]
    fn at(self, len: usize) -> usize {
        if len >= self.length { self.split } else { len * self.split / self.length }
    }

    /// The length of a full fingerprint.
    pub fn length(self) -> usize {
        self.length
    }

    /// The position at which a full fingerprint is split.
    pub fn split(self) -> usize {
        self.split
    }
}

impl Default for Cut {
    fn default() -> Cut {
        Cut::new(LENGTH, SPLIT)
    }
}

impl Index {
    /// An index without fingerprints.
    pub fn new(cut: Cut) -> Index {
        Index {
            cut,
            entries: Vec::new(),
            prefixes: HashMap::default(),
            suffixes: HashMap::default(),
            whole: HashMap::default(),
        }
    }

    /// The number of different fingerprints.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no fingerprints.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The position at which fingerprints are split.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// The scope and the fingerprint of an entry. Only fingerprints of the same scope can be similar.
    pub fn entry(&self, number: u32) -> Option<(u64, &Fingerprint)> {
        self.entries.get(number as usize).map(|entry| (entry.scope, &entry.fingerprint))
    }

    /// The index of this exact fingerprint.
    pub fn find(&self, scope: u64, fingerprint: &Fingerprint) -> Option<u32> {
        let numbers = fingerprint.as_bytes();
        let number = *self.whole.get(&key(scope, numbers.len(), numbers))?;
        let entry = &self.entries[number as usize];
        (entry.scope == scope && entry.fingerprint == *fingerprint).then_some(number)
    }

    /// Adds a fingerprint that is not in the index yet, and returns its index.
    ///
    /// There is room for 4,294,967,295 fingerprints; after that, the last index is returned again.
    pub fn push(&mut self, scope: u64, fingerprint: Fingerprint) -> u32 {
        let number = self.entries.len() as u32;
        if number == NONE {
            return NONE - 1;
        }
        let numbers = fingerprint.as_bytes();
        let at = self.cut.at(numbers.len());
        let prefix = self.prefixes.insert(key(scope, numbers.len(), &numbers[..at]), number);
        let suffix = self.suffixes.insert(key(scope, numbers.len(), &numbers[at..]), number);
        self.whole.entry(key(scope, numbers.len(), numbers)).or_insert(number);
        self.entries.push(Entry {
            scope,
            fingerprint,
            next_prefix: prefix.unwrap_or(NONE),
            next_suffix: suffix.unwrap_or(NONE),
        });
        number
    }

    /// Calls `each` once with the index of every entry that is similar or equal to a fingerprint, in no particular order.
    pub fn similar(&self, scope: u64, fingerprint: &Fingerprint, mut each: impl FnMut(u32)) {
        let looked_for = fingerprint.as_bytes();
        let len = looked_for.len();
        for other_len in len.saturating_sub(1)..=(len + 1).min(FINGERPRINT_LENGTH_MAX) {
            let at = self.cut.at(other_len);
            let is_match = |number: u32| {
                let entry = &self.entries[number as usize];
                let numbers = entry.fingerprint.as_bytes();
                // Keys are hashes, so two different parts may share one.
                (entry.scope == scope && numbers.len() == other_len && is_within_one(looked_for, numbers))
                    .then_some(numbers)
            };
            let prefix = looked_for.get(..at);
            if let Some(prefix) = prefix {
                let found = self.with_prefix(key(scope, other_len, prefix));
                found
                    .filter(|number| is_match(*number).is_some_and(|numbers| numbers[..at] == *prefix))
                    .for_each(&mut each);
            }
            // A suffix with as many numbers as the other fingerprint's suffix.
            if let Some(suffix) = (len + at).checked_sub(other_len).and_then(|start| looked_for.get(start..))
            {
                let found = self.with_suffix(key(scope, other_len, suffix));
                found
                    .filter(|number| {
                        is_match(*number).is_some_and(|numbers| {
                            numbers[at..] == *suffix && prefix.is_none_or(|prefix| numbers[..at] != *prefix)
                        })
                    })
                    .for_each(&mut each);
            }
        }
    }

    fn with_prefix(&self, key: u64) -> impl Iterator<Item = u32> + '_ {
        self.list(self.prefixes.get(&key), |entry| entry.next_prefix)
    }

    fn with_suffix(&self, key: u64) -> impl Iterator<Item = u32> + '_ {
        self.list(self.suffixes.get(&key), |entry| entry.next_suffix)
    }

    fn list<'i>(
        &'i self,
        first: Option<&u32>,
        next: impl Fn(&Entry) -> u32 + 'i,
    ) -> impl Iterator<Item = u32> + 'i {
        std::iter::successors(first.copied(), move |number| {
            Some(next(&self.entries[*number as usize])).filter(|next| *next != NONE)
        })
    }
}

#[inline]
fn key(scope: u64, len: usize, part: &[u8]) -> u64 {
    xxh3_64_with_seed(part, scope ^ (len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index_of(cut: Cut, entries: &[(u64, Fingerprint)]) -> Index {
        let mut index = Index::new(cut);
        for (scope, fingerprint) in entries {
            if index.find(*scope, fingerprint).is_none() {
                index.push(*scope, *fingerprint);
            }
        }
        index
    }

    fn found(index: &Index, scope: u64, fingerprint: &Fingerprint) -> Vec<u32> {
        let mut found = Vec::new();
        index.similar(scope, fingerprint, |number| found.push(number));
        found.sort_unstable();
        found
    }

    #[test]
    fn one_number_may_differ_anywhere() {
        let full: Vec<u8> = (0..25).collect();
        for at in 0..25 {
            let mut other = full.clone();
            other[at] = 99;
            let index = index_of(Cut::default(), &[(0, Fingerprint::new(&other).unwrap())]);
            assert_eq!(found(&index, 0, &Fingerprint::new(&full).unwrap()), [0], "changed at {at}");
            let mut shorter = full.clone();
            shorter.remove(at);
            assert_eq!(found(&index, 0, &Fingerprint::new(&shorter).unwrap()), [0], "left out at {at}");
        }
    }

    #[test]
    fn other_scopes_are_not_similar() {
        let one = Fingerprint::new(&[0, 1, 2]).unwrap();
        let index = index_of(Cut::default(), &[(1, one), (2, one)]);
        assert_eq!((found(&index, 1, &one), found(&index, 3, &one)), (vec![0], vec![]));
    }

    fn fingerprints(len: usize) -> impl Strategy<Value = Fingerprint> {
        // Few different numbers make many fingerprints similar.
        prop::collection::vec(0u8..2, 0..=len).prop_map(|numbers| Fingerprint::new(&numbers).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn the_same_is_found_as_by_comparing_with_all(
            (length, split) in (1usize..9).prop_flat_map(|length| (Just(length), 0..=length)),
            entries in prop::collection::vec((0u64..2, fingerprints(8)), 0..60),
            looked_for in fingerprints(9),
        ) {
            let index = index_of(Cut::new(length, split), &entries);
            let all = 0..index.len() as u32;
            let expected: Vec<u32> = all
                .filter(|number| {
                    let (scope, other) = index.entry(*number).unwrap();
                    scope == 0 && other.is_similar(&looked_for)
                })
                .collect();
            prop_assert_eq!(found(&index, 0, &looked_for), expected);
        }

        #[test]
        fn full_fingerprints_too(
            base in prop::collection::vec(0u8..25, 25),
            changes in prop::collection::vec((0usize..25, 0u8..25, 0usize..25, 0u8..25, 24usize..=26), 1..40),
        ) {
            let changed = changes.iter().map(|(one, number, other, second, len)| {
                let mut numbers = base.clone();
                numbers[*one] = *number;
                numbers[*other] = *second;
                numbers.resize(*len, 7);
                (0, Fingerprint::new(&numbers).unwrap())
            });
            let index = index_of(Cut::default(), &changed.collect::<Vec<_>>());
            let base = Fingerprint::new(&base).unwrap();
            let all = 0..index.len() as u32;
            let expected: Vec<u32> =
                all.filter(|number| index.entry(*number).unwrap().1.is_similar(&base)).collect();
            prop_assert_eq!(found(&index, 0, &base), expected);
        }
    }
}
