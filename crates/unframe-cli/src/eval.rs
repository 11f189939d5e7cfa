//! `unframe eval`: scores of methods on gold data.

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use unframe::detect::Segments;
use unframe_study::{Method, Options, evaluate, fingerprints, following};

use crate::args::{EvalArgs, EvalFingerprintsArgs, EvalWhat, ReportFormat};
use crate::exit::Outcome;
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<Outcome> {
    if let Some(EvalWhat::Fingerprints(args)) = &args.what {
        return structure(args);
    }
    if args.following {
        return follow(args);
    }
    let mut methods = Vec::new();
    for name in &args.method {
        methods.extend(Method::parse(name)?);
    }
    let all = |number: usize| if number == 0 { usize::MAX } else { number };
    let options = Options {
        pages_max: all(args.pages),
        scored_max: all(args.scored),
        seed: args.seed,
        threads: args.threads,
    };
    let mut output = Output::open(args.output.as_deref())?;
    let mut outcome = Outcome::Clean;
    for folder in &args.folders {
        let report = evaluate(folder, &methods, &options)?;
        let text = match args.format {
            ReportFormat::Table => report.text(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => format!("{:#}\n", report.json()),
        };
        output.write_all(text.as_bytes()).context("cannot write the scores")?;
        for problem in &report.problems {
            eprintln!("unframe: {problem}");
            outcome = Outcome::SomeBad;
        }
    }
    output.finish()?;
    Ok(outcome)
}

/// Scores methods that compare the structure of pages.
fn structure(args: &EvalFingerprintsArgs) -> anyhow::Result<Outcome> {
    let mut methods = Vec::new();
    for name in &args.method {
        methods.extend(fingerprints::methods(name)?);
    }
    let options = fingerprints::Options {
        by: args.by,
        folds: args.folds.max(2),
        budget: Duration::from_secs(args.budget),
        seed: args.seed,
    };
    let mut output = Output::open(args.output.as_deref())?;
    let mut outcome = Outcome::Clean;
    for folder in &args.folders {
        let report = fingerprints::evaluate(folder, &methods, &options)?;
        let text = match args.format {
            ReportFormat::Table => report.text(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => format!("{:#}\n", report.json()),
        };
        output.write_all(text.as_bytes()).context("cannot write the scores")?;
        for problem in &report.problems {
            eprintln!("unframe: {problem}");
            outcome = Outcome::SomeBad;
        }
    }
    output.finish()?;
    Ok(outcome)
}

/// Page by page against many pages at once.
fn follow(args: &EvalArgs) -> anyhow::Result<Outcome> {
    let mut output = Output::open(args.output.as_deref())?;
    let mut write = |text: String| output.write_all(text.as_bytes()).context("cannot write the tables");
    for folder in &args.folders {
        write(following::study(folder, args.threads)?)?;
    }
    for crawl in &args.redesign {
        write(format!("\n{}", following::redesign(crawl, &Segments::default())?))?;
    }
    output.finish()?;
    Ok(Outcome::Clean)
}
