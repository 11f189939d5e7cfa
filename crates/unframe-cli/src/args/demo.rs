//! What was typed after `demo`.

use std::path::PathBuf;

/// Make a small crawl of synthetic sites, clean its pages, and show one of them before and after
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: other sites, in a folder of their own
  unframe demo other-sites --seed 2

The folder gets the crawl (WARC), the text of every page (JSON lines), and one site to explore in a browser (HTML).")]
pub(crate) struct DemoArgs {
    /// Folder for the crawl and what was made of it
    #[arg(value_name = "DIR", default_value = "unframe-demo")]
    pub(crate) folder: PathBuf,
    /// Other seeds make other sites; the same seed makes the same bytes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Pages of each site
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    pub(crate) pages: u64,
    /// No progress bar, and only the table
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
