//! The thread that reads pages and prepares them for the store.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use unframe::detect::{FollowMethod, PreparedPage};
use unframe::html::Piece;
use unframe::{Origin, Page, PageParser, Problem};
use unframe_crawl::{Event, ReadOptions};

use super::backlog::{Backlog, Place};
use crate::args::FollowArgs;

/// Capacity of the queue of prepared pages.
const PAGES_AHEAD: usize = 64;
/// Bytes of the pages in this queue.
const BYTES_AHEAD: usize = 64 << 20;
/// Pieces of a page that wait with it; more are made again.
const PIECES_MAX: usize = 1 << 16;
/// How often the end of a growing file is polled.
const POLL: Duration = Duration::from_millis(50);

/// A message of the reading thread.
pub(super) enum ReaderEvent {
    Page(Box<ReadPage>),
    Problem {
        origin: Origin,
        problem: Problem,
    },
    /// Reading has failed and ends.
    Failure(anyhow::Error),
}

/// A page, and what the method has prepared of it.
pub(super) struct ReadPage {
    pub(super) page: Page,
    pub(super) prepared: PreparedPage,
    /// Its pieces, unless they are too many to wait with it.
    pub(super) pieces: Option<Vec<Piece>>,
    _place: Place,
}

/// Starts reading.
pub(super) fn start(args: &FollowArgs, method: &FollowMethod) -> Receiver<ReaderEvent> {
    let (sender, events) = sync_channel(PAGES_AHEAD);
    let options = ReadOptions {
        site_by: args.site_by,
        any_status: args.any_status,
        // The store recognises repeated pages, and each of them gets an answer.
        unique: false,
        // With more threads, a page would wait until enough others have arrived.
        threads: 1,
        ..ReadOptions::default()
    };
    let backlog = Arc::new(Backlog::default());
    let reader = |sender: SyncSender<ReaderEvent>| PageReader {
        sender,
        backlog: backlog.clone(),
        options: options.clone(),
        method: method.clone(),
    };
    if args.tail {
        let idle = (args.idle > 0).then(|| Duration::from_secs(args.idle));
        for input in args.inputs.clone() {
            let reader = reader(sender.clone());
            thread::spawn(move || reader.tail(&input, idle));
        }
        return events;
    }
    let reader = reader(sender);
    let inputs = (!args.list).then(|| args.inputs.clone());
    thread::spawn(move || match inputs {
        Some(inputs) => drop(reader.read(&inputs)),
        None => reader.list(),
    });
    events
}

struct PageReader {
    sender: SyncSender<ReaderEvent>,
    backlog: Arc<Backlog>,
    options: ReadOptions,
    method: FollowMethod,
}

impl PageReader {
    fn read(&self, inputs: &[PathBuf]) -> ControlFlow<()> {
        let read = unframe_crawl::read(inputs, &self.options, || self.worker(), |event| self.send(event));
        match read.context("cannot read the crawl") {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    /// Reads files as their names arrive on standard input. A wrong name is a problem, and reading continues.
    fn list(&self) {
        for line in io::stdin().lock().lines() {
            let flow = match line {
                Ok(line) if line.trim().is_empty() => ControlFlow::Continue(()),
                Ok(line) => {
                    let path = Path::new(line.trim());
                    match path.metadata() {
                        Ok(_) => self.read(&[path.to_owned()]),
                        Err(error) => self.send(Event::Problem {
                            origin: Origin { file: line.trim().into(), offset: 0 },
                            problem: Problem::new("unreadable", error.to_string()),
                        }),
                    }
                }
                Err(error) => self.fail(anyhow::Error::new(error).context("cannot read standard input")),
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Reads a file that grows.
    fn tail(&self, path: &Path, idle: Option<Duration>) {
        match File::open(path).with_context(|| format!("cannot read {}", path.display())) {
            Ok(file) => {
                let growing = GrowingFile { file, idle, last: Instant::now() };
                let name = path.to_string_lossy();
                unframe_crawl::read_stream(
                    &name,
                    growing,
                    &self.options,
                    || self.worker(),
                    |event| self.send(event),
                );
            }
            Err(error) => drop(self.fail(error)),
        }
    }

    fn worker(&self) -> impl FnMut(Page) -> Box<ReadPage> {
        let mut parser = PageParser::new();
        move |page| {
            let place = self.backlog.enter(page.payload.len(), BYTES_AHEAD);
            let parsed = parser.open(&page);
            let prepared = self.method.prepare(&parsed);
            let pieces = Some(parsed.pieces()).filter(|pieces| pieces.len() <= PIECES_MAX);
            let pieces = pieces.map(<[Piece]>::to_vec);
            Box::new(ReadPage { page, prepared, pieces, _place: place })
        }
    }

    fn send(&self, event: Event<Box<ReadPage>>) -> ControlFlow<()> {
        let event = match event {
            Event::Page(read_page) => ReaderEvent::Page(read_page),
            Event::Problem { origin, problem } => ReaderEvent::Problem { origin, problem },
        };
        match self.sender.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn fail(&self, error: anyhow::Error) -> ControlFlow<()> {
        let _ = self.sender.send(ReaderEvent::Failure(error));
        ControlFlow::Break(())
    }
}

/// A file that another process is still writing.
struct GrowingFile {
    file: File,
    /// How long to wait for new data; forever if `None`.
    idle: Option<Duration>,
    last: Instant,
}

impl Read for GrowingFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.file.read(into)?;
            if length > 0 || into.is_empty() {
                self.last = Instant::now();
                return Ok(length);
            }
            if self.idle.is_some_and(|idle| self.last.elapsed() >= idle) {
                return Ok(0);
            }
            thread::sleep(POLL);
        }
    }
}
