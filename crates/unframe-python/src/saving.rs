//! Files that appear under their name only when they are complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;

use crate::errors;

/// Writes a file, or leaves the one that was there. Nobody ever sees a part of it.
pub(crate) fn save(
    py: Python<'_>,
    path: &Path,
    make: impl FnOnce() -> PyResult<Vec<u8>> + Send,
) -> PyResult<()> {
    py.detach(|| {
        let bytes = make()?;
        write(path, &bytes)
            .map_err(|error| errors::model(format!("cannot write {}: {error}", path.display())))
    })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = match fs::metadata(path) {
        // A device or a pipe must be written to, not replaced; a folder cannot be opened so.
        Ok(metadata) if !metadata.is_file() => {
            return File::options().write(true).open(path)?.write_all(bytes);
        }
        // A link stays a link: what it points to is replaced.
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let (part, file) = create_beside(&path)?;
    let written = fill(file, bytes).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        // There is nothing to be done if this fails too, and the first error is the one to tell.
        let _ = fs::remove_file(&part);
    }
    written
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// A new file beside another. Threads that save to the same name at a time get files of their own.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let mut part = path.to_owned().into_os_string();
        part.push(format!(".{}-{number}.part", std::process::id()));
        match File::create_new(&part) {
            Ok(file) => return Ok((part.into(), file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}
