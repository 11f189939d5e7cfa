//! `unframe eval papers`: repeats the experiments of the papers.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use unframe_study::papers::{self, Data, Experiment, Options, PapersReport};
use unframe_study::volume::Categories;

use super::synthetic;
use crate::args::EvalPapersArgs;
use crate::exit::Outcome;
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &EvalPapersArgs) -> anyhow::Result<Outcome> {
    let html = args.output.path().filter(|path| path.as_os_str() != "-");
    let csv = html.map(|path| path.with_extension("csv"));
    ensure!(
        csv.is_none() || csv.as_deref() != html,
        "the HTML file cannot end with .csv: the table of all values gets that name"
    );
    let made = match &args.folder {
        Some(_) => None,
        None => Some(synthetic::folder(args.quick).context("cannot make synthetic sites")?),
    };
    let folder = match (&args.folder, &made) {
        (Some(folder), _) => folder.as_path(),
        (None, Some(made)) => made.path(),
        (None, None) => Path::new("."),
    };
    let data = Data::find(folder)?;
    let options = Options {
        only: args.only.clone(),
        quick: args.quick,
        threads: args.threads,
        categories: categories(args, folder)?,
    };
    let begin = |experiment: &Experiment| {
        if !args.quiet {
            message!("unframe: {}: {}", experiment.id, experiment.title);
        }
    };
    let mut report = PapersReport { sections: Vec::new(), command: command(args), data: described(args) };
    let write_all = |report: &PapersReport| match (html, &csv) {
        (Some(html), Some(csv)) => {
            write(Some(csv), &report.csv()).and_then(|()| write(Some(html), &report.html()))
        }
        _ => write(None, &report.text()),
    };
    // All experiments together take long. The report is rewritten after each section, so that an interrupt loses only the current
    // one. A pipe can only be written once, at the end.
    let is_file = html.is_some_and(|html| html.is_file() || !html.exists());
    papers::run(&data, &options, begin, |section| {
        report.sections.push(section);
        if is_file { write_all(&report) } else { Ok(()) }
    })?;
    if !is_file {
        write_all(&report)?;
    }
    Ok(Outcome::Clean)
}

fn write(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    let mut output = Output::open(path)?;
    output.write_all(text.as_bytes()).context("cannot write the report")?;
    output.finish()
}

/// The table that the user specified, or else the one in the folder.
fn categories(args: &EvalPapersArgs, folder: &Path) -> anyhow::Result<Categories> {
    let path = match &args.categories {
        Some(path) => path.clone(),
        None => folder.join(synthetic::CATEGORIES),
    };
    if args.categories.is_none() && !path.exists() {
        return Ok(Categories::default());
    }
    let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Categories::from_csv(file).with_context(|| format!("cannot use {}", path.display()))
}

/// The command line, without the selection of experiments and the output.
fn command(args: &EvalPapersArgs) -> String {
    let mut command = "unframe eval papers".to_owned();
    let paths = [("", &args.folder), ("--categories ", &args.categories)];
    for (flag, path) in paths.into_iter().filter_map(|(flag, path)| Some((flag, path.as_ref()?))) {
        command.push_str(&format!(" {flag}{}", path.display()));
    }
    if args.quick {
        command.push_str(" --quick");
    }
    command
}

fn described(args: &EvalPapersArgs) -> String {
    match &args.folder {
        Some(folder) => format!("data of {}", folder.display()),
        None => "synthetic sites, which show that everything runs and nothing about the web".to_owned(),
    }
}
