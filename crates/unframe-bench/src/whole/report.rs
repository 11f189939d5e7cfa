//! The results as one self-contained HTML file.

use std::fmt::{self, Write};

use unframe_picture::figures::count;
use unframe_picture::markup::Escaped;
use unframe_picture::report_page::{self, ReportPage};
use unframe_study::plot::{Axis, COLORS, Plot, Series, Shape};

use super::growth::{Growth, Point, Verb};
use super::results::{Job, Results, Side};
use super::{dots, table};

const STYLE: &str = include_str!("report.css");
const TITLE: &str = "How fast unframe is, and how good, next to others";

/// Verbs that find templates on whole sites; the others process pages independently.
const OF_SITES: [&str; 4] = ["learn", "label", "clean", "templates"];

/// The HTML file.
pub(crate) fn html(results: &Results) -> String {
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = write_body(results, &mut body);
    report_page::write(&ReportPage { title: TITLE, style: STYLE, body: &body, data: None, script: None })
}

fn write_body(results: &Results, out: &mut String) -> fmt::Result {
    writeln!(out, "<h1>{TITLE}</h1>")?;
    if !results.jobs.is_empty() {
        writeln!(out, "<p>{}</p>", with_code(&table::about(results)))?;
        write_legend(out)?;
        write_losses(&results.jobs, out)?;
    }
    for job in &results.jobs {
        write_job(job, results, out)?;
    }
    match &results.growth {
        Some(growth) => write_growth(growth, out),
        None => Ok(()),
    }
}

fn write_legend(out: &mut String) -> fmt::Result {
    let sides = [
        (Side::Ours, "unframe"),
        (Side::Peer, "others"),
        (Side::Limit, "decompressing alone, which nobody who reads a .warc.gz can be faster than"),
    ];
    write!(out, "<p class=\"legend\">")?;
    for (side, name) in sides {
        let color = dots::color(side);
        write!(
            out,
            "<span><svg width=\"12\" height=\"12\"><circle cx=\"6\" cy=\"6\" r=\"4.5\" fill=\"{color}\"/></svg> {name}</span> "
        )?;
    }
    writeln!(out, "<span>A dot is the median, its line goes from the slowest to the fastest run.</span></p>")
}

fn write_losses(jobs: &[Job], out: &mut String) -> fmt::Result {
    writeln!(out, "<h2>Where we lose</h2>\n<ul>")?;
    let mut lost = 0;
    for job in jobs {
        for loss in table::losses(job) {
            writeln!(out, "<li>{}: {}</li>", Escaped(&job.name), with_code(&loss))?;
            lost += 1;
        }
    }
    if lost == 0 {
        writeln!(out, "<li>No peer is ahead of our first row of a job.</li>")?;
    }
    writeln!(out, "</ul>")
}

fn write_job(job: &Job, results: &Results, out: &mut String) -> fmt::Result {
    writeln!(out, "<h2>{}</h2>\n<p>{}</p>", Escaped(&job.name), Escaped(&job.about))?;
    writeln!(out, "<figure>{}</figure>\n<div class=\"wide\"><table>", dots::svg(job))?;
    // An empty column is left out.
    let has_scores = job.rows.iter().any(|row| row.word_f1.is_some());
    let columns = ["pages/s", "slowest–fastest", "MB/s", "memory MB", "word F1", "speed, ours = 1"];
    let shown = |at: &usize| columns[*at] != "word F1" || has_scores;
    write!(out, "<tr><th>")?;
    (0..columns.len()).filter(shown).try_for_each(|at| write!(out, "<th>{}", columns[at]))?;
    writeln!(out, "<th>pages</tr>")?;
    for row in &job.rows {
        let star = if row.pages < results.crawl.pages { "*" } else { "" };
        let cells = table::cells(job, row);
        write!(out, "<tr><th>{}{star}", with_code(&row.name))?;
        (0..cells.len()).filter(shown).try_for_each(|at| write!(out, "<td>{}", Escaped(&cells[at])))?;
        writeln!(out, "<td>{}</tr>", count(row.pages as u64))?;
    }
    writeln!(out, "</table></div>\n<details><summary>Commands</summary><ul>")?;
    for row in &job.rows {
        writeln!(out, "<li><code>{}</code></li>", Escaped(&row.command))?;
    }
    writeln!(out, "</ul></details>")
}

fn write_growth(growth: &Growth, out: &mut String) -> fmt::Result {
    writeln!(out, "<h2>How cost grows</h2>\n<p>{}</p>", with_code(&growth.about()))?;
    let is_of_sites = |verb: &&Verb| OF_SITES.contains(&verb.name.as_str());
    let (sites, pages): (Vec<&Verb>, Vec<&Verb>) = growth.verbs.iter().partition(is_of_sites);
    let groups =
        [("verbs that take page after page", &pages), ("verbs that compare the pages of a site", &sites)];
    for (name, verbs) in groups {
        let time = |point: &Point| point.cost.seconds * 1e6 / point.pages as f64;
        let note = "a level line is time that grows with the pages and no faster";
        let svg = plot(&format!("Time: {name}"), note, "µs a page", verbs, time);
        writeln!(out, "<figure>{svg}</figure>")?;
        let memory = |point: &Point| point.cost.peak_bytes as f64 / 1e6;
        let note = "a level line is memory that does not grow";
        let svg = plot(&format!("Memory: {name}"), note, "MB at most", verbs, memory);
        writeln!(out, "<figure>{svg}</figure>")?;
    }
    let steps = growth.steps();
    write!(out, "<div class=\"wide\"><table><tr><th>")?;
    steps.iter().try_for_each(|pages| write!(out, "<th>{} pages", count(*pages as u64)))?;
    writeln!(out, "<th>time grows by<th>memory grows by</tr>")?;
    for verb in &growth.verbs {
        write!(out, "<tr><th>{}", Escaped(&verb.name))?;
        verb.cells(&steps).iter().try_for_each(|cell| write!(out, "<td>{}", Escaped(cell)))?;
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table></div>")
}

fn plot(title: &str, note: &str, label: &str, verbs: &[&Verb], figure: fn(&Point) -> f64) -> String {
    let points = || verbs.iter().flat_map(|verb| &verb.points);
    let series = verbs.iter().zip(COLORS).map(|(verb, color)| {
        let point = |point: &Point| {
            let value = figure(point);
            let tooltip =
                format!("{}, {} pages: {} {label}", verb.name, count(point.pages as u64), table::rate(value));
            (point.pages as f64, value, tooltip)
        };
        Series {
            name: verb.name.clone(),
            color,
            shape: Shape::Both,
            points: verb.points.iter().map(point).collect(),
        }
    });
    let plot = Plot {
        title: title.to_owned(),
        note: note.to_owned(),
        x: Axis::powers("pages", points().map(|point| point.pages as f64)),
        y: Axis::powers(label, points().map(figure)),
        series: series.collect(),
    };
    plot.svg()
}

/// Escapes text and turns `this` into a code element.
fn with_code(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        // Writing to a string cannot fail.
        let _ = match at % 2 {
            0 => write!(html, "{}", Escaped(part)),
            _ => write!(html, "<code>{}</code>", Escaped(part)),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_words() {
        assert_eq!(with_code("`a<b`, <i> & `c`"), "<code>a&lt;b</code>, &lt;i&gt; &amp; <code>c</code>");
    }
}
