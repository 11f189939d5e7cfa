//! Records of WARC and ARC files.

mod arc;
mod cut;
mod segments;
mod warc;

use std::ops::Range;

use unframe::Problem;

pub(crate) use cut::cut;

/// The family of record formats in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Warc,
    Arc,
}

impl Family {
    /// The family of a file, detected from its first bytes after decompression.
    pub(crate) fn of(start: &[u8]) -> Option<Family> {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if warc::starts(start, true) == Some(true) {
            return Some(Family::Warc);
        }
        (arc::starts(start, true) == Some(true)).then_some(Family::Arc)
    }

    /// The family of a file that begins with something else, if a record follows soon.
    pub(crate) fn find_in(start: &[u8]) -> Option<Family> {
        let warc = warc::find(start).map(|_| Family::Warc);
        warc.or_else(|| arc::find(start).map(|_| Family::Arc))
    }

    /// Whether a record begins here; `None` if more bytes are needed.
    fn starts(self, bytes: &[u8], is_closed: bool) -> Option<bool> {
        match (self, warc::starts(bytes, is_closed)) {
            (Family::Arc, Some(false)) => arc::starts(bytes, is_closed),
            (_, starts) => starts,
        }
    }

    /// The next position, at the beginning of a line, at which a record can begin.
    fn find(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Family::Warc => warc::find(bytes),
            Family::Arc => arc::find(bytes),
        }
    }

    /// The number of bytes at the end of searched bytes that may be the start of a record's first line, and must be searched again together
    /// with the bytes that follow.
    fn undecided(self, bytes: &[u8]) -> usize {
        let tail = &bytes[bytes.len() - bytes.len().min(self.start_bytes_max())..];
        memchr::memrchr(b'\n', tail).map_or(0, |at| tail.len() - at)
    }

    /// The number of bytes that is enough to detect the beginning of a record.
    fn start_bytes_max(self) -> usize {
        match self {
            Family::Warc => warc::START_BYTES,
            Family::Arc => arc::LINE_MAX,
        }
    }

    fn parse(self, bytes: &[u8], is_closed: bool) -> Parsed {
        match (self, warc::starts(bytes, is_closed)) {
            (_, Some(true)) => warc::parse(bytes, is_closed),
            (_, None) => Parsed::More,
            (Family::Arc, _) => arc::parse(bytes, is_closed),
            (Family::Warc, _) => Parsed::Not,
        }
    }
}

/// The type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Response,
    Resource,
    Revisit,
    Request,
    Info,
    Metadata,
    Conversion,
    Continuation,
    Other,
}

impl RecordKind {
    fn parse(name: &[u8]) -> RecordKind {
        const KINDS: [(&[u8], RecordKind); 8] = [
            (b"response", RecordKind::Response),
            (b"request", RecordKind::Request),
            (b"metadata", RecordKind::Metadata),
            (b"revisit", RecordKind::Revisit),
            (b"resource", RecordKind::Resource),
            (b"warcinfo", RecordKind::Info),
            (b"conversion", RecordKind::Conversion),
            (b"continuation", RecordKind::Continuation),
        ];
        let name = name.trim_ascii();
        KINDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map_or(RecordKind::Other, |(_, kind)| *kind)
    }

    /// The reason under which a record that cannot hold a page is counted; `None` for records that can. The content type identifies the
    /// records of Common Crawl that contain the text of a page (WET) or metadata (WAT).
    pub(crate) fn skip_reason(self, content_type: &[u8]) -> Option<&'static str> {
        let is_of = |wanted: &[u8]| {
            content_type.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
        };
        match self {
            RecordKind::Response | RecordKind::Resource => None,
            RecordKind::Revisit => Some("revisit"),
            RecordKind::Request => Some("request"),
            RecordKind::Info => Some("warcinfo"),
            RecordKind::Metadata if is_of(b"application/json") => Some("wat"),
            RecordKind::Metadata => Some("metadata"),
            RecordKind::Conversion if is_of(b"text/plain") => None,
            RecordKind::Conversion => Some("conversion"),
            RecordKind::Continuation => Some("continuation"),
            RecordKind::Other => Some("other-record"),
        }
    }
}

/// The parsed header of a record. Ranges are relative to the beginning of the header.
#[derive(Debug)]
struct RecordHead {
    kind: RecordKind,
    header_length: usize,
    /// The declared length of the block.
    length: u64,
    id: Range<usize>,
    url: Range<usize>,
    date: Range<usize>,
    content_type: Range<usize>,
    segment: Option<Segment>,
}

/// The position of a record in the series that one long record was split into.
#[derive(Debug)]
struct Segment {
    number: u64,
    /// The identifier of the first record of the series.
    origin: Range<usize>,
    is_last: bool,
}

/// The result of parsing at a position where a record is expected.
#[derive(Debug)]
enum Parsed {
    Head(RecordHead),
    /// More bytes are needed.
    More,
    /// No record begins here.
    Not,
    /// A record begins here, but its header is unusable; this many of its bytes can be skipped.
    Bad(usize, Problem),
}

/// A record that can hold a page. Ranges refer to the bytes of the batch.
#[derive(Debug)]
pub(crate) struct Record {
    /// The position in the file.
    pub(crate) offset: u64,
    pub(crate) kind: RecordKind,
    pub(crate) id: Range<usize>,
    pub(crate) url: Range<usize>,
    pub(crate) date: Range<usize>,
    pub(crate) content_type: Range<usize>,
    pub(crate) block: Range<usize>,
    /// The problem of the record's length.
    pub(crate) problem: Option<Problem>,
}
