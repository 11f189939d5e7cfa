//! Any bytes can stand between the marks of a Parquet file, and the length of its footer is right.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // The first byte says how long the footer is, in parts of the whole: a wrong length is refused at once.
    let Some((part, bytes)) = input.split_first() else { return };
    let footer = bytes.len() * usize::from(*part) / 255;
    let mut file = b"PAR1".to_vec();
    file.extend_from_slice(bytes);
    file.extend_from_slice(&(footer as u32).to_le_bytes());
    file.extend_from_slice(b"PAR1");
    unframe_fuzz::read(file, 1);
});
