//! A limit on the bytes of the pages that wait between two threads.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Counts the bytes of waiting pages.
#[derive(Default)]
pub(super) struct Backlog {
    bytes: Mutex<usize>,
    has_left: Condvar,
}

impl Backlog {
    /// Blocks until a page of this many bytes has room beside those that wait; alone it always has.
    pub(super) fn enter(self: &Arc<Backlog>, bytes: usize, bytes_max: usize) -> Place {
        let is_full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > bytes_max;
        let mut waiting =
            self.has_left.wait_while(self.waiting(), is_full).unwrap_or_else(PoisonError::into_inner);
        *waiting += bytes;
        Place { backlog: self.clone(), bytes }
    }

    fn waiting(&self) -> MutexGuard<'_, usize> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a page in the backlog, until it is dropped.
pub(super) struct Place {
    backlog: Arc<Backlog>,
    bytes: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.backlog.waiting() -= self.bytes;
        self.backlog.has_left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_page_waits_until_there_is_room_and_one_page_always_has_room() {
        let backlog = Arc::new(Backlog::default());
        let large = backlog.enter(1000, 100);
        let (entered, has_entered) = channel();
        let other = backlog.clone();
        let waits = thread::spawn(move || {
            let small = other.enter(1, 100);
            entered.send(()).unwrap();
            small
        });
        assert!(has_entered.recv_timeout(Duration::from_millis(50)).is_err());
        drop(large);
        has_entered.recv().unwrap();
        let small = waits.join().unwrap();
        let beside = backlog.enter(99, 100);
        assert_eq!(*backlog.waiting(), 100);
        drop((small, beside));
        assert_eq!(*backlog.waiting(), 0);
    }
}
