//! The threads that run jobs, and the thread that starts learning jobs for sites whose pages have changed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use unframe::detect::METHODS;
use unframe_crawl::Progress;

use crate::answer_format::PageFormat;
use crate::crawl::Crawl;
use crate::error::{Answer, ApiError};
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
    job.begin(service.options.job_time);
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
    let counts = crawl.run(service, |_| {
        job.set_done(crawl.progress.bytes_read());
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
    let mut is_index_due = false;
    while !service.is_stopping.load(Ordering::Relaxed) {
        thread::sleep(POLL_INTERVAL);
        let now = Instant::now();
        let Ok(version) = version(service) else { continue };
        // There may be very many sites, so they are read only if pages were added or deleted.
        if newest != Some(version) && notice(service, &mut seen, now).is_ok() {
            newest = Some(version);
        }
        is_index_due |= start_due(service, &mut seen, now, quiet);
        if is_index_due {
            is_index_due = !index_later(service);
        }
    }
}

/// Starts learning jobs for the sites that are due. Returns whether there are any, so that their pages have to be indexed.
fn start_due(
    service: &Service,
    seen: &mut BTreeMap<String, SiteActivity>,
    now: Instant,
    quiet: Duration,
) -> bool {
    let mut is_any_due = false;
    seen.retain(|name, known| {
        if !known.is_due(now, quiet) {
            return true;
        }
        if let Ok(None) = service.page_store.site(name) {
            return false;
        }
        let task = Task::Learn { site: name.clone(), method: default_method().to_owned() };
        // After the service died too often during a job, or the job took too long, it is only started on request. The pages are indexed nevertheless.
        if service.jobs.is_given_up(&task) || service.jobs.add(task).is_ok() {
            (known.handled, known.handled_at) = (Some(known.version), now);
            is_any_due = true;
        }
        true
    });
    is_any_due
}

/// Queues a job that indexes new pages, and saves it: if the service is killed before the job runs, the next start queues it again.
/// Returns whether nothing is left to do, which is not so if too many jobs are queued.
fn index_later(service: &Service) -> bool {
    if service.jobs.is_given_up(&Task::Index) {
        return true;
    }
    service.jobs.add(Task::Index).is_ok_and(|job| {
        let _ = service.save_job(&job);
        true
    })
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
    /// The version that was learned, or whose learning was given up.
    handled: Option<Version>,
    handled_at: Instant,
}

impl SiteActivity {
    fn new(service: &Service, name: &str, row: &SiteRow, now: Instant) -> SiteActivity {
        let version = Version::of(row);
        let summary = service.summary(name).ok().flatten();
        let handled = summary.filter(|summary| summary.last == row.last).map(|_| version);
        SiteActivity { version, since: now, handled, handled_at: now }
    }

    /// Whether the site should be learned now.
    fn is_due(&self, now: Instant, quiet: Duration) -> bool {
        let is_quiet = now - self.since >= quiet || now - self.handled_at >= LEARN_DELAY_MAX;
        self.handled != Some(self.version) && is_quiet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &tempfile::TempDir) -> Arc<Service> {
        let options = crate::Options::new(folder.path());
        Service::open(crate::Options { log: crate::LogFormat::None, threads: 1, ..options }).unwrap()
    }

    /// Starts the service again after it was killed: nothing more is saved about its jobs.
    fn restart(service: Arc<Service>, folder: &tempfile::TempDir) -> Arc<Service> {
        service.state_writer.stop().unwrap();
        drop(service);
        open(folder)
    }

    /// The service dies as often as it may during its next job.
    fn give_up(mut service: Arc<Service>, folder: &tempfile::TempDir) -> Arc<Service> {
        for _ in 0..crate::limits::JOB_DEATHS_MAX {
            begin(&service, &service.jobs.next(Lane::Rest).unwrap());
            service = restart(service, folder);
        }
        service
    }

    fn post(service: &Service, url: &str) {
        let page = Arc::new(unframe::Page::new(url, "<p>Text"));
        let incoming = crate::incoming::Preparer::new(&service.method).prepare(&page, true).unwrap();
        service.state_writer.page(incoming).unwrap().blocking_recv().unwrap().unwrap();
    }

    /// Checks the sites once, and returns whether their pages have to be indexed.
    fn is_index_due(service: &Service, seen: &mut BTreeMap<String, SiteActivity>) -> bool {
        let now = Instant::now();
        notice(service, seen, now).unwrap();
        start_due(service, seen, now, Duration::ZERO)
    }

    #[test]
    fn pages_of_a_site_whose_learning_was_given_up_are_indexed_once_per_version() {
        let folder = tempfile::tempdir().unwrap();
        let mut service = open(&folder);
        post(&service, "http://a.example/1");
        let learn = Task::Learn { site: "a.example".into(), method: default_method().to_owned() };
        service.jobs.add(learn.clone()).unwrap();
        service = give_up(service, &folder);
        assert!(service.jobs.is_given_up(&learn));
        let mut seen = BTreeMap::new();
        assert!(is_index_due(&service, &mut seen) && !is_index_due(&service, &mut seen));
        post(&service, "http://a.example/2");
        assert!(is_index_due(&service, &mut seen) && !is_index_due(&service, &mut seen));
        // Learning stays given up, and the pages can be found.
        assert_eq!(service.jobs.open(), 0);
        assert!(index_later(&service));
        let job = service.jobs.next(Lane::Rest).unwrap();
        assert_eq!(perform(&service, &job).unwrap(), json!({"pages": 2, "total": 2}));
    }

    #[test]
    fn a_queued_index_job_is_queued_again_after_the_service_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mut service = open(&folder);
        assert!(index_later(&service) && index_later(&service));
        service = restart(service, &folder);
        assert_eq!((service.jobs.open(), service.jobs.get(1).unwrap().state()), (1, State::Queued));
        // Unless the service died too often during it.
        service = give_up(service, &folder);
        assert!(index_later(&service));
        service = restart(service, &folder);
        assert_eq!(service.jobs.open(), 0);
        drop(service);
    }

    #[test]
    fn an_index_job_is_due_until_there_is_room_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(&folder);
        for number in 0..crate::limits::JOBS_QUEUED_MAX {
            service.jobs.add(Task::Delete { site: number.to_string() }).unwrap();
        }
        assert!(!index_later(&service));
        service.jobs.next(Lane::Rest).unwrap();
        assert!(index_later(&service));
    }

    #[test]
    fn a_job_that_the_service_dies_with_twice_is_reported_as_failed() {
        let folder = tempfile::tempdir().unwrap();
        let mut service = open(&folder);
        service.jobs.add(Task::Index).unwrap();
        service = give_up(service, &folder);
        let job = service.jobs.get(1).unwrap();
        assert_eq!((job.state(), job.row().error.unwrap().0.as_str()), (State::Failed, "died"));
        assert_eq!(service.jobs.open(), 0);
    }

    #[test]
    fn a_job_that_breaks_off_has_failed() {
        let jobs = crate::jobs::Jobs::default();
        jobs.add(Task::Index).unwrap();
        let job = jobs.next(Lane::Rest).unwrap();
        job.begin(Duration::from_secs(1));
        job.end(catch_panic(|| panic!("on purpose")));
        assert_eq!((job.state(), job.row().error.unwrap().0.as_str()), (State::Failed, "internal"));
        assert_eq!(catch_panic(|| Ok(json!(1))).unwrap(), json!(1));
    }
}
