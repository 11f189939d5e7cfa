//! A copy-on-write view of a file, in memory, because the database library writes to its file even when it is only opened.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;

/// Written bytes are stored in pieces of this size.
const PIECE: usize = 4096;

/// A file, and the changes to it in memory.
#[derive(Debug)]
pub(crate) struct Overlay(Mutex<State>);

#[derive(Debug)]
struct State {
    file: File,
    /// Number of valid bytes of the file. Bytes that were once truncated read as zeros.
    kept: u64,
    /// The current length.
    length: u64,
    pieces: BTreeMap<u64, Box<[u8; PIECE]>>,
}

impl Overlay {
    pub(crate) fn open(path: &Path) -> io::Result<Overlay> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Overlay(Mutex::new(State { file, kept: length, length, pieces: BTreeMap::new() })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn check(&self, offset: u64, bytes: usize) -> io::Result<()> {
        let is_inside = offset.checked_add(bytes as u64).is_some_and(|end| end <= self.length);
        if is_inside { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads from the file. Bytes past its valid part are zeros.
    fn read_file(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let there = self.kept.saturating_sub(offset).min(out.len() as u64) as usize;
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut out[..there])?;
        out[there..].fill(0);
        Ok(())
    }

    fn piece(&mut self, number: u64) -> io::Result<&mut [u8; PIECE]> {
        if !self.pieces.contains_key(&number) {
            let mut piece = Box::new([0; PIECE]);
            self.read_file(number * PIECE as u64, piece.as_mut_slice())?;
            self.pieces.insert(number, piece);
        }
        Ok(self.pieces.entry(number).or_insert_with(|| Box::new([0; PIECE])))
    }
}

/// Splits a range of bytes by pieces: number of the piece, offset in it, and length.
fn pieces(offset: u64, bytes: usize) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = offset + bytes as u64;
    let mut at = offset;
    std::iter::from_fn(move || {
        let (number, start) = (at / PIECE as u64, (at % PIECE as u64) as usize);
        let length = (end - at).min((PIECE - start) as u64) as usize;
        at += length as u64;
        (length > 0).then_some((number, start, length))
    })
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut state = self.state();
        state.check(offset, out.len())?;
        state.read_file(offset, out)?;
        let mut rest = out;
        for (number, start, length) in pieces(offset, rest.len()) {
            let (part, after) = rest.split_at_mut(length);
            if let Some(piece) = state.pieces.get(&number) {
                part.copy_from_slice(&piece[start..start + length]);
            }
            rest = after;
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.state();
        if length < state.length {
            state.kept = state.kept.min(length);
            let last = length / PIECE as u64;
            state.pieces.retain(|number, _| *number <= last);
            if let Some(piece) = state.pieces.get_mut(&last) {
                piece[(length % PIECE as u64) as usize..].fill(0);
            }
        }
        state.length = length;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.check(offset, bytes.len())?;
        let mut rest = bytes;
        for (number, start, length) in pieces(offset, bytes.len()) {
            let (part, after) = rest.split_at(length);
            state.piece(number)?[start..start + length].copy_from_slice(part);
            rest = after;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_like_a_file_and_leaves_the_file_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        let original: Vec<u8> = (0..10_000_u32).map(|number| number as u8).collect();
        std::fs::write(&path, &original).unwrap();
        let overlay = Overlay::open(&path).unwrap();
        let mut expected = original.clone();
        let same = |expected: &[u8]| {
            assert_eq!(overlay.len().unwrap(), expected.len() as u64);
            let mut all = vec![1; expected.len()];
            overlay.read(0, &mut all).unwrap();
            assert!(all == expected);
            let mut some = vec![1; 4500];
            overlay.read(400, &mut some).unwrap();
            assert!(some == expected[400..4900]);
        };
        same(&expected);
        overlay.write(4000, &[7; 200]).unwrap();
        expected[4000..4200].fill(7);
        same(&expected);
        // Truncated within the written range and then extended past the original length: the new bytes are zeros.
        overlay.set_len(4150).unwrap();
        overlay.set_len(20_000).unwrap();
        expected.truncate(4150);
        expected.resize(20_000, 0);
        same(&expected);
        overlay.write(19_999, &[9]).unwrap();
        expected[19_999] = 9;
        same(&expected);
        assert!(overlay.write(19_999, &[9, 9]).is_err());
        assert!(overlay.read(u64::MAX, &mut [0]).is_err());
        assert!(std::fs::read(&path).unwrap() == original);
    }
}
