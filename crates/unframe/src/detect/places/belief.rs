//! How likely each place of a site is template: evidence of all places, weighed together.
//!
//! Every place is template or content, and so are its repeated texts and its changing texts. Each has evidence of its own,
//! and each tends to be what the place around it is. On a tree the probabilities that follow are exact, after one walk up
//! and one walk down (belief propagation, also known as sum-product).

use super::evidence::{Evidence, Subject, Weights};
use super::tree::PlaceTree;
use super::weights::CALIBRATION;

/// How likely the texts of a place are template, as logarithms of odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Belief {
    /// Those that are repeated.
    pub(super) repeated: f64,
    /// Those that change from page to page.
    pub(super) changing: f64,
}

/// What is believed of every place of a site.
pub(super) fn beliefs(tree: &PlaceTree, weights: &Weights) -> Vec<Belief> {
    let evidence = Evidence::of_all(tree, weights);
    // From the leaves to the root: what each place hears from inside, and tells the one around it.
    let mut heard: Vec<f64> = evidence.iter().map(|evidence| evidence.of(Subject::Place)).collect();
    let mut told = vec![0.0; heard.len()];
    for at in (0..heard.len()).rev() {
        heard[at] += evidence[at].texts().iter().map(|(own, tie)| pass(*own, *tie)).sum::<f64>();
        if at > 0 {
            told[at] = pass(heard[at], evidence[at].of(Subject::Tie));
            heard[tree.places[at].parent] += told[at];
        }
    }
    // From the root to the leaves: what each place hears from outside.
    for at in 1..heard.len() {
        let others = heard[tree.places[at].parent] - told[at];
        heard[at] += pass(others, evidence[at].of(Subject::Tie));
    }
    let texts = heard.iter().zip(&evidence).map(|(heard, evidence)| {
        let [repeated, changing] = evidence.texts().map(|(own, tie)| own + pass(heard - pass(own, tie), tie));
        Belief { repeated, changing }
    });
    texts.collect()
}

/// How certain it is that a text of which this was believed is template, both in percent.
pub(super) fn confidence(believed: u8, is_repeated: bool) -> u8 {
    let (slope, shift) = CALIBRATION[usize::from(!is_repeated)];
    let believed = (f64::from(believed) / 100.0).clamp(0.005, 0.995);
    let odds = (believed / (1.0 - believed)).ln();
    (probability(odds * slope + shift) * 100.0).round() as u8
}

/// What one side of a tie tells the other, both as logarithms of odds: the same answer on both sides is `tie` more likely, as
/// a logarithm.
pub(super) fn pass(odds: f64, tie: f64) -> f64 {
    log_sum(odds + tie, 0.0) - log_sum(odds, tie)
}

/// The logarithm of a sum of two numbers that are given by their logarithms.
fn log_sum(one: f64, other: f64) -> f64 {
    one.max(other) + (-(one - other).abs()).exp().ln_1p()
}

/// From 0 to 1.
pub(super) fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
