//! Inflates a gzip file on several threads.
//!
//! The file is cut where members plausibly begin. Whether one does begin there is known only when the piece before has been
//! inflated: a piece that does not begin where the one before it ended is inflated again, by [`Gzip`](super::Gzip), which
//! asks for the pieces in their order. So a wrong cut costs time, never data.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::Raw;
use super::gzip::{find_last_start, inflate_members, is_start};
use super::member::MemberInflater;

/// Compressed bytes of a piece: some ten pages.
const PIECE_BYTES: usize = 256 << 10;
/// Pieces that are inflated before they are asked for.
const PIECES_AHEAD: usize = 8;

/// A piece to be inflated by another thread.
pub(crate) struct InflateTask {
    bytes: Arc<[u8]>,
    reply: Sender<Inflated>,
}

/// What became of a piece.
#[derive(Default)]
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// Where members end, in `bytes` and in the piece.
    pub(super) marks: Vec<(usize, u64)>,
    /// How many bytes of the piece were inflated; all of them if all went well.
    pub(super) taken: usize,
}

impl InflateTask {
    /// Inflates the piece, into a buffer that is used again.
    pub(crate) fn run(self, inflater: &mut MemberInflater, mut buffer: Vec<u8>) {
        buffer.clear();
        // Enough for most pieces, so that the buffer need not grow.
        buffer.reserve(8 * self.bytes.len());
        let mut inflated = Inflated { bytes: buffer, ..Inflated::default() };
        inflated.taken = inflate_members(inflater, &self.bytes, &mut inflated.bytes, &mut inflated.marks);
        // Nobody waits for the answer if the piece turned out to begin inside a member.
        let _ = self.reply.send(inflated);
    }
}

/// Reads ahead of the decoder.
pub(super) struct Ahead {
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
    /// Waits for what another thread made of the piece; nothing if none was asked to.
    pub(super) fn inflated(&self) -> Inflated {
        self.reply.as_ref().and_then(|reply| reply.recv().ok()).unwrap_or_default()
    }
}

impl Ahead {
    pub(super) fn new(raw: Raw, helpers: Sender<InflateTask>) -> Ahead {
        let mut ahead = Ahead { raw, helpers, pieces: VecDeque::new() };
        ahead.read();
        ahead
    }

    /// The next piece of the file.
    pub(super) fn next(&mut self) -> Option<Piece> {
        while self.pieces.len() < PIECES_AHEAD && self.read() {}
        self.pieces.pop_front()
    }

    /// Reads a piece and gives it to another thread; false at the end of the file.
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
            // If all threads have ended, the answer is that nothing was inflated.
            let _ = self.helpers.send(InflateTask { bytes: bytes.clone(), reply });
            receiver
        });
        self.pieces.push_back(Piece { offset: self.raw.offset(), bytes, reply });
        self.raw.consume(end);
        true
    }
}
