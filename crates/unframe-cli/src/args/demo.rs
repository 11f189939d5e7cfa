//! What was typed after `demo`.

use std::path::PathBuf;

/// Make a small crawl of invented sites and clean its pages
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: keep the crawl and the texts, and look at one page before and after
  unframe demo demo-crawl
  unframe parse demo-crawl --url https://www.far-harbour-news.example/
  head -1 demo-crawl/demo-1.jsonl")]
pub(crate) struct DemoArgs {
    /// Folder to keep the crawl in; without it, the crawl is deleted again
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
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
