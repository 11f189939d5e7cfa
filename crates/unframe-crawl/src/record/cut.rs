//! Splits decoded bytes into records.
//!
//! The declared length of a record is trusted if what follows the record is plausible: the end of its gzip member, another
//! record, or the end of the file, with or without empty lines. Otherwise its length is wrong, and three rules apply:
//!
//! 1. A record never reaches over damage, nor into a gzip member that begins with a record of its own.
//! 2. If another record begins at a line inside the block, the block ends there: the length was too long.
//! 3. Else the length was too short or garbage follows: the search continues at the next line that begins a record.
//!
//! The result depends only on the bytes and the marks, never on the sizes of reads.

use std::ops::ControlFlow;

use crate::limits::RECORD_BYTES_MAX;
use unframe::Problem;

use super::segments::Segments;
use super::{Family, Parsed, Record, RecordHead, RecordKind};
use crate::batch::{Batch, Emit, Item};
use crate::decode::{Decoded, Decoder};

/// Splits a file into records and emits them in batches of at least `batch_bytes`. The last batch may be smaller.
///
/// `decoded` holds the bytes that were already decoded to detect the format.
pub(crate) fn cut(
    decoder: &mut Decoder,
    decoded: Decoded,
    family: Family,
    batch: &mut Batch,
    batch_bytes: usize,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    let mut cutter = Cutter {
        decoded,
        spare: Vec::new(),
        position: 0,
        is_ended: false,
        is_plain: decoder.is_plain(),
        anchor: (0, 0),
        member_start: Some(0),
        members: 1,
        next_mark: 0,
        sound_marks: 0,
        foreign_marks: 0,
        family,
        state: State::Records,
        is_garbage_reported: false,
        segments: Segments::default(),
        batch,
    };
    loop {
        while cutter.step() {}
        if cutter.is_ended {
            break;
        }
        // Problems can occur without any bytes.
        let items = cutter.batch.items.len() * size_of::<Item>();
        if cutter.position + items >= batch_bytes.max(1) {
            cutter.flush(emit)?;
        }
        cutter.forget_marks();
        cutter.is_ended = !decoder.fill(&mut cutter.decoded);
    }
    cutter.finish();
    cutter.flush(emit)
}

struct Cutter<'a> {
    decoded: Decoded,
    /// The buffer of the previous batch, for reuse.
    spare: Vec<u8>,
    position: usize,
    /// Whether all input is decoded.
    is_ended: bool,
    is_plain: bool,
    /// A position in the decoded bytes at or before the current one, with its position in the file. In a compressed file, only the
    /// beginnings of members have a known position in the file, so this is the beginning of the current member.
    anchor: (usize, u64),
    /// The beginning of the current member in the decoded bytes, unless it has been flushed.
    member_start: Option<usize>,
    members: u64,
    /// The index of the first mark after the position.
    next_mark: usize,
    /// No mark before this index has damage. Without this field and the next one, a file with millions of tiny members would take quadratic time.
    sound_marks: usize,
    /// No mark before this index begins a record inside the record at the position.
    foreign_marks: usize,
    family: Family,
    state: State,
    /// Whether a reported problem already explains garbage at the position.
    is_garbage_reported: bool,
    segments: Segments,
    batch: &'a mut Batch,
}

#[derive(Clone, Copy)]
enum State {
    /// A record is expected.
    Records,
    /// A record that is too large is being skipped.
    Skip { passed: u64, left: u64 },
    /// Garbage is being skipped.
    Garbage { offset: u64, length: u64 },
}

/// How the end of a record was found.
enum RecordEnd {
    At { end: usize, problem: Option<Problem> },
    More,
}

impl Cutter<'_> {
    /// Makes one step. Returns false if more bytes are needed or the file has ended.
    fn step(&mut self) -> bool {
        self.pass_marks();
        let (stop, is_closed) = self.window();
        if self.position == stop {
            return false;
        }
        match self.state {
            State::Records => self.step_record(stop, is_closed),
            State::Skip { passed, left } => self.step_skip(passed, left, stop, is_closed),
            State::Garbage { offset, length } => self.step_garbage(offset, length, stop, is_closed),
        }
    }

    /// Drops the marks before the position. The decoder may change the last mark, so that one must still be pending.
    fn forget_marks(&mut self) {
        self.decoded.marks.drain(..self.next_mark);
        self.sound_marks = self.sound_marks.saturating_sub(self.next_mark);
        self.foreign_marks = self.foreign_marks.saturating_sub(self.next_mark);
        self.next_mark = 0;
    }

    /// Processes the marks up to the position, and reports their damage.
    fn pass_marks(&mut self) {
        while let Some(mark) =
            self.decoded.marks.get_mut(self.next_mark).filter(|mark| mark.at <= self.position)
        {
            self.next_mark += 1;
            self.members += 1;
            self.anchor = (mark.at, mark.offset);
            self.member_start = Some(mark.at);
            if let Some(problem) = mark.problem.take() {
                let offset = mark.offset;
                self.end_garbage();
                self.state = State::Records;
                self.batch.problem(offset, *problem);
            }
        }
    }

    /// The end of the contiguous bytes, and whether it is certain that no more bytes follow there.
    fn window(&mut self) -> (usize, bool) {
        let from = self.sound_marks.max(self.next_mark);
        let marks = self.decoded.marks.get(from..).unwrap_or_default();
        let sound = marks.iter().position(|mark| mark.problem.is_some());
        self.sound_marks = from + sound.unwrap_or(marks.len());
        match self.decoded.marks.get(self.sound_marks) {
            Some(mark) => (mark.at, true),
            None => (self.decoded.bytes.len(), self.is_ended),
        }
    }

    fn step_record(&mut self, stop: usize, is_closed: bool) -> bool {
        let rest = &self.decoded.bytes[self.position..stop];
        // Some editors begin a file with a byte order mark.
        let bom = if rest.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let blank = bom + rest[bom..].iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        if blank > 0 {
            // The position may have moved past a mark, so start again.
            self.position += blank;
            return true;
        }
        let offset = self.offset();
        match self.family.parse(rest, is_closed) {
            Parsed::More => false,
            Parsed::Head(head) => self.take_record(head, stop, is_closed),
            Parsed::Not => {
                self.state = State::Garbage { offset: self.offset(), length: 0 };
                true
            }
            Parsed::Bad(length, problem) => {
                self.position += length.min(rest.len());
                self.batch.problem(offset, problem);
                self.is_garbage_reported = true;
                true
            }
        }
    }

    fn take_record(&mut self, head: RecordHead, stop: usize, is_closed: bool) -> bool {
        let start = self.position + head.header_length;
        if head.length > RECORD_BYTES_MAX as u64 {
            let message = format!("a record of {} bytes is skipped", head.length);
            self.batch.problem(self.offset(), Problem::new("too-large", message));
            self.batch.counts.records += 1;
            self.position = start;
            self.state = State::Skip { passed: 0, left: head.length };
            return true;
        }
        let RecordEnd::At { end, problem } = self.find_end(start, head.length as usize, stop, is_closed)
        else {
            return false;
        };
        self.is_garbage_reported = problem.is_some();
        self.add_record(head, end, problem);
        self.position = end;
        self.foreign_marks = 0;
        true
    }

    /// The actual end of the block that begins at `start`.
    fn find_end(&mut self, start: usize, length: usize, stop: usize, is_closed: bool) -> RecordEnd {
        let bytes = &self.decoded.bytes[..stop];
        let end = start + length;
        let wrong = |end: usize| {
            let message =
                format!("{length} bytes were declared, another record begins after {}", end - start);
            RecordEnd::At { end, problem: Some(Problem::new("wrong-length", message)) }
        };
        let marks = &self.decoded.marks;
        let mut at = self.foreign_marks.max(self.next_mark);
        while let Some(mark) = marks.get(at).filter(|mark| mark.at < end && mark.at < stop) {
            let starts =
                if mark.at > start { self.family.starts(&bytes[mark.at..], is_closed) } else { Some(false) };
            match starts {
                Some(true) => return wrong(mark.at),
                Some(false) => at += 1,
                None => return RecordEnd::More,
            }
            self.foreign_marks = at;
        }
        let Some(after) = bytes.get(end..) else {
            return match is_closed {
                false => RecordEnd::More,
                true => self
                    .find_embedded(start, stop, stop)
                    .map_or_else(|| truncated(start, length, stop), wrong),
            };
        };
        let blank = after.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let first_after = marks.partition_point(|mark| mark.at < end);
        let is_followed = match self.family.starts(&after[blank..], is_closed) {
            _ if marks.get(first_after).is_some_and(|mark| mark.at <= end + blank) => true,
            _ if blank == after.len() && is_closed => true,
            // The file may still be growing: the record ends here, whatever follows.
            _ if blank == after.len()
                && after.starts_with(b"\r\n\r\n")
                && self.find_embedded(start, end, stop).is_none() =>
            {
                true
            }
            None => return RecordEnd::More,
            Some(is_record) => is_record,
        };
        if is_followed {
            return RecordEnd::At { end, problem: None };
        }
        // A header that begins before the declared end may extend past it.
        let reach = end + self.family.start_bytes_max();
        if stop < reach && !is_closed {
            return RecordEnd::More;
        }
        if let Some(embedded) = self.find_embedded(start, end, stop.min(reach)) {
            return wrong(embedded);
        }
        let message = format!("{length} bytes were declared, but the record goes on");
        let problem = (blank == 0).then(|| Problem::new("wrong-length", message));
        RecordEnd::At { end, problem }
    }

    /// The first record that begins at a line inside a block that ends at `end`. Bytes up to `reach` are searched.
    fn find_embedded(&self, start: usize, end: usize, reach: usize) -> Option<usize> {
        let block = self.decoded.bytes.get(start..reach)?;
        let first_line = 1 + memchr::memchr(b'\n', block)?;
        let found = start + first_line + self.family.find(block.get(first_line..)?)?;
        (found < end).then_some(found)
    }

    fn add_record(&mut self, head: RecordHead, end: usize, problem: Option<Problem>) {
        self.batch.counts.records += 1;
        let (base, offset) = (self.position, self.offset());
        let is_split = head.segment.as_ref().is_some_and(|segment| segment.number > 1 || !segment.is_last);
        let record = |base: usize, end: usize| {
            let shift = |range: &std::ops::Range<usize>| base + range.start..base + range.end;
            Record {
                offset,
                kind: head.kind,
                id: shift(&head.id),
                url: shift(&head.url),
                date: shift(&head.date),
                content_type: shift(&head.content_type),
                block: base + head.header_length..end,
                problem: problem.clone(),
            }
        };
        let bytes = &self.decoded.bytes[base..end];
        match (head.kind, &head.segment) {
            (RecordKind::Continuation, _) => match self.segments.add(bytes, &head) {
                Ok(whole) => {
                    self.batch.counts.skip("continuation");
                    self.batch.items.extend(whole.map(Item::owned));
                }
                Err(problem) => self.batch.problem(offset, problem),
            },
            (RecordKind::Response | RecordKind::Resource, Some(segment)) if is_split => {
                let given_up = self.segments.begin(bytes, segment, record(0, bytes.len()));
                self.batch.items.extend(given_up.into_iter().map(Item::owned));
            }
            (kind, _) => match kind.skip_reason(&bytes[head.content_type.clone()]) {
                Some(reason) => {
                    self.batch.counts.skip(reason);
                    if let Some(problem) = problem {
                        self.batch.problem(offset, problem);
                    }
                }
                None => self.batch.items.push(Item::Record(record(base, end))),
            },
        }
    }

    /// Whether the position is the beginning of a member with a record of its own; `None` if more bytes are needed.
    fn starts_member(&self, stop: usize, is_closed: bool) -> Option<bool> {
        match self.member_start == Some(self.position) {
            true => self.family.starts(&self.decoded.bytes[self.position..stop], is_closed),
            false => Some(false),
        }
    }

    /// Skips a record that is too large, up to the next record or member.
    fn step_skip(&mut self, passed: u64, left: u64, stop: usize, is_closed: bool) -> bool {
        match self.starts_member(stop, is_closed) {
            _ if passed == 0 => {}
            Some(false) => {}
            Some(true) => {
                self.state = State::Records;
                return true;
            }
            None => return false,
        }
        let member = self.decoded.marks.get(self.next_mark).map(|mark| mark.at).filter(|at| *at < stop);
        let window = member.unwrap_or(stop) - self.position;
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(window);
        let end = self.position + length;
        // In files without members, only the text can show that the declared length is wrong.
        if self.members == 1
            && let Some(found) = self.find_embedded(self.position, end, end)
        {
            self.position = found;
            self.state = State::Records;
            return true;
        }
        let is_whole = self.members > 1 || length as u64 == left || member.is_some() || is_closed;
        let keep = if is_whole { 0 } else { self.family.undecided(&self.decoded.bytes[self.position..end]) };
        let step = length - keep;
        self.position += step;
        self.state = match left - step as u64 {
            0 => State::Records,
            left => State::Skip { passed: passed + step as u64, left },
        };
        step > 0
    }

    /// Skips garbage, up to a line or a member that begins with a record.
    fn step_garbage(&mut self, offset: u64, length: u64, stop: usize, is_closed: bool) -> bool {
        match self.starts_member(stop, is_closed) {
            _ if length == 0 => {}
            Some(false) => {}
            Some(true) => {
                self.end_garbage();
                return true;
            }
            None => return false,
        }
        let found = self.find_embedded(self.position, stop, stop);
        let member = self.decoded.marks.get(self.next_mark).map(|mark| mark.at);
        let member = member.filter(|at| *at < found.unwrap_or(stop));
        let keep =
            if is_closed { 0 } else { self.family.undecided(&self.decoded.bytes[self.position..stop]) };
        let end = member.or(found).unwrap_or(stop - keep);
        let step = end - self.position;
        self.position = end;
        self.state = State::Garbage { offset, length: length + step as u64 };
        if member.is_none() && (found.is_some() || is_closed) {
            self.end_garbage();
        }
        step > 0
    }

    fn end_garbage(&mut self) {
        if let State::Garbage { offset, length } = self.state {
            self.state = State::Records;
            if length > 0 && !std::mem::take(&mut self.is_garbage_reported) {
                let problem = Problem::new("garbage", format!("{length} bytes belong to no record"));
                self.batch.problem(offset, problem);
            }
        }
    }

    /// The position in the file, as exactly as it is known.
    fn offset(&self) -> u64 {
        let (at, offset) = self.anchor;
        if self.is_plain { offset + (self.position - at) as u64 } else { offset }
    }

    fn finish(&mut self) {
        self.pass_marks();
        if let State::Skip { left, .. } = self.state {
            let problem = Problem::new("truncated-record", format!("{left} bytes of the record are missing"));
            self.batch.problem(self.offset(), problem);
        }
        self.end_garbage();
        self.batch.items.extend(self.segments.finish().map(Item::owned));
    }

    /// Emits the batch, and keeps the bytes after the position.
    fn flush(&mut self, emit: &mut Emit<'_>) -> ControlFlow<()> {
        self.spare.clear();
        self.spare.extend_from_slice(&self.decoded.bytes[self.position..]);
        self.batch.bytes = std::mem::replace(&mut self.decoded.bytes, std::mem::take(&mut self.spare));
        let flow = if self.batch.is_empty() { ControlFlow::Continue(()) } else { emit(self.batch) };
        self.batch.items.clear();
        self.spare = std::mem::take(&mut self.batch.bytes);
        // Positions are now relative to the old position.
        let (at, offset) = self.anchor;
        let passed = (self.position - at) as u64;
        self.member_start = self.member_start.filter(|start| *start == self.position).map(|_| 0);
        self.anchor = (0, if self.is_plain { offset + passed } else { offset });
        self.forget_marks();
        for mark in &mut self.decoded.marks {
            mark.at -= self.position;
        }
        self.position = 0;
        flow
    }
}

fn truncated(start: usize, length: usize, stop: usize) -> RecordEnd {
    let found = stop.saturating_sub(start);
    let problem =
        Problem::new("truncated-record", format!("{length} bytes were declared, but there are {found}"));
    RecordEnd::At { end: stop, problem: Some(problem) }
}
