use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use unframe_crawl::{ReadOptions, read};

/// The folder with the real files, if it is there.
fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places =
        std::env::var_os("UNFRAME_DATA").map(PathBuf::from).into_iter().chain([root.join("../shared/data")]);
    let found = places.map(|place| place.join("warc")).find(|place| place.is_dir());
    if found.is_none() {
        println!("skipped: neither $UNFRAME_DATA nor ../shared/data has the folder warc");
    }
    found
}

fn count(path: &Path, threads: usize) -> u64 {
    let options = ReadOptions { unique: false, threads, ..ReadOptions::default() };
    let summary = read(&[path.to_owned()], &options, || drop, |_| ControlFlow::Continue(()));
    summary.unwrap().pages
}

/// The table has the counts of warcio and FastWARC too, written by `tests/peers.py`. A page that one of them reads and we do
/// not needs a reason.
#[test]
fn real_files_have_the_pages_that_others_find_in_them() {
    let Some(folder) = data() else { return };
    let table = include_str!("../data/warc-counts.tsv");
    let mut files = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, ours, warcio, fastwarc, reason] = fields[..] else { panic!("bad line: {line}") };
        let number = |field: &str| field.parse::<u64>().unwrap_or_else(|_| panic!("bad number: {line}"));
        let found = count(&folder.join(file), 1);
        assert_eq!(found, number(ours), "{file}");
        assert_eq!(found, count(&folder.join(file), 4), "{file} on four threads");
        let differs = number(warcio) != found || number(fastwarc) != found;
        assert!(!differs || !reason.is_empty(), "{file}: a difference without a reason");
        files += 1;
    }
    assert_eq!(files, 194);
}
