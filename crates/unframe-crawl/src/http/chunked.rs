//! Decodes chunked transfer coding, even with wrong chunk sizes or headers.
//!
//! Sizes are trusted as long as a line end follows each chunk. If it is missing, the next consistent chunk is searched for, and everything
//! before it is data, so no byte of the page is lost to a wrong size.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter};
use unframe::Problem;

use super::coding;

/// Longest line that is accepted as a chunk's size with its extensions.
const SIZE_LINE_BYTES_MAX: usize = 1024;

/// Joins the chunks of a body. A body that is not chunked is returned unchanged, whatever was declared. A body that was not declared as
/// chunked counts as chunked only if all its chunks are consistent.
pub(super) fn decode<'a>(
    body: &'a [u8],
    declared: bool,
    limit: usize,
    problems: &mut Vec<Problem>,
) -> Cow<'a, [u8]> {
    let Some(chunks) = Chunks::split(body).filter(|chunks| declared || chunks.are_consistent()) else {
        return Cow::Borrowed(body);
    };
    let length: usize = chunks.pieces.iter().map(Range::len).sum();
    let mut bytes = Vec::with_capacity(length.min(limit));
    for piece in chunks.pieces {
        let room = limit - bytes.len();
        bytes.extend_from_slice(&body[piece.start..piece.end.min(piece.start.saturating_add(room))]);
    }
    if let Some(at) = chunks.damaged_at {
        problems
            .push(Problem::new("bad-chunk", format!("the chunk at byte {at} of the body has a wrong size")));
    }
    if chunks.truncated {
        problems.push(Problem::new("truncated-body", "the last chunk is missing"));
    }
    if length > limit {
        problems.push(coding::too_large(limit));
    }
    Cow::Owned(bytes)
}

/// The data ranges of a chunked body.
#[derive(Debug, Default)]
struct Chunks {
    pieces: Vec<Range<usize>>,
    /// The start of the first chunk with a wrong size.
    damaged_at: Option<usize>,
    /// Whether the body ends before its last chunk.
    truncated: bool,
}

impl Chunks {
    /// Splits a body; `None` if it does not look chunked.
    fn split(body: &[u8]) -> Option<Chunks> {
        let mut chunks = Chunks::default();
        let mut at = 0;
        loop {
            let data = match SizeLine::parse(body, at) {
                SizeLine::Last => return Some(chunks),
                SizeLine::Cut if at == 0 && body.is_empty() => return None,
                SizeLine::Cut => {
                    chunks.truncated = true;
                    return Some(chunks);
                }
                SizeLine::Chunk { data, size } => match ChunkEnd::after(body, data, size) {
                    ChunkEnd::LineEnd { end, next } => {
                        chunks.pieces.push(data..end);
                        at = next;
                        continue;
                    }
                    ChunkEnd::Cut { end } => {
                        chunks.pieces.push(data..end);
                        chunks.truncated = true;
                        return Some(chunks);
                    }
                    ChunkEnd::Wrong => data,
                },
                // The previous chunk was consistent only by chance.
                SizeLine::No => chunks.pieces.pop()?.start,
            };
            chunks.damaged_at.get_or_insert(data);
            match next_sound_chunk(body, data) {
                Some((end, next)) => {
                    chunks.pieces.push(data..end);
                    at = next;
                }
                // A first line that happens to be a number does not make a body chunked.
                None if at == 0 => return None,
                None => {
                    chunks.pieces.push(data..body.len());
                    return Some(chunks);
                }
            }
        }
    }

    fn are_consistent(&self) -> bool {
        !self.pieces.is_empty() && self.damaged_at.is_none() && !self.truncated
    }
}

/// The result of parsing a line where the size of a chunk is expected.
enum SizeLine {
    /// A chunk of `size` bytes that begins at `data`.
    Chunk { data: usize, size: u64 },
    /// The chunk of size 0, followed by trailers, an empty line or nothing.
    Last,
    /// The body ends before or within the line.
    Cut,
    /// Something else.
    No,
}

impl SizeLine {
    fn parse(body: &[u8], at: usize) -> SizeLine {
        let rest = body.get(at..).unwrap_or_default();
        let rest_of_line = &rest[..rest.len().min(SIZE_LINE_BYTES_MAX)];
        let end = memchr(b'\n', rest_of_line);
        let line = &rest_of_line[..end.unwrap_or(rest_of_line.len())];
        let size = line.split(|b| *b == b';').next().unwrap_or_default().trim_ascii();
        match (hex(size), end) {
            (Some(0), Some(end)) if is_end(&rest[end + 1..]) => SizeLine::Last,
            (None | Some(0), Some(_)) => SizeLine::No,
            (Some(size), Some(end)) => SizeLine::Chunk { data: at + end + 1, size },
            (Some(_), None) if line.len() < SIZE_LINE_BYTES_MAX => SizeLine::Cut,
            (None, None) if size.is_empty() && line.len() < SIZE_LINE_BYTES_MAX => SizeLine::Cut,
            (_, None) => SizeLine::No,
        }
    }
}

/// The bytes after the data of a chunk.
enum ChunkEnd {
    /// A line end: the chunk's size is right.
    LineEnd { end: usize, next: usize },
    /// Nothing: the body is truncated.
    Cut { end: usize },
    /// Something else: the size is wrong.
    Wrong,
}

impl ChunkEnd {
    fn after(body: &[u8], data: usize, size: u64) -> ChunkEnd {
        let end = usize::try_from(size).ok().and_then(|size| data.checked_add(size)).unwrap_or(usize::MAX);
        match body.get(end..) {
            Some([b'\r', b'\n', ..]) => ChunkEnd::LineEnd { end, next: end + 2 },
            Some([b'\n', ..]) => ChunkEnd::LineEnd { end, next: end + 1 },
            Some([] | [b'\r']) => ChunkEnd::Cut { end },
            Some(_) => ChunkEnd::Wrong,
            // The size points past the end. The body is truncated, unless the last chunk is there.
            None if body.ends_with(b"\n0\r\n\r\n") || body.ends_with(b"\n0\n\n") => ChunkEnd::Wrong,
            None => ChunkEnd::Cut { end: body.len() },
        }
    }
}

/// The next consistent chunk: the end of the data before it, and the position of its size line.
fn next_sound_chunk(body: &[u8], from: usize) -> Option<(usize, usize)> {
    memchr_iter(b'\n', body.get(from..)?).map(|line_end| from + line_end).find_map(|line_end| {
        let is_sound = match SizeLine::parse(body, line_end + 1) {
            SizeLine::Last => true,
            SizeLine::Chunk { data, size } => {
                matches!(ChunkEnd::after(body, data, size), ChunkEnd::LineEnd { .. })
            }
            SizeLine::Cut | SizeLine::No => false,
        };
        let carriage_return = usize::from(line_end > from && body[line_end - 1] == b'\r');
        is_sound.then_some((line_end - carriage_return, line_end + 1))
    })
}

/// Whether these bytes may follow the line of the last chunk. At most one line length is searched, because each of many lines may look like
/// the last chunk.
fn is_end(rest: &[u8]) -> bool {
    let start = &rest[..rest.len().min(SIZE_LINE_BYTES_MAX)];
    let line = start[..memchr(b'\n', start).unwrap_or(start.len())].trim_ascii();
    let name = memchr(b':', line).map(|colon| &line[..colon]);
    line.is_empty()
        || name.is_some_and(|name| name.iter().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(b)))
}

/// Parses a hexadecimal number of any size.
fn hex(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(number.saturating_mul(16).saturating_add(u64::from(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_after_the_last_chunk_is_looked_at_up_to_a_limit() {
        for (blank, name, is_line) in [
            (0, SIZE_LINE_BYTES_MAX - 1, true),
            (0, SIZE_LINE_BYTES_MAX, false),
            (SIZE_LINE_BYTES_MAX - 1, 1, false),
        ] {
            let rest = [" ".repeat(blank), "x".repeat(name), ": y\r\n".to_owned()].concat();
            assert_eq!(is_end(rest.as_bytes()), is_line, "{blank} {name}");
        }
    }
}
