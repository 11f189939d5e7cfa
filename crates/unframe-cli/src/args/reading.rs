//! How a crawl is read: the same for all verbs that read one.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe::SiteBy;
use unframe_crawl::ReadOptions;
use unframe_crawl::cdx::Filter;

use super::Memory;

/// How a crawl is read; the same for all verbs that read one.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Files and folders in any mix: WARC, ARC, WACZ, HTML, JSONL, Parquet; `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present = "inputs_from")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Read a list of more inputs from here, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs_from: Option<PathBuf>,
    /// Read only the records that this index lists, CDX or CDXJ, compressed or not; the files that it names are looked for among
    /// the inputs. Can be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) cdx: Vec<PathBuf>,
    /// Which records of the index: url=PREFIX, host=HOST (and its subdomains), from=DATE, to=DATE, status=, mime=, language=. Of
    /// several with the same key, one is enough
    #[arg(long, value_name = "KEY=VALUE", requires = "cdx")]
    pub(crate) cdx_filter: Vec<Filter>,
    /// What makes two pages belong to the same site: host, domain, prefix or all
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Which HTTP status a page must have
    #[arg(long, value_enum, value_name = "STATUS", default_value = "200")]
    pub(crate) status: Status,
    /// Keep pages that repeat the address and the bytes of an earlier one
    #[arg(long)]
    pub(crate) duplicates: bool,
    /// Threads to use; 0 is one for each core. The output is the same for any number
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// How much memory pages that are read ahead and what is learned of sites may take, such as 500M or 2G. What is learned beyond it waits
    /// on disk, in TMPDIR. The output is the same for any size [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
    /// Write all problems here, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No progress bar and no list of problems; the exit code still tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ReadingArgs {
    /// What the arguments mean to the reader of crawls.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            site_by: self.site_by,
            any_status: matches!(self.status, Status::Any),
            unique: !self.duplicates,
            threads: self.threads,
            read_ahead: self.memory().read_ahead(),
            progress: None,
        }
    }

    /// How much memory is allowed.
    pub(crate) fn memory(&self) -> Memory {
        self.memory.unwrap_or_default()
    }
}

/// Which HTTP status a page must have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Status {
    /// Only successful answers
    #[value(name = "200")]
    Ok,
    /// All answers that are HTML
    Any,
}
