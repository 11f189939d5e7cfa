//! Limits CPU-bound work and the memory of bodies. Requests beyond the limits are asked to retry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Answer, ApiError};
use crate::limits::POOL_QUEUE;

/// Limits CPU-bound work, which runs on blocking threads instead of those of the async runtime.
#[derive(Debug)]
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        Pool {
            threads: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            waiting_max: threads * POOL_QUEUE,
        }
    }

    /// Runs something on a blocking thread, as soon as a permit is free.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let permit = self.permit().await?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        done.await
            .unwrap_or_else(|_| Err(ApiError::internal("the request failed because of a bug in unframe")))
    }

    async fn permit(&self) -> Answer<OwnedSemaphorePermit> {
        let waiting = QueuedRequest::new(&self.waiting);
        if waiting.before >= self.waiting_max {
            return Err(ApiError::busy("too many requests are waiting for a core: retry in a moment"));
        }
        let permit = Arc::clone(&self.threads).acquire_owned().await;
        permit.map_err(|_| ApiError::busy("the service stops"))
    }

    /// Number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// Counts a queued request until it is dropped, for example because the client disconnects.
struct QueuedRequest<'a> {
    count: &'a AtomicUsize,
    before: usize,
}

impl<'a> QueuedRequest<'a> {
    fn new(count: &'a AtomicUsize) -> QueuedRequest<'a> {
        QueuedRequest { before: count.fetch_add(1, Ordering::Relaxed), count }
    }
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The memory that all requests share.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    kibibytes: Arc<Semaphore>,
    total: usize,
}

/// A reservation, released when it is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    permits: Option<OwnedSemaphorePermit>,
    /// The reserved bytes.
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(bytes: usize) -> Memory {
        let total = (bytes >> 10).clamp(1, Semaphore::MAX_PERMITS);
        Memory { kibibytes: Arc::new(Semaphore::new(total)), total }
    }

    /// An empty reservation; see [`Memory::grow`].
    pub(crate) fn nothing(&self) -> Reserved {
        Reserved { permits: None, bytes: 0 }
    }

    /// Reserves more, or fails. Waiting could deadlock, because other requests may wait for the memory that this one holds.
    pub(crate) fn grow(&self, reserved: &mut Reserved, bytes: usize) -> Answer<()> {
        let wanted = reserved.bytes + bytes;
        let held = reserved.permits.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = wanted.div_ceil(1 << 10).saturating_sub(held);
        if missing > 0 {
            let missing = u32::try_from(missing).unwrap_or(u32::MAX);
            let more = Arc::clone(&self.kibibytes).try_acquire_many_owned(missing).map_err(|_| used_up())?;
            match &mut reserved.permits {
                Some(permits) => permits.merge(more),
                none => *none = Some(more),
            }
        }
        reserved.bytes = wanted;
        Ok(())
    }

    /// Checks whether there is room now, without reserving.
    pub(crate) fn check(&self, bytes: usize) -> Answer<()> {
        match bytes.div_ceil(1 << 10) <= self.kibibytes.available_permits() {
            true => Ok(()),
            false => Err(used_up()),
        }
    }

    /// Waits until there is room, and reserves. Only for callers without a reservation, to avoid deadlocks.
    pub(crate) async fn wait(&self, bytes: usize) -> Answer<Reserved> {
        let needed = bytes.div_ceil(1 << 10);
        let needed = u32::try_from(needed).ok().filter(|_| needed <= self.total).ok_or_else(used_up)?;
        let permits = Arc::clone(&self.kibibytes).acquire_many_owned(needed).await;
        Ok(Reserved { permits: Some(permits.map_err(|_| used_up())?), bytes })
    }

    /// Reserved bytes.
    pub(crate) fn used(&self) -> usize {
        (self.total - self.kibibytes.available_permits()) << 10
    }

    /// Reserved and free bytes together.
    pub(crate) fn total(&self) -> usize {
        self.total << 10
    }
}

fn used_up() -> ApiError {
    ApiError::busy("the memory for requests is used up: retry in a moment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_ends_and_comes_back() {
        let memory = Memory::new(10 << 10);
        let (mut one, mut two) = (memory.nothing(), memory.nothing());
        memory.grow(&mut one, 6 << 10).unwrap();
        assert_eq!(memory.grow(&mut two, 5 << 10).unwrap_err().code, "busy");
        memory.grow(&mut two, 4 << 10).unwrap();
        assert_eq!(memory.used(), 10 << 10);
        drop(one);
        assert_eq!(memory.used(), 4 << 10);
        // Many small reservations take no more than their sum.
        (0..1024).for_each(|_| memory.grow(&mut two, 1).unwrap());
        assert_eq!(memory.used(), 5 << 10);
    }

    #[tokio::test]
    async fn a_full_queue_is_reported() {
        let pool = Arc::new(Pool::new(1));
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let first = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run(move || Ok(wait.recv().is_ok())).await }
        });
        while pool.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let waiting: Vec<_> = (0..POOL_QUEUE)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.run(|| Ok(())).await })
            })
            .collect();
        while pool.waiting() < POOL_QUEUE {
            tokio::task::yield_now().await;
        }
        let refused = pool.run(|| Ok(())).await.unwrap_err();
        assert_eq!((refused.code, refused.retry_after), ("busy", Some(1)));
        go.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        for one in waiting {
            one.await.unwrap().unwrap();
        }
    }
}
