//! Any bytes can be an index: lines of CDX and CDXJ, or the two files of an index in parts, the second after the first 0xff.
#![no_main]

use std::fs;
use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use unframe_crawl::cdx::{Filter, choose};

fuzz_target!(|input: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let (index, part) = match input.iter().position(|byte| *byte == 0xff) {
        Some(at) => (&input[..at], &input[at + 1..]),
        None => (input, &[][..]),
    };
    for (name, contents) in [("cluster.idx", index), ("cdx-00000.gz", part), ("a.warc.gz", &[])] {
        fs::write(folder.path().join(name), contents).expect("a file");
    }
    let (index, inputs): ([PathBuf; 1], [PathBuf; 1]) = ([folder.path().join("cluster.idx")], [folder.path().into()]);
    let all = choose(&index, &inputs, &[]);
    let filter: Filter = "host=example.com".parse().expect("a filter");
    // With a filter, fewer records are chosen, or other blocks are broken.
    if let (Ok(all), Ok(some)) = (all, choose(&index, &inputs, &[filter])) {
        assert!(some.records() <= all.records());
    }
});
