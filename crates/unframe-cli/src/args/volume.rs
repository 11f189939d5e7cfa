//! Arguments of `volume`.

use std::path::PathBuf;

use super::{OutputArgs, ReadingArgs, ReportFormat};

/// Measure the share of each site that is template: of its HTML, text and links
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: by site and by category
  unframe volume crawl.warc.gz --categories sites.csv
Example: 200 of the sites with at least 200 pages, chosen at random
  unframe volume crawl.warc.gz --pages-min 200 --sites 200
Example: which pages owe their rank to menus?
  unframe volume crawl.warc.gz --links links/

sites.csv has a line `site,category` for each site; several categories are separated by `;`. The share of a category is the \
mean over its sites. `difference` is the absolute difference between the shares of text that `text` and `dom` find; \
`text - dom` (`signed_difference` in JSON) keeps the sign. In the total `pooled`, every page has the same weight instead of every site.")]
pub(crate) struct VolumeArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Method to measure with, optionally with parameters (`text:density=40`). Can be repeated [default: text and dom; places
    /// with --links and --savings]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,
    /// Instead of shares, analyse links: write links.csv (each link, in template or content) and pagerank.csv (PageRank with and
    /// without template links) into this folder, and show which pages gain and lose rank
    #[arg(long, value_name = "DIR", conflicts_with = "savings")]
    pub(crate) links: Option<PathBuf>,
    /// Instead of shares, measure storage: compress every page in several ways, and show what is saved by storing each template
    /// once
    #[arg(long)]
    pub(crate) savings: bool,
    /// Categories of sites, as CSV (see below)
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) categories: Option<PathBuf>,
    /// Leave out sites with fewer pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0, conflicts_with_all = ["links", "savings"])]
    pub(crate) pages_min: u64,
    /// Report this many sites, chosen at random by --seed; the whole crawl is read
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["links", "savings"])]
    pub(crate) sites: Option<u64>,
    /// Seed of the random choice of pages that are compared on a large site
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
