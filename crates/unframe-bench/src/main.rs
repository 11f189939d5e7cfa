//! Measures unframe against other programs on the same pages, in interleaved runs, and reports medians and spread.
//!
//! `cargo xtask bench parse` installs the peers and runs this program. `cargo run --profile dist -p unframe-bench -- parse FILES…` runs
//! it with the peers that are already installed.

mod corpus;
mod fingerprint;
mod differential;
mod follow;
mod parse;
mod records;
mod rounds;
mod search;
mod text;
mod whole;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Measures unframe against others, interleaved, on the same pages")]
struct Arguments {
    #[command(subcommand)]
    what: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// All jobs with all programs, in interleaved runs on the same pages; writes data and a report.
    All(whole::AllArguments),
    /// How cost grows: the verbs of unframe on a thousand to a million generated pages.
    Growth(whole::GrowthArguments),
    /// Insert the last results as a table between two markers of a document.
    Table {
        /// The document that contains the markers.
        document: PathBuf,
        /// Folder of the results.
        #[arg(long, default_value = "target/bench")]
        out: PathBuf,
    },
    /// Run one command, and print its cost as JSON.
    #[command(hide = true)]
    Measure {
        /// Time limit.
        #[arg(long)]
        seconds: u64,
        #[arg(required = true, last = true)]
        command: Vec<OsString>,
    },
    /// Run a baseline, which is measured as a separate program.
    #[command(hide = true)]
    Baseline { baseline: whole::Baseline, crawl: PathBuf },
    /// Parsing: a tree with byte spans against html5ever, lexbor and tl, on one thread.
    Parse {
        /// Crawls to take pages from; without any, synthetic pages are parsed.
        inputs: Vec<PathBuf>,
        /// How often each engine parses all pages.
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// A Python with `selectolax`, for lexbor.
        #[arg(long)]
        python: Option<PathBuf>,
    },
    /// Compare trees with those of html5ever, node by node.
    Differential {
        /// Crawls to take pages from; without any, synthetic pages are compared.
        inputs: Vec<PathBuf>,
    },
    /// Print address, hash and length of the payload of each page, for comparison with other readers.
    Records {
        /// Crawls to read.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
    /// Finding templates: all windows of text, one window in 40, and nodes, on one thread.
    Text {
        /// Crawls to take pages from.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// How often each method learns and labels all pages.
        #[arg(long, default_value_t = 5)]
        rounds: usize,
    },
    /// Fingerprints compared with reading the bytes that they need, and clustering of generated pages, on one thread.
    Fingerprint {
        /// Crawls to take pages from; without any, synthetic pages are used.
        inputs: Vec<PathBuf>,
        /// How often each engine reads all pages.
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// Pages to generate and cluster.
        #[arg(long, default_value_t = 1_000_000)]
        pages: usize,
        /// Folder for the data and pictures of the clustering.
        #[arg(long, default_value = "target/bench-fingerprint")]
        out: PathBuf,
    },
    /// Labelling page by page: with durable state against without, latency at a million segments, many sites.
    Follow {
        /// Crawls to take pages from; without any, synthetic pages are used.
        inputs: Vec<PathBuf>,
        /// How often all pages are labelled.
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// Run only this measurement: pages, pauses or scale.
        #[arg(long)]
        only: Option<String>,
        /// Folder in which the state is created and removed; the temporary folder of the system by default.
        #[arg(long)]
        state: Option<PathBuf>,
    },
    /// Building a search index: with templates found during the build, before it, or not at all.
    Search {
        /// Crawls to index.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// The program `unframe`.
        #[arg(long, default_value = "target/dist/unframe")]
        program: PathBuf,
        /// How often each variant builds the index.
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// Threads to use.
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().what {
        Benchmark::All(arguments) => whole::run(&arguments),
        Benchmark::Growth(arguments) => whole::run_growth(&arguments),
        Benchmark::Table { document, out } => whole::into_document(&out, &document),
        Benchmark::Measure { seconds, command } => whole::measure(&command, Duration::from_secs(seconds)),
        Benchmark::Baseline { baseline, crawl } => whole::run_baseline(baseline, &crawl),
        Benchmark::Parse { inputs, rounds, python } => parse::run(&inputs, rounds, python.as_deref()),
        Benchmark::Search { inputs, program, rounds, threads } => {
            search::run(&program, &inputs, rounds.max(1), threads)
        }
        Benchmark::Differential { inputs } => differential::run(&inputs),
        Benchmark::Records { inputs } => records::run(&inputs),
        Benchmark::Text { inputs, rounds } => text::run(&inputs, rounds.max(1)),
        Benchmark::Fingerprint { inputs, rounds, pages, out } => {
            fingerprint::run(&inputs, rounds, pages, &out)
        }
        Benchmark::Follow { inputs, rounds, only, state } => {
            follow::run(&inputs, rounds, only.as_deref(), state.as_deref())
        }
    }
}
