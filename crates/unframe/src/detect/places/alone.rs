//! What pages say of a place when each is looked at by itself, joined with what they say together.
//!
//! Compared with each other, pages show what repeats; a page by itself shows what it looks like, and is weighed by other
//! weights. The two ways go wrong at different places, so that for changing texts the mean of both is better than
//! either. What repeats is left to the comparison: a page knows nothing of it.

use std::collections::HashMap;

use super::belief::{Belief, beliefs};
use super::evidence::Weights;
use super::tree::PlaceTree;
use crate::sample::{PieceHasher, Sample};

/// How much the pages by themselves count.
pub(super) const ALONE: f64 = 0.45;
/// Nothing is more certain than this, as a logarithm of odds: certainty of one side must not silence the other.
const ODDS_MAX: f64 = 6.0;

/// The beliefs of a site, joined with those of its pages.
pub(super) fn joined(
    sample: &Sample,
    site: &PlaceTree,
    beliefs: Vec<Belief>,
    weights: &Weights,
) -> Vec<Belief> {
    let opinions = opinions(sample.pages().map(|(_, words)| words), site, weights);
    let joined = beliefs.into_iter().zip(opinions).map(|(belief, alone)| match alone {
        Some(alone) => Belief { changing: join(belief.changing, alone), ..belief },
        None => belief,
    });
    joined.collect()
}

/// What follows from the odds of the comparison and of the pages alone.
pub(super) fn join(compared: f64, alone: f64) -> f64 {
    (1.0 - ALONE) * bounded(compared) + ALONE * alone
}

/// The sum of what pages say of the changing texts of a place.
#[derive(Debug, Clone, Copy, Default)]
struct Opinion {
    odds: f64,
    /// Characters that it was said of.
    len: f64,
}

impl Opinion {
    fn mean(self) -> Option<f64> {
        (self.len > 0.0).then(|| self.odds / self.len)
    }
}

/// What the pages say of each place of the site, as odds; none where nothing changes. A place that only a page has counts for
/// the one around it.
pub(super) fn opinions<'p>(
    pages: impl Iterator<Item = &'p [u64]>,
    site: &PlaceTree,
    weights: &Weights,
) -> Vec<Option<f64>> {
    let numbers = site.places.iter().enumerate().map(|(number, place)| (place.key, number));
    let numbers: HashMap<u64, usize, PieceHasher> = numbers.collect();
    let mut opinions = vec![Opinion::default(); site.places.len()];
    for words in pages {
        let page = PlaceTree::of_page(words, &site.names);
        let mut in_site = Vec::with_capacity(page.places.len());
        for (place, belief) in page.places.iter().zip(beliefs(&page, weights)) {
            let around = in_site.get(place.parent).copied().unwrap_or(0);
            let number = numbers.get(&place.key).copied().unwrap_or(around);
            in_site.push(number);
            opinions[number].odds += place.changing.len * bounded(belief.changing);
            opinions[number].len += place.changing.len;
        }
    }
    opinions.into_iter().map(Opinion::mean).collect()
}

fn bounded(odds: f64) -> f64 {
    odds.clamp(-ODDS_MAX, ODDS_MAX)
}
