//! Tests the formats and compressions of crawls: all give the same pages.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;

use unframe_crawl::{ReadOptions, WarcWriter, cdx, read_chosen};

use crate::harness::{
    DATE, event_line, gzip, gzip_each, html, page_line, read_bytes, read_from, record, records, url, warc,
};

/// Checks that a file has the pages 0 to 5 and no problems.
fn check(name: &str, bytes: Vec<u8>) {
    for threads in [1, 3] {
        let outcome = read_from(Cursor::new(bytes.clone()), threads);
        assert_eq!(outcome.urls(), (0..5).map(url).collect::<Vec<_>>(), "{name}");
        assert_eq!(outcome.problems(), Vec::<&str>::new(), "{name}");
        assert_eq!(outcome.summary.pages, 5, "{name}");
        assert_eq!(outcome.summary.bytes_read, bytes.len() as u64, "{name}");
        let payload: usize = (0..5).map(|n| html(n).len()).sum();
        assert_eq!(outcome.summary.payload_bytes, payload as u64, "{name}");
    }
}

#[test]
fn plain_and_gzip() {
    let records = records(5);
    check("plain", records.concat());
    check("by record", gzip_each(&records));
    check("as a whole", gzip(&records.concat()));
    check("padded with zeros", [gzip_each(&records), vec![0; 700]].concat());
    let pieces: Vec<Vec<u8>> = records.concat().chunks(100).map(<[u8]>::to_vec).collect();
    check("in members that do not care for records", gzip_each(&pieces));
    check(
        "with empty members",
        records.iter().flat_map(|record| [gzip(b""), gzip(record)].concat()).collect(),
    );
}

#[test]
fn all_versions() {
    for version in ["WARC/0.17", "WARC/0.18", "WARC/1.0", "warc/1.0"] {
        let text = String::from_utf8(records(5).concat()).unwrap().replace("WARC/1.1", version);
        check(version, text.into_bytes());
    }
}

#[test]
fn zstd_frames() {
    let records = records(5);
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    check("by record", records.iter().flat_map(|record| frame(record)).collect());
    check("as a whole", frame(&records.concat()));
    let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    check("after a skippable frame", [skippable, frame(&records.concat())].concat());
}

#[test]
fn zstd_with_a_dictionary() {
    let dictionary = [record(100), record(101)].concat();
    let frame = |bytes: &[u8]| {
        let mut encoder = zstd::stream::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let frames: Vec<u8> = records(5).iter().flat_map(|record| frame(record)).collect();
    let compressed = zstd::encode_all(&dictionary[..], 3).unwrap();
    for (name, stored) in [("plain", &dictionary), ("compressed", &compressed)] {
        let length = u32::try_from(stored.len()).unwrap().to_le_bytes();
        check(name, [&[0x5d, 0x2a, 0x4d, 0x18], &length[..], stored, &frames].concat());
    }
    let outcome = read_bytes(frames);
    assert_eq!(outcome.urls().len(), 0, "without the dictionary nothing can be read");
    assert!(!outcome.problems().is_empty());
}

#[test]
fn a_zstd_dictionary_is_used_up_to_the_limit() {
    let most = unframe_crawl::limits::DICTIONARY_BYTES_MAX;
    for (length, pages, is_refused) in [(most, 5, false), (most + 1, 0, true)] {
        // What the records have in common stands at its end.
        let mut dictionary = vec![0; length];
        let end = [record(100), record(101)].concat();
        dictionary[length - end.len()..].copy_from_slice(&end);
        let mut encoder = zstd::stream::Encoder::with_dictionary(Vec::new(), 1, &dictionary).unwrap();
        encoder.write_all(&records(5).concat()).unwrap();
        let frame = encoder.finish().unwrap();
        let head = [[0x5d, 0x2a, 0x4d, 0x18], u32::try_from(length).unwrap().to_le_bytes()].concat();
        let outcome = read_bytes([head, dictionary, frame].concat());
        let reported = outcome.problems().contains(&"bad-dictionary");
        assert_eq!((outcome.urls().len(), reported), (pages, is_refused), "{:?}", outcome.lines);
    }
}

#[test]
fn lz4_frames() {
    let frame = |bytes: &[u8]| {
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let records = records(5);
    check("by record", records.iter().flat_map(|record| frame(record)).collect());
    check("as a whole", frame(&records.concat()));
}

fn arc_record(number: usize, version: usize) -> Vec<u8> {
    let body = html(number);
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let more = if version == 2 { " 200 CHECKSUM - 1234 x.arc" } else { "" };
    let length = block.len();
    format!("{} 1.2.3.4 20260131120000 text/html{more} {length}\n{block}\n", url(number)).into_bytes()
}

#[test]
fn arc_of_both_versions() {
    for version in [1, 2] {
        let block =
            format!("{version} 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n\n");
        let more = if version == 2 { " 200 - - 0 x.arc" } else { "" };
        let length = block.len();
        let first = format!("filedesc://x.arc 0.0.0.0 20260131120000 text/plain{more} {length}\n{block}");
        let records: Vec<Vec<u8>> =
            std::iter::once(first.into_bytes()).chain((0..5).map(|n| arc_record(n, version))).collect();
        check("plain", records.concat());
        check("by record", gzip_each(&records));
        check("as a whole", gzip(&records.concat()));
    }
}

#[test]
fn arc_records_without_http_and_with_spaces_in_addresses() {
    let body = "<html><p>Hello";
    let text = format!("http://example.com/a b 1.2.3.4 20260131120000 text/html {}\n{body}\n", body.len());
    let outcome = read_bytes(text);
    assert_eq!(outcome.lines.len(), 1);
    assert!(outcome.lines[0].starts_with("page http://example.com/a b 0 14 "), "{:?}", outcome.lines);
}

fn zip_of(entries: &[(&str, Vec<u8>)], method: zip::CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn wacz_from_a_pipe() {
    let records = records(5);
    let (first, last) = records.split_at(3);
    let entries = [
        ("pages/pages.jsonl", b"{\"format\": \"json-pages-1.0\"}\n{\"url\": \"x\"}\n".to_vec()),
        ("archive/b.warc.gz", gzip_each(last)),
        ("archive/a.warc.gz", gzip_each(first)),
        ("datapackage.json", b"{}".to_vec()),
    ];
    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        let outcome = read_bytes(zip_of(&entries, method));
        assert_eq!(outcome.urls(), (0..5).map(url).collect::<Vec<_>>());
        assert_eq!(outcome.problems(), Vec::<&str>::new());
    }
}

#[test]
fn other_zip_archives_are_like_folders() {
    let entries = [
        ("b.html", html(1).into_bytes()),
        ("a.html", html(0).into_bytes()),
        ("c.png", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("d.zip", zip_of(&[], zip::CompressionMethod::Stored)),
    ];
    let outcome = read_bytes(zip_of(&entries, zip::CompressionMethod::Stored));
    let urls = outcome.urls();
    assert!(
        urls.len() == 2 && urls[0].ends_with("/crawl/a.html") && urls[1].ends_with("/crawl/b.html"),
        "{urls:?}"
    );
    assert_eq!(outcome.skipped("not-a-crawl"), 2);
}

#[test]
fn pages_and_lines_in_any_compression() {
    let page = html(3).into_bytes();
    let lines = "{\"url\": \"http://a.example/\", \"html\": \"<p>A\"}\n{\"url\": \"http://b.example/\", \"html\": \"<p>B\"}\n";
    for pack in [|bytes: &[u8]| bytes.to_vec(), gzip, |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap()] {
        let outcome = read_bytes(pack(&page));
        assert_eq!((outcome.urls().len(), outcome.summary.payload_bytes), (1, page.len() as u64));
        let outcome = read_bytes(pack(lines.as_bytes()));
        assert_eq!(outcome.urls(), ["http://a.example/", "http://b.example/"]);
        assert_eq!(outcome.summary.records, 2);
    }
}

#[test]
fn records_are_chosen_by_a_wat_file() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(5);
    for (name, parts) in [
        ("a.warc", records.clone()),
        ("b.warc.gz", records.iter().map(|part| gzip(part)).collect::<Vec<_>>()),
    ] {
        std::fs::write(folder.path().join(name), parts.concat()).unwrap();
        let (mut offset, mut wat) = (0, warc("warcinfo", "", "application/warc-fields", b"format: WARC\r\n"));
        for (number, (record, part)) in records.iter().zip(&parts).enumerate() {
            let header = memchr::memmem::find(record, b"\r\n\r\n").unwrap() + 4;
            let metadata = serde_json::json!({
                "Container": {
                    "Filename": format!("crawl/{name}"),
                    "Offset": offset.to_string(),
                    "Gzip-Metadata": name.ends_with("gz").then(|| serde_json::json!({ "Deflate-Length": part.len().to_string() })),
                },
                "Envelope": {
                    "WARC-Header-Length": header.to_string(),
                    "WARC-Header-Metadata": {
                        "WARC-Type": if number == 0 { "warcinfo" } else { "response" },
                        "WARC-Target-URI": format!("http://{}.example/", if number == 3 { "other" } else { "one" }),
                        "Content-Length": (record.len() - header - 4).to_string(),
                    },
                },
            });
            let metadata = metadata.to_string();
            wat.extend(warc("metadata", &url(number), "application/json", metadata.as_bytes()));
            offset += part.len();
        }
        let index = folder.path().join("index.warc.wat.gz");
        std::fs::write(&index, gzip(&wat)).unwrap();
        let filter = "host=one.example".parse().unwrap();
        let chosen = cdx::choose(&[index], &[folder.path().join(name)], &[filter]).unwrap();
        assert_eq!(chosen.problems, []);
        let mut pages = Vec::new();
        read_chosen(
            &chosen,
            &ReadOptions::default(),
            || page_line,
            |event| {
                pages.push(event_line(event).split(' ').nth(1).unwrap_or_default().to_owned());
                ControlFlow::Continue(())
            },
        );
        assert_eq!(pages, [0, 1, 3, 4].map(url), "{name}");
    }
}

#[test]
fn records_are_chosen_by_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(5);
    for (name, parts) in
        [("a.warc", records.clone()), ("b.warc.gz", records.iter().map(|part| gzip(part)).collect())]
    {
        let places: Vec<(usize, usize)> = parts
            .iter()
            .scan(0, |at, part| {
                *at += part.len();
                Some((*at - part.len(), part.len()))
            })
            .collect();
        std::fs::write(folder.path().join(name), parts.concat()).unwrap();
        // The fourth page, the second, and one whose place is wrong.
        let line = |number: usize, offset: usize, length: usize| {
            format!(
                "com,example)/ 20260131120000 {} text/html 200 X - - {length} {offset} {name}\n",
                url(number)
            )
        };
        let (second, fourth) = (places[2], places[4]);
        let index = folder.path().join("index.cdx");
        let lines = [line(3, fourth.0, fourth.1), line(1, second.0, second.1), line(9, second.0 + 1, 9)];
        std::fs::write(&index, lines.concat()).unwrap();
        let chosen = cdx::choose(&[index], &[folder.path().join(name)], &[]).unwrap();
        for threads in [1, 3] {
            let mut lines = Vec::new();
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let summary = read_chosen(
                &chosen,
                &options,
                || page_line,
                |event| {
                    lines.push(event_line(event));
                    ControlFlow::Continue(())
                },
            );
            let start = |number: usize, offset: usize| format!("page {} {offset} ", url(number));
            assert!(lines[0].starts_with(&start(1, second.0)), "{lines:?}");
            assert!(
                lines[1].starts_with('!') && lines[1].ends_with(&format!(" {}", second.0 + 1)),
                "{lines:?}"
            );
            assert!(lines[2].starts_with(&start(3, fourth.0)), "{lines:?}");
            assert_eq!((lines.len(), summary.pages), (3, 2));
        }
    }
}

#[test]
fn files_without_pages_are_no_problem() {
    let cdx = " CDX N b a m s k r M S V g\ncom,example)/ 20260131120000 http://example.com/ text/html 200 X - - 1 2 a.warc.gz\n";
    assert_eq!(read_bytes(cdx).skipped("index"), 1);
    let cdxj = "com,example)/ 20260131120000 {\"url\": \"http://example.com/\"}\n";
    assert_eq!(read_bytes(gzip(cdxj.as_bytes())).skipped("index"), 1);
}

#[test]
fn the_lines_of_texts_are_paragraphs_of_pages() {
    let mut wet = WarcWriter::gzip(Vec::new());
    wet.wet("http://tea.example/", DATE.parse().unwrap(), "Tea & Milk\n\nWarm <tea>, schön", None).unwrap();
    let outcome = read_bytes(wet.into_inner());
    assert_eq!((outcome.urls(), outcome.problems()), (vec!["http://tea.example/"], vec![]));
    let page = "<p>Tea &amp; Milk</p>\n<p>Warm &lt;tea&gt;, schön</p>\n";
    assert_eq!(outcome.summary.payload_bytes, page.len() as u64);
}

#[test]
fn pages_that_browsers_saved() {
    let mhtml = "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://tea.example/a\r\n\
                 Date: Sat, 31 Jan 2026 12:00:00 -0000\r\nMIME-Version: 1.0\r\n\
                 Content-Type: multipart/related;\r\n\tboundary=\"cut\"\r\n\r\n--cut\r\nContent-Type: text/html\r\n\
                 Content-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D\"tea\">Hot=20tea\r\n--cut--\r\n";
    for bytes in [mhtml.as_bytes().to_vec(), gzip(mhtml.as_bytes())] {
        let outcome = read_bytes(bytes);
        assert_eq!((outcome.urls(), outcome.problems()), (vec!["https://tea.example/a"], vec![]));
        assert_eq!(outcome.summary.payload_bytes, b"<p class=\"tea\">Hot tea".len() as u64);
    }
    let without_page = mhtml.replace("text/html", "text/css");
    assert_eq!(read_bytes(without_page).problems(), ["bad-mhtml"]);
    // A file that ends early is read as far as it goes.
    let cut = &mhtml[..mhtml.find("=20").unwrap()];
    assert_eq!(read_bytes(cut).urls(), ["https://tea.example/a"]);
    let single_file = "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://tea.example/b \n saved date: \
                       Sat Jan 31 2026 12:00:00 GMT+0000 \n--><p>Tea";
    assert_eq!(read_bytes(single_file).urls(), ["https://tea.example/b"]);
}
