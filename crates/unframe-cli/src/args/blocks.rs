//! Arguments of `eval blocks`.

use std::path::PathBuf;

use super::{OutputArgs, ReportFormat, threads};

/// Score methods by blocks: how many template blocks they find, and how many content blocks they remove by mistake
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the three methods that work on blocks
  unframe eval blocks gold/sites --method blocks --method shingle --method sst

A block outside the gold content of its page is a template block if at least 5 pages of the site have its text. It is found if more than half \
of its words are in regions.")]
pub(crate) struct EvalBlocksArgs {
    /// Folders of gold data
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// Method, or `all`. Can be repeated
    #[arg(long, value_name = "METHOD", default_values = ["blocks", "shingle", "sst"])]
    pub(crate) method: Vec<String>,
    /// Number of threads; 0 uses all cores. The scores do not depend on it
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
