//! The weights as the source file that the method uses.

use unframe::detect::places::Clue;
use unframe::detect::places::fitting::Numbers;

use crate::calibration::Calibration;

/// The text of `crates/unframe/src/detect/places/weights.rs`.
///
/// How odds become a confidence stays as it is if it was not measured.
pub(crate) fn weights([site, page]: &[Numbers; 2], calibration: Option<Calibration>) -> String {
    const ROWS: &str = "Clue::ALL.len()] = [\n";
    const CALIBRATION: &str = "CALIBRATION: [(f64, f64); 2] = ";
    let mut text = include_str!("../../unframe/src/detect/places/weights.rs").to_owned();
    text.truncate(text.find(ROWS).map_or(text.len(), |at| at + ROWS.len()));
    if let (Some(calibration), Some(at)) = (calibration, text.find(CALIBRATION)) {
        let start = at + CALIBRATION.len();
        let end = start + text[start..].find(';').unwrap_or_default();
        text.replace_range(start..end, &format!("{calibration:.2?}"));
    }
    for (at, clue) in Clue::ALL.iter().enumerate() {
        text += &format!("    (Clue::{clue:?}, [{:.3}, {:.3}]),\n", site[at], page[at]);
    }
    text + "];\n"
}
