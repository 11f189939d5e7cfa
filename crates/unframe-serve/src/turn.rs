//! The turn of a request: its place among those that are worked on. While its body arrives slowly, others have it.

use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Answer, ApiError};
use crate::service::lock;

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Semaphore>,
    held: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Turn {
    /// A turn now, or none.
    pub(crate) fn now(turns: &Arc<Semaphore>) -> Option<Arc<Turn>> {
        let held = Arc::clone(turns).try_acquire_owned().ok()?;
        Some(Arc::new(Turn { turns: Arc::clone(turns), held: Mutex::new(Some(held)) }))
    }

    /// Lets others go first.
    pub(crate) fn pause(&self) {
        lock(&self.held).take();
    }

    /// Waits for the turn after a pause, if there was one. The request as a whole has its time, so this has an end.
    pub(crate) async fn resume(&self) -> Answer<()> {
        if lock(&self.held).is_some() {
            return Ok(());
        }
        let permit = Arc::clone(&self.turns).acquire_owned().await;
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
        let turns = Arc::new(Semaphore::new(1));
        let one = Turn::now(&turns).unwrap();
        assert!(Turn::now(&turns).is_none());
        one.resume().await.unwrap();
        one.pause();
        let other = Turn::now(&turns).unwrap();
        let resumed = tokio::spawn(async move { one.resume().await.map(|()| one) });
        drop(other);
        let one = resumed.await.unwrap().unwrap();
        assert!(Turn::now(&turns).is_none());
        drop(one);
        assert!(Turn::now(&turns).is_some());
    }
}
