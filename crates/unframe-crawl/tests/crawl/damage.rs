//! Tests files that are cut off, or broken in the middle: what is good is read, and what is bad is reported.

use std::io::{self, Cursor, Read};

use crate::harness::{Outcome, gzip, gzip_each, html, read_bytes, read_from, record, records, url};

/// Checks which pages survive and which problems are reported, on one thread and on several.
fn check(bytes: Vec<u8>, pages: &[usize], problems: &[&str]) -> Outcome {
    let outcome = read_bytes(bytes.clone());
    assert_eq!(outcome.urls(), pages.iter().map(|n| url(*n)).collect::<Vec<_>>(), "{:?}", outcome.lines);
    assert_eq!(outcome.problems(), problems, "{:?}", outcome.lines);
    assert_eq!(outcome.summary.problems, problems.len() as u64);
    assert_eq!(read_from(Cursor::new(bytes), 4), outcome, "threads change the result");
    outcome
}

/// Replaces the declared length of a record by another.
fn with_length(record: &[u8], change: i64) -> Vec<u8> {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let start = text[..text.find("HTTP/1.1").unwrap()].rfind("\r\nContent-Length: ").unwrap();
    let end = start + 2 + text[start + 2..].find("\r\n").unwrap();
    let length: i64 = text[start + 18..end].parse().unwrap();
    format!("{}\r\nContent-Length: {}{}", &text[..start], length + change, &text[end..]).into_bytes()
}

#[test]
fn gzip_that_is_cut_off() {
    let mut bytes = gzip_each(&records(4));
    bytes.truncate(bytes.len() - 40);
    check(bytes, &[0, 1, 2, 3], &["truncated-body", "truncated-record", "truncated-gzip"]);
    // The whole file in one member.
    let mut whole = gzip(&records(4).concat());
    whole.truncate(whole.len() - 4);
    let outcome = read_bytes(whole);
    assert_eq!(outcome.urls().len(), 4);
    assert_eq!(outcome.problems(), ["truncated-gzip"]);
}

#[test]
fn a_broken_member_between_good_ones() {
    let records = records(4);
    let mut members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let offset: usize = members[..2].iter().map(Vec::len).sum();
    // Bytes 18 to 60 are in the middle of the compressed data of page 1.
    for byte in &mut members[2][30..60] {
        *byte = !*byte;
    }
    let outcome = read_bytes(members.concat());
    let urls = outcome.urls();
    assert!(urls.contains(&url(0).as_str()) && urls.ends_with(&[&url(2), &url(3)]), "{:?}", outcome.lines);
    assert!(outcome.lines.contains(&format!("!bad-gzip {offset}")), "{:?}", outcome.lines);
    assert_eq!(read_from(Cursor::new(members.concat()), 4), outcome);
}

#[test]
fn a_wrong_checksum_is_reported_and_the_page_kept() {
    let mut members: Vec<Vec<u8>> = records(3).iter().map(|record| gzip(record)).collect();
    let length = members[2].len();
    members[2][length - 8] ^= 1;
    check(members.concat(), &[0, 1, 2], &["bad-gzip"]);
}

#[test]
fn garbage_between_members() {
    let records = records(2);
    let garbage = b"\x1f\x8b\x08\x00 this is no member \x1f\x8b\x08".to_vec();
    let bytes = [gzip(&records[0]), gzip(&records[1]), garbage, gzip(&records[2])].concat();
    let outcome = read_bytes(bytes.clone());
    assert_eq!(outcome.urls(), [url(0), url(1)]);
    assert_eq!(outcome.problems().len(), 1, "{:?}", outcome.lines);
    assert_eq!(read_from(Cursor::new(bytes), 4), outcome);
}

#[test]
fn garbage_between_records() {
    let records = records(3);
    let bytes =
        [&records[0][..], &records[1], b"what is this?\r\nWARC is not it\r\n", &records[2], &records[3]]
            .concat();
    let outcome = check(bytes, &[0, 1, 2], &["garbage"]);
    let offset = records[0].len() + records[1].len();
    assert_eq!(outcome.lines[1], format!("!garbage {offset}"));
}

#[test]
fn garbage_before_the_first_record() {
    check([b"nothing to see\n".to_vec(), records(2).concat()].concat(), &[0, 1], &["garbage"]);
}

#[test]
fn lengths_that_are_too_long() {
    let records = records(3);
    let bytes = |change| [with_length(&records[1], change), records[2].clone(), records[3].clone()].concat();
    // Into the next record, over several records, over the end of the file, and over any limit.
    check(bytes(20), &[0, 1, 2], &["wrong-length"]);
    check(bytes(records[2].len() as i64 + 50), &[0, 1, 2], &["wrong-length"]);
    check(bytes(1_000_000), &[0, 1, 2], &["wrong-length"]);
    check(bytes(1 << 40), &[1, 2], &["too-large"]);
    // The last record of a file.
    check([records[1].clone(), with_length(&records[2], 1000)].concat(), &[0, 1], &["truncated-record"]);
    // If each record is a gzip member of its own, the start of the next member shows the end.
    let gzipped =
        |change| [gzip(&with_length(&records[1], change)), gzip(&records[2]), gzip(&records[3])].concat();
    check(gzipped(20), &[0, 1, 2], &["wrong-length"]);
    check(gzipped(1_000_000), &[0, 1, 2], &["wrong-length"]);
    check(gzipped(1 << 40), &[1, 2], &["too-large"]);
}

#[test]
fn lengths_that_are_too_short() {
    let records = records(3);
    let short = with_length(&records[2], -20);
    check(
        [records[1].clone(), short.clone(), records[3].clone()].concat(),
        &[0, 1, 2],
        &["truncated-body", "wrong-length"],
    );
    check(
        [gzip(&records[1]), gzip(&short), gzip(&records[3])].concat(),
        &[0, 1, 2],
        &["truncated-body", "wrong-length"],
    );
}

#[test]
fn blank_lines_that_are_missing_or_too_many() {
    let records: Vec<Vec<u8>> = (0..3).map(|number| record(number).trim_ascii_end().to_vec()).collect();
    check(records.concat(), &[0, 1, 2], &[]);
    check(records.join(&b"\n"[..]), &[0, 1, 2], &[]);
    check(records.join(&b"\r\n\r\n\r\n\r\n\r\n"[..]), &[0, 1, 2], &[]);
}

#[test]
fn headers_that_make_no_sense() {
    let records = records(3);
    let text = String::from_utf8(records[2].clone()).unwrap();
    let no_length = text.replacen("Content-Length", "Content-Size", 1);
    check([&records[1][..], no_length.as_bytes(), &records[3]].concat(), &[0, 2], &["bad-header"]);
    let bad_length = text.replacen("\r\nContent-Length: ", "\r\nContent-Length: minus ", 1);
    check([&records[1][..], bad_length.as_bytes(), &records[3]].concat(), &[0, 2], &["bad-header"]);
    let endless = [b"WARC/1.0\r\n".to_vec(), b"X: y\r\n".repeat(100_000)].concat();
    check([&records[1][..], &endless, b"\r\n", &records[3]].concat(), &[0, 2], &["bad-header"]);
    check([&records[1][..], b"WARC/1.0\r\nWARC-Type: resp"].concat(), &[0], &["truncated-header"]);
}

#[test]
fn a_header_without_an_empty_line_after_it() {
    let text = String::from_utf8(record(1)).unwrap().replacen("\r\n\r\nHTTP/1.1", "\r\nHTTP/1.1", 1);
    check([text.into_bytes(), record(2)].concat(), &[1, 2], &[]);
}

/// A reader that makes up its bytes, for files that are too large to be there.
struct MadeUp {
    parts: Vec<Box<dyn Read + Send>>,
}

impl Read for MadeUp {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = self.parts.first_mut() {
            match part.read(into)? {
                0 => drop(self.parts.remove(0)),
                length => return Ok(length),
            }
        }
        Ok(0)
    }
}

#[test]
fn a_record_of_two_gigabytes_is_skipped() {
    let length = 2_u64 << 30;
    let header = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n");
    let parts: Vec<Box<dyn Read + Send>> = vec![
        Box::new(Cursor::new(record(0))),
        Box::new(Cursor::new(header)),
        Box::new(io::repeat(b'x').take(length)),
        Box::new(Cursor::new(b"\r\n\r\n".to_vec())),
        Box::new(Cursor::new(record(1))),
    ];
    let outcome = read_from(MadeUp { parts }, 1);
    assert_eq!(outcome.lines.len(), 3);
    assert_eq!(outcome.lines[1], format!("!too-large {}", record(0).len()));
    assert_eq!(outcome.urls(), [url(0), url(1)]);
}

#[test]
fn bombs_are_given_up() {
    use std::io::Write;
    let zeros = vec![0_u8; 1 << 20];
    let mut gzip_bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut zstd_bomb = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    let header = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", 600 << 20);
    for writer in [&mut gzip_bomb as &mut dyn Write, &mut zstd_bomb] {
        writer.write_all(header.as_bytes()).unwrap();
        for _ in 0..600 {
            writer.write_all(&zeros).unwrap();
        }
    }
    check(
        [gzip(&record(0)), gzip_bomb.finish().unwrap(), gzip(&record(1))].concat(),
        &[0, 1],
        &["too-large", "bomb"],
    );
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let bytes = [frame(&record(0)), zstd_bomb.finish().unwrap(), frame(&record(1))].concat();
    check(bytes, &[0, 1], &["too-large", "bomb"]);
}

#[test]
fn broken_frames() {
    let frames: Vec<Vec<u8>> =
        records(4).iter().map(|record| zstd::encode_all(&record[..], 3).unwrap()).collect();
    let mut bytes = frames.concat();
    // The header of the only block of page 1 stands behind the header of its frame.
    let header = frames[0].len() + frames[1].len() + 6;
    bytes[header..header + 4].fill(0xff);
    let outcome = read_bytes(bytes.clone());
    assert!(outcome.urls().ends_with(&[&url(2), &url(3)]), "{:?}", outcome.lines);
    assert!(outcome.problems().contains(&"bad-zstd"), "{:?}", outcome.lines);
    bytes.truncate(bytes.len() - 5);
    assert!(read_bytes(bytes).problems().contains(&"truncated-zstd"));
}

#[test]
fn files_of_no_use() {
    check(Vec::new(), &[], &["empty-file"]);
    check(b"hello".to_vec(), &[], &["unknown-format"]);
    check(gzip(b""), &[], &["unknown-format"]);
    check(vec![0x1f, 0x8b], &[], &["unknown-format", "garbage"]);
    check(b"PK\x03\x04 no archive".to_vec(), &[], &["bad-zip"]);
    let outcome = read_bytes(*b"PAR1 no table");
    assert_eq!(outcome.problems().len(), 1, "{:?}", outcome.lines);
}

#[test]
fn a_file_that_fails_in_the_middle() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    for bytes in [records(2).concat(), gzip_each(&records(2))] {
        let length = bytes.len();
        for threads in [1, 4] {
            let parts: Vec<Box<dyn Read + Send>> =
                vec![Box::new(Cursor::new(bytes.clone())), Box::new(Failing)];
            let outcome = read_from(MadeUp { parts }, threads);
            assert_eq!(outcome.urls(), [url(0), url(1)]);
            assert_eq!(outcome.lines[2], format!("!unreadable {length}"));
        }
    }
}

#[test]
fn chunks_that_lie_do_not_reach_the_next_record() {
    let body = html(7);
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n{body}\r\n0\r\n\r\n"
    );
    let length = block.len();
    let record_7 = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nContent-Type: application/http\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n",
        url(7)
    );
    let outcome = read_bytes([record_7.into_bytes(), record(8)].concat());
    assert_eq!(outcome.urls(), [url(7), url(8)]);
    assert_eq!(outcome.problems().len(), 1, "{:?}", outcome.lines);
}

/// Files that went through a program which turns CRLF into LF have lengths that are a few bytes too long, so that the
/// declared end lies inside the next record's first line.
#[test]
fn a_length_that_ends_inside_the_next_header() {
    let records = records(3);
    for too_long in 1..12 {
        let mut bytes = with_length(&records[1], too_long);
        bytes.extend_from_slice(&records[2]);
        let outcome = read_bytes(bytes);
        assert_eq!(outcome.urls(), [url(0), url(1)], "{too_long} bytes too long: {:?}", outcome.lines);
    }
}

/// A header that declares a large block, then a million members that are empty or tiny: each was once compared with all
/// before it.
#[test]
fn very_many_tiny_members() {
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 100000000\r\n\r\n";
    let mut bytes = gzip(head.as_bytes());
    bytes.extend(gzip(b"x").repeat(200_000));
    let outcome = read_bytes(bytes);
    assert_eq!(outcome.problems(), ["truncated-record"]);
}

/// Members and frames without contents are skipped, and the offsets of the records after them stay right.
#[test]
fn very_many_empty_members() {
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let skippable = vec![0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
    let in_gzip = (gzip(b""), gzip(&record(0)), gzip(&record(1)));
    let in_zstd = (frame(b""), frame(&record(0)), frame(&record(1)));
    let with_skippable = (skippable, in_zstd.1.clone(), in_zstd.2.clone());
    for (empty, first, second) in [in_gzip, in_zstd, with_skippable] {
        let many = empty.repeat(200_000);
        let outcome = check([&many[..], &first, &many, &second, &many].concat(), &[0, 1], &[]);
        let offsets = [many.len(), 2 * many.len() + first.len()];
        for (number, offset) in offsets.into_iter().enumerate() {
            let start = format!("page {} {offset} ", url(number));
            assert!(outcome.lines[number].starts_with(&start), "{:?}", outcome.lines);
        }
    }
}

/// From every one of half a million places, a decoder gets to the end of the damage.
#[test]
fn damage_that_was_made_to_take_long() {
    let unit = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0, 10, 0, 0xf5, 0xff];
    let bytes = [gzip(&record(0)), unit.repeat(550_000), vec![0xff; 30], gzip(&record(1))].concat();
    let outcome = read_bytes(bytes.clone());
    assert_eq!(outcome.urls(), [url(0), url(1)], "{:?}", outcome.lines);
    assert!(outcome.problems().contains(&"much-damage"), "{:?}", outcome.lines);
    assert_eq!(read_from(Cursor::new(bytes), 4), outcome, "threads change the result");
}

/// All damage is reported, also where there is no content before or after it.
#[test]
fn very_many_broken_dictionaries() {
    let broken = [&[0x5d, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 0x28, 0xb5, 0x2f, 0xfd][..], b"x"].concat();
    let frames: Vec<Vec<u8>> = (0..2).map(|n| zstd::encode_all(&record(n)[..], 3).unwrap()).collect();
    let many = broken.repeat(10_000);
    // Inside the file, each is reported; before its format is known, the later ones are counted.
    let outcome = read_bytes([&frames[0][..], &many, &frames[1]].concat());
    assert_eq!((outcome.urls(), outcome.problems().len()), (vec![&*url(0), &*url(1)], 10_000));
    let outcome = read_bytes([&many[..], &frames[0], &many, &frames[1]].concat());
    assert_eq!(outcome.urls(), [url(0), url(1)]);
    assert!(outcome.problems().contains(&"more-damage"), "{} problems", outcome.problems().len());
}

#[test]
fn what_is_wrong_with_a_record_is_reported_even_if_it_has_no_page() {
    let records = records(2);
    // The shortest ones cut off the HTTP header: there is no content type, and no page.
    for too_short in (10..records[1].len() as i64 - 250).step_by(7) {
        let mut bytes = with_length(&records[1], -too_short);
        bytes.extend_from_slice(&records[0]);
        let outcome = read_bytes(bytes);
        assert!(!outcome.problems().is_empty(), "{too_short}: {:?}", outcome.lines);
    }
}

#[test]
fn a_byte_order_mark_before_the_first_record() {
    let bytes = [b"\xef\xbb\xbf".as_slice(), &records(2).concat()].concat();
    check(bytes, &[0, 1], &[]);
}

/// Reads a file and changes it when the first page arrives. Returns the number of pages.
fn read_while_changing(threads: usize, change: impl Fn(&std::fs::File, u64)) -> u64 {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), records(20_000).concat()).unwrap();
    let length = file.as_file().metadata().unwrap().len();
    let options = unframe_crawl::ReadOptions { threads, ..Default::default() };
    let mut is_changed = false;
    let sink = |_| {
        if !std::mem::replace(&mut is_changed, true) {
            change(file.as_file(), length);
        }
        std::ops::ControlFlow::Continue(())
    };
    unframe_crawl::read(&[file.path().to_owned()], &options, || |page: unframe::Page| page.url, sink)
        .unwrap()
        .pages
}

/// A crawler goes on writing, a disk is cleaned up: no crash, and what was there is read.
#[test]
fn a_file_that_changes_while_it_is_read() {
    for threads in [1, 4] {
        let shrunk = read_while_changing(threads, |file, length| file.set_len(length / 2).unwrap());
        assert!((1..20_000).contains(&shrunk), "{shrunk} pages with {threads} threads");
        let emptied = read_while_changing(threads, |file, _| file.set_len(0).unwrap());
        assert!((1..20_000).contains(&emptied), "{emptied} pages with {threads} threads");
        // Zeros at the end are garbage, and cost no page.
        let grown = read_while_changing(threads, |file, length| file.set_len(length + 5_000_000).unwrap());
        assert!(grown >= 19_999, "{grown} pages with {threads} threads");
    }
}

#[test]
fn a_damaged_first_byte_costs_one_member() {
    for damaged in [0, 1] {
        let mut bytes = gzip_each(&records(4));
        bytes[damaged] ^= 0x40;
        let outcome = read_bytes(bytes);
        // The first record is the one that describes the file.
        assert_eq!(outcome.urls(), [url(0), url(1), url(2), url(3)], "{:?}", outcome.lines);
        assert_eq!(outcome.problems().len(), 1, "{:?}", outcome.lines);
    }
}

#[test]
fn damaged_first_lines_do_not_hide_the_pages_after_them() {
    let lines = "half of a line\", \"html\": \"\"}\n{\"url\": \"http://a.example/\", \"html\": \"<p>A\"}\n";
    let outcome = read_bytes(lines);
    assert_eq!((outcome.urls(), outcome.problems().len()), (vec!["http://a.example/"], 1));
    // A text that shows such a line is read so, too; one without a page is no crawl.
    assert_eq!(read_bytes("a text\n{\"url\": 1}\n").problems(), ["unknown-format"]);
}
