//! Zstandard with one frame per record, as the format for WARC in zstd specifies, or one frame for the whole file, with or without a dictionary.
//!
//! A dictionary is in a skippable frame at the beginning of the file, and may itself be compressed.

use crate::limits::{BOMB_BYTES_MIN, BOMB_RATIO_MAX, DICTIONARY_BYTES_MAX};
use unframe::Problem;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::{Decoded, Raw, end_of_file, rewind_into};

const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// The number of a frame's first bytes that determine the length of its header.
const FRAME_HEADER_MIN: usize = 5;
/// Length of a block header, which the decoder requests together with the preceding block.
const BLOCK_HEADER: usize = 3;
/// The number of bytes appended at a time.
const STREAM_BYTES: usize = 256 << 10;

/// Decodes a zstd file.
pub(crate) struct Zstd {
    raw: Raw,
    dictionary: Vec<u8>,
    frame: Option<Frame>,
    /// The decoder, which is reused for all frames, because loading the dictionary is slow.
    decoder: Option<Decoder<'static>>,
}

/// The current frame.
struct Frame {
    offset: u64,
    total_in: u64,
    total_out: u64,
    /// The number of bytes that the decoder requests next.
    wanted: usize,
    /// The number of requested bytes that the decoder has received. They are consumed once all of them are there.
    fed: usize,
}

impl Frame {
    fn new(offset: u64) -> Frame {
        Frame { offset, total_in: 0, total_out: 0, wanted: FRAME_HEADER_MIN + BLOCK_HEADER, fed: 0 }
    }
}

impl Zstd {
    pub(crate) fn new(raw: Raw) -> Zstd {
        Zstd { raw, dictionary: Vec::new(), frame: None, decoder: None }
    }

    /// Appends the next piece. Returns false at the end of the file.
    pub(crate) fn fill(&mut self, out: &mut Decoded) -> bool {
        if self.frame.is_none() {
            if !self.raw.want(4) && self.raw.data().is_empty() {
                return end_of_file(&mut self.raw, out);
            }
            return match self.raw.data() {
                [0x28, 0xb5, 0x2f, 0xfd, ..] => self.begin_frame(out),
                [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => self.skip_frame(out),
                _ => {
                    let offset = self.raw.offset();
                    self.find_frame();
                    let length = self.raw.offset() - offset;
                    out.mark_problem(offset, Problem::new("garbage", format!("{length} bytes are not zstd")));
                    out.mark(self.raw.offset());
                    true
                }
            };
        }
        self.fill_from_frame(out)
    }

    fn begin_frame(&mut self, out: &mut Decoded) -> bool {
        if self.decoder.is_none() {
            self.decoder = Decoder::with_dictionary(&self.dictionary).ok();
        }
        if let Some(decoder) = &mut self.decoder
            && decoder.reinit().is_err()
        {
            self.decoder = None;
        }
        self.frame = Some(Frame::new(self.raw.offset()));
        self.raw.pin();
        self.fill_from_frame(out)
    }

    fn fill_from_frame(&mut self, out: &mut Decoded) -> bool {
        let given = out.bytes.len();
        out.bytes.reserve(STREAM_BYTES);
        loop {
            let (Some(frame), Some(decoder)) = (&mut self.frame, &mut self.decoder) else {
                return self.give_up("bad-zstd", "the decoder could not be set up", out);
            };
            // The decoder requests a block together with the header of the next block. If it got both and the header were broken, the block
            // would be lost; so it gets them one by one.
            let unit =
                frame.wanted.checked_sub(BLOCK_HEADER).filter(|unit| *unit > 0).unwrap_or(frame.wanted);
            let rest = self.raw.data().get(frame.fed..).unwrap_or_default();
            let mut input = InBuffer::around(&rest[..rest.len().min(unit)]);
            let Ok(wanted) = decoder.run(&mut input, &mut OutBuffer::around_pos(&mut out.bytes, given))
            else {
                out.bytes.truncate(given);
                return self.give_up("bad-zstd", "a zstd frame is broken", out);
            };
            let (taken, written) = (input.pos(), out.bytes.len() - given);
            frame.fed += taken;
            if taken == unit || wanted == 0 {
                frame.total_in += frame.fed as u64;
                self.raw.consume(std::mem::take(&mut frame.fed));
            }
            frame.wanted = wanted;
            frame.total_out += written as u64;
            if frame.total_out > BOMB_BYTES_MIN && frame.total_out / frame.total_in.max(1) > BOMB_RATIO_MAX {
                return self.give_up("bomb", "a zstd frame inflates out of proportion", out);
            }
            if wanted == 0 {
                self.frame = None;
                self.raw.unpin();
                out.mark(self.raw.offset());
                return true;
            }
            if written > 0 {
                return true;
            }
            let is_hungry = self.raw.data().len() == self.frame.as_ref().map_or(0, |frame| frame.fed);
            if is_hungry && !self.raw.more() {
                return self.give_up("truncated-zstd", "a zstd frame is cut off", out);
            }
        }
    }

    fn give_up(&mut self, code: &'static str, what: &str, out: &mut Decoded) -> bool {
        let frame = self.frame.take().unwrap_or(Frame::new(self.raw.offset()));
        // Damage can lead the decoder past intact frames, so search from the beginning of this one.
        rewind_into(&mut self.raw, frame.offset, out);
        self.find_frame();
        let lost = self.raw.offset().saturating_sub(frame.offset + frame.total_in);
        let message = format!("{what} after {} bytes; {lost} bytes were skipped", frame.total_out);
        out.mark_problem(frame.offset, Problem::new(code, message));
        out.mark(self.raw.offset());
        true
    }

    /// Consumes the bytes up to the next possible frame.
    fn find_frame(&mut self) {
        loop {
            if let Some(at) = memchr::memmem::find(self.raw.data(), &FRAME) {
                return self.raw.consume(at);
            }
            self.raw.consume(self.raw.data().len().saturating_sub(3));
            if !self.raw.more() {
                return self.raw.consume(3);
            }
        }
    }

    /// Skips a skippable frame; keeps its contents if it is a dictionary.
    fn skip_frame(&mut self, out: &mut Decoded) -> bool {
        let offset = self.raw.offset();
        if !self.raw.want(8) {
            self.raw.consume(8);
            out.mark_problem(offset, Problem::new("truncated-zstd", "a skippable frame is cut off"));
            return true;
        }
        let is_dictionary = self.raw.data().starts_with(&DICTIONARY_FRAME);
        let length =
            self.raw.data().get(4..8).and_then(|size| size.try_into().ok()).map_or(0, u32::from_le_bytes);
        self.raw.consume(8);
        let mut left = length as usize;
        if is_dictionary && left <= DICTIONARY_BYTES_MAX && self.raw.want(left) {
            match dictionary(self.raw.data().get(..left).unwrap_or_default()) {
                Some(dictionary) => (self.dictionary, self.decoder) = (dictionary, None),
                None => {
                    out.mark_problem(offset, Problem::new("bad-dictionary", "the zstd dictionary is broken"))
                }
            }
        } else if is_dictionary {
            out.mark_problem(
                offset,
                Problem::new("bad-dictionary", format!("a zstd dictionary of {left} bytes")),
            );
        }
        while left > 0 && (!self.raw.data().is_empty() || self.raw.more()) {
            let length = left.min(self.raw.data().len());
            self.raw.consume(length);
            left -= length;
        }
        out.mark(self.raw.offset());
        true
    }
}

/// The dictionary in a dictionary frame, which may be compressed with zstd.
fn dictionary(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(&FRAME) {
        return Some(bytes.to_vec());
    }
    zstd::bulk::decompress(bytes, DICTIONARY_BYTES_MAX).ok()
}
