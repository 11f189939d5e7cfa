//! Any bytes can follow the headers of an MHTML file.
#![no_main]

use libfuzzer_sys::fuzz_target;

const HEADERS: &[u8] = b"From: a\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n";

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways([HEADERS, input].concat()));
