//! Counters and durations, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use crate::service::{Service, lock};

/// Upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// The counters.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    jobs: Mutex<BTreeMap<&'static str, (u64, f64)>>,
    pages: AtomicU64,
    pub(crate) connections: AtomicI64,
    /// Connections that were closed to make room for others.
    pub(crate) gave_way: AtomicU64,
    pub(crate) in_flight: AtomicI64,
}

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn request(&self, route: &str, status: u16, time: Duration) {
        *lock(&self.requests).entry((route.to_owned(), status)).or_default() += 1;
        let seconds = time.as_secs_f64();
        let mut times = lock(&self.times);
        let times = times.entry(route.to_owned()).or_default();
        if let Some(bucket) = BUCKETS.iter().position(|end| seconds <= *end) {
            times.buckets[bucket] += 1;
        }
        times.count += 1;
        times.sum += seconds;
    }

    /// Counts a page that was made durable.
    pub(crate) fn page(&self) {
        self.pages.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a job that ended.
    pub(crate) fn job(&self, kind: &'static str, time: Duration) {
        let mut jobs = lock(&self.jobs);
        let (count, seconds) = jobs.entry(kind).or_default();
        *count += 1;
        *seconds += time.as_secs_f64();
    }
}

/// All metrics as text.
pub(crate) fn text(service: &Service) -> String {
    let metrics = &service.metrics;
    let mut text = Text::default();
    text.head("unframe_requests_total", "counter", "Requests by route and status.");
    for ((route, status), count) in &*lock(&metrics.requests) {
        text.line("unframe_requests_total", &format!("route=\"{route}\",status=\"{status}\""), *count);
    }
    text.head(
        "unframe_request_seconds",
        "histogram",
        "Time from the head of a request to the head of its response.",
    );
    for (route, times) in &*lock(&metrics.times) {
        let mut sum = 0;
        for (end, count) in BUCKETS.iter().zip(times.buckets) {
            sum += count;
            text.line("unframe_request_seconds_bucket", &format!("route=\"{route}\",le=\"{end}\""), sum);
        }
        let labels = format!("route=\"{route}\"");
        text.line("unframe_request_seconds_bucket", &format!("{labels},le=\"+Inf\""), times.count);
        text.line("unframe_request_seconds_sum", &labels, times.sum);
        text.line("unframe_request_seconds_count", &labels, times.count);
    }
    text.head("unframe_jobs_total", "counter", "Jobs that ended, by kind.");
    for (kind, (count, _)) in &*lock(&metrics.jobs) {
        text.line("unframe_jobs_total", &format!("kind=\"{kind}\""), *count);
    }
    text.head("unframe_job_seconds_total", "counter", "Time that jobs took, by kind.");
    for (kind, (_, seconds)) in &*lock(&metrics.jobs) {
        text.line("unframe_job_seconds_total", &format!("kind=\"{kind}\""), *seconds);
    }
    text.one(
        "unframe_pages_total",
        "counter",
        "Pages written durably.",
        metrics.pages.load(Ordering::Relaxed),
    );
    let (pages, bytes) = service.page_store.totals().unwrap_or_default();
    text.one("unframe_kept_pages", "gauge", "Pages that are kept.", pages);
    text.one("unframe_kept_bytes", "gauge", "Bytes of kept pages, compressed.", bytes);
    text.one(
        "unframe_connections",
        "gauge",
        "Open connections.",
        metrics.connections.load(Ordering::Relaxed),
    );
    text.one(
        "unframe_connections_gave_way_total",
        "counter",
        "Idle connections closed to make room for others.",
        metrics.gave_way.load(Ordering::Relaxed),
    );
    text.one(
        "unframe_requests_in_flight",
        "gauge",
        "Requests in progress.",
        metrics.in_flight.load(Ordering::Relaxed),
    );
    text.one("unframe_pool_waiting", "gauge", "Requests waiting for a core.", service.pool.waiting());
    text.one(
        "unframe_request_memory_bytes",
        "gauge",
        "Memory used by request bodies.",
        service.memory.used(),
    );
    text.one(
        "unframe_request_memory_limit_bytes",
        "gauge",
        "Limit of the memory for request bodies.",
        service.memory.total(),
    );
    text.one("unframe_jobs_open", "gauge", "Jobs waiting or running.", service.jobs.open());
    text.one(
        "unframe_log_lines_lost_total",
        "counter",
        "Log lines dropped because standard error was too slow.",
        service.log.lost(),
    );
    if let Some(bytes) = resident_bytes() {
        text.one("process_resident_memory_bytes", "gauge", "Memory of the process.", bytes);
    }
    text.0
}

/// The memory of this process, where the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{{{labels}}} {value}");
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.head(name, kind, help);
        let _ = writeln!(self.0, "{name} {value}");
    }
}
