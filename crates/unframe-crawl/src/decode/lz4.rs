//! LZ4 frames: one per record, or one for the whole file.

use std::io::BufRead;

use lz4_flex::frame::FrameDecoder;
use memchr::memmem;
use unframe::Problem;

use super::{Decoded, Raw, end_of_file, rewind_into};

const FRAME: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// Maximum number of bytes appended at a time.
const STREAM_BYTES: usize = 256 << 10;

/// Decodes a file of LZ4 frames. LZ4 expands data at most 255 times, so decompression bombs are impossible.
pub(crate) struct Lz4 {
    /// Reads exactly the bytes of a frame, so that the position in the raw data is known between frames.
    decoder: FrameDecoder<Raw>,
    frame: Option<u64>,
}

impl Lz4 {
    pub(crate) fn new(raw: Raw) -> Lz4 {
        Lz4 { decoder: FrameDecoder::new(raw), frame: None }
    }

    /// Appends the next piece. Returns false at the end of the file.
    pub(crate) fn fill(&mut self, out: &mut Decoded) -> bool {
        let offset = match self.frame {
            Some(offset) => offset,
            None => {
                if !self.find_frame(out) {
                    return end_of_file(self.decoder.get_mut(), out);
                }
                self.decoder.get_mut().pin();
                *self.frame.insert(self.decoder.get_ref().offset())
            }
        };
        // Read the decoder's own buffer: blocks may be as short as one byte, and clearing room for long blocks would be slow.
        let piece = self.decoder.fill_buf();
        match piece.map(|piece| &piece[..piece.len().min(STREAM_BYTES)]) {
            Ok([]) => {
                self.frame = None;
                self.decoder.get_mut().unpin();
                out.mark(self.decoder.get_ref().offset());
            }
            Ok(piece) => {
                out.bytes.extend_from_slice(piece);
                let length = piece.len();
                self.decoder.consume(length);
            }
            Err(error) => {
                let problem = Problem::new("bad-lz4", format!("an LZ4 frame is broken: {error}"));
                out.mark_problem(offset, problem);
                self.restart(offset, out);
                out.mark(self.decoder.get_ref().offset());
            }
        }
        true
    }

    /// Goes to the next frame, skipping skippable frames and garbage. Returns false at the end of the file.
    fn find_frame(&mut self, out: &mut Decoded) -> bool {
        let raw = self.decoder.get_mut();
        if !raw.want(4) && raw.data().is_empty() {
            return false;
        }
        match raw.data() {
            [0x04, 0x22, 0x4d, 0x18, ..] => true,
            _ => {
                let offset = raw.offset();
                find_magic(raw);
                let length = raw.offset() - offset;
                let problem = Problem::new("garbage", format!("{length} bytes are not an LZ4 frame"));
                out.mark_problem(offset, problem);
                out.mark(raw.offset());
                !raw.data().is_empty()
            }
        }
    }

    /// Creates a new decoder at the next frame after the beginning of the damaged one.
    fn restart(&mut self, offset: u64, out: &mut Decoded) {
        let none = Raw::new(Box::new(std::io::empty()), None);
        let mut raw = std::mem::replace(&mut self.decoder, FrameDecoder::new(none)).into_inner();
        rewind_into(&mut raw, offset, out);
        find_magic(&mut raw);
        self.decoder = FrameDecoder::new(raw);
        self.frame = None;
    }
}

fn find_magic(raw: &mut Raw) {
    loop {
        if let Some(at) = memmem::find(raw.data(), &FRAME) {
            return raw.consume(at);
        }
        raw.consume(raw.data().len().saturating_sub(3));
        if !raw.more() {
            return raw.consume(3);
        }
    }
}
