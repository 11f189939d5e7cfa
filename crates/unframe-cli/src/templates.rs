//! `unframe templates`: lists the templates of each site, with selectors that select them.
//!
//! There are three passes over the crawl: learning, labelling with candidate selectors, and testing the selectors on all pages. If what
//! is found on the sites does not fit into memory, the crawl is read for the first group of sites only. The last pass puts the pages of the other
//! sites aside, sorted by site, and each following group is labelled and tested on these.

mod passes;
mod report;
mod rules;
mod site;
mod site_group;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use unframe::Page;
use unframe::aggregate::average_coverage;
use unframe::learn::Models;
use unframe::select::{PageCheck, Tally};

use crate::args::TemplatesArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::learning;
use crate::output::{Output, make_folder};
use crate::reading::{self, Reading, Run};
use crate::spill::pages::{PackedPage, PageSorter, SortedPages};
use report::Report;
use site::Site;
use site_group::{FinishedGroup, SiteFindings, SiteGroup};

/// Runs the verb.
pub(crate) fn run(args: &TemplatesArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learning::models(&inputs, &args.reading, &args.method, args.model.path())?;
    let output = Output::open(args.output.path())?;
    let mut report = Report::new(args, models.detector(), output);
    let mut site_group = SiteGroup::new(memory(args));
    let names = site_group.sites();
    let new_worker = || {
        let mut finder = passes::finder(args, &models, &names);
        move |page: Page| finder(page.into())
    };
    // The last pass reports all problems, so this one is silent.
    inputs.reading(&args.reading).not_last().run(new_worker, |page| {
        page.into_iter().for_each(|page| site_group.add(page));
        Ok(())
    })?;
    let FinishedGroup { sites, mut next } = site_group.finish();
    let mut sites = ready(sites, &models);
    let sorter = next.is_some().then(|| PageSorter::new(learned(args) / 4));
    let (run, mut waiting) = check(inputs.reading(&args.reading), &models, &mut sites, sorter)?;
    add(&mut report, args, &sites)?;
    drop(sites);
    while let (Some(group), Some(waiting)) = (next.take(), &mut waiting) {
        next = report_group(group, waiting, args, &models, &mut report)?;
        // Labels are wrong if a model could not be read.
        reading::check_models(inputs.failed())?;
    }
    report.finish()?;
    run.finish()
}

/// Memory for the collected data of sites; the rest of their share is for pages that are put aside. It is unlimited if sites are compared with each
/// other, which needs all of them at once.
fn memory(args: &TemplatesArgs) -> usize {
    if args.shared || args.curves.is_some() { usize::MAX } else { learned(args) / 2 }
}

fn learned(args: &TemplatesArgs) -> usize {
    args.reading.memory().learned(1)
}

fn ready(sites: BTreeMap<String, SiteFindings>, models: &Models) -> BTreeMap<String, Site> {
    let knows_places = models.detector().knows_places();
    sites.into_iter().map(|(name, findings)| (name, Site::new(findings, knows_places))).collect()
}

/// What a page is in the last pass over the crawl.
enum Checked {
    Page(String, PageCheck),
    /// A page of a later group.
    Waiting(PackedPage),
}

/// Tests the selectors of a group on all pages of the crawl, and puts the pages of other sites aside, if there is a sorter for them.
fn check(
    reading: Reading<'_>,
    models: &Models,
    sites: &mut BTreeMap<String, Site>,
    mut sorter: Option<PageSorter>,
) -> anyhow::Result<(Run, Option<SortedPages>)> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let has_later = sorter.is_some();
    let new_worker = || {
        let mut checker = passes::checker(models, sites);
        move |page: Page| match checker(page.into()) {
            Ok((site, checked)) => Some(Checked::Page(site, checked)),
            Err(page) => has_later.then(|| Checked::Waiting(page.pack())),
        }
    };
    let run = reading.run(new_worker, |page| {
        match (page, &mut sorter) {
            (Some(Checked::Page(site, checked)), _) => tallies.entry(site).or_default().add(checked),
            (Some(Checked::Waiting(page)), Some(sorter)) => sorter.add(page)?,
            _ => {}
        }
        Ok(())
    })?;
    set_tallies(sites, tallies);
    Ok((run, sorter.map(PageSorter::finish).transpose()?))
}

/// Reports a group of sites whose pages were put aside. Returns the next group.
fn report_group(
    mut site_group: SiteGroup,
    waiting: &mut SortedPages,
    args: &TemplatesArgs,
    models: &Models,
    report: &mut Report<'_>,
) -> anyhow::Result<Option<SiteGroup>> {
    let names = site_group.sites();
    let threads = args.reading.threads;
    waiting.read(
        |site| names.contains(site),
        threads,
        || passes::finder(args, models, &names),
        |page| {
            page.into_iter().for_each(|page| site_group.add(page));
            Ok(())
        },
    )?;
    let FinishedGroup { sites, next } = site_group.finish();
    let mut sites = ready(sites, models);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let end = waiting.read(
        |site| sites.contains_key(site),
        threads,
        || passes::checker(models, &sites),
        |page| {
            page.into_iter().for_each(|(site, checked)| tallies.entry(site).or_default().add(checked));
            Ok(())
        },
    )?;
    waiting.begin_at(end);
    set_tallies(&mut sites, tallies);
    add(report, args, &sites)?;
    Ok(next)
}

fn set_tallies(sites: &mut BTreeMap<String, Site>, tallies: BTreeMap<String, Tally>) {
    for (name, tally) in tallies {
        if let Some(site) = sites.get_mut(&name) {
            site.tally = tally;
        }
    }
}

fn add(report: &mut Report<'_>, args: &TemplatesArgs, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
    if let Some(folder) = &args.curves {
        write_curves(folder, sites)?;
    }
    report.add(sites)
}

/// Writes two curves: the occurrences of templates by rank, and the share that the most frequent templates cover.
fn write_curves(folder: &Path, sites: &BTreeMap<String, Site>) -> anyhow::Result<()> {
    make_folder(folder)?;
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
