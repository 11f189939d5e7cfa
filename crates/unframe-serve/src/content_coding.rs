//! Decompresses the bodies of requests, with limits on the decompressed size.

use std::io::Read;

use axum::http::header::CONTENT_ENCODING;
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;

use crate::error::{Answer, ApiError};
use crate::pool::{Memory, Reserved};

/// The content coding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Plain,
    Gzip,
    Zstd,
}

impl Coding {
    /// The coding that `Content-Encoding` names.
    pub(crate) fn of(headers: &HeaderMap) -> Answer<Coding> {
        let mut coding = Coding::Plain;
        for value in headers.get_all(CONTENT_ENCODING) {
            let name = value.to_str().unwrap_or("?").trim().to_ascii_lowercase();
            coding = match (name.as_str(), coding) {
                ("" | "identity", coding) => coding,
                ("gzip" | "x-gzip", Coding::Plain) => Coding::Gzip,
                ("zstd", Coding::Plain) => Coding::Zstd,
                _ => {
                    let message = format!("the content coding `{name}` is not supported: use gzip or zstd");
                    return Err(ApiError::new(
                        StatusCode::UNSUPPORTED_MEDIA_TYPE,
                        "unsupported-encoding",
                        message,
                    ));
                }
            };
        }
        Ok(coding)
    }
}

/// Decompresses a body, and reserves memory as the output grows.
pub(crate) fn decompress(
    bytes: Bytes,
    coding: Coding,
    bytes_max: usize,
    memory: &Memory,
    reserved: &mut Reserved,
) -> Answer<Vec<u8>> {
    match coding {
        Coding::Plain => Ok(bytes.into()),
        Coding::Gzip => {
            let reader = flate2::read::MultiGzDecoder::new(&bytes[..]);
            read_within(reader, bytes_max, memory, reserved)
        }
        Coding::Zstd => {
            let reader = zstd::stream::read::Decoder::new(&bytes[..]).map_err(bad_coding)?;
            read_within(reader, bytes_max, memory, reserved)
        }
    }
}

fn read_within(
    mut reader: impl Read,
    bytes_max: usize,
    memory: &Memory,
    reserved: &mut Reserved,
) -> Answer<Vec<u8>> {
    let mut unpacked = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let length = reader.read(&mut chunk).map_err(bad_coding)?;
        if length == 0 {
            return Ok(unpacked);
        }
        if unpacked.len() + length > bytes_max {
            return Err(ApiError::too_large(bytes_max as u64));
        }
        memory.grow(reserved, length)?;
        unpacked.extend_from_slice(&chunk[..length]);
    }
}

fn bad_coding(error: std::io::Error) -> ApiError {
    let message = format!("the body cannot be decompressed: {error}");
    ApiError::new(StatusCode::BAD_REQUEST, "bad-encoding", message)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap().into()
    }

    #[test]
    fn bodies_are_unpacked_up_to_a_limit() {
        let memory = Memory::new(1 << 20);
        let page = b"<p>tea</p>".repeat(1000);
        let packed = [
            (Coding::Gzip, gzip(&page)),
            (Coding::Zstd, zstd::bulk::compress(&page, 3).unwrap().into()),
            (Coding::Plain, page.clone().into()),
        ];
        for (coding, bytes) in packed {
            let mut reserved = memory.nothing();
            assert_eq!(decompress(bytes, coding, 10_000, &memory, &mut reserved).unwrap(), page);
        }
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn bombs_and_rubbish_are_refused() {
        let memory = Memory::new(64 << 20);
        let bomb = vec![0; 32 << 20];
        let unpacked = |bytes: Bytes, coding| {
            decompress(bytes, coding, 1 << 20, &memory, &mut memory.nothing()).unwrap_err().code
        };
        assert_eq!(unpacked(gzip(&bomb), Coding::Gzip), "too-large");
        assert_eq!(unpacked(zstd::bulk::compress(&bomb, 3).unwrap().into(), Coding::Zstd), "too-large");
        for coding in [Coding::Gzip, Coding::Zstd] {
            assert_eq!(unpacked(Bytes::from_static(b"no such thing"), coding), "bad-encoding");
        }
        // The body is within the limit of a request, but exceeds the shared memory.
        let small = Memory::new(100 << 10);
        let refused = decompress(gzip(&bomb[..500_000]), Coding::Gzip, 1 << 20, &small, &mut small.nothing());
        assert_eq!(refused.unwrap_err().code, "busy");
    }

    #[test]
    fn unknown_codings_are_named() {
        let mut headers = HeaderMap::new();
        assert_eq!(Coding::of(&headers).unwrap(), Coding::Plain);
        headers.insert(CONTENT_ENCODING, "zstd".parse().unwrap());
        assert_eq!(Coding::of(&headers).unwrap(), Coding::Zstd);
        for wrong in ["br", "gzip, gzip", "\u{ff}"] {
            headers.insert(CONTENT_ENCODING, axum::http::HeaderValue::from_bytes(wrong.as_bytes()).unwrap());
            assert_eq!(Coding::of(&headers).unwrap_err().code, "unsupported-encoding", "{wrong}");
        }
    }
}
