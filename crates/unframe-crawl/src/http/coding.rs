//! Content codings: which are declared, and how to undo them whether or not the body has them.

use std::borrow::Cow;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use unframe::Problem;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::inflate::{self, Format};

/// Codings that are undone, one after the other. Real responses have one, rarely two.
pub(super) const CODINGS_MAX: usize = 8;

/// Output of zstd asked for at once: what an error in the middle can cost.
const ZSTD_STEP_BYTES: usize = 128 << 10;

/// A declared coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coding {
    kind: Kind,
    /// Whether `Transfer-Encoding` declared it: then it was applied after all content codings.
    pub(super) of_transfer: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
    /// One that exists and cannot be undone here.
    Unsupported(&'static str),
}

/// The codings that a header value names. Names of no coding (`identity`, `utf-8`, `none`) are skipped.
pub(super) fn parse(value: &[u8], of_transfer: bool) -> impl Iterator<Item = Coding> + '_ {
    const KINDS: [(&[u8], Kind); 10] = [
        (b"gzip", Kind::Gzip),
        (b"x-gzip", Kind::Gzip),
        (b"deflate", Kind::Deflate),
        (b"br", Kind::Brotli),
        (b"zstd", Kind::Zstd),
        (b"compress", Kind::Unsupported("compress")),
        (b"x-compress", Kind::Unsupported("compress")),
        (b"sdch", Kind::Unsupported("sdch")),
        (b"dcb", Kind::Unsupported("dcb")),
        (b"dcz", Kind::Unsupported("dcz")),
    ];
    value.split(|b| matches!(b, b',' | b';')).filter_map(move |part| {
        let kind = KINDS.iter().find(|(name, _)| part.trim_ascii().eq_ignore_ascii_case(name))?.1;
        Some(Coding { kind, of_transfer })
    })
}

/// What came of undoing a coding.
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    pub(super) end: End,
}

/// How the decoding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    Truncated,
    Damaged,
    TooLarge,
}

/// Undoes a coding. A body that plainly does not have it comes back as it is.
pub(super) fn decode<'a>(
    coding: Coding,
    body: Cow<'a, [u8]>,
    limit: usize,
    problems: &mut Vec<Problem>,
) -> Cow<'a, [u8]> {
    let (name, decoded) = match coding.kind {
        _ if body.is_empty() => return body,
        Kind::Gzip => ("gzip", inflate::format_of(&body).map(|format| inflate::decode(format, &body, limit))),
        Kind::Deflate => ("deflate", deflate(&body, limit)),
        Kind::Brotli => ("br", unless_plain(&body, brotli(&body, limit))),
        Kind::Zstd => ("zstd", has_zstd_magic(&body).then(|| zstd(&body, limit))),
        Kind::Unsupported(name) => {
            problems
                .push(Problem::new("unsupported-coding", format!("the body is kept in its coding {name}")));
            return body;
        }
    };
    let Some(Decoded { bytes, end }) = decoded else { return body };
    let length = bytes.len();
    let problem = match end {
        End::Whole => None,
        End::Truncated => Some(Problem::new(
            "truncated-body",
            format!("the {name} body ends early, after {length} bytes of content"),
        )),
        End::Damaged => Some(Problem::new(
            "bad-coding",
            format!("the {name} body is damaged after {length} bytes of content"),
        )),
        End::TooLarge => Some(too_large(limit)),
    };
    problems.extend(problem.filter(|new| problems.iter().all(|old| old.code != new.code)));
    if bytes.is_empty() && end == End::Damaged { body } else { Cow::Owned(bytes) }
}

/// The problem of a body that was cut at the limit.
pub(super) fn too_large(limit: usize) -> Problem {
    Problem::new("body-too-large", format!("the body was cut after {limit} bytes"))
}

/// `deflate` means zlib by the book, raw deflate to some servers and gzip to a few.
fn deflate(body: &[u8], limit: usize) -> Option<Decoded> {
    match inflate::format_of(body) {
        Some(format) => Some(inflate::decode(format, body, limit)),
        None => unless_plain(body, inflate::decode(Format::Raw, body, limit)),
    }
}

/// Codings without a magic number: where decoding fails, the body may never have had it.
fn unless_plain(body: &[u8], decoded: Decoded) -> Option<Decoded> {
    let is_binary = |b: &u8| matches!(b, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let sample = &body[..body.len().min(512)];
    let is_plain = sample.len() >= 128 || body.trim_ascii_start().first() == Some(&b'<');
    let is_plain = is_plain && !sample.iter().any(is_binary);
    (matches!(decoded.end, End::Whole | End::TooLarge) || !is_plain).then_some(decoded)
}

fn brotli(body: &[u8], limit: usize) -> Decoded {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    let (mut available, mut position, mut total) = (body.len(), 0, 0);
    collect(body.len(), limit, |out| {
        let (mut room, mut written) = (out.len(), 0);
        let result = BrotliDecompressStream(
            &mut available,
            &mut position,
            body,
            &mut room,
            &mut written,
            out,
            &mut total,
            &mut state,
        );
        match result {
            BrotliResult::ResultSuccess => Step::End(written, End::Whole),
            BrotliResult::NeedsMoreOutput => Step::More(written),
            // A full buffer may hide output that is still to come.
            BrotliResult::NeedsMoreInput if room == 0 => Step::More(written),
            BrotliResult::NeedsMoreInput => Step::End(written, End::Truncated),
            BrotliResult::ResultFailure => Step::End(written, End::Damaged),
        }
    })
}

fn has_zstd_magic(body: &[u8]) -> bool {
    // A frame, or a skippable frame before it; or as much of the magic number as there is.
    matches!(body, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
        || [0x28, 0xb5, 0x2f, 0xfd].starts_with(body)
}

fn zstd(body: &[u8], limit: usize) -> Decoded {
    let Ok(mut decoder) = Decoder::new() else { return Decoded { bytes: Vec::new(), end: End::Damaged } };
    let mut input = InBuffer::around(body);
    collect(body.len(), limit, |out| {
        let room = out.len().min(ZSTD_STEP_BYTES);
        let mut output = OutBuffer::around(&mut out[..room]);
        let before = input.pos();
        let result = decoder.run(&mut input, &mut output);
        let written = output.pos();
        let rest = &body[input.pos()..];
        match result {
            Err(_) => Step::End(written, End::Damaged),
            // Bytes after the last frame that are no frame are padding.
            Ok(0) if rest.is_empty() || !has_zstd_magic(rest) => Step::End(written, End::Whole),
            Ok(_) if written == 0 && input.pos() == before => Step::End(0, End::Truncated),
            Ok(_) => Step::More(written),
        }
    })
}

/// What one step of a decoder did: the bytes that it wrote, and whether there is more.
pub(super) enum Step {
    More(usize),
    End(usize, End),
}

/// Gathers the output of a decoder up to the limit. Each step gets room for at least one byte, and writes, reads or ends.
pub(super) fn collect(input_length: usize, limit: usize, mut step: impl FnMut(&mut [u8]) -> Step) -> Decoded {
    // One byte more than the limit tells a body of just that size from a larger one.
    let most = limit.saturating_add(1);
    let mut bytes = vec![0; input_length.saturating_mul(4).clamp(4096.min(most), most)];
    let mut length = 0;
    let end = loop {
        if length == bytes.len() {
            if length == most {
                break End::TooLarge;
            }
            bytes.resize(length.saturating_mul(2).min(most), 0);
        }
        match step(&mut bytes[length..]) {
            Step::More(written) => length += written,
            Step::End(written, end) => {
                length += written;
                break end;
            }
        }
    };
    bytes.truncate(length.min(limit));
    Decoded { bytes, end: if length > limit { End::TooLarge } else { end } }
}
