//! Reads records that an index lists, each from its position in its file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::folder;
use super::position::FileRange;
use super::sources::{Discovered, Source, unreadable};
use crate::cdx::{Chosen, RecordLocation};
use crate::limits::REMOTE_RECORDS_AHEAD;
use crate::remote;

/// One source per record. Sources on other machines are requested ahead, because of the latency.
pub(super) fn all(chosen: &Chosen) -> impl Iterator<Item = Discovered> + '_ {
    let mut files = OpenFiles::default();
    ahead(chosen.places().map(move |place| files.source(place)))
}

/// Prefetches items: when an item is taken, the next ones have been created.
fn ahead<T>(mut items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut made = VecDeque::new();
    std::iter::from_fn(move || {
        while made.len() < REMOTE_RECORDS_AHEAD
            && let Some(item) = items.next()
        {
            made.push_back(item);
        }
        made.pop_front()
    })
}

/// Keeps the file of the last record open, because consecutive records are usually in the same file.
#[derive(Default)]
struct OpenFiles<'c> {
    last: Option<(&'c Path, Arc<File>)>,
}

impl<'c> OpenFiles<'c> {
    fn source(&mut self, place: RecordLocation<'c>) -> Discovered {
        let name: Arc<str> = place.file.to_string_lossy().into();
        let url = match remote::address(place.file) {
            Some(address) => address.to_owned(),
            None => folder::file_url(place.file),
        };
        match self.open(&place) {
            Ok(reader) => Discovered::Source(Source {
                name,
                reader,
                file: None,
                url,
                is_nested: false,
                start: place.offset,
            }),
            Err(error) => unreadable(name, place.offset, &error),
        }
    }

    fn open(&mut self, place: &RecordLocation<'c>) -> io::Result<Box<dyn Read + Send>> {
        if let Some(address) = remote::address(place.file) {
            return remote::open(address, Some((place.offset, place.offset.saturating_add(place.length))));
        }
        let file = match &self.last {
            Some((path, file)) if *path == place.file => file.clone(),
            _ => Arc::new(File::open(place.file)?),
        };
        self.last = Some((place.file, file.clone()));
        Ok(Box::new(FileRange::new(file, place.offset, place.length)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn so_many_records_are_requested_ahead_and_no_more() {
        let made = Cell::new(0);
        let items = (0..20).inspect(|_| made.set(made.get() + 1));
        let mut items = ahead(items);
        for taken in 0..20 {
            assert_eq!(items.next(), Some(taken));
            assert_eq!(made.get(), (taken + REMOTE_RECORDS_AHEAD).min(20));
        }
        assert_eq!(items.next(), None);
    }
}
