//! `unframe demo`: a small crawl of synthetic sites, and the main job done on it: every page without its templates.

mod before_after;
mod next_steps;

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
use unframe_picture::drawing::{Drawing, Format};
use unframe_picture::{Seen, SiteView, look};
use unframe_sample::{Kind, SamplePage, Site};

use crate::args::DemoArgs;
use crate::exit::Outcome;
use crate::learning;
use crate::output::{self, Output};
use crate::pages::{PageFacts, SiteTable};
use crate::reading::Reading;
use crate::terminal;

/// Runs the verb.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Outcome> {
    let sites = unframe_sample::sites(args.seed);
    let file = args.folder.join(format!("demo-{}.warc.gz", args.seed));
    let of_file = |extension| file.with_extension("").with_extension(extension);
    let (cleaned, explorer) = (of_file("jsonl"), of_file("html"));
    write_crawl(&file, &sites, args.pages)?;
    let (count, pages) = (sites.len(), args.pages);
    tell(args, &format!("{count} synthetic sites with {pages} pages each, written to {}", file.display()));
    let start = Instant::now();
    let options = ReadOptions::default();
    let shown = shown_page(&sites, args.pages);
    let shown_site = shown.as_ref().map(|page| options.site_by.key(&page.url)).unwrap_or_default();
    let inputs = [file];
    let reading = || Reading {
        inputs: &inputs,
        kept: &[],
        options: options.clone(),
        problems: None,
        quiet: args.quiet,
        another_follows: false,
    };
    let (learner, _) = learning::learn_with(reading(), detect::Places::default(), args.seed)?;
    let models = learner.models();
    let mut table = SiteTable::default();
    let mut view = SiteView::new(&shown_site, models.detector().name());
    let mut before_after = None;
    let mut texts = output::page_writer(OutputFormat::Jsonl, Some(&cleaned))?;
    let new_worker = || {
        let mut parser = Parser::new();
        let (models, shown_site) = (&models, &shown_site);
        move |page: Page| clean(&page, models, shown_site, &mut parser)
    };
    let run = reading().run(new_worker, |(facts, page, seen)| {
        texts.write(&page)?;
        if let Some(seen) = seen {
            if shown.as_ref().is_some_and(|shown| shown.url == seen.url) {
                before_after = Some(seen.text.clone());
            }
            view.add(seen);
        }
        table.add(facts)
    })?;
    texts.finish()?;
    view.sort();
    write_explorer(&explorer, view)?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    let mut output = Output::open(None)?;
    let mut write = |text: String| output.write_all(text.as_bytes()).context("cannot write the result");
    write(table.text(&run.summary))?;
    if let (Some(page), Some(parts), false) = (shown, before_after, args.quiet) {
        write(format!("\n{}\n\n", page.url))?;
        write(before_after::text(&parts, terminal::width(), terminal::has_colour()))?;
        write(next_steps::text(&inputs[0], &explorer, &page.url))?;
    }
    output.finish()?;
    tell(args, &format!("\nCleaned in {time:.0} ms; the texts are in {}.", cleaned.display()));
    run.finish()
}

/// The page that is shown before and after: the first article, else the first page.
fn shown_page(sites: &[Site], pages: u64) -> Option<SamplePage> {
    let site = sites.first()?;
    let article = (0..pages).map(|index| site.page(index)).find(|page| page.kind == Kind::Article);
    article.or_else(|| (pages > 0).then(|| site.page(0)))
}

/// What the table, the output and the explorer need of a page.
fn clean(
    page: &Page,
    models: &Models,
    shown_site: &str,
    parser: &mut Parser,
) -> (PageFacts, CleanPage, Option<Seen>) {
    let regions = models.label(&page.site, PageBytes::of(page), parser);
    let clean = CleanPage::new(page, &regions, BodyFormat::Text, parser);
    let seen = (page.site == shown_site).then(|| look(page, regions, true, parser));
    (PageFacts::of(page).with_volume(clean.volume), clean, seen)
}

fn write_explorer(file: &Path, site: SiteView) -> anyhow::Result<()> {
    let drawing = Drawing { format: Format::Html, ..Drawing::default() };
    let mut output = Output::open(Some(file))?;
    output.write_all(&drawing.write(site)?).with_context(|| format!("cannot write to {}", file.display()))?;
    output.finish()
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
