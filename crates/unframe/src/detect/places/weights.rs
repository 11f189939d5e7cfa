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
    (Clue::RepeatedLink, [2.642, 1.000]),
    (Clue::RepeatedInProse, [1.440, 0.000]),
    (Clue::PartlyRepeated, [0.223, 0.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [-0.647, 0.000]),
    (Clue::Steady, [0.000, 0.000]),
    (Clue::Everywhere, [-0.183, 0.000]),
    (Clue::TieContrast, [0.000, 0.000]),
    (Clue::TieItemContrast, [-0.000, 0.000]),
    (Clue::NewProse, [-3.654, -0.134]),
    (Clue::NewLabel, [-8.929, -3.994]),
    (Clue::NewNumber, [-6.127, -1.368]),
    (Clue::LabelInProse, [-2.145, 1.959]),
    (Clue::NumberInProse, [-0.296, 0.057]),
    (Clue::ProseInside, [-1.028, -0.042]),
    (Clue::Title, [-1.900, -0.130]),
    (Clue::InPageTitle, [-2.810, -4.013]),
    (Clue::Control, [0.449, 0.000]),
    (Clue::NewLink, [-3.306, -2.677]),
    (Clue::LinkInProse, [-0.353, 2.709]),
    (Clue::Jump, [0.432, 0.986]),
    (Clue::Echo, [0.705, 0.889]),
    (Clue::WaysInside, [0.359, 0.100]),
    (Clue::LinksInside, [0.712, 0.605]),
    (Clue::Nav, [1.000, 2.009]),
    (Clue::Footer, [1.183, 2.394]),
    (Clue::Aside, [0.500, 0.500]),
    (Clue::Header, [0.500, 1.694]),
    (Clue::Main, [-0.500, -1.157]),
    (Clue::NamedNav, [1.590, 3.681]),
    (Clue::NamedToc, [1.121, -2.217]),
    (Clue::NamedFoot, [2.667, 2.705]),
    (Clue::NamedHead, [2.559, 0.232]),
    (Clue::NamedSide, [1.576, 1.576]),
    (Clue::NamedTool, [1.622, 0.000]),
    (Clue::NamedContent, [-5.537, -3.417]),
    (Clue::AtTheEnd, [3.101, 0.522]),
    (Clue::AtTheStart, [0.291, 0.213]),
    (Clue::InFrame, [1.007, 0.228]),
    (Clue::FrameLink, [4.352, 5.056]),
    (Clue::FrameLabel, [0.000, 3.862]),
    (Clue::FrameNumber, [0.000, 0.699]),
    (Clue::Tie, [3.996, 5.955]),
    (Clue::TieInline, [5.623, 1.731]),
    (Clue::TieItem, [4.380, 3.044]),
    (Clue::TieRepeated, [6.712, 0.000]),
    (Clue::TieChanging, [7.675, 5.075]),
    (Clue::TieChangingMass, [4.814, 2.661]),
];
