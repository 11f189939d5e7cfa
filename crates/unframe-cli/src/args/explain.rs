//! Arguments of `explain`.

use clap::ValueEnum;

use super::{MethodArgs, ModelArgs, ReadingArgs};

/// Show the text of one page with its template regions, and why each of them is template
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: why is this paragraph gone?
  unframe explain crawl.warc.gz --url https://example.org/tea

The text of the page is printed line by line. Template is marked with `|` and dimmed in colour, and after it comes its id, the number \
of compared pages that have it, and other pages that have it too.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    /// URL of the page, or the path of its file; not needed if the input has only one page
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// When to use colour
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) color: Color,
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// If the output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
