//! Arguments of `evolve`.

use std::path::PathBuf;

use unframe_study::evolve::Bucket;

use super::ReadingArgs;

/// Show how templates change over time: their share, their lifetime, and how much of the pages changes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: ten years of two sites, as tables, plots and one report
  unframe evolve crawls/*.warc.gz -o evolution/
Example: pages whose content changed, whatever happened to their menus
  unframe evolve monday.warc.gz friday.warc.gz --changes |
    jq -r 'select(.changed != \"template\") | [.to, .url, .content] | @tsv'
Example: which pages should be fetched most often, by changes of their content a day
  unframe evolve crawls/*.warc.gz --changes --rates |
    jq -r '[.content.per_day, .url] | @tsv' | sort -gr

Pages need dates: those of WARC records, or a folder for each date, such as 2004-06/. Each period of time is a snapshot of the \
site, and its templates are learned from the last version of each page in it. With --changes, a version is labelled with the templates \
of its own crawl: snapshots are as short as they must be for that, and if no page has a date, each input is a crawl, the oldest \
first (monday/ tuesday/). Versions of a page are matched by URL; http and https, with and without \
www., count as the same. The crawl is read in three passes. The folder gets a CSV file for every figure, SVG plots and report.html.")]
pub(crate) struct EvolveArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Method, optionally with parameters (`dom:low=0.2`)
    #[arg(long, value_name = "METHOD", default_value = "dom")]
    pub(crate) method: String,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Length of a snapshot: year, quarter, month or day; `input` if each input is a crawl; or the dates at which snapshots
    /// begin, such as 2001,2004-06 [default: year; with --changes, the longest in which no page has two versions]
    #[arg(long, value_name = "BUCKET")]
    pub(crate) bucket: Option<Bucket>,
    /// Skip snapshots with fewer pages than this
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) pages_min: usize,
    /// Compare the template share before this date with the share after it [default: the middle of the time span]
    #[arg(long, value_name = "DATE")]
    pub(crate) split: Option<String>,
    /// Instead of a report, write each change of a page as a line of JSON, with what changed and by how much
    #[arg(long)]
    pub(crate) changes: bool,
    /// With --changes: instead of each change, write how often each page changes, in its content and in its templates, for
    /// programs that decide when to fetch it again. Pages with one version are left out
    #[arg(long, requires = "changes")]
    pub(crate) rates: bool,
    /// Folder of the report; with --changes, the file to write to instead of standard output
    #[arg(short, long, value_name = "DIR", required_unless_present = "changes")]
    pub(crate) output: Option<PathBuf>,
}
