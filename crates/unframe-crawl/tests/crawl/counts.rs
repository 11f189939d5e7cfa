//! A folder of small files as crawlers and their users leave them, good and bad: how many pages, problems and other records each has.

use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::path::Path;

use unframe_crawl::{Event, ReadOptions, Summary, WarcWriter, read};

use crate::harness::{DATE, gzip, gzip_each, html, records, url, warc};

/// File, pages, bytes of their payloads, problems, and records that are not pages.
const EXPECTED: &str = "\
plain.warc: 5 pages, 1224 bytes, 1 warcinfo
plain-with-lf-only.warc: 5 pages, 1234 bytes, wrong-length!, wrong-length!, wrong-length!, wrong-length!, truncated-record!, 1 warcinfo
by-record.warc.gz: 5 pages, 1224 bytes, 1 warcinfo
in-one-member.warc.gz: 5 pages, 1224 bytes, 1 warcinfo
named-gz-but-plain.warc.gz: 5 pages, 1224 bytes, 1 warcinfo
named-plain-but-gzip.warc: 5 pages, 1224 bytes, 1 warcinfo
by-record.warc.lz4: 5 pages, 1224 bytes, 1 warcinfo
in-one-frame.warc.lz4: 5 pages, 1224 bytes, 1 warcinfo
in-one-frame.warc.zst: 5 pages, 1224 bytes, 1 warcinfo
crawl.wacz: 5 pages, 1224 bytes, 1 warcinfo
plain.arc: 3 pages, 489 bytes, 1 not-html, 1 warcinfo
by-record.arc.gz: 3 pages, 489 bytes, 1 not-html, 1 warcinfo
cut-off.arc: 3 pages, 340 bytes, truncated-record!, 1 warcinfo
wrong-length.arc: 3 pages, 490 bytes, wrong-length!, 1 not-html, 1 warcinfo
texts.warc.wet.gz: 3 pages, 63 bytes, 1 warcinfo
metadata.warc.wat: 0 pages, 0 bytes, 1 warcinfo, 3 wat
mixed.warc: 4 pages, 1069 bytes, 1 metadata, 1 not-html, 1 request, 1 revisit, 2 status
mixed.warc.gz: 4 pages, 1069 bytes, 1 metadata, 1 not-html, 1 request, 1 revisit, 2 status
codings.warc: 4 pages, 1138 bytes
codings.warc.gz: 4 pages, 1138 bytes
codings-that-are-not-there.warc: 3 pages, 726 bytes
codings-cut-off.warc: 3 pages, 525 bytes, truncated-body!, truncated-body!
empty.warc: 0 pages, 0 bytes, empty-file!
cut-off.warc: 5 pages, 1198 bytes, truncated-body!, truncated-record!, 1 warcinfo
cut-off.warc.gz: 5 pages, 1206 bytes, truncated-body!, truncated-record!, truncated-gzip!, 1 warcinfo
cut-off.warc.lz4: 4 pages, 812 bytes, bad-lz4!, 1 warcinfo
bad-checksum.warc.gz: 5 pages, 1224 bytes, bad-gzip!, 1 warcinfo
flipped-bytes.warc.gz: 4 pages, 980 bytes, bad-gzip!, 1 warcinfo
zeros-at-the-end.warc.gz: 5 pages, 1224 bytes, 1 warcinfo
garbage.warc: 5 pages, 1224 bytes, garbage!, 1 warcinfo
garbage.warc.gz: 5 pages, 1224 bytes, garbage!, 1 warcinfo
no-length.warc: 4 pages, 1138 bytes, bad-header!, bad-header!
no-blank-lines.warc: 5 pages, 1224 bytes, 1 warcinfo
no-address.warc: 5 pages, 1224 bytes, no-address!, 1 warcinfo
";

#[test]
fn files_have_the_pages_that_were_put_into_them() {
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    for (name, bytes) in &files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    assert_eq!(EXPECTED.lines().count(), files.len());
    for threads in [1, 4] {
        for ((name, _), expected) in files.iter().zip(EXPECTED.lines()) {
            let found = format!("{name}: {}", count(&folder.path().join(name), threads));
            assert_eq!(found, expected, "on {threads} threads");
        }
    }
}

#[test]
fn a_folder_has_the_pages_of_all_its_files_but_texts() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = 0;
    for (name, bytes) in files() {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        // In folders, the pages themselves are usually beside their texts.
        if name != "texts.warc.wet.gz" {
            expected += pages(&folder.path().join(name), 1);
        }
    }
    for threads in [1, 4] {
        assert_eq!(pages(folder.path(), threads), expected, "on {threads} threads");
    }
}

/// How many pages a file or folder has, repeats included.
pub(crate) fn pages(path: &Path, threads: usize) -> u64 {
    read_all(path, threads).0.pages
}

fn read_all(path: &Path, threads: usize) -> (Summary, Vec<&'static str>) {
    let options = ReadOptions { unique: false, threads, ..ReadOptions::default() };
    let mut problems = Vec::new();
    let summary = read(
        &[path.to_owned()],
        &options,
        || |page: unframe::Page| page.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        |event| {
            match event {
                Event::Page(codes) => problems.extend(codes),
                Event::Problem { problem, .. } => problems.push(problem.code),
            }
            ControlFlow::Continue(())
        },
    );
    (summary.unwrap(), problems)
}

fn count(path: &Path, threads: usize) -> String {
    let (summary, problems) = read_all(path, threads);
    let mut line = format!("{} pages, {} bytes", summary.pages, summary.payload_bytes);
    for problem in problems {
        write!(line, ", {problem}!").unwrap();
    }
    for (reason, records) in summary.skipped {
        write!(line, ", {records} {reason}").unwrap();
    }
    line
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    [compressions(), arc(), other_records(), bodies(), damage()].concat()
}

/// The same five pages.
fn compressions() -> Vec<(&'static str, Vec<u8>)> {
    let records = records(5);
    let whole = records.concat();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let each = |pack: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| pack(record)).collect();
    let mut wacz = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [("archive/data.warc.gz", gzip_each(&records)), ("datapackage.json", b"{}".to_vec())]
    {
        wacz.start_file(name, options).unwrap();
        wacz.write_all(&bytes).unwrap();
    }
    vec![
        ("plain.warc", whole.clone()),
        ("plain-with-lf-only.warc", String::from_utf8(whole.clone()).unwrap().replace("\r\n", "\n").into()),
        ("by-record.warc.gz", gzip_each(&records)),
        ("in-one-member.warc.gz", gzip(&whole)),
        ("named-gz-but-plain.warc.gz", whole.clone()),
        ("named-plain-but-gzip.warc", gzip_each(&records)),
        ("by-record.warc.lz4", each(lz4)),
        ("in-one-frame.warc.lz4", lz4(&whole)),
        ("in-one-frame.warc.zst", zstd(&whole)),
        ("crawl.wacz", wacz.finish().unwrap().into_inner()),
    ]
}

/// A gzip member without compression: what a cut leaves of it does not depend on the compressor.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Three pages and a picture, in the format before WARC.
fn arc() -> Vec<(&'static str, Vec<u8>)> {
    let record = |url: &str, kind: &str, block: &str| {
        format!("{url} 192.0.2.1 20260131120000 {kind} {}\n{block}\n", block.len()).into_bytes()
    };
    let first = "1 0 unframe\nURL IP-address Archive-date Content-type Archive-length\n";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: ";
    let mut records = vec![record("filedesc://a.arc", "text/plain", first)];
    records
        .extend((0..3).map(|n| record(&url(n), "text/html", &format!("{head}text/html\r\n\r\n{}", html(n)))));
    records.push(record(&url(3), "image/gif", &format!("{head}image/gif\r\n\r\nGIF89a")));
    let mut cut = records.concat();
    cut.truncate(records[..3].concat().len() + 200);
    // The second page says that it is longer than it is.
    let long = String::from_utf8(records.concat()).unwrap().replacen("text/html 2", "text/html 92", 1);
    vec![
        ("plain.arc", records.concat()),
        ("by-record.arc.gz", gzip_each(&records)),
        ("cut-off.arc", cut),
        ("wrong-length.arc", long.into_bytes()),
    ]
}

/// Files that have texts, metadata, requests, revisits and redirections.
fn other_records() -> Vec<(&'static str, Vec<u8>)> {
    let date = DATE.parse().unwrap();
    let mut wet = WarcWriter::gzip(Vec::new());
    wet.info("software: unframe\r\n", date).unwrap();
    let mut wat = records(0).concat();
    for number in 0..3 {
        wet.conversion(&url(number), date, "text/plain", b"Just the text", None).unwrap();
        wat.extend(warc("metadata", &url(number), "application/json", br#"{"Envelope": {}}"#));
    }
    let http = "application/http";
    let page = |number: usize, status: &str| {
        let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{}", html(number));
        warc("response", &url(number), http, block.as_bytes())
    };
    let mixed = [
        warc("request", &url(0), http, b"GET /0 HTTP/1.1\r\nHost: example.com\r\n\r\n"),
        page(0, "200 OK"),
        warc("metadata", &url(0), "application/warc-fields", b"via: https://example.com/\r\n"),
        warc("revisit", &url(0), http, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
        warc("resource", &url(1), "text/html", html(1).as_bytes()),
        warc("resource", "dns:example.com", "text/dns", b"192.0.2.1"),
        page(2, "404 Not Found"),
        page(3, "301 Moved Permanently"),
        page(4, "200 OK"),
        page(4, "200 OK"),
    ];
    vec![
        ("texts.warc.wet.gz", wet.into_inner()),
        ("metadata.warc.wat", wat),
        ("mixed.warc", mixed.concat()),
        ("mixed.warc.gz", gzip_each(&mixed)),
    ]
}

/// Transfer and content codings, true and false.
fn bodies() -> Vec<(&'static str, Vec<u8>)> {
    let response = |number: usize, headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n\r\n");
        warc("response", &url(number), "application/http", &[head.as_bytes(), body].concat())
    };
    let chunked = |body: &[u8]| {
        let chunks = body
            .chunks(100)
            .map(|chunk| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
        [chunks.collect::<Vec<_>>().concat(), b"0\r\n\r\n".to_vec()].concat()
    };
    let mut brotli = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
    brotli::BrotliCompress(&mut html(3).as_bytes(), &mut brotli, &parameters).unwrap();
    let page = |number: usize| html(number).into_bytes();
    let true_codings = [
        response(1, "Transfer-Encoding: chunked", &chunked(&page(1))),
        response(2, "Content-Encoding: gzip", &gzip(&page(2))),
        response(3, "Content-Encoding: br", &brotli),
        response(4, "Transfer-Encoding: chunked\r\nContent-Encoding: gzip", &chunked(&gzip(&page(4)))),
    ];
    // Crawlers that decode the body keep the headers.
    let false_codings = [
        response(1, "Transfer-Encoding: chunked", &page(1)),
        response(2, "Content-Encoding: gzip", &page(2)),
        response(3, "Content-Length: 7", &page(3)),
    ];
    let half = |body: Vec<u8>| body[..body.len() / 2].to_vec();
    let broken = [
        response(1, "Transfer-Encoding: chunked", &half(chunked(&page(1)))),
        response(2, "Content-Encoding: gzip", &half(stored(&page(2)))),
        response(3, "X: y", &page(3)),
    ];
    vec![
        ("codings.warc", true_codings.concat()),
        ("codings.warc.gz", gzip_each(&true_codings)),
        ("codings-that-are-not-there.warc", false_codings.concat()),
        ("codings-cut-off.warc", broken.concat()),
    ]
}

/// Five pages each, before the damage.
fn damage() -> Vec<(&'static str, Vec<u8>)> {
    let records = records(5);
    let whole = records.concat();
    let text = String::from_utf8(whole.clone()).unwrap();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let cut = |mut bytes: Vec<u8>| {
        bytes.truncate(bytes.len() - 30);
        bytes
    };
    let mut checksum = members.clone();
    let last = checksum[2].len() - 8;
    checksum[2][last] ^= 1;
    let mut flipped = members.concat();
    let middle = members[..3].concat().len() + 40;
    flipped[middle..middle + 20].iter_mut().for_each(|byte| *byte = !*byte);
    let garbage = b"<html>not a record</html>\r\n".to_vec();
    vec![
        ("empty.warc", Vec::new()),
        ("cut-off.warc", cut(whole)),
        ("cut-off.warc.gz", cut(records.iter().flat_map(|record| stored(record)).collect())),
        ("cut-off.warc.lz4", cut(records.iter().flat_map(|record| lz4(record)).collect())),
        ("bad-checksum.warc.gz", checksum.concat()),
        ("flipped-bytes.warc.gz", flipped),
        ("zeros-at-the-end.warc.gz", [members.concat(), vec![0; 512]].concat()),
        ("garbage.warc", [records[..3].concat(), garbage.clone(), records[3..].concat()].concat()),
        ("garbage.warc.gz", [members[..3].concat(), garbage, members[3..].concat()].concat()),
        ("no-length.warc", text.replacen("\r\nContent-Length", "\r\nX-Length", 2).into_bytes()),
        ("no-blank-lines.warc", text.replace("\r\n\r\nWARC/", "\r\nWARC/").into_bytes()),
        ("no-address.warc", text.replacen("WARC-Target-URI", "X-Target", 1).into_bytes()),
    ]
}
