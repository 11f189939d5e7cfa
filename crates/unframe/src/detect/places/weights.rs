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
pub(super) const CALIBRATION: [(f64, f64); 2] = [(0.35, 0.00), (0.05, 1.80)];

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
    (Clue::NewProse, [-3.727, -1.000]),
    (Clue::NewLabel, [-9.003, -3.666]),
    (Clue::NewNumber, [-5.897, -2.259]),
    (Clue::LabelInProse, [-1.533, -0.174]),
    (Clue::NumberInProse, [-0.122, 0.250]),
    (Clue::ProseInside, [-0.150, -0.670]),
    (Clue::Title, [-2.143, -5.021]),
    (Clue::InPageTitle, [-1.956, -2.434]),
    (Clue::Control, [0.000, 1.607]),
    (Clue::Form, [0.000, 0.652]),
    (Clue::Unseen, [0.000, 0.858]),
    (Clue::NewLink, [-3.316, -2.499]),
    (Clue::LinkInProse, [-0.299, 0.637]),
    (Clue::Jump, [0.000, 0.726]),
    (Clue::Echo, [0.873, 1.040]),
    (Clue::WaysInside, [0.023, 0.715]),
    (Clue::LinksInside, [0.960, 0.014]),
    (Clue::Nav, [1.000, 1.335]),
    (Clue::Footer, [2.466, 2.166]),
    (Clue::Aside, [0.500, 0.500]),
    (Clue::Header, [0.500, 0.500]),
    (Clue::Landmark, [0.000, 1.639]),
    (Clue::Main, [-0.814, -2.998]),
    (Clue::NamedNav, [0.500, 0.836]),
    (Clue::NamedToc, [-0.023, -3.011]),
    (Clue::NamedFoot, [1.734, 0.862]),
    (Clue::NamedHead, [1.738, 0.481]),
    (Clue::NamedSide, [0.992, 1.187]),
    (Clue::NamedTool, [1.013, 0.000]),
    (Clue::NamedFrame, [0.000, 1.542]),
    (Clue::NamedContent, [-6.410, -1.000]),
    (Clue::AtTheEnd, [3.826, 1.838]),
    (Clue::AtTheStart, [0.530, 0.633]),
    (Clue::BeforeTitle, [0.000, 1.465]),
    (Clue::AfterCore, [0.000, 1.302]),
    (Clue::OutsideMain, [0.000, 2.780]),
    (Clue::InFrame, [1.115, 0.000]),
    (Clue::FrameLink, [3.591, 3.193]),
    (Clue::FrameLabel, [0.842, 2.505]),
    (Clue::FrameNumber, [0.000, 1.386]),
    (Clue::Tie, [3.884, 3.918]),
    (Clue::TieInline, [4.913, 2.494]),
    (Clue::TieItem, [4.271, 2.195]),
    (Clue::TieRepeated, [5.823, 0.000]),
    (Clue::TieWay, [-4.800, 0.000]),
    (Clue::TieChanging, [7.640, 6.290]),
    (Clue::TieChangingMass, [4.772, 2.804]),
];
