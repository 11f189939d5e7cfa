//! The database of the service: pages with their bytes, sites, models, studies, classifiers, jobs. One file.
//!
//! Only one thread writes (see `state_writer.rs`), so that many pages become durable with one commit; all threads read.

mod deletion;
mod forgotten;
mod rows;

use std::fs;
use std::path::Path;

use axum::http::StatusCode;
use redb::{
    Database, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, WriteTransaction,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use deletion::{check_kept, forget};
pub(crate) use forgotten::settle;
pub(crate) use rows::{PageRow, SavedRegion, SiteRow, date_text};
use unframe::{Page, Region};

use crate::error::{Answer, ApiError};
use crate::jobs::JobRow;
use crate::limits::MODELS_MAX;

pub(crate) type Bytes = TableDefinition<'static, &'static str, &'static [u8]>;

const PAGES: TableDefinition<u64, &[u8]> = TableDefinition::new("pages");
const BODIES: TableDefinition<u64, &[u8]> = TableDefinition::new("bodies");
const REGIONS: TableDefinition<u64, &[u8]> = TableDefinition::new("regions");
/// The pages of a site, in the order of arrival.
const BY_SITE: TableDefinition<(&str, u64), ()> = TableDefinition::new("by_site");
/// Pages by site, address and date. A page with the same key replaces an earlier one.
const BY_ADDRESS: TableDefinition<(&str, &str, i64), u64> = TableDefinition::new("by_address");
const SITES: Bytes = TableDefinition::new("sites");
const COUNTERS: TableDefinition<&str, u64> = TableDefinition::new("counters");
/// Models by their names.
pub(crate) const MODELS: Bytes = TableDefinition::new("models");
/// The study of each site.
pub(crate) const STUDIES: Bytes = TableDefinition::new("studies");
/// The summary of each study for lists.
pub(crate) const SUMMARIES: Bytes = TableDefinition::new("summaries");
/// Classifiers by their names.
pub(crate) const CLASSIFIERS: Bytes = TableDefinition::new("classifiers");
/// Jobs by their numbers.
pub(crate) const JOBS: Bytes = TableDefinition::new("jobs");
/// The number of the last page that is in the search index.
pub(crate) const INDEXED: &str = "indexed";

const NEXT: &str = "next";
const BODY_BYTES: &str = "bytes";
const NO_DATE: i64 = i64::MIN;
/// Memory for the database's own cache.
const DATABASE_CACHE_BYTES: usize = 64 << 20;

/// The database.
#[derive(Debug)]
pub(crate) struct PageStore {
    database: Database,
}

/// Limits on the stored pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeepLimits {
    pub(crate) bytes: u64,
    pub(crate) pages_of_site: u64,
}

/// A page to be stored.
pub(crate) struct NewPage<'a> {
    pub(crate) row: PageRow,
    /// Its compressed bytes.
    pub(crate) body: &'a [u8],
    pub(crate) regions: &'a [Region],
}

impl PageStore {
    /// Opens the database, or creates it. A new database gets its final name when it is complete, because one whose creation was
    /// interrupted by a crash cannot be distinguished from a damaged one.
    pub(crate) fn open(path: &Path) -> Result<PageStore, redb::Error> {
        if !path.exists() {
            let part = path.with_extension("redb.part");
            if part.exists() {
                fs::remove_file(&part).map_err(redb::Error::Io)?;
            }
            drop(PageStore::open_or_make(&part)?);
            fs::rename(&part, path).map_err(redb::Error::Io)?;
        }
        PageStore::open_or_make(path)
    }

    fn open_or_make(path: &Path) -> Result<PageStore, redb::Error> {
        let mut builder = Database::builder();
        builder.set_cache_size(DATABASE_CACHE_BYTES);
        PageStore::with(builder.create(path)?)
    }

    /// A page store in an open database.
    pub(crate) fn with(database: Database) -> Result<PageStore, redb::Error> {
        let page_store = PageStore { database };
        // Opening a table in a write transaction creates it. Reading fails without it.
        let transaction = page_store.begin()?;
        transaction.open_table(PAGES)?;
        transaction.open_table(BODIES)?;
        transaction.open_table(REGIONS)?;
        transaction.open_table(BY_SITE)?;
        transaction.open_table(BY_ADDRESS)?;
        transaction.open_table(COUNTERS)?;
        transaction.open_table(forgotten::FORGOTTEN)?;
        for table in [SITES, MODELS, STUDIES, SUMMARIES, CLASSIFIERS, JOBS] {
            transaction.open_table(table)?;
        }
        transaction.commit()?;
        Ok(page_store)
    }

    /// Begins a write transaction. Only the state writer calls this.
    pub(crate) fn begin(&self) -> Result<WriteTransaction, redb::Error> {
        Ok(self.database.begin_write()?)
    }

    fn read(&self) -> Result<ReadTransaction, redb::Error> {
        Ok(self.database.begin_read()?)
    }

    /// The record of a page.
    pub(crate) fn row(&self, id: u64) -> Answer<Option<PageRow>> {
        let table = self.read()?.open_table(PAGES)?;
        row_in(&table, id)
    }

    /// A page with its bytes.
    pub(crate) fn page(&self, id: u64) -> Answer<Option<(PageRow, Page)>> {
        let read = self.read()?;
        let Some(row) = row_in(&read.open_table(PAGES)?, id)? else {
            return Ok(None);
        };
        let bodies = read.open_table(BODIES)?;
        let Some(body) = bodies.get(id)? else { return Ok(None) };
        let payload = zstd::bulk::decompress(body.value(), row.bytes as usize)?;
        let page = row.page(payload);
        Ok(Some((row, page)))
    }

    /// The regions of a page as they were reported when it was posted.
    pub(crate) fn regions(&self, id: u64) -> Answer<Vec<Region>> {
        let table = self.read()?.open_table(REGIONS)?;
        let Some(bytes) = table.get(id)? else { return Ok(Vec::new()) };
        let saved: Vec<SavedRegion> = serde_json::from_slice(bytes.value())?;
        Ok(saved.into_iter().map(Region::from).collect())
    }

    /// The record of a site.
    pub(crate) fn site(&self, name: &str) -> Answer<Option<SiteRow>> {
        self.value(SITES, name)
    }

    /// The sites whose names contain `holding`: at most `limit` of those that sort after `after`, and their total number.
    pub(crate) fn sites(
        &self,
        after: &str,
        limit: usize,
        holding: &str,
    ) -> Answer<(Vec<(String, SiteRow)>, u64)> {
        let table = self.read()?.open_table(SITES)?;
        let (mut found, mut total) = (Vec::new(), 0);
        for entry in table.iter()? {
            let (name, row) = entry?;
            let name = name.value();
            if !name.contains(holding) {
                continue;
            }
            total += 1;
            if found.len() < limit && (after.is_empty() || name > after) {
                found.push((name.to_owned(), serde_json::from_slice(row.value())?));
            }
        }
        Ok((found, total))
    }

    /// The numbers of a site's pages that are larger than `after`, in ascending order, at most `limit`.
    pub(crate) fn ids(&self, site: &str, after: u64, limit: usize) -> Answer<Vec<u64>> {
        let table = self.read()?.open_table(BY_SITE)?;
        let range = table.range((site, after.saturating_add(1))..=(site, u64::MAX));
        let mut ids = Vec::new();
        for entry in range?.take(limit) {
            ids.push(entry?.0.value().1);
        }
        Ok(ids)
    }

    /// Calls `each` with the pages of a site in the order of their addresses.
    pub(crate) fn rows_by_address(&self, site: &str, mut each: impl FnMut(u64, PageRow)) -> Answer<()> {
        let read = self.read()?;
        let addresses = read.open_table(BY_ADDRESS)?;
        let pages = read.open_table(PAGES)?;
        for entry in addresses.range((site, "", i64::MIN)..)? {
            let (address, id) = entry?;
            if address.value().0 != site {
                break;
            }
            if let Some(row) = row_in(&pages, id.value())? {
                each(id.value(), row);
            }
        }
        Ok(())
    }

    /// The numbers of all pages with a number larger than `after`.
    pub(crate) fn all_ids(&self, after: u64) -> Answer<Vec<u64>> {
        let table = self.read()?.open_table(PAGES)?;
        let range = table.range(after.saturating_add(1)..)?;
        range.map(|entry| Ok(entry?.0.value())).collect()
    }

    /// The number of stored pages, and their compressed bytes.
    pub(crate) fn totals(&self) -> Answer<(u64, u64)> {
        let read = self.read()?;
        let pages = read.open_table(PAGES)?;
        let pages = pages.len()?;
        Ok((pages, self.counter(BODY_BYTES)?))
    }

    /// A named counter.
    pub(crate) fn counter(&self, name: &str) -> Answer<u64> {
        let table = self.read()?.open_table(COUNTERS)?;
        Ok(table.get(name)?.map_or(0, |value| value.value()))
    }

    /// The number of the last page.
    pub(crate) fn last_page(&self) -> Answer<u64> {
        self.counter(NEXT)
    }

    /// The names in a table, with the sizes of their values in bytes.
    pub(crate) fn names(&self, table: Bytes) -> Answer<Vec<(String, u64)>> {
        let table = self.read()?.open_table(table)?;
        let entries = table.iter()?;
        let named = entries.map(|entry| {
            let (name, value) = entry?;
            Ok((name.value().to_owned(), value.value().len() as u64))
        });
        named.collect()
    }

    /// The bytes under a name.
    pub(crate) fn bytes(&self, table: Bytes, name: &str) -> Answer<Option<Vec<u8>>> {
        let table = self.read()?.open_table(table)?;
        let value = table.get(name)?;
        Ok(value.map(|value| value.value().to_vec()))
    }

    /// A value under a name.
    pub(crate) fn value<T: DeserializeOwned>(&self, table: Bytes, name: &str) -> Answer<Option<T>> {
        let bytes = self.bytes(table, name)?;
        Ok(bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose()?)
    }
}

fn row_in(table: &ReadOnlyTable<u64, &'static [u8]>, id: u64) -> Answer<Option<PageRow>> {
    let row = table.get(id)?;
    Ok(row.map(|row| serde_json::from_slice(row.value())).transpose()?)
}

/// Where a page is to be stored.
pub(crate) enum Place {
    /// The same page is stored already, under this number.
    Same(u64),
    /// It replaces the page with this number.
    Of(u64),
    New,
}

/// Finds the place of a page, and checks whether there is room for its compressed bytes. It changes nothing, so a refused page leaves no
/// trace.
pub(crate) fn place(
    write: &WriteTransaction,
    row: &PageRow,
    body_len: usize,
    limits: KeepLimits,
) -> Answer<Place> {
    let key = (row.site.as_str(), row.url.as_str(), row.date.unwrap_or(NO_DATE));
    let known = write.open_table(BY_ADDRESS)?.get(key)?.map(|id| id.value());
    let old = known.map(|id| written_row(write, id)).transpose()?.flatten();
    if let (Some(id), Some(old)) = (known, &old)
        && old.content == row.content
    {
        return Ok(Place::Same(id));
    }
    check_room(write, row, body_len, old.as_ref(), limits)?;
    Ok(known.map_or(Place::New, Place::Of))
}

/// Stores a page and returns its number. An unchanged page keeps its number; a changed one gets a new number.
pub(crate) fn insert(write: &WriteTransaction, place: Place, mut page: NewPage<'_>) -> Answer<u64> {
    match place {
        Place::Same(id) => return Ok(id),
        Place::Of(id) => drop(remove(write, id)?),
        Place::New => {}
    }
    let date = page.row.date.unwrap_or(NO_DATE);
    let site = written_site(write, &page.row.site)?;
    let bytes = written_counter(write, BODY_BYTES)?;
    let id = written_counter(write, NEXT)? + 1;
    page.row.packed = page.body.len() as u32;
    let mut counters = write.open_table(COUNTERS)?;
    counters.insert(NEXT, id)?;
    counters.insert(BODY_BYTES, bytes + page.body.len() as u64)?;
    put(write, SITES, &page.row.site, &site.with(id, &page.row))?;
    let regions: Vec<SavedRegion> = page.regions.iter().map(SavedRegion::from).collect();
    write.open_table(PAGES)?.insert(id, serde_json::to_vec(&page.row)?.as_slice())?;
    write.open_table(BODIES)?.insert(id, page.body)?;
    write.open_table(REGIONS)?.insert(id, serde_json::to_vec(&regions)?.as_slice())?;
    write.open_table(BY_SITE)?.insert((page.row.site.as_str(), id), ())?;
    write.open_table(BY_ADDRESS)?.insert((page.row.site.as_str(), page.row.url.as_str(), date), id)?;
    Ok(id)
}

/// Checks whether a page fits. If it replaces an old page, the room of that one counts as free.
fn check_room(
    write: &WriteTransaction,
    row: &PageRow,
    body_len: usize,
    old: Option<&PageRow>,
    limits: KeepLimits,
) -> Answer<()> {
    let pages = written_site(write, &row.site)?.pages.saturating_sub(old.map_or(0, |_| 1));
    let bytes = written_counter(write, BODY_BYTES)?.saturating_sub(old.map_or(0, |old| old.packed.into()));
    let is_site_full = pages >= limits.pages_of_site;
    match is_site_full || bytes + body_len as u64 > limits.bytes {
        true => Err(full(&row.site, is_site_full)),
        false => Ok(()),
    }
}

fn full(site: &str, is_site: bool) -> ApiError {
    let status = StatusCode::INSUFFICIENT_STORAGE;
    match is_site {
        true => ApiError::new(
            status,
            "site-full",
            format!(
                "{site} has reached the limit of kept pages: delete some, raise --keep-pages, or post with keep=false"
            ),
        ),
        false => ApiError::new(
            status,
            "store-full",
            "the disk space for kept pages is full: delete a site, raise --keep, or post with keep=false",
        ),
    }
}

/// Removes a page; returns its record.
fn remove(write: &WriteTransaction, id: u64) -> Answer<Option<PageRow>> {
    let Some(row) = written_row(write, id)? else { return Ok(None) };
    let site = written_site(write, &row.site)?.without(&row);
    match site.pages {
        0 => drop(delete(write, SITES, &row.site)?),
        _ => put(write, SITES, &row.site, &site)?,
    }
    let bytes = written_counter(write, BODY_BYTES)?.saturating_sub(u64::from(row.packed));
    write.open_table(COUNTERS)?.insert(BODY_BYTES, bytes)?;
    write.open_table(PAGES)?.remove(id)?;
    write.open_table(BODIES)?.remove(id)?;
    write.open_table(REGIONS)?.remove(id)?;
    write.open_table(BY_SITE)?.remove((row.site.as_str(), id))?;
    let date = row.date.unwrap_or(NO_DATE);
    write.open_table(BY_ADDRESS)?.remove((row.site.as_str(), row.url.as_str(), date))?;
    Ok(Some(row))
}

fn written_row(write: &WriteTransaction, id: u64) -> Answer<Option<PageRow>> {
    let table = write.open_table(PAGES)?;
    let row = table.get(id)?;
    Ok(row.map(|row| serde_json::from_slice(row.value())).transpose()?)
}

fn written_site(write: &WriteTransaction, name: &str) -> Answer<SiteRow> {
    let table = write.open_table(SITES)?;
    let row = table.get(name)?;
    Ok(row.map(|row| serde_json::from_slice(row.value())).transpose()?.unwrap_or_default())
}

fn written_counter(write: &WriteTransaction, name: &str) -> Answer<u64> {
    let table = write.open_table(COUNTERS)?;
    Ok(table.get(name)?.map_or(0, |value| value.value()))
}

/// Stores a named counter.
pub(crate) fn set_counter(write: &WriteTransaction, name: &str, value: u64) -> Answer<()> {
    let mut table = write.open_table(COUNTERS)?;
    table.insert(name, value)?;
    Ok(())
}

/// Stores a named value.
pub(crate) fn put(write: &WriteTransaction, table: Bytes, name: &str, value: &impl Serialize) -> Answer<()> {
    put_bytes(write, table, name, &serde_json::to_vec(value)?)
}

/// Stores named bytes.
pub(crate) fn put_bytes(write: &WriteTransaction, table: Bytes, name: &str, bytes: &[u8]) -> Answer<()> {
    let mut table = write.open_table(table)?;
    table.insert(name, bytes)?;
    Ok(())
}

/// Stores bytes under a name that a client chose. Refuses a new name if there are already `names_max`.
pub(crate) fn put_named(
    write: &WriteTransaction,
    table: Bytes,
    name: &str,
    bytes: &[u8],
    names_max: u64,
) -> Answer<()> {
    let is_known = write.open_table(table)?.get(name)?.is_some();
    if !is_known && count(write, table)? >= names_max {
        let message = format!("{names_max} are kept, which is the limit: delete one, or replace one");
        return Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "store-full", message));
    }
    put_bytes(write, table, name, bytes)
}

/// Stores an imported model.
pub(crate) fn put_model(write: &WriteTransaction, name: &str, bytes: &[u8]) -> Answer<()> {
    put_named(write, MODELS, name, bytes, count(write, SITES)? + MODELS_MAX)
}

fn count(write: &WriteTransaction, table: Bytes) -> Answer<u64> {
    let table = write.open_table(table)?;
    Ok(table.len()?)
}

/// Deletes the oldest ended jobs, until at most `jobs_max` jobs remain.
pub(crate) fn forget_jobs(write: &WriteTransaction, jobs_max: u64) -> Answer<()> {
    let mut table = write.open_table(JOBS)?;
    let mut excess = table.len()?.saturating_sub(jobs_max);
    let mut old = Vec::new();
    for entry in table.iter()? {
        if excess == 0 {
            break;
        }
        let (name, job) = entry?;
        let job: JobRow = serde_json::from_slice(job.value())?;
        if job.ended.is_some() {
            old.push(name.value().to_owned());
            excess -= 1;
        }
    }
    for name in old {
        table.remove(name.as_str())?;
    }
    Ok(())
}

/// Deletes a named value; returns whether it existed.
pub(crate) fn delete(write: &WriteTransaction, table: Bytes, name: &str) -> Answer<bool> {
    let mut table = write.open_table(table)?;
    let found = table.remove(name)?.is_some();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_left_of_a_new_database_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (path, part) = (folder.path().join("pages.redb"), folder.path().join("pages.redb.part"));
        fs::write(&part, vec![0; 10_000]).unwrap();
        // Under the final name, the incomplete file would be reported as damage.
        assert!(PageStore::open_or_make(&part).is_err());
        let page_store = PageStore::open(&path).unwrap();
        let write = page_store.begin().unwrap();
        set_counter(&write, "test", 7).unwrap();
        write.commit().unwrap();
        drop(page_store);
        assert!(path.exists() && !part.exists());
        assert_eq!(PageStore::open(&path).unwrap().counter("test").unwrap(), 7);
    }

    #[test]
    fn so_many_names_are_taken_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let page_store = PageStore::open(&folder.path().join("pages.redb")).unwrap();
        let write = page_store.begin().unwrap();
        let put = |name: &str| put_named(&write, CLASSIFIERS, name, b"", 2).map_err(|error| error.code);
        assert_eq!((put("a"), put("b"), put("c"), put("a")), (Ok(()), Ok(()), Err("store-full"), Ok(())));
        delete(&write, CLASSIFIERS, "a").unwrap();
        assert_eq!((put("c"), put("a")), (Ok(()), Err("store-full")));
        // Each site adds one to the limit.
        let put = |name: &str| put_model(&write, name, b"").map_err(|error| error.code);
        (0..MODELS_MAX).for_each(|number| put(&number.to_string()).unwrap());
        assert_eq!(put("more"), Err("store-full"));
        super::put(&write, SITES, "a.example", &SiteRow::default()).unwrap();
        assert_eq!((put("more"), put("and more")), (Ok(()), Err("store-full")));
    }
}
