//! `unframe evolve`: templates over time.
//!
//! There are three passes over the crawl: finding all versions, learning each snapshot, and comparing.

mod snapshots;
mod lines;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use unframe::learn::Models;
use unframe::{Page, PageParser};
use unframe_crawl::{ReadOptions, parse_date};
use unframe_picture::figures::plural;
use unframe_study::Method;
use unframe_study::evolve::place::LatestVersions;
use unframe_study::evolve::report::Evolution;
use unframe_study::evolve::{History, Version, bucket};

use crate::args::EvolveArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::output::{Output, make_folder};
use crate::reading::{Reading, Run};
use crate::spill::Learning;
use lines::{write_changes, write_rates};
use snapshots::{AllVersions, Snapshots};

/// Runs the verb.
pub(crate) fn run(args: &EvolveArgs) -> anyhow::Result<Outcome> {
    let split = args.split.as_deref().map(split).transpose()?;
    let method = method(args)?;
    let name = method.name.clone();
    let inputs = Inputs::new(&args.reading, true)?;
    let passes = Passes { inputs: &inputs, args };
    let (snapshots, measured) = Snapshots::new(args, passes.versions()?)?;
    let models = passes.learn(method, &snapshots, &measured)?;
    let (history, run) = passes.compare(&models, &snapshots, &measured)?;
    match &args.output {
        Some(folder) if !args.changes => {
            let bucket = snapshots.bucket.to_string();
            let evolution = Evolution::of(&history, &name, &bucket, args.pages_min.max(1), split);
            write_report(folder, &evolution, args.reading.quiet)?;
        }
        output if args.rates => write_rates(output.as_deref(), &history)?,
        output => write_changes(output.as_deref(), &history, |date| snapshots.date_text(date))?,
    }
    run.finish()
}

fn split(text: &str) -> anyhow::Result<f64> {
    let date =
        parse_date(text).with_context(|| format!("`{text}` is not a date: write 2004 or 2004-06-30"))?;
    Ok(bucket::year_of(date))
}

fn method(args: &EvolveArgs) -> anyhow::Result<Method> {
    let mut methods = Method::parse(&args.method)?;
    match (methods.pop(), methods.is_empty()) {
        (Some(method), true) => Ok(method),
        _ => bail!("`{}`: choose one method", args.method),
    }
}

/// The arguments that all passes share.
struct Passes<'a> {
    inputs: &'a Inputs,
    args: &'a EvolveArgs,
}

impl Passes<'_> {
    /// Versions that equal an earlier one count, because they show how long it lasted.
    fn reading(&self) -> Reading<'_> {
        let reading = self.inputs.reading(&self.args.reading);
        Reading { options: ReadOptions { unique: false, ..reading.options }, ..reading }
    }

    /// Finds all versions of all pages.
    fn versions(&self) -> anyhow::Result<AllVersions> {
        let mut versions = AllVersions::default();
        let new_worker = || |page: Page| (snapshots::place_and_is_dated(&page, self.args), page.origin);
        self.reading().not_last().run(new_worker, |((place, is_dated), origin)| {
            let list = if is_dated { &mut versions.dated } else { &mut versions.undated };
            list.push((place, origin));
            Ok(())
        })?;
        Ok(versions)
    }

    fn learn(
        &self,
        method: Method,
        snapshots: &Snapshots<'_>,
        measured: &LatestVersions,
    ) -> anyhow::Result<Models> {
        let learning = Learning::new(method.detector, self.args.seed, self.args.reading.memory(), 1);
        let new_worker = || {
            let mut parser = PageParser::new();
            let learning = &learning;
            move |page: Page| match snapshots.place(&page).filter(|place| measured.has(place, &page)) {
                Some(place) => learning.begin(&place.snapshot(), &place.dated.url, &parser.open(&page)),
                None => Ok(None),
            }
        };
        self.reading().not_last().run(new_worker, |waiting| learning.finish(waiting?))?;
        learning.models(self.args.reading.threads, self.inputs.failed())
    }

    fn compare(
        &self,
        models: &Models,
        snapshots: &Snapshots<'_>,
        measured: &LatestVersions,
    ) -> anyhow::Result<(History, Run)> {
        let new_worker = || {
            let mut parser = PageParser::new();
            move |page: Page| {
                let place = snapshots.place(&page)?;
                let is_measured = measured.has(&place, &page);
                let parsed = parser.open(&page);
                let regions = models.templates(&place.snapshot(), &parsed);
                let version = Version::new(place.dated, place.bucket, &parsed, &regions);
                Some((place.site, Version { is_measured, ..version }))
            }
        };
        let mut history = History::default();
        let run = self.reading().run(new_worker, |found| {
            if let Some((site, version)) = found {
                history.add(&site, version);
            }
            Ok(())
        })?;
        history.sort();
        Ok((history, run))
    }
}

fn write_report(folder: &Path, evolution: &Evolution, quiet: bool) -> anyhow::Result<()> {
    make_folder(folder)?;
    for (name, text) in evolution.files() {
        let mut output = Output::open(Some(&folder.join(name)))?;
        output.write_all(text.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        output.finish()?;
    }
    if !quiet {
        message!(
            "unframe: {}, {}; see {}",
            plural(evolution.snapshots.len() as u64, "snapshot"),
            plural(evolution.versions as u64, "version"),
            folder.join("report.html").display()
        );
    }
    Ok(())
}
