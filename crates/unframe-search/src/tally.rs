//! Counts the template words of blocks, with the counts of some blocks in memory at a time.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::SearchError;

/// Size of the buffer of each file, in bytes.
const BUFFER_BYTES: usize = 64 << 10;

/// Counts for numbered blocks. Those of the first blocks are kept in memory; the numbers of later blocks are written to unnamed temporary
/// files, one for each range of as many blocks, and are counted when they are read.
pub(crate) struct Tally {
    /// Number of blocks of a range.
    range: usize,
    first: Vec<u32>,
    later: Vec<BufWriter<File>>,
    folder: PathBuf,
}

impl Tally {
    /// Counts of zero for so many blocks, of which up to `bytes_max` bytes are in memory.
    pub(crate) fn new(blocks: usize, bytes_max: usize, folder: &Path) -> Result<Tally, SearchError> {
        let range = (bytes_max / size_of::<u32>()).max(1);
        let file = |_| Ok(BufWriter::with_capacity(BUFFER_BYTES, tempfile::tempfile_in(folder)?));
        let later: io::Result<Vec<_>> = (1..blocks.div_ceil(range)).map(file).collect();
        let later = later.map_err(SearchError::io(folder))?;
        Ok(Tally { range, first: vec![0; range.min(blocks)], later, folder: folder.to_owned() })
    }

    /// Counts one for a block.
    pub(crate) fn add(&mut self, block: u32) -> Result<(), SearchError> {
        let number = block as usize / self.range;
        match number.checked_sub(1) {
            None => self.first[block as usize] += 1,
            Some(number) => {
                self.later[number].write_all(&block.to_le_bytes()).map_err(SearchError::io(&self.folder))?
            }
        }
        Ok(())
    }

    /// The counts in the order of the blocks.
    pub(crate) fn into_counts(self) -> Counts {
        Counts { tally: self, next: 0, ranges: 0 }
    }
}

/// Counts in the order of their blocks.
pub(crate) struct Counts {
    tally: Tally,
    /// The next block of the range in memory.
    next: usize,
    /// Number of ranges before the one in memory.
    ranges: usize,
}

impl Counts {
    /// The count of the next block; 0 after the last one.
    pub(crate) fn next(&mut self) -> Result<u32, SearchError> {
        if self.next == self.tally.range {
            self.read_range().map_err(SearchError::io(&self.tally.folder))?;
        }
        let count = self.tally.first.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        Ok(count)
    }

    fn read_range(&mut self) -> io::Result<()> {
        let Tally { range, first: counts, later, .. } = &mut self.tally;
        counts.fill(0);
        self.next = 0;
        self.ranges += 1;
        let Some(writer) = later.get_mut(self.ranges - 1) else { return Ok(()) };
        writer.flush()?;
        let file = writer.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
        let mut block = [0; size_of::<u32>()];
        loop {
            match file.read_exact(&mut block) {
                Ok(()) => counts[u32::from_le_bytes(block) as usize % *range] += 1,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_same_with_little_memory_and_with_much() {
        let folder = tempfile::tempdir().unwrap();
        for bytes_max in [0, 4, 12, 40, 44, 400] {
            let mut tally = Tally::new(10, bytes_max, folder.path()).unwrap();
            for block in [3, 9, 3, 0, 9, 9, 4] {
                tally.add(block).unwrap();
            }
            let mut counts = tally.into_counts();
            let counts: Vec<u32> = (0..12).map(|_| counts.next().unwrap()).collect();
            assert_eq!(counts, [1, 0, 0, 2, 1, 0, 0, 0, 0, 3, 0, 0], "{bytes_max} bytes");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }
}
