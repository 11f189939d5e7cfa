//! The header of an ARC record is one line: `url ip date type length` in version 1, with five more fields before the length in version 2.

use std::ops::Range;

use memchr::memchr;
use unframe::Problem;

use super::warc::number;
use super::{Parsed, RecordHead, RecordKind};

/// Longest header line.
pub(super) const LINE_MAX: usize = 16 << 10;

/// Whether an ARC record begins here; `None` if more bytes are needed.
pub(super) fn starts(bytes: &[u8], is_closed: bool) -> Option<bool> {
    if !bytes.first().is_none_or(u8::is_ascii_alphabetic) {
        return Some(false);
    }
    match memchr(b'\n', &bytes[..bytes.len().min(LINE_MAX)]) {
        Some(end) => Some(fields(&bytes[..end]).is_some()),
        None => (is_closed || bytes.len() >= LINE_MAX).then_some(false),
    }
}

/// The next line at which an ARC record can begin.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    let lines = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    std::iter::once(0).chain(lines).find(|at| starts(&bytes[*at..], true) == Some(true))
}

/// Parses the header line at the beginning of `bytes`.
pub(super) fn parse(bytes: &[u8], is_closed: bool) -> Parsed {
    match starts(bytes, is_closed) {
        None => return Parsed::More,
        Some(false) => return Parsed::Not,
        Some(true) => {}
    }
    let end = memchr(b'\n', bytes).unwrap_or(bytes.len());
    let Some(fields) = fields(&bytes[..end]) else { return Parsed::Not };
    let Some(length) = number(&bytes[fields.length]) else {
        let problem = Problem::new("bad-header", "the header line of a record has no length");
        return Parsed::Bad(end + 1, problem);
    };
    let kind = if bytes.starts_with(b"filedesc:") { RecordKind::Info } else { RecordKind::Response };
    Parsed::Head(RecordHead {
        kind,
        header_length: end + 1,
        length,
        id: 0..0,
        url: fields.url,
        date: fields.date,
        content_type: fields.content_type,
        segment: None,
    })
}

struct Fields {
    url: Range<usize>,
    date: Range<usize>,
    content_type: Range<usize>,
    length: Range<usize>,
}

/// Splits a header line from its end, because addresses can contain spaces. The date is the third field from the end in version 1, and the
/// eighth in version 2.
fn fields(line: &[u8]) -> Option<Fields> {
    let line = line.trim_ascii_end();
    let ends: Vec<usize> = memchr::memrchr_iter(b' ', line).take(9).collect();
    let field = |from_end: usize| -> Option<Range<usize>> {
        let end = if from_end == 0 { line.len() } else { *ends.get(from_end - 1)? };
        Some(ends.get(from_end)? + 1..end)
    };
    let is_date = |range: &Range<usize>| {
        let text = &line[range.clone()];
        (8..=17).contains(&text.len()) && text.iter().all(u8::is_ascii_digit)
    };
    let length = field(0)?;
    let is_number = !length.is_empty() && line[length.clone()].iter().all(u8::is_ascii_digit);
    let date_field = [2, 7].into_iter().find(|at| field(*at).as_ref().is_some_and(is_date))?;
    let url = 0..*ends.get(date_field + 1)?;
    // Requiring a scheme rejects text lines that end in numbers.
    let has_scheme = memchr(b':', &line[url.clone()]).is_some_and(|colon| {
        colon > 0 && line[..colon].iter().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
    });
    (is_number && has_scheme).then_some(Fields {
        url,
        date: field(date_field)?,
        content_type: field(date_field - 1)?,
        length,
    })
}
