//! Groups the positions of words by word, with an external merge sort in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use unframe::blocks::Signature;

use crate::error::SearchError;
use crate::places::{Place, Places};

/// Size of a place in the file, in bytes.
const PLACE_BYTES: usize = 32;
/// Size of the read buffer for each sorted part of the file.
const READ_BYTES: usize = 256 << 10;

/// Collects the words of blocks, and returns the places of each word. Places that do not fit into memory are written to an unnamed
/// temporary file, as a sequence of sorted parts.
pub(crate) struct Spill {
    places: Places,
    /// The number of the first block in memory.
    first: u32,
    bytes_max: usize,
    folder: PathBuf,
    file: Option<File>,
    /// The end of each part in the file.
    parts: Vec<u64>,
}

impl Spill {
    pub(crate) fn new(bytes_max: usize, folder: &Path) -> Spill {
        Spill {
            places: Places::default(),
            first: 0,
            bytes_max,
            folder: folder.to_owned(),
            file: None,
            parts: Vec::new(),
        }
    }

    /// Adds the blocks of a page. They get the next numbers.
    pub(crate) fn push(&mut self, page: &Places) -> Result<(), SearchError> {
        self.places.append(page);
        if self.places.bytes() > self.bytes_max {
            self.write_part().map_err(SearchError::io(&self.folder))?;
        }
        Ok(())
    }

    fn write_part(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut writer = BufWriter::with_capacity(1 << 20, &mut *file);
        self.places.for_each_word(
            self.first,
            |_, _| true,
            |_| 1,
            |places| places.iter().try_for_each(|place| writer.write_all(&to_bytes(place))),
        )?;
        writer.flush()?;
        drop(writer);
        self.parts.push(file.stream_position()?);
        self.first += self.places.blocks().len() as u32;
        self.places.clear();
        Ok(())
    }

    /// Calls `each` with the places of a word in the blocks of a style, for all words; see [`Places::for_each_word`].
    pub(crate) fn for_each_word(
        mut self,
        wanted: impl Fn(u64, u32) -> bool,
        least: impl Fn(u32) -> usize,
        mut each: impl FnMut(&mut Vec<Place>),
    ) -> Result<(), SearchError> {
        let folder = std::mem::take(&mut self.folder);
        if self.file.is_none() {
            let each = |places: &mut Vec<Place>| {
                each(places);
                Ok(())
            };
            return self
                .places
                .for_each_word(self.first, wanted, least, each)
                .map_err(SearchError::io(&folder));
        }
        let mut group: Vec<Place> = Vec::new();
        let mut end_group = |group: &mut Vec<Place>| {
            if group.first().is_some_and(|first| group.len() >= least(first.block)) {
                each(group);
            }
            group.clear();
        };
        self.write_part()
            .and_then(|()| {
                self.merge(|place| {
                    if group.first().is_some_and(|first| !first.is_same_word(&place)) {
                        end_group(&mut group);
                    }
                    if wanted(place.style, place.block) {
                        group.push(place);
                    }
                })
            })
            .map_err(SearchError::io(&folder))?;
        end_group(&mut group);
        Ok(())
    }

    /// Calls `each` with all places in the file, in order.
    fn merge(self, mut each: impl FnMut(Place)) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let starts = std::iter::once(0).chain(self.parts.iter().copied());
        let mut parts: Vec<BufReader<Part<'_>>> = starts
            .zip(&self.parts)
            .map(|(at, end)| BufReader::with_capacity(READ_BYTES, Part { file, at, end: *end }))
            .collect();
        let mut heads = Vec::new();
        let mut order = BinaryHeap::new();
        for (number, part) in parts.iter_mut().enumerate() {
            let head = read_place(part)?;
            order.extend(head.map(|place| Reverse((place.order(), number))));
            heads.push(head);
        }
        while let Some(mut first) = order.peek_mut() {
            let Reverse((_, part)) = *first;
            if let Some(place) = std::mem::replace(&mut heads[part], read_place(&mut parts[part])?) {
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

/// A sorted part of the file. All parts share one file position, so each part seeks before it reads.
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

    /// The groups that a spill with this memory limit returns for 500 pages.
    fn groups(bytes_max: usize) -> Vec<Vec<Place>> {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(bytes_max, folder.path());
        let mut memory = Vec::new();
        for page in 0..500u64 {
            let mut places = Places::default();
            for block in 0..4 {
                let words: Vec<u64> = (0..page % 9 + block).map(|word| (word * word + page) % 40).collect();
                places.push_block((page * 4 + block) % 7, &words, &mut memory);
            }
            spill.push(&places).unwrap();
        }
        let mut found = Vec::new();
        let least = |block: u32| if block % 7 == 1 { 50 } else { 3 };
        spill
            .for_each_word(|style, block| style != 3 && block != 4, least, |group| found.push(group.clone()))
            .unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
        found
    }

    #[test]
    fn words_have_the_same_places_with_little_memory_and_with_much() {
        let much = groups(1 << 20);
        assert!(much.len() > 100 && much.concat().is_sorted_by_key(Place::order));
        assert!(much.iter().all(|group| group.iter().all(|place| place.is_same_word(&group[0]))));
        assert!(much.iter().flatten().all(|place| place.style != 3 && place.block != 4));
        assert!(much.iter().all(|group| group.len() >= if group[0].style == 1 { 50 } else { 3 }));
        assert!(much == groups(4 << 10));
        assert!(much == groups(0));
    }
}
