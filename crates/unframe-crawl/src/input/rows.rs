//! Files with one page per line or row: JSONL and Parquet.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use unframe::Problem;

use super::Reader;
use super::file::report;
use crate::batch::{Batch, Emit, Item};
use crate::decode::{Decoded, Decoder};
use crate::raw_page;

/// Reports that this build lacks the feature for Parquet.
#[cfg(not(feature = "parquet"))]
pub(super) fn read_rows(
    _file: &File,
    batch: Batch,
    _reader: &Reader,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    report(batch, Problem::new("left-out", crate::write::PARQUET_LEFT_OUT), emit)
}

/// Reads a Parquet file.
#[cfg(feature = "parquet")]
pub(super) fn read_rows(
    file: &File,
    mut batch: Batch,
    reader: &Reader,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    let own = match file.try_clone() {
        Ok(own) => own,
        Err(error) => return report(batch, Problem::new("unreadable", error.to_string()), emit),
    };
    let length = file.metadata().map_or(0, |data| data.len());
    let mut rows = Rows { batch: &mut batch, held: 0, batch_bytes: reader.batch_bytes, emit };
    let mut flow = ControlFlow::Continue(());
    crate::parquet::read(own, |found| {
        flow = rows.add(found);
        flow
    });
    flow?;
    // The library reads the file itself, in any order. The first bytes were counted when the file was opened.
    reader.progress.add_bytes_read(length.saturating_sub(crate::decode::READ_BYTES as u64));
    emit(&mut batch)
}

/// Collects the pages of lines and rows in batches.
pub(super) struct Rows<'a, 'e> {
    pub(super) batch: &'a mut Batch,
    pub(super) held: usize,
    pub(super) batch_bytes: usize,
    pub(super) emit: &'a mut Emit<'e>,
}

impl Rows<'_, '_> {
    pub(super) fn add(&mut self, found: raw_page::RowResult) -> ControlFlow<()> {
        self.batch.counts.records += 1;
        let item = match found {
            Ok(page) => Item::Page(Box::new(page)),
            Err(misread) => Item::Problem(misread.offset, misread.problem),
        };
        self.held += item.held_bytes();
        self.batch.items.push(item);
        if self.held < self.batch_bytes {
            return ControlFlow::Continue(());
        }
        self.held = 0;
        let flow = (self.emit)(self.batch);
        self.batch.items.clear();
        flow
    }
}

/// Decoded bytes as a reader, for formats that are read line by line.
pub(super) struct DecodedReader {
    pub(super) decoder: Decoder,
    pub(super) decoded: Decoded,
    pub(super) position: usize,
    /// The damage found so far.
    pub(super) damage: Decoded,
}

impl Read for DecodedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.position == self.decoded.bytes.len() {
            self.decoded.bytes.clear();
            self.position = 0;
            let is_more = self.decoder.fill(&mut self.decoded);
            self.decoded.move_problems(&mut self.damage);
            if !is_more {
                return Ok(0);
            }
        }
        let rest = &self.decoded.bytes[self.position..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.position += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonl;

    #[test]
    fn bad_rows_are_handed_on_like_good_ones() {
        let mut batch = Batch::new("rows".into());
        let (mut batches, mut problems, mut longest) = (0, 0, 0);
        let mut emit = |batch: &mut Batch| {
            batches += 1;
            problems += batch.items.len();
            longest = longest.max(batch.items.len());
            ControlFlow::Continue(())
        };
        let mut rows = Rows { batch: &mut batch, held: 0, batch_bytes: 256 << 10, emit: &mut emit };
        jsonl::read(&b"{bad}\n".repeat(100_000)[..], |found| rows.add(found));
        assert!(batches > 20 && longest < 5_000, "{batches} batches of up to {longest} rows");
        assert_eq!(problems + batch.items.len(), 100_000);
    }
}
