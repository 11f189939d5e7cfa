//! Agreement of two clusterings of the same pages.

use std::collections::HashMap;

/// How well a clustering agrees with the known templates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The number of clusters that were found.
    pub clusters: usize,
    /// The Rand index: the share of all pairs of pages that both clusterings put together or both keep apart.
    pub rand: f64,
    /// The Rand index, corrected for chance agreement.
    pub adjusted_rand: f64,
    /// The share of pages that belong to the most frequent template of their cluster.
    pub purity: f64,
    /// The mean over clusters of the share of their most frequent template. All clusters have the same weight.
    pub mean_purity: f64,
}

impl Agreement {
    /// Compares the found clusters with the known templates, page by page.
    pub fn of(known: &[u64], found: &[u64]) -> Agreement {
        let pages = known.len().min(found.len());
        let (mut both, mut templates, mut clusters) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (known, found) in known.iter().zip(found) {
            *both.entry((*known, *found)).or_insert(0u64) += 1;
            *templates.entry(*known).or_insert(0u64) += 1;
            *clusters.entry(*found).or_insert(0u64) += 1;
        }
        let mut most: HashMap<u64, u64> = HashMap::new();
        for ((_, found), count) in &both {
            let most = most.entry(*found).or_default();
            *most = (*count).max(*most);
        }
        // The shares are sorted so that the floating-point sum does not depend on the order of the map.
        let mut shares: Vec<f64> =
            most.iter().map(|(found, most)| *most as f64 / clusters[found] as f64).collect();
        shares.sort_by(f64::total_cmp);
        let together = sum_of_pairs(both.values());
        let (of_templates, of_clusters) = (sum_of_pairs(templates.values()), sum_of_pairs(clusters.values()));
        let all = pairs(pages as u64);
        let agreeing = all + 2.0 * together - of_templates - of_clusters;
        let expected = if all > 0.0 { of_templates * of_clusters / all } else { 0.0 };
        let best = (of_templates + of_clusters) / 2.0;
        Agreement {
            clusters: clusters.len(),
            rand: if all > 0.0 { agreeing / all } else { 1.0 },
            adjusted_rand: if best > expected { (together - expected) / (best - expected) } else { 1.0 },
            purity: if pages > 0 { most.values().sum::<u64>() as f64 / pages as f64 } else { 1.0 },
            mean_purity: if shares.is_empty() {
                1.0
            } else {
                shares.iter().sum::<f64>() / shares.len() as f64
            },
        }
    }
}

fn sum_of_pairs<'c>(counts: impl Iterator<Item = &'c u64>) -> f64 {
    // The sum is taken in integers, so that it does not depend on the order of the map.
    counts.map(|count| u128::from(*count) * u128::from(count.saturating_sub(1)) / 2).sum::<u128>() as f64
}

fn pairs(count: u64) -> f64 {
    sum_of_pairs([count].iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groupings_agree() {
        let agreement = Agreement::of(&[1, 1, 2, 2, 3], &[7, 7, 8, 8, 9]);
        let perfect = Agreement { clusters: 3, rand: 1.0, adjusted_rand: 1.0, purity: 1.0, mean_purity: 1.0 };
        assert_eq!(agreement, perfect);
    }

    #[test]
    fn the_example_of_the_textbook() {
        // Manning, Raghavan, Schütze, Introduction to Information Retrieval, figure 16.4: purity 12/17, Rand index 0.68.
        let known = [1, 1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 3, 1, 1, 3, 3, 3];
        let found = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3];
        let agreement = Agreement::of(&known, &found);
        assert_eq!(agreement.purity, 12.0 / 17.0);
        // Clusters of 6, 6 and 5 pages with 5, 4 and 3 of one template.
        assert!((agreement.mean_purity - (5.0 / 6.0 + 4.0 / 6.0 + 3.0 / 5.0) / 3.0).abs() < 1e-12);
        assert_eq!(agreement.rand, 92.0 / 136.0);
        // (20 − 40·44/136) / (42 − 40·44/136)
        assert!((agreement.adjusted_rand - 0.2429).abs() < 1e-4, "{agreement:?}");
    }

    #[test]
    fn one_cluster_is_chance_and_nothing_is_no_harm() {
        let agreement = Agreement::of(&[1, 1, 2, 2], &[5, 5, 5, 5]);
        assert_eq!((agreement.adjusted_rand, agreement.purity), (0.0, 0.5));
        assert_eq!(Agreement::of(&[], &[]).rand, 1.0);
        assert_eq!(Agreement::of(&[1], &[1]).adjusted_rand, 1.0);
    }
}
