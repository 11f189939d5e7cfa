//! What was typed after `parse`.

use super::{OutputArgs, ReadingArgs};

/// Show the tree of a page: every node with the bytes that it came from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: the tree of one page of a crawl, as JSON
  unframe parse crawl.warc.gz --url https://example.org/ --json | jq '.nodes[] | select(.name == \"h1\")'

As text, one node a line: name and attributes or the text itself, the bytes of the whole node, of its start tag and of \
its end tag. `moved` marks nodes that the HTML rules put elsewhere than where their bytes lie. As JSON, one object a page; \
`parent` is the place of the parent in `nodes`.")]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// Only the page with this address
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Write JSON, one object a page
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
