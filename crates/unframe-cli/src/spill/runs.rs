//! Sorted runs: parts of sites in an unnamed file, by the names of the sites, and their merge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use anyhow::Context;

use super::{cannot_read, cannot_write};

/// Runs of one size that are merged into a larger one: each takes an open file and a buffer.
pub(super) const RUNS_MAX: usize = 64;

/// Bytes of the buffer of each run.
const BUFFER_BYTES: usize = 64 << 10;

/// An unnamed file of parts.
pub(super) struct Run {
    file: File,
    /// How often its parts were merged.
    pub(super) level: u32,
}

/// Writes a run: the parts of each site in their order, the sites in the order of their names.
pub(super) struct RunWriter {
    out: BufWriter<File>,
    level: u32,
}

impl RunWriter {
    pub(super) fn new(level: u32) -> anyhow::Result<RunWriter> {
        let file = tempfile::tempfile().with_context(cannot_write)?;
        Ok(RunWriter { out: BufWriter::with_capacity(BUFFER_BYTES, file), level })
    }

    pub(super) fn add(&mut self, site: &str, part: &[u8]) -> anyhow::Result<()> {
        write_record(&mut self.out, site, part).with_context(cannot_write)?;
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<Run> {
        let file =
            self.out.into_inner().map_err(io::IntoInnerError::into_error).with_context(cannot_write)?;
        Ok(Run { file, level: self.level })
    }
}

/// Writes a record: the length of the name, the length of the data, the name, the data.
pub(super) fn write_record(out: &mut impl Write, site: &str, bytes: &[u8]) -> io::Result<u64> {
    out.write_all(&(site.len() as u64).to_le_bytes())?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(site.as_bytes())?;
    out.write_all(bytes)?;
    Ok(16 + (site.len() + bytes.len()) as u64)
}

/// The name of the next record and the length of the rest; nothing at the end of the file.
pub(super) fn read_head(file: &mut impl Read) -> io::Result<Option<(String, u64)>> {
    let mut lengths = Vec::with_capacity(16);
    file.by_ref().take(16).read_to_end(&mut lengths)?;
    let (site, rest) = match *lengths.as_slice() {
        [] => return Ok(None),
        [a, b, c, d, e, f, g, h, ref rest @ ..] => (u64::from_le_bytes([a, b, c, d, e, f, g, h]), rest),
        _ => return Err(io::ErrorKind::UnexpectedEof.into()),
    };
    let rest = rest.try_into().map(u64::from_le_bytes).map_err(|_| io::ErrorKind::UnexpectedEof)?;
    let site = String::from_utf8(read_bytes(file, site)?).map_err(io::Error::other)?;
    Ok(Some((site, rest)))
}

pub(super) fn read_bytes(file: &mut impl Read, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Adds a run to those that were written before. [`RUNS_MAX`] runs of one size are merged into a larger one, by a function that gets their
/// merge and the larger run.
pub(super) fn push(
    runs: &mut Vec<Run>,
    run: Run,
    merge: impl Fn(&mut Merge, &mut RunWriter) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    runs.push(run);
    while let Some(level) = runs.last().map(|run| run.level) {
        let first = runs.partition_point(|run| run.level > level);
        if runs.len() - first < RUNS_MAX {
            break;
        }
        let mut larger = RunWriter::new(level + 1)?;
        merge(&mut Merge::of(&runs[first..])?, &mut larger)?;
        runs.splice(first.., [larger.finish()?]);
    }
    Ok(())
}

/// Several runs at once, site by site.
pub(super) struct Merge {
    runs: Vec<BufReader<File>>,
    /// The position of the next record of each run.
    positions: Vec<u64>,
    /// The next site of each run, with the number of the run and the length of the part: the first name is on top, and of its parts
    /// that of the first run.
    heads: BinaryHeap<Reverse<(String, usize, u64)>>,
}

impl Merge {
    /// The merge of runs, from their beginnings. Two merges of the same runs cannot go on at the same time.
    pub(super) fn of(runs: &[Run]) -> anyhow::Result<Merge> {
        Merge::at(runs, vec![0; runs.len()])
    }

    /// The merge of runs from where another merge has ended.
    pub(super) fn at(runs: &[Run], positions: Vec<u64>) -> anyhow::Result<Merge> {
        let mut merge = Merge { runs: Vec::new(), positions, heads: BinaryHeap::new() };
        for (number, run) in runs.iter().enumerate() {
            let mut file = run.file.try_clone().with_context(cannot_read)?;
            file.seek(SeekFrom::Start(merge.positions[number])).with_context(cannot_read)?;
            merge.runs.push(BufReader::with_capacity(BUFFER_BYTES, file));
            merge.read_head(number).with_context(cannot_read)?;
        }
        Ok(merge)
    }

    /// The position of the next record of each run.
    pub(super) fn positions(self) -> Vec<u64> {
        self.positions
    }

    /// The next site, with its parts in the order of the runs.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<(String, Vec<Vec<u8>>)>> {
        let mut parts = Vec::new();
        let site = self.each_part(|file, len| {
            parts.push(read_bytes(file, len)?);
            Ok(())
        });
        Ok(site.with_context(cannot_read)?.map(|site| (site, parts)))
    }

    /// The name of the next site.
    pub(super) fn next_site(&self) -> Option<&str> {
        self.heads.peek().map(|Reverse((site, ..))| site.as_str())
    }

    /// The next part, with the name of its site.
    pub(super) fn next_part(&mut self) -> anyhow::Result<Option<(String, Vec<u8>)>> {
        let Some(Reverse((site, run, len))) = self.heads.pop() else { return Ok(None) };
        let part = read_bytes(&mut self.runs[run], len).with_context(cannot_read)?;
        self.advance(run, &site, len).with_context(cannot_read)?;
        Ok(Some((site, part)))
    }

    /// How many sites there are.
    pub(super) fn count(mut self) -> anyhow::Result<usize> {
        let mut count = 0;
        let skip = |file: &mut BufReader<File>, len: u64| file.seek_relative(len as i64);
        while self.each_part(skip).with_context(cannot_read)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    /// Calls a function for each part of the next site.
    fn each_part(
        &mut self,
        mut each: impl FnMut(&mut BufReader<File>, u64) -> io::Result<()>,
    ) -> io::Result<Option<String>> {
        let Some(Reverse((site, mut run, mut len))) = self.heads.pop() else { return Ok(None) };
        loop {
            each(&mut self.runs[run], len)?;
            self.advance(run, &site, len)?;
            match self.heads.peek() {
                Some(Reverse((next, ..))) if *next == site => {}
                _ => return Ok(Some(site)),
            }
            if let Some(Reverse(next)) = self.heads.pop() {
                (_, run, len) = next;
            }
        }
    }

    /// Goes on to the next record of a run, after one of a part of this length.
    fn advance(&mut self, run: usize, site: &str, len: u64) -> io::Result<()> {
        self.positions[run] += 16 + site.len() as u64 + len;
        self.read_head(run)
    }

    /// Reads the next head of a run.
    fn read_head(&mut self, run: usize) -> io::Result<()> {
        if let Some((site, len)) = read_head(&mut self.runs[run])? {
            self.heads.push(Reverse((site, run, len)));
        }
        Ok(())
    }
}
