//! Places of words in sorted order, of which only so many are in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use unframe::blocks::Signature;

use crate::error::SearchError;
use crate::templates::Place;

/// Bytes of a place in a file and, nearly, in memory.
const PLACE_BYTES: usize = 32;
/// Bytes that are read at once from each sorted part of the file.
const READ_BYTES: usize = 256 << 10;

/// Collects places and gives them back in order. What does not fit into memory is sorted in parts, which lie one after the other in a file
/// without a name.
pub(crate) struct Spill {
    places: Vec<Place>,
    places_max: usize,
    folder: PathBuf,
    file: Option<File>,
    /// Where the parts end.
    parts: Vec<u64>,
}

impl Spill {
    pub(crate) fn new(bytes_max: usize, folder: &Path) -> Spill {
        let places_max = (bytes_max / PLACE_BYTES).max(1024);
        Spill { places: Vec::new(), places_max, folder: folder.to_owned(), file: None, parts: Vec::new() }
    }

    pub(crate) fn push(&mut self, place: Place) -> Result<(), SearchError> {
        if self.places.len() == self.places_max {
            self.write_part().map_err(SearchError::io(&self.folder))?;
        }
        self.places.push(place);
        Ok(())
    }

    fn write_part(&mut self) -> io::Result<()> {
        self.places.sort_unstable_by_key(Place::order);
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut writer = BufWriter::with_capacity(1 << 20, &mut *file);
        for place in &self.places {
            writer.write_all(&to_bytes(place))?;
        }
        writer.flush()?;
        drop(writer);
        self.parts.push(file.stream_position()?);
        self.places.clear();
        Ok(())
    }

    /// Calls `each` with all places that `is_wanted`, ascending.
    pub(crate) fn for_each_sorted(
        mut self,
        is_wanted: impl Fn(&Place) -> bool,
        mut each: impl FnMut(Place),
    ) -> Result<(), SearchError> {
        self.places.retain(&is_wanted);
        self.places.sort_unstable_by_key(Place::order);
        let Some(file) = self.file.take() else {
            self.places.into_iter().for_each(each);
            return Ok(());
        };
        let folder = self.folder.clone();
        self.merge(file, |place| {
            if is_wanted(&place) {
                each(place);
            }
        })
        .map_err(SearchError::io(&folder))
    }

    fn merge(self, file: File, mut each: impl FnMut(Place)) -> io::Result<()> {
        let starts = std::iter::once(0).chain(self.parts.iter().copied());
        let mut parts: Vec<BufReader<Part<'_>>> = starts
            .zip(&self.parts)
            .map(|(at, end)| BufReader::with_capacity(READ_BYTES, Part { file: &file, at, end: *end }))
            .collect();
        let mut rest = self.places.into_iter();
        let last = parts.len();
        let mut next = |part: usize| match parts.get_mut(part) {
            Some(part) => read_place(part),
            None => Ok(rest.next()),
        };
        let mut heads = Vec::new();
        let mut order = BinaryHeap::new();
        for part in 0..=last {
            let head = next(part)?;
            order.extend(head.map(|place| Reverse((place.order(), part))));
            heads.push(head);
        }
        while let Some(mut first) = order.peek_mut() {
            let Reverse((_, part)) = *first;
            if let Some(place) = std::mem::replace(&mut heads[part], next(part)?) {
                each(place);
            }
            match &heads[part] {
                Some(place) => *first = Reverse((place.order(), part)),
                None => {
                    std::collections::binary_heap::PeekMut::pop(first);
                }
            }
        }
        Ok(())
    }
}

/// A sorted part of the file. All parts share one position in it, so each seeks before it reads.
struct Part<'f> {
    file: &'f File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = bytes.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(&mut bytes[..len])?;
        self.at += read as u64;
        Ok(read)
    }
}

fn read_place(part: &mut impl Read) -> io::Result<Option<Place>> {
    let mut bytes = [0; PLACE_BYTES];
    match part.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(from_bytes(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn to_bytes(place: &Place) -> [u8; PLACE_BYTES] {
    let mut bytes = [0; PLACE_BYTES];
    bytes[..8].copy_from_slice(&place.style.to_le_bytes());
    bytes[8..12].copy_from_slice(&place.word.to_le_bytes());
    bytes[12..16].copy_from_slice(&place.block.to_le_bytes());
    bytes[16..].copy_from_slice(&place.signature.0.to_le_bytes());
    bytes
}

fn from_bytes(bytes: &[u8; PLACE_BYTES]) -> Place {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let long = |at: usize| u64::from(number(at)) | u64::from(number(at + 4)) << 32;
    Place {
        style: long(0),
        word: number(8),
        block: number(12),
        signature: Signature(u128::from(long(16)) | u128::from(long(24)) << 64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_same_with_little_memory_and_with_much() {
        let folder = tempfile::tempdir().unwrap();
        let sorted = |bytes_max| {
            let mut spill = Spill::new(bytes_max, folder.path());
            for number in 0..5000u64 {
                let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let signature = Signature(u128::from(mixed) << 40 | 7);
                let (word, block) = (mixed as u32, number as u32);
                spill.push(Place { style: mixed >> 58, word, block, signature }).unwrap();
            }
            let mut found = Vec::new();
            spill.for_each_sorted(|place| place.style != 3, |place| found.push(place)).unwrap();
            found
        };
        let much = sorted(1 << 20);
        assert!(much.is_sorted_by_key(Place::order) && much.len() > 4000);
        // The smallest table holds 1024 places.
        assert!(much == sorted(0));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }
}
