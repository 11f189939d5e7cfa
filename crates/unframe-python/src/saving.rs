//! Writes files atomically: a file appears under its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;

use crate::errors;

/// Writes a file atomically. On an error, the previous file is kept.
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
        // A device or a pipe must be written to, not replaced. Opening a folder this way fails.
        Ok(metadata) if !metadata.is_file() => {
            return File::options().write(true).open(path)?.write_all(bytes);
        }
        // A symbolic link is kept, and its target is replaced.
        Ok(_) => fs::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let (part, file) = create_beside(&path)?;
    let written = fill(file, bytes).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        // An error here is ignored, because the first error is the one to report.
        let _ = fs::remove_file(&part);
    }
    written
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Creates a new file beside another. Threads that save to the same name at the same time get different files.
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
