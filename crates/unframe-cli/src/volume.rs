//! `unframe volume`: measures how much of each site is template, the effect on links, and the possible savings of a store.

mod links;
mod savings;

use std::fs::File;
use std::io::Write;

use anyhow::{Context, bail};
use unframe::learn::Models;
use unframe::text::content::{self, Volume};
use unframe::{Page, PageParser};
use unframe_study::Method;
use unframe_study::volume::{Categories, Volumes};

use crate::args::{ReportFormat, VolumeArgs};
use crate::exit::Outcome;
use crate::inputs::Inputs;
use crate::output::Output;
use crate::spill::Learning;

/// Runs the verb.
pub(crate) fn run(args: &VolumeArgs) -> anyhow::Result<Outcome> {
    let categories = categories(args)?;
    let methods = methods(args)?;
    let mut output = Output::open(args.output.path())?;
    if args.links.is_some() || args.savings {
        return run_other(args, methods, output);
    }
    let names: Vec<String> = methods.iter().map(|method| method.name.clone()).collect();
    let inputs = Inputs::new(&args.reading, true)?;
    let models = learn(&inputs, args, methods)?;
    let mut volumes = Volumes::new(names.iter().cloned());
    let new_worker = || {
        let mut parser = PageParser::new();
        let models = &models;
        move |page: Page| {
            let volumes: Vec<Volume> =
                models.iter().map(|models| measure(&page, models, &mut parser)).collect();
            (page.site, volumes)
        }
    };
    let run = inputs.reading(&args.reading).run(new_worker, |(site, found)| {
        names.iter().zip(found).for_each(|(name, volume)| volumes.add(&site, name, volume));
        Ok(())
    })?;
    let sites = args.sites.and_then(|sites| usize::try_from(sites).ok());
    volumes.choose(args.pages_min, sites.unwrap_or(usize::MAX), args.seed);
    drop(models);
    let report = volumes.report(&categories);
    drop(volumes);
    match args.format {
        ReportFormat::Table => report.write_text(&mut output),
        ReportFormat::Csv => report.write_csv(&mut output),
        ReportFormat::Json => report.write_json(&mut output),
    }
    .context("cannot write the table")?;
    output.finish()?;
    run.finish()
}

/// Measures links or savings, with a single method.
fn run_other(args: &VolumeArgs, methods: Vec<Method>, mut output: Output) -> anyhow::Result<Outcome> {
    let inputs = Inputs::new(&args.reading, true)?;
    let models = match <[Models; 1]>::try_from(learn(&inputs, args, methods)?) {
        Ok([models]) => models,
        Err(models) => bail!("--links and --savings take one method, not {}", models.len()),
    };
    let (text, run) = match &args.links {
        Some(folder) => links::run(&inputs, args, &models, folder)?,
        None => {
            let (report, run) = savings::run(&inputs, args, &models)?;
            let text = match args.format {
                ReportFormat::Table => report.text(),
                ReportFormat::Csv => report.csv(),
                ReportFormat::Json => format!("{:#}\n", report.json()),
            };
            (text, run)
        }
    };
    output.write_all(text.as_bytes()).context("cannot write the table")?;
    output.finish()?;
    run.finish()
}

fn methods(args: &VolumeArgs) -> anyhow::Result<Vec<Method>> {
    let names: Vec<&str> = match args.method.as_slice() {
        [] if args.links.is_some() || args.savings => vec!["places"],
        [] => vec!["text", "dom"],
        names => names.iter().map(String::as_str).collect(),
    };
    let mut methods = Vec::new();
    for name in names {
        methods.extend(Method::parse(name)?);
    }
    Ok(methods)
}

fn categories(args: &VolumeArgs) -> anyhow::Result<Categories> {
    let Some(path) = &args.categories else { return Ok(Categories::default()) };
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Categories::from_csv(file).with_context(|| format!("cannot use {}", path.display()))
}

/// Learns the sites with all methods in one pass.
fn learn(inputs: &Inputs, args: &VolumeArgs, methods: Vec<Method>) -> anyhow::Result<Vec<Models>> {
    // The sums of the sites take as much as another method.
    let (memory, count) = (args.reading.memory(), methods.len() + 1);
    let learning: Vec<Learning> =
        methods.into_iter().map(|method| Learning::new(method.detector, args.seed, memory, count)).collect();
    let new_worker = || {
        let mut parser = PageParser::new();
        let learning = &learning;
        move |page: Page| {
            let parsed = parser.open(&page);
            let begin = |learning: &Learning| learning.begin(&page.site, &page.url, &parsed);
            learning.iter().map(begin).collect::<anyhow::Result<Vec<_>>>()
        }
    };
    // The second pass reports all problems, so this one is silent.
    let reading = inputs.reading(&args.reading).not_last();
    reading.run(new_worker, |waiting| {
        learning.iter().zip(waiting?).try_for_each(|(learning, waiting)| learning.finish(waiting))
    })?;
    learning.into_iter().map(|learning| learning.models(args.reading.threads, inputs.failed())).collect()
}

fn measure(page: &Page, models: &Models, parser: &mut PageParser) -> Volume {
    let parsed = parser.open(page);
    let regions = models.templates(&page.site, &parsed);
    content::extract(&parsed, &regions).volume
}
