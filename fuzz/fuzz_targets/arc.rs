//! Any bytes can follow the first record of an ARC file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unframe_fuzz::read_both_ways([b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 75\n1 0 a\nURL IP-address Archive-date Content-type Archive-length\n\n\n".as_slice(), input].concat()));
