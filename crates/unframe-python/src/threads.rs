//! Runs the same work for many rows on several threads, and returns the results in the order of the rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of rows that a thread takes at a time. It is small, because the sizes of pages differ by orders of magnitude.
const ROWS_AT_A_TIME: usize = 4;
/// Maximum number of threads, as in the program. More threads gain nothing, and systems refuse to start very many.
const THREADS_MAX: usize = 1024;

/// The results of a worker for each row. `new_worker` is called once on each thread, so that a worker can own a parser.
/// With 0 threads, one thread per core is used.
pub(crate) fn map_rows<T: Send, W: FnMut(usize) -> T>(
    rows: usize,
    threads: usize,
    new_worker: impl Fn() -> W + Sync,
) -> Vec<T> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = threads.min(THREADS_MAX).min(rows.div_ceil(ROWS_AT_A_TIME));
    if threads <= 1 {
        return (0..rows).map(new_worker()).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut worker = new_worker();
        let mut made = Vec::new();
        loop {
            let first = next.fetch_add(ROWS_AT_A_TIME, Ordering::Relaxed);
            if first >= rows {
                return made;
            }
            made.extend((first..rows.min(first + ROWS_AT_A_TIME)).map(|row| (row, worker(row))));
        }
    };
    let mut made: Vec<(usize, T)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut made = run();
        for other in others {
            match other.join() {
                Ok(rows) => made.extend(rows),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_unstable_by_key(|(row, _)| *row);
    made.into_iter().map(|(_, made)| made).collect()
}
