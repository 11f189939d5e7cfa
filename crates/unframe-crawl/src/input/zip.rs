//! WACZ and other zip archives.
//!
//! In a WACZ the crawl is in `archive/`; the rest is indexes. Other archives are read like folders. Entries are stored or
//! deflated, and read straight from the file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use unframe::Problem;
use zip::{CompressionMethod, ZipArchive};

use super::position::FileRange;
use super::sources::{Found, Source};
use crate::batch::Batch;

/// The entries of an archive, in the order of their names.
pub(super) fn entries(name: &str, url: &str, file: &Arc<File>) -> Result<Vec<Found>, Problem> {
    let bad = |error: &dyn std::fmt::Display| Problem::new("bad-zip", error.to_string());
    let reader = BufReader::new(FileRange::whole(file.clone()).map_err(|error| bad(&error))?);
    let mut archive = ZipArchive::new(reader).map_err(|error| bad(&error))?;
    let mut names: Vec<(String, usize)> = (0..archive.len())
        .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into_owned(), index)))
        .filter(|(name, _)| !name.ends_with('/'))
        .collect();
    names.sort();
    if names.iter().any(|(name, _)| name.starts_with("archive/")) {
        names.retain(|(name, _)| name.starts_with("archive/"));
    }
    Ok(names
        .into_iter()
        .map(|(entry, index)| {
            let full: Arc<str> = format!("{name}!{entry}").into();
            match open(&mut archive, index, file) {
                Ok(reader) => Found::Source(Source {
                    name: full,
                    reader,
                    file: None,
                    url: format!("{url}/{entry}"),
                    is_found: true,
                }),
                Err(problem) => {
                    let mut batch = Batch::new(full);
                    batch.problem(0, problem);
                    Found::Nothing(batch)
                }
            }
        })
        .collect())
}

fn open(
    archive: &mut ZipArchive<BufReader<FileRange>>,
    index: usize,
    file: &Arc<File>,
) -> Result<Box<dyn Read + Send>, Problem> {
    let entry = archive.by_index_raw(index).map_err(|error| Problem::new("bad-zip", error.to_string()))?;
    let start = entry.data_start().ok_or_else(|| Problem::new("bad-zip", "the entry has no data"))?;
    let range = FileRange::new(file.clone(), start, entry.compressed_size());
    match entry.compression() {
        _ if entry.encrypted() => Err(Problem::new("bad-zip", "the entry is encrypted")),
        CompressionMethod::Stored => Ok(Box::new(range)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(BufReader::new(range)))),
        method => Err(Problem::new("bad-zip", format!("the entry is compressed by {method:?}"))),
    }
}
