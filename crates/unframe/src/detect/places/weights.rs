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
    (Clue::Repeated, [0.228, 0.000]),
    (Clue::RepeatedLink, [2.767, 0.000]),
    (Clue::RepeatedInProse, [3.137, 0.000]),
    (Clue::PartlyRepeated, [0.883, 0.000]),
    (Clue::Alike, [0.000, 0.000]),
    (Clue::RepeatedInside, [1.384, 0.000]),
    (Clue::Steady, [-2.845, 0.000]),
    (Clue::Everywhere, [1.565, 0.000]),
    (Clue::TieContrast, [-0.587, 0.000]),
    (Clue::TieItemContrast, [0.000, 0.000]),
    (Clue::NewProse, [-3.037, -0.423]),
    (Clue::NewLabel, [-7.076, -2.982]),
    (Clue::NewNumber, [-4.586, -1.015]),
    (Clue::LabelInProse, [-1.189, 1.343]),
    (Clue::NumberInProse, [-0.077, -0.033]),
    (Clue::ProseInside, [-0.150, -0.024]),
    (Clue::Title, [-1.781, -0.786]),
    (Clue::InPageTitle, [-1.533, -2.117]),
    (Clue::Control, [0.000, 0.000]),
    (Clue::NewLink, [-2.173, -2.268]),
    (Clue::LinkInProse, [-0.354, 2.317]),
    (Clue::Jump, [0.000, 0.305]),
    (Clue::Echo, [0.962, 0.536]),
    (Clue::WaysInside, [0.417, 0.000]),
    (Clue::LinksInside, [1.223, 0.511]),
    (Clue::Nav, [0.000, 1.914]),
    (Clue::Footer, [0.709, 1.931]),
    (Clue::Aside, [0.266, 0.064]),
    (Clue::Header, [0.089, 1.417]),
    (Clue::Main, [-0.632, -1.413]),
    (Clue::NamedNav, [0.831, 3.550]),
    (Clue::NamedToc, [-0.213, -2.018]),
    (Clue::NamedFoot, [2.225, 2.630]),
    (Clue::NamedHead, [1.599, 0.090]),
    (Clue::NamedSide, [0.101, 1.337]),
    (Clue::NamedTool, [0.041, 0.000]),
    (Clue::NamedContent, [-4.419, -3.304]),
    (Clue::AtTheEnd, [2.072, 0.285]),
    (Clue::AtTheStart, [0.000, 0.269]),
    (Clue::InFrame, [1.145, 0.173]),
    (Clue::FrameLink, [3.342, 4.643]),
    (Clue::FrameLabel, [0.730, 2.847]),
    (Clue::FrameNumber, [0.000, 0.134]),
    (Clue::Tie, [3.669, 5.692]),
    (Clue::TieInline, [3.952, 1.437]),
    (Clue::TieItem, [3.026, 2.367]),
    (Clue::TieRepeated, [6.014, 0.000]),
    (Clue::TieChanging, [6.554, 4.555]),
    (Clue::TieChangingMass, [4.300, 2.816]),
];
