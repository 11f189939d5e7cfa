//! The options for operators: address, access and limits.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use unframe::SiteBy;

/// The options of the service.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of the state.
    pub state: PathBuf,
    /// The address to listen on.
    pub listen: SocketAddr,
    /// A file with one API key per line: `NAME KEY`.
    pub keys: Option<PathBuf>,
    /// Whether clients on this machine, such as a proxy, need a key as well.
    pub require_keys: bool,
    /// Trusted proxies, whose forwarding headers are used. Requests that come through them need a key.
    pub proxies: Vec<IpAddr>,
    /// Lifetime of an explorer session.
    pub session_time: Duration,
    /// How pages are grouped into sites.
    pub site_by: SiteBy,
    /// The method that labels pages as they arrive, optionally with parameters. An existing state can only be opened with its own method.
    /// `None` stands for that method, or for the default if there is no state.
    pub method: Option<String>,
    /// Maximum number of requests per second and key. A burst may have twice as many.
    pub rate: u32,
    /// Maximum number of open connections. At the limit, idle connections are closed for new ones. At most half as many request bodies may
    /// arrive at the same time.
    pub connections: usize,
    /// Maximum number of concurrent requests. Further requests are asked to retry.
    pub concurrency: usize,
    /// Number of threads that parse and label pages; 0 for one per core.
    pub threads: usize,
    /// Time limit of a request, including its body and the work for the response.
    pub request_time: Duration,
    /// How long a connection may be idle, and how long a client may stop sending a body or reading a response.
    pub idle_time: Duration,
    /// How long a new connection may stay silent.
    pub first_byte_time: Duration,
    /// Minimum upload speed of a body in bytes per second, on average over `body_window`; 0 for no minimum.
    pub body_rate: u64,
    /// The period over which `body_rate` is averaged.
    pub body_window: Duration,
    /// Time limit for reading an uploaded crawl, in its request or in its job, and for learning a site. Other jobs have no time limit.
    pub job_time: Duration,
    /// How long a stop waits for pending requests.
    pub stop_time: Duration,
    /// Maximum size of a request's head, in bytes.
    pub head_bytes: usize,
    /// Maximum size of a page, in bytes after decompression.
    pub page_bytes: usize,
    /// Maximum size of an uploaded crawl, in bytes as sent.
    pub crawl_bytes: u64,
    /// Maximum size of an uploaded model, in bytes after decompression.
    pub model_bytes: usize,
    /// Memory in bytes for the bodies and responses of all requests together.
    pub memory: usize,
    /// Memory in bytes for the states of followed sites.
    pub table_memory: usize,
    /// Maximum size of the kept pages on disk, in compressed bytes.
    pub keep_bytes: u64,
    /// Maximum number of kept pages per site.
    pub keep_pages: u64,
    /// A site is learned and indexed automatically when its pages have not changed for this long; `None` disables automatic learning.
    pub learn_after: Option<Duration>,
    /// The format of the request log.
    pub log: LogFormat,
}

/// The format of the log on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// JSON lines.
    #[default]
    Json,
    /// Plain text.
    Text,
    /// No log.
    None,
}

impl Options {
    /// The default options, with the state in this folder.
    pub fn new(state: impl Into<PathBuf>) -> Options {
        Options {
            state: state.into(),
            listen: SocketAddr::from(([127, 0, 0, 1], 8765)),
            keys: None,
            require_keys: false,
            proxies: Vec::new(),
            session_time: Duration::from_secs(24 * 3600),
            site_by: SiteBy::default(),
            method: None,
            rate: 200,
            connections: 512,
            concurrency: 64,
            threads: 0,
            request_time: Duration::from_secs(60),
            idle_time: Duration::from_secs(20),
            first_byte_time: Duration::from_secs(5),
            body_rate: 8 << 10,
            body_window: Duration::from_secs(10),
            job_time: Duration::from_secs(3600),
            stop_time: Duration::from_secs(30),
            head_bytes: 32 << 10,
            page_bytes: 16 << 20,
            crawl_bytes: 4 << 30,
            model_bytes: 256 << 20,
            memory: 512 << 20,
            table_memory: 256 << 20,
            keep_bytes: 64 << 30,
            keep_pages: 100_000,
            learn_after: Some(Duration::from_secs(3)),
            log: LogFormat::default(),
        }
    }

    /// Number of threads that parse and label pages.
    pub fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
