//! Pages as an iterator.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};
use unframe::Page;

use crate::{Event, ReadError, ReadOptions, Summary, input, read};

/// Pages that wait to be taken.
const PAGES_AHEAD: usize = 16;

/// Reads all pages of a crawl, one after the other: [`read`](crate::read()) as an iterator, for programs that need no
/// threads of their own.
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
    let (sender, events) = bounded(PAGES_AHEAD);
    let reader = thread::spawn(move || {
        read(
            &inputs,
            &options,
            || |page| page,
            |event| match sender.send(event) {
                Ok(()) => ControlFlow::Continue(()),
                // The iterator was dropped.
                Err(_) => ControlFlow::Break(()),
            },
        )
    });
    Ok(Pages { events, reader: Some(reader), summary: Summary::default() })
}

/// The iterator that [`pages`] returns. Reading goes on in the background, a few pages ahead.
#[derive(Debug)]
pub struct Pages {
    events: Receiver<Event<Page>>,
    reader: Option<JoinHandle<Result<Summary, ReadError>>>,
    summary: Summary,
}

impl Pages {
    /// What was read, once the iterator has come to its end; before that, nothing.
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
