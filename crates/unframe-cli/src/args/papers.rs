//! What was typed after `eval papers`.

use std::path::PathBuf;

use super::OutputArgs;

/// Run the experiments of the four papers, and show the values that the papers print beside those that are measured here
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: everything, on a folder of gold data
  unframe eval papers data -o papers.html
Example: one figure, on synthetic sites
  unframe eval papers --quick --only gibson-fig2

DIR has folders of gold data (as for `unframe eval`) and WARC files with dated versions of pages in DIR/snapshots. Without DIR, synthetic sites are made. \
With -o, an HTML file is written, and beside it a CSV file of all values; else the values go to standard output.")]
pub(crate) struct EvalPapersArgs {
    /// Folder of data
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Only this experiment, such as gibson-fig2; can be given more than once. A wrong name lists all of them
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// A part of the sites and pages: minutes instead of hours
    #[arg(long)]
    pub(crate) quick: bool,
    /// Categories of sites [default: DIR/categories.csv, if it exists]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) categories: Option<PathBuf>,
    /// Threads to use; 0 is one for each core. Times are measured on one thread
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Do not show which experiment is running
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
