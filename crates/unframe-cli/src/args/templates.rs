//! What was typed after `templates`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{MethodArgs, ModelArgs, OutputArgs, ReadingArgs};

/// Show the templates of each site: their text, how often and where they occur, and how to select them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: rules that hide the templates of a site, for crawlers, change monitors and content blockers
  unframe templates crawl.warc.gz --format rules -o templates.txt

A rule is a line `SITE##SELECTOR` (a cosmetic filter); lines that begin with `!` are comments. Every selector was tried on every page of \
the input: none ever selects content. As JSON, `selected` is the share of a template's elements that its selectors select, and `reason` \
says why it is not 1; `first` and `last` are places in bytes of the page. The crawl is read three times, with --model twice.")]
pub(crate) struct TemplatesArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: TemplatesFormat,
    /// At most so many templates of each site, 0 for all; a table has 20 unless told otherwise
    #[arg(long, value_name = "NUMBER")]
    pub(crate) top: Option<usize>,
    /// Also list the template hashes that occur on more than one site
    #[arg(long)]
    pub(crate) shared: bool,
    /// Write ranks.csv (occurrences by rank) and coverage.csv (what the first templates cover) into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) curves: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How templates are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplatesFormat {
    /// For people
    Table,
    /// Everything
    Json,
    /// Cosmetic filters (uBlock Origin, AdGuard), one line for each site and selector
    Rules,
    /// Watches of changedetection.io without the templates, one line for each site
    Changedetection,
    /// Jobs of urlwatch, in YAML
    Urlwatch,
    /// Selectors in CSS and XPath by site, in JSON
    Scrapy,
    /// The elements that a DocSearch crawler leaves out, in JSON
    Docsearch,
}
