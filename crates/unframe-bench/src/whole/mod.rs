//! Compares whole programs on the same pages, in interleaved runs.
//!
//! `cargo xtask bench` runs it. [`jobs`] lists the jobs and programs, [`process`] measures their cost, and [`crawl`] makes the pages (from Debian's
//! documentation if no crawl is given: [`debian`]). [`score`] scores the extracted content. [`results`] stores all measurements, from which
//! [`report`] and [`table`] are made. [`growth`] measures the verbs of unframe on more and more pages.

mod baseline;
mod crawl;
mod debian;
mod dots;
mod growth;
mod jobs;
mod process;
mod report;
mod results;
mod score;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use serde::Deserialize;

pub(crate) use baseline::{Baseline, run as run_baseline};
pub(crate) use growth::{GrowthArguments, run as run_growth};
pub(crate) use process::measure;
pub(crate) use table::into_document;

use crawl::{Crawl, GoldTexts, Size};
use jobs::{Entry, PEERS, Paths, Plan, Programs, TEXTS};
use process::{Cost, Ending};
use results::{CrawlFacts, Figures, Job, Machine, Results, Row};

/// Time limit of one run.
const LIMIT: Duration = Duration::from_secs(1800);

#[derive(Debug, Args)]
pub(crate) struct AllArguments {
    /// Crawls to take pages from; without any, the documentation in packages of Debian is fetched.
    inputs: Vec<PathBuf>,
    /// The program `unframe`.
    #[arg(long, default_value = "target/dist/unframe")]
    program: PathBuf,
    /// A Python interpreter with the peers installed.
    #[arg(long, default_value = "target/bench-peers/bin/python")]
    python: PathBuf,
    /// Folder for results and report.
    #[arg(long, default_value = "target/bench")]
    out: PathBuf,
    /// How often each program runs each job.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Use few pages and one round, for a trial run.
    #[arg(long)]
    quick: bool,
}

/// Measures all jobs, and writes the data and the report.
pub(crate) fn run(arguments: &AllArguments) -> anyhow::Result<()> {
    let out = &arguments.out;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let rounds = if arguments.quick { 1 } else { arguments.rounds.max(1) };
    let size = match arguments.quick {
        true => Size { pages_of_input: 20, sample: 44 },
        false => Size { pages_of_input: usize::MAX, sample: 660 },
    };
    let (inputs, name) = match arguments.inputs.is_empty() {
        true => (debian::crawls(&out.join("debian"), 1000)?, "documentation in packages of Debian"),
        false => (arguments.inputs.clone(), "crawls of real sites"),
    };
    let crawl = Crawl::make(&inputs, size, out)?;
    let programs = Programs {
        unframe: arguments.program.clone(),
        python: arguments.python.clone(),
        ourselves: std::env::current_exe()?,
    };
    let scratch = out.join("scratch");
    let paths = Paths { all: &crawl.all, sample: &crawl.sample, scratch: &scratch };
    let mut results = Results {
        peers: versions(&programs.python)?,
        crawl: facts(&crawl, name),
        rounds,
        // Measurements of growth are kept from the earlier results.
        growth: Results::load(out).ok().and_then(|earlier| earlier.growth),
        ..Results::begin()
    };
    for plan in jobs::plans(&programs, &paths) {
        println!("{}", plan.name);
        results.jobs.push(run_interleaved(plan, rounds, &scratch, &crawl.gold)?);
    }
    let _ = fs::remove_dir_all(&scratch);
    finish(&results, out)?;
    println!("{}", table::markdown(&results));
    Ok(())
}

/// Writes the data and the report.
fn finish(results: &Results, out: &Path) -> anyhow::Result<()> {
    results.save(out)?;
    let file = out.join("report.html");
    fs::write(&file, report::html(results)).with_context(|| file.display().to_string())?;
    println!("\n{} has all of it with plots", file.display());
    Ok(())
}

impl Results {
    /// Empty results with a description of this machine.
    fn begin() -> Results {
        Results {
            unframe: env!("CARGO_PKG_VERSION").to_owned(),
            machine: Machine::here(),
            ..Results::default()
        }
    }
}

fn facts(crawl: &Crawl, name: &str) -> CrawlFacts {
    CrawlFacts {
        name: name.to_owned(),
        sites: crawl.sites,
        pages: crawl.all.pages,
        bytes: crawl.all.bytes,
        compressed_bytes: crawl.all.compressed_bytes,
        sample_pages: crawl.sample.pages,
        scored_pages: crawl.gold.len(),
    }
}

/// Runs all programs of a job in interleaved rounds, each starting with a different program.
fn run_interleaved(plan: Plan, rounds: usize, scratch: &Path, gold: &GoldTexts) -> anyhow::Result<Job> {
    let entries = &plan.entries;
    let mut runs: Vec<Vec<Cost>> = vec![Vec::new(); entries.len()];
    let mut scores = vec![None; entries.len()];
    for round in 0..rounds {
        for at in (0..entries.len()).map(|place| (round + place) % entries.len()) {
            let entry = &entries[at];
            let _ = fs::remove_dir_all(scratch);
            fs::create_dir_all(scratch).with_context(|| scratch.display().to_string())?;
            match run_once(entry)? {
                Some(cost) => runs[at].push(cost),
                None => continue,
            }
            if entry.has_texts && scores[at].is_none() {
                scores[at] = score::word_f1(&scratch.join(TEXTS), gold)?;
            }
        }
    }
    let rows = plan.entries.into_iter().zip(runs).zip(scores);
    let rows = rows.map(|((entry, runs), word_f1)| Row {
        figures: Figures::of(&runs, entry.crawl.pages, entry.crawl.bytes),
        name: entry.name,
        side: entry.side,
        command: entry.shown,
        pages: entry.crawl.pages,
        bytes: entry.crawl.bytes,
        word_f1,
        runs,
    });
    Ok(Job { name: plan.name.to_owned(), about: plan.about.to_owned(), rows: rows.collect() })
}

/// What a peer reports about its run.
#[derive(Deserialize)]
struct PeerReport {
    pages: usize,
    seconds: f64,
}

/// The cost of one run; `None` if the program failed, which the tables show as such.
fn run_once(entry: &Entry) -> anyhow::Result<Option<Cost>> {
    let ended = process::run(&entry.command, LIMIT)?;
    if ended.ending != Ending::Done {
        println!("  {}: {:?}: {}", entry.name, ended.ending, entry.shown);
        return Ok(None);
    }
    let mut cost = ended.cost;
    if entry.reports_time {
        let report: Option<PeerReport> = serde_json::from_str(&ended.output).ok();
        match report.filter(|report| report.pages == entry.crawl.pages) {
            Some(report) => cost.seconds = report.seconds,
            None => {
                println!("  {}: not all pages were found: {}", entry.name, ended.output.trim());
                return Ok(None);
            }
        }
    }
    println!("  {}: {:.2} s, {:.0} MB", entry.name, cost.seconds, cost.peak_bytes as f64 / 1e6);
    Ok(Some(cost))
}

fn versions(python: &Path) -> anyhow::Result<std::collections::BTreeMap<String, String>> {
    let output = std::process::Command::new(python).args(["-c", PEERS, "versions"]).output();
    let output = output.with_context(|| format!("{} cannot be started", python.display()))?;
    ensure!(
        output.status.success(),
        "{} has not all peers: `cargo xtask bench` installs them",
        python.display()
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}
