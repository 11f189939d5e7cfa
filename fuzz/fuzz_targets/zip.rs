//! Any bytes can be a zip archive with files of a crawl in it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways([b"PK\x03\x04".as_slice(), input].concat()));
