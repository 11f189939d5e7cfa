//! The arguments that all verbs which read a crawl share.

use std::path::PathBuf;

use clap::ValueEnum;
use unframe::SiteBy;
use unframe_crawl::ReadOptions;
use unframe_crawl::cdx::Filter;

use super::{Memory, threads};

/// How a crawl is read; the same for all verbs that read one.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Files and folders: WARC, WET, ARC, WACZ, HTML, MHTML, JSONL and Parquet, in any mix; `http://`, `https://` and `s3://` addresses;
    /// `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present = "inputs_from")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Read the names of more inputs from this file, one per line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs_from: Option<PathBuf>,
    /// Read only the records listed in this index: a CDX or CDXJ file, the `cluster.idx` of an index in parts (zipnum), or a WAT file.
    /// The files that it names must be among the inputs, or in a folder that is one. It may be gzipped, and may be an address. Can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) cdx: Vec<PathBuf>,
    /// Filter the records of the index: url=PREFIX, host=HOST (with subdomains), from=DATE, to=DATE, status=CODE, mime=TYPE,
    /// language=CODE. Can be repeated; filters with the same key are alternatives
    #[arg(long, value_name = "KEY=VALUE", requires = "cdx")]
    pub(crate) cdx_filter: Vec<Filter>,
    /// How pages are grouped into sites: by `host` (without www.), by registered `domain`, by `prefix` (host and first folder of
    /// the path), or `all` in one site
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Read only pages with this HTTP status
    #[arg(long, value_enum, value_name = "STATUS", default_value = "200")]
    pub(crate) status: Status,
    /// Keep exact duplicates: pages with the same URL and the same bytes as an earlier page
    #[arg(long)]
    pub(crate) duplicates: bool,
    /// Number of threads; 0 uses all cores. The output does not depend on it
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    /// Memory for pages read ahead and for what is learned, such as 500M or 2G. What does not fit spills to disk, in TMPDIR. The
    /// output does not depend on it [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
    /// Write all problems to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// No progress bar and no list of problems; the exit code still reports them
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ReadingArgs {
    /// The options of the reader.
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

    /// The memory that may be used.
    pub(crate) fn memory(&self) -> Memory {
        self.memory.unwrap_or_default()
    }
}

/// Which HTTP status a page must have.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Status {
    /// Successful responses only
    #[value(name = "200")]
    Ok,
    /// All HTML responses, errors included
    Any,
}
