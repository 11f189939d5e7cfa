//! `unframe pages`: lists the pages of a crawl.

mod summary;

use std::io::{IsTerminal, Write};

use anyhow::Context;
use serde::Serialize;
use unframe::{Page, Problem};

use crate::args::PagesArgs;
use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::reading::Reading;

pub(crate) use summary::{PageFacts, SiteTable};

/// Runs the verb.
pub(crate) fn run(args: &PagesArgs) -> anyhow::Result<Outcome> {
    let for_people = args.output.path().is_none() && std::io::stdout().is_terminal() && !args.jsonl;
    let mut output = Output::open(args.output.path())?;
    let reading = Reading::from(&args.reading);
    let run = if args.table || for_people {
        let mut table = SiteTable::default();
        let run = reading.run(|| |page: Page| PageFacts::of(&page), |facts| table.add(facts))?;
        output.write_all(table.text(&run.summary).as_bytes()).context("cannot write the table")?;
        run
    } else {
        reading.run(|| |page: Page| json_line(&page), |line| write_line(&mut output, line))?
    };
    output.finish()?;
    run.finish()
}

/// A line of the output. Fields may be added, never renamed.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    site: &'a str,
    date: Option<String>,
    bytes: usize,
    charset: &'a str,
    charset_source: &'a str,
    file: &'a str,
    offset: u64,
    problems: Vec<ProblemLine<'a>>,
}

#[derive(Serialize)]
struct ProblemLine<'a> {
    code: &'a str,
    message: &'a str,
}

/// Formats a page. Workers do this on all cores, so that the sink only writes.
fn json_line(page: &Page) -> serde_json::Result<Vec<u8>> {
    let problems = page.problems.iter();
    output::json_line(&Line {
        url: &page.url,
        site: &page.site,
        date: page.date.map(|date| date.to_string()),
        bytes: page.payload.len(),
        charset: page.charset.name(),
        charset_source: page.charset.source.name(),
        file: &page.origin.file,
        offset: page.origin.offset,
        problems: problems.map(|Problem { code, message }| ProblemLine { code, message }).collect(),
    })
}

fn write_line(output: &mut Output, line: serde_json::Result<Vec<u8>>) -> anyhow::Result<()> {
    output.write_all(&line?).context("cannot write the pages")
}
