//! How likely each place of a site is template: evidence of all places, weighed together.
//!
//! Every place is template or content, and so are its repeated texts and its changing texts. Each has evidence of its own,
//! and each tends to be what the place around it is. On a tree the probabilities that follow are exact, after one walk up
//! and one walk down (belief propagation, also known as sum-product).

use super::evidence::{Evidence, Weights};
use super::tree::PlaceTree;

/// How likely the texts of a place are template, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Belief {
    /// Those that are repeated.
    pub(super) repeated: f64,
    /// Those that change from page to page.
    pub(super) changing: f64,
}

/// Weights of the two answers, as logarithms: content, template.
type Answers = [f64; 2];

/// What is believed of every place of a site.
pub(super) fn beliefs(tree: &PlaceTree, weights: &Weights) -> Vec<Belief> {
    let evidence = Evidence::of_all(tree, weights);
    // From the leaves to the root: what each place hears from inside, and tells the one around it.
    let mut heard: Vec<Answers> = evidence.iter().map(|evidence| [0.0, evidence.place]).collect();
    let mut told = vec![[0.0; 2]; heard.len()];
    for at in (0..heard.len()).rev() {
        for (own, tie) in evidence[at].texts() {
            add(&mut heard[at], pass([0.0, own], tie));
        }
        if at > 0 {
            told[at] = pass(heard[at], evidence[at].tie);
            add(&mut heard[tree.places[at].parent], told[at]);
        }
    }
    // From the root to the leaves: what each place hears from outside.
    let mut outside = vec![[0.0; 2]; heard.len()];
    for at in 1..heard.len() {
        let parent = tree.places[at].parent;
        let others = [0, 1].map(|answer| heard[parent][answer] - told[at][answer] + outside[parent][answer]);
        outside[at] = pass(others, evidence[at].tie);
    }
    (0..heard.len())
        .map(|at| {
            let all = [0, 1].map(|answer| heard[at][answer] + outside[at][answer]);
            let [repeated, changing] = evidence[at].texts().map(|(own, tie)| {
                let told = pass([0.0, own], tie);
                let others = [0, 1].map(|answer| all[answer] - told[answer]);
                let [content, template] = pass(others, tie);
                probability(template + own - content)
            });
            Belief { repeated, changing }
        })
        .collect()
}

fn add(sum: &mut Answers, more: Answers) {
    sum[0] += more[0];
    sum[1] += more[1];
}

/// What one side of a tie tells the other: the same answer on both sides is `tie` more likely, as a logarithm.
fn pass(from: Answers, tie: f64) -> Answers {
    [log_sum(from[0] + tie, from[1]), log_sum(from[1] + tie, from[0])]
}

/// The logarithm of a sum of two numbers that are given by their logarithms.
fn log_sum(one: f64, other: f64) -> f64 {
    one.max(other) + (-(one - other).abs()).exp().ln_1p()
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
