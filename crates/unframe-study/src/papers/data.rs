//! The data for the experiments: folders of gold data and dated crawls.

use std::fs;
use std::path::{Path, PathBuf};

use super::PapersError;
use crate::gold::{GoldError, GoldFolder, GoldKind};

/// The folder of gold texts that is preferred if there are several.
const TEXTS: &str = "sites";
/// The name of the folder of dated crawls.
const SNAPSHOTS: &str = "snapshots";

/// The data that were found in a folder.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// A folder of gold texts.
    pub texts: Option<PathBuf>,
    /// A folder of gold values: catalogues.
    pub values: Option<PathBuf>,
    /// Crawls with several versions of pages.
    pub snapshots: Vec<PathBuf>,
}

impl Data {
    /// Finds gold data in a folder itself or in its subfolders. If several have gold texts, `sites` is taken, else the first by name.
    /// Dated crawls are the WARC files in `snapshots`.
    ///
    /// # Errors
    /// If the folder cannot be read, or holds no data.
    pub fn find(folder: &Path) -> Result<Data, PapersError> {
        let mut data = Data { snapshots: crawls(&folder.join(SNAPSHOTS)), ..Data::default() };
        let mut folders = folders_in(folder)?;
        folders.sort_by_key(|path| (!path.ends_with(TEXTS), path.clone()));
        for path in std::iter::once(folder.to_owned()).chain(folders) {
            let place = match GoldFolder::open(&path) {
                Ok(GoldFolder { kind: GoldKind::Text, .. }) => &mut data.texts,
                Ok(GoldFolder { kind: GoldKind::Values, .. }) => &mut data.values,
                Err(_) => continue,
            };
            place.get_or_insert(path);
        }
        match data.texts.is_none() && data.values.is_none() && data.snapshots.is_empty() {
            true => Err(PapersError::Gold(GoldError::NoGold { path: folder.to_owned() })),
            false => Ok(data),
        }
    }
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, PapersError> {
    let unreadable = |source| GoldError::Unreadable { path: folder.to_owned(), source };
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// The WARC files of a folder, by name; none if it does not exist.
fn crawls(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_crawl = |path: &PathBuf| path.to_string_lossy().ends_with(".warc.gz");
    let mut files: Vec<PathBuf> = entries.filter(is_crawl).collect();
    files.sort();
    files
}
