//! What several fuzz targets share: reading bytes as a crawl, and sealing bytes so that a checksum does not stop them.

use std::io::Cursor;
use std::ops::ControlFlow;

use unframe::Page;
use unframe_crawl::{Event, ReadOptions, read_stream};

/// Reads bytes as a crawl and says what came of it, one line a page and a problem.
pub fn read(input: Vec<u8>, threads: usize) -> Vec<String> {
    let options = ReadOptions { threads, ..ReadOptions::default() };
    let mut events = Vec::new();
    let work = || |page: Page| format!("{} {} {:?}", page.url, page.payload.len(), page.origin);
    read_stream("fuzz", Cursor::new(input), &options, work, |event| {
        events.push(match event {
            Event::Page(page) => page,
            Event::Problem { origin, problem } => format!("{origin:?} {problem}"),
        });
        ControlFlow::Continue(())
    });
    events
}

/// Reads on one thread, and now and then on several as well, which must give the same.
pub fn read_both_ways(input: Vec<u8>) {
    let one = read(input.clone(), 1);
    // Threads are slow to start.
    if input.len() % 16 == 0 {
        assert_eq!(one, read(input, 3));
    }
}

/// The same bytes with the checksum behind them that model files and files of fingerprints end with.
pub fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = body.to_vec();
    bytes.extend(xxhash_rust::xxh3::xxh3_64(body).to_le_bytes());
    bytes
}
