//! Records that an index lists, each read from its place in its file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use unframe::Problem;

use super::folder;
use super::position::FileRange;
use super::sources::{Found, Source};
use crate::batch::Batch;
use crate::cdx::Chosen;

/// A source for each record.
pub(super) fn all(chosen: &Chosen) -> impl Iterator<Item = Found> + '_ {
    let mut last: Option<(&Path, Arc<File>)> = None;
    chosen.places().map(move |place| {
        let name: Arc<str> = place.file.to_string_lossy().into();
        let opened = match &last {
            Some((path, file)) if *path == place.file => Ok(file.clone()),
            _ => File::open(place.file).map(Arc::new),
        };
        match opened {
            Ok(file) => {
                last = Some((place.file, file.clone()));
                let reader = Box::new(FileRange::new(file, place.offset, place.length));
                let url = folder::file_url(place.file);
                Found::Source(Source { name, reader, file: None, url, is_found: false, start: place.offset })
            }
            Err(error) => {
                let mut batch = Batch::new(name);
                batch.problem(place.offset, Problem::new("unreadable", error.to_string()));
                Found::Nothing(batch)
            }
        }
    })
}
