//! What was typed after `follow`.

use std::path::PathBuf;

use unframe::SiteBy;

/// Label or clean every page the moment it is crawled, with what was learned of its site so far
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: clean pages while a crawler writes them, and list the pages to index again
  unframe follow --state crawl.state --tail --clean crawl-0001.warc.gz --reindex-log again.jsonl -o texts.jsonl
Example: a crawler that hands over its pages, one JSON object a line
  my-crawler | unframe follow --state crawl.state - | my-indexer

The line of a page is written when the page is safe on disk: whatever happens then, it is not lost, and it is not counted twice \
when it comes again. Pages that come close to each other become safe together. Several processes can work on the same input, each \
on its part of the sites: --part 1/4, --part 2/4 and so on.")]
pub(crate) struct FollowArgs {
    /// Folder of what was learned; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Files and folders in any mix: WARC, ARC, WACZ, HTML, JSONL, Parquet; `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present_any = ["status", "check", "repair", "list", "export"])]
    pub(crate) inputs: Vec<PathBuf>,
    /// Standard input is a list of files, one a line, each read when its line arrives
    #[arg(long, conflicts_with_all = ["inputs", "tail"])]
    pub(crate) list: bool,
    /// The inputs are files that still grow: wait for more at their ends
    #[arg(long)]
    pub(crate) tail: bool,
    /// With --tail: stop when nothing has come for so many seconds; 0 waits forever
    #[arg(long, value_name = "SECONDS", default_value_t = 0, requires = "tail")]
    pub(crate) idle: u64,
    /// Write the content of each page, as `unframe clean` does, instead of its template regions
    #[arg(long)]
    pub(crate) clean: bool,
    /// Append to this file instead of writing to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing for pages that are known as they are, such as those of a file that is read again
    #[arg(long)]
    pub(crate) skip_known: bool,
    /// Append here, one JSON object a line, the pages whose texts became template or are template no more
    #[arg(long, value_name = "FILE")]
    pub(crate) reindex_log: Option<PathBuf>,
    /// Memory for the pages that --reindex-log can name, in megabytes: when it is full, the oldest are dropped
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub(crate) reindex_memory: usize,
    /// Memory for what was learned, in megabytes; the sites that were not seen for the longest time are on disk only
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub(crate) memory: usize,
    /// Take only a part of the sites, such as 2/4: the second of four
    #[arg(long, value_name = "PART")]
    pub(crate) part: Option<String>,
    /// Print what the state holds, also while another process writes: method, sites, entries, bytes, oldest and newest page
    #[arg(long, conflicts_with_all = ["inputs", "list"])]
    pub(crate) status: bool,
    /// Look for damage in the state; nothing is changed
    #[arg(long, conflicts_with_all = ["inputs", "list", "status"])]
    pub(crate) check: bool,
    /// Drop what is damaged in the state, and keep the rest
    #[arg(long, conflicts_with_all = ["inputs", "list", "status", "check"])]
    pub(crate) repair: bool,
    /// What makes two pages belong to the same site: host, domain, prefix or all
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Take pages of any HTTP status, not only of 200
    #[arg(long)]
    pub(crate) any_status: bool,
    /// The method of a new state, with parameters if wanted: places, or segments (`segments:df=5,base=10`); a state keeps its method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// A model from `unframe learn` to begin with: sites that the state does not know are as far as it is
    #[arg(long, value_name = "MODEL")]
    pub(crate) begin_with: Option<PathBuf>,
    /// Write what the state holds as a model, for `unframe label` and `unframe clean`, and stop
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["inputs", "list", "status", "begin_with"])]
    pub(crate) export: Option<PathBuf>,
    /// Write all problems here, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No summary and no list of problems; the exit code still tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
