//! The state that all request handlers share.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::Semaphore;
use unframe::detect::FollowMethod;
use unframe::fingerprint::Classifier;
use unframe::learn::Models;
use unframe::model_file::ModelFile;
use unframe_search::SearchIndex;
use unframe_store::Store;

use crate::Options;
use crate::cache::Cache;
use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Jobs, Task};
use crate::keys::Keys;
use crate::limits::{CACHE_BYTES, CLASSIFIERS_MAX, CRAWLS_MAX, JOBS_KEPT, UPLOADS_MAX};
use crate::log::Log;
use crate::metrics::Metrics;
use crate::page_store::{self, CLASSIFIERS, JOBS, KeepLimits, MODELS, PageStore, STUDIES, SUMMARIES};
use crate::pool::{Memory, Pool};
use crate::quota::Quota;
use crate::state_writer::StateWriter;
use crate::study::{Study, Summary};

/// The service: its state on disk, and its limits.
pub struct Service {
    pub(crate) options: Options,
    pub(crate) method: FollowMethod,
    pub(crate) page_store: Arc<PageStore>,
    pub(crate) state_writer: StateWriter,
    pub(crate) pool: Pool,
    pub(crate) memory: Memory,
    pub(crate) slots: Arc<Semaphore>,
    /// Quota of request bodies that are arriving.
    pub(crate) bodies: Arc<Quota>,
    /// Quota of their bytes in memory.
    pub(crate) body_bytes: Arc<Quota>,
    /// Quota of uploads that are arriving, or are spooled to a file and not answered yet.
    pub(crate) uploading: Arc<Quota>,
    /// Permits for uploads that are being read and answered.
    pub(crate) crawls: Arc<Semaphore>,
    pub(crate) jobs: Jobs,
    pub(crate) keys: Keys,
    pub(crate) metrics: Metrics,
    pub(crate) log: Log,
    pub(crate) is_stopping: AtomicBool,
    models: Mutex<Cache<Models>>,
    studies: Mutex<Cache<Study>>,
    classifiers: Mutex<Cache<Classifier>>,
    /// Held while a classifier is changed.
    pub(crate) classifying: Mutex<()>,
    /// The opened index; `None` before it is opened, and after it has changed.
    search: Mutex<Option<Arc<SearchIndex>>>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Service {
    /// Opens or creates the state, and resumes unfinished jobs.
    ///
    /// # Errors
    /// If another process uses the state, if the state is damaged, or if the keys cannot be read.
    pub fn open(options: Options) -> Answer<Arc<Service>> {
        let keys = Keys::read(&options)?;
        let folder = &options.state;
        for name in ["uploads", "index"] {
            let path = folder.join(name);
            fs::create_dir_all(&path)
                .map_err(|error| ApiError::internal(format!("{}: {error}", path.display())))?;
        }
        let method = follow_method(&options)?;
        let store_options =
            unframe_store::Options { memory: options.table_memory, ..unframe_store::Options::default() };
        let store = Store::open(&folder.join("follow"), &method, store_options)?;
        let page_store = Arc::new(PageStore::open(&folder.join("pages.redb"))?);
        let limits = KeepLimits { bytes: options.keep_bytes, pages_of_site: options.keep_pages };
        let state_writer = StateWriter::start(store, method.clone(), Arc::clone(&page_store), limits)?;
        let jobs = Jobs::restore(saved_jobs(&page_store, &state_writer)?);
        let service = Service {
            method,
            state_writer,
            pool: Pool::new(options.workers()),
            memory: Memory::new(options.memory),
            slots: Arc::new(Semaphore::new(options.concurrency)),
            bodies: halved(options.connections / 2),
            body_bytes: Quota::new(usize::MAX, body_bytes_of_one(&options)),
            uploading: halved(UPLOADS_MAX),
            crawls: Arc::new(Semaphore::new(CRAWLS_MAX)),
            jobs,
            keys,
            metrics: Metrics::default(),
            log: Log::start(options.log),
            is_stopping: AtomicBool::new(false),
            models: Mutex::new(Cache::new(CACHE_BYTES)),
            studies: Mutex::new(Cache::new(CACHE_BYTES)),
            classifiers: Mutex::new(Cache::new(CACHE_BYTES)),
            classifying: Mutex::default(),
            search: Mutex::default(),
            page_store,
            options,
        };
        service.forget_lost_uploads();
        for job in service.jobs.list().iter().filter(|job| job.was_too_much()) {
            service.save_job(job)?;
        }
        if service.page_store.last_forgotten()?.is_some() {
            crate::indexing::forget_later(&service);
        }
        Ok(Arc::new(service))
    }

    /// Runs the work of a request on a blocking thread of the pool.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Service>,
        work: impl FnOnce(&Arc<Service>) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let service = Arc::clone(self);
        self.pool.run(move || work(&service)).await
    }

    /// The folder of spooled uploads.
    pub(crate) fn uploads(&self) -> PathBuf {
        self.options.state.join("uploads")
    }

    /// The folder of the search index.
    pub(crate) fn index_folder(&self) -> PathBuf {
        self.options.state.join("index")
    }

    /// Deletes files that belong to no job: uploads that were incomplete when the last run ended.
    fn forget_lost_uploads(&self) {
        let used: Vec<PathBuf> = self
            .jobs
            .list()
            .iter()
            .filter(|job| job.is_open())
            .filter_map(|job| match &job.task {
                Task::Crawl { file, .. } => Some(self.uploads().join(file)),
                _ => None,
            })
            .collect();
        for entry in fs::read_dir(self.uploads()).into_iter().flatten().flatten() {
            if !used.contains(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The models under a name.
    pub(crate) fn models(&self, name: &str) -> Answer<Arc<Models>> {
        self.known_models(name)?
            .ok_or_else(|| ApiError::missing("no-such-model", format!("there is no model `{name}`")))
    }

    /// The models under a name, if there are any.
    pub(crate) fn known_models(&self, name: &str) -> Answer<Option<Arc<Models>>> {
        self.cached(&self.models, MODELS, name, |bytes| {
            let file = ModelFile::decode(bytes).map_err(ApiError::internal)?;
            // The decoded models for labelling take about as much memory as the file.
            Ok((file.into_models(), bytes.len()))
        })
    }

    /// Keeps a model under a name that a client chose.
    pub(crate) fn import_model(&self, name: &str, bytes: Vec<u8>) -> Answer<()> {
        let key = name.to_owned();
        self.state_writer.edit(move |write| page_store::put_model(write, &key, &bytes))?;
        lock(&self.models).forget(name);
        Ok(())
    }

    /// Deletes a model; returns whether it existed.
    pub(crate) fn delete_model(&self, name: &str) -> Answer<bool> {
        let is_there = self.page_store.bytes(MODELS, name)?.is_some();
        let key = name.to_owned();
        self.state_writer.edit(move |write| page_store::delete(write, MODELS, &key).map(drop))?;
        lock(&self.models).forget(name);
        Ok(is_there)
    }

    /// The study of a site, if it was learned.
    pub(crate) fn study(&self, site: &str) -> Answer<Option<Arc<Study>>> {
        self.cached(&self.studies, STUDIES, site, |packed| {
            let study: Study = serde_json::from_reader(zstd::stream::read::Decoder::new(packed)?)?;
            let memory = study.memory();
            Ok((study, memory))
        })
    }

    /// Stores the model and the study of a site. Fails if some of its pages were deleted while it was learned, because both would still
    /// contain their text.
    pub(crate) fn put_learned(&self, model: Vec<u8>, study: Study) -> Answer<()> {
        let packed = zstd::bulk::compress(&serde_json::to_vec(&study)?, 3)?;
        let site = study.site.clone();
        self.state_writer.edit(move |write| {
            if !page_store::check_kept(write, &study.site, &study.pages)? {
                return Err(deleted_meanwhile(&study.site));
            }
            page_store::put_bytes(write, MODELS, &study.site, &model)?;
            page_store::put(write, SUMMARIES, &study.site, &study.summary())?;
            page_store::put_bytes(write, STUDIES, &study.site, &packed)
        })?;
        self.drop_learned(&site);
        Ok(())
    }

    /// Deletes pages of a site, together with the studies and models that contain their text.
    pub(crate) fn forget_pages(&self, site: &str, ids: Vec<u64>) -> Answer<()> {
        self.state_writer.edit(move |write| page_store::forget(write, &ids))?;
        self.drop_learned(site);
        Ok(())
    }

    fn drop_learned(&self, site: &str) {
        lock(&self.models).forget(site);
        lock(&self.studies).forget(site);
    }

    /// The summary of a site's study, if the site was learned.
    pub(crate) fn summary(&self, site: &str) -> Answer<Option<Summary>> {
        self.page_store.value(SUMMARIES, site)
    }

    /// A classifier by its name.
    pub(crate) fn classifier(&self, name: &str) -> Answer<Option<Arc<Classifier>>> {
        self.cached(&self.classifiers, CLASSIFIERS, name, |bytes| {
            let mut classifier = Classifier::decode(bytes).map_err(ApiError::internal)?;
            classifier.learn_thresholds(|| false);
            Ok((classifier, bytes.len()))
        })
    }

    /// A value from its cache, or else from its table. `read` decodes the value, and also returns its size in memory.
    fn cached<T>(
        &self,
        cache: &Mutex<Cache<T>>,
        table: page_store::Bytes,
        name: &str,
        read: impl FnOnce(&[u8]) -> Answer<(T, usize)>,
    ) -> Answer<Option<Arc<T>>> {
        let (known, begun) = {
            let mut cache = lock(cache);
            (cache.get(name), cache.begin())
        };
        if known.is_some() {
            return Ok(known);
        }
        let Some(bytes) = self.page_store.bytes(table, name)? else { return Ok(None) };
        let (value, memory) = read(&bytes)?;
        let value = Arc::new(value);
        lock(cache).put(begun, name, Arc::clone(&value), memory);
        Ok(Some(value))
    }

    /// Stores a classifier, or deletes it if `bytes` is `None`.
    pub(crate) fn put_classifier(&self, name: &str, bytes: Option<Vec<u8>>) -> Answer<()> {
        let key = name.to_owned();
        self.state_writer.edit(move |write| match bytes {
            Some(bytes) => page_store::put_named(write, CLASSIFIERS, &key, &bytes, CLASSIFIERS_MAX),
            None => page_store::delete(write, CLASSIFIERS, &key).map(drop),
        })?;
        lock(&self.classifiers).forget(name);
        Ok(())
    }

    /// The search index, if there is one.
    pub(crate) fn search_index(&self) -> Answer<Option<Arc<SearchIndex>>> {
        let mut search = lock(&self.search);
        if search.is_none() {
            *search = match SearchIndex::open(&self.index_folder()) {
                Ok(index) => Some(Arc::new(index)),
                Err(
                    unframe_search::SearchError::Missing { .. }
                    | unframe_search::SearchError::NotAnIndex { .. }
                    | unframe_search::SearchError::Unfinished { .. },
                ) => None,
                Err(error) => return Err(ApiError::internal(error)),
            };
        }
        Ok(search.clone())
    }

    /// Call this when the search index has changed. The next search opens it again.
    pub(crate) fn reopen_search(&self) {
        *lock(&self.search) = None;
    }

    /// Stores a job. Its state is read inside of the transaction, because other threads may save the same job.
    pub(crate) fn save_job(&self, job: &Arc<Job>) -> Answer<()> {
        let job = Arc::clone(job);
        self.state_writer.edit(move |write| {
            page_store::put(write, JOBS, &row_name(&job), &job.row())?;
            page_store::forget_jobs(write, JOBS_KEPT as u64)
        })
    }
}

fn deleted_meanwhile(site: &str) -> ApiError {
    let message = format!("pages of {site} were deleted while it was learned: learn it again");
    ApiError::new(StatusCode::CONFLICT, "pages-deleted", message)
}

/// The key of a job's row. Keys sort like the numbers of the jobs.
fn row_name(job: &Job) -> String {
    format!("{:020}", job.id)
}

/// A quota of `places`, of which one client may have half.
fn halved(places: usize) -> Arc<Quota> {
    Quota::new(places.max(1), (places / 2).max(1))
}

/// The limit per client: half of the memory, but never less than one body may need. The total is limited by the memory itself.
fn body_bytes_of_one(options: &Options) -> usize {
    (options.memory / 2).max(options.page_bytes).max(options.model_bytes)
}

/// The requested method, or else the method of the existing state, or else the default.
fn follow_method(options: &Options) -> Answer<FollowMethod> {
    let saved = unframe_store::saved_method(&options.state.join("follow"))?;
    match options.method.as_deref().or(saved.as_deref()) {
        Some(method) => FollowMethod::parse(method).map_err(ApiError::internal),
        None => Ok(FollowMethod::default()),
    }
}

/// The most recent saved jobs. Deletes older ones, because earlier versions kept any number.
fn saved_jobs(page_store: &PageStore, state_writer: &StateWriter) -> Answer<Vec<crate::jobs::JobRow>> {
    let mut names: Vec<String> = page_store.names(JOBS)?.into_iter().map(|(name, _)| name).collect();
    let old: Vec<String> = names.drain(..names.len().saturating_sub(JOBS_KEPT)).collect();
    if !old.is_empty() {
        state_writer.edit(move |write| {
            old.iter().try_for_each(|name| page_store::delete(write, JOBS, name).map(drop))
        })?;
    }
    names.iter().filter_map(|name| page_store.value(JOBS, name).transpose()).collect()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::jobs::{JobRow, Lane, State};
    use crate::study::StudyPage;

    fn opened(folder: &tempfile::TempDir) -> Arc<Service> {
        let options = Options { log: crate::LogFormat::None, threads: 1, ..Options::new(folder.path()) };
        Service::open(options).unwrap()
    }

    #[test]
    fn so_many_jobs_are_kept_on_disk_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let service = opened(&folder);
        // The first one is open.
        service.save_job(&service.jobs.add(Task::Index).unwrap()).unwrap();
        for number in 0..JOBS_KEPT {
            let job = service.jobs.add(Task::Delete { site: number.to_string() }).unwrap();
            service.jobs.cancel(&job);
            service.save_job(&job).unwrap();
        }
        let names = service.page_store.names(JOBS).unwrap();
        let numbers: Vec<u64> = names.iter().map(|(name, _)| name.parse().unwrap()).collect();
        assert_eq!(numbers.len(), JOBS_KEPT);
        assert_eq!(numbers[..3], [1, 3, 4]);
    }

    #[test]
    fn what_shows_deleted_pages_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let service = opened(&folder);
        let page = StudyPage {
            id: 1,
            url: "http://a.example/".to_owned(),
            title: String::new(),
            date: None,
            bytes: 1,
            share: 0,
            schema: 0,
            marks: Vec::new(),
            kinds: Vec::new(),
        };
        let study = Study { site: "a.example".to_owned(), pages: vec![page], ..Study::default() };
        // The page was deleted while its site was learned.
        let error = service.put_learned(b"model".to_vec(), study).unwrap_err();
        assert_eq!(error.code, "pages-deleted");
        assert!(service.study("a.example").unwrap().is_none());
        assert_eq!(service.page_store.names(MODELS).unwrap(), []);
    }

    fn wait_for(go: &Receiver<()>) -> Answer<()> {
        let _ = go.recv();
        Ok(())
    }

    #[test]
    fn a_job_is_saved_as_it_is_when_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let service = opened(&folder);
        service.jobs.add(Task::Index).unwrap();
        let job = service.jobs.next(Lane::Rest).unwrap();
        job.begin(service.options.job_time);
        let handles = Arc::strong_count(&job);
        let (go, wait) = channel::<()>();
        std::thread::scope(|scope| {
            // The writer is busy while the job is saved by one thread and ends in another.
            scope.spawn(|| service.state_writer.edit(move |_| wait_for(&wait)).unwrap());
            scope.spawn(|| service.save_job(&job).unwrap());
            let end = Instant::now() + Duration::from_secs(60);
            while Arc::strong_count(&job) == handles {
                assert!(Instant::now() < end, "the job is not handed to the writer");
                std::thread::yield_now();
            }
            job.end(Ok(serde_json::Value::Null));
            go.send(()).unwrap();
        });
        let row: JobRow = service.page_store.value(JOBS, &row_name(&job)).unwrap().unwrap();
        assert_eq!(row.state, State::Done);
    }
}
