//! Any bytes can be a file of zstd frames. The first byte tells whether they are frames already or are put into one.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((choice, bytes)) = input.split_first() else { return };
    unframe_fuzz::read_both_ways(match choice % 2 {
        0 => [b"\x28\xb5\x2f\xfd".as_slice(), bytes].concat(),
        _ => zstd::encode_all(bytes, 1).unwrap_or_default(),
    });
});
