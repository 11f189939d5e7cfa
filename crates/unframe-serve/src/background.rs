//! The threads that run jobs, and the thread that starts learning jobs for sites whose pages have changed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::{Value, json};
use unframe::detect::METHODS;
use unframe_crawl::Progress;

use crate::crawl::Crawl;
use crate::error::{Answer, ApiError};
use crate::incoming::PageFormat;
use crate::indexing;
use crate::jobs::{Job, Lane, State, Task};
use crate::page_store::SiteRow;
use crate::service::Service;
use crate::study::{self, LearnedSite};

/// How often the sites are checked for changes.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// A site that keeps getting new pages is learned again after this time.
const LEARN_DELAY_MAX: Duration = Duration::from_secs(300);
/// Number of pages that are deleted in one transaction.
const DELETED_TOGETHER: usize = 500;

/// The name of the method for automatic learning.
pub(crate) fn default_method() -> &'static str {
    METHODS[0].0
}

/// The background threads. They end when the jobs are stopped.
pub(crate) struct Background(Vec<JoinHandle<()>>);

impl Background {
    pub(crate) fn start(service: &Arc<Service>) -> Answer<Background> {
        let mut threads = Vec::new();
        for (name, lane) in [("crawls", Lane::Crawls), ("jobs", Lane::Rest)] {
            let service = Arc::clone(service);
            let builder = thread::Builder::new().name(name.to_owned());
            threads.push(builder.spawn(move || work(&service, lane))?);
        }
        if let Some(quiet) = service.options.learn_after {
            let service = Arc::clone(service);
            let builder = thread::Builder::new().name("watch".to_owned());
            threads.push(builder.spawn(move || watch(&service, quiet))?);
        }
        Ok(Background(threads))
    }

    pub(crate) fn join(self) {
        self.0.into_iter().for_each(|thread| drop(thread.join()));
    }
}

fn work(service: &Service, lane: Lane) {
    while let Some(job) = service.jobs.next(lane) {
        begin(service, &job);
        let begin = Instant::now();
        let result = catch_panic(|| perform(service, &job));
        if let Err(error) = &result {
            service.log.event("job", &json!({"job": job.id, "error": error.to_string()}));
        }
        job.end(result);
        service.metrics.job(job.task.kind(), begin.elapsed());
        let _ = service.save_job(&job);
        if let (Task::Crawl { file, .. }, false) = (&job.task, job.state() == State::Queued) {
            let _ = std::fs::remove_file(service.uploads().join(file));
        }
    }
}

/// Turns a panic of a job into an error, so that its thread survives.
fn catch_panic(work: impl FnOnce() -> Answer<Value>) -> Answer<Value> {
    // A panic leaves the same state as an error: values behind locks are replaced as a whole, and transactions are aborted.
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ApiError::internal("the job failed because of a bug in unframe")))
}

/// Records that a job is running, so that the next start can detect that the service died while it ran.
fn begin(service: &Service, job: &Arc<Job>) {
    job.begin();
    let _ = service.save_job(job);
}

/// Runs a job.
pub(crate) fn perform(service: &Service, job: &Job) -> Answer<Value> {
    match &job.task {
        Task::Crawl { file, name, any_status } => crawl(service, job, file, name, *any_status),
        Task::Learn { site, method } => learn(service, job, site, method),
        Task::Index => indexing::index(service, job),
        Task::Delete { site } => delete(service, job, site),
        Task::Forget => indexing::forget(service, job),
    }
}

fn crawl(
    service: &Service,
    job: &Job,
    file: &std::path::Path,
    name: &str,
    any_status: bool,
) -> Answer<Value> {
    let path = service.uploads().join(file);
    job.set_total(path.metadata().map_or(0, |metadata| metadata.len()));
    let crawl = Crawl {
        path,
        name: name.to_owned(),
        wanted: PageFormat::Nothing,
        models: None,
        is_kept: true,
        any_status,
        progress: Arc::new(Progress::default()),
    };
    let end = Instant::now() + service.options.job_time;
    let counts = crawl.run(service, |_| {
        job.set_done(crawl.progress.bytes_read());
        if Instant::now() > end {
            let message = "the upload takes too long: split it, or raise --job-time";
            return Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message));
        }
        job.check_running()
    })?;
    Ok(serde_json::to_value(counts)?)
}

fn learn(service: &Service, job: &Job, site: &str, method: &str) -> Answer<Value> {
    let LearnedSite { study, model } = study::make(&service.page_store, site, method, job)?;
    let answer = json!({
        "pages": study.pages.len(),
        "templates": study.templates.len(),
        "share": study.volume.html,
    });
    if study.pages.is_empty() {
        return Err(ApiError::missing("no-such-site", format!("{site} has no pages")));
    }
    service.put_learned(model, study)?;
    Ok(answer)
}

/// Deletes the pages of a site, and its model with the last page.
fn delete(service: &Service, job: &Job, site: &str) -> Answer<Value> {
    let pages = delete_pages(service, job, site)
        // Even if that failed halfway, the deleted pages are removed from the index.
        .inspect_err(|_| indexing::forget_later(service))?;
    indexing::forget(service, job)?;
    Ok(json!({"pages": pages}))
}

fn delete_pages(service: &Service, job: &Job, site: &str) -> Answer<usize> {
    let ids = service.page_store.ids(site, 0, usize::MAX)?;
    job.set_total(ids.len() as u64);
    for ids in ids.chunks(DELETED_TOGETHER) {
        service.forget_pages(site, ids.to_vec())?;
        ids.iter().try_for_each(|_| job.step())?;
    }
    Ok(ids.len())
}

/// Starts jobs for sites that have changed and have been quiet for long enough.
fn watch(service: &Service, quiet: Duration) {
    let mut seen: BTreeMap<String, SiteActivity> = BTreeMap::new();
    let mut newest = None;
    while !service.is_stopping.load(Ordering::Relaxed) {
        thread::sleep(POLL_INTERVAL);
        let now = Instant::now();
        let Ok(version) = version(service) else { continue };
        // There may be very many sites, so they are read only if pages were added or deleted.
        if newest != Some(version) && notice(service, &mut seen, now).is_ok() {
            newest = Some(version);
        }
        let mut is_any_due = false;
        seen.retain(|name, known| {
            if !known.is_due(now, quiet) {
                return true;
            }
            if let Ok(None) = service.page_store.site(name) {
                return false;
            }
            let task = Task::Learn { site: name.clone(), method: default_method().to_owned() };
            // After the service died too often during a job, the job is only started on request.
            if service.jobs.is_given_up(&task) {
                return false;
            }
            if service.jobs.add(task).is_ok() {
                (known.learned, known.learned_at) = (Some(known.version), now);
                is_any_due = true;
            }
            true
        });
        if is_any_due && !service.jobs.is_given_up(&Task::Index) {
            let _ = service.jobs.add(Task::Index);
        }
    }
}

/// Records which sites have changed since the last time, and drops deleted ones.
fn notice(service: &Service, seen: &mut BTreeMap<String, SiteActivity>, now: Instant) -> Answer<()> {
    let (sites, _) = service.page_store.sites("", usize::MAX, "")?;
    for (name, row) in &sites {
        let known = seen.entry(name.clone()).or_insert_with(|| SiteActivity::new(service, name, row, now));
        if known.version != Version::of(row) {
            (known.version, known.since) = (Version::of(row), now);
        }
    }
    seen.retain(|name, _| sites.binary_search_by(|(site, _)| site.as_str().cmp(name)).is_ok());
    Ok(())
}

/// The number of the last page and the number of pages. Adding or deleting a page changes at least one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    last: u64,
    pages: u64,
}

impl Version {
    fn of(site: &SiteRow) -> Version {
        Version { last: site.last, pages: site.pages }
    }
}

/// The version of the whole page store.
fn version(service: &Service) -> Answer<Version> {
    Ok(Version { last: service.page_store.last_page()?, pages: service.page_store.totals()?.0 })
}

/// The activity of a site.
struct SiteActivity {
    version: Version,
    since: Instant,
    /// The version that was learned.
    learned: Option<Version>,
    learned_at: Instant,
}

impl SiteActivity {
    fn new(service: &Service, name: &str, row: &SiteRow, now: Instant) -> SiteActivity {
        let version = Version::of(row);
        let summary = service.summary(name).ok().flatten();
        let learned = summary.filter(|summary| summary.last == row.last).map(|_| version);
        SiteActivity { version, since: now, learned, learned_at: now }
    }

    /// Whether the site should be learned now.
    fn is_due(&self, now: Instant, quiet: Duration) -> bool {
        let is_quiet = now - self.since >= quiet || now - self.learned_at >= LEARN_DELAY_MAX;
        self.learned != Some(self.version) && is_quiet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_the_service_dies_with_twice_is_reported_as_failed() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            let options = crate::Options::new(folder.path());
            Service::open(crate::Options { log: crate::LogFormat::None, threads: 1, ..options }).unwrap()
        };
        let mut service = open();
        service.jobs.add(Task::Index).unwrap();
        for _ in 0..2 {
            begin(&service, &service.jobs.next(Lane::Rest).unwrap());
            // The job never ends.
            service.state_writer.stop().unwrap();
            drop(service);
            service = open();
        }
        let job = service.jobs.get(1).unwrap();
        assert_eq!((job.state(), job.row().error.unwrap().0.as_str()), (State::Failed, "died"));
        assert_eq!(service.jobs.open(), 0);
    }

    #[test]
    fn a_job_that_breaks_off_has_failed() {
        let jobs = crate::jobs::Jobs::default();
        jobs.add(Task::Index).unwrap();
        let job = jobs.next(Lane::Rest).unwrap();
        job.begin();
        job.end(catch_panic(|| panic!("on purpose")));
        assert_eq!((job.state(), job.row().error.unwrap().0.as_str()), (State::Failed, "internal"));
        assert_eq!(catch_panic(|| Ok(json!(1))).unwrap(), json!(1));
    }
}
