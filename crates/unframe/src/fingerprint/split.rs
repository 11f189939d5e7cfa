//! The best position to split fingerprints: where both parts have the same entropy.
//!
//! The first numbers of fingerprints hardly differ, so that a cut in the middle would make one table of the index much
//! worse than the other. The entropy of both parts over a collection shows the best split (figure 2 of Hachenberg and Gottron, 2013).

use std::collections::HashMap;

use super::index::Cut;
use super::signature::Fingerprint;

/// The entropies of the two parts for one way to cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitEntropy {
    /// Full fingerprints are cut after this many numbers.
    pub split: usize,
    /// Of the parts before the cut, in bits.
    pub prefix_bits: f64,
    /// Of the parts after it.
    pub suffix_bits: f64,
}

/// The entropies for every way to cut these fingerprints, each with the number of its pages.
pub fn entropies<'f>(
    fingerprints: impl Iterator<Item = (&'f Fingerprint, u64)> + Clone,
    length: usize,
) -> Vec<SplitEntropy> {
    let entropy = |split: usize| {
        let cut = Cut::new(length, split);
        let (mut prefixes, mut suffixes) = (HashMap::new(), HashMap::new());
        for (fingerprint, pages) in fingerprints.clone() {
            let numbers = fingerprint.as_bytes();
            let (prefix, suffix) = numbers.split_at(cut.split().min(numbers.len()));
            *prefixes.entry(prefix).or_insert(0) += pages;
            *suffixes.entry(suffix).or_insert(0) += pages;
        }
        SplitEntropy { split, prefix_bits: bits(prefixes.values()), suffix_bits: bits(suffixes.values()) }
    };
    (0..=length).map(entropy).collect()
}

/// The split at which the entropies are closest to each other; of equal ones, the first.
pub fn best(entropies: &[SplitEntropy]) -> Option<usize> {
    let distance = |entropy: &SplitEntropy| (entropy.prefix_bits - entropy.suffix_bits).abs();
    entropies
        .iter()
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .map(|entropy| entropy.split)
}

fn bits<'c>(counts: impl Iterator<Item = &'c u64>) -> f64 {
    // Sorted, so that the last bits of the sum do not depend on the order of a hash map.
    let mut counts: Vec<u64> = counts.copied().collect();
    counts.sort_unstable();
    let total = counts.iter().sum::<u64>() as f64;
    counts.iter().map(|count| *count as f64 / total).map(|share| -share * share.log2()).sum::<f64>().abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_is_where_both_parts_say_equally_much() {
        // Four different endings, and only the last but one number before them differs: two bits after it, one bit before.
        let fingerprints: Vec<Fingerprint> = [[0, 0, 1, 1], [0, 0, 1, 2], [0, 0, 2, 3], [0, 0, 2, 4]]
            .iter()
            .map(|numbers| Fingerprint::new(numbers).unwrap())
            .collect();
        let entropies = entropies(fingerprints.iter().map(|fingerprint| (fingerprint, 5)), 4);
        let bits: Vec<(f64, f64)> = entropies.iter().map(|at| (at.prefix_bits, at.suffix_bits)).collect();
        assert_eq!(bits, [(0.0, 2.0), (0.0, 2.0), (0.0, 2.0), (1.0, 2.0), (2.0, 0.0)]);
        assert_eq!(best(&entropies), Some(3));
        assert_eq!(best(&[]), None);
    }
}
