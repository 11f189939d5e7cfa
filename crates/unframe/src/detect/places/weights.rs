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
pub(super) const CALIBRATION: [(f64, f64); 2] = [(1.00, 0.00), (1.00, 0.00)];

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
    (Clue::Repeated, [0.338, 0.000]),
    (Clue::RepeatedLink, [2.638, 0.000]),
    (Clue::RepeatedInProse, [3.066, 0.000]),
    (Clue::PartlyRepeated, [0.855, 0.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [1.519, 0.000]),
    (Clue::Steady, [-2.941, 0.000]),
    (Clue::Everywhere, [1.506, 0.000]),
    (Clue::TieContrast, [-0.461, 0.000]),
    (Clue::TieItemContrast, [0.000, 0.000]),
    (Clue::NewProse, [-2.994, -0.741]),
    (Clue::NewLabel, [-7.464, -2.958]),
    (Clue::NewNumber, [-4.510, -0.761]),
    (Clue::LabelInProse, [-1.160, 0.650]),
    (Clue::NumberInProse, [-0.078, -0.540]),
    (Clue::ProseInside, [0.000, -0.057]),
    (Clue::Title, [-1.443, -1.543]),
    (Clue::InPageTitle, [-2.170, 0.180]),
    (Clue::Control, [0.000, 0.000]),
    (Clue::NewLink, [-1.921, -2.173]),
    (Clue::LinkInProse, [-0.325, 2.284]),
    (Clue::Jump, [0.000, 0.000]),
    (Clue::Echo, [0.633, 0.597]),
    (Clue::WaysInside, [0.431, 0.000]),
    (Clue::LinksInside, [1.190, 0.278]),
    (Clue::Nav, [0.000, 2.121]),
    (Clue::Footer, [0.763, 2.290]),
    (Clue::Aside, [0.278, 0.031]),
    (Clue::Header, [0.096, 0.872]),
    (Clue::Main, [-0.537, -1.692]),
    (Clue::NamedNav, [0.955, 0.838]),
    (Clue::NamedToc, [-0.225, -1.496]),
    (Clue::NamedFoot, [2.244, 2.310]),
    (Clue::NamedHead, [1.541, 0.918]),
    (Clue::NamedSide, [0.172, 2.372]),
    (Clue::NamedTool, [0.000, 0.000]),
    (Clue::NamedContent, [-4.353, -3.269]),
    (Clue::AtTheEnd, [2.076, 0.922]),
    (Clue::AtTheStart, [0.000, 0.870]),
    (Clue::InFrame, [1.149, 0.208]),
    (Clue::FrameLink, [3.550, 3.804]),
    (Clue::FrameLabel, [0.845, 2.856]),
    (Clue::FrameNumber, [0.000, 0.548]),
    (Clue::Tie, [3.649, 5.566]),
    (Clue::TieInline, [3.896, 1.384]),
    (Clue::TieItem, [3.109, 2.525]),
    (Clue::TieRepeated, [6.014, 0.000]),
    (Clue::TieChanging, [6.473, 5.306]),
    (Clue::TieChangingMass, [4.314, 2.556]),
];
