//! `unframe templates`: the templates of each site, and how others find them.
//!
//! The crawl is read once to learn, once to label and to think of selectors, and once to try these on all pages.

mod report;

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use unframe::aggregate::{Aggregation, Aggregator, average_coverage};
use unframe::learn::Models;
use unframe::limits::TEMPLATE_TEXT_MAX;
use unframe::select::{self, Candidates, Check, Tally};
use unframe::{Page, PageParser, Region, TemplateHash, text};

use crate::args::TemplatesArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::Output;
use crate::reading::Run;
use report::Report;

/// Runs the verb.
pub(crate) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let mut output = Output::open(args.output.path())?;
    let observed = observe(&inputs, args, &models)?;
    let mut sites: BTreeMap<String, Site> =
        observed.into_iter().map(|(name, observed)| (name, Site::from(observed))).collect();
    let run = check(&inputs, args, &models, &mut sites)?;
    if let Some(folder) = &args.curves {
        write_curves(folder, &sites)?;
    }
    let report = Report { sites: &sites, args, detector: models.detector() };
    output.write_all(report.text()?.as_bytes()).context("cannot write the templates")?;
    output.finish()?;
    run.finish()
}

/// What the second reading finds of a site.
#[derive(Default)]
struct Observed {
    urls: Vec<String>,
    aggregator: Aggregator,
    candidates: Candidates,
    texts: HashMap<TemplateHash, String>,
}

/// A site, ready to be reported.
struct Site {
    /// The addresses of its pages.
    urls: Vec<String>,
    aggregation: Aggregation,
    /// The text of each template hash where it occurs first.
    texts: HashMap<TemplateHash, String>,
    check: Check,
    tally: Tally,
}

/// What a page adds to its site.
struct PageFound {
    site: String,
    url: String,
    regions: Vec<Region>,
    texts: Vec<String>,
    candidates: Candidates,
}

/// Labels all pages.
fn observe(
    inputs: &Inputs,
    args: &TemplatesArgs,
    models: &Models,
) -> anyhow::Result<BTreeMap<String, Observed>> {
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let texts = text::of_regions(parsed.source(), &regions, TEMPLATE_TEXT_MAX);
            let candidates = select::candidates(&parsed, &regions);
            PageFound { site: page.site, url: page.url, regions, texts, candidates }
        }
    };
    let mut sites: BTreeMap<String, Observed> = BTreeMap::new();
    // The last reading tells all problems, so this one is silent.
    let reading = inputs.reading(&args.reading).another_follows();
    reading.run(new_worker, |page| {
        let site = sites.entry(page.site).or_default();
        site.urls.push(page.url);
        site.aggregator.add_page(&page.regions);
        site.candidates.add(page.candidates);
        for (region, text) in page.regions.iter().zip(page.texts) {
            site.texts.entry(region.template).or_insert(text);
        }
        Ok(())
    })?;
    Ok(sites)
}

impl From<Observed> for Site {
    fn from(observed: Observed) -> Site {
        Site {
            urls: observed.urls,
            aggregation: observed.aggregator.finish(),
            texts: observed.texts,
            check: Check::new(observed.candidates),
            tally: Tally::default(),
        }
    }
}

/// Tries the selectors on all pages.
fn check(
    inputs: &Inputs,
    args: &TemplatesArgs,
    models: &Models,
    sites: &mut BTreeMap<String, Site>,
) -> anyhow::Result<Run> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let sites_there = &*sites;
    let new_worker = || {
        let mut parser = PageParser::new();
        move |page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            let checked = sites_there.get(&page.site).map(|site| site.check.page(&parsed, &regions));
            (page.site, checked)
        }
    };
    let run = inputs.reading(&args.reading).run(new_worker, |(site, checked)| {
        if let Some(checked) = checked {
            tallies.entry(site).or_default().add(checked);
        }
        Ok(())
    })?;
    for (name, tally) in tallies {
        if let Some(site) = sites.get_mut(&name) {
            site.tally = tally;
        }
    }
    Ok(run)
}

/// Writes what can be drawn: occurrences by rank, and what the first templates of a site cover.
fn write_curves(folder: &Path, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut ranks = Output::open(Some(&folder.join("ranks.csv")))?;
    let mut coverage = Output::open(Some(&folder.join("coverage.csv")))?;
    writeln!(ranks, "site,rank,template,occurrences,pages,bytes")?;
    writeln!(coverage, "site,templates,bytes,hashes")?;
    for (name, site) in sites {
        let name = report::csv_field(name);
        for (at, ranked) in site.aggregation.ranks.iter().enumerate() {
            let (hash, times) = (ranked.template, ranked.occurrences);
            writeln!(ranks, "{name},{},{hash},{times},{},{}", at + 1, ranked.pages, ranked.bytes)?;
        }
        for point in site.aggregation.coverage() {
            writeln!(coverage, "{name},{},{:.6},{}", point.templates, point.bytes, point.hashes)?;
        }
    }
    for point in average_coverage(sites.values().map(|site| &site.aggregation)) {
        writeln!(coverage, "(average),{},{:.6},{:.3}", point.templates, point.bytes, point.hashes)?;
    }
    ranks.finish()?;
    coverage.finish()
}
