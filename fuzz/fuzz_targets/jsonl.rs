//! Any bytes can follow the first line of a JSONL file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways([b"{\"url\":\"http://a.example/\",\"html\":\"<p>a\"}\n".as_slice(), input].concat()));
