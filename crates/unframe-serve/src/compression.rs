//! Compresses responses with gzip or zstd, if the client accepts it.

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

use crate::content_coding::Coding;
use crate::limits::PACK_BYTES_MIN;

/// Responses up to this length are compressed in place; longer ones on a blocking thread.
const SHORT: usize = 32 << 10;
const ZSTD_LEVEL: i32 = 1;

/// The best content coding that the client accepts.
pub(crate) fn accepted(headers: &HeaderMap) -> Coding {
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
        (true, _) => Coding::Zstd,
        (false, true) => Coding::Gzip,
        (false, false) => Coding::Plain,
    }
}

/// The name of a coding in headers.
pub(crate) fn name(coding: Coding) -> Option<&'static str> {
    match coding {
        Coding::Plain => None,
        Coding::Gzip => Some("gzip"),
        Coding::Zstd => Some("zstd"),
    }
}

/// Compresses a response of known length. Streamed responses are compressed by their writers.
pub(crate) async fn compress(response: Response, coding: Coding) -> Response {
    let length = response.body().size_hint().exact().unwrap_or(0);
    let is_packable = length >= PACK_BYTES_MIN as u64
        && !response.headers().contains_key(CONTENT_ENCODING)
        && response.headers().get(CONTENT_TYPE).is_some_and(is_text);
    let (Some(name), true) = (name(coding), is_packable) else { return response };
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(head, Body::empty());
    };
    let work = {
        let bytes = bytes.clone();
        move || compressed(&bytes, coding)
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

fn compressed(bytes: &[u8], coding: Coding) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::new(), coding)?;
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// A writer that compresses.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(writer: W, coding: Coding) -> io::Result<Encoder<W>> {
        Ok(match coding {
            Coding::Plain => Encoder::Plain(writer),
            Coding::Gzip => Encoder::Gzip(GzEncoder::new(writer, Compression::new(4))),
            Coding::Zstd => Encoder::Zstd(zstd::stream::write::Encoder::new(writer, ZSTD_LEVEL)?),
        })
    }

    /// Finishes the compressed stream, and returns the inner writer.
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
        assert_eq!(accepted(&HeaderMap::new()), Coding::Plain);
        assert_eq!(chosen("gzip, deflate, br, zstd"), Coding::Zstd);
        assert_eq!(chosen("gzip, zstd;q=0"), Coding::Gzip);
        assert_eq!(chosen("br;q=1.0, *;q=0.5"), Coding::Gzip);
        assert_eq!(chosen("identity, gzip; q=0"), Coding::Plain);
    }
}
