//! Reads a file at any position without a shared cursor, so that several readers can use it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A range of a file, read sequentially.
pub(super) struct FileRange {
    file: Arc<File>,
    start: u64,
    position: u64,
    end: u64,
}

impl FileRange {
    pub(super) fn new(file: Arc<File>, start: u64, length: u64) -> FileRange {
        FileRange { file, start, position: start, end: start.saturating_add(length) }
    }

    /// The whole file, with its current length.
    pub(super) fn whole(file: Arc<File>) -> io::Result<FileRange> {
        let length = file.metadata()?.len();
        Ok(FileRange::new(file, 0, length))
    }
}

impl Read for FileRange {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let length = into.len().min(left);
        let length = read_at(&self.file, &mut into[..length], self.position)?;
        self.position += length as u64;
        Ok(length)
    }
}

impl Seek for FileRange {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(offset) => self.start.checked_add(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.end.checked_add_signed(offset),
        };
        match position.filter(|position| *position >= self.start) {
            Some(position) => self.position = position,
            None => return Err(io::ErrorKind::InvalidInput.into()),
        }
        Ok(self.position - self.start)
    }
}

#[cfg(unix)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}
