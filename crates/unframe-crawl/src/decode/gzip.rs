//! Gzip with many members, as crawlers write it, or with one.
//!
//! Members are inflated whole where possible, which is faster. Huge, truncated or broken members are streamed, which recovers as much as
//! possible; reading continues at the next member that inflates.

use crate::limits::{BOMB_BYTES_MIN, BOMB_RATIO_MAX};
use crossbeam_channel::Sender;
use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;
use unframe::Problem;

use super::ahead::{InflateTask, ReadAhead};
use super::member::MemberInflater;
use super::{Decoded, Raw, end_of_file, rewind_into};

/// Maximum compressed size of a member that is inflated at once.
const WHOLE_INPUT_MAX: usize = 8 << 20;
/// Maximum inflated size of a member that is inflated at once. Larger ones are streamed, to bound memory.
const WHOLE_OUTPUT_MAX: usize = 16 << 20;
/// Bytes appended at a time when streaming.
const STREAM_BYTES: usize = 256 << 10;
/// The shortest member: header, empty block, checksum, size.
const MEMBER_MIN: usize = 18;
/// The compressed bytes to read, and the inflated bytes required, before a position after damage counts as a member.
const PROBE_INPUT: usize = 4 << 10;
const PROBE_OUTPUT: usize = 512;

/// Decodes a gzip file.
pub(crate) struct Gzip {
    raw: Raw,
    /// With helper threads, the file is read and inflated ahead, and `raw` has only the bytes that they left.
    ahead: Option<ReadAhead>,
    inflater: MemberInflater,
    stream: Option<MemberStream>,
}

/// A member that is being streamed.
struct MemberStream {
    inflate: Decompress,
    offset: u64,
}

impl Gzip {
    /// `helpers` inflate pieces of the file on other threads.
    pub(crate) fn new(raw: Raw, helpers: Option<&Sender<InflateTask>>) -> Gzip {
        let (raw, ahead) = match helpers {
            None => (raw, None),
            Some(helpers) => (Raw::empty(), Some(ReadAhead::new(raw, helpers.clone()))),
        };
        Gzip { raw, ahead, inflater: MemberInflater::new(), stream: None }
    }

    /// Appends the next member, or a part of it. Returns false at the end of the file.
    pub(crate) fn fill(&mut self, out: &mut Decoded) -> bool {
        if self.stream.is_some() {
            return self.fill_from_stream(out);
        }
        if self.raw.data().is_empty() && self.fill_from_ahead(out) {
            return true;
        }
        if !self.find_member(out) {
            let raw = self.ahead.as_mut().map_or(&mut self.raw, |ahead| &mut ahead.raw);
            return end_of_file(raw, out);
        }
        if self.inflate_whole(out) {
            return true;
        }
        self.stream = Some(MemberStream { inflate: Decompress::new_gzip(15), offset: self.raw.offset() });
        self.raw.pin();
        self.fill_from_stream(out)
    }

    /// Appends data that another thread inflated, if it begins where the previous data ended.
    fn fill_from_ahead(&mut self, out: &mut Decoded) -> bool {
        let Some(piece) = self.ahead.as_mut().and_then(ReadAhead::next) else { return false };
        let inflated = piece.inflated();
        self.raw.restart(
            piece.offset + inflated.taken as u64,
            piece.bytes.get(inflated.taken..).unwrap_or_default(),
        );
        let shift = out.bytes.len();
        match out.bytes.is_empty() {
            true => out.bytes = inflated.bytes,
            false => out.bytes.extend_from_slice(&inflated.bytes),
        }
        for (at, offset) in inflated.marks {
            out.mark_at(shift + at, piece.offset + offset);
        }
        inflated.taken > 0
    }

    fn more(&mut self) -> bool {
        match &mut self.ahead {
            None => self.raw.more(),
            Some(ahead) => ahead.next().is_some_and(|piece| {
                self.raw.push(&piece.bytes);
                true
            }),
        }
    }

    fn want(&mut self, length: usize) {
        while self.raw.data().len() < length && self.more() {}
    }

    /// Goes to the next member and reports the bytes before it. Returns false at the end of the file.
    fn find_member(&mut self, out: &mut Decoded) -> bool {
        self.want(MEMBER_MIN);
        if is_start(self.raw.data()) {
            return true;
        }
        self.skip_zeros();
        if !is_start(self.raw.data()) && !self.raw.data().is_empty() {
            let offset = self.raw.offset();
            self.find_sound_member();
            let length = self.raw.offset() - offset;
            out.mark_problem(offset, Problem::new("garbage", format!("{length} bytes are not gzip")));
        }
        out.mark(self.raw.offset());
        !self.raw.data().is_empty()
    }

    /// Skips padding with zeros, which is common on tapes and disks and harmless.
    fn skip_zeros(&mut self) {
        while self.raw.data().first() == Some(&0) {
            let zeros = self.raw.data().iter().take_while(|b| **b == 0).count();
            self.raw.consume(zeros);
            self.want(MEMBER_MIN);
        }
    }

    fn inflate_whole(&mut self, out: &mut Decoded) -> bool {
        let end = loop {
            if let Some(next) = find_start(self.raw.data(), MEMBER_MIN) {
                break next;
            }
            if self.raw.data().len() > WHOLE_INPUT_MAX {
                return false;
            }
            // The file may still be growing: its crawler writes the next member later.
            if self.inflate_to(self.raw.data().len(), out) {
                return true;
            }
            if !self.more() {
                break self.raw.data().len();
            }
        };
        self.inflate_to(end, out)
    }

    /// Inflates the current member, if it ends at `end` and is sound.
    fn inflate_to(&mut self, end: usize, out: &mut Decoded) -> bool {
        let data = self.raw.data();
        let Some(size) = inflated_size(&data[..end]) else { return false };
        let Some(taken) = self.inflater.inflate(data, &mut out.bytes, size) else { return false };
        self.raw.consume(taken);
        out.mark(self.raw.offset());
        true
    }

    fn fill_from_stream(&mut self, out: &mut Decoded) -> bool {
        out.bytes.reserve(STREAM_BYTES);
        loop {
            let Some(stream) = &mut self.stream else { return false };
            let (taken, given) = (stream.inflate.total_in(), out.bytes.len());
            let status =
                stream.inflate.decompress_vec(self.raw.data(), &mut out.bytes, FlushDecompress::None);
            self.raw.consume((stream.inflate.total_in() - taken) as usize);
            let (total_in, total_out) = (stream.inflate.total_in(), stream.inflate.total_out());
            let is_bomb = total_out > BOMB_BYTES_MIN && total_out / total_in.max(1) > BOMB_RATIO_MAX;
            match status {
                Ok(Status::StreamEnd) => {
                    self.raw.unpin();
                    self.stream = None;
                    out.mark(self.raw.offset());
                    return true;
                }
                Err(_) => return self.give_up("bad-gzip", "a gzip member is broken", out),
                Ok(_) if is_bomb => {
                    return self.give_up("bomb", "a gzip member inflates out of proportion", out);
                }
                Ok(_) if out.bytes.len() > given => return true,
                Ok(_) if !self.more() => {
                    return self.give_up("truncated-gzip", "a gzip member is cut off", out);
                }
                Ok(_) => {}
            }
        }
    }

    /// Abandons a member that cannot be inflated further and goes to the next sound one.
    fn give_up(&mut self, code: &'static str, what: &str, out: &mut Decoded) -> bool {
        let Some(stream) = self.stream.take() else { return false };
        let (total_in, total_out) = (stream.inflate.total_in(), stream.inflate.total_out());
        // Damage can lead the decoder past the end of the member and over intact ones, so search from the member's beginning.
        rewind_into(&mut self.raw, stream.offset, out);
        self.find_sound_member();
        let lost = self.raw.offset().saturating_sub(stream.offset + total_in);
        let problem =
            Problem::new(code, format!("{what} after {total_out} bytes; {lost} bytes were skipped"));
        out.mark_problem(stream.offset, problem);
        out.mark(self.raw.offset());
        true
    }

    /// Consumes everything up to the next member that really inflates.
    fn find_sound_member(&mut self) {
        let mut from = 0;
        loop {
            match find_start(self.raw.data(), from) {
                Some(start) => {
                    self.want(start + PROBE_INPUT);
                    if is_sound(&self.raw.data()[start..]) {
                        self.raw.consume(start);
                        return;
                    }
                    from = start + 1;
                }
                None => {
                    // The last bytes can be the beginning of a header.
                    let length = self.raw.data().len().saturating_sub(3);
                    self.raw.consume(length);
                    from = from.saturating_sub(length);
                    if !self.more() {
                        self.raw.consume(self.raw.data().len());
                        return;
                    }
                }
            }
        }
    }
}

/// Inflates the members at the beginning of `bytes`, one after the other, until one fails, and returns the number of bytes consumed.
/// `marks` gets the ends of the members as (position in `output`, position in `bytes`).
pub(super) fn inflate_members(
    inflater: &mut MemberInflater,
    bytes: &[u8],
    output: &mut Vec<u8>,
    marks: &mut Vec<(usize, u64)>,
) -> usize {
    let mut taken = 0;
    while let Some(rest) = bytes.get(taken..).filter(|rest| is_start(rest) && output.len() < WHOLE_OUTPUT_MAX)
    {
        let end = find_start(rest, MEMBER_MIN).unwrap_or(rest.len());
        let member = inflated_size(&rest[..end]).and_then(|size| inflater.inflate(rest, output, size));
        let Some(length) = member else { break };
        taken += length;
        // Of several empty members, only the last one is marked.
        match marks.last_mut().filter(|(at, _)| *at == output.len()) {
            Some((_, end)) => *end = taken as u64,
            None => marks.push((output.len(), taken as u64)),
        }
    }
    taken
}

/// Whether a gzip member can begin here: magic number, the only method, no reserved flags.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 0x08, flags, ..] if flags & 0xe0 == 0)
}

/// The next position from `from` on at which a member can begin. A false match is rare.
pub(super) fn find_start(bytes: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    memmem::find_iter(tail, b"\x1f\x8b\x08").map(|at| from + at).find(|at| is_start(&bytes[*at..]))
}

/// The last position except 0 at which a member can begin.
pub(super) fn find_last_start(bytes: &[u8]) -> Option<usize> {
    memmem::rfind_iter(bytes, b"\x1f\x8b\x08").find(|at| is_start(&bytes[*at..])).filter(|at| *at > 0)
}

/// The size that the last four bytes of a member declare, if the member can be inflated at once to that size.
fn inflated_size(member: &[u8]) -> Option<usize> {
    let size = u32::from_le_bytes(*member.last_chunk::<4>()?) as usize;
    // Deflate cannot expand further than this.
    (size <= WHOLE_OUTPUT_MAX && size / 1032 <= member.len()).then_some(size)
}

/// Whether a member that begins here inflates, judged by its first bytes only. A header can be so long that scanning each of many would
/// take quadratic time.
fn is_sound(bytes: &[u8]) -> bool {
    let bytes = bytes.get(..PROBE_INPUT).unwrap_or(bytes);
    let mut output = Vec::with_capacity(PROBE_OUTPUT);
    let mut inflate = Decompress::new_gzip(15);
    match inflate.decompress_vec(bytes, &mut output, FlushDecompress::None) {
        Ok(Status::StreamEnd) => true,
        Ok(_) => !output.is_empty(),
        Err(_) => false,
    }
}
