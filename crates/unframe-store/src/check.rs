//! Checks stores for damage, and repairs them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use unframe::caught;

use crate::folder::{Folder, saved_method};
use crate::pending::{self, Pending};
use crate::values::Values;
use crate::{StoreError, journal};
use unframe::detect::FollowMethod;

/// A damaged part of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
    /// What a repair does about it.
    pub remedy: &'static str,
}

/// Reads every byte of a store and lists the damage. Changes nothing.
///
/// # Errors
/// If there is no store, if another process uses it, or if it cannot be read.
pub fn check(path: &Path) -> Result<Vec<Fault>, StoreError> {
    Checker::open(path)?.run(false)
}

/// Repairs a store: deletes the damaged parts and keeps the rest. Returns the damage.
///
/// # Errors
/// If there is no store, if another process uses it, or if it cannot be written to.
pub fn repair(path: &Path) -> Result<Vec<Fault>, StoreError> {
    Checker::open(path)?.run(true)
}

const DROP_SITE: &str = "the site is deleted, and learned again from its next pages";
const ORDER_DATABASE: &str = "the database repairs itself; damaged changes are undone";
const MOVE_DATABASE: &str = "it is renamed to tables.redb.damaged; what is in the journals is kept";
const CUT_JOURNAL: &str = "it is cut off there, and later journals are deleted; the pages before are kept";

const DROP_PENDING: &str = "it is deleted: pages that are durable but were not handed on are treated like all others when they come again";

struct Checker {
    folder: Folder,
    method: FollowMethod,
    faults: Vec<Fault>,
}

impl Checker {
    fn open(path: &Path) -> Result<Checker, StoreError> {
        let Some(saved) = saved_method(path)? else {
            return Err(StoreError::NotAState { folder: path.to_owned() });
        };
        let folder = Folder::lock(path)?;
        let Ok(method) = FollowMethod::parse(&saved) else {
            let what = format!("this program has no method `{saved}`");
            return Err(StoreError::damaged(&path.join("state"), what));
        };
        Ok(Checker { folder, method, faults: Vec::new() })
    }

    fn run(mut self, repair: bool) -> Result<Vec<Fault>, StoreError> {
        self.database(repair)?;
        self.journals(repair)?;
        self.pending(repair)?;
        Ok(self.faults)
    }

    fn fault(&mut self, path: &Path, what: impl Into<String>, remedy: &'static str) {
        self.faults.push(Fault { path: path.to_owned(), what: what.into(), remedy });
    }

    fn database(&mut self, repair: bool) -> Result<(), StoreError> {
        let path = self.folder.tables();
        if !path.exists() {
            return Ok(());
        }
        let sites = match check_database(&path, &self.method, repair) {
            Ok(found) => {
                if !found.was_intact {
                    self.fault(&path, "the database reports that it is damaged", ORDER_DATABASE);
                }
                found.damaged_sites
            }
            Err(what) => {
                self.fault(&path, what, MOVE_DATABASE);
                if repair {
                    fs::rename(&path, self.folder.path().join("tables.redb.damaged"))
                        .map_err(StoreError::io(&path))?;
                }
                return Ok(());
            }
        };
        for site in &sites {
            self.fault(&path, format!("the state of {site} fails its checksum"), DROP_SITE);
        }
        if repair && !sites.is_empty() {
            Values::open(&path)?.remove(&sites)?;
        }
        Ok(())
    }

    fn journals(&mut self, repair: bool) -> Result<(), StoreError> {
        let mut expected = None;
        let mut is_cut = false;
        for number in self.folder.journals()? {
            let path = self.folder.journal(number);
            if is_cut {
                if repair {
                    fs::remove_file(&path).map_err(StoreError::io(&path))?;
                }
                continue;
            }
            let contents = journal::read(&path, number)?;
            let mut keep = contents.is_damaged.then_some(contents.end);
            let mut what = format!("no page can be read at byte {}", contents.end);
            for frame in &contents.frames {
                if let Some(expected) = expected.filter(|expected| *expected != frame.first) {
                    (keep, what) = (Some(0), format!("page {expected} is missing"));
                    break;
                }
                expected = Some(frame.next());
            }
            if let Some(length) = keep {
                self.fault(&path, what, CUT_JOURNAL);
                is_cut = true;
                if repair {
                    let cut = File::options().write(true).open(&path).and_then(|file| {
                        file.set_len(length)?;
                        file.sync_all()
                    });
                    cut.map_err(StoreError::io(&path))?;
                }
            }
        }
        Ok(())
    }

    fn pending(&mut self, repair: bool) -> Result<(), StoreError> {
        match Pending::read(&self.folder) {
            Err(StoreError::Damaged { path, what }) => {
                self.fault(&path, what, DROP_PENDING);
                if repair { pending::delete(&path) } else { Ok(()) }
            }
            read => read.map(drop),
        }
    }
}

/// The result of checking a usable database.
struct DatabaseCheck {
    /// Whether the database itself was intact.
    was_intact: bool,
    damaged_sites: Vec<String>,
}

/// Checks a database, or returns why it cannot be used. A repair lets the database repair itself.
///
/// The database library assumes an intact file and may panic on a damaged one. That must not end the program.
fn check_database(path: &Path, method: &FollowMethod, repair: bool) -> Result<DatabaseCheck, String> {
    let check_database = || check_values(&mut Values::open_to_check(path, repair)?, method);
    let found = caught::catch(check_database).ok_or("the database cannot be read")?;
    found.map_err(|error| error.to_string())
}

fn check_values(values: &mut Values, method: &FollowMethod) -> Result<DatabaseCheck, StoreError> {
    let was_intact = values.check()?;
    Ok(DatabaseCheck { was_intact, damaged_sites: values.damaged_sites(method)? })
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::*;
    use crate::values::{Summary, Value};

    fn value(site: &str) -> Value {
        let summary = Summary { last: 1, entries: 0, bytes: 0, oldest: None, newest: None };
        Value::new(site.to_owned(), &FollowMethod::default().begin(), summary, &FollowMethod::default())
    }

    #[test]
    fn a_database_that_brings_itself_into_order_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables.redb");
        let mut values = Values::open(&path).unwrap();
        let method = FollowMethod::default();
        values.write(&[value("old.example")]).unwrap();
        values.write(&[value("new.example")]).unwrap();
        // Damage the pages that the last transaction wrote.
        let (bytes, name) = (fs::read(&path).unwrap(), b"new.example");
        let mut file = File::options().write(true).open(&path).unwrap();
        for (at, _) in bytes.windows(name.len()).enumerate().filter(|(_, window)| window == name) {
            file.seek(SeekFrom::Start(at as u64)).unwrap();
            file.write_all(b"X").unwrap();
        }
        let found = check_values(&mut values, &method).unwrap();
        assert!(!found.was_intact);
        assert_eq!(found.damaged_sites, [""; 0]);
        assert!(values.get("old.example", &method).unwrap().is_some());
        assert!(values.get("new.example", &method).unwrap().is_none());
        assert!(check_values(&mut values, &method).unwrap().was_intact);
    }
}
