//! Any bytes can be read as a crawl, on one thread and on several with the same result.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use unframe_crawl::{Event, ReadOptions, read_stream};

fn read(input: &[u8], threads: usize) -> Vec<String> {
    let options = ReadOptions { threads, ..ReadOptions::default() };
    let mut events = Vec::new();
    let work = || |page: unframe::Page| format!("{} {} {:?}", page.url, page.payload.len(), page.origin);
    read_stream("fuzz", Cursor::new(input.to_vec()), &options, work, |event| {
        events.push(match event {
            Event::Page(page) => page,
            Event::Problem { origin, problem } => format!("{origin:?} {problem}"),
        });
        ControlFlow::Continue(())
    });
    events
}

fuzz_target!(|input: &[u8]| {
    let one = read(input, 1);
    // Threads are slow to start, so only now and then.
    if input.len() % 16 == 0 {
        assert_eq!(one, read(input, 3));
    }
});
