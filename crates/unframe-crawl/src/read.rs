//! Reads crawls, on the calling thread or on several threads.

use std::any::Any;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use unframe::{Origin, Page, Problem};

use crate::cdx::Chosen;
use crate::extract::{Extracted, extract};
use crate::input::{self, Inputs, Reader};
use crate::unique::Unique;
use crate::{Progress, ReadError, ReadOptions, Summary, parallel};

/// The items that the sink of [`read`] gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<T> {
    /// The result of the worker for a page.
    Page(T),
    /// A problem of the input that is not the problem of a page.
    Problem {
        /// The location.
        origin: Origin,
        /// The problem.
        problem: Problem,
    },
}

/// Reads all pages of a crawl.
///
/// `inputs` are files and folders in any mix; `-` is standard input. They are read in the order given, and the files of a folder in the
/// order of their names. The format of a file is detected from its contents.
///
/// The address of a page that is an HTML file is the `file:` address of its path. In a folder that is named after a host, or whose first
/// folder is, as in mirrors, it is `http://host/path`. In folders, symbolic links are followed unless their target is read under its own
/// name, and hidden files are skipped.
///
/// How the functions are called:
/// - `new_worker` is called once on each thread that makes pages. The returned worker stays on that thread, so it can own data that cannot
///   be shared, such as the arena of a parser.
/// - The worker is called once per page, after repeats, other types and other statuses were dropped. Workers run concurrently. (When `sink`
///   ends the run, some results are discarded.)
/// - `sink` is called on the calling thread with the results of the workers and the problems between them, in the order of the input,
///   whatever the number of threads. [`ControlFlow::Break`] ends the run.
///
/// With [`threads: 1`](ReadOptions::threads) everything runs on the calling thread, page after page.
///
/// # Errors
/// If an input does not exist. Problems inside an input are passed to `sink` as a [`Problem`].
pub fn read<T: Send + 'static, W: FnMut(Page) -> T>(
    inputs: &[PathBuf],
    options: &ReadOptions,
    new_worker: impl Fn() -> W + Sync,
    sink: impl FnMut(Event<T>) -> ControlFlow<()>,
) -> Result<Summary, ReadError> {
    input::check(inputs)?;
    if let (Some(progress), Some(bytes)) = (&options.progress, input::total_bytes(inputs)) {
        progress.set_bytes_total(bytes);
    }
    Ok(read_inputs(Inputs::Paths(inputs), options, new_worker, sink))
}

/// Like [`read`], for a crawl that is neither a file nor standard input.
///
/// `name` is the file's name in the origins of pages and problems.
pub fn read_stream<T: Send + 'static, W: FnMut(Page) -> T>(
    name: &str,
    reader: impl Read + Send + 'static,
    options: &ReadOptions,
    new_worker: impl Fn() -> W + Sync,
    sink: impl FnMut(Event<T>) -> ControlFlow<()>,
) -> Summary {
    read_inputs(Inputs::Stream(name, Box::new(reader)), options, new_worker, sink)
}

/// Like [`read`], for the pages of chosen records only.
pub fn read_chosen<T: Send + 'static, W: FnMut(Page) -> T>(
    chosen: &Chosen,
    options: &ReadOptions,
    new_worker: impl Fn() -> W + Sync,
    sink: impl FnMut(Event<T>) -> ControlFlow<()>,
) -> Summary {
    if let Some(progress) = &options.progress {
        progress.set_bytes_total(chosen.bytes());
    }
    read_inputs(Inputs::Chosen(chosen), options, new_worker, sink)
}

/// The result of a worker. It is boxed so that reading is compiled once, and not for every kind of worker.
pub(crate) type Made = Box<dyn Any + Send>;
pub(crate) type Worker<'w> = Box<dyn FnMut(Page) -> Made + 'w>;
pub(crate) type NewWorker<'n, 'w> = &'n (dyn Fn() -> Worker<'w> + Sync);
pub(crate) type Sink<'s> = &'s mut dyn FnMut(Event<Made>) -> ControlFlow<()>;

fn read_inputs<'w, T: Send + 'static, W: FnMut(Page) -> T + 'w>(
    inputs: Inputs<'_>,
    options: &ReadOptions,
    new_worker: impl Fn() -> W + Sync,
    mut sink: impl FnMut(Event<T>) -> ControlFlow<()>,
) -> Summary {
    let new_worker = || -> Worker<'w> {
        let mut worker = new_worker();
        Box::new(move |page| Box::new(worker(page)))
    };
    read_boxed(inputs, options, &new_worker, &mut |event| match event {
        Event::Problem { origin, problem } => sink(Event::Problem { origin, problem }),
        Event::Page(made) => match made.downcast::<T>() {
            Ok(made) => sink(Event::Page(*made)),
            Err(_) => unreachable!("all workers make this type"),
        },
    })
}

fn read_boxed(
    inputs: Inputs<'_>,
    options: &ReadOptions,
    new_worker: NewWorker<'_, '_>,
    sink: Sink<'_>,
) -> Summary {
    let progress = options.progress.clone().unwrap_or_default();
    let bytes_before = progress.bytes_read();
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let mut summary = match threads {
        1 => read_here(inputs, options, &progress, new_worker(), sink),
        _ => parallel::read(inputs, options, &progress, threads, new_worker, sink),
    };
    summary.bytes_read = progress.bytes_read() - bytes_before;
    summary
}

/// Reads on the calling thread.
fn read_here(
    inputs: Inputs<'_>,
    options: &ReadOptions,
    progress: &Arc<Progress>,
    mut worker: Worker<'_>,
    sink: Sink<'_>,
) -> Summary {
    let reader = Reader { progress: progress.clone(), batch_bytes: 0, helpers: None, files_ahead: 0 };
    let mut summary = Summary::default();
    let mut unique = Unique::default();
    let _ = reader.read(inputs, &mut |batch| {
        summary.add(std::mem::take(&mut batch.counts));
        for item in batch.items.drain(..) {
            let extracted = extract(item, &batch.bytes, &batch.file, options);
            deliver(extracted, &mut unique, &mut summary, &mut |event| {
                sink(match event {
                    Event::Problem { origin, problem } => Event::Problem { origin, problem },
                    Event::Page(page) => {
                        progress.add_page();
                        Event::Page(worker(page))
                    }
                })
            })?;
        }
        ControlFlow::Continue(())
    });
    summary
}

/// Counts an item, drops repeats, and passes on the rest.
pub(crate) fn deliver(
    extracted: Extracted,
    unique: &mut Unique,
    summary: &mut Summary,
    sink: &mut dyn FnMut(Event<Page>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (page, hash) = match extracted {
        Extracted::Skipped(reason, problem) => {
            summary.skip(reason);
            let Some((origin, problem)) = problem else { return ControlFlow::Continue(()) };
            summary.problems += 1;
            return sink(Event::Problem { origin, problem });
        }
        Extracted::Problem(origin, problem) => {
            summary.problems += 1;
            return sink(Event::Problem { origin, problem });
        }
        Extracted::Page(page, hash) => (page, hash),
    };
    if let Some(hash) = hash {
        let (is_new, problem) = unique.insert(hash);
        if let Some(problem) = problem {
            summary.problems += 1;
            sink(Event::Problem { origin: page.origin.clone(), problem })?;
        }
        if !is_new {
            summary.skip("duplicate");
            return ControlFlow::Continue(());
        }
    }
    summary.pages += 1;
    summary.payload_bytes += page.payload.len() as u64;
    summary.problems += page.problems.len() as u64;
    sink(Event::Page(*page))
}
