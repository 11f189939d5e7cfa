//! gzip, zlib and raw deflate.
//!
//! A gzip body with a plausible length at its end is decoded at once by libdeflate. All other bodies, and bodies that libdeflate rejects,
//! are streamed, because streaming keeps the bytes before the damage.

use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::Decompressor;
use memchr::memmem;

use super::coding::{CodingEnd, DecodedBody, Step, collect};

/// The maximum expansion of deflate.
const EXPANSION_MAX: usize = 1032;

const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// The container formats of deflate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Gzip,
    Zlib,
    Raw,
}

/// The format that the first bytes identify, even if they are truncated.
pub(super) fn format_of(body: &[u8]) -> Option<Format> {
    match body {
        [0x1f, 0x8b, ..] | [0x1f] => Some(Format::Gzip),
        [method @ (0x08 | 0x18 | 0x28 | 0x38 | 0x48 | 0x58 | 0x68 | 0x78), flags, ..]
            if u16::from_be_bytes([*method, *flags]).is_multiple_of(31) =>
        {
            Some(Format::Zlib)
        }
        [0x78] => Some(Format::Zlib),
        _ => None,
    }
}

/// Decodes a body to at most `limit` bytes.
pub(super) fn decode(format: Format, body: &[u8], limit: usize) -> DecodedBody {
    if format == Format::Gzip
        && let Some(bytes) = gzip_at_once(body, limit)
    {
        return DecodedBody { bytes, end: CodingEnd::Whole };
    }
    stream(format, body, limit)
}

/// Decodes a body of one member into a buffer with the size that its last four bytes declare.
fn gzip_at_once(body: &[u8], limit: usize) -> Option<Vec<u8>> {
    let (_, size) = body.split_last_chunk::<4>()?;
    let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
    // If the magic number occurs again, another member may begin there; libdeflate would stop before it.
    let has_one_member = memmem::find(body.get(1..)?, &GZIP_MAGIC).is_none();
    if !has_one_member || size > limit || size > body.len().saturating_mul(EXPANSION_MAX) {
        return None;
    }
    let mut bytes = vec![0; size];
    let written = Decompressor::new().gzip_decompress(body, &mut bytes).ok()?;
    (written == size).then_some(bytes)
}

fn stream(format: Format, body: &[u8], limit: usize) -> DecodedBody {
    let start = || match format {
        Format::Gzip => Decompress::new_gzip(15),
        Format::Zlib => Decompress::new(true),
        Format::Raw => Decompress::new(false),
    };
    let mut decoder = start();
    let mut position = 0;
    collect(body.len(), limit, |out| {
        let (read, written) = (decoder.total_in(), decoder.total_out());
        let result = decoder.decompress(&body[position..], out, FlushDecompress::None);
        let read = (decoder.total_in() - read) as usize;
        let written = (decoder.total_out() - written) as usize;
        position += read;
        match result {
            Err(_) => Step::End(written, CodingEnd::Damaged),
            Ok(Status::StreamEnd) if format == Format::Gzip && body[position..].starts_with(&GZIP_MAGIC) => {
                decoder = start();
                Step::More(written)
            }
            Ok(Status::StreamEnd) => Step::End(written, CodingEnd::Whole),
            Ok(_) if read == 0 && written == 0 => Step::End(0, CodingEnd::Truncated),
            Ok(_) => Step::More(written),
        }
    })
}
