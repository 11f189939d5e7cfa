//! Arguments of `parse`.

use super::{OutputArgs, ReadingArgs};

/// Show the DOM tree of a page: every node with its byte range
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the tree of one page of a crawl, as JSON
  unframe parse crawl.warc.gz --url https://example.org/ --json | jq '.nodes[] | select(.name == \"h1\")'

As text, one node per line: name and attributes or the text itself, the byte ranges of the whole node, of its start tag and of \
its end tag. `moved` marks nodes that the HTML parsing rules move away from where their bytes are. As JSON, one object per \
page; `parent` is the index of the parent in `nodes`.")]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Only the page with this URL
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Write JSON, one object per page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
