//! Word feature clusters: blocks of one style in which a word has similar positions.

use super::Signature;
use crate::limits::WORD_CLUSTERS_MAX;

/// Clusters the signatures of one word in the blocks of one style, in a single pass, and returns the size of the cluster for each different
/// signature. A signature joins the first cluster whose first member is similar to it. The signatures must be in ascending order, so that
/// the order of the pages does not matter.
///
/// A signature is compared with the first [`WORD_CLUSTERS_MAX`] clusters only.
pub fn cluster_sizes(
    sorted: &[Signature],
    similarity: f64,
    sizes: &mut Vec<(Signature, u32)>,
    memory: &mut Vec<(Signature, u32)>,
) {
    let (clusters, members) = (memory, sizes);
    clusters.clear();
    members.clear();
    for equal in sorted.chunk_by(|one, other| one == other) {
        let signature = equal[0];
        let compared = clusters.iter().take(WORD_CLUSTERS_MAX);
        let found = compared.enumerate().find(|(_, (first, _))| first.is_similar(signature, similarity));
        let at = found.map(|(at, _)| at).unwrap_or_else(|| {
            clusters.push((signature, 0));
            clusters.len() - 1
        });
        clusters[at].1 = clusters[at].1.saturating_add(equal.len() as u32);
        members.push((signature, at as u32));
    }
    for (_, at) in members {
        *at = clusters[*at as usize].1;
    }
}
