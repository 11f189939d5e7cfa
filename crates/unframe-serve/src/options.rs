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
    /// Where to listen.
    pub listen: SocketAddr,
    /// A file with a key on each line: `NAME KEY`.
    pub keys: Option<PathBuf>,
    /// Whether clients on this machine need a key as well, such as a proxy.
    pub require_keys: bool,
    /// Trusted proxies, whose forwarding headers are used. Requests through them need a key.
    pub proxies: Vec<IpAddr>,
    /// How long the session of an explorer lasts.
    pub session_time: Duration,
    /// How pages are grouped into sites.
    pub site_by: SiteBy,
    /// The method that labels pages as they arrive, optionally with parameters; an existing state keeps its method.
    pub method: Option<String>,
    /// Requests a second that a key may make; twice as many in one moment.
    pub rate: u32,
    /// Maximum number of open connections. When there are more, idle ones are closed. Half as many bodies may arrive at
    /// a time.
    pub connections: usize,
    /// Maximum number of concurrent requests. Others are asked to retry.
    pub concurrency: usize,
    /// Threads that parse and label; 0 for one a core.
    pub threads: usize,
    /// How long a client may take for a request, and the service for its answer.
    pub request_time: Duration,
    /// How long a client may send or take nothing.
    pub idle_time: Duration,
    /// How long a new connection may send nothing at all.
    pub first_byte_time: Duration,
    /// Bytes a second that a client has to send of a body, on average over `body_window`; 0 for any.
    pub body_rate: u64,
    /// How long a client may be slower than `body_rate`.
    pub body_window: Duration,
    /// How long an upload may take to be read, by its request or by its job. Other jobs take as long as their sites need.
    pub job_time: Duration,
    /// How long a stop waits for requests that have begun.
    pub stop_time: Duration,
    /// Bytes of the head of a request.
    pub head_bytes: usize,
    /// Bytes of a page, unpacked.
    pub page_bytes: usize,
    /// Bytes of an uploaded crawl, as it is sent.
    pub crawl_bytes: u64,
    /// Bytes of an uploaded model, unpacked.
    pub model_bytes: usize,
    /// Memory for bodies and answers of all requests together.
    pub memory: usize,
    /// Memory for the states of sites that are followed.
    pub table_memory: usize,
    /// Bytes of kept pages on disk, packed.
    pub keep_bytes: u64,
    /// Kept pages of one site.
    pub keep_pages: u64,
    /// How long a site must be quiet before it is learned and indexed by itself; `None` for never.
    pub learn_after: Option<Duration>,
    /// The format of the request log.
    pub log: LogFormat,
}

/// How requests are logged, on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// An object a line.
    #[default]
    Json,
    /// Plain text.
    Text,
    /// Nothing.
    None,
}

impl Options {
    /// The defaults, for a state in this folder.
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

    /// How many threads parse and label.
    pub fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
