//! From the bytes of a file to the bytes of its records: gzip, zstd, lz4, or nothing to undo.

mod ahead;
mod gzip;
mod lz4;
mod member;
mod raw;
mod zstd;

use unframe::Problem;

pub(crate) use ahead::InflateTask;
use crossbeam_channel::Sender;
use gzip::Gzip;
pub(crate) use member::MemberInflater;
pub(crate) use raw::{READ_BYTES, Raw};

/// Decoded bytes and where in the file they came from.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    /// Bytes that were decoded and not yet passed on.
    pub(crate) bytes: Vec<u8>,
    /// Where members or frames begin in `bytes`, in order. The end of a member is marked as soon as it is reached,
    /// whether another one follows or not.
    pub(crate) marks: Vec<Mark>,
}

/// The beginning of a gzip member, a frame, or of what can be read again after damage.
#[derive(Debug)]
pub(crate) struct Mark {
    /// The position in the decoded bytes.
    pub(crate) at: usize,
    /// The position in the file.
    pub(crate) offset: u64,
    /// What was wrong with the bytes before: the decoded bytes on the two sides of the mark do not belong together.
    pub(crate) problem: Option<Problem>,
}

impl Decoded {
    fn mark(&mut self, offset: u64) {
        self.marks.push(Mark { at: self.bytes.len(), offset, problem: None });
    }

    fn mark_problem(&mut self, offset: u64, problem: Problem) {
        self.marks.push(Mark { at: self.bytes.len(), offset, problem: Some(problem) });
    }
}

/// Undoes the compression of a file, piece by piece.
pub(crate) enum Decoder {
    Plain(Raw),
    Gzip(Box<Gzip>),
    Zstd(Box<zstd::Zstd>),
    Lz4(Box<lz4::Lz4>),
}

impl Decoder {
    /// Chooses the decoder by the first bytes of the file. `helpers` are threads that inflate pieces of it.
    pub(crate) fn new(mut raw: Raw, helpers: Option<&Sender<InflateTask>>) -> Decoder {
        raw.want(4);
        match raw.data().get(..4).unwrap_or(raw.data()) {
            // One damaged byte at the start must not cost the whole file: no text begins like the last two.
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

    /// Appends the next piece; false at the end of the file, when nothing was appended.
    pub(crate) fn fill(&mut self, out: &mut Decoded) -> bool {
        match self {
            Decoder::Plain(raw) => fill_plain(raw, out),
            Decoder::Gzip(gzip) => gzip.fill(out),
            Decoder::Zstd(zstd) => zstd.fill(out),
            Decoder::Lz4(lz4) => lz4.fill(out),
        }
    }

    /// Whether decoded bytes are the bytes of the file, so that every position is known exactly.
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

/// The end of the file, or a failed read that ends it for us.
fn end_of_file(raw: &mut Raw, out: &mut Decoded) -> bool {
    if let Some(problem) = raw.take_fault() {
        out.mark_problem(raw.offset(), problem);
    }
    false
}
