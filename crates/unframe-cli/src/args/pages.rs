//! Arguments of `pages`.

use super::{OutputArgs, ReadingArgs};

/// List the pages of a crawl: one JSON object per line, or a summary of each site on a terminal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: which pages of two crawls are not in UTF-8?
  unframe pages monday.warc.gz tuesday/ | jq -r 'select(.charset != \"UTF-8\") | .url'

Each line has url, site, date, bytes, charset, charset_source (bom, http, meta, detected or default), file, offset \
and problems.")]
pub(crate) struct PagesArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Write JSON lines even on a terminal
    #[arg(long, conflicts_with = "table")]
    pub(crate) jsonl: bool,
    /// Write the summary of each site even if the output is not a terminal
    #[arg(long)]
    pub(crate) table: bool,
}
