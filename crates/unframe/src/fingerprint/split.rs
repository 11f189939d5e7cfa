//! The best position to split fingerprints: where both parts have the same entropy.
//!
//! The first numbers of fingerprints hardly differ, so a split in the middle would make one table of the index much worse than the other.
//! The entropies of both parts over a collection show the best split (figure 2 of Hachenberg and Gottron, 2013).

use std::collections::HashMap;

use super::index::Cut;
use super::signature::Fingerprint;

/// The entropies of the two parts for one split position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplitEntropy {
    /// The split position in full fingerprints.
    pub split: usize,
    /// The entropy of the prefixes, in bits.
    pub prefix_bits: f64,
    /// The entropy of the suffixes, in bits.
    pub suffix_bits: f64,
}

/// The entropies for every split position of these fingerprints, each of which comes with the number of its pages.
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

/// The split position at which the entropies are closest to each other; the first of several equal ones.
pub fn best(entropies: &[SplitEntropy]) -> Option<usize> {
    let distance = |entropy: &SplitEntropy| (entropy.prefix_bits - entropy.suffix_bits).abs();
    entropies
        .iter()
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
        .map(|entropy| entropy.split)
}

fn bits<'c>(counts: impl Iterator<Item = &'c u64>) -> f64 {
    // Sorted, so that rounding errors of the sum do not depend on the order of a hash map.
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
        // There are four different endings, and before the last number only the number before it differs: two bits after the split, one bit
        // before it.
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
