//! Limits that are not options.

use std::time::Duration;

/// Longest address of a page, in characters, the unit of the OpenAPI document.
pub const URL_CHARS_MAX: usize = 4 << 10;
/// Longest name of a model or a classifier, in characters.
pub const NAME_CHARS_MAX: usize = 255;
/// Models that are kept beside those of sites, of which there is one each.
pub const MODELS_MAX: u64 = 1000;
/// Memory that an imported model may unpack to, in multiples of the bytes that it may have. Models of real sites take 1 to 3.
pub const MODEL_MEMORY_TIMES: usize = 4;
/// Classifiers that are kept.
pub const CLASSIFIERS_MAX: u64 = 1000;
/// Rows of a list that can be asked for at once.
pub const ROWS_MAX: usize = 1000;
/// Pages of a picture that can be asked for at once.
pub const PICTURE_PAGES_MAX: usize = 2000;
/// Pages that are made durable together.
pub const GROUP_PAGES: usize = 256;
/// How long the first of them waits.
pub const GROUP_TIME: Duration = Duration::from_millis(10);
/// Pages that wait to be made durable; the next request is asked to retry, and an upload waits for room.
pub const WRITER_QUEUE: usize = 256;
/// Requests that wait for a thread that parses, for each such thread.
pub const POOL_QUEUE: usize = 32;
/// Bytes of pages of one upload that wait to be made durable.
pub const CRAWL_WINDOW_BYTES: usize = 16 << 20;
/// Pages of one upload that wait to be made durable.
pub const CRAWL_WINDOW_PAGES: usize = 64;
/// Uploads that are read at a time, those that answer at once.
pub const CRAWLS_MAX: usize = 4;
/// Uploads that arrive, wait to be read or are read; half of them for one client.
pub const UPLOADS_MAX: usize = 16;
/// Memory that an upload is taken to need.
pub const CRAWL_MEMORY: usize = 32 << 20;
/// Jobs that wait. More are asked to retry.
pub const JOBS_QUEUED_MAX: usize = 100;
/// Jobs that are remembered when they have ended.
pub const JOBS_KEPT: usize = 500;
/// How often the service may die during a job before that job is no longer restarted automatically.
pub const JOB_DEATHS_MAX: u32 = 2;
/// Memory of models that were read from disk; the same again of studies, and of classifiers.
pub const CACHE_BYTES: usize = 256 << 20;
/// Pages on which the selectors of a site are tested.
pub const SELECTOR_PAGES: usize = 400;
/// Shorter responses are not compressed.
pub const PACK_BYTES_MIN: usize = 1 << 10;
/// Sessions of explorers; the oldest is dropped when there are more.
pub const SESSIONS_MAX: usize = 1000;
/// Shares of the last pages of a site that its line shows.
pub const RECENT_SHARES: usize = 60;
/// Examples of a classifier, all of which are read and written with each new one.
pub const EXAMPLES_MAX: u64 = 10_000;
/// Lines of the log that wait to be written; more are counted instead.
pub const LOG_QUEUE: usize = 4096;
/// How long a request is delayed before it is refused because of too much load.
pub const REFUSAL_PAUSE: Duration = Duration::from_millis(100);
/// Spare connections for operators, beyond all others: only `/healthz`, `/readyz` and `/metrics` are answered there.
pub const SPARE_CONNECTIONS: usize = 16;
/// How long a new connection waits for the end of an idle one that is closed for it.
pub const EVICTION_TIME: Duration = Duration::from_millis(100);
/// How long a request keeps its slot while its body arrives. Most bodies arrive at once and keep it, so that requests for which
/// there is no slot are refused at once, too.
pub const SLOT_PATIENCE: Duration = Duration::from_millis(50);
/// Wrong keys of an address from which on it has to wait: a second after this one, and twice as long after each that follows.
pub const WRONG_KEYS_FREE: u32 = 5;
/// The longest of these pauses.
pub const WRONG_KEYS_PAUSE_MAX: Duration = Duration::from_secs(300);
/// How long an address must send no wrong key until its wrong ones are forgotten.
pub const WRONG_KEYS_TIME: Duration = Duration::from_secs(900);
/// Addresses whose wrong keys are remembered; the least recently active one is dropped when there are more.
pub const WRONG_KEYS_ADDRESSES: usize = 4096;
