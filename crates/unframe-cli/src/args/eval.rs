//! What was typed after `eval`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{EvalBlocksArgs, EvalFingerprintsArgs, OutputArgs, ReportFormat};

/// Score methods on gold data: which words of the content survive, and which words of the templates go
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Example: both methods, and one with other parameters, on a folder of gold data
  unframe eval gold/sites --method all --method text:density=40
Example: what `segments` holds page by page against what other methods must hold, and how it follows a redesign
  unframe eval gold/sites --following --redesign snapshots/site.warc.gz

A folder has SITE.warc.gz and SITE.gold.jsonl.gz ({\"url\",\"text\"}: words are compared) or SITE.values.jsonl.gz ({\"url\",\"values\"}: \
values that must survive) for each site. `none` removes nothing."
)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) what: Option<EvalWhat>,
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Instead of scores: the pages of each site as a stream, labelled one by one by `segments`; how much it holds and finds
    #[arg(long)]
    pub(crate) following: bool,
    /// Instead of scores: how good the first, second, tenth … page of each site is when pages are judged one by one, beside all pages at once
    #[arg(long, conflicts_with = "following")]
    pub(crate) positions: bool,
    /// With --following: crawls with dated versions of pages, to see what a redesign does
    #[arg(long, value_name = "FILE", requires = "following")]
    pub(crate) redesign: Vec<PathBuf>,
    /// A method, one with parameters (`text:density=40,window=20`), `none`, or `all`; can be given more than once
    #[arg(long, value_name = "METHOD", default_value = "all")]
    pub(crate) method: Vec<String>,
    /// Pages of each site that are learned from; 0 is all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) pages: usize,
    /// Pages of each site that are scored; 0 is all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) scored: usize,
    /// Also score trafilatura and resiliparse on the same pages, where Python has them
    #[arg(long)]
    pub(crate) peers: bool,
    /// The Python that has the peers
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: String,
    /// Scores against the number of pages: each site is cut into groups of so many pages, each learned by itself
    #[arg(long, value_name = "PAGES,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) curve: Vec<u32>,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads to use; 0 is one for each core. The scores are the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What else can be scored.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalWhat {
    Fingerprints(EvalFingerprintsArgs),
    #[cfg(feature = "search")]
    Search(super::EvalSearchArgs),
    #[cfg(not(feature = "search"))]
    Search(super::LeftOutArgs),
    Blocks(EvalBlocksArgs),
    Papers(super::EvalPapersArgs),
}
