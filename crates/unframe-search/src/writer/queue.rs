//! Limits the memory of the documents that wait for Tantivy's threads. Its own limit is ten thousand documents of any size.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tantivy::TantivyDocument;
use tantivy::schema::Document;

/// Tantivy is asked again after this time, in case that its threads have stopped.
const WAIT: Duration = Duration::from_secs(1);

/// The room for documents that wait.
#[derive(Clone)]
pub(super) struct Room {
    inner: Arc<(Mutex<usize>, Condvar)>,
    bytes_max: usize,
}

/// A document that takes room until Tantivy indexes it.
pub(super) struct Waiting {
    document: TantivyDocument,
    bytes: usize,
    room: Room,
}

impl Room {
    pub(super) fn new(bytes_max: usize) -> Room {
        Room { inner: Arc::default(), bytes_max }
    }

    /// Waits until there is room for a document of so many bytes, or no document waits.
    pub(super) fn take(&self, document: TantivyDocument, bytes: usize) -> Waiting {
        let (taken, freed) = &*self.inner;
        let is_full = |taken: &mut usize| *taken > 0 && *taken + bytes > self.bytes_max;
        let taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut taken, _) =
            freed.wait_timeout_while(taken, WAIT, is_full).unwrap_or_else(PoisonError::into_inner);
        *taken += bytes;
        Waiting { document, bytes, room: self.clone() }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let (taken, freed) = &*self.room.inner;
        *taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        freed.notify_one();
    }
}

impl Document for Waiting {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }

    fn into_tantivy_document(mut self) -> TantivyDocument {
        std::mem::take(&mut self.document)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_document_waits_for_room() {
        let room = Room::new(100);
        let large = room.take(TantivyDocument::new(), 1000);
        let waiting = {
            let room = room.clone();
            thread::spawn(move || {
                let small = room.take(TantivyDocument::new(), 60);
                *room.inner.0.lock().unwrap() - small.bytes
            })
        };
        large.into_tantivy_document();
        assert_eq!(waiting.join().unwrap(), 0, "the large one was gone");
        assert_eq!(*room.inner.0.lock().unwrap(), 0);
    }
}
