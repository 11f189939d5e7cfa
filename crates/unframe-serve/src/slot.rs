//! The slot of a request: its permit under the limit on concurrent requests. While the body of a request arrives slowly, other requests
//! can use its slot.

use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Answer, ApiError};
use crate::service::lock;

/// A slot, released when it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Arc<Semaphore>,
    held: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Slot {
    /// Takes a slot, if one is free.
    pub(crate) fn now(slots: &Arc<Semaphore>) -> Option<Arc<Slot>> {
        let held = Arc::clone(slots).try_acquire_owned().ok()?;
        Some(Arc::new(Slot { slots: Arc::clone(slots), held: Mutex::new(Some(held)) }))
    }

    /// Releases the slot until [`Slot::resume`].
    pub(crate) fn pause(&self) {
        lock(&self.held).take();
    }

    /// Takes a slot again after a pause. The time limit of the request bounds the wait.
    pub(crate) async fn resume(&self) -> Answer<()> {
        if lock(&self.held).is_some() {
            return Ok(());
        }
        let permit = Arc::clone(&self.slots).acquire_owned().await;
        let permit = permit.map_err(|_| ApiError::busy("the service stops"))?;
        *lock(&self.held) = Some(permit);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn others_have_the_turn_during_a_pause() {
        let slots = Arc::new(Semaphore::new(1));
        let one = Slot::now(&slots).unwrap();
        assert!(Slot::now(&slots).is_none());
        one.resume().await.unwrap();
        one.pause();
        let other = Slot::now(&slots).unwrap();
        let resumed = tokio::spawn(async move { one.resume().await.map(|()| one) });
        drop(other);
        let one = resumed.await.unwrap().unwrap();
        assert!(Slot::now(&slots).is_none());
        drop(one);
        assert!(Slot::now(&slots).is_some());
    }
}
