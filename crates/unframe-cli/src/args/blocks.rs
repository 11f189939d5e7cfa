//! What was typed after `eval blocks`.

use std::path::PathBuf;

use super::{OutputArgs, ReportFormat};

/// Score how many template blocks methods find, and how many blocks of content they take for template
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the three methods that work on blocks
  unframe eval blocks gold/sites --method blocks --method shingle --method sst

A block outside of the known content of its page is a template block if its text stands on at least 5 pages of the site. It is found if more than half \
of its words are in regions.")]
pub(crate) struct EvalBlocksArgs {
    /// Folders of gold texts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// A method, or `all`; can be given more than once
    #[arg(long, value_name = "METHOD", default_values = ["blocks", "shingle", "sst"])]
    pub(crate) method: Vec<String>,
    /// Threads to use; 0 is one for each core. The scores are the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// What to write
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
