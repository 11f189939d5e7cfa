//! Decompresses files: gzip, zstd, lz4, or plain.

mod ahead;
mod gzip;
mod lz4;
mod member;
mod raw;
mod zstd;

use crate::limits::DAMAGED_PLACES_MAX;
use unframe::Problem;

pub(crate) use ahead::InflateTask;
use crossbeam_channel::Sender;
use gzip::Gzip;
pub(crate) use member::MemberInflater;
#[cfg(feature = "parquet")]
pub(crate) use raw::READ_BYTES;
pub(crate) use raw::Raw;

/// Decoded bytes and their positions in the file.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    /// Decoded bytes that are not passed on yet.
    pub(crate) bytes: Vec<u8>,
    /// The beginnings of members or frames in `bytes`, in order. The end of a member is marked as soon as it is reached, whether or not
    /// another one follows. Of several empty members at a position, only the last one is marked.
    pub(crate) marks: Vec<Mark>,
    /// The number of problems that the last reported problem summarises.
    unreported: u64,
}

/// All problems at a position are reported until it has this many marks.
const ALWAYS_REPORTED: usize = 16;
/// The code of the problem that summarises others.
const MORE_DAMAGE: &str = "more-damage";

/// The beginning of a gzip member or a frame, or the place after damage where reading continues.
#[derive(Debug)]
pub(crate) struct Mark {
    /// The position in the decoded bytes.
    pub(crate) at: usize,
    /// The position in the file.
    pub(crate) offset: u64,
    /// The problem of the bytes before the mark. If there is one, the decoded bytes on the two sides of the mark are not contiguous.
    /// Problems are rare and members are many, so boxing saves memory.
    pub(crate) problem: Option<Box<Problem>>,
}

impl Decoded {
    fn mark(&mut self, offset: u64) {
        self.mark_at(self.bytes.len(), offset);
    }

    /// Marks a position at or after all other marks. A mark without a problem at the same position belongs to an empty member and is
    /// replaced, because a file may have any number of empty members.
    fn mark_at(&mut self, at: usize, offset: u64) {
        match self.marks.last_mut().filter(|last| last.at == at && last.problem.is_none()) {
            Some(last) => last.offset = offset,
            None => self.marks.push(Mark { at, offset, problem: None }),
        }
    }

    fn mark_problem(&mut self, offset: u64, problem: Problem) {
        let at = self.bytes.len();
        // The first problems at a position are always reported, because the other marks may be those of sound members.
        let here = self.marks.len() - self.marks.partition_point(|mark| mark.at < at);
        let is_full = self.marks.len() >= DAMAGED_PLACES_MAX && here >= ALWAYS_REPORTED;
        let here = self.marks.iter_mut().rev().take_while(|mark| mark.at == at);
        let last = here.filter_map(|mark| mark.problem.as_mut()).next();
        let more = |count: u64| format!("{count} more places are damaged");
        let problem = match last.filter(|_| is_full) {
            None => problem,
            Some(last) if last.code == MORE_DAMAGE => {
                self.unreported += 1;
                last.message = more(self.unreported);
                return;
            }
            Some(_) => {
                self.unreported = 1;
                Problem::new(MORE_DAMAGE, more(1))
            }
        };
        self.marks.push(Mark { at, offset, problem: Some(Box::new(problem)) });
    }

    /// Moves the problems of all marks to another value, and removes the marks. The target has no bytes, so the number of problems that it
    /// holds is limited.
    pub(crate) fn move_problems(&mut self, to: &mut Decoded) {
        for mark in self.marks.drain(..) {
            if let Some(problem) = mark.problem {
                to.mark_problem(mark.offset, *problem);
            }
        }
    }

    /// Takes all problems, with their positions in the file.
    pub(crate) fn take_problems(&mut self) -> impl Iterator<Item = (u64, Problem)> {
        self.marks.drain(..).filter_map(|mark| Some((mark.offset, *mark.problem?)))
    }
}

/// Decompresses a file piece by piece.
pub(crate) enum Decoder {
    Plain(Raw),
    Gzip(Box<Gzip>),
    Zstd(Box<zstd::Zstd>),
    Lz4(Box<lz4::Lz4>),
}

impl Decoder {
    /// Chooses the decoder by the first bytes of the file. `helpers` are threads that inflate pieces of the file.
    pub(crate) fn new(mut raw: Raw, helpers: Option<&Sender<InflateTask>>) -> Decoder {
        raw.want(4);
        match raw.data().get(..4).unwrap_or(raw.data()) {
            // One damaged byte at the start must not lose the whole file. No text begins like the last two patterns.
            [0x1f, 0x8b, ..] | [_, 0x8b, 0x08, 0..=0x1f] | [0x1f, _, 0x08, 0..=0x1f] => {
                Decoder::Gzip(Box::new(Gzip::new(raw, helpers)))
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Decoder::Zstd(Box::new(zstd::Zstd::new(raw)))
            }
            [0x04, 0x22, 0x4d, 0x18, ..] => Decoder::Lz4(Box::new(lz4::Lz4::new(raw))),
            _ => Decoder::Plain(raw),
        }
    }

    /// Appends the next piece. Returns false at the end of the file, when nothing was appended.
    pub(crate) fn fill(&mut self, out: &mut Decoded) -> bool {
        match self {
            Decoder::Plain(raw) => fill_plain(raw, out),
            Decoder::Gzip(gzip) => gzip.fill(out),
            Decoder::Zstd(zstd) => zstd.fill(out),
            Decoder::Lz4(lz4) => lz4.fill(out),
        }
    }

    /// Whether the decoded bytes are the bytes of the file, so that every position is known exactly.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Decoder::Plain(_))
    }
}

fn fill_plain(raw: &mut Raw, out: &mut Decoded) -> bool {
    if raw.data().is_empty() && !raw.more() {
        return end_of_file(raw, out);
    }
    out.bytes.extend_from_slice(raw.data());
    raw.consume(raw.data().len());
    true
}

/// Rewinds to the member or frame at `offset` that could not be decoded, and skips its first byte, so that members or frames inside it are found.
fn rewind_into(raw: &mut Raw, offset: u64, out: &mut Decoded) {
    raw.rewind();
    raw.consume(usize::from(raw.offset() <= offset));
    if let Some(problem) = raw.take_limit() {
        out.mark_problem(offset, problem);
    }
}

/// Handles the end of the file, or a failed read that ends it.
fn end_of_file(raw: &mut Raw, out: &mut Decoded) -> bool {
    if let Some(problem) = raw.take_fault() {
        out.mark_problem(raw.offset(), problem);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gzip;

    /// Decodes a whole file, and returns the maximum number of marks held.
    fn decode(bytes: Vec<u8>) -> (Decoded, usize) {
        let mut decoder = Decoder::new(Raw::new(Box::new(std::io::Cursor::new(bytes)), None), None);
        let (mut decoded, mut marks) = (Decoded::default(), 0);
        while decoder.fill(&mut decoded) {
            marks = marks.max(decoded.marks.len());
        }
        (decoded, marks)
    }

    #[test]
    fn members_without_contents_take_no_memory() {
        let frame = zstd_frame(b"text");
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
        for (empty, full) in
            [(skippable.to_vec(), &frame), (zstd_frame(b""), &frame), (gzip(b""), &gzip(b"text"))]
        {
            let before = empty.repeat(200_000);
            let (decoded, marks) = decode([&before[..], full, &before].concat());
            assert_eq!(decoded.bytes, b"text");
            assert_eq!(marks, 2);
            let places: Vec<(usize, u64)> = decoded.marks.iter().map(|mark| (mark.at, mark.offset)).collect();
            let start = before.len() as u64;
            assert_eq!(places, [(0, start), (4, 2 * start + full.len() as u64)]);
        }
    }

    #[test]
    fn damage_without_contents_is_counted_after_so_many_places() {
        // An empty dictionary is fine, but a broken frame is not.
        let broken = [&[0x5d, 0x2a, 0x4d, 0x18, 5, 0, 0, 0][..], &zstd_frame(b"")[..4], b"x"].concat();
        let (decoded, marks) = decode([broken.repeat(10_000), zstd_frame(b"text")].concat());
        assert_eq!(decoded.bytes, b"text");
        assert!(marks <= DAMAGED_PLACES_MAX + 4, "{marks} marks");
        let reported: Vec<Problem> =
            decoded.marks.into_iter().filter_map(|mark| mark.problem.map(|p| *p)).collect();
        let (last, reported) = reported.split_last().unwrap();
        assert!(reported.iter().all(|problem| problem.code == "bad-dictionary"));
        assert_eq!(last.message, format!("{} more places are damaged", 10_000 - reported.len()));
    }

    /// Each uncompressed block contains the header of the next unit, so that the decoder gets from every unit to the end.
    #[test]
    fn damage_inside_of_damage_is_not_looked_for_without_end() {
        let in_gzip = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0, 10, 0, 0xf5, 0xff]].concat();
        let in_zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x58][..], &[6 << 3, 0, 0]].concat();
        let in_lz4 = [&[0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82][..], &[7, 0, 0, 0x80]].concat();
        for unit in [in_gzip, in_zstd, in_lz4] {
            let bytes = unit.repeat((2 << 20) / unit.len());
            let length = bytes.len() as u64;
            let mut decoder = Decoder::new(Raw::new(Box::new(std::io::Cursor::new(bytes)), None), None);
            let (mut decoded, mut work, mut codes) = (Decoded::default(), 0, Vec::new());
            while decoder.fill(&mut decoded) {
                work += decoded.bytes.len() as u64;
                codes.extend(decoded.take_problems().map(|(_, problem)| problem.code));
                decoded.bytes.clear();
                assert!(work < 20 * length, "the same bytes are decoded again and again");
            }
            assert_eq!(codes.iter().filter(|code| **code == "much-damage").count(), 1, "{codes:?}");
            assert!(work > 5 * length, "{work} bytes are as few as if nothing had been looked for");
        }
    }

    fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
        ::zstd::encode_all(bytes, 3).unwrap()
    }
}
