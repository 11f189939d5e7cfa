//! Arguments of `serve`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use super::{Memory, threads};

use unframe::SiteBy;

/// Serve an HTTP API and an explorer in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: a service on this machine, a page posted to it, and a crawl
  unframe serve --state state/
  curl --data-binary @page.html -H 'Content-Type: text/html' 'localhost:8765/api/v1/pages?url=http://example.org/&as=text'
  curl -T crawl.warc.gz -X POST 'localhost:8765/api/v1/crawls?as=text'
Then open http://localhost:8765/ in a browser; /openapi.json describes all requests.

Each page is labelled as it arrives, as `follow` does, made durable, and kept. When a site is quiet, it is learned and indexed \
automatically. Clients on other machines need a key: --listen 0.0.0.0:8765 --keys FILE, with `NAME KEY` on each line. When interrupted (Ctrl-C, \
SIGTERM), the service finishes the requests that it has begun; no acknowledged page is lost.")]
pub(crate) struct ServeArgs {
    /// Folder of the state; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765")]
    pub(crate) listen: SocketAddr,
    /// File of API keys, one `NAME KEY` per line; required to listen on an address that other machines can reach
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: Option<PathBuf>,
    /// Require a key from clients on this machine as well, such as a proxy
    #[arg(long, requires = "keys")]
    pub(crate) require_keys: bool,
    /// Trust X-Forwarded-For and X-Forwarded-Proto from the proxy with this address; its clients need keys. Can be repeated
    #[arg(long, value_name = "ADDRESS", requires = "keys")]
    pub(crate) proxy: Vec<IpAddr>,
    /// How pages are grouped into sites: by host, domain or prefix, or all in one site
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// Method of a new state: `places` or `segments`, with parameters after the name (`segments:df=5`). An existing state keeps its method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Maximum number of requests per second and key
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub(crate) rate: u32,
    /// Maximum number of open connections; when there are more, idle ones are closed
    #[arg(long, value_name = "NUMBER", default_value_t = 512)]
    pub(crate) connections: u32,
    /// Maximum number of requests processed at a time; others get 503 and are asked to retry
    #[arg(long, value_name = "NUMBER", default_value_t = 64)]
    pub(crate) concurrency: u32,
    /// Number of threads that parse and label; 0 uses all cores
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = threads)]
    pub(crate) threads: usize,
    /// Time limit of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) request_time: u32,
    /// Time limit for a client that sends nothing, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) idle_time: u32,
    /// Minimum speed of an upload in bytes per second, averaged over ten seconds; 0 for none
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    pub(crate) body_rate: u64,
    /// Time limit of an upload and of the job that reads it, and of learning a site, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    pub(crate) job_time: u32,
    /// Maximum size of a page, in megabytes
    #[arg(long, value_name = "MEGABYTES", default_value_t = 16)]
    pub(crate) page_size: usize,
    /// Maximum size of an uploaded crawl, in megabytes
    #[arg(long, value_name = "MEGABYTES", default_value_t = 4096)]
    pub(crate) crawl_size: u64,
    /// Memory for the bodies of all requests together, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "512M")]
    pub(crate) memory: Memory,
    /// Memory for what is learned page by page, such as 500M or 2G
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    pub(crate) table_memory: Memory,
    /// Disk space for kept pages, compressed, in megabytes; pages are refused when it is full
    #[arg(long, value_name = "MEGABYTES", default_value_t = 65_536)]
    pub(crate) keep: u64,
    /// Maximum number of pages kept per site
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub(crate) keep_pages: u64,
    /// Learn and index a site after this many seconds without new pages; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    pub(crate) learn_after: u32,
    /// Format of the request log on standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
    pub(crate) log: ServeLog,
}

/// How requests are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ServeLog {
    Json,
    Text,
    None,
}
