//! Plots as SVG: points, lines and bars over time or over a number.
//!
//! Shapes carry their own colours, so that a plot is complete without a style sheet. Words, rules and the background also have the classes
//! `words`, `rule` and `ground`, by which a page that embeds the plot can restyle them for a dark theme.

mod axis;

use std::fmt::{self, Write};

pub use axis::Axis;

use unframe_picture::markup::Escaped;
use unframe_picture::svg::number;

/// Colours of series that are distinguishable with colour blindness (Okabe and Ito).
pub const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31"];

const WIDTH: f32 = 860.0;
const HEIGHT: f32 = 400.0;
const LEFT: f32 = 62.0;
const RIGHT: f32 = 836.0;
const TOP: f32 = 74.0;
const BOTTOM: f32 = 346.0;

/// A plot.
#[derive(Debug, Clone)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// A note below the title.
    pub note: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, drawn in this order.
    pub series: Vec<Series>,
}

/// A series of points that are drawn together.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend; empty for no entry.
    pub name: String,
    /// Its colour.
    pub color: &'static str,
    /// How it is drawn.
    pub shape: Shape,
    /// The points, from left to right, with their tooltips.
    pub points: Vec<(f64, f64, String)>,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Circles.
    Points,
    /// A line.
    Line,
    /// Circles on a thin line.
    Both,
    /// A thick line with gaps.
    Trend,
    /// Bars from zero: the position of this series in a group of bars, and the width of the group in units of the axis.
    Bars {
        /// The position of this series in the group of bars, from 0.
        at: usize,
        /// The number of bars in a group.
        of: usize,
        /// The width of the whole group.
        width: f64,
    },
}

impl Plot {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\" font-size=\"12\">"
        )?;
        writeln!(out, "<title>{}</title>", Escaped(&self.title))?;
        writeln!(out, "<rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>")?;
        words(out, LEFT - 40.0, 26.0, "font-size=\"16\" font-weight=\"600\"", &self.title)?;
        words(out, LEFT - 40.0, 45.0, "", &self.note)?;
        self.write_axes(out)?;
        for series in &self.series {
            self.write_series(out, series)?;
        }
        self.write_legend(out)?;
        out.push_str("</svg>\n");
        Ok(())
    }

    fn write_axes(&self, out: &mut String) -> fmt::Result {
        for (value, label) in self.y.ticks() {
            let y = self.place_y(value);
            rule(out, LEFT, y, RIGHT, y)?;
            words(out, LEFT - 8.0, y + 4.0, "text-anchor=\"end\"", &label)?;
        }
        for (value, label) in self.x.ticks() {
            let x = self.place_x(value);
            rule(out, x, BOTTOM, x, BOTTOM + 5.0)?;
            words(out, x, BOTTOM + 19.0, "text-anchor=\"middle\"", &label)?;
        }
        rule(out, LEFT, BOTTOM, RIGHT, BOTTOM)?;
        words(out, RIGHT, BOTTOM + 42.0, "text-anchor=\"end\"", self.x.label())?;
        words(out, LEFT - 40.0, TOP - 10.0, "", self.y.label())
    }

    fn write_series(&self, out: &mut String, series: &Series) -> fmt::Result {
        let color = series.color;
        let has_line = !matches!(series.shape, Shape::Points | Shape::Bars { .. });
        if has_line && series.points.len() > 1 {
            let style = match series.shape {
                Shape::Both => "stroke-width=\"1.2\" stroke-opacity=\"0.55\"",
                Shape::Trend => "stroke-width=\"2.4\" stroke-dasharray=\"7 5\"",
                _ => "stroke-width=\"2\"",
            };
            write!(out, "<path fill=\"none\" stroke=\"{color}\" {style} d=\"")?;
            for (at, (x, y, _)) in series.points.iter().enumerate() {
                let letter = if at == 0 { 'M' } else { 'L' };
                write!(out, "{letter}{} {}", number(self.place_x(*x)), number(self.place_y(*y)))?;
            }
            out.push_str("\"/>\n");
        }
        for (x, y, title) in &series.points {
            match series.shape {
                Shape::Points | Shape::Both => self.write_point(out, color, *x, *y, title)?,
                Shape::Bars { at, of, width } => {
                    let left = x + width * at as f64 / of as f64;
                    self.write_bar(out, color, (left, left + width / of as f64), *y, title)?;
                }
                Shape::Line | Shape::Trend => {}
            }
        }
        Ok(())
    }

    fn write_point(&self, out: &mut String, color: &str, x: f64, y: f64, title: &str) -> fmt::Result {
        let (x, y) = (number(self.place_x(x)), number(self.place_y(y)));
        write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.4\" fill=\"{color}\" fill-opacity=\"0.85\">")?;
        writeln!(out, "<title>{}</title></circle>", Escaped(title))
    }

    fn write_bar(
        &self,
        out: &mut String,
        color: &str,
        (from, to): (f64, f64),
        y: f64,
        title: &str,
    ) -> fmt::Result {
        let (left, right) = (self.place_x(from) + 0.5, self.place_x(to) - 0.5);
        let top = self.place_y(y);
        let [x, width] = [left, (right - left).max(0.5)].map(number);
        let [y, height] = [top, BOTTOM - top].map(number);
        write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\">")?;
        writeln!(out, "<title>{}</title></rect>", Escaped(title))
    }

    /// Writes the names of the series from left to right below the plot.
    fn write_legend(&self, out: &mut String) -> fmt::Result {
        let mut x = LEFT;
        let y = BOTTOM + 42.0;
        for series in self.series.iter().filter(|series| !series.name.is_empty()) {
            let middle = y - 4.0;
            match series.shape {
                Shape::Line | Shape::Trend => {
                    let color = series.color;
                    writeln!(
                        out,
                        "<path stroke=\"{color}\" stroke-width=\"2.4\" d=\"M{} {middle}h14\"/>",
                        number(x)
                    )?;
                }
                _ => writeln!(
                    out,
                    "<circle cx=\"{}\" cy=\"{middle}\" r=\"4\" fill=\"{}\"/>",
                    number(x + 9.0),
                    series.color
                )?,
            }
            words(out, x + 20.0, y, "", &series.name)?;
            // The width is estimated for a wide font.
            x += 20.0 + series.name.chars().count() as f32 * 6.4 + 14.0;
        }
        Ok(())
    }

    fn place_x(&self, value: f64) -> f32 {
        LEFT + self.x.share(value) * (RIGHT - LEFT)
    }

    fn place_y(&self, value: f64) -> f32 {
        BOTTOM - self.y.share(value) * (BOTTOM - TOP)
    }
}

/// Writes text at a position, in the style of all plots.
pub fn words(out: &mut String, x: f32, y: f32, style: &str, text: &str) -> fmt::Result {
    let [x, y] = [x, y].map(number);
    writeln!(
        out,
        "<text class=\"words\" x=\"{x}\" y=\"{y}\" fill=\"#3c424c\" {style}>{}</text>",
        Escaped(text)
    )
}

fn rule(out: &mut String, x: f32, y: f32, to_x: f32, to_y: f32) -> fmt::Result {
    let [x, y, to_x, to_y] = [x, y, to_x, to_y].map(number);
    writeln!(out, "<path class=\"rule\" stroke=\"#dfe2e7\" d=\"M{x} {y}L{to_x} {to_y}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_words() {
        let point = (2000.0, 0.5, "<script>".to_owned());
        let series =
            Series { name: "<b>".to_owned(), color: COLORS[0], shape: Shape::Both, points: vec![point] };
        let plot = Plot {
            title: "</title>".to_owned(),
            note: String::new(),
            x: Axis::years("year", [2000.0]),
            y: Axis::percent("share", [0.5]),
            series: vec![series],
        };
        let svg = plot.svg();
        assert!(
            !svg.contains("<script>") && !svg.contains("<b>") && !svg.contains("</title></title>"),
            "{svg}"
        );
    }
}
