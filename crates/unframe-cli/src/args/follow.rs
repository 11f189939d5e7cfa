//! Arguments of `follow`.

use std::path::PathBuf;

use super::Memory;
use unframe::SiteBy;

/// Label or clean each page as it is crawled, with what is known of its site so far
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: clean pages while a crawler writes them, and list the pages to index again
  unframe follow --state crawl.state --tail --clean crawl-0001.warc.gz --reindex-log again.jsonl -o texts.jsonl
Example: a crawler that sends its pages as JSON lines
  my-crawler | unframe follow --state crawl.state - | my-indexer

The line of a page is written once the page is durable: after a crash it is not lost, and it is not counted twice when it is read \
again. Pages that arrive together are made durable together. Several processes can share the same input, each \
with its own part of the sites: --part 1/4, --part 2/4 and so on.")]
pub(crate) struct FollowArgs {
    /// Folder for what is learned; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Files and folders: WARC, WET, ARC, WACZ, HTML, MHTML, JSONL and Parquet, in any mix; `http://`, `https://` and `s3://` addresses;
    /// `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present_any = ["status", "check", "repair", "list", "export"])]
    pub(crate) inputs: Vec<PathBuf>,
    /// Read file names from standard input, one per line, and each file as soon as its name arrives
    #[arg(long, conflicts_with_all = ["inputs", "tail"])]
    pub(crate) list: bool,
    /// The inputs are still being written: at the end of each, wait for more
    #[arg(long)]
    pub(crate) tail: bool,
    /// With --tail: stop after this many seconds without new data; 0 waits forever
    #[arg(long, value_name = "SECONDS", default_value_t = 0, requires = "tail")]
    pub(crate) idle: u64,
    /// Write the content of each page, as `unframe clean` does, instead of its template regions
    #[arg(long)]
    pub(crate) clean: bool,
    /// Append to this file instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing for pages that have not changed since they were last read, such as those of a file that is read again
    #[arg(long)]
    pub(crate) skip_known: bool,
    /// Append to this file, as JSON lines, the pages to index again: their texts have become template, or no longer are
    #[arg(long, value_name = "FILE")]
    pub(crate) reindex_log: Option<PathBuf>,
    /// Memory for the pages that --reindex-log can name, such as 500M; the oldest are dropped when it is full
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    pub(crate) reindex_memory: Memory,
    /// Memory to use, such as 500M or 2G; the least recently seen sites are kept on disk only
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    pub(crate) memory: Memory,
    /// Process only this part of the sites, such as 2/4: the second of four
    #[arg(long, value_name = "PART")]
    pub(crate) part: Option<String>,
    /// Print what the state contains, even while another process writes to it: method, sites, entries, bytes, oldest and newest page
    #[arg(long, conflicts_with_all = ["inputs", "list"])]
    pub(crate) status: bool,
    /// Check the state for damage, and change nothing
    #[arg(long, conflicts_with_all = ["inputs", "list", "status"])]
    pub(crate) check: bool,
    /// Remove the damaged entries of the state, and keep the rest
    #[arg(long, conflicts_with_all = ["inputs", "list", "status", "check"])]
    pub(crate) repair: bool,
    /// How pages are grouped into sites: by host, domain or prefix, or all in one site
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Read pages with any HTTP status, not only 200
    #[arg(long)]
    pub(crate) any_status: bool,
    /// Method of a new state: `places` or `segments`, with parameters after the name (`segments:df=5,base=10`). An existing state keeps its method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Start new sites from this model, saved by `unframe learn`, instead of from nothing
    #[arg(long, value_name = "MODEL")]
    pub(crate) begin_with: Option<PathBuf>,
    /// Save the state as a model for `unframe label` and `unframe clean`, and stop
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["inputs", "list", "status", "begin_with"])]
    pub(crate) export: Option<PathBuf>,
    /// Write all problems to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No summary and no list of problems; the exit code still reports them
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
