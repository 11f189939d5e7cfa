//! Tests that any crawl comes back as it was written, however it is cut or damaged.

use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use unframe_crawl::{ReadOptions, WarcWriter};

use crate::harness::{DATE, Uneven, gzip, read_from, read_with, record};

/// A crawl in some compression, with some damage.
fn crawl() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        6 => (0..40_usize).prop_map(record),
        1 => Just(b"\r\n".to_vec()),
        1 => Just(b"garbage\nWARC/ no\n".to_vec()),
        1 => Just(b"WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n".to_vec()),
        1 => Just(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999999999\r\n\r\n<html>".to_vec()),
        1 => Just(b"http://example.com/ 1.2.3.4 20260131120000 text/html 6\n<html>\n".to_vec()),
        1 => vec(any::<u8>(), 0..30),
    ];
    let pack = 0..6_usize;
    let damage = vec((any::<prop::sample::Index>(), any::<u8>()), 0..3);
    let cut = proptest::option::weighted(0.3, any::<prop::sample::Index>());
    (vec(part, 0..12), pack, damage, cut).prop_map(|(parts, pack, damage, cut)| {
        let each = |pack: &dyn Fn(&[u8]) -> Vec<u8>| parts.iter().flat_map(|part| pack(part)).collect();
        let mut bytes: Vec<u8> = match pack {
            0 => parts.concat(),
            1 => each(&gzip),
            2 => gzip(&parts.concat()),
            3 => each(&|part| zstd::encode_all(part, 1).unwrap()),
            4 => each(&lz4),
            _ => parts.concat().chunks(150).flat_map(gzip).collect(),
        };
        for (at, byte) in damage {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        bytes
    })
}

fn lz4(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

proptest! {
    #[test]
    fn sizes_of_reads_change_nothing(bytes in crawl(), sizes in vec(1..300_usize, 1..8)) {
        let whole = read_from(Cursor::new(bytes.clone()), 1);
        let uneven = read_from(Uneven::new(bytes, sizes), 1);
        prop_assert_eq!(whole, uneven);
    }

    #[test]
    fn threads_change_nothing(bytes in crawl(), sizes in vec(1..100_000_usize, 1..4)) {
        let one = read_from(Cursor::new(bytes.clone()), 1);
        prop_assert_eq!(&one, &read_from(Cursor::new(bytes.clone()), 8));
        prop_assert_eq!(&one, &read_from(Uneven::new(bytes, sizes), 2));
    }

    #[test]
    fn any_bytes_are_read(magic in 0..9_usize, bytes in vec(any::<u8>(), 0..400)) {
        let magics: [&[u8]; 9] = [
            b"", b"WARC/1.0\r\n", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PK\x03\x04", b"PAR1",
            b"{\"", b"\x5d\x2a\x4d\x18",
        ];
        read_from(Cursor::new([magics[magic], &bytes].concat()), 1);
    }

    #[test]
    fn what_was_written_is_read_again(
        pages in vec(("[a-z]{1,8}", vec(any::<u8>(), 0..300)), 0..8),
        is_gzip: bool,
    ) {
        let mut writer = if is_gzip { WarcWriter::gzip(Vec::new()) } else { WarcWriter::plain(Vec::new()) };
        let date = DATE.parse().unwrap();
        let mut expected = Vec::new();
        for (path, tail) in &pages {
            let body = [b"<!doctype html>", &tail[..]].concat();
            let url = format!("http://example.com/{path}");
            writer.response(&url, date, 200, &[("Content-Type", "text/html")], &body).unwrap();
            expected.push((url, body.len()));
        }
        let options = ReadOptions { unique: false, threads: 1, ..ReadOptions::default() };
        let outcome = read_with(Cursor::new(writer.into_inner()), &options);
        if pages.is_empty() {
            prop_assert_eq!(outcome.problems(), ["empty-file"]);
            return Ok(());
        }
        prop_assert_eq!(outcome.problems(), Vec::<&str>::new());
        let found: Vec<(String, usize)> = outcome.lines.iter().map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[1].to_owned(), words[3].parse().unwrap())
        }).collect();
        prop_assert_eq!(found, expected);
    }
}
