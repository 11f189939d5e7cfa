//! A plot of a job: a row for each program, with dots for its speed, memory and quality.

use std::fmt::{self, Write};

use unframe_picture::markup::Escaped;
use unframe_picture::svg::number;
use unframe_study::plot::{Axis, words};

use super::results::{Job, Row, Side};
use super::table::rate;

const WIDTH: f32 = 900.0;
const NAMES: f32 = 262.0;
const ROW: f32 = 22.0;
const TOP: f32 = 34.0;
/// Space between two panels.
const SPACE: f32 = 34.0;

/// One measure, shown for all rows.
struct Panel {
    axis: Axis,
    /// The lowest, median and highest value of a row.
    value: fn(&Row) -> Option<[f64; 3]>,
    name: fn(f64) -> String,
}

/// The plot as SVG.
pub(crate) fn svg(job: &Job) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_svg(job, &mut out);
    out
}

fn write_svg(job: &Job, out: &mut String) -> fmt::Result {
    let height = TOP + ROW * job.rows.len() as f32 + 24.0;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" font-size=\"12\">\n<title>{}</title>",
        Escaped(&job.name)
    )?;
    writeln!(out, "<rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
    for (at, row) in job.rows.iter().enumerate() {
        words(out, 4.0, middle(at) + 4.0, "", &row.name.replace('`', ""))?;
    }
    let panels = panels(job);
    let width = (WIDTH - NAMES) / panels.len() as f32 - SPACE;
    for (at, panel) in panels.iter().enumerate() {
        write_panel(job, panel, NAMES + at as f32 * (width + SPACE), width, out)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

fn panels(job: &Job) -> Vec<Panel> {
    let values = |value: fn(&Row) -> Option<[f64; 3]>| job.rows.iter().filter_map(value).flatten();
    let powers = |label: &str, value: fn(&Row) -> Option<[f64; 3]>| Panel {
        axis: Axis::powers(label, values(value)),
        value,
        name: rate,
    };
    let speed = |row: &Row| {
        let speed = row.figures?.pages_per_second;
        Some([speed.lowest, speed.median, speed.highest])
    };
    let mut panels = vec![
        powers("pages/s: right is better", speed),
        powers("memory, MB: left is better", |row| row.figures.map(|figures| [figures.peak_megabytes; 3])),
    ];
    let score: fn(&Row) -> Option<[f64; 3]> = |row| row.word_f1.map(|score| [score; 3]);
    if values(score).next().is_some() {
        let axis = Axis::numbers("word F1: right is better", [1.0]);
        panels.push(Panel { axis, value: score, name: |score| format!("{score:.3}") });
    }
    panels
}

fn write_panel(job: &Job, panel: &Panel, left: f32, width: f32, out: &mut String) -> fmt::Result {
    let bottom = TOP + ROW * job.rows.len() as f32;
    words(out, left, 16.0, "font-weight=\"600\"", panel.axis.label())?;
    for (value, label) in panel.axis.ticks() {
        let x = number(left + panel.axis.share(value) * width);
        writeln!(out, "<path class=\"rule\" stroke=\"#dfe2e7\" d=\"M{x} {TOP}V{}\"/>", number(bottom))?;
        words(out, left + panel.axis.share(value) * width, bottom + 16.0, "text-anchor=\"middle\"", &label)?;
    }
    for (at, row) in job.rows.iter().enumerate() {
        if let Some(values) = (panel.value)(row) {
            let [low, x, high] = values.map(|value| left + panel.axis.share(value) * width);
            let color = color(row.side);
            let y = number(middle(at));
            let label = (panel.name)(values[1]);
            writeln!(
                out,
                "<path stroke=\"{color}\" stroke-width=\"2\" d=\"M{} {y}H{}\"/>",
                number(low),
                number(high)
            )?;
            writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{y}\" r=\"4.5\" fill=\"{color}\"><title>{}: {label}</title></circle>",
                number(x),
                Escaped(&row.name)
            )?;
            // The label is placed on the side with more room.
            match x < left + width * 0.6 {
                true => words(out, high + 8.0, middle(at) + 4.0, "", &label)?,
                false => words(out, low - 8.0, middle(at) + 4.0, "text-anchor=\"end\"", &label)?,
            }
        }
    }
    Ok(())
}

/// The vertical centre of a row.
fn middle(at: usize) -> f32 {
    TOP + ROW * (at as f32 + 0.5)
}

/// Colours of the compared programs, which are distinguishable with colour blindness.
pub(crate) fn color(side: Side) -> &'static str {
    match side {
        Side::Limit => "#8a919c",
        Side::Ours => "#0072b2",
        Side::Peer => "#d55e00",
    }
}
