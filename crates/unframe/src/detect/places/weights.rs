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
    (Clue::Repeated, [3.000, 2.000]),
    (Clue::RepeatedLink, [2.348, 0.500]),
    (Clue::RepeatedInProse, [2.028, 0.000]),
    (Clue::PartlyRepeated, [1.292, 2.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [0.000, 0.500]),
    (Clue::Steady, [0.000, 0.000]),
    (Clue::Everywhere, [-0.589, 0.000]),
    (Clue::TieContrast, [-2.500, 0.000]),
    (Clue::TieItemContrast, [-0.012, 0.000]),
    (Clue::NewProse, [-6.000, -1.765]),
    (Clue::NewLabel, [-10.000, -4.165]),
    (Clue::NewNumber, [-5.887, -1.900]),
    (Clue::LabelInProse, [-1.539, 0.000]),
    (Clue::NumberInProse, [-0.082, 0.000]),
    (Clue::ProseInside, [0.000, 0.000]),
    (Clue::Title, [-1.725, -1.322]),
    (Clue::InPageTitle, [-2.047, 0.000]),
    (Clue::Control, [0.000, 0.357]),
    (Clue::NewLink, [-2.401, -1.816]),
    (Clue::LinkInProse, [-0.327, 0.000]),
    (Clue::Jump, [0.000, 0.879]),
    (Clue::Echo, [0.801, 0.000]),
    (Clue::WaysInside, [0.062, 1.000]),
    (Clue::LinksInside, [1.074, 0.000]),
    (Clue::Nav, [1.000, 1.461]),
    (Clue::Footer, [2.500, 2.937]),
    (Clue::Aside, [0.500, 1.030]),
    (Clue::Header, [0.500, 0.737]),
    (Clue::Main, [-0.854, -1.613]),
    (Clue::NamedNav, [0.534, 0.029]),
    (Clue::NamedToc, [-0.762, 0.000]),
    (Clue::NamedFoot, [2.554, 2.220]),
    (Clue::NamedHead, [2.437, 0.162]),
    (Clue::NamedSide, [1.165, 3.313]),
    (Clue::NamedTool, [1.268, 0.676]),
    (Clue::NamedContent, [-7.103, -4.048]),
    (Clue::AtTheEnd, [2.291, 0.755]),
    (Clue::AtTheStart, [0.041, 1.683]),
    (Clue::InFrame, [1.250, 0.553]),
    (Clue::FrameLink, [4.089, 2.745]),
    (Clue::FrameLabel, [0.569, 3.510]),
    (Clue::FrameNumber, [0.000, 1.641]),
    (Clue::Tie, [4.844, 7.738]),
    (Clue::TieInline, [5.097, 2.159]),
    (Clue::TieItem, [4.214, 1.668]),
    (Clue::TieRepeated, [6.319, 2.000]),
    (Clue::TieChanging, [8.467, 6.018]),
    (Clue::TieChangingMass, [5.077, 5.008]),
];
