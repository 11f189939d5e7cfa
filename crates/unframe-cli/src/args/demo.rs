//! Arguments of `demo`.

use std::path::PathBuf;

/// Generate a small crawl of synthetic sites, clean it, and show one page before and after
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: other sites, in a folder of their own
  unframe demo other-sites --seed 2

The folder gets the crawl (WARC), the text of every page (JSON lines), and one site to explore in a browser (HTML).")]
pub(crate) struct DemoArgs {
    /// Folder for the crawl and the results
    #[arg(value_name = "DIR", default_value = "unframe-demo")]
    pub(crate) folder: PathBuf,
    /// Seed of the sites; the same seed gives the same bytes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of pages per site
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    pub(crate) pages: u64,
    /// Print only the table, without a progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
