//! The search index, kept up with the pages that come and go.
//!
//! It has one page for each address: the one that came last of those that are kept. One job at a time changes it.

use serde_json::{Value, json};
use unframe_search::{Committed, IndexWriter, Options as IndexOptions, Preparer, Removal};

use crate::error::{Answer, ApiError};
use crate::jobs::{Job, Task};
use crate::kept::{self, INDEXED};
use crate::service::Service;

/// Memory for building the index.
const INDEX_MEMORY: usize = 128 << 20;
/// Deleted addresses that are read at a time.
const READ_TOGETHER: usize = 1000;

/// Takes out what was deleted, and adds the pages that came since the last time.
pub(crate) fn index(service: &Service, job: &Job) -> Answer<Value> {
    // Looked up first: a page that is deleted when it was added already is on the list for the next time.
    let forgotten = service.kept.last_forgotten()?;
    let ids = service.kept.all_ids(service.kept.counter(INDEXED)?)?;
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
    service.keeper.edit(move |write| {
        kept::set_counter(write, INDEXED, last)?;
        forgotten.map_or(Ok(()), |last| kept::settle(write, last))
    })?;
    service.reopen_search();
    Ok(json!({"pages": committed.pages, "total": committed.total}))
}

/// Takes out what was deleted, if there is an index.
pub(crate) fn forget(service: &Service, job: &Job) -> Answer<Value> {
    let Some(last) = service.kept.last_forgotten()? else { return Ok(json!({"pages": 0})) };
    let mut pages = 0;
    if service.search_index()?.is_some() {
        let mut update = Update::open(service)?;
        update.forget(job, Some(last))?;
        pages = update.commit()?.deleted;
    }
    service.keeper.edit(move |write| kept::settle(write, last))?;
    service.reopen_search();
    Ok(json!({"pages": pages}))
}

/// Has pages that were deleted taken out of the index as soon as there is time. If that comes to nothing, they are on the list
/// for the next job and the next start.
pub(crate) fn forget_later(service: &Service) {
    let _ = service.jobs.add(Task::Forget);
}

/// Changes of the index that happen all at once.
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

    /// Takes the addresses on the list out, up to this number. Where another page with the address is kept, that one is found
    /// from now on.
    fn forget(&mut self, job: &Job, last: Option<u64>) -> Answer<()> {
        let (mut next, last) = (0, last.unwrap_or(0));
        while next <= last {
            let found = self.service.kept.forgotten(next, last, READ_TOGETHER)?;
            next = found.last().map_or(u64::MAX, |(number, ..)| number + 1);
            for (_, site, url) in found {
                job.go_on()?;
                match self.service.kept.newest(&site, &url)? {
                    Some(id) => self.add(id)?,
                    None => self.writer.delete(&url).map_err(ApiError::internal)?,
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, id: u64) -> Answer<()> {
        if let Some((_, page)) = self.service.kept.page(id)? {
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

    use unframe::{Origin, Page, charset};
    use unframe_search::Query;

    use super::*;
    use crate::arrival::Preparer;
    use crate::background::perform;
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
            let payload = format!("<p>Nothing but {word}").into_bytes();
            let page = Page {
                url: format!("http://a.example/{word}"),
                site: "a.example".to_owned(),
                date: None,
                charset: charset::find(&payload, None),
                payload,
                record_id: None,
                origin: Origin { file: "test".into(), offset: 0 },
                problems: Vec::new(),
            };
            let arrived = Preparer::new(&service.method).prepare(&Arc::new(page), true).unwrap();
            service.keeper.page(arrived).unwrap().blocking_recv().unwrap().unwrap();
        }
        service.jobs.add(Task::Index).unwrap();
        next(&service).unwrap();
        assert_eq!(found(&service), [1, 1, 1]);
        service
    }

    /// Does the job that is next.
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
        service.keeper.edit(|write| kept::forget(write, 2).map(drop)).unwrap();
        service.keeper.stop().unwrap();
        drop(service);
        let service = open(&folder);
        assert_eq!(found(&service), [1, 1, 1]);
        assert_eq!(next(&service).unwrap(), json!({"pages": 1}));
        assert_eq!(found(&service), [1, 0, 1]);
        assert_eq!(service.kept.last_forgotten().unwrap(), None);
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
