//! Records: what a WARC or ARC file is made of.

mod arc;
mod cut;
mod segments;
mod warc;

use std::ops::Range;

use unframe::Problem;

pub(crate) use cut::cut;

/// Which of the two families of records a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Warc,
    Arc,
}

impl Family {
    /// The family of a file, by its first bytes after decompression.
    pub(crate) fn of(start: &[u8]) -> Option<Family> {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if warc::starts(start, true) == Some(true) {
            return Some(Family::Warc);
        }
        (arc::starts(start, true) == Some(true)).then_some(Family::Arc)
    }

    /// The family of a file that begins with something else, if records follow soon.
    pub(crate) fn find_in(start: &[u8]) -> Option<Family> {
        let warc = warc::find(start).map(|_| Family::Warc);
        warc.or_else(|| arc::find(start).map(|_| Family::Arc))
    }

    /// Whether a record begins here; `None` if more bytes are needed to tell.
    fn starts(self, bytes: &[u8], is_closed: bool) -> Option<bool> {
        match (self, warc::starts(bytes, is_closed)) {
            (Family::Arc, Some(false)) => arc::starts(bytes, is_closed),
            (_, starts) => starts,
        }
    }

    /// The next place, at a line's beginning, where a record can begin.
    fn find(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Family::Warc => warc::find(bytes),
            Family::Arc => arc::find(bytes),
        }
    }

    /// How many bytes at the end of searched bytes may begin the line of a record, and have to be searched again with
    /// those that follow.
    fn undecided(self, bytes: &[u8]) -> usize {
        let tail = &bytes[bytes.len() - bytes.len().min(self.start_bytes_max())..];
        memchr::memrchr(b'\n', tail).map_or(0, |at| tail.len() - at)
    }

    /// How many bytes are enough to tell whether a record begins.
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

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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

impl Kind {
    fn parse(name: &[u8]) -> Kind {
        const KINDS: [(&[u8], Kind); 8] = [
            (b"response", Kind::Response),
            (b"request", Kind::Request),
            (b"metadata", Kind::Metadata),
            (b"revisit", Kind::Revisit),
            (b"resource", Kind::Resource),
            (b"warcinfo", Kind::Info),
            (b"conversion", Kind::Conversion),
            (b"continuation", Kind::Continuation),
        ];
        let name = name.trim_ascii();
        KINDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map_or(Kind::Other, |(_, kind)| *kind)
    }

    /// Under which reason a record is counted that holds no page; `None` for records that can hold one. The content type tells
    /// the files of Common Crawl that have texts (WET) and metadata (WAT) instead of pages.
    pub(crate) fn skip_reason(self, content_type: &[u8]) -> Option<&'static str> {
        let is_of = |wanted: &[u8]| {
            content_type.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
        };
        match self {
            Kind::Response | Kind::Resource => None,
            Kind::Revisit => Some("revisit"),
            Kind::Request => Some("request"),
            Kind::Info => Some("warcinfo"),
            Kind::Metadata if is_of(b"application/json") => Some("wat"),
            Kind::Metadata => Some("metadata"),
            Kind::Conversion if is_of(b"text/plain") => Some("wet"),
            Kind::Conversion => Some("conversion"),
            Kind::Continuation => Some("continuation"),
            Kind::Other => Some("other-record"),
        }
    }
}

/// The parsed header of a record. Ranges count from the beginning of the header.
#[derive(Debug)]
struct Head {
    kind: Kind,
    header_length: usize,
    /// The declared length of the block.
    length: u64,
    id: Range<usize>,
    url: Range<usize>,
    date: Range<usize>,
    content_type: Range<usize>,
    segment: Option<Segment>,
}

/// The place of a record among those that one long record was split into.
#[derive(Debug)]
struct Segment {
    number: u64,
    /// The identifier of the first record of the series.
    origin: Range<usize>,
    is_last: bool,
}

/// What there is at a place where a record is expected.
#[derive(Debug)]
enum Parsed {
    Head(Head),
    /// More bytes are needed to tell.
    More,
    /// No record begins here.
    Not,
    /// A record begins here, but its header cannot be used; so many bytes of it can be skipped.
    Bad(usize, Problem),
}

/// A record that can hold a page. Ranges count the bytes of the batch.
#[derive(Debug)]
pub(crate) struct Record {
    /// Where it begins in the file.
    pub(crate) offset: u64,
    pub(crate) kind: Kind,
    pub(crate) id: Range<usize>,
    pub(crate) url: Range<usize>,
    pub(crate) date: Range<usize>,
    pub(crate) content_type: Range<usize>,
    pub(crate) block: Range<usize>,
    /// What was wrong with its length.
    pub(crate) problem: Option<Problem>,
}
