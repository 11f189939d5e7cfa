//! How much each clue counts.
//!
//! `cargo xtask fit` finds these numbers, by maximising over sites with known content how well the pages are told apart, and writes
//! this file.

use super::evidence::{Clue, Weights};

/// For pages of a site that are compared.
pub(super) const SITE: Weights = weights(0);
/// For a page on its own.
pub(super) const PAGE: Weights = weights(1);

/// How the odds of texts that are taken for template become a confidence, multiplied and shifted, so that of what is told with 90 %,
/// nine of ten words are template on sites that were left out: of repeated texts, and of changing ones.
pub(super) const CALIBRATION: [(f64, f64); 2] = [(0.25, 0.50), (0.05, 1.60)];

const fn weights(column: usize) -> Weights {
    let mut weights = [0.0; Clue::ALL.len()];
    let mut row = 0;
    while row < FITTED.len() {
        weights[FITTED[row].0 as usize] = FITTED[row].1[column];
        row += 1;
    }
    Weights(weights)
}

#[rustfmt::skip]
const FITTED: [(Clue, [f64; 2]); Clue::ALL.len()] = [
    (Clue::Repeated, [2.000, 2.000]),
    (Clue::RepeatedLink, [2.348, 1.000]),
    (Clue::RepeatedInProse, [2.028, 0.000]),
    (Clue::PartlyRepeated, [1.292, 0.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [0.000, 0.000]),
    (Clue::Steady, [0.000, 0.000]),
    (Clue::Everywhere, [-0.589, 0.000]),
    (Clue::TieContrast, [-2.500, -2.500]),
    (Clue::TieItemContrast, [-0.012, 0.000]),
    (Clue::NewProse, [-3.178, -0.322]),
    (Clue::NewLabel, [-10.000, -3.717]),
    (Clue::NewNumber, [-5.887, -1.230]),
    (Clue::LabelInProse, [-1.539, 1.821]),
    (Clue::NumberInProse, [-0.082, 0.027]),
    (Clue::ProseInside, [0.000, -0.008]),
    (Clue::Title, [-1.725, -0.425]),
    (Clue::InPageTitle, [-2.047, -3.259]),
    (Clue::Control, [0.000, 0.000]),
    (Clue::NewLink, [-2.401, -2.594]),
    (Clue::LinkInProse, [-0.327, 2.579]),
    (Clue::Jump, [0.000, 0.487]),
    (Clue::Echo, [0.801, 0.740]),
    (Clue::WaysInside, [0.062, 0.000]),
    (Clue::LinksInside, [1.074, 0.637]),
    (Clue::Nav, [1.000, 1.827]),
    (Clue::Footer, [1.277, 2.167]),
    (Clue::Aside, [0.500, 0.500]),
    (Clue::Header, [0.500, 1.552]),
    (Clue::Main, [-0.854, -1.205]),
    (Clue::NamedNav, [0.534, 3.672]),
    (Clue::NamedToc, [-0.762, -2.277]),
    (Clue::NamedFoot, [2.554, 2.665]),
    (Clue::NamedHead, [2.437, 0.209]),
    (Clue::NamedSide, [1.165, 1.436]),
    (Clue::NamedTool, [1.268, 0.000]),
    (Clue::NamedContent, [-7.103, -3.528]),
    (Clue::AtTheEnd, [2.291, 0.471]),
    (Clue::AtTheStart, [0.041, 0.203]),
    (Clue::InFrame, [1.250, 0.128]),
    (Clue::FrameLink, [4.089, 5.292]),
    (Clue::FrameLabel, [0.569, 3.903]),
    (Clue::FrameNumber, [0.000, 0.436]),
    (Clue::Tie, [4.844, 5.948]),
    (Clue::TieInline, [5.097, 1.483]),
    (Clue::TieItem, [4.214, 2.809]),
    (Clue::TieRepeated, [6.319, 0.000]),
    (Clue::TieChanging, [8.467, 4.621]),
    (Clue::TieChangingMass, [5.077, 2.816]),
];
