//! `unframe demo`: a small crawl of invented sites, and the main job done on it: reading and parsing, today.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use unframe::Page;
use unframe::html::Parser;
use unframe_crawl::{ReadOptions, WarcWriter};
use unframe_sample::Site;

use crate::args::DemoArgs;
use crate::exit::Outcome;
use crate::output::Output;
use crate::pages::{PageFacts, SiteTable};
use crate::reading::Reading;

/// Runs the verb.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Outcome> {
    let sites = unframe_sample::sites(args.seed);
    // Without a folder of the user's, the crawl is gone at the end of this function.
    let temporary = tempfile::Builder::new().prefix("unframe-demo-").tempdir();
    let temporary = temporary.context("cannot make a temporary folder")?;
    let folder = args.folder.as_deref().unwrap_or(temporary.path());
    let file = folder.join(format!("demo-{}.warc.gz", args.seed));
    write_crawl(&file, &sites, args.pages)?;
    tell(
        args,
        &format!(
            "{} invented sites with {} pages each, written to {}",
            sites.len(),
            args.pages,
            file.display()
        ),
    );
    let start = Instant::now();
    let mut table = SiteTable::default();
    let options = ReadOptions::default();
    let reading = Reading { inputs: &[file], options, problems: None, quiet: args.quiet };
    let run = reading.run(parsing_worker, |facts| table.add(facts))?;
    let mut output = Output::open(None)?;
    output.write_all(table.text(&run.summary).as_bytes()).context("cannot write the table")?;
    output.finish()?;
    tell(args, &format!("read and parsed in {:.0} ms", start.elapsed().as_secs_f64() * 1000.0));
    run.finish()
}

/// Parses pages one after the other, in the same memory.
fn parsing_worker() -> impl FnMut(Page) -> PageFacts {
    let mut parser = Parser::new();
    move |page| PageFacts::of(&page).with_tree(&parser.parse(&page.payload, page.charset.encoding))
}

/// Notes for people go to standard error: standard output is the same in every run.
fn tell(args: &DemoArgs, note: &str) {
    if !args.quiet {
        eprintln!("{note}");
    }
}

/// Writes the pages as a crawler does that visits all sites in turn.
fn write_crawl(file: &Path, sites: &[Site], pages: u64) -> anyhow::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let mut writer = WarcWriter::gzip(Output::open(Some(file))?);
    let wrote =
        |result: std::io::Result<()>| result.with_context(|| format!("cannot write to {}", file.display()));
    if let Some(first) = sites.first() {
        let fields =
            concat!("software: unframe ", env!("CARGO_PKG_VERSION"), "\r\nformat: WARC File Format 1.1\r\n");
        wrote(writer.info(fields, first.page(0).date))?;
    }
    for index in 0..pages {
        for site in sites {
            let page = site.page(index);
            let headers = [("Content-Type", page.content_type)];
            wrote(writer.response(&page.url, page.date, 200, &headers, &page.html))?;
        }
    }
    writer.into_inner().finish()
}
