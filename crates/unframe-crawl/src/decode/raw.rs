//! A sliding window on the raw bytes of a file.

use std::io::{self, Read};
use std::sync::Arc;

use crate::limits::{REWOUND_BYTES_MAX, REWOUND_TIMES_MAX};
use unframe::Problem;

use crate::Progress;

/// Maximum number of bytes kept after a pin. Longer broken members and frames are not rescanned.
pub(super) const PIN_BYTES_MAX: usize = 8 << 20;
/// The number of bytes per read.
pub(crate) const READ_BYTES: usize = 256 << 10;

/// Reads a file from its beginning to its end and keeps the bytes that are still needed.
///
/// The sizes of reads never affect the decoded result.
pub(crate) struct Raw {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    offset: u64,
    /// The position in the buffer to rewind to.
    pin: Option<usize>,
    /// The total number of bytes rewound.
    rewound: u64,
    /// Whether the limit on rewinding was reached.
    is_limited: bool,
    /// The problem that reports the limit, until it is taken.
    limit: Option<Problem>,
    is_done: bool,
    fault: Option<Problem>,
    progress: Option<Arc<Progress>>,
}

impl Raw {
    pub(crate) fn new(reader: Box<dyn Read + Send>, progress: Option<Arc<Progress>>) -> Raw {
        Raw {
            reader,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            pin: None,
            rewound: 0,
            is_limited: false,
            limit: None,
            is_done: false,
            fault: None,
            progress,
        }
    }

    /// A file without bytes; [`push`](Raw::push) adds bytes.
    pub(crate) fn empty() -> Raw {
        Raw::new(Box::new(io::empty()), None)
    }

    /// The bytes that were read and not yet consumed.
    pub(crate) fn data(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The position of [`data`](Raw::data) in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the reader has reached its end, or failed.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Takes the error of a failed read, which ends the file.
    pub(crate) fn take_fault(&mut self) -> Option<Problem> {
        self.fault.take()
    }

    /// Replaces all bytes with bytes from another offset.
    pub(crate) fn restart(&mut self, offset: u64, bytes: &[u8]) {
        (self.start, self.end, self.offset, self.pin) = (0, 0, offset, None);
        self.push(bytes);
    }

    /// Appends bytes that were read elsewhere.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.buffer[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Skips bytes.
    pub(crate) fn consume(&mut self, length: usize) {
        let length = length.min(self.end - self.start);
        self.start += length;
        self.offset += length as u64;
        self.pin = self.pin.filter(|pin| self.start - pin <= PIN_BYTES_MAX);
        if self.start == self.end && self.pin.is_none() {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Pins the current position, to rewind if the member or frame here cannot be decoded: other members may begin inside the bytes that
    /// the decoder consumed.
    pub(super) fn pin(&mut self) {
        self.pin = Some(self.start);
    }

    /// Removes the pin.
    pub(super) fn unpin(&mut self) {
        self.pin = None;
    }

    /// Rewinds to the pin, unless it is too far away or the limit is reached.
    pub(super) fn rewind(&mut self) {
        let Some(pin) = self.pin.take() else { return };
        let length = (self.start - pin) as u64;
        let allowed = REWOUND_BYTES_MAX.max(self.offset.saturating_mul(REWOUND_TIMES_MAX));
        if self.rewound + length > allowed {
            self.limit_rewinding();
            return;
        }
        self.rewound += length;
        self.offset -= length;
        self.start = pin;
    }

    fn limit_rewinding(&mut self) {
        if !std::mem::replace(&mut self.is_limited, true) {
            let message = "so much is damaged that what lies inside of damage is not looked for everywhere";
            self.limit = Some(Problem::new("much-damage", message));
        }
    }

    /// Takes the problem that rewinding was limited because it would have taken too long.
    pub(super) fn take_limit(&mut self) -> Option<Problem> {
        self.limit.take()
    }

    /// Reads until at least `length` bytes are available. Returns false if the file ends before.
    pub(crate) fn want(&mut self, length: usize) -> bool {
        while self.data().len() < length {
            if !self.more() {
                return false;
            }
        }
        true
    }

    /// Reads another piece. Returns false at the end.
    pub(crate) fn more(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        self.make_room(READ_BYTES);
        let length = loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(length) => break length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.fault = Some(Problem::new("unreadable", error.to_string()));
                    break 0;
                }
            }
        };
        self.end += length;
        self.is_done = length == 0;
        if let Some(progress) = &self.progress {
            progress.add_bytes_read(length as u64);
        }
        !self.is_done
    }

    fn make_room(&mut self, length: usize) {
        if self.buffer.len() - self.end >= length {
            return;
        }
        let unneeded = self.pin.unwrap_or(self.start);
        if unneeded > 0 {
            self.buffer.copy_within(unneeded..self.end, 0);
            (self.start, self.end) = (self.start - unneeded, self.end - unneeded);
            self.pin = self.pin.map(|_| 0);
        }
        if self.buffer.len() - self.end < length {
            self.buffer.resize((self.end + length).max(self.buffer.len() * 3 / 2), 0);
        }
    }
}

impl Read for Raw {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.data().is_empty() {
            self.more();
        }
        let length = self.data().len().min(into.len());
        into[..length].copy_from_slice(&self.data()[..length]);
        self.consume(length);
        Ok(length)
    }
}
