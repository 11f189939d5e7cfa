//! Any bytes can be a file of gzip members.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways([b"\x1f\x8b\x08".as_slice(), input].concat()));
