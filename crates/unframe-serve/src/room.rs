//! Room for connections. When there is none, one that asks nothing gives way to the next; when all are busy, a few more are let
//! in, so that those who look after the service are always heard.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits::{GIVING_WAY_TIME, SPARE_CONNECTIONS};
use crate::service::lock;

/// All connections.
#[derive(Debug)]
pub(crate) struct Room {
    common: Arc<Semaphore>,
    spare: Arc<Semaphore>,
    places: (usize, usize),
    open: Mutex<BTreeMap<u64, Arc<Place>>>,
    /// Counts events, so that connections can be ordered by their last activity.
    moments: AtomicU64,
}

/// The place of one connection.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) is_spare: bool,
    /// Requests that are not answered in full.
    requests: AtomicUsize,
    /// Whether something came that is no whole request yet.
    has_begun: AtomicBool,
    /// Whether bytes of an answer wait for the client to take them.
    pub(crate) is_stalled: AtomicBool,
    /// The moment since which it asks nothing.
    since: AtomicU64,
    asked_to_go: Notify,
}

/// A connection in the room, until it is dropped.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) place: Arc<Place>,
    room: Arc<Room>,
    id: u64,
    _permit: OwnedSemaphorePermit,
}

impl Room {
    pub(crate) fn new(connections: usize) -> Arc<Room> {
        Arc::new(Room {
            common: Arc::new(Semaphore::new(connections)),
            spare: Arc::new(Semaphore::new(SPARE_CONNECTIONS)),
            places: (connections, SPARE_CONNECTIONS),
            open: Mutex::default(),
            moments: AtomicU64::new(0),
        })
    }

    /// Lets a connection in as soon as there is a place. The next ones wait in the queue of the system meanwhile.
    pub(crate) async fn enter(self: &Arc<Room>) -> Entered {
        loop {
            for is_spare in [false, true] {
                let places = if is_spare { &self.spare } else { &self.common };
                if let Ok(permit) = Arc::clone(places).try_acquire_owned() {
                    return self.admit(permit, is_spare);
                }
                if self.ask_one_to_go(is_spare) {
                    let permit = timeout(GIVING_WAY_TIME, Arc::clone(places).acquire_owned()).await;
                    if let Ok(Ok(permit)) = permit {
                        return self.admit(permit, is_spare);
                    }
                }
            }
            // All are busy, the spare ones as well. Whoever is done first leaves a place.
            let _ = timeout(GIVING_WAY_TIME, self.common.acquire()).await;
        }
    }

    fn admit(self: &Arc<Room>, permit: OwnedSemaphorePermit, is_spare: bool) -> Entered {
        let id = self.moments.fetch_add(1, Ordering::Relaxed);
        let place = Arc::new(Place {
            is_spare,
            requests: AtomicUsize::new(0),
            has_begun: AtomicBool::new(false),
            is_stalled: AtomicBool::new(false),
            since: AtomicU64::new(id),
            asked_to_go: Notify::new(),
        });
        lock(&self.open).insert(id, Arc::clone(&place));
        Entered { place, room: Arc::clone(self), id, _permit: permit }
    }

    /// Asks the connection that has been quiet for longest to go: one that sent nothing, or else one that sent a part of a
    /// head. Whether there is one.
    fn ask_one_to_go(&self, is_spare: bool) -> bool {
        let open = lock(&self.open);
        let quiet = open.values().filter(|place| place.is_spare == is_spare && place.is_quiet());
        let age = |place: &&Arc<Place>| {
            (place.has_begun.load(Ordering::Relaxed), place.since.load(Ordering::Relaxed))
        };
        let found = quiet.min_by_key(age);
        found.inspect(|place| place.asked_to_go.notify_one()).is_some()
    }

    /// Waits until all are gone.
    pub(crate) async fn emptied(&self) {
        for (places, all) in [(&self.common, self.places.0), (&self.spare, self.places.1)] {
            let _ = places.acquire_many(u32::try_from(all).unwrap_or(u32::MAX)).await;
        }
    }
}

impl Place {
    /// Whether it can end without a loss: nothing is asked, and all was answered and taken.
    fn is_quiet(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0 && !self.is_stalled.load(Ordering::Relaxed)
    }

    /// Bytes have come.
    pub(crate) fn heard(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Waits until the connection is to give way to another. To be polled behind the connection itself, which takes up what has
    /// come meanwhile: then it stays.
    pub(crate) async fn to_go(&self) {
        loop {
            self.asked_to_go.notified().await;
            // What came just now is not known before the system was asked.
            tokio::task::yield_now().await;
            if self.is_quiet() {
                return;
            }
        }
    }
}

impl Entered {
    /// A request has come whole.
    pub(crate) fn ask(self: &Arc<Entered>) -> Asking {
        self.place.requests.fetch_add(1, Ordering::Relaxed);
        Asking(Arc::clone(self))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        lock(&self.room.open).remove(&self.id);
    }
}

/// A request that is not answered in full.
#[derive(Debug)]
pub(crate) struct Asking(Arc<Entered>);

impl Drop for Asking {
    fn drop(&mut self) {
        let (place, room) = (&self.0.place, &self.0.room);
        place.since.store(room.moments.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        place.has_begun.store(false, Ordering::Relaxed);
        place.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer, with which the request ends.
pub(crate) struct Answering {
    pub(crate) body: Body,
    pub(crate) _asking: Asking,
}

impl HttpBody for Answering {
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

    async fn is_asked_to_go(entered: &Entered) -> bool {
        timeout(std::time::Duration::from_millis(10), entered.place.to_go()).await.is_ok()
    }

    #[tokio::test]
    async fn the_quietest_gives_way() {
        let room = Room::new(4);
        let mut all = Vec::new();
        for _ in 0..4 {
            all.push(Arc::new(room.enter().await));
        }
        // The first waits for its answer, the second began a head, the third asked after the fourth had come.
        let _asking = all[0].ask();
        all[1].place.heard();
        drop(all[2].ask());
        for expected in [3, 2, 1] {
            assert!(room.ask_one_to_go(false));
            let mut asked = Vec::new();
            for (number, one) in all.iter().enumerate() {
                if is_asked_to_go(one).await {
                    asked.push(number);
                }
            }
            assert_eq!(asked, [expected]);
            all[expected].place.is_stalled.store(true, Ordering::Relaxed);
        }
        assert!(!room.ask_one_to_go(false));
        // Nobody can give way: there is a place beyond, and so many more.
        let spare = room.enter().await;
        assert!(spare.place.is_spare && room.ask_one_to_go(true) && !room.ask_one_to_go(false));
    }

    #[tokio::test]
    async fn one_that_asks_meanwhile_stays() {
        let room = Room::new(1);
        let one = Arc::new(room.enter().await);
        assert!(room.ask_one_to_go(false));
        let asking = one.ask();
        assert!(!is_asked_to_go(&one).await);
        drop(asking);
        assert!(!is_asked_to_go(&one).await);
        drop(one);
        assert!(lock(&room.open).is_empty());
        room.emptied().await;
    }
}
