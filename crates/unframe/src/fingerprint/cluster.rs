//! Clusters pages by their templates, in one pass.
//!
//! # What it does
//! Every page is looked up, and all clusters with a page similar to it are merged. The result is the connected components of the graph of
//! similar pages, whatever the order of the pages. Equal signatures are stored once.
//!
//! The id of a cluster is the smallest hash of its signatures, so ids do not depend on page order either. When a clustering is resumed, the
//! signatures of earlier runs are added first, so clusters keep their ids when pages join them. When a page connects two old clusters, the
//! id from the earlier run wins, then the smaller id.
//!
//! # Cost
//! One look-up per page. Memory is needed only for different signatures, about 200 bytes for each fingerprint and 1,500 for each sketch,
//! which has 56 keys. Methods that compare pages pairwise take time quadratic in the number of pages, and keep all of them.
//!
//! # Paper
//! Hachenberg, Gottron: *Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web Documents* (2013), section 5.

use std::collections::HashMap;
use std::fmt;

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::comparisons::Structure;
use super::index::{Cut, Index};
use super::method::{Method, Settings, Signature};
use super::split;
use super::vocabulary::Vocabulary;
use super::{Full, check_room};
use crate::sample::PieceHasher;

/// Pages grouped by their templates.
#[derive(Debug, Clone)]
pub struct Clusters {
    settings: Settings,
    known: Known,
    entries: Vec<Entry>,
    /// The index of this run: how often the clustering was resumed.
    run: u32,
}

/// The cluster membership of a signature (a node of a union-find forest), and its page count.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Another entry of the same cluster, or itself if it is the root.
    parent: u32,
    /// The run in which the signature was first seen.
    run: u32,
    hash: u64,
    pages: u64,
}

/// The different signatures, in the order of the entries.
#[derive(Debug, Clone)]
enum Known {
    Fingerprints(Index),
    Vocabularies {
        values: Vec<(u64, Vocabulary)>,
        numbers: HashMap<(u64, Vocabulary), u32>,
        /// The first entry with each key. All entries with the same key are in one cluster, so one is enough.
        keys: HashMap<u64, u32, PieceHasher>,
    },
    Digests {
        values: Vec<(u64, [u8; 16])>,
        numbers: HashMap<(u64, [u8; 16]), u32>,
    },
    Structures(Vec<(u64, Box<Structure>)>),
}

/// The id of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(pub u64);

impl fmt::Display for ClusterId {
    /// 16 hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The cluster id of each entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Vec<ClusterId>);

impl Names {
    /// The id of an entry's cluster.
    pub fn of(&self, entry: u32) -> Option<ClusterId> {
        self.0.get(entry as usize).copied()
    }
}

/// A signature of a clustering, in the form in which it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// The scope: only signatures of the same scope can be similar.
    pub scope: u64,
    /// The signature.
    pub signature: Signature,
    /// The run in which the signature was first seen.
    pub run: u32,
    /// The number of pages with this signature.
    pub pages: u64,
}

impl Clusters {
    /// An empty clustering.
    pub fn new(settings: Settings) -> Clusters {
        Clusters { settings, known: Known::new(&settings), entries: Vec::new(), run: 0 }
    }

    /// Resumes the clusters of earlier runs.
    pub fn resume(
        settings: Settings,
        run: u32,
        saved: impl IntoIterator<Item = Saved>,
    ) -> Result<Clusters, Full> {
        let mut clusters = Clusters::new(settings);
        for saved in saved {
            clusters.run = saved.run;
            let entry = clusters.add(saved.scope, &saved.signature)?;
            // `add` already counted one page.
            clusters.entries[entry as usize].pages += saved.pages.saturating_sub(1);
        }
        clusters.run = run;
        Ok(clusters)
    }

    /// Everything that a later run needs, sorted, so that equal clusterings have equal saved forms.
    pub fn save(&self) -> Vec<Saved> {
        let mut saved: Vec<(Option<Vec<u8>>, Saved)> = (0..self.entries.len())
            .map(|number| {
                let (scope, signature) = self.known.get(number);
                let Entry { run, pages, .. } = self.entries[number];
                (signature.to_bytes(), Saved { scope, signature, run, pages })
            })
            .collect();
        saved.sort_by(|one, other| (one.1.scope, &one.0).cmp(&(other.1.scope, &other.0)));
        saved.into_iter().map(|(_, saved)| saved).collect()
    }

    /// The method with its parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The index of this run.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// The number of different signatures.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no signatures.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a page and returns its entry. Only pages of the same `scope` can be in one cluster.
    pub fn add(&mut self, scope: u64, signature: &Signature) -> Result<u32, Full> {
        if let Some(number) = self.known.find(scope, signature) {
            self.entries[number as usize].pages += 1;
            return Ok(number);
        }
        check_room(self.settings.method, self.entries.len())?;
        let number = self.entries.len() as u32;
        let hash = hash(scope, signature);
        self.entries.push(Entry { parent: number, run: self.run, hash, pages: 1 });
        let Clusters { known, entries, settings, .. } = self;
        known.similar(scope, signature, settings.threshold, |other| unite(entries, number, other));
        known.push(scope, signature);
        Ok(number)
    }

    /// The current cluster ids.
    pub fn names(&mut self) -> Names {
        let mut best: HashMap<u32, (u32, u64)> = HashMap::new();
        let roots: Vec<u32> =
            (0..self.entries.len() as u32).map(|number| root(&mut self.entries, number)).collect();
        for (root, entry) in roots.iter().zip(&self.entries) {
            let name = (entry.run, entry.hash);
            best.entry(*root).and_modify(|best| *best = name.min(*best)).or_insert(name);
        }
        Names(roots.iter().map(|root| ClusterId(best.get(root).map_or(0, |best| best.1))).collect())
    }

    /// Splits fingerprints at another position. This affects only the speed.
    pub fn set_split(&mut self, split: usize) {
        self.settings.cut = Cut::new(self.settings.cut.length(), split);
        if let Known::Fingerprints(index) = &mut self.known {
            let mut moved = Index::new(self.settings.cut);
            for number in 0..index.len() as u32 {
                if let Some((scope, fingerprint)) = index.entry(number) {
                    moved.push(scope, *fingerprint);
                }
            }
            *index = moved;
        }
    }

    /// The entropies of both parts of the fingerprints for every split position; empty for other methods.
    pub fn split_entropies(&self) -> Vec<split::SplitEntropy> {
        let Known::Fingerprints(index) = &self.known else { return Vec::new() };
        let fingerprints = self.entries.iter().enumerate().filter_map(|(number, entry)| {
            index.entry(number as u32).map(|(_, fingerprint)| (fingerprint, entry.pages))
        });
        split::entropies(fingerprints, self.settings.cut.length())
    }
}

impl Known {
    fn new(settings: &Settings) -> Known {
        match settings.method {
            Method::Fingerprint => Known::Fingerprints(Index::new(settings.cut)),
            Method::Vocabulary => Known::Vocabularies {
                values: Vec::new(),
                numbers: HashMap::default(),
                keys: HashMap::default(),
            },
            Method::Md5 | Method::Mdh5 => Known::Digests { values: Vec::new(), numbers: HashMap::new() },
            _ => Known::Structures(Vec::new()),
        }
    }

    fn find(&self, scope: u64, signature: &Signature) -> Option<u32> {
        match (self, signature) {
            (Known::Fingerprints(index), Signature::Fingerprint(value)) => index.find(scope, value),
            (Known::Vocabularies { numbers, .. }, Signature::Vocabulary(value)) => {
                numbers.get(&(scope, *value)).copied()
            }
            (Known::Digests { numbers, .. }, Signature::Digest(value)) => {
                numbers.get(&(scope, *value)).copied()
            }
            _ => None,
        }
    }

    /// Calls `each` with at least one entry of every cluster that has a similar signature.
    fn similar(&self, scope: u64, signature: &Signature, threshold: f64, mut each: impl FnMut(u32)) {
        match (self, signature) {
            (Known::Fingerprints(index), Signature::Fingerprint(value)) => index.similar(scope, value, each),
            (Known::Vocabularies { keys, .. }, Signature::Vocabulary(value)) => {
                value
                    .keys()
                    .filter_map(|numbers| keys.get(&key(scope, numbers)))
                    .for_each(|entry| each(*entry));
            }
            (Known::Structures(all), Signature::Structure(value)) => {
                for (number, (other_scope, other)) in all.iter().enumerate() {
                    if *other_scope == scope && other.similarity_from(value, threshold).is_some() {
                        each(number as u32);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds a new signature.
    fn push(&mut self, scope: u64, signature: &Signature) {
        match (self, signature) {
            (Known::Fingerprints(index), Signature::Fingerprint(value)) => {
                index.push(scope, *value);
            }
            (Known::Vocabularies { values, numbers, keys }, Signature::Vocabulary(value)) => {
                let number = values.len() as u32;
                values.push((scope, *value));
                numbers.insert((scope, *value), number);
                value.keys().for_each(|numbers| {
                    keys.entry(key(scope, numbers)).or_insert(number);
                });
            }
            (Known::Digests { values, numbers }, Signature::Digest(value)) => {
                numbers.insert((scope, *value), values.len() as u32);
                values.push((scope, *value));
            }
            (Known::Structures(all), Signature::Structure(value)) => all.push((scope, value.clone())),
            // A signature of another method than the clustering's is similar to nothing.
            (Known::Fingerprints(index), _) => {
                index.push(scope, super::Fingerprint::EMPTY);
            }
            (Known::Vocabularies { values, .. }, _) => values.push((scope, Vocabulary::default())),
            (Known::Digests { values, .. }, _) => values.push((scope, [0; 16])),
            (Known::Structures(all), _) => all.push((scope, Box::new(Structure::Set(Vec::new())))),
        }
    }

    fn get(&self, number: usize) -> (u64, Signature) {
        match self {
            Known::Fingerprints(index) => {
                let (scope, value) = index.entry(number as u32).unwrap_or((0, &super::Fingerprint::EMPTY));
                (scope, Signature::Fingerprint(*value))
            }
            Known::Vocabularies { values, .. } => (values[number].0, Signature::Vocabulary(values[number].1)),
            Known::Digests { values, .. } => (values[number].0, Signature::Digest(values[number].1)),
            Known::Structures(all) => (all[number].0, Signature::Structure(all[number].1.clone())),
        }
    }
}

/// The hash key of a band combination of a sketch, within a scope.
fn key(scope: u64, numbers: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&scope.to_le_bytes());
    bytes[8..].copy_from_slice(&numbers.to_le_bytes());
    xxh3_64(&bytes)
}

/// The hash of a signature, from which the cluster id is chosen.
fn hash(scope: u64, signature: &Signature) -> u64 {
    let mut hasher = Xxh3Default::new();
    hasher.update(&scope.to_le_bytes());
    match signature {
        Signature::Structure(structure) => hasher.update(format!("{structure:?}").as_bytes()),
        other => hasher.update(&other.to_bytes().unwrap_or_default()),
    }
    hasher.digest()
}

fn root(entries: &mut [Entry], number: u32) -> u32 {
    let mut at = number;
    while entries[at as usize].parent != at {
        let grandparent = entries[entries[at as usize].parent as usize].parent;
        entries[at as usize].parent = grandparent;
        at = grandparent;
    }
    at
}

fn unite(entries: &mut [Entry], one: u32, other: u32) {
    let (one, other) = (root(entries, one), root(entries, other));
    // The older root stays the root. Together with path halving in `root`, this keeps the paths short.
    entries[one.max(other) as usize].parent = one.min(other);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fingerprint::Fingerprint;
    use crate::limits::COMPARED_PAGES_MAX;

    fn fingerprint(numbers: &[u8]) -> Signature {
        Signature::Fingerprint(Fingerprint::new(numbers).unwrap())
    }

    fn clusters_of(method: Method, signatures: &[(u64, Signature)]) -> Vec<ClusterId> {
        let mut clusters = Clusters::new(Settings::new(method));
        let entries: Vec<u32> =
            signatures.iter().map(|(scope, signature)| clusters.add(*scope, signature).unwrap()).collect();
        let names = clusters.names();
        entries.iter().map(|entry| names.of(*entry).unwrap()).collect()
    }

    #[test]
    fn a_page_between_two_clusters_joins_them() {
        let (one, between, other) =
            (fingerprint(&[0, 0, 0]), fingerprint(&[0, 0, 1]), fingerprint(&[0, 1, 1]));
        let apart = clusters_of(Method::Fingerprint, &[(0, one.clone()), (0, other.clone())]);
        assert_ne!(apart[0], apart[1]);
        let joined = clusters_of(Method::Fingerprint, &[(0, one.clone()), (0, other), (0, between.clone())]);
        assert!(joined.iter().all(|name| *name == joined[0]));
        let sites = clusters_of(Method::Fingerprint, &[(1, one), (2, between)]);
        assert_ne!(sites[0], sites[1], "other scopes");
    }

    #[test]
    fn later_pages_join_clusters_that_keep_their_names() {
        let settings = Settings::new(Method::Fingerprint);
        let mut first = Clusters::new(settings);
        let old: Vec<u32> =
            (3..6).map(|number| first.add(0, &fingerprint(&[0, number, 2 * number])).unwrap()).collect();
        let names = first.names();
        let before: Vec<ClusterId> = old.iter().map(|entry| names.of(*entry).unwrap()).collect();
        // The ids of the first run stay, whatever pages join.
        for number in (0..50).filter(|number| ![6, 10].contains(number)) {
            let mut second = Clusters::resume(settings, 1, first.save()).unwrap();
            let joins = second.add(0, &fingerprint(&[0, 4, number])).unwrap();
            assert_eq!(second.names().of(joins), Some(before[1]), "{number}");
        }
    }

    #[test]
    fn pages_of_saved_signatures_are_counted() {
        let settings = Settings::new(Method::Md5);
        let mut clusters = Clusters::new(settings);
        (0..3).for_each(|_| assert_eq!(clusters.add(0, &Signature::Digest([7; 16])), Ok(0)));
        let again = Clusters::resume(settings, 1, clusters.save()).unwrap();
        assert_eq!((again.save(), again.len(), again.save()[0].pages), (clusters.save(), 1, 3));
    }

    #[test]
    fn structures_are_compared_with_all() {
        let set = |elements: &[u64]| Signature::Structure(Box::new(Structure::Set(elements.to_vec())));
        let names = clusters_of(
            Method::Ctss,
            &[(0, set(&[1, 2, 3, 4, 5])), (0, set(&[1, 2, 3, 4])), (0, set(&[1, 2, 3]))],
        );
        assert_eq!(names[0], names[1]);
        assert_ne!(names[0], names[2]);
    }

    #[test]
    fn slow_comparisons_hold_so_many_pages_and_no_more() {
        let page = Signature::Structure(Box::new(Structure::Set(vec![1])));
        let mut clusters = Clusters::new(Settings::new(Method::Cp));
        // Real comparisons of this many pages take minutes, so the test only fills the count.
        let entry = Entry { parent: 0, run: 0, hash: 0, pages: 1 };
        clusters.entries = vec![entry; COMPARED_PAGES_MAX - 1];
        assert_eq!(clusters.add(0, &page), Ok(COMPARED_PAGES_MAX as u32 - 1));
        assert_eq!(clusters.add(0, &page), Err(Full(COMPARED_PAGES_MAX)));
    }

    /// The groups of equal ids, as page indexes.
    fn groups(names: &[ClusterId]) -> Vec<Vec<usize>> {
        let mut groups: HashMap<ClusterId, Vec<usize>> = HashMap::new();
        names.iter().enumerate().for_each(|(at, name)| groups.entry(*name).or_default().push(at));
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort();
        groups
    }

    /// The connected components, by comparing all pairs.
    fn brute_force(
        signatures: &[Signature],
        is_similar: impl Fn(&Signature, &Signature) -> bool,
    ) -> Vec<Vec<usize>> {
        let mut labels: Vec<usize> = (0..signatures.len()).collect();
        for i in 0..signatures.len() {
            for j in 0..i {
                if is_similar(&signatures[i], &signatures[j]) {
                    let (old, new) = (labels[i], labels[j]);
                    labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
                }
            }
        }
        groups(&labels.iter().map(|label| ClusterId(*label as u64)).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn fingerprints_are_clustered_as_by_brute_force_in_any_order(
            numbers in prop::collection::vec(prop::collection::vec(0u8..4, 3..6), 1..40),
            turn in 0usize..40,
        ) {
            let signatures: Vec<Signature> = numbers.iter().map(|numbers| fingerprint(numbers)).collect();
            let expected = brute_force(&signatures, |one, other| match (one, other) {
                (Signature::Fingerprint(one), Signature::Fingerprint(other)) => one.is_similar(other),
                _ => false,
            });
            let mut pages: Vec<(u64, Signature)> = signatures.into_iter().map(|signature| (0, signature)).collect();
            let names = clusters_of(Method::Fingerprint, &pages);
            prop_assert_eq!(groups(&names), expected);
            // The ids are the same in another page order.
            let turn = turn % pages.len();
            pages.rotate_left(turn);
            pages.reverse();
            let mut again = clusters_of(Method::Fingerprint, &pages);
            again.reverse();
            again.rotate_right(turn);
            prop_assert_eq!(again, names);
        }

        #[test]
        fn sketches_too(numbers in prop::collection::vec(prop::array::uniform8(0u32..4), 1..30)) {
            let signatures: Vec<Signature> =
                numbers.iter().map(|numbers| Signature::Vocabulary(Vocabulary(*numbers))).collect();
            let expected = brute_force(&signatures, |one, other| match (one, other) {
                (Signature::Vocabulary(one), Signature::Vocabulary(other)) => one.is_similar(other),
                _ => false,
            });
            let pages: Vec<(u64, Signature)> = signatures.into_iter().map(|signature| (0, signature)).collect();
            prop_assert_eq!(groups(&clusters_of(Method::Vocabulary, &pages)), expected);
        }
    }
}
