//! The header of a WARC record, which looks the same in versions 0.17, 0.18, 1.0 and 1.1.

use std::ops::Range;

use crate::limits::RECORD_HEADER_BYTES_MAX;
use memchr::memchr;
use unframe::Problem;

use super::{Parsed, RecordHead, RecordKind, Segment};

const MAGIC: &[u8] = b"WARC/";
/// The line end before a record, and the bytes that identify it.
pub(super) const START_BYTES: usize = 1 + MAGIC.len() + 1;

/// Whether a WARC record begins here; `None` if more bytes are needed.
pub(super) fn starts(bytes: &[u8], is_closed: bool) -> Option<bool> {
    match bytes.get(..MAGIC.len() + 1) {
        Some(start) => Some(is_prefix_of_magic(&start[..MAGIC.len()]) && start[MAGIC.len()].is_ascii_digit()),
        None if is_closed || !is_prefix_of_magic(bytes) => Some(false),
        None => None,
    }
}

/// Compares ignoring case, because some writers use lower-case letters.
fn is_prefix_of_magic(bytes: &[u8]) -> bool {
    MAGIC.get(..bytes.len()).is_some_and(|start| start.eq_ignore_ascii_case(bytes))
}

/// The next position, at the beginning of a line, at which a WARC record can begin.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, MAGIC).find(|at| {
        let starts_line = *at == 0 || bytes[at - 1] == b'\n';
        starts_line && bytes.get(at + MAGIC.len()).is_some_and(u8::is_ascii_digit)
    })
}

/// Parses the header at the beginning of `bytes`.
pub(super) fn parse(bytes: &[u8], is_closed: bool) -> Parsed {
    let mut fields = Fields::default();
    let mut position = 0;
    let mut name = Name::Other;
    loop {
        let Some(rest) = bytes.get(position..).filter(|_| position < RECORD_HEADER_BYTES_MAX) else {
            return Parsed::Bad(position, Problem::new("bad-header", "the header of a record does not end"));
        };
        let Some(length) = memchr(b'\n', rest) else {
            return match is_closed || rest.len() > RECORD_HEADER_BYTES_MAX {
                true => Parsed::Bad(
                    bytes.len(),
                    Problem::new("truncated-header", "the header of a record is cut off"),
                ),
                false => Parsed::More,
            };
        };
        let line = position..position + length - usize::from(rest[..length].ends_with(b"\r"));
        let text = &bytes[line.clone()];
        if text.is_empty() {
            position += length + 1;
            break;
        }
        // Some writers omit the empty line before the block.
        if text.starts_with(b"HTTP/") && fields.length.is_some() {
            break;
        }
        match text[0] {
            b' ' | b'\t' => fields.extend(name, line.end),
            _ => name = fields.set(bytes, line),
        }
        position += length + 1;
    }
    fields.head(bytes, position)
}

/// The relevant fields, as ranges of the header.
#[derive(Default)]
struct Fields {
    kind: Range<usize>,
    url: Range<usize>,
    date: Range<usize>,
    content_type: Range<usize>,
    length: Option<Range<usize>>,
    id: Range<usize>,
    segment: Range<usize>,
    segment_origin: Range<usize>,
    segment_total: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Kind,
    Url,
    Date,
    ContentType,
    Length,
    Id,
    Segment,
    SegmentOrigin,
    SegmentTotal,
    Other,
}

impl Name {
    fn parse(name: &[u8]) -> Name {
        // Comparing lengths first saves most comparisons of names.
        let (known, found): (&[u8], Name) = match name.len() {
            9 if name.last().is_some_and(|b| b.eq_ignore_ascii_case(&b'e'))
                && name[5].eq_ignore_ascii_case(&b'd') =>
            {
                (b"warc-date", Name::Date)
            }
            9 => (b"warc-type", Name::Kind),
            12 => (b"content-type", Name::ContentType),
            14 if name[0].eq_ignore_ascii_case(&b'c') => (b"content-length", Name::Length),
            14 => (b"warc-record-id", Name::Id),
            15 => (b"warc-target-uri", Name::Url),
            19 => (b"warc-segment-number", Name::Segment),
            22 => (b"warc-segment-origin-id", Name::SegmentOrigin),
            25 => (b"warc-segment-total-length", Name::SegmentTotal),
            _ => return Name::Other,
        };
        if known.eq_ignore_ascii_case(name) { found } else { Name::Other }
    }
}

impl Fields {
    /// Sets the field of a line. The first field with a name wins.
    fn set(&mut self, bytes: &[u8], line: Range<usize>) -> Name {
        let Some(colon) = memchr(b':', &bytes[line.clone()]) else { return Name::Other };
        let name = Name::parse(bytes[line.start..line.start + colon].trim_ascii());
        let value = trim(bytes, line.start + colon + 1..line.end);
        match self.field(name) {
            Some(field) if field.start == field.end => *field = value,
            _ => return Name::Other,
        }
        name
    }

    /// Extends a field that is folded over several lines.
    fn extend(&mut self, name: Name, end: usize) {
        if let Some(field) = self.field(name) {
            field.end = end;
        }
    }

    fn field(&mut self, name: Name) -> Option<&mut Range<usize>> {
        Some(match name {
            Name::Kind => &mut self.kind,
            Name::Url => &mut self.url,
            Name::Date => &mut self.date,
            Name::ContentType => &mut self.content_type,
            Name::Length => self.length.get_or_insert_default(),
            Name::Id => &mut self.id,
            Name::Segment => &mut self.segment,
            Name::SegmentOrigin => &mut self.segment_origin,
            Name::SegmentTotal => &mut self.segment_total,
            Name::Other => return None,
        })
    }

    fn head(self, bytes: &[u8], header_length: usize) -> Parsed {
        let bad = |message| Parsed::Bad(header_length, Problem::new("bad-header", message));
        let Some(length) = self.length else {
            return bad("the header of a record has no Content-Length");
        };
        let Some(length) = number(&bytes[length]) else {
            return bad("the Content-Length of a record is not a number of bytes");
        };
        let segment = number(&bytes[self.segment]).map(|number| Segment {
            number,
            origin: if number == 1 { self.id.clone() } else { self.segment_origin },
            is_last: !self.segment_total.is_empty(),
        });
        Parsed::Head(RecordHead {
            kind: RecordKind::parse(&bytes[self.kind]),
            header_length,
            length,
            id: self.id,
            url: self.url,
            date: self.date,
            content_type: self.content_type,
            segment,
        })
    }
}

fn trim(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}

pub(super) fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}
