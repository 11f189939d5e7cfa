//! Inflates a gzip file on several threads.
//!
//! The file is split at probable member boundaries. Whether a member really begins there is known only when the previous piece has been
//! inflated. A piece that does not begin where the previous one ended is inflated again by [`Gzip`](super::Gzip), which requests the pieces
//! in order. So a wrong split costs time, but never data.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::Raw;
use super::gzip::{find_last_start, inflate_members, is_start};
use super::member::MemberInflater;

/// Compressed bytes per piece, which hold about ten pages.
const PIECE_BYTES: usize = 256 << 10;
/// Number of pieces that are inflated ahead.
const PIECES_AHEAD: usize = 8;

/// A piece to be inflated by another thread.
pub(crate) struct InflateTask {
    bytes: Arc<[u8]>,
    reply: Sender<Inflated>,
}

/// The result of a piece.
#[derive(Default)]
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// The ends of members, as (position in `bytes`, position in the piece).
    pub(super) marks: Vec<(usize, u64)>,
    /// The number of inflated bytes of the piece; all of them if nothing failed.
    pub(super) taken: usize,
}

impl InflateTask {
    /// Inflates the piece into a reused buffer.
    pub(crate) fn run(self, inflater: &mut MemberInflater, mut buffer: Vec<u8>) {
        buffer.clear();
        // Enough for most pieces, so that the buffer rarely grows.
        buffer.reserve(8 * self.bytes.len());
        let mut inflated = Inflated { bytes: buffer, ..Inflated::default() };
        inflated.taken = inflate_members(inflater, &self.bytes, &mut inflated.bytes, &mut inflated.marks);
        // The receiver is gone if the piece turned out to begin inside a member.
        let _ = self.reply.send(inflated);
    }
}

/// Reads ahead of the decoder.
pub(super) struct ReadAhead {
    pub(super) raw: Raw,
    helpers: Sender<InflateTask>,
    pieces: VecDeque<Piece>,
}

/// A piece of the file.
pub(super) struct Piece {
    pub(super) offset: u64,
    pub(super) bytes: Arc<[u8]>,
    reply: Option<Receiver<Inflated>>,
}

impl Piece {
    /// Waits for the result of another thread; empty if the piece was not given to a thread.
    pub(super) fn inflated(&self) -> Inflated {
        self.reply.as_ref().and_then(|reply| reply.recv().ok()).unwrap_or_default()
    }
}

impl ReadAhead {
    pub(super) fn new(raw: Raw, helpers: Sender<InflateTask>) -> ReadAhead {
        let mut ahead = ReadAhead { raw, helpers, pieces: VecDeque::new() };
        ahead.read();
        ahead
    }

    /// The next piece of the file.
    pub(super) fn next(&mut self) -> Option<Piece> {
        while self.pieces.len() < PIECES_AHEAD && self.read() {}
        self.pieces.pop_front()
    }

    /// Reads a piece and gives it to another thread. Returns false at the end of the file.
    fn read(&mut self) -> bool {
        self.raw.want(PIECE_BYTES);
        let data = self.raw.data();
        if data.is_empty() {
            return false;
        }
        let end = if self.raw.is_done() { data.len() } else { find_last_start(data).unwrap_or(data.len()) };
        let bytes: Arc<[u8]> = data[..end].into();
        let reply = is_start(&bytes).then(|| {
            let (reply, receiver) = bounded(1);
            // If all threads have ended, the result is empty.
            let _ = self.helpers.send(InflateTask { bytes: bytes.clone(), reply });
            receiver
        });
        self.pieces.push_back(Piece { offset: self.raw.offset(), bytes, reply });
        self.raw.consume(end);
        true
    }
}
