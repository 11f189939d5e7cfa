//! What was typed after `evolve`.

use std::path::PathBuf;

use unframe_study::evolve::Bucket;

use super::ReadingArgs;

/// Show how templates change over time: their share, how long they last, how much of pages changes
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: ten years of two sites, as tables, plots and one report
  unframe evolve crawls/*.warc.gz -o evolution/
Example: pages whose content changed, whatever happened to their menus
  unframe evolve monday.warc.gz friday.warc.gz --bucket month --changes |
    jq -r 'select(.changed != \"template\") | [.to, .url, .content] | @tsv'

Pages need dates: those of WARC records, or a folder for each date, such as 2004-06/. Each bucket of time is a snapshot of the \
site, in which templates are learned anew from the last version of each page. Versions of a page are compared by address, with http and \
https, with and without www. The crawl is read three times. The folder gets a CSV file for every figure, SVG plots and report.html.")]
pub(crate) struct EvolveArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// The method, with parameters if wanted (`dom:low=0.2`)
    #[arg(long, value_name = "METHOD", default_value = "dom")]
    pub(crate) method: String,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What makes a snapshot: year, quarter, month, or dates at which new ones begin, such as 2001,2004-06
    #[arg(long, value_name = "BUCKET", default_value_t = Bucket::Year)]
    pub(crate) bucket: Bucket,
    /// Leave out snapshots with fewer pages
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    pub(crate) pages_min: usize,
    /// Where the later of the two periods begins whose shares are compared [default: the middle]
    #[arg(long, value_name = "DATE")]
    pub(crate) split: Option<String>,
    /// Instead of a report: each change of a page as a line of JSON, with what changed and how much
    #[arg(long)]
    pub(crate) changes: bool,
    /// The folder of the report; with --changes the file to write instead of standard output
    #[arg(short, long, value_name = "DIR", required_unless_present = "changes")]
    pub(crate) output: Option<PathBuf>,
}
