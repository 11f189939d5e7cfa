//! Limits the number of open connections. At the limit, an idle connection is closed for a new one. If no connection is idle, the new one
//! takes one of a few spare places, so that operators can still reach the service. If these are busy too, it waits.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits::{EVICTION_TIME, SPARE_CONNECTIONS};
use crate::service::lock;

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    common: Arc<Semaphore>,
    spare: Arc<Semaphore>,
    places: (usize, usize),
    open: Mutex<BTreeMap<u64, Arc<ConnectionState>>>,
    /// Logical time: counts events, so that connections can be ordered by their last activity.
    moments: AtomicU64,
}

/// The state of one connection.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    pub(crate) is_spare: bool,
    /// The number of requests whose responses are incomplete.
    requests: AtomicUsize,
    /// Whether a part of a request was received.
    has_begun: AtomicBool,
    /// Whether the client does not read a response.
    pub(crate) is_stalled: AtomicBool,
    /// Logical time at which the last request ended.
    since: AtomicU64,
    evicted: Notify,
}

/// An open connection. Dropping it frees its place.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    pub(crate) place: Arc<ConnectionState>,
    connections: Arc<Connections>,
    id: u64,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(connections: usize) -> Arc<Connections> {
        Arc::new(Connections {
            common: Arc::new(Semaphore::new(connections)),
            spare: Arc::new(Semaphore::new(SPARE_CONNECTIONS)),
            places: (connections, SPARE_CONNECTIONS),
            open: Mutex::default(),
            moments: AtomicU64::new(0),
        })
    }

    /// Waits until there is room for a connection. Meanwhile, further connections wait in the backlog of the operating system.
    pub(crate) async fn enter(self: &Arc<Connections>) -> OpenConnection {
        loop {
            for is_spare in [false, true] {
                let places = if is_spare { &self.spare } else { &self.common };
                if let Ok(permit) = Arc::clone(places).try_acquire_owned() {
                    return self.admit(permit, is_spare);
                }
                if self.evict_idle(is_spare) {
                    let permit = timeout(EVICTION_TIME, Arc::clone(places).acquire_owned()).await;
                    if let Ok(Ok(permit)) = permit {
                        return self.admit(permit, is_spare);
                    }
                }
            }
            // All connections are busy, including the spare ones. Wait for a place, then try again.
            let _ = timeout(EVICTION_TIME, self.common.acquire()).await;
        }
    }

    fn admit(self: &Arc<Connections>, permit: OwnedSemaphorePermit, is_spare: bool) -> OpenConnection {
        let id = self.moments.fetch_add(1, Ordering::Relaxed);
        let place = Arc::new(ConnectionState {
            is_spare,
            requests: AtomicUsize::new(0),
            has_begun: AtomicBool::new(false),
            is_stalled: AtomicBool::new(false),
            since: AtomicU64::new(id),
            evicted: Notify::new(),
        });
        lock(&self.open).insert(id, Arc::clone(&place));
        OpenConnection { place, connections: Arc::clone(self), id, _permit: permit }
    }

    /// Closes the connection that has been idle for longest. Prefers connections that have sent nothing to those that have sent a part of a
    /// request's head. Returns whether there is an idle one.
    fn evict_idle(&self, is_spare: bool) -> bool {
        let open = lock(&self.open);
        let quiet = open.values().filter(|place| place.is_spare == is_spare && place.is_quiet());
        let age = |place: &&Arc<ConnectionState>| {
            (place.has_begun.load(Ordering::Relaxed), place.since.load(Ordering::Relaxed))
        };
        let found = quiet.min_by_key(age);
        found.inspect(|place| place.evicted.notify_one()).is_some()
    }

    /// Waits until all connections are closed.
    pub(crate) async fn drained(&self) {
        for (places, all) in [(&self.common, self.places.0), (&self.spare, self.places.1)] {
            let _ = places.acquire_many(u32::try_from(all).unwrap_or(u32::MAX)).await;
        }
    }
}

impl ConnectionState {
    /// Whether it is idle: no request is pending, and the client has received all responses.
    fn is_quiet(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0 && !self.is_stalled.load(Ordering::Relaxed)
    }

    /// Records that bytes were received.
    pub(crate) fn mark_active(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Waits until the connection should be closed for another one. Poll this future after the connection itself: if a request has arrived
    /// meanwhile, the connection reads it and stays open.
    pub(crate) async fn wait_for_eviction(&self) {
        loop {
            self.evicted.notified().await;
            // Data that has just arrived is only noticed when the runtime polls the socket again.
            tokio::task::yield_now().await;
            if self.is_quiet() {
                return;
            }
        }
    }
}

impl OpenConnection {
    /// Records that a complete request was received.
    pub(crate) fn ask(self: &Arc<OpenConnection>) -> PendingRequest {
        self.place.requests.fetch_add(1, Ordering::Relaxed);
        PendingRequest(Arc::clone(self))
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        lock(&self.connections.open).remove(&self.id);
    }
}

/// A request whose response is incomplete.
#[derive(Debug)]
pub(crate) struct PendingRequest(Arc<OpenConnection>);

impl Drop for PendingRequest {
    fn drop(&mut self) {
        let (place, connections) = (&self.0.place, &self.0.connections);
        place.since.store(connections.moments.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        place.has_begun.store(false, Ordering::Relaxed);
        place.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of a response. Dropping it ends the request.
pub(crate) struct ResponseBody {
    pub(crate) body: Body,
    pub(crate) _request: PendingRequest,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_evicted(entered: &OpenConnection) -> bool {
        timeout(std::time::Duration::from_millis(10), entered.place.wait_for_eviction()).await.is_ok()
    }

    #[tokio::test]
    async fn the_quietest_gives_way() {
        let connections = Connections::new(4);
        let mut all = Vec::new();
        for _ in 0..4 {
            all.push(Arc::new(connections.enter().await));
        }
        // The first waits for its response, the second has sent a part of a head, the third sent a request after the fourth connected.
        let _request = all[0].ask();
        all[1].place.mark_active();
        drop(all[2].ask());
        for expected in [3, 2, 1] {
            assert!(connections.evict_idle(false));
            let mut params = Vec::new();
            for (number, one) in all.iter().enumerate() {
                if is_evicted(one).await {
                    params.push(number);
                }
            }
            assert_eq!(params, [expected]);
            all[expected].place.is_stalled.store(true, Ordering::Relaxed);
        }
        assert!(!connections.evict_idle(false));
        // No connection is idle: the spare ones are used.
        let spare = connections.enter().await;
        assert!(spare.place.is_spare && connections.evict_idle(true) && !connections.evict_idle(false));
    }

    #[tokio::test]
    async fn one_that_asks_meanwhile_stays() {
        let connections = Connections::new(1);
        let one = Arc::new(connections.enter().await);
        assert!(connections.evict_idle(false));
        let asking = one.ask();
        assert!(!is_evicted(&one).await);
        drop(asking);
        assert!(!is_evicted(&one).await);
        drop(one);
        assert!(lock(&connections.open).is_empty());
        connections.drained().await;
    }
}
