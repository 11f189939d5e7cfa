//! `unframe demo`: a small crawl of invented sites, and the main job done on it: every page without its templates.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use unframe::Page;
use unframe::detect::{self, PageBytes};
use unframe::html::Parser;
use unframe::learn::Models;
use unframe_crawl::write::{BodyFormat, CleanPage, OutputFormat};
use unframe_crawl::{ReadOptions, WarcWriter};
use unframe_sample::Site;

use crate::args::DemoArgs;
use crate::exit::Outcome;
use crate::learning;
use crate::output::{self, Output};
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
    let inputs = [file];
    let reading = || Reading {
        inputs: &inputs,
        kept: &[],
        options: ReadOptions::default(),
        problems: None,
        quiet: args.quiet,
        another_follows: false,
    };
    let (learner, _) = learning::learn_with(reading(), detect::Places::default(), args.seed)?;
    let models = learner.models();
    let mut table = SiteTable::default();
    let cleaned = inputs[0].with_extension("").with_extension("jsonl");
    let mut texts = output::page_writer(OutputFormat::Jsonl, Some(&cleaned))?;
    let new_worker = || {
        let mut parser = Parser::new();
        let models = &models;
        move |page: Page| clean(&page, models, &mut parser)
    };
    let run = reading().run(new_worker, |(facts, page)| {
        texts.write(&page)?;
        table.add(facts)
    })?;
    texts.finish()?;
    let mut output = Output::open(None)?;
    output.write_all(table.text(&run.summary).as_bytes()).context("cannot write the table")?;
    output.finish()?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    match args.folder {
        Some(_) => tell(args, &format!("cleaned in {time:.0} ms; the texts are in {}", cleaned.display())),
        None => {
            tell(args, &format!("cleaned in {time:.0} ms; `unframe demo DIR` keeps the crawl and the texts"))
        }
    }
    run.finish()
}

/// What the table and the output need of a page.
fn clean(page: &Page, models: &Models, parser: &mut Parser) -> (PageFacts, CleanPage) {
    let regions = models.label(&page.site, PageBytes::of(page), parser);
    let clean = CleanPage::new(page, &regions, BodyFormat::Text, parser);
    (PageFacts::of(page).with_volume(clean.volume), clean)
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
