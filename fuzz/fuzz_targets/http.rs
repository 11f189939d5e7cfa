//! Any bytes can be the HTTP response inside a sound record.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use unframe_crawl::{Event, ReadOptions, read_stream};

fuzz_target!(|block: &[u8]| {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    let options = ReadOptions { threads: 1, any_status: true, ..ReadOptions::default() };
    let mut pages = 0;
    read_stream("fuzz", Cursor::new(record), &options, || |page: unframe::Page| page.payload.len(), |event| {
        pages += usize::from(matches!(event, Event::Page(_)));
        ControlFlow::Continue(())
    });
    // One record is one page at most, whatever stands in it.
    assert!(pages <= 1);
});
