//! Arguments of `eval papers`.

use std::path::PathBuf;

use super::{OutputArgs, threads};

/// Reproduce the experiments of four papers, and compare the measured values with the published ones
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: everything, on a folder of gold data
  unframe eval papers data -o papers.html
Example: one figure, on synthetic sites
  unframe eval papers --quick --only gibson-fig2

DIR has folders of gold data (as for `unframe eval`) and WARC files with dated versions of pages in DIR/snapshots. Without DIR, synthetic sites are generated. \
With -o, an HTML report and a CSV file of all values are written, again after each experiment; otherwise the values go to standard output.")]
pub(crate) struct EvalPapersArgs {
    /// Folder of data; without it, synthetic sites are used
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Run only this experiment, such as gibson-fig2. Can be repeated; an unknown name prints the list of experiments
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// Use a part of the sites and pages: minutes instead of hours
    #[arg(long)]
    pub(crate) quick: bool,
    /// Categories of sites [default: DIR/categories.csv, if it exists]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) categories: Option<PathBuf>,
    /// Number of threads; 0 uses all cores. Times are always measured on one thread
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Do not show which experiment is running
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
