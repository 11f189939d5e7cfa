//! Tests blocks against their expected bodies, then properties.

use std::io::Write;

use proptest::prelude::*;
use unframe::Problem;

use super::*;

/// A decoded response.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Response {
    /// The status code, if the head has one.
    status: Option<u16>,
    /// The effective value of `Content-Type`, if there are several.
    content_type: Option<String>,
    /// The payload: the body after transfer and content coding.
    body: Vec<u8>,
    /// The problems of the response.
    problems: Vec<Problem>,
}

/// Decodes the block of a WARC `response` record or of an ARC record.
fn decode(block: &[u8]) -> Response {
    let head = ResponseHead::parse(block);
    let (body, problems) = head.body(block);
    let body = body.into_owned();
    Response { status: head.status, content_type: head.content_type.map(Into::into), body, problems }
}

const PAGE: &[u8] = b"<!doctype html><title>Tides</title><p>High water at six.";

/// Decodes a block and compares status, body and the codes of the problems.
#[track_caller]
fn check(block: &[u8], status: Option<u16>, body: &[u8], codes: &[&str]) {
    let response = decode(block);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&response.body), text(body), "{:?}", text(block));
    assert_eq!(response.body, body);
    assert_eq!(response.status, status, "{:?}", text(block));
    let found: Vec<_> = response.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(found, codes, "{:?} {:?}", text(block), response.problems);
}

/// A response with these headers and this body.
fn block(headers: &str, body: &[u8]) -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\n", headers.as_bytes(), b"\r\n\r\n", body].concat()
}

#[track_caller]
fn check_body(headers: &str, coded: &[u8], body: &[u8], codes: &[&str]) {
    check(&block(headers, coded), Some(200), body, codes);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut coded, &parameters).unwrap();
    coded
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// A header value, and the function that encodes a body accordingly.
type Encoder = (&'static str, fn(&[u8]) -> Vec<u8>);

const ENCODERS: [Encoder; 6] = [
    ("gzip", gzip),
    ("x-gzip", gzip),
    ("deflate", zlib),
    ("deflate", raw_deflate),
    ("br", brotli),
    ("zstd", zstd),
];

fn chunked(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut coded = Vec::new();
    for chunk in bytes.chunks(size) {
        write!(coded, "{:x}\r\n", chunk.len()).unwrap();
        coded.extend_from_slice(chunk);
        coded.extend_from_slice(b"\r\n");
    }
    coded.extend_from_slice(b"0\r\n\r\n");
    coded
}

/// Bytes like those of a page, which can be compressed to some extent.
fn long_page(length: usize) -> Vec<u8> {
    let line = |i: usize| {
        format!("<p class=c{}>line {} of {}</p>\n", i % 7, i, i.wrapping_mul(2_654_435_761) % 9973)
    };
    let mut page: Vec<u8> = (0..=length / 20).flat_map(|i| line(i).into_bytes()).collect();
    page.truncate(length);
    page
}

#[test]
fn heads_of_all_kinds() {
    for head in [
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        "HTTP/1.0 200\r\ncontent-type:text/html\r\n\r\n",
        "HTTP/2 200\ncontent-type: text/html\n\n",
        "HTTP/2.0 200 \r\ncontent-type: text/html\r\n\r\n",
        "HTTP/3 200 OK\r\nCONTENT-TYPE : text/html\r\n\r\n",
        "HTTPX/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n",
        "HTTP 200 OK\r\ncontent-type: text/html\r\n\r\n",
        "http/1.1  200   ok\r\ncontent-type: text/html\r\n\r\n",
        "\r\n\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\r\n\r\r\n",
        ":status: 200\r\ncontent-type: text/html\r\n\r\n",
        "HTTP/2\r\n:status: 200\r\ncontent-type: text/html\r\n\r\n",
        "content-type: text/html\nStatus: 200 OK\n\n",
        "HTTP/1.1 200 OK\r\nContent-Type:\r\n\ttext/html\r\n\r\n",
        "HTTP/1.1 200 OK\r\ngarbage\r\n\x01\r\n=: x\r\nContent-Type: text/html\r\n: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: h\u{e9}\r\nContent-Type: text/html\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
    ] {
        let block = [head.as_bytes(), PAGE].concat();
        check(&block, Some(200), PAGE, &[]);
        assert_eq!(decode(&block).content_type.as_deref(), Some("text/html"), "{head:?}");
        assert_eq!(ResponseHead::parse(&block).body_start, head.len());
    }
}

#[test]
fn the_status_is_a_number_of_three_digits() {
    check(b"HTTP/1.1 404 Not Found\r\n\r\n", Some(404), b"", &[]);
    check(b"HTTP/1.1 OK\r\n\r\nx", None, b"x", &[]);
    check(b"HTTP/1.1 20 OK\r\n\r\nx", None, b"x", &[]);
    check(b"HTTP/1.1 99999 OK\r\n\r\nx", None, b"x", &[]);
    check(b"HTTP/1.1\r\n\r\nx", None, b"x", &[]);
}

#[test]
fn folded_and_non_ascii_values_are_kept() {
    let response = decode(b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=\"\xe9\"\r\n\r\n");
    assert_eq!(response.content_type.as_deref(), Some("text/html; charset=\"é\""));
}

#[test]
fn blocks_without_a_head_are_all_body() {
    for block in [PAGE, b"", b"Note: this is text.\n\nThe end.", b"\r\n\r\n<p>", b"HTTP", b"\xff\x00"] {
        check(block, None, block, &["missing-head"]);
    }
}

#[test]
fn heads_without_an_end() {
    check(b"HTTP/1.1 200 OK", Some(200), b"", &["truncated-head"]);
    check(b"HTTP/1.1 200 OK\r\nContent-Type: text/ht", Some(200), b"", &["truncated-head"]);
    check(b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n", Some(200), b"", &["truncated-head"]);
}

#[test]
fn a_shorter_body_than_declared_is_truncated() {
    check_body("Content-Length: 4", b"four", b"four", &[]);
    check_body("Content-Length: 2", b"four", b"four", &[]);
    check_body("Content-Length: 5", b"four", b"four", &["truncated-body"]);
    check_body("Content-Length: -5", b"four", b"four", &[]);
    check_body("Content-Length: 99999999999999999999999", b"four", b"four", &[]);
    check(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", Some(304), b"", &[]);
    check_body("Content-Encoding: gzip\r\nContent-Length: 50", b"four", b"four", &[]);
    check_body("Transfer-Encoding: chunked\r\nContent-Length: 50", b"4\r\nfour\r\n0\r\n\r\n", b"four", &[]);
}

#[test]
fn chunks_of_all_kinds() {
    let check = |coded: &str, body: &str| {
        check_body("Transfer-Encoding: chunked", coded.as_bytes(), body.as_bytes(), &[]);
    };
    check("5\r\nHello\r\n6\r\n World\r\n0\r\n\r\n", "Hello World");
    check("5\nHello\n6\n World\n0\n\n", "Hello World");
    check("5;name=\"value\"\r\nHello\r\n0;last\r\n\r\n", "Hello");
    check("  005  \r\nHello\r\n000\r\nTrailer: x\r\nOther: y\r\n\r\n", "Hello");
    check("A\r\n0123456789\r\n0\r\n", "0123456789");
    check("5\r\nHello\r\n0\r\n\r\nleft over", "Hello");
    check("0\r\n\r\n", "");
    check("7\r\na\r\nb\r\nc\r\n0\r\n\r\n", "a\r\nb\r\nc");
    check("", "");
}

#[test]
fn a_body_that_is_not_chunked_is_kept_as_it_is() {
    for body in [
        "<p>plain",
        "\r\n<p>",
        "add\r\n<p>this is not chunked, whatever the head says",
        "12 monkeys\n",
        "0\r\n<p>",
    ] {
        let coding = if body.starts_with("add") {
            "Transfer-Encoding: Chunked\r\nX: y"
        } else {
            "transfer-encoding: chunked"
        };
        let long = body.to_owned() + &"x".repeat(4096);
        check_body(coding, long.as_bytes(), long.as_bytes(), &[]);
    }
}

#[test]
fn chunks_that_nobody_declared() {
    check_body("X: y", &chunked(PAGE, 7), PAGE, &[]);
    check_body("X: y", b"5\r\nHello\r\n", b"5\r\nHello\r\n", &[]);
    check_body("X: y", b"0\r\n\r\n", b"0\r\n\r\n", &[]);
    check_body("X: y", b"2024\n", b"2024\n", &[]);
}

#[test]
fn lying_chunk_sizes_lose_nothing() {
    let check = |coded: &str, body: &str, codes: &[&str]| {
        check_body("Transfer-Encoding: chunked", coded.as_bytes(), body.as_bytes(), codes);
    };
    check("3\r\nHello\r\n6\r\n World\r\n0\r\n\r\n", "Hello World", &["bad-chunk"]);
    check("8\r\nHello\r\n6\r\n World\r\n0\r\n\r\n", "Hello World", &["bad-chunk"]);
    check("5\r\nHello\r\n2\r\n World\r\n0\r\n\r\n", "Hello World", &["bad-chunk"]);
    check("5\r\nHello\r\n60\r\n World\r\n0\r\n\r\n", "Hello World", &["bad-chunk"]);
    check("5\r\nHello\r\nxyz\r\n World\r\n0\r\n\r\n", "Hello\r\nxyz\r\n World", &["bad-chunk"]);
    check("5\r\nHello\r\n2\r\n World and on", "Hello World and on", &["bad-chunk"]);
    check("ffffffffffffffffffff\r\nHello", "Hello", &["truncated-body"]);
    check("5\r\nHello\r\n6\r\n Wo", "Hello Wo", &["truncated-body"]);
    check("5\r\nHello\r\n", "Hello", &["truncated-body"]);
    check("5\r\nHello\r", "Hello", &["truncated-body"]);
    check("5\r\nHello", "Hello", &["truncated-body"]);
    check("5\r\nHello\r\n6", "Hello", &["truncated-body"]);
    check("5\r\n", "", &["truncated-body"]);
    check("5", "", &["truncated-body"]);
}

#[test]
fn codings_of_all_kinds() {
    let page = long_page(100_000);
    for (name, encode) in ENCODERS {
        for page in [PAGE, &page, b"", b"x"] {
            check_body(&format!("Content-Encoding: {name}"), &encode(page), page, &[]);
            check_body(&format!("content-encoding: {}", name.to_uppercase()), &encode(page), page, &[]);
            let both = format!("Transfer-Encoding: chunked\r\nContent-Encoding: {name}");
            check_body(&both, &chunked(&encode(page), 1000), page, &[]);
            check_body(
                &format!("Transfer-Encoding: {name}, chunked"),
                &chunked(&encode(page), 99),
                page,
                &[],
            );
        }
    }
}

#[test]
fn stacked_codings_are_undone_last_first() {
    check_body("Content-Encoding: gzip, br", &brotli(&gzip(PAGE)), PAGE, &[]);
    check_body("Content-Encoding: gzip\r\nContent-Encoding: zstd", &zstd(&gzip(PAGE)), PAGE, &[]);
    check_body("Transfer-Encoding: gzip\r\nContent-Encoding: br", &gzip(&brotli(PAGE)), PAGE, &[]);
    check_body("Content-Encoding: gzip, gzip", &gzip(PAGE), PAGE, &[]);
    check_body("Content-Encoding: gzip, identity, utf-8, none,,", &gzip(PAGE), PAGE, &[]);
}

#[test]
fn so_many_codings_are_undone_and_no_more() {
    let most = coding::CODINGS_MAX;
    let coded = |times| (0..times).fold(PAGE.to_vec(), |body, _| gzip(&body));
    let header = |times| format!("Content-Encoding: {}", vec!["gzip"; times].join(", "));
    check_body(&header(most), &coded(most), PAGE, &[]);
    check_body(&header(most + 1), &coded(most + 1), &gzip(PAGE), &["unsupported-coding"]);
    // The coding that was applied last is undone first.
    let outer = format!("{}, deflate", header(most));
    check_body(&outer, &zlib(&coded(most)), &gzip(PAGE), &["unsupported-coding"]);
}

#[test]
fn a_body_without_its_declared_coding_is_kept_as_it_is() {
    let words = "words without a tag, as long as a short paragraph, so that nobody takes them for compressed data: text has no control characters";
    for (name, _) in ENCODERS {
        for body in [PAGE, b"  <p>x", words.as_bytes(), b""] {
            check_body(&format!("Content-Encoding: {name}"), body, body, &[]);
        }
    }
    check_body("Content-Encoding: gzip", &zlib(PAGE), PAGE, &[]);
    check_body("Content-Encoding: deflate", &gzip(PAGE), PAGE, &[]);
}

#[test]
fn codings_that_cannot_be_undone_are_named() {
    check_body("Content-Encoding: x-compress", b"\x1f\x9d\x90", b"\x1f\x9d\x90", &["unsupported-coding"]);
}

#[test]
fn gzip_of_several_members() {
    let members = [gzip(b"one "), gzip(b""), gzip(b"two "), gzip(PAGE)].concat();
    check_body("Content-Encoding: gzip", &members, &[b"one two ", PAGE].concat(), &[]);
    // The members have the same length, so the length of the last one fits the first one, too.
    check_body("Content-Encoding: gzip", &[gzip(b"one"), gzip(b"two")].concat(), b"onetwo", &[]);
    check_body("Content-Encoding: gzip", &[&gzip(PAGE)[..], b"\0\0\0\0\0"].concat(), PAGE, &[]);
    check_body("Content-Encoding: zstd", &[zstd(b"one "), zstd(b"two")].concat(), b"one two", &[]);
}

#[test]
fn damaged_codings_keep_what_comes_before() {
    let page = long_page(200_000);
    let mut coded = gzip(&page);
    let middle = coded.len() / 2;
    coded[middle..middle + 40].fill(0xff);
    let response = decode(&block("Content-Encoding: gzip", &coded));
    assert_eq!(response.problems[0].code, "bad-coding");
    let common = response.body.iter().zip(&page).take_while(|(a, b)| a == b).count();
    assert!(common > 80_000, "only {common} bytes survived");

    let garbage = b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff\xff";
    check_body("Content-Encoding: gzip", garbage, garbage, &["bad-coding"]);
    let mut wrong_checksum = gzip(PAGE);
    let checksum = wrong_checksum.len() - 8;
    wrong_checksum[checksum] ^= 1;
    check_body("Content-Encoding: gzip", &wrong_checksum, PAGE, &["bad-coding"]);
}

#[test]
fn bodies_past_the_limit_are_cut() {
    let page = long_page(50_000);
    let bodies = ENCODERS.map(|(name, encode)| (format!("Content-Encoding: {name}"), encode(&page)));
    let plain =
        [("X: y".to_owned(), page.clone()), ("Transfer-Encoding: chunked".to_owned(), chunked(&page, 100))];
    for (headers, body) in bodies.into_iter().chain(plain) {
        let block = block(&headers, &body);
        for (limit, codes) in [(49_999, ["body-too-large"].as_slice()), (50_000, &[]), (50_001, &[])] {
            let (decoded, problems) = ResponseHead::parse(&block).body_within(&block, limit);
            let found: Vec<_> = problems.iter().map(|problem| problem.code).collect();
            assert_eq!(found, codes, "{headers} {limit}");
            assert_eq!(decoded, &page[..limit.min(50_000)], "{headers} {limit}");
        }
    }
}

#[test]
fn a_bomb_stops_at_the_limit_of_a_page() {
    let bomb = gzip(&gzip(&vec![0; unframe::limits::PAGE_BYTES_MAX + 1]));
    let response = decode(&block("Content-Encoding: gzip, gzip", &bomb));
    assert_eq!(response.body.len(), unframe::limits::PAGE_BYTES_MAX);
    assert_eq!(response.problems[0].code, "body-too-large");
}

#[test]
fn plain_bodies_are_not_copied() {
    let block = block("Content-Type: text/html", PAGE);
    let (body, _) = ResponseHead::parse(&block).body(&block);
    assert!(matches!(body, std::borrow::Cow::Borrowed(_)));
}

/// Bodies that compress and bodies that do not. None contains a last chunk: a completely chunked page is decoded as chunked, whether or not
/// that was intended.
fn any_body() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec!["<p>", "\r\n", "5\r\n", "word ", "\x00", "\u{fffd}"]);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..600),
        prop::collection::vec(pieces, 0..200).prop_map(|pieces| pieces.concat().into_bytes()),
        (0_usize..60_000).prop_map(long_page),
    ]
}

proptest! {
    #[test]
    fn any_bytes_decode(block: Vec<u8>) {
        decode(&block);
    }

    #[test]
    fn any_head_and_body_decode(
        head in "(HTTP/1.1 200 OK)?\r\n((Transfer-Encoding: chunked|Content-Encoding: (gzip|deflate|br|zstd)|Content-Length: 9|.{0,9})\r?\n){0,5}",
        magic in prop::sample::select(vec![&b""[..], b"\x1f\x8b\x08", b"\x78\x9c", b"\x28\xb5\x2f\xfd", b"5\r\n", b"\x0b"]),
        body: Vec<u8>,
    ) {
        decode(&[head.as_bytes(), b"\r\n", magic, &body].concat());
    }

    #[test]
    fn coded_bodies_come_back(
        page in any_body(),
        stack in prop::collection::vec(prop::sample::select(ENCODERS.to_vec()), 0..3),
        size in prop::option::of(1_usize..5000),
    ) {
        let mut coded = page.clone();
        let mut headers = "Content-Type: text/html".to_owned();
        for (name, encode) in &stack {
            coded = encode(&coded);
            headers += &format!("\r\nContent-Encoding: {name}");
        }
        if let Some(size) = size {
            coded = chunked(&coded, size);
            headers += "\r\nTransfer-Encoding: chunked";
        }
        let response = decode(&block(&headers, &coded));
        prop_assert_eq!(&response.problems, &vec![]);
        prop_assert!(response.body == page);
    }

    #[test]
    fn a_cut_loses_nothing_before_it(
        page in any_body(),
        (name, encode) in prop::sample::select(ENCODERS.to_vec()),
        size in prop::option::of(1_usize..5000),
        cut in 0.0..1.0,
    ) {
        let mut coded = encode(&page);
        let mut headers = format!("Content-Encoding: {name}");
        let mut cut = (coded.len() as f64 * cut) as usize;
        // Codings without a magic number cannot be distinguished from text by a few bytes.
        if matches!(name, "br" | "deflate") {
            cut = cut.max(coded.len().min(128));
        }
        // The decoder's output for this prefix must be returned, whatever the chunks.
        let expected = decode(&block(&headers, &coded[..cut])).body;
        coded.truncate(cut);
        if let Some(size) = size {
            coded = chunked(&coded, size);
            coded.truncate(coded.len() - 5);
            headers += "\r\nTransfer-Encoding: chunked";
        }
        let response = decode(&block(&headers, &coded));
        prop_assert!(response.body == expected);
        prop_assert!(page.starts_with(&response.body), "not a prefix");
        prop_assert!(response.problems.iter().all(|problem| problem.code == "truncated-body"), "{:?}", response.problems);
    }

    #[test]
    fn a_cut_of_plain_chunks_gives_all_data_before_it(page in any_body(), size in 1_usize..3000, cut in 0.0..1.0) {
        let coded = chunked(&page, size);
        let cut = (coded.len() as f64 * cut) as usize;
        let response = decode(&block("Transfer-Encoding: chunked", &coded[..cut]));
        // Every chunk before the cut takes a size line and two line ends.
        let framing = (cut / (size + 5) + 1) * (8 + 2 + 2);
        prop_assert!(response.body.len() + framing >= cut.min(page.len()));
        prop_assert!(page.starts_with(&response.body), "not a prefix");
    }
}
