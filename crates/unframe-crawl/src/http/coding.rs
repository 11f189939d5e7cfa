//! Content codings: parses the declared codings, and decodes bodies, even if they do not have the declared coding.

use std::borrow::Cow;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use unframe::Problem;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::inflate::{self, Format};

/// Maximum number of codings. Real responses have one, rarely two.
pub(super) const CODINGS_MAX: usize = 8;

/// The zstd output that is requested at once, which bounds the loss by an error in the middle.
const ZSTD_STEP_BYTES: usize = 128 << 10;

/// A declared coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coding {
    kind: CodingKind,
    /// Whether `Transfer-Encoding` declared it. Such a coding was applied after all content codings.
    pub(super) is_transfer_coding: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodingKind {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
    /// A registered coding that is not supported.
    Unsupported(&'static str),
}

/// The codings in a header value. Values that are not codings (`identity`, `utf-8`, `none`) are skipped.
pub(super) fn parse(value: &[u8], is_transfer_coding: bool) -> impl Iterator<Item = Coding> + '_ {
    const KINDS: [(&[u8], CodingKind); 10] = [
        (b"gzip", CodingKind::Gzip),
        (b"x-gzip", CodingKind::Gzip),
        (b"deflate", CodingKind::Deflate),
        (b"br", CodingKind::Brotli),
        (b"zstd", CodingKind::Zstd),
        (b"compress", CodingKind::Unsupported("compress")),
        (b"x-compress", CodingKind::Unsupported("compress")),
        (b"sdch", CodingKind::Unsupported("sdch")),
        (b"dcb", CodingKind::Unsupported("dcb")),
        (b"dcz", CodingKind::Unsupported("dcz")),
    ];
    value.split(|b| matches!(b, b',' | b';')).filter_map(move |part| {
        let kind = KINDS.iter().find(|(name, _)| part.trim_ascii().eq_ignore_ascii_case(name))?.1;
        Some(Coding { kind, is_transfer_coding })
    })
}

/// The result of decoding.
pub(super) struct DecodedBody {
    pub(super) bytes: Vec<u8>,
    pub(super) end: CodingEnd,
}

/// How decoding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodingEnd {
    Whole,
    Truncated,
    Damaged,
    TooLarge,
}

/// Decodes a coding. A body that clearly lacks the coding is returned unchanged.
pub(super) fn decode<'a>(
    coding: Coding,
    body: Cow<'a, [u8]>,
    limit: usize,
    problems: &mut Vec<Problem>,
) -> Cow<'a, [u8]> {
    let (name, decoded) = match coding.kind {
        _ if body.is_empty() => return body,
        CodingKind::Gzip => {
            ("gzip", inflate::format_of(&body).map(|format| inflate::decode(format, &body, limit)))
        }
        CodingKind::Deflate => ("deflate", deflate(&body, limit)),
        CodingKind::Brotli => ("br", unless_plain(&body, brotli(&body, limit))),
        CodingKind::Zstd => ("zstd", has_zstd_magic(&body).then(|| zstd(&body, limit))),
        CodingKind::Unsupported(name) => {
            problems.push(Problem::new(
                "unsupported-coding",
                format!("the body is kept in the coding {name}, which is not supported"),
            ));
            return body;
        }
    };
    let Some(DecodedBody { bytes, end }) = decoded else { return body };
    let length = bytes.len();
    let problem = match end {
        CodingEnd::Whole => None,
        CodingEnd::Truncated => Some(Problem::new(
            "truncated-body",
            format!("the {name} body ends early, after {length} bytes of content"),
        )),
        CodingEnd::Damaged => Some(Problem::new(
            "bad-coding",
            format!("the {name} body is damaged after {length} bytes of content"),
        )),
        CodingEnd::TooLarge => Some(too_large(limit)),
    };
    problems.extend(problem.filter(|new| problems.iter().all(|old| old.code != new.code)));
    if bytes.is_empty() && end == CodingEnd::Damaged { body } else { Cow::Owned(bytes) }
}

/// The problem of a body that was truncated at the limit.
pub(super) fn too_large(limit: usize) -> Problem {
    Problem::new("body-too-large", format!("the body was cut after {limit} bytes"))
}

/// Decodes `deflate`, which is zlib according to the standard, but raw deflate on some servers and gzip on a few.
fn deflate(body: &[u8], limit: usize) -> Option<DecodedBody> {
    match inflate::format_of(body) {
        Some(format) => Some(inflate::decode(format, body, limit)),
        None => unless_plain(body, inflate::decode(Format::Raw, body, limit)),
    }
}

/// Handles codings without a magic number: if decoding fails, the body may never have had the coding.
fn unless_plain(body: &[u8], decoded: DecodedBody) -> Option<DecodedBody> {
    let is_binary = |b: &u8| matches!(b, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let sample = &body[..body.len().min(512)];
    let is_plain = sample.len() >= 128 || body.trim_ascii_start().first() == Some(&b'<');
    let is_plain = is_plain && !sample.iter().any(is_binary);
    (matches!(decoded.end, CodingEnd::Whole | CodingEnd::TooLarge) || !is_plain).then_some(decoded)
}

fn brotli(body: &[u8], limit: usize) -> DecodedBody {
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
            BrotliResult::ResultSuccess => Step::End(written, CodingEnd::Whole),
            BrotliResult::NeedsMoreOutput => Step::More(written),
            // The buffer is full, so more output may follow.
            BrotliResult::NeedsMoreInput if room == 0 => Step::More(written),
            BrotliResult::NeedsMoreInput => Step::End(written, CodingEnd::Truncated),
            BrotliResult::ResultFailure => Step::End(written, CodingEnd::Damaged),
        }
    })
}

fn has_zstd_magic(body: &[u8]) -> bool {
    // The magic number of a frame or of a skippable frame, or a truncated magic number.
    matches!(body, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
        || [0x28, 0xb5, 0x2f, 0xfd].starts_with(body)
}

fn zstd(body: &[u8], limit: usize) -> DecodedBody {
    let Ok(mut decoder) = Decoder::new() else {
        return DecodedBody { bytes: Vec::new(), end: CodingEnd::Damaged };
    };
    let mut input = InBuffer::around(body);
    collect(body.len(), limit, |out| {
        let room = out.len().min(ZSTD_STEP_BYTES);
        let mut output = OutBuffer::around(&mut out[..room]);
        let before = input.pos();
        let result = decoder.run(&mut input, &mut output);
        let written = output.pos();
        let rest = &body[input.pos()..];
        match result {
            Err(_) => Step::End(written, CodingEnd::Damaged),
            // Bytes after the last frame that do not begin a frame are padding.
            Ok(0) if rest.is_empty() || !has_zstd_magic(rest) => Step::End(written, CodingEnd::Whole),
            Ok(_) if written == 0 && input.pos() == before => Step::End(0, CodingEnd::Truncated),
            Ok(_) => Step::More(written),
        }
    })
}

/// The result of one step of a decoder: the number of bytes written, and whether more output follows.
pub(super) enum Step {
    More(usize),
    End(usize, CodingEnd),
}

/// Collects the output of a decoder up to the limit. Each step gets room for at least one byte, and writes, reads or ends.
pub(super) fn collect(
    input_length: usize,
    limit: usize,
    mut step: impl FnMut(&mut [u8]) -> Step,
) -> DecodedBody {
    // One byte more than the limit distinguishes a body of exactly that size from a larger one.
    let most = limit.saturating_add(1);
    let mut bytes = vec![0; input_length.saturating_mul(4).clamp(4096.min(most), most)];
    let mut length = 0;
    let end = loop {
        if length == bytes.len() {
            if length == most {
                break CodingEnd::TooLarge;
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
    DecodedBody { bytes, end: if length > limit { CodingEnd::TooLarge } else { end } }
}
