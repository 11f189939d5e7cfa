//! The results as a Markdown table, which is inserted into `docs/measurements.md`.

use std::fmt::{self, Write};
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use unframe_picture::figures::count;

use super::growth::Growth;
use super::results::{Job, Results, Row, Side};

const BEGIN: &str = "<!-- begin of what `cargo xtask bench --table` writes -->";
const END: &str = "<!-- end of what `cargo xtask bench --table` writes -->";

/// Inserts the table of the last run into a document.
pub(crate) fn into_document(out: &Path, document: &Path) -> anyhow::Result<()> {
    let table = markdown(&Results::load(out)?);
    let text = fs::read_to_string(document).with_context(|| document.display().to_string())?;
    let text = between_markers(&text, &table).with_context(|| document.display().to_string())?;
    fs::write(document, text).with_context(|| document.display().to_string())
}

/// Replaces the text between the markers of a document.
fn between_markers(document: &str, inside: &str) -> anyhow::Result<String> {
    let begin = document.split_once(BEGIN);
    let Some((before, rest)) = begin else { bail!("there is no line `{BEGIN}`") };
    let Some((_, after)) = rest.split_once(END) else { bail!("there is no line `{END}` after `{BEGIN}`") };
    Ok(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", inside.trim()))
}

/// All results in Markdown.
pub(crate) fn markdown(results: &Results) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(results, &mut out);
    out
}

fn write_all(results: &Results, out: &mut String) -> fmt::Result {
    if !results.jobs.is_empty() {
        writeln!(out, "{}\n", about(results))?;
        writeln!(
            out,
            "| job | | pages/s | slowest–fastest | MB/s | memory MB | word F1 | speed, ours = 1 |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|---|")?;
        for job in &results.jobs {
            for (at, row) in job.rows.iter().enumerate() {
                let name = if at == 0 { format!("**{}**", job.name) } else { String::new() };
                let star = if row.pages < results.crawl.pages { "\\*" } else { "" };
                writeln!(out, "| {name} | {}{star} | {} |", row.name, cells(job, row).join(" | "))?;
            }
        }
        writeln!(out, "\n{}", losses_sentence(&results.jobs))?;
    }
    if let Some(growth) = &results.growth {
        write_growth(growth, out)?;
    }
    Ok(())
}

/// A paragraph about the measurement.
pub(crate) fn about(results: &Results) -> String {
    let crawl = &results.crawl;
    let scored = match crawl.scored_pages {
        0 => "nothing is known of their content".to_owned(),
        pages => format!("word F1 is that of {} pages whose content is known", count(pages as u64)),
    };
    format!(
        "{} pages of {} sites ({}), {:.0} MB of records, {:.0} MB in gzip; {} on {} ({} cores), one thread unless it says otherwise; medians; \
         programs marked with a star are slow and got {} of these pages; {scored}. unframe {}, {}.",
        count(crawl.pages as u64),
        crawl.sites,
        crawl.name,
        crawl.bytes as f64 / 1e6,
        crawl.compressed_bytes as f64 / 1e6,
        if results.rounds == 1 { "one round".to_owned() } else { format!("{} rounds", results.rounds) },
        results.machine.processor,
        results.machine.cores,
        count(crawl.sample_pages as u64),
        results.unframe,
        results
            .peers
            .iter()
            .map(|(name, version)| format!("{name} {version}"))
            .collect::<Vec<_>>()
            .join(", "),
    )
}

/// The cells of a row, after the name.
pub(crate) fn cells(job: &Job, row: &Row) -> [String; 6] {
    let Some(figures) = row.figures else {
        return ["failed", "", "", "", "", ""].map(str::to_owned);
    };
    let speed = figures.pages_per_second;
    let ours = job.reference().and_then(Row::speed);
    [
        rate(speed.median),
        // A single run has no spread.
        match row.runs.len() {
            0 | 1 => String::new(),
            _ => format!("{}–{}", rate(speed.lowest), rate(speed.highest)),
        },
        rate(figures.megabytes_per_second),
        format!("{:.0}", figures.peak_megabytes),
        row.word_f1.map_or(String::new(), |score| format!("{score:.3}")),
        ours.map_or(String::new(), |ours| rate(figures.megabytes_per_second / ours)),
    ]
}

/// Formats a number with two or three significant digits.
pub(crate) fn rate(value: f64) -> String {
    match value {
        ..0.995 => format!("{value:.3}"),
        ..9.95 => format!("{value:.1}"),
        _ => count(value.round() as u64),
    }
}

/// The measures by which a peer is better than unframe: the first row of unframe counts for speed and memory, the best row for content.
pub(crate) fn losses(job: &Job) -> Vec<String> {
    let Some((ours, our_figures)) = job.reference().and_then(|row| Some((row, row.figures?))) else {
        return Vec::new();
    };
    let our_f1 = job.rows.iter().filter(|row| row.side == Side::Ours).filter_map(|row| row.word_f1);
    let our_f1 = our_f1.fold(0.0, f64::max);
    let mut losses = Vec::new();
    for row in job.rows.iter().filter(|row| row.side == Side::Peer) {
        let Some(figures) = row.figures else { continue };
        let faster = figures.megabytes_per_second / our_figures.megabytes_per_second;
        if faster > 1.0 {
            losses.push(format!("{} is {faster:.2} times as fast as {}", row.name, ours.name));
        }
        if figures.peak_megabytes < our_figures.peak_megabytes {
            let (theirs, our) = (figures.peak_megabytes, our_figures.peak_megabytes);
            losses.push(format!("{} takes {theirs:.0} MB, {} {our:.0} MB", row.name, ours.name));
        }
        if let Some(score) = row.word_f1.filter(|score| *score > our_f1) {
            losses
                .push(format!("{} reaches a word F1 of {score:.3}, the best of ours {our_f1:.3}", row.name));
        }
    }
    losses
}

fn losses_sentence(jobs: &[Job]) -> String {
    let lost: Vec<String> = jobs
        .iter()
        .flat_map(|job| losses(job).into_iter().map(|loss| format!("{}: {loss}", job.name)))
        .collect();
    match lost.is_empty() {
        true => "No peer is ahead of our first row of a job.".to_owned(),
        false => format!("Where we lose: {}.", lost.join("; ")),
    }
}

fn write_growth(growth: &Growth, out: &mut String) -> fmt::Result {
    let steps = growth.steps();
    writeln!(out, "\n{}\n", growth.about())?;
    write!(out, "| |")?;
    steps.iter().try_for_each(|pages| write!(out, " {} pages |", count(*pages as u64)))?;
    writeln!(out, " time grows by | memory grows by |\n|---|{}---|---|", "---|".repeat(steps.len()))?;
    for verb in &growth.verbs {
        writeln!(out, "| `{}` | {} |", verb.name, verb.cells(&steps).join(" | "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::process::Cost;
    use super::super::results::Figures;
    use super::*;

    fn row(name: &str, side: Side, seconds: f64, megabytes: u64, word_f1: Option<f64>) -> Row {
        let runs = vec![Cost { seconds, cpu_seconds: seconds, peak_bytes: megabytes * 1_000_000 }];
        let figures = (seconds > 0.0).then(|| Figures::of(&runs, 1000, 5_000_000)).flatten();
        Row {
            name: name.to_owned(),
            side,
            command: String::new(),
            pages: 1000,
            bytes: 5_000_000,
            figures,
            word_f1,
            runs,
        }
    }

    fn job() -> Job {
        let rows = vec![
            row("limit", Side::Limit, 0.1, 1, None),
            row("first", Side::Ours, 0.5, 20, Some(0.8)),
            row("second", Side::Ours, 2.0, 30, Some(0.9)),
            row("quick", Side::Peer, 0.25, 40, Some(0.85)),
            row("good", Side::Peer, 80.0, 10, Some(0.95)),
            row("broken", Side::Peer, 0.0, 1, None),
        ];
        Job { name: "Job".to_owned(), about: String::new(), rows }
    }

    #[test]
    fn a_row_is_beside_ours() {
        let job = job();
        let cells = |at: usize| cells(&job, &job.rows[at]).join(" | ");
        assert_eq!(cells(1), "2,000 |  | 10 | 20 | 0.800 | 1.0");
        assert_eq!(cells(4), "13 |  | 0.062 | 10 | 0.950 | 0.006");
        assert_eq!(cells(5), "failed |  |  |  |  | ");
    }

    #[test]
    fn several_turns_have_a_spread() {
        let mut job = job();
        let row = &mut job.rows[1];
        row.runs.push(Cost { seconds: 1.0, ..row.runs[0] });
        row.figures = Figures::of(&row.runs, row.pages, row.bytes);
        assert_eq!(cells(&job, &job.rows[1])[..2], ["1,500", "1,000–2,000"]);
    }

    #[test]
    fn what_we_lose_is_said() {
        let expected = [
            "quick is 2.00 times as fast as first",
            "good takes 10 MB, first 20 MB",
            "good reaches a word F1 of 0.950, the best of ours 0.900",
        ];
        assert_eq!(losses(&job()), expected);
        let alone = Job { rows: job().rows.drain(..3).collect(), ..job() };
        assert_eq!(losses_sentence(&[alone]), "No peer is ahead of our first row of a job.");
    }

    #[test]
    fn all_rows_are_in_the_table() {
        let mut results = Results { jobs: vec![job()], rounds: 1, ..Results::default() };
        results.crawl.pages = 2000;
        let table = markdown(&results);
        assert!(table.contains("| **Job** | limit\\* | 10,000 |"), "{table}");
        assert!(table.contains("|  | broken\\* | failed |"), "{table}");
        assert!(
            table.contains("Where we lose: Job: quick is 2.00 times as fast as first; Job: good"),
            "{table}"
        );
    }

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let document = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let changed = between_markers(&document, "new\n").unwrap();
        assert_eq!(changed, format!("a\n{BEGIN}\n\nnew\n\n{END}\nb\n"));
        assert_eq!(between_markers(&changed, "new").unwrap(), changed);
        assert!(between_markers("no marker", "new").is_err());
        assert!(between_markers(&format!("{END} {BEGIN}"), "new").is_err());
    }
}
