//! The journal: records of pages, in frames of many pages each, appended and made durable frame by frame.
//!
//! A frame is written only when the previous one is durable. Bytes after the last complete frame were therefore never acknowledged,
//! and a broken frame followed by a complete one is damage.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::StoreError;
use crate::folder::{FORMAT, Folder};
use crate::record::{PageRecord, SavedRecord};
use crate::totals::Totals;

/// The first bytes of a journal. The version of the format and the number of the journal follow.
const MAGIC: &[u8; 8] = b"unframeJ";
const FILE_HEADER: usize = 8 + 4 + 8;
/// The first bytes of a frame. The length, the number of the first page and the checksum follow.
const FRAME: &[u8; 4] = b"page";
const FRAME_HEADER: usize = 4 + 4 + 8 + 8;
/// Offset of the pages in a frame.
const PAGES: usize = FRAME_HEADER + Totals::BYTES;

/// A journal that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    pub(crate) number: u64,
    path: PathBuf,
    file: File,
    /// Its length on disk.
    pub(crate) bytes: u64,
    /// The frame that is being filled.
    frame: Vec<u8>,
    /// The number of its first page.
    first: u64,
    /// For tests: the next write fails after this many bytes.
    #[cfg(test)]
    pub(crate) fails_after: Option<usize>,
}

impl Journal {
    /// Begins a journal.
    pub(crate) fn create(folder: &Folder, number: u64) -> Result<Journal, StoreError> {
        let path = folder.journal(number);
        let header = header(number);
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(&header)?;
            file.sync_all()?;
            Ok(file)
        });
        let file = written.map_err(StoreError::io(&path))?;
        folder.sync()?;
        Ok(Journal {
            number,
            path,
            file,
            bytes: header.len() as u64,
            frame: Vec::new(),
            first: 0,
            #[cfg(test)]
            fails_after: None,
        })
    }

    /// Adds a page to the current frame.
    pub(crate) fn add(&mut self, number: u64, page: &PageRecord<'_>) {
        if self.frame.is_empty() {
            self.begin(number);
        }
        page.write(&mut self.frame);
    }

    fn begin(&mut self, number: u64) {
        self.first = number;
        self.frame.resize(PAGES, 0);
    }

    /// Writes a frame without pages, so that every journal holds the current totals for readers of the status. `next` is the number of
    /// the next page.
    pub(crate) fn mark(&mut self, next: u64, totals: Totals) -> Result<(), StoreError> {
        self.begin(next);
        self.commit(totals)
    }

    /// Makes all added pages durable. `totals` are those of the store with these pages. Nothing may be added after an error, because the
    /// contents of the disk are unknown then.
    pub(crate) fn commit(&mut self, totals: Totals) -> Result<(), StoreError> {
        if self.frame.is_empty() {
            return Ok(());
        }
        self.frame[FRAME_HEADER..PAGES].copy_from_slice(&totals.encode());
        let checksum = xxh3_64_with_seed(&self.frame[FRAME_HEADER..], self.first);
        let length = (self.frame.len() - FRAME_HEADER) as u32;
        self.frame[..4].copy_from_slice(FRAME);
        self.frame[4..8].copy_from_slice(&length.to_le_bytes());
        self.frame[8..16].copy_from_slice(&self.first.to_le_bytes());
        self.frame[16..24].copy_from_slice(&checksum.to_le_bytes());
        if let Err(error) = self.append() {
            // The frame may be readable without being durable. Its pages were never acknowledged, and no frame may follow it, so it is
            // cut off. If that fails too, it looks like the end of a journal after a crash.
            let _ = self.file.set_len(self.bytes);
            return Err(StoreError::io(&self.path)(error));
        }
        self.bytes += self.frame.len() as u64;
        self.frame.clear();
        Ok(())
    }

    fn append(&mut self) -> io::Result<()> {
        #[cfg(test)]
        if let Some(bytes) = self.fails_after.take() {
            self.file.write_all(&self.frame[..bytes])?;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write_all(&self.frame)?;
        self.file.sync_data()
    }

    /// Number of bytes that are not committed yet.
    pub(crate) fn waiting(&self) -> usize {
        self.frame.len()
    }
}

/// The contents of a journal.
pub(crate) struct Contents {
    pub(crate) frames: Vec<Frame>,
    /// End of the last complete frame.
    pub(crate) end: u64,
    /// Number of bytes after `end`.
    pub(crate) rest: u64,
    /// Whether these bytes are damage, rather than the remains of a frame that a crash interrupted.
    pub(crate) is_damaged: bool,
}

/// Pages that were made durable together.
pub(crate) struct Frame {
    /// The number of the first page.
    pub(crate) first: u64,
    pub(crate) pages: Vec<SavedRecord>,
    /// The totals of the store with these pages.
    pub(crate) totals: Totals,
}

impl Frame {
    /// The number of the page that follows.
    pub(crate) fn next(&self) -> u64 {
        self.first.saturating_add(self.pages.len() as u64)
    }
}

/// The first bytes of a journal.
fn header(number: u64) -> Vec<u8> {
    [MAGIC.as_slice(), &FORMAT.to_le_bytes(), &number.to_le_bytes()].concat()
}

/// The last complete frame of a journal that another process may be writing. Bytes after it are not durable yet.
pub(crate) fn last_frame(path: &Path, number: u64) -> Result<Option<Frame>, StoreError> {
    let bytes = std::fs::read(path).map_err(StoreError::io(path))?;
    let mut rest = bytes.strip_prefix(header(number).as_slice()).unwrap_or_default();
    let mut last = None;
    while let Some((frame, length)) = frame_at(rest) {
        (last, rest) = (Some(frame), &rest[length..]);
    }
    Ok(last)
}

/// Reads a journal.
pub(crate) fn read(path: &Path, number: u64) -> Result<Contents, StoreError> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(StoreError::io(path))?;
    let header = header(number);
    let mut contents = Contents { frames: Vec::new(), end: 0, rest: bytes.len() as u64, is_damaged: false };
    if !bytes.starts_with(&header) {
        // A crash during the creation of a journal leaves a part of its header.
        contents.is_damaged = !header.starts_with(&bytes);
        return Ok(contents);
    }
    let mut at = FILE_HEADER;
    while let Some((frame, length)) = frame_at(&bytes[at..]) {
        contents.frames.push(frame);
        at += length;
    }
    (contents.end, contents.rest) = (at as u64, (bytes.len() - at) as u64);
    contents.is_damaged = has_frame(&bytes[at..]);
    Ok(contents)
}

/// The frame at the beginning of `bytes`, and its length.
fn frame_at(bytes: &[u8]) -> Option<(Frame, usize)> {
    let header = bytes.get(..FRAME_HEADER)?;
    let number =
        |range: std::ops::Range<usize>| Some(u64::from_le_bytes(header.get(range)?.try_into().ok()?));
    let length = u32::from_le_bytes(header.get(4..8)?.try_into().ok()?) as usize;
    let (first, checksum) = (number(8..16)?, number(16..24)?);
    let payload = bytes.get(FRAME_HEADER..FRAME_HEADER + length)?;
    if &header[..4] != FRAME || xxh3_64_with_seed(payload, first) != checksum {
        return None;
    }
    let mut rest = payload;
    let totals = Totals::read(&mut rest)?;
    let mut pages = Vec::new();
    while !rest.is_empty() {
        pages.push(SavedRecord::read(&mut rest)?);
    }
    Some((Frame { first, pages, totals }, FRAME_HEADER + length))
}

/// Whether `bytes` contain a complete frame.
fn has_frame(bytes: &[u8]) -> bool {
    let starts = bytes.windows(4).enumerate().filter(|(_, start)| start == FRAME);
    starts.into_iter().any(|(at, _)| frame_at(&bytes[at..]).is_some())
}
