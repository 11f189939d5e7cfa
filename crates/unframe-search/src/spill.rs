//! Groups the positions of words by word, with an external merge sort in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use unframe::blocks::Signature;

use crate::error::SearchError;
use crate::places::{Place, Places, StyleWord};

/// Size of a word and its place in the file, in bytes.
const ENTRY_BYTES: usize = 33;
/// Limits of the size of the read buffer for each sorted part of the file.
const READ_BYTES: std::ops::RangeInclusive<usize> = 8 << 10..=256 << 10;

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

    /// The folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
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
            |_| true,
            |_| 1,
            |word, places| places.iter().try_for_each(|place| writer.write_all(&to_bytes(word, place))),
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
        wanted: impl Fn(u32) -> bool,
        least: impl Fn(u32) -> usize,
        mut each: impl FnMut(&mut Vec<Place>) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        if self.file.is_none() {
            return self.places.for_each_word(self.first, wanted, least, |_, places| each(places));
        }
        self.write_part().map_err(SearchError::io(&self.folder))?;
        self.places = Places::default();
        let failed = SearchError::io(&self.folder);
        let mut entries = self.merge().map_err(&failed)?;
        let mut places: Vec<Place> = Vec::new();
        let mut current = None;
        loop {
            let entry = entries.next().map_err(&failed)?;
            if current != entry.map(|(word, _)| word) {
                if places.first().is_some_and(|first| places.len() >= least(first.block)) {
                    each(&mut places)?;
                }
                places.clear();
            }
            let Some((word, place)) = entry else { return Ok(()) };
            current = Some(word);
            if wanted(place.block) {
                places.push(place);
            }
        }
    }

    /// The sorted parts of the file as one.
    fn merge(&self) -> io::Result<Merge<'_>> {
        let starts = std::iter::once(0).chain(self.parts.iter().copied());
        let share = self.bytes_max / self.parts.len().max(1);
        let buffer_bytes = share.clamp(*READ_BYTES.start(), *READ_BYTES.end());
        let file = self.file.iter().cycle();
        let parts = starts.zip(&self.parts).zip(file);
        let mut merge = Merge {
            parts: parts
                .map(|((at, end), file)| BufReader::with_capacity(buffer_bytes, Part { file, at, end: *end }))
                .collect(),
            heads: BinaryHeap::new(),
        };
        for (number, part) in merge.parts.iter_mut().enumerate() {
            merge.heads.extend(read_entry(part)?.map(|entry| Reverse(Head { entry, part: number })));
        }
        Ok(merge)
    }
}

/// A word and one of its places.
type Entry = (StyleWord, Place);

/// Sorted parts that are read as one.
struct Merge<'f> {
    parts: Vec<BufReader<Part<'f>>>,
    heads: BinaryHeap<Reverse<Head>>,
}

/// The next entry of a part.
struct Head {
    entry: Entry,
    part: usize,
}

impl Merge<'_> {
    /// The next entry by word and block.
    fn next(&mut self) -> io::Result<Option<Entry>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse(Head { entry, part }) = &mut *head;
        let first = *entry;
        match read_entry(&mut self.parts[*part])? {
            Some(next) => *entry = next,
            None => drop(PeekMut::pop(head)),
        }
        Ok(Some(first))
    }
}

impl Head {
    fn key(&self) -> (StyleWord, u32) {
        (self.entry.0, self.entry.1.block)
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Head {}

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

fn read_entry(part: &mut impl Read) -> io::Result<Option<Entry>> {
    let mut bytes = [0; ENTRY_BYTES];
    match part.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(from_bytes(&bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn to_bytes(word: StyleWord, place: &Place) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    bytes[..8].copy_from_slice(&word.style.to_le_bytes());
    bytes[8..12].copy_from_slice(&word.word.to_le_bytes());
    bytes[12..16].copy_from_slice(&place.block.to_le_bytes());
    bytes[16..32].copy_from_slice(&place.signature.0.to_le_bytes());
    bytes[32] = place.block_words;
    bytes
}

fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let long = |at: usize| u64::from(number(at)) | u64::from(number(at + 4)) << 32;
    let signature = Signature(u128::from(long(16)) | u128::from(long(24)) << 64);
    let word = StyleWord { style: long(0), word: number(8) };
    (word, Place { block: number(12), block_words: bytes[32], signature })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of each word that a spill with this memory limit returns for 500 pages.
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
        let each = |places: &mut Vec<Place>| {
            found.push(places.clone());
            Ok(())
        };
        spill.for_each_word(|block| block != 4, least, each).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
        found
    }

    #[test]
    fn words_have_the_same_places_with_little_memory_and_with_much() {
        let much = groups(1 << 20);
        assert!(much.len() > 100);
        assert!(much.iter().all(|places| places.is_sorted_by_key(|place| place.block)));
        assert!(much.iter().flatten().all(|place| place.block != 4 && place.block_words < 12));
        // Blocks of one style have numbers with the same remainder.
        assert!(much.iter().all(|places| places.iter().all(|place| place.block % 7 == places[0].block % 7)));
        assert!(much.iter().all(|places| places.len() >= if places[0].block % 7 == 1 { 50 } else { 3 }));
        assert!(much == groups(4 << 10));
        assert!(much == groups(0));
    }
}
