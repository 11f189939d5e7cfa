//! Renders a picture as SVG.

use std::fmt::{self, Write};

use super::scene::{Anchor, Bar, Box, Label, Run, Scene};
use crate::markup::Escaped;

/// Writes the picture. Shapes carry their own colours and need no style sheet, so that the SVG can be embedded in
/// other files.
pub fn write(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_scene(&mut out, scene);
    out
}

fn write_scene(out: &mut String, scene: &Scene) -> fmt::Result {
    let (width, height) = (number(scene.width), number(scene.height));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\">"
    )?;
    writeln!(out, "<title>{}</title>", Escaped(&scene.title))?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", scene.background)?;
    scene.rules.iter().try_for_each(|rule| write_box(out, rule))?;
    for bar in &scene.bars {
        write_bar(out, bar)?;
    }
    scene.chips.iter().try_for_each(|chip| write_box(out, chip))?;
    scene.labels.iter().try_for_each(|label| write_label(out, label))?;
    out.push_str("</svg>\n");
    Ok(())
}

fn write_box(out: &mut String, shape: &Box) -> fmt::Result {
    let Box { x, y, width, height, color } = shape;
    let [x, y, width, height] = [x, y, width, height].map(|value| number(*value));
    writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>")
}

fn write_bar(out: &mut String, bar: &Bar) -> fmt::Result {
    writeln!(out, "<g><title>{}</title>", Escaped(&bar.title))?;
    write_box(out, &bar.page)?;
    let (titled, plain): (Vec<&Run>, Vec<&Run>) = bar.runs.iter().partition(|run| run.title.is_some());
    for run in titled {
        let title = run.title.as_deref().unwrap_or_default();
        let Box { y, height, .. } = bar.page;
        let [x, y, width, height] = [run.x, y, run.width, height].map(number);
        write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\">",
            run.color
        )?;
        writeln!(out, "<title>{}</title></rect>", Escaped(title))?;
    }
    write_plain(out, bar, &plain)?;
    out.push_str("</g>\n");
    Ok(())
}

/// Writes all runs of one colour as a single path with gaps, which takes a tenth of the bytes of rectangles.
fn write_plain(out: &mut String, bar: &Bar, runs: &[&Run]) -> fmt::Result {
    let mut colors: Vec<_> = runs.iter().map(|run| run.color).collect();
    colors.sort_unstable_by_key(|color| (color.0, color.1, color.2));
    colors.dedup();
    let middle = number(bar.page.y + bar.page.height / 2.0);
    for color in colors {
        let height = number(bar.page.height);
        write!(out, "<path stroke=\"{color}\" stroke-width=\"{height}\" d=\"")?;
        for run in runs.iter().filter(|run| run.color == color) {
            write!(out, "M{} {middle}h{}", number(run.x), number(run.width))?;
        }
        out.push_str("\"/>\n");
    }
    Ok(())
}

fn write_label(out: &mut String, label: &Label) -> fmt::Result {
    let [x, y, size] = [label.x, label.y, label.size].map(number);
    write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"", label.color)?;
    if label.is_bold {
        out.push_str(" font-weight=\"600\"");
    }
    match label.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    // Multiple spaces between numbers are preserved.
    writeln!(out, " xml:space=\"preserve\">{}</text>", Escaped(&label.text))
}

/// Formats a number with at most one decimal place.
pub fn number(value: f32) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
