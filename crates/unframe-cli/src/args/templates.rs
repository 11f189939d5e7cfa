//! Arguments of `templates`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{MethodArgs, ModelArgs, OutputArgs, ReadingArgs};

/// List the templates of each site: text, frequency, position, and CSS and XPath selectors
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: rules that hide the templates of a site, for crawlers, change monitors and content blockers
  unframe templates crawl.warc.gz --format rules -o templates.txt

A rule is a line `SITE##SELECTOR` (a cosmetic filter); lines that begin with `!` are comments. Every selector was tried on every page of \
the input: none ever selects content. As JSON, `selected` is the share of a template's elements that its selectors select, and `reason` \
says why it is not 1; `first` and `last` are byte positions in the page. The crawl is read in three passes, with --model in two.")]
pub(crate) struct TemplatesArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: TemplatesFormat,
    /// Maximum number of templates per site; 0 lists all [default: 20 in a table, otherwise all]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) top: Option<usize>,
    /// Also list templates that occur on more than one site, by their hashes
    #[arg(long)]
    pub(crate) shared: bool,
    /// Write ranks.csv (occurrences by rank) and coverage.csv (share covered by the most frequent templates) into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) curves: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How templates are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplatesFormat {
    /// A table for people
    Table,
    /// JSON with all details
    Json,
    /// Cosmetic filters (uBlock Origin, AdGuard), one line per site and selector
    Rules,
    /// Watches for changedetection.io that ignore the templates, one line per site
    Changedetection,
    /// Jobs for urlwatch that ignore the templates, in YAML
    Urlwatch,
    /// CSS and XPath selectors by site, in JSON
    Scrapy,
    /// Elements for a DocSearch crawler to exclude, in JSON
    Docsearch,
}
