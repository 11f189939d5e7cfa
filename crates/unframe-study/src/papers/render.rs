//! The report: one self-contained HTML file, a CSV file of all values, and a text for terminals.

use std::fmt::{self, Write};

use unframe_picture::markup::Escaped;
use unframe_picture::report_page::{self, ReportPage};

use super::{CANNOT_RUN, Findings, Section};
use crate::table::Table;

const STYLE: &str = include_str!("papers.css");
const TITLE: &str = "The experiments of the papers";

/// The sections of a run.
#[derive(Debug, Clone)]
pub struct PapersReport {
    /// The experiments that were run.
    pub sections: Vec<Section>,
    /// The command, without the options that select experiments: `unframe eval papers data --quick`.
    pub command: String,
    /// A description of the data, in a sentence.
    pub data: String,
}

impl PapersReport {
    /// The report as one HTML file.
    pub fn html(&self) -> String {
        let mut body = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_body(&mut body);
        report_page::write(&ReportPage { title: TITLE, style: STYLE, body: &body, data: None, script: None })
    }

    /// One row for each compared value.
    pub fn csv(&self) -> String {
        let mut table = Table::new(6, ["experiment", "place", "value", "printed", "ours", "data"]);
        for (section, findings) in self.found() {
            for row in &findings.compared {
                let (id, place) = (section.experiment.id, section.experiment.place);
                table.row([id, place, &row.what, &row.printed, &row.ours, &findings.data].map(str::to_owned));
            }
        }
        table.csv()
    }

    /// All compared values for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            let experiment = section.experiment;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: {}, {}", experiment.id, experiment.place, experiment.title);
            match &section.findings {
                Ok(findings) => text.push_str(&compared(findings).text()),
                Err(reason) => text.push_str(&format!("{reason}\n")),
            }
            text.push('\n');
        }
        text
    }

    fn found(&self) -> impl Iterator<Item = (&Section, &Findings)> {
        self.sections.iter().filter_map(|section| Some((section, section.findings.as_ref().ok()?)))
    }

    fn write_body(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<h1>{TITLE}</h1>")?;
        let seconds: f64 = self.sections.iter().map(|section| section.seconds).sum();
        writeln!(
            out,
            "<p>Every table and figure that can be run here, with the values that the paper prints and those that unframe {} measured: {}. \
             It took {seconds:.0} seconds: <code>{}</code></p>",
            env!("CARGO_PKG_VERSION"),
            Escaped(&self.data),
            Escaped(&self.command)
        )?;
        out.push_str("<ul>\n");
        for section in &self.sections {
            let experiment = section.experiment;
            let (id, place, title) = (experiment.id, experiment.place, experiment.title);
            writeln!(out, "<li><a href=\"#{id}\">{id}</a>: {place}, {}", Escaped(title))?;
        }
        out.push_str("</ul>\n");
        let mut paper = None;
        for section in &self.sections {
            if paper != Some(section.experiment.paper) {
                paper = Some(section.experiment.paper);
                writeln!(out, "<h2>{}</h2>", Escaped(section.experiment.paper.title()))?;
            }
            self.write_section(out, section)?;
        }
        out.push_str("<h2>What cannot be run</h2>\n");
        let mut table = Table::new(2, ["what", "why"]);
        CANNOT_RUN.iter().for_each(|(what, why)| table.row([*what, *why].map(str::to_owned)));
        out.push_str(&table.html());
        Ok(())
    }

    fn write_section(&self, out: &mut String, section: &Section) -> fmt::Result {
        let experiment = section.experiment;
        let (id, place) = (experiment.id, experiment.place);
        writeln!(out, "<h3 id=\"{id}\">{place}: {}</h3>", Escaped(experiment.title))?;
        let findings = match &section.findings {
            Ok(findings) => findings,
            Err(reason) => return writeln!(out, "<p>{}</p>", Escaped(reason)),
        };
        let seconds = section.seconds;
        let (data, command) = (Escaped(&findings.data), Escaped(&self.command));
        writeln!(out, "<p>{data}; {seconds:.1} seconds; <code>{command} --only {id}</code></p>")?;
        out.push_str(&compared(findings).html());
        writeln!(out, "<p>Why they differ: {}</p>", Escaped(experiment.why))?;
        for plot in &findings.plots {
            writeln!(out, "<figure>{}</figure>", plot.svg())?;
        }
        for (heading, table) in &findings.tables {
            writeln!(out, "<details><summary>{}</summary>{}</details>", Escaped(heading), table.html())?;
        }
        if !findings.pictures.is_empty() {
            out.push_str("<details><summary>Pictures</summary>\n");
            findings.pictures.iter().for_each(|picture| out.push_str(picture));
            out.push_str("</details>\n");
        }
        Ok(())
    }
}

/// The table of the compared values of a section.
fn compared(findings: &Findings) -> Table {
    let mut table = Table::new(3, ["value", "printed", "ours"]);
    for row in &findings.compared {
        let or_dash = |text: &str| if text.is_empty() { "–".to_owned() } else { text.to_owned() };
        table.row([row.what.clone(), or_dash(&row.printed), or_dash(&row.ours)]);
    }
    table
}
