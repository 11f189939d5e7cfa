//! Any bytes can be read as a crawl, on one thread and on several with the same result.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways(input.to_vec()));
