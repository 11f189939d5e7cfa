//! What was typed after `serve`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use unframe::SiteBy;

/// Serve an HTTP API and an explorer in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: a service on this machine, a page posted to it, and a crawl
  unframe serve --state state/
  curl --data-binary @page.html -H 'Content-Type: text/html' 'localhost:8765/api/v1/pages?url=http://example.org/&as=text'
  curl -T crawl.warc.gz -X POST 'localhost:8765/api/v1/crawls?as=text'
Then open http://localhost:8765/ in a browser; /openapi.json lists all that can be asked.

Pages are judged one by one, as `follow` does, made durable, and kept; sites are learned and indexed by themselves when they are \
quiet. Others than this machine need a key: --listen 0.0.0.0:8765 --keys FILE, with `NAME KEY` on each line. Interrupting the program (Ctrl-C, \
SIGTERM) finishes what has begun and loses no page that was answered.")]
pub(crate) struct ServeArgs {
    /// The folder of the state; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765")]
    pub(crate) listen: SocketAddr,
    /// A file of keys, `NAME KEY` on each line; needed to listen to other machines
    #[arg(long, value_name = "FILE")]
    pub(crate) keys: Option<PathBuf>,
    /// Ask those on this machine for a key as well: for a service behind a proxy
    #[arg(long, requires = "keys")]
    pub(crate) require_keys: bool,
    /// A proxy before the service: what it tells of its clients in X-Forwarded-For and X-Forwarded-Proto is believed, and they
    /// need keys; can be given several times
    #[arg(long, value_name = "ADDRESS", requires = "keys")]
    pub(crate) proxy: Vec<IpAddr>,
    /// What makes two pages belong to the same site: host, domain, prefix or all
    #[arg(long, value_name = "WAY", default_value_t = SiteBy::Host)]
    pub(crate) site_by: SiteBy,
    /// The method of a new state, with parameters if wanted: places, or segments (`segments:df=5`); a state keeps its method
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Requests a second for each key
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub(crate) rate: u32,
    /// Open connections; when there are more, those that ask nothing are closed
    #[arg(long, value_name = "NUMBER", default_value_t = 512)]
    pub(crate) connections: usize,
    /// Requests that are worked on at a time; more are told to come back
    #[arg(long, value_name = "NUMBER", default_value_t = 64)]
    pub(crate) concurrency: usize,
    /// Threads that parse and label; 0 for one a core
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Seconds for a request
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) request_time: u64,
    /// Seconds that a client may be silent
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) idle_time: u64,
    /// Bytes a second that a client has to send of a body, on average over ten seconds; 0 for any
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    pub(crate) body_rate: u64,
    /// Seconds for an upload and the job that reads it
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    pub(crate) job_time: u64,
    /// Megabytes of a page
    #[arg(long, value_name = "MEGABYTES", default_value_t = 16)]
    pub(crate) page_size: usize,
    /// Megabytes of an uploaded crawl
    #[arg(long, value_name = "MEGABYTES", default_value_t = 4096)]
    pub(crate) crawl_size: u64,
    /// Megabytes of memory for the bodies of all requests together
    #[arg(long, value_name = "MEGABYTES", default_value_t = 512)]
    pub(crate) memory: usize,
    /// Megabytes of memory for what is learned page by page
    #[arg(long, value_name = "MEGABYTES", default_value_t = 256)]
    pub(crate) table_memory: usize,
    /// Megabytes of kept pages, compressed; when they are full, pages are refused
    #[arg(long, value_name = "MEGABYTES", default_value_t = 65_536)]
    pub(crate) keep: u64,
    /// Kept pages of one site
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    pub(crate) keep_pages: u64,
    /// Seconds without new pages after which a site is learned and indexed by itself; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    pub(crate) learn_after: u64,
    /// How to log requests on standard error: json, text or none
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
