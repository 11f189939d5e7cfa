//! Calibration: makes predicted probabilities agree with the observed frequency of content in held-out blocks (Platt scaling, for each kind of page).

use unframe::detect::places::fitting::{Calibration, PageKind, UNIT};

/// The smallest weight, in pages, of a cell of the reliability table. Cells with less weight stay empty.
const PAGES_MIN: f64 = 1.0;

/// A block of a held-out page: its prediction, its label and its weight.
#[derive(Clone, Copy)]
pub(crate) struct HeldOutBlock {
    pub(crate) kind: PageKind,
    /// The predicted probability of content, in thousandths.
    pub(crate) probability: u16,
    pub(crate) is_content: bool,
    /// The share of the page's words that are in this block.
    pub(crate) weight: f64,
}

/// The calibration of each kind of page: the scale and shift of log-odds that minimise the log loss on held-out blocks.
pub(crate) fn calibrate(blocks: &[HeldOutBlock]) -> Vec<Calibration> {
    PageKind::ALL.iter().map(|kind| calibrate_kind(blocks, *kind)).collect()
}

fn calibrate_kind(blocks: &[HeldOutBlock], kind: PageKind) -> Calibration {
    let identity = Calibration { scale: 1000, shift: 0 };
    if !blocks.iter().any(|block| block.kind == kind) {
        return identity;
    }
    let mut best = (f64::INFINITY, identity);
    // For each predicted probability, the weights of boilerplate blocks and of content blocks.
    let mut weights = vec![[0.0f64; 2]; 1001];
    for block in blocks.iter().filter(|block| block.kind == kind) {
        weights[usize::from(block.probability)][usize::from(block.is_content)] += block.weight;
    }
    for scale in (400..=1600).step_by(50) {
        for shift in (-1536..=1536).step_by(64) {
            let calibration = Calibration { scale, shift };
            let loss: f64 = weights
                .iter()
                .enumerate()
                .map(|(at, [other, content])| {
                    let p = apply(calibration, at as u16);
                    -(content * p.ln() + other * (1.0 - p).ln())
                })
                .sum();
            if loss < best.0 - 1e-9 {
                best = (loss, calibration);
            }
        }
    }
    best.1
}

/// The calibrated probability of content.
fn apply(calibration: Calibration, probability: u16) -> f64 {
    let p = (f64::from(probability) / 1000.0).clamp(0.0005, 0.9995);
    let score = (p / (1.0 - p)).ln() * f64::from(calibration.scale) / 1000.0
        + f64::from(calibration.shift) / f64::from(UNIT);
    (1.0 / (1.0 + (-score).exp())).clamp(0.0005, 0.9995)
}

/// The reliability table: for each kind and each decile of calibrated probability, the weighted share of content.
pub(crate) fn reliability_table(blocks: &[HeldOutBlock], calibrations: &[Calibration]) -> String {
    let mut text = String::from("| predicted probability | ");
    let kinds: Vec<&str> = PageKind::ALL.iter().map(|kind| kind.name()).collect();
    text += &format!("{} |\n|---|{}\n", kinds.join(" | "), "---|".repeat(kinds.len()));
    for tenth in 0..10 {
        let cells = PageKind::ALL.iter().zip(calibrations).map(|(kind, calibration)| {
            let is_in = |block: &&HeldOutBlock| {
                block.kind == *kind
                    && ((apply(*calibration, block.probability) * 10.0) as usize).min(9) == tenth
            };
            let (content, all) = blocks.iter().filter(is_in).fold((0.0, 0.0), |(content, all), block| {
                (content + if block.is_content { block.weight } else { 0.0 }, all + block.weight)
            });
            if all < PAGES_MIN { "–".to_owned() } else { format!("{:.0} %", content / all * 100.0) }
        });
        text += &format!(
            "| {} to {} % | {} |\n",
            tenth * 10,
            tenth * 10 + 10,
            cells.collect::<Vec<_>>().join(" | ")
        );
    }
    text
}
