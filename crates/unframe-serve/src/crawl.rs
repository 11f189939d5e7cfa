//! Processes an uploaded crawl page by page, in order, with a bounded number of pages in flight.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use tokio::sync::oneshot;
use unframe::learn::Models;
use unframe::{Change, Page, Problem};
use unframe_crawl::{Event, Progress, ReadOptions};

use crate::answer_format::PageFormat;
use crate::error::{Answer, ApiError};
use crate::incoming::{Preparer, followed_line, model_line};
use crate::limits::{CRAWL_WINDOW_BYTES, CRAWL_WINDOW_PAGES, URL_CHARS_MAX};
use crate::service::Service;
use crate::state_writer::{FollowedPage, stopped};

/// An uploaded crawl, with the options of reading and answering it.
pub(crate) struct Crawl {
    pub(crate) path: PathBuf,
    /// The name of the file in problems.
    pub(crate) name: String,
    pub(crate) wanted: PageFormat,
    /// The models to label with. Without models, pages are followed and may be kept.
    pub(crate) models: Option<Arc<Models>>,
    pub(crate) is_kept: bool,
    pub(crate) any_status: bool,
    pub(crate) progress: Arc<Progress>,
}

/// Counts of a crawl.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) pages: u64,
    pub(crate) problems: u64,
    pub(crate) known: u64,
}

/// A pending line of the answer.
enum Pending {
    /// A page that is not durable yet.
    Page { page: Arc<Page>, followed: oneshot::Receiver<Answer<FollowedPage>> },
    /// A line that is ready.
    Line(Vec<u8>),
}

impl Pending {
    /// Approximate memory in bytes.
    fn bytes(&self) -> usize {
        match self {
            Pending::Page { page, .. } => page.payload.len(),
            Pending::Line(line) => line.len(),
        }
    }
}

impl Crawl {
    /// Reads all pages. `sink` gets a line for each page when it is durable, and for each problem. An error of `sink` ends the run.
    pub(crate) fn run(
        &self,
        service: &Service,
        mut sink: impl FnMut(Vec<u8>) -> Answer<()>,
    ) -> Answer<Counts> {
        let options = ReadOptions {
            site_by: service.options.site_by,
            any_status: self.any_status,
            unique: false,
            threads: 1,
            progress: Some(Arc::clone(&self.progress)),
            ..ReadOptions::default()
        };
        let mut reading = CrawlRun {
            crawl: self,
            service,
            preparer: Preparer::new(&service.method),
            window: VecDeque::new(),
            window_bytes: 0,
            counts: Counts::default(),
            sink: &mut sink,
        };
        let mut failure = None;
        let read = unframe_crawl::read(
            std::slice::from_ref(&self.path),
            &options,
            || |page: Page| page,
            |event| match reading.take(event) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        if let Err(error) = read {
            return Err(ApiError::internal(error));
        }
        // Pages that were sent to the writer become durable, even after an error.
        let drained = reading.empty(0, 0);
        match failure {
            Some(error) => Err(error),
            None => drained.map(|()| reading.counts),
        }
    }
}

struct CrawlRun<'a> {
    crawl: &'a Crawl,
    service: &'a Service,
    preparer: Preparer,
    window: VecDeque<Pending>,
    window_bytes: usize,
    counts: Counts,
    sink: &'a mut dyn FnMut(Vec<u8>) -> Answer<()>,
}

impl CrawlRun<'_> {
    fn take(&mut self, event: Event<Page>) -> Answer<()> {
        match event {
            Event::Problem { origin, problem } => self.problem(None, origin.offset, &problem),
            Event::Page(page) => {
                for problem in &page.problems {
                    self.problem(Some(&page.url), page.origin.offset, problem)?;
                }
                self.page(page)
            }
        }
    }

    fn page(&mut self, page: Page) -> Answer<()> {
        let bytes_max = self.service.options.page_bytes;
        let too_long = |what: &str, length: usize, unit: &str, length_max: usize| {
            (length > length_max)
                .then(|| format!("{what} of {length} {unit}, and at most {length_max} are accepted"))
        };
        let message = too_long("a page", page.payload.len(), "bytes", bytes_max)
            .or_else(|| too_long("an address", page.url.chars().count(), "characters", URL_CHARS_MAX));
        if let Some(message) = message {
            return self.problem(Some(&page.url), page.origin.offset, &Problem::new("too-large", message));
        }
        if let Some(models) = &self.crawl.models {
            self.counts.pages += 1;
            let line = model_line(&page, models, self.crawl.wanted, &mut self.preparer.parser)?;
            return self.line(line);
        }
        let page = Arc::new(page);
        let incoming = self.preparer.prepare(&page, self.crawl.is_kept)?;
        let followed = self.service.state_writer.page_when_there_is_room(incoming)?;
        self.push(Pending::Page { page, followed })
    }

    fn push(&mut self, last: Pending) -> Answer<()> {
        self.window_bytes += last.bytes();
        self.window.push_back(last);
        self.empty(CRAWL_WINDOW_PAGES, CRAWL_WINDOW_BYTES)
    }

    /// Waits for pages to become durable, until at most this many lines and bytes are pending. Ready lines at the front are written.
    fn empty(&mut self, pages_max: usize, bytes_max: usize) -> Answer<()> {
        while self.window.len() > pages_max
            || self.window_bytes > bytes_max
            || matches!(self.window.front(), Some(Pending::Line(_)))
        {
            let Some(first) = self.window.pop_front() else { break };
            self.window_bytes -= first.bytes();
            let (page, followed) = match first {
                Pending::Page { page, followed } => (page, followed),
                Pending::Line(line) => {
                    (self.sink)(line)?;
                    continue;
                }
            };
            let followed = followed.blocking_recv().unwrap_or_else(|_| Err(stopped()))?;
            self.counts.pages += 1;
            self.counts.known += u64::from(followed.visited.change == Change::Unchanged);
            self.service.metrics.page();
            let line = match self.crawl.wanted {
                PageFormat::Nothing => Vec::new(),
                wanted => followed_line(&page, &followed, wanted, &mut self.preparer.parser)?,
            };
            (self.sink)(line)?;
        }
        Ok(())
    }

    fn problem(&mut self, url: Option<&str>, offset: u64, problem: &Problem) -> Answer<()> {
        self.counts.problems += 1;
        let line = json!({"problem": {
            "file": self.crawl.name, "offset": offset, "url": url, "code": problem.code, "message": problem.message,
        }});
        self.line(format!("{line}\n").into_bytes())
    }

    /// Adds a line after all pending ones.
    fn line(&mut self, line: Vec<u8>) -> Answer<()> {
        self.push(Pending::Line(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LogFormat, Options};

    #[test]
    fn lines_take_room_like_pages() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { log: LogFormat::None, threads: 1, ..Options::new(folder.path()) };
        let service = Service::open(options).unwrap();
        let crawl = Crawl {
            path: PathBuf::new(),
            name: "test".to_owned(),
            wanted: PageFormat::Labels,
            models: None,
            is_kept: false,
            any_status: false,
            progress: Arc::default(),
        };
        let written = std::cell::Cell::new(0);
        let mut reading = CrawlRun {
            crawl: &crawl,
            service: &service,
            preparer: Preparer::new(&service.method),
            window: VecDeque::new(),
            window_bytes: 0,
            counts: Counts::default(),
            sink: &mut |_| {
                written.set(written.get() + 1);
                Ok(())
            },
        };
        // A line is written immediately if nothing is pending before it.
        reading.line(vec![b'a']).unwrap();
        assert_eq!((written.get(), reading.window_bytes), (1, 0));
        // This page is never confirmed as durable, so later lines have to wait.
        let page = Page::new("http://a.example/", [b'a'; 10]);
        let (_, followed) = oneshot::channel();
        reading.push(Pending::Page { page: Arc::new(page), followed }).unwrap();
        reading.line(vec![b'a'; CRAWL_WINDOW_BYTES - 10]).unwrap();
        assert_eq!((written.get(), reading.window_bytes), (1, CRAWL_WINDOW_BYTES));
        // One more byte does not fit into the window.
        assert_eq!(reading.line(vec![b'a']).unwrap_err().code, "busy");
    }
}
