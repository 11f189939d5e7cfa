//! Jobs: uploads, learning, indexing, deleting. Each job reports its progress and can be cancelled. A stop of the service interrupts it,
//! and the next start restarts it.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Answer, ApiError};
use crate::limits::{JOB_DEATHS_MAX, JOBS_KEPT, JOBS_QUEUED_MAX};
use crate::service::lock;

/// The error code of a job that is not restarted, because the service died too often while it ran.
const DIED: &str = "died";
/// The error code of a job that took too long.
const TIMEOUT: &str = "timeout";

/// The task of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Task {
    /// Processes an uploaded crawl.
    Crawl { file: PathBuf, name: String, any_status: bool },
    /// Learns a site from its kept pages.
    Learn { site: String, method: String },
    /// Brings the search index up to date.
    Index,
    /// Deletes a site.
    Delete { site: String },
    /// Removes deleted pages from the search index.
    Forget,
}

impl Task {
    /// The name of its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Task::Crawl { .. } => "crawl",
            Task::Learn { .. } => "learn",
            Task::Index => "index",
            Task::Delete { .. } => "delete",
            Task::Forget => "forget",
        }
    }

    /// The site that it is about.
    pub(crate) fn site(&self) -> Option<&str> {
        match self {
            Task::Learn { site, .. } | Task::Delete { site } => Some(site),
            Task::Crawl { .. } | Task::Index | Task::Forget => None,
        }
    }

    /// Why a job that takes too long is stopped. The rest of the jobs take as long as what is kept, which has limits of its own.
    fn too_long(&self) -> Option<&'static str> {
        match self {
            Task::Crawl { .. } => Some("the upload takes too long: split it, or raise --job-time"),
            Task::Learn { .. } => Some(
                "learning the site takes too long, so it is not learned again automatically: raise --job-time and submit the job again",
            ),
            Task::Index | Task::Delete { .. } | Task::Forget => None,
        }
    }

    /// Uploads have a thread of their own, so that they do not wait for the jobs that they cause.
    fn lane(&self) -> Lane {
        if matches!(self, Task::Crawl { .. }) { Lane::Crawls } else { Lane::Rest }
    }
}

/// The thread that runs a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    Crawls,
    Rest,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl State {
    fn is_open(self) -> bool {
        matches!(self, State::Queued | State::Running)
    }
}

/// A job.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) task: Task,
    /// The time of creation, as text.
    pub(crate) created: String,
    done: AtomicU64,
    total: AtomicU64,
    is_cancelled: AtomicBool,
    /// Whether the service is stopping. The next start restarts the job.
    is_interrupted: AtomicBool,
    /// When it has to be done, once it is running.
    deadline: OnceLock<Instant>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    state: State,
    ended: Option<String>,
    error: Option<(String, String)>,
    result: Value,
    deaths: u32,
}

/// A job as it is stored and reported.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct JobRow {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) task: Task,
    pub(crate) state: State,
    /// The time of creation, as text.
    pub(crate) created: String,
    pub(crate) ended: Option<String>,
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) error: Option<(String, String)>,
    pub(crate) result: Value,
    /// How often the service died while the job ran. Older states lack this field.
    #[serde(default)]
    pub(crate) deaths: u32,
}

impl JobRow {
    /// Queues an unfinished job again. If the service died too often while the job ran, the job may be the cause, and it fails instead.
    fn take_up(&mut self) {
        self.deaths += u32::from(self.state == State::Running);
        (self.state, self.done) = (State::Queued, 0);
        if self.deaths >= JOB_DEATHS_MAX {
            self.state = State::Failed;
            self.ended = Some(Timestamp::now().to_string());
            let message = format!(
                "the service was killed or ran out of memory {} times while the job ran, so it is not restarted automatically: if there is enough memory now, submit it again",
                self.deaths
            );
            self.error = Some((DIED.to_owned(), message));
        }
    }
}

impl Job {
    fn new(id: u64, task: Task) -> Job {
        let row = JobRow {
            id,
            task,
            state: State::Queued,
            created: Timestamp::now().to_string(),
            ended: None,
            done: 0,
            total: 0,
            error: None,
            result: Value::Null,
            deaths: 0,
        };
        Job::from(row)
    }

    /// Counts a step. Fails if the job was cancelled or interrupted, or takes too long.
    pub(crate) fn step(&self) -> Answer<()> {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.check_running()
    }

    /// Fails if the job was cancelled or interrupted, or takes too long.
    pub(crate) fn check_running(&self) -> Answer<()> {
        if self.is_cancelled.load(Ordering::Relaxed) || self.is_interrupted.load(Ordering::Relaxed) {
            return Err(cancelled());
        }
        match (self.deadline.get(), self.task.too_long()) {
            (Some(deadline), Some(message)) if Instant::now() > *deadline => {
                Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, TIMEOUT, message))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn set_done(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    pub(crate) fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    pub(crate) fn add_total(&self, more: u64) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// Its current state.
    pub(crate) fn row(&self) -> JobRow {
        let inner = lock(&self.inner).clone();
        JobRow {
            id: self.id,
            task: self.task.clone(),
            state: inner.state,
            created: self.created.clone(),
            ended: inner.ended,
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
            error: inner.error,
            result: inner.result,
            deaths: inner.deaths,
        }
    }

    pub(crate) fn state(&self) -> State {
        lock(&self.inner).state
    }

    /// Whether it is queued or running.
    pub(crate) fn is_open(&self) -> bool {
        self.state().is_open()
    }

    /// Whether it failed because the service died too often while it ran, or because it took too long.
    pub(crate) fn was_too_much(&self) -> bool {
        lock(&self.inner).error.as_ref().is_some_and(|(code, _)| code == DIED || code == TIMEOUT)
    }

    /// Starts it. Uploads and learning may take `time`.
    pub(crate) fn begin(&self, time: Duration) {
        let _ = self.deadline.set(Instant::now() + time);
        lock(&self.inner).state = State::Running;
    }

    /// Records its result. An interrupted job becomes queued again, for the next start.
    pub(crate) fn end(&self, result: Answer<Value>) {
        let mut inner = lock(&self.inner);
        inner.ended = Some(Timestamp::now().to_string());
        (inner.state, inner.result, inner.error) = match result {
            Ok(result) => (State::Done, result, None),
            Err(_) if self.is_cancelled.load(Ordering::Relaxed) => (State::Cancelled, Value::Null, None),
            Err(_) if self.is_interrupted.load(Ordering::Relaxed) => {
                inner.ended = None;
                (State::Queued, Value::Null, None)
            }
            Err(error) => (State::Failed, Value::Null, Some((error.code.to_owned(), error.message))),
        };
    }
}

impl From<JobRow> for Job {
    fn from(row: JobRow) -> Job {
        Job {
            id: row.id,
            task: row.task,
            created: row.created,
            done: AtomicU64::new(row.done),
            total: AtomicU64::new(row.total),
            is_cancelled: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
            deadline: OnceLock::new(),
            inner: Mutex::new(Inner {
                state: row.state,
                ended: row.ended,
                error: row.error,
                result: row.result,
                deaths: row.deaths,
            }),
        }
    }
}

/// All jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    table: Mutex<Table>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Table {
    jobs: BTreeMap<u64, Arc<Job>>,
    queue: VecDeque<Arc<Job>>,
    last: u64,
    is_stopped: bool,
}

impl Jobs {
    /// Restores the jobs of the last run. Unfinished jobs are queued again, unless the service died too often while they ran.
    pub(crate) fn restore(rows: Vec<JobRow>) -> Jobs {
        let jobs = Jobs::default();
        {
            let mut table = lock(&jobs.table);
            for mut row in rows {
                if row.state.is_open() {
                    row.take_up();
                }
                table.last = table.last.max(row.id);
                let job = Arc::new(Job::from(row));
                if job.is_open() {
                    table.queue.push_back(Arc::clone(&job));
                }
                table.jobs.insert(job.id, job);
            }
        }
        jobs
    }

    /// Adds a job, or returns the queued job with the same task.
    pub(crate) fn add(&self, task: Task) -> Answer<Arc<Job>> {
        let mut table = lock(&self.table);
        if let Some(same) = table.queue.iter().find(|job| job.task == task) {
            return Ok(Arc::clone(same));
        }
        // Deleted pages are removed from the index even if the queue is full; there is at most one such job.
        let is_full = table.queue.len() >= JOBS_QUEUED_MAX && task != Task::Forget;
        if table.is_stopped || is_full {
            return Err(ApiError::busy("too many jobs are waiting: retry when some of them are done"));
        }
        table.last += 1;
        let job = Arc::new(Job::new(table.last, task));
        table.jobs.insert(job.id, Arc::clone(&job));
        table.queue.push_back(Arc::clone(&job));
        while table.jobs.len() > JOBS_KEPT
            && let Some(old) =
                table.jobs.values().find(|job| lock(&job.inner).ended.is_some()).map(|job| job.id)
        {
            table.jobs.remove(&old);
        }
        self.changed.notify_all();
        Ok(job)
    }

    /// Waits for the next job of a lane. `None` when the service stops.
    pub(crate) fn next(&self, lane: Lane) -> Option<Arc<Job>> {
        let mut table = lock(&self.table);
        loop {
            if table.is_stopped {
                return None;
            }
            if let Some(at) = table.queue.iter().position(|job| job.task.lane() == lane) {
                return table.queue.remove(at);
            }
            table = self.changed.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A job by its number.
    pub(crate) fn get(&self, id: u64) -> Option<Arc<Job>> {
        lock(&self.table).jobs.get(&id).cloned()
    }

    /// All jobs, the newest first.
    pub(crate) fn list(&self) -> Vec<Arc<Job>> {
        lock(&self.table).jobs.values().rev().cloned().collect()
    }

    /// Jobs waiting or running.
    pub(crate) fn open(&self) -> usize {
        self.list().iter().filter(|job| job.is_open()).count()
    }

    /// Whether the last job with this task failed because the service died too often while it ran, or because it took too long.
    pub(crate) fn is_given_up(&self, task: &Task) -> bool {
        self.list().iter().find(|job| job.task == *task).is_some_and(|job| job.was_too_much())
    }

    /// Cancels a job. A queued job ends immediately, a running one at its next step.
    pub(crate) fn cancel(&self, job: &Job) {
        job.is_cancelled.store(true, Ordering::Relaxed);
        let mut table = lock(&self.table);
        let before = table.queue.len();
        table.queue.retain(|queued| queued.id != job.id);
        if table.queue.len() < before {
            job.end(Err(cancelled()));
        }
    }

    /// Ends the threads that run jobs, and interrupts running jobs.
    pub(crate) fn stop(&self) {
        let mut table = lock(&self.table);
        table.is_stopped = true;
        table.jobs.values().for_each(|job| job.is_interrupted.store(true, Ordering::Relaxed));
        self.changed.notify_all();
    }
}

fn cancelled() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "cancelled", "the job was cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn learning_takes_so_long_and_no_longer() {
        let jobs = Jobs::default();
        let learn = Task::Learn { site: "a.example".into(), method: "dom".into() };
        for (task, is_bounded) in [(learn, true), (Task::Index, false)] {
            let job = jobs.add(task.clone()).unwrap();
            assert!(job.step().is_ok(), "a job that waits has no end");
            job.begin(Duration::ZERO);
            std::thread::sleep(Duration::from_millis(2));
            job.end(job.step().map(|()| Value::Null));
            assert_eq!((job.state() == State::Failed, jobs.is_given_up(&task)), (is_bounded, is_bounded));
        }
        let error = jobs.get(1).unwrap().row().error.unwrap();
        assert!(error.0 == "timeout" && error.1.contains("raise --job-time"), "{error:?}");
    }

    #[test]
    fn jobs_wait_run_and_end() {
        let jobs = Jobs::default();
        let first = jobs.add(Task::Index).unwrap();
        // The same work is not queued twice.
        assert_eq!(jobs.add(Task::Index).unwrap().id, first.id);
        let second = jobs.add(Task::Delete { site: "a.example".into() }).unwrap();
        assert_eq!(jobs.next(Lane::Rest).unwrap().id, first.id);
        first.begin(HOUR);
        jobs.cancel(&second);
        assert_eq!((first.state(), second.state()), (State::Running, State::Cancelled));
        jobs.cancel(&first);
        first.end(first.step().map(|()| Value::Null));
        assert_eq!(first.state(), State::Cancelled);
        assert_eq!(jobs.open(), 0);
    }

    #[test]
    fn so_many_wait_and_one_that_forgets() {
        let jobs = Jobs::default();
        for number in 0..JOBS_QUEUED_MAX {
            jobs.add(Task::Delete { site: number.to_string() }).unwrap();
        }
        assert_eq!(jobs.add(Task::Index).unwrap_err().code, "busy");
        let forget = jobs.add(Task::Forget).unwrap();
        assert_eq!(jobs.add(Task::Forget).unwrap().id, forget.id);
    }

    #[test]
    fn what_was_interrupted_is_done_again() {
        let jobs = Jobs::default();
        let job = jobs.add(Task::Index).unwrap();
        jobs.next(Lane::Rest).unwrap().begin(HOUR);
        jobs.stop();
        job.end(job.step().map(|()| Value::Null));
        assert!(jobs.next(Lane::Rest).is_none());
        let saved = serde_json::to_vec(&job.row()).unwrap();
        let restored = Jobs::restore(vec![serde_json::from_slice(&saved).unwrap()]);
        let again = restored.next(Lane::Rest).unwrap();
        assert_eq!((again.id, again.task.clone()), (1, Task::Index));
        assert_eq!(restored.add(Task::Delete { site: String::new() }).unwrap().id, 2);
    }

    /// Saves and restores a job, as a restart does.
    fn after_restart(job: &Job) -> Jobs {
        let saved = serde_json::to_vec(&job.row()).unwrap();
        Jobs::restore(vec![serde_json::from_slice(&saved).unwrap()])
    }

    #[test]
    fn a_job_that_the_service_died_with_is_begun_again_so_often_and_no_more() {
        let task = Task::Learn { site: "a.example".into(), method: "dom".into() };
        let mut jobs = Jobs::default();
        jobs.add(task.clone()).unwrap();
        for _ in 0..JOB_DEATHS_MAX {
            assert!(!jobs.is_given_up(&task));
            let job = jobs.next(Lane::Rest).unwrap();
            // The death of the service does not count for a job that was only queued.
            assert_eq!(after_restart(&job).get(1).unwrap().row().deaths, job.row().deaths);
            job.begin(HOUR);
            jobs = after_restart(&job);
        }
        let job = jobs.get(1).unwrap();
        assert_eq!((job.state(), jobs.open(), jobs.is_given_up(&task)), (State::Failed, 0, true));
        let (code, message) = job.row().error.unwrap();
        assert_eq!(code, "died");
        assert!(message.contains("2 times") && message.contains("submit it again"), "{message}");
        // Another restart changes nothing. A new request for the same task gets a new job.
        jobs = after_restart(&job);
        assert_eq!((jobs.get(1).unwrap().row().ended, jobs.open()), (job.row().ended, 0));
        assert_eq!(jobs.add(task.clone()).unwrap().id, 2);
        assert!(!jobs.is_given_up(&task));
    }

    #[test]
    fn jobs_of_older_states_are_read() {
        let row = r#"{"id": 3, "kind": "forget", "urls": ["http://a.example/"], "state": "queued", "created": "", "ended": null,
            "done": 0, "total": 0, "error": null, "result": null}"#;
        assert_eq!(serde_json::from_str::<JobRow>(row).unwrap().task, Task::Forget);
    }
}
