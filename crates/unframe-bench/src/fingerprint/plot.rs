//! Plots pages a second against the number of pages seen, as SVG.

use std::fmt::Write as _;

use super::linear::Point;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const RIGHT: f64 = 30.0;

/// The plot of one run.
pub(super) fn svg(name: &str, points: &[Point]) -> String {
    let pages = points.last().map_or(1.0, |point| point.pages as f64);
    let fastest = points.iter().map(|point| point.pages_per_second).fold(1.0, f64::max);
    // The axis ends at a round number.
    let unit = 10f64.powf(fastest.log10().floor());
    let top = (fastest / unit).ceil() * unit;
    let x = |value: f64| LEFT + value / pages * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{name}: pages a second against pages seen</text>\n"
    );
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (at_x, at_y) = (x(pages * share), y(top * share));
        let _ = write!(
            svg,
            "<path d=\"M{LEFT} {at_y:.1}H{:.1}\" stroke=\"#ddd\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0}</text>\n\
             <text x=\"{at_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.0}</text>\n",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at_y + 4.0,
            top * share,
            HEIGHT - BOTTOM + 20.0,
            pages * share,
        );
    }
    let line: Vec<String> = points
        .iter()
        .map(|point| format!("{:.1},{:.1}", x(point.pages as f64), y(point.pages_per_second)))
        .collect();
    let _ = write!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.5\"/>\n</svg>\n",
        line.join(" ")
    );
    svg
}
