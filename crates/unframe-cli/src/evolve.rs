//! `unframe evolve`: templates over time.
//!
//! The crawl is read once to see which versions there are, once to learn each snapshot, and once to compare.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use serde::Serialize;
use unframe::learn::Models;
use unframe::{Page, PageParser};
use unframe_crawl::{ReadOptions, parse_date};
use unframe_study::Method;
use unframe_study::evolve::place::{Measured, Place};
use unframe_study::evolve::rates::{self, ChangeRate, PageRate};
use unframe_study::evolve::report::Evolution;
use unframe_study::evolve::{Change, History, Version, bucket, changes};

use crate::args::EvolveArgs;
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::output::{Output, json_line};
use crate::reading::{Reading, Run};
use crate::spill::Learning;

/// Runs the verb.
pub(crate) fn run(args: &EvolveArgs) -> anyhow::Result<Outcome> {
    let split = args.split.as_deref().map(split).transpose()?;
    let method = method(args)?;
    let name = method.name.clone();
    let inputs = Inputs::new(&args.reading, true)?;
    let passes = Passes { inputs: &inputs, args };
    let (measured, undated) = passes.versions()?;
    let models = passes.learn(method, &measured)?;
    let (history, run) = passes.compare(&models, &measured)?;
    if undated > 0 && !args.reading.quiet {
        eprintln!("unframe: {undated} pages have no date and were left out");
    }
    if measured.is_empty() && undated > 0 {
        bail!(
            "no page has a date: use WARC files, or put the pages of each date into a folder such as 2004-06"
        );
    }
    match &args.output {
        Some(folder) if !args.changes => {
            let evolution =
                Evolution::of(&history, &name, &args.bucket.to_string(), args.pages_min.max(1), split);
            write_report(folder, &evolution, args.reading.quiet)?;
        }
        output if args.rates => write_rates(output.as_deref(), &history)?,
        output => write_changes(output.as_deref(), &history)?,
    }
    run.finish()
}

fn split(text: &str) -> anyhow::Result<f64> {
    let date = parse_date(text).with_context(|| format!("`{text}` is no date: write 2004 or 2004-06-30"))?;
    Ok(bucket::year_of(date))
}

fn method(args: &EvolveArgs) -> anyhow::Result<Method> {
    let mut methods = Method::parse(&args.method)?;
    match (methods.pop(), methods.is_empty()) {
        (Some(method), true) => Ok(method),
        _ => bail!("`{}` is not one method", args.method),
    }
}

struct Passes<'a> {
    inputs: &'a Inputs,
    args: &'a EvolveArgs,
}

impl Passes<'_> {
    fn place(&self, page: &Page) -> Option<Place> {
        Place::of(page, &self.args.bucket, self.args.reading.site_by)
    }

    /// Versions that equal an earlier one count: they tell how long it lasted.
    fn reading(&self) -> Reading<'_> {
        let reading = self.inputs.reading(&self.args.reading);
        Reading { options: ReadOptions { unique: false, ..reading.options }, ..reading }
    }

    /// Finds the last version of each address in each snapshot, and counts pages without a date.
    fn versions(&self) -> anyhow::Result<(Measured, u64)> {
        let mut measured = Measured::default();
        let mut undated = 0;
        let new_worker = || |page: Page| self.place(&page).map(|place| (place, page.origin));
        self.reading().another_follows().run(new_worker, |found| {
            let Some((place, origin)) = found else {
                undated += 1;
                return Ok(());
            };
            measured.add(&place, origin);
            Ok(())
        })?;
        Ok((measured, undated))
    }

    fn learn(&self, method: Method, measured: &Measured) -> anyhow::Result<Models> {
        let learning = Learning::new(method.detector, self.args.seed, self.args.reading.memory(), 1);
        let new_worker = || {
            let mut parser = PageParser::new();
            let learning = &learning;
            move |page: Page| match self.place(&page).filter(|place| measured.has(place, &page)) {
                Some(place) => learning.begin(&place.snapshot(), &place.dated.url, &parser.open(&page)),
                None => Ok(None),
            }
        };
        self.reading().another_follows().run(new_worker, |waiting| learning.finish(waiting?))?;
        learning.models(self.args.reading.threads, self.inputs.failed())
    }

    fn compare(&self, models: &Models, measured: &Measured) -> anyhow::Result<(History, Run)> {
        let new_worker = || {
            let mut parser = PageParser::new();
            move |page: Page| {
                let place = self.place(&page)?;
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

/// A change as a line of JSON.
#[derive(Serialize)]
struct ChangeLine<'a> {
    url: &'a str,
    site: &'a str,
    from: String,
    to: String,
    changed: &'static str,
    content: f64,
    template: f64,
    whole: f64,
}

impl<'a> From<&'a Change> for ChangeLine<'a> {
    fn from(change: &'a Change) -> ChangeLine<'a> {
        ChangeLine {
            url: &change.url,
            site: &change.site,
            from: change.from.to_string(),
            to: change.to.to_string(),
            changed: change.changed.name(),
            content: change.content,
            template: change.template,
            whole: change.whole,
        }
    }
}

/// How often a page changes, as a line of JSON.
#[derive(Serialize)]
struct RateLine<'a> {
    url: &'a str,
    site: &'a str,
    first: String,
    last: String,
    visits: usize,
    content: RateObject,
    template: RateObject,
    whole: RateObject,
}

#[derive(Serialize)]
struct RateObject {
    changes: usize,
    per_day: f64,
}

impl<'a> From<&'a PageRate> for RateLine<'a> {
    fn from(rate: &'a PageRate) -> RateLine<'a> {
        let object = |rate: ChangeRate| RateObject { changes: rate.changes, per_day: rate.per_day };
        RateLine {
            url: &rate.url,
            site: &rate.site,
            first: rate.first.to_string(),
            last: rate.last.to_string(),
            visits: rate.visits,
            content: object(rate.content),
            template: object(rate.template),
            whole: object(rate.whole),
        }
    }
}

fn write_rates(path: Option<&Path>, history: &History) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    for rate in rates::of_history(history) {
        output.write_all(&json_line(&RateLine::from(&rate))?).context("cannot write the rates")?;
    }
    output.finish()
}

fn write_changes(path: Option<&Path>, history: &History) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    for change in changes::of_history(history) {
        output.write_all(&json_line(&ChangeLine::from(&change))?).context("cannot write the changes")?;
    }
    output.finish()
}

fn write_report(folder: &Path, evolution: &Evolution, quiet: bool) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, text) in evolution.files() {
        let mut output = Output::open(Some(&folder.join(name)))?;
        output.write_all(text.as_bytes()).with_context(|| format!("cannot write {name}"))?;
        output.finish()?;
    }
    if !quiet {
        let snapshots = evolution.snapshots.len();
        eprintln!(
            "unframe: {snapshots} snapshots, {} versions; see {}",
            evolution.versions,
            folder.join("report.html").display()
        );
    }
    Ok(())
}
