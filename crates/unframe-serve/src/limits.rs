//! Limits that operators cannot configure.

use std::time::Duration;

/// Maximum length of a page's address, in characters, the unit of the OpenAPI document.
pub const URL_CHARS_MAX: usize = 4 << 10;
/// Maximum length of the name of a model or classifier, in characters.
pub const NAME_CHARS_MAX: usize = 255;
/// Maximum number of kept models, in addition to one for each site.
pub const MODELS_MAX: u64 = 1000;
/// Maximum memory of an imported model once decoded, as a multiple of the maximum size of its file. Models of real sites take 1 to 3.
pub const MODEL_MEMORY_TIMES: usize = 4;
/// Maximum number of kept classifiers.
pub const CLASSIFIERS_MAX: u64 = 1000;
/// Maximum number of rows in one response.
pub const ROWS_MAX: usize = 1000;
/// Maximum number of pages of a picture in one response.
pub const PICTURE_PAGES_MAX: usize = 2000;
/// Maximum number of pages that are made durable with one commit.
pub const GROUP_PAGES: usize = 256;
/// How long the first page of a commit may wait for others.
pub const GROUP_TIME: Duration = Duration::from_millis(10);
/// Capacity of the writer's queue. When it is full, requests are asked to retry, and uploads wait.
pub const WRITER_QUEUE: usize = 256;
/// Maximum number of queued requests per parsing thread.
pub const POOL_QUEUE: usize = 32;
/// Maximum bytes of an upload's pages that are not durable yet.
pub const CRAWL_WINDOW_BYTES: usize = 16 << 20;
/// Maximum number of an upload's pages that are not durable yet.
pub const CRAWL_WINDOW_PAGES: usize = 64;
/// Maximum number of uploads with `mode=stream` that are read at the same time.
pub const CRAWLS_MAX: usize = 4;
/// Maximum number of upload requests that are arriving, waiting or being read. One client may have half of them.
pub const UPLOADS_MAX: usize = 16;
/// Memory that is reserved for reading an upload.
pub const CRAWL_MEMORY: usize = 32 << 20;
/// Maximum number of queued jobs. Requests for more are asked to retry.
pub const JOBS_QUEUED_MAX: usize = 100;
/// Maximum number of jobs in the list. Beyond it, the oldest ended jobs are deleted.
pub const JOBS_KEPT: usize = 500;
/// A job is no longer restarted automatically after the service has died this often while it ran.
pub const JOB_DEATHS_MAX: u32 = 2;
/// Memory of the cache of models. The caches of studies and of classifiers have the same limit.
pub const CACHE_BYTES: usize = 256 << 20;
/// Maximum number of pages on which the selectors of a site are tested.
pub const SELECTOR_PAGES: usize = 400;
/// Shorter responses are not compressed.
pub const PACK_BYTES_MIN: usize = 1 << 10;
/// Maximum number of explorer sessions. Beyond it, the oldest session ends.
pub const SESSIONS_MAX: usize = 1000;
/// Number of recent pages whose template shares are shown for a site in a list.
pub const RECENT_SHARES: usize = 60;
/// Maximum number of examples of a classifier. All of them are read and written when one is added.
pub const EXAMPLES_MAX: u64 = 10_000;
/// Capacity of the log queue. Lines beyond it are dropped and counted.
pub const LOG_QUEUE: usize = 4096;
/// Delay before a request is refused because of too much load.
pub const REFUSAL_PAUSE: Duration = Duration::from_millis(100);
/// Additional connections for operators. Only `/healthz`, `/readyz` and `/metrics` are answered on them.
pub const SPARE_CONNECTIONS: usize = 16;
/// How long a new connection waits until an idle one is closed for it.
pub const EVICTION_TIME: Duration = Duration::from_millis(100);
/// How long a request keeps its slot while it waits for its body. Most bodies arrive sooner and keep the slot, so that requests without a
/// slot can be refused immediately.
pub const SLOT_PATIENCE: Duration = Duration::from_millis(50);
/// From this number of wrong keys on, an address has to wait: one second at first, and twice as long after each further wrong key.
pub const WRONG_KEYS_FREE: u32 = 5;
/// Maximum of this waiting time.
pub const WRONG_KEYS_PAUSE_MAX: Duration = Duration::from_secs(300);
/// The wrong keys of an address are forgotten after this time without another one.
pub const WRONG_KEYS_TIME: Duration = Duration::from_secs(900);
/// Maximum number of addresses whose wrong keys are remembered. Beyond it, the least recently active one is dropped.
pub const WRONG_KEYS_ADDRESSES: usize = 4096;
