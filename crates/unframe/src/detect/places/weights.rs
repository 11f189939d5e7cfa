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
pub(super) const CALIBRATION: [(f64, f64); 2] = [(0.35, 0.00), (0.10, 1.50)];

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
    (Clue::Repeated, [1.000, 1.000]),
    (Clue::RepeatedLink, [3.798, 1.000]),
    (Clue::RepeatedWay, [4.000, 0.000]),
    (Clue::RepeatedInProse, [1.916, 0.000]),
    (Clue::PartlyRepeated, [0.929, 0.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [0.000, 0.000]),
    (Clue::Steady, [0.000, 0.000]),
    (Clue::Everywhere, [-0.248, 0.000]),
    (Clue::TieContrast, [-2.476, 0.000]),
    (Clue::TieItemContrast, [-0.549, 0.000]),
    (Clue::NewProse, [-3.727, -1.666]),
    (Clue::NewLabel, [-9.003, -3.691]),
    (Clue::NewNumber, [-5.897, 0.423]),
    (Clue::LabelInProse, [-1.533, 1.321]),
    (Clue::NumberInProse, [-0.122, -0.139]),
    (Clue::ProseInside, [-0.150, 0.000]),
    (Clue::Title, [-2.143, -0.766]),
    (Clue::InPageTitle, [-1.956, -3.236]),
    (Clue::Control, [0.000, 0.000]),
    (Clue::NewLink, [-3.316, -2.139]),
    (Clue::LinkInProse, [-0.299, 2.541]),
    (Clue::Jump, [0.000, 0.801]),
    (Clue::Echo, [0.873, 0.000]),
    (Clue::WaysInside, [0.023, 0.000]),
    (Clue::LinksInside, [0.960, 0.742]),
    (Clue::Nav, [1.000, 1.891]),
    (Clue::Footer, [2.466, 3.842]),
    (Clue::Aside, [0.500, 0.500]),
    (Clue::Header, [0.500, 2.019]),
    (Clue::Main, [-0.814, -3.607]),
    (Clue::NamedNav, [0.500, 2.489]),
    (Clue::NamedToc, [-0.023, -2.290]),
    (Clue::NamedFoot, [1.734, 3.691]),
    (Clue::NamedHead, [1.738, 0.715]),
    (Clue::NamedSide, [0.992, 1.705]),
    (Clue::NamedTool, [1.013, 0.000]),
    (Clue::NamedContent, [-6.410, -4.151]),
    (Clue::AtTheEnd, [3.826, 0.433]),
    (Clue::AtTheStart, [0.530, 0.637]),
    (Clue::InFrame, [1.115, 0.095]),
    (Clue::FrameLink, [3.591, 5.017]),
    (Clue::FrameLabel, [0.842, 3.267]),
    (Clue::FrameNumber, [0.000, 2.635]),
    (Clue::Tie, [3.884, 6.113]),
    (Clue::TieInline, [4.913, 1.564]),
    (Clue::TieItem, [4.271, 2.490]),
    (Clue::TieRepeated, [5.823, 0.000]),
    (Clue::TieWay, [-4.800, 0.000]),
    (Clue::TieChanging, [7.640, 5.236]),
    (Clue::TieChangingMass, [4.772, 2.382]),
];
