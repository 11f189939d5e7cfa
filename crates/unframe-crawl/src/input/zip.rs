//! WACZ and other zip archives.
//!
//! In a WACZ, the crawl is in `archive/`; the other entries are indexes. Other archives are read like folders. Entries are stored or
//! deflated, and are read directly from the file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use unframe::Problem;
use zip::{CompressionMethod, ZipArchive};

use super::position::FileRange;
use super::sources::{Discovered, Source};
use crate::batch::Batch;

/// An archive. Its entries are opened one by one, because each open entry has buffers of its own.
pub(super) struct Entries {
    archive: ZipArchive<BufReader<FileRange>>,
    file: Arc<File>,
    name: Arc<str>,
    url: String,
    /// Names and indexes of the remaining entries, in the order of their names.
    names: std::vec::IntoIter<(String, usize)>,
}

impl Entries {
    pub(super) fn new(name: &Arc<str>, url: String, file: Arc<File>) -> Result<Entries, Problem> {
        let bad = |error: &dyn std::fmt::Display| Problem::new("bad-zip", error.to_string());
        let reader = BufReader::new(FileRange::whole(file.clone()).map_err(|error| bad(&error))?);
        let archive = ZipArchive::new(reader).map_err(|error| bad(&error))?;
        let mut names: Vec<(String, usize)> = (0..archive.len())
            .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into_owned(), index)))
            .filter(|(name, _)| !name.ends_with('/'))
            .collect();
        names.sort();
        if names.iter().any(|(name, _)| name.starts_with("archive/")) {
            names.retain(|(name, _)| name.starts_with("archive/"));
        }
        Ok(Entries { archive, file, name: name.clone(), url, names: names.into_iter() })
    }
}

impl Iterator for Entries {
    type Item = Discovered;

    fn next(&mut self) -> Option<Discovered> {
        let (entry, index) = self.names.next()?;
        let name: Arc<str> = format!("{}!{entry}", self.name).into();
        Some(match open(&mut self.archive, index, &self.file) {
            Ok(reader) => {
                let url = format!("{}/{entry}", self.url);
                Discovered::Source(Source { name, reader, file: None, url, is_nested: true, start: 0 })
            }
            Err(problem) => {
                let mut batch = Batch::new(name);
                batch.problem(0, problem);
                Discovered::Nothing(batch)
            }
        })
    }
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

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    #[test]
    fn an_entry_is_opened_when_it_is_asked_for() {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(name.as_bytes()).unwrap();
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), writer.finish().unwrap().into_inner()).unwrap();
        let opened = Arc::new(File::open(file.path()).unwrap());
        let mut entries = Entries::new(&"crawl".into(), String::new(), opened).unwrap();
        assert!(matches!(entries.next(), Some(Discovered::Source(source)) if &*source.name == "crawl!a"));
        // The second entry is gone, and it was not opened before.
        file.as_file().set_len(0).unwrap();
        assert!(matches!(entries.next(), Some(Discovered::Nothing(batch)) if &*batch.file == "crawl!b"));
        assert!(entries.next().is_none());
    }
}
