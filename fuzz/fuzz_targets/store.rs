//! Any bytes can be the journal of a store, and any the table of a site: the store opens, or says what is damaged, and a
//! repair makes it open.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use unframe::detect::Segments;
use unframe::segments::Table;
use unframe_store::{Options, Store, StoreError, check, repair};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A store without pages, which each input gets a copy of.
static EMPTY: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = memory_folder();
    drop(Store::open(folder.path(), &Segments::default(), Options::default()).expect("a new store"));
    folder
});

fuzz_target!(|input: &[u8]| {
    let segments = Segments::default();
    if let Ok(table) = Table::decode(input, segments.ageing()) {
        let bytes = table.encode(segments.ageing());
        let again = Table::decode(&bytes, segments.ageing()).expect("what was encoded decodes");
        assert_eq!(again.encode(segments.ageing()), bytes);
    }
    let Some((choice, bytes)) = input.split_first() else { return };
    let folder = memory_folder();
    for entry in std::fs::read_dir(EMPTY.path()).expect("the folder is there").flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with("journal-") {
            std::fs::copy(entry.path(), folder.path().join(name)).expect("files can be copied");
        }
    }
    std::fs::write(folder.path().join("journal-00000009"), journal(*choice, bytes)).expect("files can be written");
    match open(folder.path()) {
        Ok(()) => assert_eq!(check(folder.path()).expect("it opens"), []),
        Err(StoreError::Damaged { .. }) => {
            assert_ne!(repair(folder.path()).expect("it can be repaired"), []);
            open(folder.path()).expect("a repaired store opens");
        }
        Err(error) => panic!("{error}"),
    }
});

fn open(folder: &Path) -> Result<(), StoreError> {
    Store::open(folder, &Segments::default(), Options::default()).map(drop)
}

/// The bytes as a journal: as they are, behind a sound header, or as two sound frames with any records.
fn journal(choice: u8, bytes: &[u8]) -> Vec<u8> {
    let mut file = b"unframeJ".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend(9u64.to_le_bytes());
    match choice % 3 {
        0 => file = bytes.to_vec(),
        1 => file.extend_from_slice(bytes),
        _ => {
            let (one, other) = bytes.split_at(bytes.len() * usize::from(choice >> 2) / 64);
            for (first, payload) in [(1u64, one), (u64::from(choice >> 4), other)] {
                file.extend_from_slice(b"page");
                file.extend((payload.len() as u32).to_le_bytes());
                file.extend(first.to_le_bytes());
                file.extend(xxh3_64_with_seed(payload, first).to_le_bytes());
                file.extend_from_slice(payload);
            }
        }
    }
    file
}

/// A folder in memory where there is such a thing: a disk would be most of the time.
fn memory_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder can be made")
}
