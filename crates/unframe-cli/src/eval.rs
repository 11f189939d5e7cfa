//! `unframe eval`: scores methods on gold data.

mod papers;
mod synthetic;

#[cfg(feature = "search")]
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use unframe::detect::Segments;
use unframe_study::{Method, Options, blocks, curve, evaluate, fingerprints, following};

use crate::args::{EvalArgs, EvalBlocksArgs, EvalCommand, EvalFingerprintsArgs, ReportFormat};
use crate::exit::Outcome;
use crate::output::Output;

/// Runs the verb.
pub(crate) fn run(args: &EvalArgs) -> anyhow::Result<Outcome> {
    match &args.what {
        Some(EvalCommand::Fingerprints(args)) => return structure(args),
        #[cfg(feature = "search")]
        Some(EvalCommand::Search(args)) => return relevance(args),
        #[cfg(not(feature = "search"))]
        Some(EvalCommand::Search(_)) => return crate::not_built::run("eval search", "search"),
        Some(EvalCommand::Blocks(args)) => return template_blocks(args),
        Some(EvalCommand::Papers(args)) => return papers::run(args),
        None => {}
    }
    if args.positions {
        return positions(args);
    }
    if args.following {
        return follow(args);
    }
    let methods = methods(&args.method)?;
    let all = |number: usize| if number == 0 { usize::MAX } else { number };
    let options = Options {
        pages_max: all(args.pages),
        scored_max: all(args.scored),
        group: 0,
        peers: args.peers.then(|| args.python.clone()),
        seed: args.seed,
        threads: args.threads,
    };
    if !args.curve.is_empty() {
        let sizes: Vec<usize> = args.curve.iter().map(|size| *size as usize).collect();
        return write_all(&args.folders, args.output.path(), |folder| {
            let curve = curve(folder, &methods, &options, &sizes)?;
            let table = curve.table();
            let text = match args.format {
                ReportFormat::Table => table.text(),
                ReportFormat::Csv => table.csv(),
                ReportFormat::Json => format!("{:#}\n", curve.json()),
            };
            Ok((text, curve.problems()))
        });
    }
    write_all(&args.folders, args.output.path(), |folder| {
        let report = evaluate(folder, &methods, &options)?;
        let text = match args.format {
            ReportFormat::Table => report.text(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => format!("{:#}\n", report.json()),
        };
        Ok((text, report.problems))
    })
}

/// Writes the result of `score` for each folder, and reports problems of the input.
fn write_all(
    folders: &[PathBuf],
    output: Option<&Path>,
    score: impl Fn(&Path) -> anyhow::Result<(String, Vec<String>)>,
) -> anyhow::Result<Outcome> {
    let mut output = Output::open(output)?;
    let mut outcome = Outcome::Clean;
    for folder in folders {
        let (text, problems) = score(folder)?;
        output.write_all(text.as_bytes()).context("cannot write the scores")?;
        for problem in problems {
            message!("unframe: {problem}");
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
    write_all(&args.folders, args.output.path(), |folder| {
        let report = fingerprints::evaluate(folder, &methods, &options)?;
        let text = match args.format {
            ReportFormat::Table => report.text(),
            ReportFormat::Csv => report.csv(),
            ReportFormat::Json => format!("{:#}\n", report.json()),
        };
        Ok((text, report.problems))
    })
}

/// Measures the effect of template removal on search, with generated queries.
#[cfg(feature = "search")]
fn relevance(args: &crate::args::EvalSearchArgs) -> anyhow::Result<Outcome> {
    use unframe_study::search;

    let methods = methods(&args.method)?;
    if let (Some(queries), Some(qrels)) = (&args.queries, &args.qrels) {
        return judged_relevance(args, &methods, queries, qrels);
    }
    let options =
        search::Options { queries_max: args.of_each, examples: args.examples, threads: args.threads };
    write_all(&args.folders, args.output.path(), |folder| {
        let report = search::evaluate(folder, &methods, &options)?;
        Ok((report.text(), report.problems))
    })
}

/// Measures the effect of template removal on search, with the user's queries and relevance judgements.
#[cfg(feature = "search")]
fn judged_relevance(
    args: &crate::args::EvalSearchArgs,
    methods: &[Method],
    queries: &Path,
    qrels: &Path,
) -> anyhow::Result<Outcome> {
    use unframe_study::search::judged::{self, Judgements};

    let read =
        |path: &Path| fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    let wrong = |path: &Path| format!("cannot parse {}", path.display());
    let topics = judged::topics(&read(queries)?).with_context(|| wrong(queries))?;
    let judgements: Judgements = read(qrels)?.parse().with_context(|| wrong(qrels))?;
    let report = judged::evaluate(&args.folders, &topics, &judgements, methods)?;
    let mut output = Output::open(args.output.path())?;
    output.write_all(report.text().as_bytes()).context("cannot write the report")?;
    output.finish()?;
    report.problems.iter().for_each(|problem| message!("unframe: {problem}"));
    Ok(if report.problems.is_empty() { Outcome::Clean } else { Outcome::SomeBad })
}

/// Scores the detection of template blocks.
fn template_blocks(args: &EvalBlocksArgs) -> anyhow::Result<Outcome> {
    let methods = methods(&args.method)?;
    write_all(&args.folders, args.output.path(), |folder| {
        let report = blocks::evaluate(folder, &methods, args.threads)?;
        let table = report.table();
        let text = match args.format {
            ReportFormat::Table => table.text(),
            ReportFormat::Csv => table.csv(),
            ReportFormat::Json => format!("{:#}\n", report.json()),
        };
        Ok((text, report.problems))
    })
}

fn methods(names: &[String]) -> anyhow::Result<Vec<Method>> {
    let mut methods = Vec::new();
    for name in names {
        methods.extend(Method::parse(name)?);
    }
    Ok(methods)
}

/// Scores by the position of a page in the stream of its site.
fn positions(args: &EvalArgs) -> anyhow::Result<Outcome> {
    let mut output = Output::open(args.output.path())?;
    for folder in &args.folders {
        let table = following::quality(folder, args.threads)?;
        writeln!(output, "{}\n{table}", folder.display()).context("cannot write the table")?;
    }
    output.finish()?;
    Ok(Outcome::Clean)
}

/// Compares incremental learning with learning from many pages at once.
fn follow(args: &EvalArgs) -> anyhow::Result<Outcome> {
    let mut output = Output::open(args.output.path())?;
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
