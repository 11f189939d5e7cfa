//! Stores on disk: what they keep, through crashes and damage.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use unframe::detect::{Detector, FollowMethod, Own, Segments};
use unframe::segments::{Change, PageId, Table};
use unframe_store::{Options, PageRecord, Status, Store, StoreError, check, repair, status_of_running};

const SITES: u64 = 3;

fn segments() -> Segments {
    let mut segments = Segments::default();
    segments.set("base", "100000").unwrap();
    segments
}

/// Options with which a few hundred pages go through journals, database and back.
fn small() -> Options {
    Options { memory: 20_000, journal_bytes: 4_000 }
}

fn method() -> FollowMethod {
    FollowMethod::new(Box::new(segments())).unwrap()
}

fn open(folder: &Path) -> Store {
    Store::open(folder, &method(), small()).unwrap()
}

/// The segments of a page: two of its own, one that many have.
fn keys(page: u64) -> [u64; 3] {
    [page * 2 + 1000, page * 2 + 1001, page % 7]
}

fn visit(store: &mut Store, page: u64) -> Change {
    let site = format!("site{}.example", page % SITES);
    let (id, keys) = (PageId { url: page, content: 1 }, keys(page));
    let record = PageRecord { site: &site, id, date: Some(page as i64), pieces: &keys };
    store.visit(&record).unwrap().change
}

fn visit_all(store: &mut Store, pages: std::ops::Range<u64>) {
    for page in pages {
        visit(store, page);
    }
}

/// All segments of all sites, and the number of pages, as the store has them.
fn contents(store: &mut Store) -> (u64, Vec<Vec<(u64, u32)>>) {
    let mut pages = 0;
    let tables = (0..SITES).map(|site| {
        let state = store.state(&format!("site{site}.example")).unwrap();
        let table = state.and_then(Own::get::<Table>).cloned().unwrap_or_default();
        pages += u64::from(table.pages());
        sorted(&table)
    });
    let tables = tables.collect();
    (pages, tables)
}

fn sorted(table: &Table) -> Vec<(u64, u32)> {
    let mut all: Vec<_> = table.segments(segments().ageing()).collect();
    all.sort_unstable();
    all
}

/// The same as it should be after so many pages.
fn expected(pages: u64) -> Vec<Vec<(u64, u32)>> {
    let mut tables = vec![Table::default(); SITES as usize];
    for page in 0..pages {
        let table = &mut tables[(page % SITES) as usize];
        segments().visit(table, PageId { url: page, content: 1 }, &keys(page));
    }
    tables.iter().map(sorted).collect()
}

#[test]
fn what_was_committed_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..8 {
        let mut store = open(folder.path());
        for page in round * 50..(round + 1) * 50 {
            assert_eq!(visit(&mut store, page), Change::New);
            if page % 5 == 4 {
                store.commit().unwrap();
            }
        }
        // Closed properly or not, it is all there.
        if round % 2 == 0 {
            store.close().unwrap();
        }
    }
    let mut store = open(folder.path());
    assert_eq!(contents(&mut store), (400, expected(400)));
    assert_eq!(visit(&mut store, 399), Change::Unchanged);
    let Status { sites, pages, oldest, newest, bytes, .. } = store.status().unwrap();
    assert_eq!((sites, pages, oldest, newest), (3, 401, Some(0), Some(399)));
    assert!(bytes > 0);
    store.commit().unwrap();
    assert!(store.memory() < 40_000, "{}", store.memory());
    store.close().unwrap();
    let journals = fs::read_dir(folder.path()).unwrap().flatten();
    let journals = journals.filter(|entry| entry.file_name().to_string_lossy().starts_with("journal-"));
    assert_eq!(journals.count(), 1, "what the database has, no journal keeps");
    assert_eq!(check(folder.path()).unwrap(), []);
}

#[test]
fn what_was_not_committed_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    visit_all(&mut store, 0..6);
    store.commit().unwrap();
    visit_all(&mut store, 6..9);
    drop(store);
    assert_eq!(contents(&mut open(folder.path())), (6, expected(6)));
}

/// Not a test: the process that is killed, when the variable says so. It goes on three pages before the last one known.
#[test]
fn child() {
    let Some(folder) = std::env::var_os("UNFRAME_STORE_CHILD") else { return };
    let mut store = open(Path::new(&folder));
    let mut page = contents(&mut store).0.saturating_sub(3);
    println!();
    loop {
        for _ in 0..page % 4 + 1 {
            visit(&mut store, page);
            page += 1;
        }
        store.commit().unwrap();
        println!("ack {page}");
    }
}

#[test]
fn a_process_that_is_killed_loses_no_page_and_counts_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..15 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child", "--exact", "--nocapture", "--test-threads=1"])
            .env("UNFRAME_STORE_CHILD", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = 0;
        let acks = lines
            .by_ref()
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("ack ")?.parse::<u64>().ok());
        for ack in acks.take(1 + (random % 60) as usize) {
            acknowledged = ack;
        }
        std::thread::sleep(std::time::Duration::from_micros(random >> 32 & 0xFFF));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it still said before the end counts too.
        let late =
            lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("ack ")?.parse::<u64>().ok());
        let acknowledged = late.max().unwrap_or(0).max(acknowledged);
        assert!(acknowledged > 0, "the process did nothing");
        assert_eq!(check(folder.path()).unwrap(), []);
        let mut store = open(folder.path());
        let (pages, tables) = contents(&mut store);
        assert!(pages >= acknowledged, "{pages} pages are there, {acknowledged} were acknowledged");
        assert_eq!(tables, expected(pages));
    }
}

#[test]
fn a_second_writer_learns_who_was_first() {
    let folder = tempfile::tempdir().unwrap();
    let _store = open(folder.path());
    let error = Store::open(folder.path(), &method(), small()).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert!(error.to_string().contains(&format!("in use by process {}", std::process::id())), "{error}");
    assert!(matches!(check(folder.path()), Err(StoreError::InUse { .. })));
}

#[test]
fn the_status_of_a_running_store_is_that_of_its_last_commit() {
    let folder = tempfile::tempdir().unwrap();
    let running = || {
        let status = status_of_running(folder.path()).unwrap().unwrap();
        Status { bytes: 0, ..status }
    };
    let of = |store: &Store| Status { bytes: 0, ..store.status().unwrap() };
    let mut store = open(folder.path());
    assert_eq!(running(), Status::default());
    let mut committed = of(&store);
    // Enough for several journals, the background, and sites that leave memory and come back.
    for page in 0..400 {
        visit(&mut store, page);
        if page % 7 == 0 {
            store.commit().unwrap();
            committed = of(&store);
        }
        assert_eq!(running(), committed, "page {page}");
    }
    store.commit().unwrap();
    let (_, tables) = contents(&mut store);
    let entries = tables.iter().map(|table| table.len() as u64).sum();
    let expected = Status { sites: SITES, entries, pages: 400, oldest: Some(0), newest: Some(399), bytes: 0 };
    assert_eq!((of(&store), running()), (expected.clone(), expected.clone()));
    drop(store);
    let store = open(folder.path());
    assert_eq!((of(&store), running()), (expected.clone(), expected.clone()));
    store.close().unwrap();
    assert_eq!((running(), of(&open(folder.path()))), (expected.clone(), expected));
    assert!(status_of_running(tempfile::tempdir().unwrap().path()).is_err());
}

#[test]
fn folders_of_other_things_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "Dear …").unwrap();
    let error = |folder: &Path| Store::open(folder, &method(), small()).unwrap_err().to_string();
    assert!(error(folder.path()).contains("is not a state of unframe"));
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).close().unwrap();
    let other = Store::open(folder.path(), &FollowMethod::default(), small()).unwrap_err();
    assert!(matches!(other, StoreError::Settings { .. }), "{other}");
    fs::write(folder.path().join("state"), "unframe state 99\nsegments:df=5\n").unwrap();
    assert!(error(folder.path()).contains("has format 99"));
    fs::write(folder.path().join("state"), "unframe state 1\nsegments:df=5\n").unwrap();
    assert!(error(folder.path()).contains("has format 1, and this program reads 3 only"));
    assert!(matches!(check(folder.path()), Err(StoreError::Past { .. })));
    fs::write(folder.path().join("state"), "nothing").unwrap();
    assert!(error(folder.path()).contains("is damaged"));
}

/// A store with pages in the database and in a journal; returns the folder and the path of the journal.
fn filled() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(folder.path());
    visit_all(&mut store, 0..90);
    store.close().unwrap();
    let mut store = Store::open(folder.path(), &method(), Options::default()).unwrap();
    for page in 90..120 {
        visit(&mut store, page);
        store.commit().unwrap();
    }
    drop(store);
    let journal = journal_of(folder.path());
    (folder, journal)
}

#[test]
fn a_journal_that_ends_in_the_middle_of_a_page_is_no_damage() {
    let (folder, journal) = filled();
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(check(folder.path()).unwrap(), []);
    assert_eq!(contents(&mut open(folder.path())), (119, expected(119)));
}

#[test]
fn a_damaged_journal_is_reported_and_repaired() {
    let (folder, journal) = filled();
    let mut bytes = fs::read(&journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&journal, &bytes).unwrap();
    let error = Store::open(folder.path(), &method(), small()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("--repair"), "{error}");
    assert_eq!(check(folder.path()).unwrap().len(), 1);
    assert_eq!(fs::read(&journal).unwrap(), bytes, "a check changes nothing");
    assert_eq!(repair(folder.path()).unwrap().len(), 1);
    assert_eq!(check(folder.path()).unwrap(), []);
    let (pages, tables) = contents(&mut open(folder.path()));
    assert!((91..119).contains(&pages), "{pages}");
    assert_eq!(tables, expected(pages));
}

#[test]
fn a_damaged_database_is_reported_and_repaired() {
    let (folder, _) = filled();
    let path = folder.path().join("tables.redb");
    let mut bytes = fs::read(&path).unwrap();
    // A byte in the middle of a table: it stands behind the name of its site.
    let name = b"site1.example";
    let places: Vec<usize> = bytes
        .windows(name.len())
        .enumerate()
        .filter(|(_, window)| *window == name)
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[at + 100] ^= 0x10);
    fs::write(&path, &bytes).unwrap();
    let faults = check(folder.path()).unwrap();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(repair(folder.path()).unwrap(), faults);
    assert_eq!(check(folder.path()).unwrap(), []);
    // The pages of the journal are there, whatever else is.
    let mut store = open(folder.path());
    assert!(contents(&mut store).0 >= 30);
    drop(store);
    fs::write(&path, "not a database").unwrap();
    let error = Store::open(folder.path(), &method(), small()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(repair(folder.path()).unwrap().len(), 1);
    assert_eq!(check(folder.path()).unwrap(), []);
    open(folder.path());
}

#[test]
fn a_database_that_a_crash_left_half_made_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    // As a process leaves it that is killed while it makes the database of a new state.
    fs::remove_file(folder.path().join("tables.redb")).unwrap();
    fs::write(folder.path().join("tables.redb.part"), [0; 5000]).unwrap();
    assert_eq!(check(folder.path()).unwrap(), []);
    let mut store = open(folder.path());
    visit_all(&mut store, 0..10);
    store.close().unwrap();
    assert!(!folder.path().join("tables.redb.part").exists());
    assert_eq!(contents(&mut open(folder.path())).0, 10);
}

#[test]
fn a_check_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.redb");
    let mut store = open(folder.path());
    visit_all(&mut store, 0..90);
    store.commit().unwrap();
    // As a process leaves it that is killed: opening it brings it into order.
    let open_still = fs::read(&path).unwrap();
    store.close().unwrap();
    for bytes in [fs::read(&path).unwrap(), open_still] {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(check(folder.path()).unwrap(), []);
        assert!(fs::read(&path).unwrap() == bytes);
    }
}

/// How a process ends.
#[derive(Clone, Copy)]
enum End {
    /// It dies after its commit, before it has handed on the results.
    Unacknowledged,
    /// It dies after it has acknowledged its pages.
    Acknowledged,
    /// It acknowledges its pages and closes the store.
    Closed,
}

/// A process that visits pages in groups of three. Returns those that it has to acknowledge.
fn run(folder: &Path, pages: impl IntoIterator<Item = u64>, end: End) -> Vec<u64> {
    let mut store = open(folder);
    let pages: Vec<u64> = pages.into_iter().collect();
    let mut unacknowledged = Vec::new();
    for group in pages.chunks(3) {
        for page in group {
            let site = format!("site{}.example", page % SITES);
            let (id, keys) = (PageId { url: *page, content: 1 }, keys(*page));
            let record = PageRecord { site: &site, id, date: None, pieces: &keys };
            if store.visit(&record).unwrap().is_unacknowledged {
                unacknowledged.push(*page);
            }
        }
        store.commit().unwrap();
        if !matches!(end, End::Unacknowledged) {
            store.acknowledge().unwrap();
        }
    }
    if matches!(end, End::Closed) {
        store.close().unwrap();
    }
    unacknowledged
}

#[test]
fn a_successful_run_after_a_crash_does_not_acknowledge_the_pages_of_the_crash() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), 0..4, End::Closed), [0, 1, 2, 3]);
    assert_eq!(run(folder.path(), 4..12, End::Unacknowledged), [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(run(folder.path(), [100], End::Closed), [100]);
    assert_eq!(check(folder.path()).unwrap(), []);
    assert_eq!(run(folder.path(), 0..12, End::Closed), [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(run(folder.path(), 0..12, End::Closed), [0; 0]);
    assert!(!folder.path().join("pending").exists());
}

#[test]
fn pages_of_two_crashes_are_pending_until_they_are_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..4, End::Unacknowledged);
    run(folder.path(), 4..8, End::Unacknowledged);
    // A third process dies too, but has acknowledged its own pages and two of the others.
    assert_eq!(run(folder.path(), [1, 5, 100], End::Acknowledged), [1, 5, 100]);
    assert_eq!(run(folder.path(), [101], End::Closed), [101]);
    assert_eq!(run(folder.path(), (0..8).chain([100, 101]), End::Closed), [0, 2, 3, 4, 6, 7]);
    assert_eq!(run(folder.path(), 0..8, End::Closed), [0; 0]);
}

#[test]
fn pages_stay_pending_through_three_crashes_while_they_are_visited() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        assert_eq!(run(folder.path(), 0..6, End::Unacknowledged), [0, 1, 2, 3, 4, 5]);
    }
    assert_eq!(run(folder.path(), 100..103, End::Acknowledged), [100, 101, 102]);
    assert_eq!(run(folder.path(), 200..203, End::Closed), [200, 201, 202]);
    assert_eq!(run(folder.path(), 0..6, End::Acknowledged), [0, 1, 2, 3, 4, 5]);
    assert_eq!(run(folder.path(), (0..6).chain(100..103), End::Closed), [0; 0]);
}

#[test]
fn pages_stay_pending_when_journals_are_deleted_without_an_acknowledgement() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..4, End::Unacknowledged);
    // Closing writes everything to the database, and deletes the journals.
    open(folder.path()).close().unwrap();
    open(folder.path()).close().unwrap();
    let mut store = open(folder.path());
    visit_all(&mut store, 4..6);
    store.close().unwrap();
    // Enough pages for several journals.
    run(folder.path(), 100..300, End::Unacknowledged);
    let all: Vec<u64> = (0..6).chain(100..300).collect();
    assert_eq!(run(folder.path(), all.clone(), End::Closed), all);
}

#[test]
fn a_list_of_pending_pages_that_a_crash_left_half_written_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..4, End::Unacknowledged);
    run(folder.path(), [100], End::Closed);
    fs::write(folder.path().join("pending.part"), "unfra").unwrap();
    assert_eq!(check(folder.path()).unwrap(), []);
    assert_eq!(run(folder.path(), 0..4, End::Closed), [0, 1, 2, 3]);
}

#[test]
fn a_damaged_list_of_pending_pages_is_reported_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..4, End::Unacknowledged);
    run(folder.path(), [100], End::Closed);
    let path = folder.path().join("pending");
    let mut bytes = fs::read(&path).unwrap();
    bytes[30] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Store::open(folder.path(), &method(), small()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(check(folder.path()).unwrap().len(), 1);
    assert!(path.exists(), "a check changes nothing");
    assert_eq!(repair(folder.path()).unwrap().len(), 1);
    assert_eq!(check(folder.path()).unwrap(), []);
    assert_eq!(run(folder.path(), 0..5, End::Closed), [4]);
}

#[test]
fn pages_that_take_the_numbers_of_removed_pages_are_pending_too() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0..30, End::Acknowledged);
    let path = journal_of(folder.path());
    let bytes = fs::read(&path).unwrap();
    // As a repair leaves it.
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(run(folder.path(), 100..103, End::Unacknowledged), [100, 101, 102]);
    assert_eq!(run(folder.path(), 100..103, End::Closed), [100, 101, 102]);
}

/// The newest journal of a folder.
fn journal_of(folder: &Path) -> std::path::PathBuf {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_journal =
        |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("journal-");
    paths.filter(is_journal).max().unwrap()
}
