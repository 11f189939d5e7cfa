//! Reassembles long records that were split into segments.

use crate::limits::{RECORD_BYTES_MAX, SEGMENTED_RECORDS_MAX};
use unframe::Problem;

use super::{Record, RecordHead, Segment};

/// Records that wait for further segments, oldest first.
pub(super) struct Segments {
    pending: Vec<Pending>,
    /// The maximum number of bytes that the records hold together.
    bytes_max: usize,
}

struct Pending {
    id: Vec<u8>,
    next: u64,
    record: Record,
    /// The header of the first segment, and the blocks of all segments.
    bytes: Vec<u8>,
}

impl Default for Segments {
    fn default() -> Segments {
        Segments { pending: Vec::new(), bytes_max: RECORD_BYTES_MAX }
    }
}

impl Segments {
    /// Adds the first segment of a series. Returns the incomplete records that are dropped to make room.
    pub(super) fn begin(
        &mut self,
        bytes: &[u8],
        segment: &Segment,
        record: Record,
    ) -> Vec<(Record, Vec<u8>)> {
        let mut given_up = Vec::new();
        while !self.pending.is_empty()
            && (self.pending.len() >= SEGMENTED_RECORDS_MAX || self.held() + bytes.len() > self.bytes_max)
        {
            given_up.push(self.pending.remove(0).incomplete());
        }
        let id = bytes.get(segment.origin.clone()).unwrap_or_default().to_vec();
        self.pending.push(Pending { id, next: 2, record, bytes: bytes.to_vec() });
        given_up
    }

    /// Adds a later segment; `bytes` is its whole record. Returns the record that it completes, or a problem.
    pub(super) fn add(
        &mut self,
        bytes: &[u8],
        head: &RecordHead,
    ) -> Result<Option<(Record, Vec<u8>)>, Problem> {
        let lost = || Problem::new("lost-segment", "a segment of a record without the segments before it");
        let segment = head.segment.as_ref().ok_or_else(lost)?;
        let id = bytes.get(segment.origin.clone()).unwrap_or_default();
        let position = self.pending.iter().position(|pending| pending.id == id).ok_or_else(lost)?;
        let block = bytes.get(head.header_length..).unwrap_or_default();
        let is_too_large = self.held() + block.len() > self.bytes_max;
        let pending = &mut self.pending[position];
        if segment.number != pending.next || is_too_large {
            return Ok(Some(self.pending.remove(position).incomplete()));
        }
        pending.bytes.extend_from_slice(block);
        pending.record.block.end = pending.bytes.len();
        pending.next += 1;
        Ok(segment
            .is_last
            .then(|| self.pending.remove(position))
            .map(|pending| (pending.record, pending.bytes)))
    }

    /// At the end of the file, returns the records whose last segment is missing.
    pub(super) fn finish(&mut self) -> impl Iterator<Item = (Record, Vec<u8>)> + '_ {
        self.pending.drain(..).map(Pending::incomplete)
    }

    fn held(&self) -> usize {
        self.pending.iter().map(|pending| pending.bytes.len()).sum()
    }
}

impl Pending {
    fn incomplete(mut self) -> (Record, Vec<u8>) {
        let message = format!("segment {} of the record was not found", self.next);
        self.record.problem.get_or_insert(Problem::new("missing-segment", message));
        (self.record, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordKind;

    /// Adds the first segment of a record, with this many bytes.
    fn begin(segments: &mut Segments, len: usize) -> usize {
        let record = Record {
            offset: 0,
            kind: RecordKind::Response,
            id: 0..0,
            url: 0..0,
            date: 0..0,
            content_type: 0..0,
            block: 0..len,
            problem: None,
        };
        let segment = Segment { number: 1, origin: 0..0, is_last: false };
        segments.begin(&vec![b'x'; len], &segment, record).len()
    }

    #[test]
    fn as_many_records_are_given_up_as_a_large_one_needs() {
        let mut segments = Segments { bytes_max: 100, ..Segments::default() };
        assert_eq!([30, 30, 30].map(|len| begin(&mut segments, len)), [0, 0, 0]);
        assert_eq!(begin(&mut segments, 70), 2);
        assert_eq!(segments.held(), 100);
        // A segment that exceeds the limit is held alone.
        assert_eq!(begin(&mut segments, 101), 2);
        assert_eq!(segments.held(), 101);
    }
}
