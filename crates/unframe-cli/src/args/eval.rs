//! Arguments of `eval`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{EvalBlocksArgs, EvalFingerprintsArgs, OutputArgs, ReportFormat, threads};

/// Score methods on gold data: word precision, recall and F1 of the content that they keep
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Example: all methods, and one of them with other parameters, on a folder of gold data
  unframe eval gold/sites --method all --method text:density=40
Example: the memory and quality of `segments` page by page, and how it adapts to a redesign
  unframe eval gold/sites --following --redesign snapshots/site.warc.gz

A folder has SITE.warc.gz and SITE.gold.jsonl.gz ({\"url\",\"text\"}: words are compared) or SITE.values.jsonl.gz ({\"url\",\"values\"}: \
values that must survive) for each site. `none` removes nothing."
)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) what: Option<EvalCommand>,
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Instead of scores for whole sites, label the pages of each site one by one with `segments`, and show how much state it
    /// keeps and how much it finds
    #[arg(long)]
    pub(crate) following: bool,
    /// Instead of scores for whole sites, score the first, second, tenth … page of each site when pages are labelled one by one,
    /// next to the scores with all pages known
    #[arg(long, conflicts_with = "following")]
    pub(crate) positions: bool,
    /// With --following: crawl with dated versions of pages, to show the effect of a redesign. Can be repeated
    #[arg(long, value_name = "FILE", requires = "following")]
    pub(crate) redesign: Vec<PathBuf>,
    /// Method, optionally with parameters (`text:density=40,window=20`), or `all`. Can be repeated; `none` is always included
    #[arg(long, value_name = "METHOD", default_value = "all")]
    pub(crate) method: Vec<String>,
    /// Number of pages per site to learn from; 0 uses all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) pages: usize,
    /// Number of pages per site to score; 0 scores all
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) scored: usize,
    /// Also score trafilatura and resiliparse on the same pages, if Python has them installed
    #[arg(long)]
    pub(crate) peers: bool,
    /// Python interpreter for --peers
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub(crate) python: String,
    /// Learning curve: divide each site into groups of this many pages, and learn each group separately
    #[arg(long, value_name = "PAGES,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) curve: Vec<u32>,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of threads; 0 uses all cores. The scores do not depend on it
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What else can be scored.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    Fingerprints(EvalFingerprintsArgs),
    #[cfg(feature = "search")]
    Search(super::EvalSearchArgs),
    #[cfg(not(feature = "search"))]
    Search(super::NotBuiltArgs),
    Blocks(EvalBlocksArgs),
    Papers(super::EvalPapersArgs),
}
