//! Answers in gzip or zstd, for those who take them.

use std::io::{self, Write};

use axum::body::{Body, HttpBody};
use axum::http::HeaderMap;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, VARY,
};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::BodyExt;

use crate::body::Packing;
use crate::limits::PACK_BYTES_MIN;

/// Answers up to this length are packed where they are; longer ones on a thread that may block.
const SHORT: usize = 32 << 10;
const ZSTD_LEVEL: i32 = 1;

/// The best way to pack that a client takes.
pub(crate) fn accepted(headers: &HeaderMap) -> Packing {
    let (mut gzip, mut zstd) = (false, false);
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    for name in values.flat_map(|value| value.split(',')) {
        let mut parts = name.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let is_wanted = !parts.any(
            |part| matches!(part.split_once('='), Some(("q", value)) if value.trim().parse() == Ok(0.0)),
        );
        zstd |= is_wanted && name.eq_ignore_ascii_case("zstd");
        gzip |= is_wanted && (name.eq_ignore_ascii_case("gzip") || name == "*");
    }
    match (zstd, gzip) {
        (true, _) => Packing::Zstd,
        (false, true) => Packing::Gzip,
        (false, false) => Packing::Plain,
    }
}

/// The name of a packing in headers.
pub(crate) fn name(packing: Packing) -> Option<&'static str> {
    match packing {
        Packing::Plain => None,
        Packing::Gzip => Some("gzip"),
        Packing::Zstd => Some("zstd"),
    }
}

/// Packs an answer whose length is known. Those that flow are packed where they are made.
pub(crate) async fn pack(response: Response, packing: Packing) -> Response {
    let length = response.body().size_hint().exact().unwrap_or(0);
    let is_packable = length >= PACK_BYTES_MIN as u64
        && !response.headers().contains_key(CONTENT_ENCODING)
        && response.headers().get(CONTENT_TYPE).is_some_and(is_text);
    let (Some(name), true) = (name(packing), is_packable) else { return response };
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(head, Body::empty());
    };
    let work = {
        let bytes = bytes.clone();
        move || packed(&bytes, packing)
    };
    let result = match bytes.len() <= SHORT {
        true => work(),
        false => tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error))),
    };
    head.headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    match result {
        Ok(packed) => {
            head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
            head.headers.remove(CONTENT_LENGTH);
            Response::from_parts(head, Body::from(packed))
        }
        Err(_) => Response::from_parts(head, Body::from(bytes)),
    }
}

fn is_text(content_type: &HeaderValue) -> bool {
    let name = content_type.to_str().unwrap_or_default();
    name.starts_with("text/") || ["json", "javascript", "svg"].iter().any(|kind| name.contains(kind))
}

fn packed(bytes: &[u8], packing: Packing) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::new(), packing)?;
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Packs what is written.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(writer: W, packing: Packing) -> io::Result<Encoder<W>> {
        Ok(match packing {
            Packing::Plain => Encoder::Plain(writer),
            Packing::Gzip => Encoder::Gzip(GzEncoder::new(writer, Compression::new(4))),
            Packing::Zstd => Encoder::Zstd(zstd::stream::write::Encoder::new(writer, ZSTD_LEVEL)?),
        })
    }

    /// Writes the end.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Encoder::Plain(mut writer) => writer.flush().map(|()| writer),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Encoder::Plain(writer) => writer.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::Plain(writer) => writer.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_choose() {
        let chosen = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, value.parse().unwrap());
            accepted(&headers)
        };
        assert_eq!(accepted(&HeaderMap::new()), Packing::Plain);
        assert_eq!(chosen("gzip, deflate, br, zstd"), Packing::Zstd);
        assert_eq!(chosen("gzip, zstd;q=0"), Packing::Gzip);
        assert_eq!(chosen("br;q=1.0, *;q=0.5"), Packing::Gzip);
        assert_eq!(chosen("identity, gzip; q=0"), Packing::Plain);
    }
}
