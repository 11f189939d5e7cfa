//! What was typed after `volume`.

use std::path::PathBuf;

use super::{OutputArgs, ReadingArgs, ReportFormat};

/// Measure how much of each site is template: of HTML, of text, of links
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: by site and by category
  unframe volume crawl.warc.gz --categories sites.csv
Example: which pages owe their rank to menus?
  unframe volume crawl.warc.gz --links links/

sites.csv has a line `site,category` for each site; several categories are separated by `;`. The share of a category is the \
mean over its sites. `difference` is how far `text` and `dom` are apart on the text of a site.")]
pub(crate) struct VolumeArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Methods to measure with, with parameters if wanted (`text:density=40`); can be given more than once
    /// [default: text and dom; places with --links and --savings]
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,
    /// Instead: write links.csv (each link, in a template or in content) and pagerank.csv (pages ranked with and without template links) into
    /// this folder, and show which pages gain and lose
    #[arg(long, value_name = "DIR", conflicts_with = "savings")]
    pub(crate) links: Option<PathBuf>,
    /// Instead: store every page in several ways, and show what is saved by keeping each template once
    #[arg(long)]
    pub(crate) savings: bool,
    /// Categories of sites
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) categories: Option<PathBuf>,
    /// Which pages of a large site are compared: another seed, other pages
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
