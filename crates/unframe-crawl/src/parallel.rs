//! Reading on several threads, with the results in the order of the input.
//!
//! One thread reads the files and splits them into batches of records. The workers turn batches into pages, and inflate pieces of gzip
//! files for the reading thread. The calling thread takes the results in order, batch by batch. Each batch in flight counts against a limit
//! on bytes, first with its records, then with their pages, so that memory stays bounded even if the sink is slow.
//!
//! Repeats are dropped in the order of the input: a worker waits for its turn to compare its batch, then continues with the expensive part.
//! This cannot deadlock: batches are taken in order, so some worker always has the batch whose turn it is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use unframe::Page;

use crate::batch::Batch;
use crate::decode::{InflateTask, MemberInflater};
use crate::extract::{Extracted, extract};
use crate::input::{Inputs, Reader};
use crate::read::{Made, NewWorker, Sink, Worker, deliver};
use crate::unique::Unique;
use crate::{Event, Progress, ReadOptions, Summary};

/// Minimum size of a task in bytes of records.
const BATCH_BYTES: usize = 256 << 10;
/// Maximum number of batches in a task, for folders with many small files.
const BATCHES_MAX: usize = 64;
/// Bytes of pages after which a worker processes them, because a small record may decode to a long page.
const CHUNK_BYTES_MAX: usize = 64 << 20;
/// Larger buffers are not reused, so that a few large records do not hold memory until the end.
const BUFFER_BYTES_MAX: usize = 16 << 20;

/// Reads with several workers; see [`read`](crate::read()).
pub(crate) fn read(
    inputs: Inputs<'_>,
    options: &ReadOptions,
    progress: &Arc<Progress>,
    threads: usize,
    new_worker: NewWorker<'_, '_>,
    sink: Sink<'_>,
) -> Summary {
    let budget = InFlightBudget::new(options.read_ahead);
    let turns = Turns::default();
    let (inflate_tasks, inflate_queue) = unbounded::<InflateTask>();
    let (page_tasks, page_queue) = unbounded::<PageTask>();
    let (returned, taken) = bounded::<Vec<u8>>(2 * threads);
    let buffers = Buffers { returned, taken };
    let (order, results) = bounded::<Receiver<Done>>(8 * threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (inflate_queue, page_queue) = (inflate_queue.clone(), page_queue.clone());
            let shared = Shared { options, budget: &budget, turns: &turns, buffers: &buffers };
            scope.spawn(move || work(inflate_queue, page_queue, shared, new_worker()));
        }
        let (reader_budget, progress_there) = (&budget, progress.clone());
        scope.spawn(move || {
            let reader = Reader {
                progress: progress_there,
                batch_bytes: BATCH_BYTES,
                helpers: Some(inflate_tasks),
                files_ahead: threads,
            };
            let mut dispatch = Dispatch {
                budget: reader_budget,
                page_tasks,
                order,
                number: 0,
                batches: Vec::new(),
                size: 0,
            };
            let flow = reader.read(inputs, &mut |batch| dispatch.add(batch.take()));
            if flow.is_continue() {
                let _ = dispatch.send();
            }
        });
        // The other threads end however this ends, even by a panic of the sink.
        let _end = EndOnDrop(&budget);
        take_results(results, &budget, progress, sink)
    })
}

/// Hands the results to the sink, in the order of the input, until it breaks.
fn take_results(
    results: Receiver<Receiver<Done>>,
    budget: &InFlightBudget,
    progress: &Progress,
    sink: Sink<'_>,
) -> Summary {
    let mut summary = Summary::default();
    for result in results {
        // A worker that panicked sends no reply; the scope propagates the panic.
        let Ok(done) = result.recv() else { break };
        budget.release(done.size);
        summary.add(done.counts);
        for event in done.events {
            if matches!(event, Event::Page(_)) {
                progress.add_page();
            }
            if sink(event).is_break() {
                return summary;
            }
        }
    }
    summary
}

/// Sends batches to the workers, several small ones at a time.
struct Dispatch<'a> {
    budget: &'a InFlightBudget,
    page_tasks: Sender<PageTask>,
    order: Sender<Receiver<Done>>,
    number: u64,
    batches: Vec<Batch>,
    size: usize,
}

impl Dispatch<'_> {
    fn add(&mut self, batch: Batch) -> ControlFlow<()> {
        self.size += batch.held_bytes();
        self.batches.push(batch);
        match self.size >= BATCH_BYTES || self.batches.len() >= BATCHES_MAX {
            true => self.send(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Waits for room and sends the batches. Breaks if the run is over.
    fn send(&mut self) -> ControlFlow<()> {
        let (batches, size) = (std::mem::take(&mut self.batches), std::mem::take(&mut self.size));
        self.budget.acquire(size)?;
        let (reply, result) = bounded(1);
        let task = PageTask { number: self.number, batches, size, reply };
        self.number += 1;
        match self.page_tasks.send(task).is_ok() && self.order.send(result).is_ok() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

struct PageTask {
    number: u64,
    batches: Vec<Batch>,
    size: usize,
    reply: Sender<Done>,
}

struct Done {
    events: Vec<Event<Made>>,
    counts: Summary,
    size: usize,
}

/// State that the workers share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    options: &'a ReadOptions,
    budget: &'a InFlightBudget,
    turns: &'a Turns,
    buffers: &'a Buffers,
}

/// Buffers for reuse: freeing and allocating large ones is slow with many threads.
struct Buffers {
    returned: Sender<Vec<u8>>,
    taken: Receiver<Vec<u8>>,
}

/// The loop of a worker.
fn work(
    mut inflate_queue: Receiver<InflateTask>,
    page_queue: Receiver<PageTask>,
    shared: Shared<'_>,
    mut worker: Worker<'_>,
) {
    let mut inflater = MemberInflater::new();
    loop {
        select! {
            recv(inflate_queue) -> task => match task {
                Ok(task) => task.run(&mut inflater, shared.buffers.taken.try_recv().unwrap_or_default()),
                // The reading thread has ended, so only tasks for pages are left.
                Err(_) => inflate_queue = never(),
            },
            recv(page_queue) -> task => match task {
                Ok(task) => {
                    let turn = Turn { turns: shared.turns, number: task.number };
                    if !shared.budget.is_over() {
                        make_pages(task, shared, turn, &mut worker);
                    }
                }
                Err(_) => return,
            },
        }
    }
}

fn make_pages(task: PageTask, shared: Shared<'_>, turn: Turn<'_>, worker: &mut Worker<'_>) {
    let PageTask { number, batches, size, reply } = task;
    let mut making =
        BatchOutput { summary: Summary::default(), events: Vec::new(), extracted: Vec::new(), bytes: 0 };
    let mut decoded = 0;
    for Batch { file, bytes, items, counts } in batches {
        making.summary.add(counts);
        for item in items {
            shared.budget.wait_for_room(number);
            let extracted = extract(item, &bytes, &file, shared.options);
            let len = extracted.payload_len();
            shared.budget.grow(len);
            decoded += len;
            making.bytes += len;
            making.extracted.push(extracted);
            if making.bytes > CHUNK_BYTES_MAX {
                let pages = making.compare(&turn);
                making.events.extend(pages.into_iter().map(|event| apply(event, worker)));
            }
        }
        if (1..=BUFFER_BYTES_MAX).contains(&bytes.capacity()) {
            let _ = shared.buffers.returned.try_send(bytes);
        }
    }
    let pages = making.compare(&turn);
    drop(turn);
    making.events.extend(pages.into_iter().map(|event| apply(event, worker)));
    let _ = reply.send(Done { events: making.events, counts: making.summary, size: size + decoded });
}

/// The results of a batch while a worker processes it.
struct BatchOutput {
    summary: Summary,
    events: Vec<Event<Made>>,
    /// Pages that were not compared yet, and their bytes.
    extracted: Vec<Extracted>,
    bytes: usize,
}

impl BatchOutput {
    /// Drops repeats when it is the batch's turn.
    fn compare(&mut self, turn: &Turn<'_>) -> Vec<Event<Page>> {
        let mut events = Vec::with_capacity(self.extracted.len());
        self.bytes = 0;
        let mut state = turn.wait();
        for extracted in self.extracted.drain(..) {
            let _ = deliver(extracted, &mut state.seen, &mut self.summary, &mut |event| {
                events.push(event);
                ControlFlow::Continue(())
            });
        }
        events
    }
}

fn apply(event: Event<Page>, worker: &mut Worker<'_>) -> Event<Made> {
    match event {
        Event::Page(page) => Event::Page(worker(page)),
        Event::Problem { origin, problem } => Event::Problem { origin, problem },
    }
}

/// Makes batches drop repeats in the order of the input.
#[derive(Default)]
struct Turns {
    state: Mutex<TurnState>,
    changed: Condvar,
}

#[derive(Default)]
struct TurnState {
    /// The number of the batch whose turn it is.
    now: u64,
    /// The pages of the batches before it.
    seen: Unique,
}

/// The turn of one batch. Dropping it, even by a panic, lets the next batch proceed.
struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turn<'_> {
    fn wait(&self) -> MutexGuard<'_, TurnState> {
        let state = self.turns.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.turns
            .changed
            .wait_while(state, |state| state.now < self.number)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.wait().now += 1;
        self.turns.changed.notify_all();
    }
}

/// The bytes of all batches between the reader and the sink, and of the pages made from them.
struct InFlightBudget {
    /// The limit.
    bytes_max: usize,
    state: Mutex<BudgetState>,
    released: Condvar,
    is_over: AtomicBool,
}

#[derive(Default)]
struct BudgetState {
    bytes: usize,
    /// The number of batches that the sink has taken.
    released: u64,
}

impl InFlightBudget {
    fn new(bytes_max: usize) -> InFlightBudget {
        let is_over = AtomicBool::new(false);
        InFlightBudget { bytes_max, state: Mutex::default(), released: Condvar::new(), is_over }
    }

    /// Waits until there is room for a batch. There is always room for a single batch. Breaks if the run is over.
    fn acquire(&self, size: usize) -> ControlFlow<()> {
        let is_full = |state: &mut BudgetState| {
            !self.is_over() && state.bytes > 0 && state.bytes + size > self.bytes_max
        };
        let mut state = self.wait_while(is_full);
        state.bytes += size;
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Waits until there is room for one more page of a batch. The batch that the sink waits for always gets room, so some thread can always proceed.
    fn wait_for_room(&self, number: u64) {
        let is_full = |state: &mut BudgetState| {
            !self.is_over() && state.bytes > self.bytes_max && state.released < number
        };
        drop(self.wait_while(is_full));
    }

    /// Adds the bytes of a page, which may be far longer than its record.
    fn grow(&self, bytes: usize) {
        self.lock().bytes += bytes;
    }

    fn release(&self, size: usize) {
        let mut state = self.lock();
        state.bytes -= size;
        state.released += 1;
        drop(state);
        self.released.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, is_full: impl FnMut(&mut BudgetState) -> bool) -> MutexGuard<'_, BudgetState> {
        self.released.wait_while(self.lock(), is_full).unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Ends the run when it is dropped.
struct EndOnDrop<'a>(&'a InFlightBudget);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        let _state = self.0.lock();
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::limits::IN_FLIGHT_BYTES_MAX;

    #[test]
    fn so_many_bytes_are_read_ahead_and_no_more() {
        let budget = InFlightBudget::new(IN_FLIGHT_BYTES_MAX);
        // A single batch may exceed the limit; further ones must fit.
        assert!(budget.acquire(IN_FLIGHT_BYTES_MAX + 1).is_continue());
        budget.release(2);
        assert!(budget.acquire(1).is_continue());
        thread::scope(|scope| {
            let (sender, acquired) = mpsc::channel();
            let budget = &budget;
            scope.spawn(move || {
                let is_acquired = budget.acquire(1).is_continue();
                sender.send(is_acquired)
            });
            assert!(acquired.recv_timeout(Duration::from_millis(50)).is_err(), "there is no room");
            budget.release(1);
            assert_eq!(acquired.recv(), Ok(true));
        });
        assert_eq!(budget.lock().bytes, IN_FLIGHT_BYTES_MAX);
    }
}
