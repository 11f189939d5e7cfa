//! Reads pages as an iterator.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};
use unframe::Page;

use crate::{Event, ReadError, ReadOptions, Summary, input, read, read_stream};

/// Capacity of the queue of pages.
const PAGES_AHEAD: usize = 16;

/// Reads all pages of a crawl, one after the other. This is [`read`](crate::read()) as an iterator, for programs that need no threads of their own.
///
/// ```no_run
/// use unframe_crawl::{Event, ReadOptions, pages};
///
/// for event in pages(vec!["crawl.warc.gz".into()], ReadOptions::default())? {
///     if let Event::Page(page) = event {
///         println!("{} {}", page.url, page.payload.len());
///     }
/// }
/// # Ok::<(), unframe_crawl::ReadError>(())
/// ```
///
/// # Errors
/// If an input does not exist.
pub fn pages(inputs: Vec<PathBuf>, options: ReadOptions) -> Result<Pages, ReadError> {
    input::check(&inputs)?;
    Ok(Pages::start(move |sink| read(&inputs, &options, || |page| page, sink)))
}

/// Like [`pages`], for a crawl that is neither a file nor standard input. `name` is the file name in the origins of pages.
pub fn pages_of_stream(name: String, reader: impl Read + Send + 'static, options: ReadOptions) -> Pages {
    Pages::start(move |sink| Ok(read_stream(&name, reader, &options, || |page| page, sink)))
}

/// The iterator that [`pages`] returns. A background thread reads a few pages ahead.
#[derive(Debug)]
pub struct Pages {
    events: Receiver<Event<Page>>,
    reader: Option<JoinHandle<Result<Summary, ReadError>>>,
    summary: Summary,
}

/// The consumer of the events of a run.
type Sink<'a> = &'a mut dyn FnMut(Event<Page>) -> ControlFlow<()>;

impl Pages {
    fn start(run: impl FnOnce(Sink<'_>) -> Result<Summary, ReadError> + Send + 'static) -> Pages {
        let (sender, events) = bounded(PAGES_AHEAD);
        let reader = thread::spawn(move || {
            run(&mut |event| match sender.send(event) {
                Ok(()) => ControlFlow::Continue(()),
                // The iterator was dropped.
                Err(_) => ControlFlow::Break(()),
            })
        });
        Pages { events, reader: Some(reader), summary: Summary::default() }
    }

    /// The summary, which is empty until the iterator has ended.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl Iterator for Pages {
    type Item = Event<Page>;

    fn next(&mut self) -> Option<Event<Page>> {
        if let Ok(event) = self.events.recv() {
            return Some(event);
        }
        match self.reader.take()?.join() {
            Ok(summary) => self.summary = summary.unwrap_or_default(),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        None
    }
}
