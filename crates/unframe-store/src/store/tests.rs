//! Failed writes: no committed page may be lost.

use std::sync::atomic::{AtomicBool, Ordering};

use unframe::PageId;
use unframe::detect::FollowMethod;

use super::*;
use crate::check;
use crate::values::Value;

const SITES: u64 = 3;

/// Options with which a few pages fill a journal.
fn small() -> Options {
    Options { memory: 1 << 20, journal_bytes: 2_000 }
}

/// A method that counts every page.
fn segments() -> FollowMethod {
    FollowMethod::parse("segments").unwrap()
}

fn open(folder: &Path) -> Store {
    Store::open(folder, &segments(), small()).unwrap()
}

fn visit(store: &mut Store, page: u64) -> Result<Change, StoreError> {
    let site = format!("site{}.example", page % SITES);
    let record =
        PageRecord { site: &site, id: PageId { url: page, content: 1 }, date: None, pieces: &[page] };
    Ok(store.visit(&record)?.change)
}

/// Visits and commits pages until an error occurs. Returns the number of committed pages.
fn fill(store: &mut Store) -> (u64, StoreError) {
    for page in 0..1000 {
        let committed = visit(store, page).and_then(|_| store.commit());
        if let Err(error) = committed {
            return (page, error);
        }
    }
    panic!("nothing failed")
}

/// The number of pages in the states of all sites.
fn pages(store: &mut Store) -> u64 {
    let method = segments();
    let pages =
        |site| store.state(&format!("site{site}.example")).unwrap().map_or(0, |state| method.pages(state));
    (0..SITES).map(pages).sum()
}

/// Checks that the store accepts nothing more, and that it holds all committed pages when it is opened again.
fn is_stopped_without_loss(mut store: Store, folder: &Path, committed: u64) {
    let is_stopped = |error| matches!(error, StoreError::Stopped { .. });
    for page in 1000..1010 {
        assert!(is_stopped(visit(&mut store, page).unwrap_err()));
        assert!(is_stopped(store.commit().unwrap_err()));
    }
    assert!(is_stopped(store.state("site0.example").unwrap_err()));
    let error = store.close().unwrap_err();
    assert!(error.to_string().contains("no more pages are accepted, because writing failed"), "{error}");
    assert_eq!(check(folder).unwrap(), []);
    let mut store = open(folder);
    let there = pages(&mut store);
    assert!(there == committed || there == committed + 1, "{there} are there, {committed} were committed");
    for page in 0..committed {
        assert_eq!(visit(&mut store, page).unwrap(), Change::Unchanged, "page {page}");
    }
    store.close().unwrap();
}

/// A store whose first write to the database fails with `mishap`.
fn open_with(folder: &Path, mishap: impl Fn() -> StoreError + Send + 'static) -> Store {
    let mut store = open(folder);
    let (values, has_failed) = (Arc::clone(&store.values), AtomicBool::new(false));
    store.writer = Writer::start(segments(), move |batch: &[Value]| {
        if has_failed.swap(true, Ordering::Relaxed) { values.write(batch) } else { Err(mishap()) }
    });
    store
}

#[test]
fn no_page_is_lost_if_the_database_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let full = || StoreError::io(Path::new("tables.redb"))(std::io::ErrorKind::StorageFull.into());
    let mut store = open_with(folder.path(), full);
    let (committed, error) = fill(&mut store);
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    is_stopped_without_loss(store, folder.path(), committed);
}

#[test]
fn no_page_is_lost_if_the_thread_that_writes_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open_with(folder.path(), || panic!("on purpose"));
    let (committed, error) = fill(&mut store);
    assert!(matches!(error, StoreError::WriterEnded), "{error}");
    is_stopped_without_loss(store, folder.path(), committed);
}

#[test]
fn no_page_is_lost_and_nothing_is_damaged_if_the_journal_cannot_be_written() {
    // The write stops before the frame, in its header, before its last byte, and after it.
    for written in [0, 10, 98, 99] {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path());
        for page in 0..7 {
            visit(&mut store, page).unwrap();
            store.commit().unwrap();
        }
        let path = store.folder.journal(store.journal.number);
        let length = fs::metadata(&path).unwrap().len();
        store.journal.fails_after = Some(written);
        visit(&mut store, 7).unwrap();
        assert_eq!(store.journal.waiting(), 99);
        assert!(matches!(store.commit(), Err(StoreError::Io { .. })));
        assert_eq!(fs::metadata(&path).unwrap().len(), length, "after {written} bytes");
        is_stopped_without_loss(store, folder.path(), 7);
    }
}

#[test]
fn pages_that_were_not_acknowledged_are_when_they_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = |page: u64| PageRecord {
        site: "a.example",
        id: PageId { url: page, content: 1 },
        date: None,
        pieces: &[7],
    };
    let mut store = open(folder.path());
    for page in 0..4 {
        assert!(store.visit(&record(page)).unwrap().is_unacknowledged);
        store.commit().unwrap();
        if page == 1 {
            store.acknowledge().unwrap();
        }
    }
    drop(store);
    let mut store = open(folder.path());
    let again = |store: &mut Store| -> Vec<bool> {
        (0..4).map(|page| store.visit(&record(page)).unwrap().is_unacknowledged).collect()
    };
    assert_eq!(again(&mut store), [false, false, true, true]);
    assert_eq!(again(&mut store), [false; 4]);
    store.commit().unwrap();
    store.acknowledge().unwrap();
    drop(store);
    assert_eq!(again(&mut open(folder.path())), [false; 4]);
}

#[test]
fn a_store_begins_with_models_and_gives_them_back() {
    let method = FollowMethod::default();
    let mut state = method.begin();
    let record = |page: u64| [page, 0, 1, 99];
    for page in 1..=3 {
        method.take(&mut state, PageId { url: page, content: 0 }, &record(page));
    }
    let model = method.model(&state);
    assert_eq!(model.pages_sampled(), 3);
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path(), &method, small()).unwrap();
    assert_eq!(store.begin_with([("a.example", &model), ("b.example", &model)].into_iter()).unwrap(), 2);
    assert_eq!(store.begin_with([("a.example", &model)].into_iter()).unwrap(), 0);
    let (id, record) = (PageId { url: 9, content: 0 }, record(9));
    let visited = store.visit(&PageRecord { site: "a.example", id, date: None, pieces: &record }).unwrap();
    assert_eq!(visited.model.pages_sampled(), 4);
    store.close().unwrap();
    let mut store = Store::open(folder.path(), &method, small()).unwrap();
    let mut found = Vec::new();
    let each = |site: &str, model: Model| -> Result<(), StoreError> {
        found.push((site.to_owned(), model.pages_sampled()));
        Ok(())
    };
    store.models(each).unwrap();
    assert_eq!(found, [("a.example".to_owned(), 4), ("b.example".to_owned(), 3)]);
    assert_eq!(store.status().unwrap().sites, 2);
}
