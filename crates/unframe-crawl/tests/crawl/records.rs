//! Tests which records are pages: status, type, repeats, records in segments.

use std::io::Cursor;

use unframe_crawl::{ReadOptions, WarcWriter};

use crate::harness::{DATE, gzip, html, read_bytes, read_with, record, url};

fn written(write: impl FnOnce(&mut WarcWriter<Vec<u8>>) -> std::io::Result<()>) -> Vec<u8> {
    let mut writer = WarcWriter::gzip(Vec::new());
    write(&mut writer).unwrap();
    writer.into_inner()
}

#[test]
fn only_html_with_status_200_unless_asked() {
    let date = DATE.parse().unwrap();
    let bytes = written(|writer| {
        writer.response(&url(0), date, 404, &[("Content-Type", "text/html")], b"<p>Gone")?;
        writer.response(&url(1), date, 200, &[("Content-Type", "image/png")], b"<p>no")?;
        writer.response(&url(2), date, 200, &[], b"<!doctype html><p>Yes")?;
        writer.response(&url(3), date, 200, &[], b"just text")?;
        writer.resource(&url(4), date, "text/html", b"<p>Yes")?;
        writer.resource("dns:example.com", date, "text/dns", b"1.2.3.4")
    });
    let outcome = read_bytes(bytes.clone());
    assert_eq!(outcome.urls(), [url(2), url(4)]);
    assert_eq!((outcome.skipped("status"), outcome.skipped("not-html")), (1, 3));
    let options = ReadOptions { any_status: true, threads: 1, ..ReadOptions::default() };
    assert_eq!(read_with(Cursor::new(bytes), &options).urls(), [url(0), url(2), url(4)]);
}

#[test]
fn repeats_are_skipped_unless_asked() {
    let bytes = [record(0), record(1), record(0), record(1), record(1)].concat();
    let outcome = read_bytes(bytes.clone());
    assert_eq!((outcome.urls().len(), outcome.skipped("duplicate")), (2, 3));
    let options = ReadOptions { unique: false, threads: 1, ..ReadOptions::default() };
    assert_eq!(read_with(Cursor::new(bytes), &options).urls().len(), 5);
    // The same payload at another address is another page.
    let date = DATE.parse().unwrap();
    let bytes = written(|writer| {
        writer.resource(&url(0), date, "text/html", b"<p>Same")?;
        writer.resource(&url(1), date, "text/html", b"<p>Same")
    });
    assert_eq!(read_bytes(bytes).urls().len(), 2);
}

#[test]
fn other_records_are_counted() {
    let kinds = ["request", "metadata", "revisit", "warcinfo", "conversion", "cheese"];
    let text: String = kinds
        .iter()
        .map(|kind| format!("WARC/1.0\r\nwarc-type: {kind}\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"))
        .collect();
    let outcome = read_bytes(text);
    let skipped: Vec<&str> = outcome.summary.skipped.keys().copied().collect();
    assert_eq!(skipped, ["conversion", "metadata", "other-record", "request", "revisit", "warcinfo"]);
    assert_eq!((outcome.summary.records, outcome.summary.problems), (6, 0));
}

/// A record of a series, of which only the first has HTTP headers.
fn segment(number: usize, block: &str, is_last: bool) -> Vec<u8> {
    let kind = if number == 1 { "response" } else { "continuation" };
    let id = if number == 1 { "WARC-Record-ID: <urn:x>" } else { "WARC-Segment-Origin-ID: <urn:x>" };
    let total = if is_last { "\r\nWARC-Segment-Total-Length: 1" } else { "" };
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{id}\r\nWARC-Target-URI: {}\r\nWARC-Segment-Number: {number}{total}\r\n\
         Content-Type: application/http\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n",
        url(9)
    )
    .into_bytes()
}

#[test]
fn segments_are_put_together() {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", html(9));
    let (first, rest) = block.split_at(60);
    let (second, third) = rest.split_at(10);
    let parts =
        [segment(1, first, false), record(1), segment(2, second, false), segment(3, third, true), record(2)];
    for bytes in [parts.concat(), parts.iter().flat_map(|part| gzip(part)).collect()] {
        let outcome = read_bytes(bytes);
        assert_eq!(outcome.urls(), [url(1), url(9), url(2)]);
        assert_eq!(outcome.summary.payload_bytes, (html(1).len() + html(9).len() + html(2).len()) as u64);
        assert_eq!(outcome.problems(), Vec::<&str>::new());
    }
    // Without the last segment there is what there is.
    let outcome = read_bytes(parts[..3].concat());
    assert_eq!(outcome.urls(), [url(1), url(9)]);
    assert_eq!(outcome.problems(), ["missing-segment"]);
    let outcome = read_bytes(parts[2..].concat());
    assert_eq!(outcome.urls(), [url(2)]);
    assert_eq!(outcome.problems(), ["lost-segment", "lost-segment"]);
}

#[test]
fn of_too_many_records_in_segments_the_oldest_is_given_up() {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", html(9));
    let first = |number: usize| {
        let text = String::from_utf8(segment(1, &block, false)).unwrap();
        text.replace("<urn:x>", &format!("<urn:{number}>")).replace(&url(9), &url(number)).into_bytes()
    };
    let begun = |records: usize| (0..records).flat_map(first).collect::<Vec<u8>>();
    let last = || String::from_utf8(segment(2, "", true)).unwrap().replace("<urn:x>", "<urn:0>").into_bytes();
    let records = unframe_crawl::limits::SEGMENTED_RECORDS_MAX;
    let outcome = read_bytes([begun(records), last()].concat());
    assert_eq!(outcome.problems(), vec!["missing-segment"; records - 1]);
    // One more, and the first is given up before its last segment comes.
    let outcome = read_bytes([begun(records + 1), last()].concat());
    assert_eq!(outcome.problems().iter().filter(|code| **code == "lost-segment").count(), 1);
    assert_eq!(outcome.urls()[0], url(0));
}

#[test]
fn addresses_are_cleaned() {
    let text = |address: &str| {
        let block = "<p>Hello";
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI:{address}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    assert_eq!(read_bytes(text(" <http://example.com/>")).urls(), ["http://example.com/"]);
    assert_eq!(read_bytes(text(" http://example.com/\r\n folded")).urls(), ["http://example.com/folded"]);
    assert_eq!(read_bytes(text(" ")).problems(), ["no-address"]);
}

#[test]
fn written_records_are_always_the_same() {
    assert_eq!(record(3), record(3));
    let text = String::from_utf8(record(3)).unwrap();
    assert!(text.starts_with("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:"));
    let date = DATE.parse().unwrap();
    let bytes = {
        let mut writer = WarcWriter::plain(Vec::new());
        writer
            .response("http://example.com/", date, 200, &[("Content-Type", "text/html")], b"hello")
            .unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    };
    // SHA-1 of `hello`, in base 32.
    assert!(bytes.contains("WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n"), "{bytes}");
    assert!(bytes.contains(
        "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
    ));
}
