//! `unframe demo`: generates a small crawl of synthetic sites, and cleans its pages.

mod before_after;
mod next_steps;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use unframe::detect;
use unframe::learn::Models;
use unframe::{Page, PageParser};
use unframe_crawl::write::{BodyFormat, CleanPage, OutputFormat};
use unframe_crawl::{ReadOptions, WarcWriter};
use unframe_picture::drawing::{Drawing, Format};
use unframe_picture::page_text::Part;
use unframe_picture::{Seen, SiteView, look};
use unframe_sample::{Kind, SamplePage, Site};

use crate::args::{DemoArgs, Memory};
use crate::exit::Outcome;
use crate::learning;
use crate::output::{self, Output};
use crate::pages::{PageFacts, SiteTable};
use crate::progress::EarlierPasses;
use crate::reading::{Cdx, Reading, Run};
use crate::spill::{Learning, ModelFailure};
use crate::terminal;

/// The default seed of the other verbs, so that they give the same results on the crawl of the demo.
const SAMPLE_SEED: u64 = 0;
/// Maximum number of pages in the explorer, for demos with very many pages.
const EXPLORED_PAGES_MAX: usize = 1000;

/// Runs the verb.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Outcome> {
    let sites = unframe_sample::sites(args.seed);
    let crawl = args.folder.join(format!("demo-{}.warc.gz", args.seed));
    let beside = |extension| crawl.with_extension("").with_extension(extension);
    let (texts, explorer) = (beside("jsonl"), beside("html"));
    write_crawl(&crawl, &sites, args.pages)?;
    let (count, pages) = (sites.len(), args.pages);
    print_note(
        args,
        &format!("{count} synthetic sites with {pages} pages each, written to {}", crawl.display()),
    );
    let start = Instant::now();
    let shown = shown_page(&sites, args.pages);
    let cleaned = clean_crawl(args, &crawl, &texts, shown.as_ref())?;
    write_explorer(&explorer, cleaned.site)?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    let mut output = Output::open(None)?;
    let mut write = |text: String| output.write_all(text.as_bytes()).context("cannot write the result");
    write(cleaned.table.text(&cleaned.run.summary))?;
    if let (Some(page), Some(parts), false) = (shown, cleaned.shown, args.quiet) {
        write(format!("\n{}\n\n", page.url))?;
        write(before_after::text(&parts, terminal::width(), terminal::has_colour()))?;
        write(next_steps::text(&crawl, &explorer, &page.url))?;
    }
    output.finish()?;
    print_note(args, &format!("\nCleaned in {time:.0} ms; the texts are in {}.", texts.display()));
    cleaned.run.finish()
}

/// The results of cleaning the crawl.
struct Cleaned {
    run: Run,
    table: SiteTable,
    /// The site to explore.
    site: SiteView,
    /// The text of the page that is shown before and after cleaning.
    shown: Option<Vec<Part>>,
}

/// Learns the sites, and writes the text of every page.
fn clean_crawl(
    args: &DemoArgs,
    crawl: &Path,
    texts: &Path,
    shown: Option<&SamplePage>,
) -> anyhow::Result<Cleaned> {
    let inputs = [crawl.to_owned()];
    let options = ReadOptions::default();
    let site = shown.map(|page| options.site_by.key(&page.url)).unwrap_or_default();
    let failed = ModelFailure::default();
    let reading = || Reading {
        cdx: Cdx::default(),
        inputs: &inputs,
        piped: &[],
        options: options.clone(),
        problems: None,
        quiet: args.quiet,
        not_last: false,
        earlier: EarlierPasses::default(),
        failed: failed.clone(),
    };
    let places = Box::new(detect::Places::default());
    let learning = Learning::new(places, SAMPLE_SEED, Memory::default(), 1);
    let (learning, _) = learning::learn_with(reading(), learning)?;
    let models = learning.models(0, &failed)?;
    let mut table = SiteTable::default();
    let mut view = SiteView::new(&site, models.detector().name());
    let mut shown_text = None;
    let mut writer = output::page_writer(OutputFormat::Jsonl.into(), Some(texts))?;
    let new_worker = || {
        let mut parser = PageParser::new();
        let (models, site) = (&models, &site);
        move |page: Page| clean(&page, models, site, &mut parser)
    };
    let run = reading().run(new_worker, |(facts, page, seen)| {
        writer.write(&page)?;
        if let Some(seen) = seen.filter(|_| view.pages.len() < EXPLORED_PAGES_MAX) {
            if shown.is_some_and(|shown| shown.url == seen.url) {
                shown_text = Some(seen.text.clone());
            }
            view.add(seen);
        }
        table.add(facts)
    })?;
    writer.finish()?;
    view.sort();
    Ok(Cleaned { run, table, site: view, shown: shown_text })
}

/// The page that is shown before and after cleaning: the first article, or else the first page.
fn shown_page(sites: &[Site], pages: u64) -> Option<SamplePage> {
    let site = sites.first()?;
    let article = (0..pages).map(|index| site.page(index)).find(|page| page.kind == Kind::Article);
    article.or_else(|| (pages > 0).then(|| site.page(0)))
}

/// Cleans a page, and collects what the table, the output and the explorer need.
fn clean(
    page: &Page,
    models: &Models,
    shown_site: &str,
    parser: &mut PageParser,
) -> (PageFacts, CleanPage, Option<Seen>) {
    let parsed = parser.open(page);
    let regions = models.label(&page.site, &parsed);
    let clean = CleanPage::new(page, &parsed, &regions, BodyFormat::Text);
    let seen = (page.site == shown_site).then(|| look(&page.url, &parsed, regions, true));
    (PageFacts::of(page).with_volume(clean.volume), clean, seen)
}

fn write_explorer(file: &Path, site: SiteView) -> anyhow::Result<()> {
    let drawing = Drawing { format: Format::Html, ..Drawing::default() };
    let mut output = Output::open(Some(file))?;
    output.write_all(&drawing.write(site)?).with_context(|| format!("cannot write to {}", file.display()))?;
    output.finish()
}

/// Prints to standard error, because standard output must be the same in every run.
fn print_note(args: &DemoArgs, note: &str) {
    if !args.quiet {
        message!("{note}");
    }
}

/// Writes the crawl. The sites alternate, as if a crawler visited them in rotation.
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
