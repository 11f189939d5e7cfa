//! Writes states to the database in the background, one batch at a time.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;

use unframe::detect::{FollowMethod, Own};

use crate::StoreError;
use crate::values::{Summary, Value};

/// The copy of a state to be written. The original can change while the copy is written.
pub(crate) type StateCopy = (String, Own, Summary);

/// The result of a batch: each site with the number of the last page in its written state.
pub(crate) type Written = Result<Vec<(String, u64)>, StoreError>;

/// The handle of the writer thread.
#[derive(Debug)]
pub(crate) struct Writer {
    batches: Option<SyncSender<Vec<StateCopy>>>,
    results: Receiver<Written>,
    is_busy: bool,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread; `write` writes to the database.
    pub(crate) fn start(
        method: FollowMethod,
        write: impl Fn(&[Value]) -> Result<(), StoreError> + Send + 'static,
    ) -> Writer {
        let (batches, queue) = sync_channel::<Vec<StateCopy>>(1);
        let (done, results) = sync_channel(1);
        let thread = std::thread::spawn(move || {
            for batch in queue {
                let encode = |(site, state, summary): StateCopy| Value::new(site, &state, summary, &method);
                let batch: Vec<Value> = batch.into_iter().map(encode).collect();
                let result = write(&batch);
                let last = |value: Value| (value.site, value.summary.last);
                if done.send(result.map(|()| batch.into_iter().map(last).collect())).is_err() {
                    return;
                }
            }
        });
        Writer { batches: Some(batches), results, is_busy: false, thread: Some(thread) }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Sends a batch. No other batch may be pending. If the thread has ended, the result is an error.
    pub(crate) fn write(&mut self, batch: Vec<StateCopy>) {
        self.is_busy = true;
        if let Some(batches) = &self.batches {
            let _ = batches.send(batch);
        }
    }

    /// The result of the pending batch, if it is done.
    pub(crate) fn done(&mut self) -> Option<Written> {
        if !self.is_busy {
            return None;
        }
        let result = match self.results.try_recv() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(StoreError::WriterEnded),
        };
        self.is_busy = false;
        Some(result)
    }

    /// Waits for the pending batch, and returns its result.
    pub(crate) fn wait(&mut self) -> Option<Written> {
        if !self.is_busy {
            return None;
        }
        self.is_busy = false;
        Some(self.results.recv().unwrap_or(Err(StoreError::WriterEnded)))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.batches = None;
        self.wait();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
