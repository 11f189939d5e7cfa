//! Writes WARC files.

use std::io::{self, Write};

use data_encoding::BASE32;
use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use sha1::{Digest, Sha1};
use xxhash_rust::xxh3::Xxh3;

/// Writes records of WARC 1.1 (or [1.0](WarcWriter::version_1_0)), one after the other. Either each record is in a gzip member of its own,
/// or all are uncompressed.
///
/// The identifier of a record is a hash of its contents and its index, so that the same calls give the same bytes. The writer has no buffer
/// of its own and needs no closing.
///
/// ```
/// use unframe_crawl::WarcWriter;
///
/// let mut writer = WarcWriter::gzip(Vec::new());
/// let date = "2026-01-31T12:00:00Z".parse().unwrap();
/// writer.info("software: example\r\n", date)?;
/// writer.response("https://example.com/", date, 200, &[("Content-Type", "text/html")], b"<p>Hello")?;
/// assert!(writer.into_inner().starts_with(b"\x1f\x8b"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WarcWriter<W> {
    inner: W,
    is_gzip: bool,
    is_version_1_0: bool,
    records: u64,
}

impl<W: Write> WarcWriter<W> {
    /// Writes each record in a gzip member of its own, as is usual.
    pub fn gzip(inner: W) -> WarcWriter<W> {
        WarcWriter { inner, is_gzip: true, is_version_1_0: false, records: 0 }
    }

    /// Writes records without compression.
    pub fn plain(inner: W) -> WarcWriter<W> {
        WarcWriter { inner, is_gzip: false, is_version_1_0: false, records: 0 }
    }

    /// Writes records of WARC 1.0 from now on, for old readers. Its dates have whole seconds only.
    pub fn version_1_0(self) -> WarcWriter<W> {
        WarcWriter { is_version_1_0: true, ..self }
    }

    /// Returns the inner writer.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// The inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Writes a `warcinfo` record. `fields` are lines such as `software: unframe 0.1.0`, each ended by CR LF.
    pub fn info(&mut self, fields: &str, date: Timestamp) -> io::Result<()> {
        let header =
            Header { kind: "warcinfo", url: None, date, content_type: "application/warc-fields", extra: &[] };
        self.record(&header, &[fields.as_bytes()], None)
    }

    /// Writes a `response` record: an HTTP response as if it had been received. The header `Content-Length` is added unless `headers`
    /// declare a length or a transfer coding. The body is written unchanged, so it must be encoded as the headers declare.
    pub fn response(
        &mut self,
        url: &str,
        date: Timestamp,
        status: u16,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
        let mut has_length = false;
        for (name, value) in headers {
            has_length |=
                name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("transfer-encoding");
            head.push_str(&format!("{}: {}\r\n", one_line(name), one_line(value)));
        }
        if !has_length {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let content_type = "application/http; msgtype=response";
        let header = Header { kind: "response", url: Some(url), date, content_type, extra: &[] };
        self.record(&header, &[head.as_bytes(), body], Some(body))
    }

    /// Writes a `resource` record: a file without HTTP headers.
    pub fn resource(
        &mut self,
        url: &str,
        date: Timestamp,
        content_type: &str,
        body: &[u8],
    ) -> io::Result<()> {
        let header = Header { kind: "resource", url: Some(url), date, content_type, extra: &[] };
        self.record(&header, &[body], None)
    }

    /// Writes a `conversion` record, derived from a record with the same address. `refers_to` is the identifier of that record, if known.
    pub fn conversion(
        &mut self,
        url: &str,
        date: Timestamp,
        content_type: &str,
        body: &[u8],
        refers_to: Option<&str>,
    ) -> io::Result<()> {
        let extra: Vec<(&str, &str)> = refers_to.map(|id| ("WARC-Refers-To", id)).into_iter().collect();
        let header = Header { kind: "conversion", url: Some(url), date, content_type, extra: &extra };
        self.record(&header, &[body], None)
    }

    /// Writes a `conversion` record as in the WET files of Common Crawl: plain text, always UTF-8. It declares that its payload is text,
    /// because readers that guess the type (datatrove) guess wrong for some texts.
    pub fn wet(&mut self, url: &str, date: Timestamp, text: &str, refers_to: Option<&str>) -> io::Result<()> {
        let content_type = "text/plain";
        let mut extra: Vec<(&str, &str)> = refers_to.map(|id| ("WARC-Refers-To", id)).into_iter().collect();
        extra.push(("WARC-Identified-Payload-Type", content_type));
        let header = Header { kind: "conversion", url: Some(url), date, content_type, extra: &extra };
        self.record(&header, &[text.as_bytes()], None)
    }

    fn record(&mut self, header: &Header<'_>, block: &[&[u8]], payload: Option<&[u8]>) -> io::Result<()> {
        let text = header.text(self.is_version_1_0, self.records, block, payload);
        self.records += 1;
        if !self.is_gzip {
            return write_record(&mut self.inner, &text, block);
        }
        let mut member = GzEncoder::new(&mut self.inner, Compression::default());
        write_record(&mut member, &text, block)?;
        member.finish()?;
        Ok(())
    }
}

fn write_record(to: &mut impl Write, header: &str, block: &[&[u8]]) -> io::Result<()> {
    to.write_all(header.as_bytes())?;
    for part in block {
        to.write_all(part)?;
    }
    to.write_all(b"\r\n\r\n")
}

struct Header<'a> {
    kind: &'a str,
    url: Option<&'a str>,
    date: Timestamp,
    content_type: &'a str,
    extra: &'a [(&'a str, &'a str)],
}

impl Header<'_> {
    fn text(&self, is_version_1_0: bool, number: u64, block: &[&[u8]], payload: Option<&[u8]>) -> String {
        let length: usize = block.iter().map(|part| part.len()).sum();
        let (version, date) = match is_version_1_0 {
            true => ("1.0", format!("{:.0}", self.date)),
            false => ("1.1", self.date.to_string()),
        };
        let mut text = format!("WARC/{version}\r\nWARC-Type: {}\r\n", self.kind);
        let mut field = |name: &str, value: &str| {
            text.push_str(name);
            text.push_str(": ");
            text.push_str(&one_line(value));
            text.push_str("\r\n");
        };
        field("WARC-Record-ID", &self.id(number, block));
        field("WARC-Date", &date);
        if let Some(url) = self.url {
            field("WARC-Target-URI", url);
        }
        for (name, value) in self.extra {
            field(name, value);
        }
        field("Content-Type", self.content_type);
        field("WARC-Block-Digest", &digest(block));
        if let Some(payload) = payload {
            field("WARC-Payload-Digest", &digest(&[payload]));
        }
        field("Content-Length", &length.to_string());
        text.push_str("\r\n");
        text
    }

    /// A UUID of version 8, derived from the contents and the index.
    fn id(&self, number: u64, block: &[&[u8]]) -> String {
        let mut hasher = Xxh3::new();
        for part in [&number.to_le_bytes(), self.kind.as_bytes(), self.url.unwrap_or_default().as_bytes()] {
            hasher.update(part);
        }
        block.iter().for_each(|part| hasher.update(part));
        let hash = hasher.digest128() & !(0xf << 76) & !(0b11 << 62) | (8 << 76) | (0b10 << 62);
        let hex = format!("{hash:032x}");
        let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
        format!("<urn:uuid:{}>", parts.join("-"))
    }
}

fn digest(parts: &[&[u8]]) -> String {
    let mut sha1 = Sha1::new();
    parts.iter().for_each(|part| sha1.update(part));
    format!("sha1:{}", BASE32.encode(&sha1.finalize()))
}

/// Replaces line breaks, which would end the header line.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        403 => "Forbidden",
        404 => "Not Found",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Unknown",
    }
}
