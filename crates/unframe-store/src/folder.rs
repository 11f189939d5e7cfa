//! The folder of a store: the names of its files, the lock, the version and the method.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;
use unframe::detect::FollowMethod;

/// The version of the format that is written and read.
pub(crate) const FORMAT: u32 = 3;

/// A folder that this process has locked for writing.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    lock: File,
    /// The process that holds the lock. A fork of that process inherits the file, but not the lock.
    process: u32,
}

impl Drop for Folder {
    /// Closing the file is not enough: a forked child keeps the file open, and so locked, until it executes another program.
    fn drop(&mut self) {
        if self.process == std::process::id() {
            let _ = self.lock.unlock();
        }
    }
}

impl Folder {
    /// Locks a folder, and creates it if it does not exist.
    pub(crate) fn lock(path: &Path) -> Result<Folder, StoreError> {
        fs::create_dir_all(path).map_err(StoreError::io(path))?;
        let lock_path = path.join("lock");
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut lock = options.open(&lock_path).map_err(StoreError::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                let _ = lock.read_to_string(&mut by);
                let by = if by.is_empty() { "another process".to_owned() } else { by.trim().to_owned() };
                return Err(StoreError::InUse { folder: path.to_owned(), by });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io(&lock_path)(error)),
        }
        let process = std::process::id();
        let named = lock.set_len(0).and_then(|()| writeln!(lock, "process {process}"));
        named.map_err(StoreError::io(&lock_path))?;
        Ok(Folder { path: path.to_owned(), lock, process })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The database.
    pub(crate) fn tables(&self) -> PathBuf {
        self.path.join("tables.redb")
    }

    /// The list of pages that were not acknowledged.
    pub(crate) fn pending(&self) -> PathBuf {
        self.path.join("pending")
    }

    /// The path of the journal with this number.
    pub(crate) fn journal(&self, number: u64) -> PathBuf {
        journal(&self.path, number)
    }

    /// The numbers of the existing journals, ascending.
    pub(crate) fn journals(&self) -> Result<Vec<u64>, StoreError> {
        journals(&self.path)
    }

    /// The number of the last page that was acknowledged.
    pub(crate) fn acknowledged(&self) -> Result<u64, StoreError> {
        let path = self.path.join("acknowledged");
        match fs::read(&path) {
            Ok(bytes) => Ok(bytes.try_into().map_or(0, u64::from_le_bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(StoreError::io(&path)(error)),
        }
    }

    /// Saves the number of the last acknowledged page. The write need not be durable: if it is lost, pages are only reported as
    /// unacknowledged once more.
    pub(crate) fn write_acknowledged(&self, number: u64) -> Result<(), StoreError> {
        let path = self.path.join("acknowledged");
        let mut file = File::options().write(true).create(true).truncate(false).open(&path);
        let written = file.as_mut().map_err(|error| error.kind().into());
        written.and_then(|file| file.write_all(&number.to_le_bytes())).map_err(StoreError::io(&path))
    }

    /// Replaces a file durably. After a crash, it has either its old or its new contents.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let draft = path.with_extension("part");
        let written = File::create(&draft).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&draft, path)).map_err(StoreError::io(path))?;
        self.sync()
    }

    /// Makes the directory entries of new files durable.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        // Windows cannot open folders as files, and makes directory entries durable without it.
        #[cfg(unix)]
        File::open(&self.path).and_then(|folder| folder.sync_all()).map_err(StoreError::io(&self.path))?;
        Ok(())
    }

    /// Checks the version and the method, or writes them into a new folder.
    pub(crate) fn check_method(&self, method: &FollowMethod) -> Result<(), StoreError> {
        let asked = method.to_string();
        match saved_method(&self.path)? {
            Some(saved) if saved == asked => Ok(()),
            Some(saved) => Err(StoreError::Settings { folder: self.path.clone(), saved, asked }),
            None => self
                .replace(&self.path.join("state"), format!("unframe state {FORMAT}\n{asked}\n").as_bytes()),
        }
    }
}

/// The path of the journal with this number in a folder.
pub(crate) fn journal(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("journal-{number:08}"))
}

/// The numbers of the journals in a folder, ascending.
pub(crate) fn journals(folder: &Path) -> Result<Vec<u64>, StoreError> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::io(folder))? {
        let name = entry.map_err(StoreError::io(folder))?.file_name();
        let number = |name: &str| name.strip_prefix("journal-")?.parse::<u64>().ok();
        numbers.extend(name.to_str().and_then(number));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Total size of the files in a folder, in bytes.
pub(crate) fn bytes(folder: &Path) -> Result<u64, StoreError> {
    let entries = fs::read_dir(folder).map_err(StoreError::io(folder))?.flatten();
    Ok(entries.map(|entry| entry.metadata().map_or(0, |metadata| metadata.len())).sum())
}

/// The method and the parameters with which the state in a folder was created, in the syntax of [`unframe::detect::parse`]. `None` if
/// there is no state.
///
/// # Errors
/// If the folder has another version of the format, or is not a state.
pub fn saved_method(folder: &Path) -> Result<Option<String>, StoreError> {
    let path = folder.join("state");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return check_empty(folder),
        Err(error) => return Err(StoreError::io(&path)(error)),
    };
    let mut lines = text.lines();
    let version = lines.next().and_then(|line| line.strip_prefix("unframe state ")?.parse::<u32>().ok());
    match (version, lines.next()) {
        (Some(found), _) if found > FORMAT => {
            Err(StoreError::Future { folder: folder.to_owned(), found, known: FORMAT })
        }
        (Some(found), _) if found < FORMAT => {
            Err(StoreError::Past { folder: folder.to_owned(), found, known: FORMAT })
        }
        (Some(_), Some(method)) => Ok(Some(method.to_owned())),
        _ => Err(StoreError::damaged(&path, "it does not name a version and a method")),
    }
}

/// Checks that a folder without a `state` has no other files.
fn check_empty(folder: &Path) -> Result<Option<String>, StoreError> {
    let is_ours = |name: &str| name == "lock" || name == "state.part";
    let others = fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_str().is_none_or(|name| !is_ours(name)))
    });
    if others { Err(StoreError::NotAState { folder: folder.to_owned() }) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_free_when_it_is_dropped_though_a_forked_child_has_its_lock_open() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::lock(place.path()).unwrap();
        assert!(matches!(Folder::lock(place.path()), Err(StoreError::InUse { .. })));
        let of_child = folder.lock.try_clone().unwrap();
        drop(folder);
        let folder = Folder::lock(place.path()).unwrap();
        drop(of_child);
        assert!(matches!(Folder::lock(place.path()), Err(StoreError::InUse { .. })));
        drop(folder);
    }
}
