//! Tests on real files, which are not part of the project. They run when asked for (`cargo test -- --ignored real_data`), and fail
//! when the data are missing.

use std::path::{Path, PathBuf};

use crate::counts::pages;

/// A folder of the real data: in `$UNFRAME_DATA`, or beside the checkout.
fn data(folder: &str) -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = std::env::var_os("UNFRAME_DATA").map_or(beside, PathBuf::from).join(folder);
    assert!(
        found.is_dir(),
        "there is no {}: set UNFRAME_DATA to the folder of the real data",
        found.display()
    );
    found
}

/// The table has the counts of warcio and FastWARC too, written by `tests/peers.py`. A page that one of them reads and we do
/// not needs a reason.
#[test]
#[ignore = "needs real data: set UNFRAME_DATA"]
fn files_of_other_projects_have_the_pages_that_others_find_in_them() {
    let folder = data("warc");
    let table = include_str!("../data/warc-counts.tsv");
    let mut files = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, ours, warcio, fastwarc, reason] = fields[..] else { panic!("bad line: {line}") };
        let number = |field: &str| field.parse::<u64>().unwrap_or_else(|_| panic!("bad number: {line}"));
        let found = pages(&folder.join(file), 1);
        assert_eq!(found, number(ours), "{file}");
        assert_eq!(found, pages(&folder.join(file), 4), "{file} on four threads");
        let differs = number(warcio) != found || number(fastwarc) != found;
        assert!(!differs || !reason.is_empty(), "{file}: a difference without a reason");
        files += 1;
    }
    assert_eq!(files, 194);
}
