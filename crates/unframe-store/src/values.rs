//! The database: the state of each site as one value.
//!
//! Only this module and `overlay` use the database library, so that it can be replaced.

use std::fs;
use std::path::{Path, PathBuf};

use redb::{Builder, Database, ReadableDatabase, ReadableTable, TableDefinition};
use unframe::detect::{FollowMethod, Own};
use xxhash_rust::xxh3::xxh3_64;

use crate::StoreError;
use crate::overlay::Overlay;
use crate::record::NO_DATE;

const STATES: TableDefinition<&str, &[u8]> = TableDefinition::new("states");
const SUMMARIES: TableDefinition<&str, &[u8]> = TableDefinition::new("summaries");

/// Memory for the database's own cache. Active states are cached by the store.
const CACHE_BYTES: usize = 16 << 20;

/// The states of all sites, on disk.
#[derive(Debug)]
pub(crate) struct Values {
    database: Database,
    path: PathBuf,
}

/// The summary of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The number of the last page that the state includes.
    pub(crate) last: u64,
    pub(crate) entries: u64,
    /// Bytes of the state on disk.
    pub(crate) bytes: u64,
    pub(crate) oldest: Option<i64>,
    pub(crate) newest: Option<i64>,
}

/// A site's encoded state with its summary, as it is written.
pub(crate) struct Value {
    pub(crate) site: String,
    pub(crate) summary: Summary,
    pub(crate) bytes: Vec<u8>,
}

impl Value {
    pub(crate) fn new(site: String, state: &Own, summary: Summary, method: &FollowMethod) -> Value {
        let mut bytes = method.encode(state);
        let checksum = xxh3_64(&bytes);
        bytes.extend(checksum.to_le_bytes());
        Value { site, summary: Summary { bytes: bytes.len() as u64, ..summary }, bytes }
    }
}

impl Values {
    /// Opens the database, or creates it. A new database gets its final name when it is complete, because one whose creation was
    /// interrupted by a crash cannot be distinguished from a damaged one.
    pub(crate) fn open(path: &Path) -> Result<Values, StoreError> {
        if !path.exists() {
            let part = path.with_extension("redb.part");
            if part.exists() {
                fs::remove_file(&part).map_err(StoreError::io(&part))?;
            }
            drop(Values::open_or_make(&part)?);
            fs::rename(&part, path).map_err(StoreError::io(path))?;
        }
        Values::open_or_make(path)
    }

    /// Opens the database to check it for damage. Later changes reach its file only if `is_changed`; otherwise they stay in memory.
    /// Unlike [`Values::open`], it writes nothing: a damaged last transaction can be rolled back only as long as no other one follows.
    pub(crate) fn open_to_check(path: &Path, is_changed: bool) -> Result<Values, StoreError> {
        let builder = builder();
        let database = match is_changed {
            true => builder.open(path),
            false => builder.create_with_backend(Overlay::open(path).map_err(StoreError::io(path))?),
        };
        let database = database.map_err(|error| error_of(path, error))?;
        Ok(Values { database, path: path.to_owned() })
    }

    fn open_or_make(path: &Path) -> Result<Values, StoreError> {
        let database = builder().create(path).map_err(|error| error_of(path, error))?;
        let values = Values { database, path: path.to_owned() };
        // A write transaction creates the two tables. Reading fails without them.
        values.write(&[])?;
        Ok(values)
    }

    /// Writes states durably in one transaction.
    pub(crate) fn write(&self, batch: &[Value]) -> Result<(), StoreError> {
        let result = (|| {
            let transaction = self.database.begin_write()?;
            {
                let mut states = transaction.open_table(STATES)?;
                let mut summaries = transaction.open_table(SUMMARIES)?;
                for value in batch {
                    states.insert(value.site.as_str(), value.bytes.as_slice())?;
                    summaries.insert(value.site.as_str(), value.summary.encode().as_slice())?;
                }
            }
            transaction.commit()?;
            Ok(())
        })();
        result.map_err(|error: redb::Error| error_of(&self.path, error))
    }

    /// The state of a site.
    pub(crate) fn get(
        &self,
        site: &str,
        method: &FollowMethod,
    ) -> Result<Option<(Own, Summary)>, StoreError> {
        let result = (|| {
            let transaction = self.database.begin_read()?;
            let state = transaction.open_table(STATES)?.get(site)?.map(|value| value.value().to_vec());
            let summary = transaction.open_table(SUMMARIES)?.get(site)?.map(|value| value.value().to_vec());
            Ok((state, summary))
        })();
        let (state, summary) = result.map_err(|error: redb::Error| error_of(&self.path, error))?;
        let (Some(state), Some(summary)) = (state, summary) else { return Ok(None) };
        let read = decode(&state, method).zip(Summary::decode(&summary));
        let damaged = || StoreError::damaged(&self.path, format!("the state of {site} fails its checksum"));
        read.map(Some).ok_or_else(damaged)
    }

    /// The summaries of all sites.
    pub(crate) fn summaries(&self) -> Result<Vec<(String, Summary)>, StoreError> {
        let result = (|| {
            let transaction = self.database.begin_read()?;
            let table = transaction.open_table(SUMMARIES)?;
            let mut all = Vec::new();
            for row in table.iter()? {
                let (site, summary) = row?;
                all.push((site.value().to_owned(), Summary::decode(summary.value())));
            }
            Ok(all)
        })();
        let all = result.map_err(|error: redb::Error| error_of(&self.path, error))?;
        let damaged =
            |site: &str| StoreError::damaged(&self.path, format!("its entry for {site} cannot be read"));
        all.into_iter()
            .map(|(site, summary)| Ok((summary.ok_or_else(|| damaged(&site))?, site)))
            .map(|row| row.map(|(summary, site)| (site, summary)))
            .collect()
    }

    /// The sites whose states are damaged. Reads every byte.
    pub(crate) fn damaged_sites(&self, method: &FollowMethod) -> Result<Vec<String>, StoreError> {
        let result = (|| {
            let transaction = self.database.begin_read()?;
            let (states, summaries) = (transaction.open_table(STATES)?, transaction.open_table(SUMMARIES)?);
            let mut damaged = Vec::new();
            for row in states.iter()? {
                let (site, state) = row?;
                let summary = summaries.get(site.value())?;
                let has_summary = summary.is_some_and(|summary| Summary::decode(summary.value()).is_some());
                if !has_summary || decode(state.value(), method).is_none() {
                    damaged.push(site.value().to_owned());
                }
            }
            Ok(damaged)
        })();
        result.map_err(|error: redb::Error| error_of(&self.path, error))
    }

    /// Removes sites.
    pub(crate) fn remove(&self, sites: &[String]) -> Result<(), StoreError> {
        let result = (|| {
            let transaction = self.database.begin_write()?;
            {
                let mut states = transaction.open_table(STATES)?;
                let mut summaries = transaction.open_table(SUMMARIES)?;
                for site in sites {
                    states.remove(site.as_str())?;
                    summaries.remove(site.as_str())?;
                }
            }
            transaction.commit()?;
            Ok(())
        })();
        result.map_err(|error: redb::Error| error_of(&self.path, error))
    }

    /// Checks the database and returns whether it was intact. If it was not, it has repaired itself.
    pub(crate) fn check(&mut self) -> Result<bool, StoreError> {
        self.database.check_integrity().map_err(|error| error_of(&self.path, error))
    }
}

fn builder() -> Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

fn decode(bytes: &[u8], method: &FollowMethod) -> Option<Own> {
    let (state, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(state) != u64::from_le_bytes(*checksum) {
        return None;
    }
    method.decode(state)
}

impl Summary {
    fn encode(self) -> Vec<u8> {
        let dates = [self.oldest, self.newest].map(|date| date.unwrap_or(NO_DATE) as u64);
        let numbers = [self.last, self.entries, self.bytes, dates[0], dates[1]];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn decode(bytes: &[u8]) -> Option<Summary> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let [last, entries, bytes, oldest, newest] = *numbers else { return None };
        let number = u64::from_le_bytes;
        let date = |bytes| Some(number(bytes) as i64).filter(|date| *date != NO_DATE);
        rest.is_empty().then(|| Summary {
            last: number(last),
            entries: number(entries),
            bytes: number(bytes),
            oldest: date(oldest),
            newest: date(newest),
        })
    }
}

fn error_of(path: &Path, error: impl Into<redb::Error>) -> StoreError {
    match error.into() {
        redb::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            StoreError::damaged(path, "it is not a database of redb")
        }
        redb::Error::Io(source) => StoreError::Io { path: path.to_owned(), source },
        redb::Error::Corrupted(what) => StoreError::damaged(path, what),
        redb::Error::RepairAborted => StoreError::damaged(path, "it could not be repaired"),
        other => StoreError::Database { path: path.to_owned(), what: other.to_string() },
    }
}
