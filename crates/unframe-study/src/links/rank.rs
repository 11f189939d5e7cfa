//! PageRank.

/// The damping factor.
pub const DAMPING: f64 = 0.85;
/// Maximum number of iterations.
const STEPS_MAX: usize = 200;
/// The iteration stops when the sum of all changes is smaller than this.
const CHANGE_MIN: f64 = 1e-12;

/// The PageRank of `pages` pages; the sum is 1. Links are pairs (from, to); several links from one page to another count as one. A page
/// without links counts as linking to all pages.
pub fn page_rank(pages: usize, links: &[(u32, u32)]) -> Vec<f64> {
    if pages == 0 {
        return Vec::new();
    }
    let mut links: Vec<(u32, u32)> = links.to_vec();
    links.sort_unstable();
    links.dedup();
    let mut out = vec![0u32; pages];
    links.iter().for_each(|(from, _)| out[*from as usize] += 1);
    let mut ranks = vec![1.0 / pages as f64; pages];
    for _ in 0..STEPS_MAX {
        let lost: f64 = ranks.iter().zip(&out).filter(|(_, out)| **out == 0).map(|(rank, _)| rank).sum();
        let everywhere = (1.0 - DAMPING + DAMPING * lost) / pages as f64;
        let mut next = vec![everywhere; pages];
        for (from, to) in &links {
            next[*to as usize] += DAMPING * ranks[*from as usize] / f64::from(out[*from as usize]);
        }
        let change: f64 = ranks.iter().zip(&next).map(|(old, new)| (old - new).abs()).sum();
        ranks = next;
        if change < CHANGE_MIN {
            break;
        }
    }
    ranks
}

/// The position of each page in the ranking, from 1. Equal ranks have equal positions.
pub fn places(ranks: &[f64]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|a, b| ranks[*b].total_cmp(&ranks[*a]));
    let mut places = vec![0; ranks.len()];
    let mut place = 0;
    for (at, page) in order.iter().enumerate() {
        // Ranks that differ only by rounding count as equal.
        let is_equal = at > 0 && (ranks[order[at - 1]] - ranks[*page]).abs() < 1e-11;
        if !is_equal {
            place = at as u32 + 1;
        }
        places[*page] = place;
    }
    places
}
