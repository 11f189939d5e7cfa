//! Lists the files of all inputs, in order.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unframe::Problem;

use super::folder;
use crate::batch::Batch;
use crate::{ReadError, remote};

/// A file to read.
pub(super) struct Source {
    /// The name used in reports.
    pub(super) name: Arc<str>,
    pub(super) reader: Box<dyn Read + Send>,
    /// The same file, if it supports reading at any position.
    pub(super) file: Option<Arc<File>>,
    /// The address of the page, if the file is one.
    pub(super) url: String,
    /// Whether it is in a folder or an archive, where files of unknown formats are normal.
    pub(super) is_nested: bool,
    /// The offset in the named file, if this is a part of that file.
    pub(super) start: u64,
}

/// A file of an input, or a problem in its place.
pub(super) enum Discovered {
    Source(Source),
    /// Counts or problems.
    Nothing(Batch),
}

/// Lists the files of all inputs; those of folders in the order of their names.
pub(super) fn all(inputs: &[PathBuf]) -> impl Iterator<Item = Discovered> {
    inputs.iter().flat_map(|input| -> Box<dyn Iterator<Item = Discovered>> {
        if input.as_os_str() == "-" {
            Box::new(std::iter::once(Discovered::Source(stream("-", Box::new(io::stdin())))))
        } else if let Some(address) = remote::address(input) {
            fetch_all(address)
        } else if input.is_dir() {
            Box::new(folder::walk(input))
        } else {
            Box::new(std::iter::once(open(input, folder::file_url(input), false)))
        }
    })
}

/// Checks that all inputs exist, before anything is read. Servers are not contacted: a server that does not respond is a problem of one
/// input among many, and is reported when that input is read.
pub(crate) fn check(inputs: &[PathBuf]) -> Result<(), ReadError> {
    for path in inputs.iter().filter(|path| path.as_os_str() != "-") {
        let there = match remote::address(path) {
            Some(address) => remote::check(address),
            None => fs::metadata(path).map(|_| ()),
        };
        there.map_err(|source| ReadError::Missing { path: path.clone(), source })?;
    }
    Ok(())
}

/// The total size of all inputs, if they are plain files.
pub(crate) fn total_bytes(inputs: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| fs::metadata(path).ok().filter(|data| data.is_file()).map(|data| data.len());
    inputs.iter().map(size).sum()
}

/// Opens a file, or reports why it cannot be opened.
pub(super) fn open(path: &Path, url: String, is_nested: bool) -> Discovered {
    let name: Arc<str> = path.to_string_lossy().into();
    let opened = File::open(path).and_then(|file| {
        let is_plain = file.metadata()?.is_file();
        let positioned = is_plain.then(|| file.try_clone()).transpose()?;
        Ok((file, positioned))
    });
    match opened {
        Ok((file, positioned)) => {
            let (reader, file) = (Box::new(file), positioned.map(Arc::new));
            Discovered::Source(Source { name, reader, file, url, is_nested, start: 0 })
        }
        Err(error) => unreadable(name, 0, &error),
    }
}

/// The file at an address or, if the address is a folder, the files in it.
fn fetch_all(address: &str) -> Box<dyn Iterator<Item = Discovered> + '_> {
    if !remote::is_folder(address) {
        return Box::new(std::iter::once(fetch(address, false)));
    }
    match remote::list(address) {
        Ok(files) => Box::new(files.into_iter().map(|file| fetch(&file, true))),
        Err(error) => Box::new(std::iter::once(unreadable(address.into(), 0, &error))),
    }
}

fn fetch(address: &str, is_nested: bool) -> Discovered {
    match remote::open(address, None) {
        Ok(reader) => {
            let (name, url) = (address.into(), address.to_owned());
            Discovered::Source(Source { name, reader, file: None, url, is_nested, start: 0 })
        }
        Err(error) => unreadable(address.into(), 0, &error),
    }
}

/// A file that cannot be read.
pub(super) fn unreadable(name: Arc<str>, offset: u64, error: &io::Error) -> Discovered {
    let mut batch = Batch::new(name);
    batch.problem(offset, Problem::new("unreadable", error.to_string()));
    Discovered::Nothing(batch)
}

/// A file without a path, such as standard input.
pub(super) fn stream(name: &str, reader: Box<dyn Read + Send>) -> Source {
    let url = if name == "-" { "file:///dev/stdin".to_owned() } else { folder::file_url(Path::new(name)) };
    Source { name: name.into(), reader, file: None, url, is_nested: false, start: 0 }
}
