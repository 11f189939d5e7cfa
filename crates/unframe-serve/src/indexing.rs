//! Keeps the search index up to date.
//!
//! The index has one page for each address: the stored page that was posted last. Only one job at a time changes the index.

use serde_json::{Value, json};
use unframe_search::{Committed, IndexWriter, Options as IndexOptions, Preparer, Removal};

use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Task};
use crate::page_store::{self, INDEXED};
use crate::service::Service;

/// Memory for building the index.
const INDEX_MEMORY: usize = 128 << 20;
/// Deleted addresses that are read at a time.
const READ_TOGETHER: usize = 1000;

/// Removes deleted pages, and adds the new ones.
pub(crate) fn index(service: &Service, job: &Job) -> Answer<Value> {
    // The list is read before the pages: a page that is added and then deleted during this run stays on the list for the next one.
    let forgotten = service.page_store.last_forgotten()?;
    let ids = service.page_store.all_ids(service.page_store.counter(INDEXED)?)?;
    job.set_total(ids.len() as u64);
    let Some(last) = ids.last().copied() else {
        forget(service, job)?;
        return Ok(json!({"pages": 0}));
    };
    let mut update = Update::open(service)?;
    update.forget(job, forgotten)?;
    for id in ids {
        job.step()?;
        update.add(id)?;
    }
    let committed = update.commit()?;
    service.state_writer.edit(move |write| {
        page_store::set_counter(write, INDEXED, last)?;
        forgotten.map_or(Ok(()), |last| page_store::settle(write, last))
    })?;
    service.reopen_search();
    Ok(json!({"pages": committed.pages, "total": committed.total}))
}

/// Removes deleted pages from the index, if there is one.
pub(crate) fn forget(service: &Service, job: &Job) -> Answer<Value> {
    let Some(last) = service.page_store.last_forgotten()? else { return Ok(json!({"pages": 0})) };
    let mut pages = 0;
    if service.search_index()?.is_some() {
        let mut update = Update::open(service)?;
        update.forget(job, Some(last))?;
        pages = update.commit()?.deleted;
    }
    service.state_writer.edit(move |write| page_store::settle(write, last))?;
    service.reopen_search();
    Ok(json!({"pages": pages}))
}

/// Queues a job that removes deleted pages from the index. If that fails, the pages stay on the list for the next job or the next start.
pub(crate) fn forget_later(service: &Service) {
    let _ = service.jobs.add(Task::Forget);
}

/// A change of the index that is committed atomically.
struct Update<'a> {
    service: &'a Service,
    writer: IndexWriter,
    preparer: Preparer,
    parser: unframe::PageParser,
}

impl Update<'_> {
    fn open(service: &Service) -> Answer<Update<'_>> {
        let removal = Removal::Blocks(Default::default());
        let preparer = Preparer::new(&removal);
        let options = IndexOptions { memory: INDEX_MEMORY, threads: 1, searchable_templates: true };
        let writer =
            IndexWriter::open(&service.index_folder(), removal, &options).map_err(ApiError::internal)?;
        Ok(Update { service, writer, preparer, parser: unframe::PageParser::new() })
    }

    /// Removes the addresses on the list, up to this number. If another page with the same address is stored, it is indexed instead.
    fn forget(&mut self, job: &Job, last: Option<u64>) -> Answer<()> {
        let (mut next, last) = (0, last.unwrap_or(0));
        while next <= last {
            let found = self.service.page_store.forgotten(next, last, READ_TOGETHER)?;
            next = found.last().map_or(u64::MAX, |(number, ..)| number + 1);
            for (_, site, url) in found {
                job.check_running()?;
                match self.service.page_store.newest(&site, &url)? {
                    Some(id) => self.add(id)?,
                    None => self.writer.delete(&url).map_err(ApiError::internal)?,
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, id: u64) -> Answer<()> {
        if let Some((_, page)) = self.service.page_store.page(id)? {
            self.writer
                .add(self.preparer.prepare(&page, &self.parser.open(&page), &[]))
                .map_err(ApiError::internal)?;
        }
        Ok(())
    }

    fn commit(self) -> Answer<Committed> {
        self.writer.commit().map_err(ApiError::internal)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use unframe::Page;
    use unframe_search::Query;

    use super::*;
    use crate::background::perform;
    use crate::incoming::Preparer;
    use crate::jobs::Lane;
    use crate::{LogFormat, Options};

    fn open(folder: &tempfile::TempDir) -> Arc<Service> {
        let log = LogFormat::None;
        Service::open(Options { log, threads: 1, ..Options::new(folder.path()) }).unwrap()
    }

    /// A service with three pages in its index, each with a word of its own.
    fn indexed(folder: &tempfile::TempDir) -> Arc<Service> {
        let service = open(folder);
        for word in ["apples", "pears", "plums"] {
            let page = Page::new(format!("http://a.example/{word}"), format!("<p>Nothing but {word}"));
            let incoming = Preparer::new(&service.method).prepare(&Arc::new(page), true).unwrap();
            service.state_writer.page(incoming).unwrap().blocking_recv().unwrap().unwrap();
        }
        service.jobs.add(Task::Index).unwrap();
        next(&service).unwrap();
        assert_eq!(found(&service), [1, 1, 1]);
        service
    }

    /// Runs the next job.
    fn next(service: &Service) -> Answer<Value> {
        perform(service, &service.jobs.next(Lane::Rest).unwrap())
    }

    fn found(service: &Service) -> [u64; 3] {
        let index = service.search_index().unwrap().unwrap();
        ["apples", "pears", "plums"].map(|word| index.search(&Query::new(word)).unwrap().total as u64)
    }

    #[test]
    fn what_was_deleted_before_a_crash_is_taken_out_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let service = indexed(&folder);
        service.state_writer.edit(|write| page_store::forget(write, &[2])).unwrap();
        service.state_writer.stop().unwrap();
        drop(service);
        let service = open(&folder);
        assert_eq!(found(&service), [1, 1, 1]);
        assert_eq!(next(&service).unwrap(), json!({"pages": 1}));
        assert_eq!(found(&service), [1, 0, 1]);
        assert_eq!(service.page_store.last_forgotten().unwrap(), None);
    }

    #[test]
    fn a_deletion_that_is_cancelled_takes_out_what_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let service = indexed(&folder);
        let job = service.jobs.add(Task::Delete { site: "a.example".into() }).unwrap();
        let same = service.jobs.next(Lane::Rest).unwrap();
        service.jobs.cancel(&job);
        assert_eq!(perform(&service, &same).unwrap_err().code, "cancelled");
        assert_eq!(next(&service).unwrap(), json!({"pages": 3}));
        assert_eq!(found(&service), [0, 0, 0]);
    }
}
