//! Partitions: a folder for each site, or for each hash value of sites, with files of pages. Folders are named as in Hive and as Spark,
//! DuckDB and Polars expect (`site=example.com/part-0.parquet`).
//!
//! The number of open files is limited. If another one is needed, the least recently used one is completed. If its partition occurs again,
//! it gets another file.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use xxhash_rust::xxh3::xxh3_64;

use super::target::{Target, UnfinishedFolder};
use super::{CleanPage, PageWriter, WriteOptions, writer_of};
use crate::limits::{OPEN_PARTITIONS_MAX, PARTITION_FILES_MAX, PARTITIONED_BYTES_MAX, ROW_GROUP_BYTES_MAX};

/// How pages are assigned to folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartitionBy {
    /// By the page's site.
    Site,
    /// By the hash of the page's site, into this number of folders.
    Hash(u16),
}

impl PartitionBy {
    /// The name of a page's folder.
    fn folder(self, site: &str) -> String {
        match self {
            PartitionBy::Site if site.is_empty() => "site=__HIVE_DEFAULT_PARTITION__".to_owned(),
            PartitionBy::Site => format!("site={}", file_name(site)),
            PartitionBy::Hash(parts) => {
                format!("hash={}", xxh3_64(site.as_bytes()) % u64::from(parts.max(1)))
            }
        }
    }

    /// The maximum number of open files.
    fn open_max(self) -> usize {
        match self {
            PartitionBy::Site => OPEN_PARTITIONS_MAX,
            PartitionBy::Hash(parts) => usize::from(parts).clamp(1, OPEN_PARTITIONS_MAX),
        }
    }
}

/// The error for an unknown partitioning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a partitioning: choose site or hash:N, with N from 1 to {OPEN_PARTITIONS_MAX}")]
pub struct UnknownPartition(String);

impl FromStr for PartitionBy {
    type Err = UnknownPartition;

    fn from_str(text: &str) -> Result<PartitionBy, UnknownPartition> {
        let parts = text.strip_prefix("hash:").and_then(|parts| parts.parse::<u16>().ok());
        match (text, parts) {
            ("site", _) => Ok(PartitionBy::Site),
            (_, Some(parts)) if (1..=OPEN_PARTITIONS_MAX).contains(&usize::from(parts)) => {
                Ok(PartitionBy::Hash(parts))
            }
            _ => Err(UnknownPartition(text.to_owned())),
        }
    }
}

impl fmt::Display for PartitionBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartitionBy::Site => f.write_str("site"),
            PartitionBy::Hash(parts) => write!(f, "hash:{parts}"),
        }
    }
}

/// Writes pages into the files of their partitions.
pub(super) struct Partitions {
    folder: UnfinishedFolder,
    options: WriteOptions,
    by: PartitionBy,
    /// The open files, with the most recently used one at the end.
    open: Vec<Part>,
    /// The number of files in each folder.
    counts: HashMap<String, usize>,
    files: usize,
    files_max: usize,
}

struct Part {
    folder: String,
    writer: Box<dyn PageWriter>,
}

impl Partitions {
    pub(super) fn create(options: WriteOptions, by: PartitionBy, path: &Path) -> io::Result<Partitions> {
        if options.format.is_folder() {
            let message = "HTML has a folder for each site already: it cannot be partitioned";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Partitions {
            folder: UnfinishedFolder::create(path)?,
            options,
            by,
            open: Vec::new(),
            counts: HashMap::new(),
            files: 0,
            files_max: PARTITION_FILES_MAX,
        })
    }

    /// Opens the file of a page, or moves it to the end of the open files.
    fn select(&mut self, folder: String) -> io::Result<()> {
        if let Some(place) = self.open.iter().position(|part| part.folder == folder) {
            self.open[place..].rotate_left(1);
            return Ok(());
        }
        if self.open.len() >= self.by.open_max() {
            self.open.remove(0).writer.finish()?;
        }
        let writer = self.new_file(&folder)?;
        self.open.push(Part { folder, writer });
        Ok(())
    }

    fn new_file(&mut self, folder: &str) -> io::Result<Box<dyn PageWriter>> {
        if self.files == self.files_max {
            let message = format!(
                "there would be more than {} files: partition by hash:N, or bring the pages of each site together first",
                self.files_max
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.files += 1;
        let count = self.counts.entry(folder.to_owned()).or_default();
        let name = format!("part-{count}.{}", self.options.format.extension());
        *count += 1;
        let place = self.folder.path().join(folder);
        // Do not create parents: when an interrupted program has removed them, they must not reappear.
        match fs::create_dir(&place) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        let is_gzip = name.ends_with(".gz");
        let bytes = (PARTITIONED_BYTES_MAX / self.by.open_max()).min(ROW_GROUP_BYTES_MAX);
        writer_of(self.options.clone(), Target::file(&place.join(name))?, is_gzip, bytes)
    }
}

impl PageWriter for Partitions {
    fn write(&mut self, page: &CleanPage) -> io::Result<()> {
        self.select(self.by.folder(&page.site))?;
        match self.open.last_mut() {
            Some(part) => part.writer.write(page),
            None => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        for part in std::mem::take(&mut self.open) {
            part.writer.finish()?;
        }
        self.folder.finish()
    }

    fn unfinished(&self) -> Option<&Path> {
        Some(self.folder.path())
    }
}

/// Characters that Hive escapes in folder names.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'\'')
    .add(b'*')
    .add(b'/')
    .add(b':')
    .add(b'=')
    .add(b'?')
    .add(b'\\')
    .add(b'{')
    .add(b'[')
    .add(b']')
    .add(b'^');

/// Shorter than the limit of any file system, including `site=`.
const NAME_BYTES_MAX: usize = 200;

/// A site as part of a folder's name. The end of a long name is replaced by a hash of the whole name.
fn file_name(site: &str) -> String {
    let name = utf8_percent_encode(site, ESCAPED).to_string();
    if name.len() <= NAME_BYTES_MAX {
        return name;
    }
    format!("{}-{:016x}", &name[..NAME_BYTES_MAX - 17], xxh3_64(site.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::OutputFormat;

    #[test]
    fn ways_to_partition() {
        assert_eq!("site".parse(), Ok(PartitionBy::Site));
        assert_eq!("hash:16".parse(), Ok(PartitionBy::Hash(16)));
        for bad in ["", "hash", "hash:0", "hash:257", "hash:x", "date"] {
            assert!(bad.parse::<PartitionBy>().is_err(), "{bad}");
        }
        assert_eq!("hash:256".parse::<PartitionBy>().unwrap().to_string(), "hash:256");
    }

    #[test]
    fn there_are_so_many_files_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut partitions = Partitions::create(OutputFormat::Text.into(), PartitionBy::Site, &path).unwrap();
        partitions.files_max = 1;
        partitions.select("site=a".to_owned()).unwrap();
        let error = partitions.select("site=b".to_owned()).unwrap_err().to_string();
        assert!(error.starts_with("there would be more than 1 files: partition by hash:N"), "{error}");
    }

    #[test]
    fn names_of_folders() {
        let name = |site: &str| PartitionBy::Site.folder(site);
        assert_eq!(name("example.com"), "site=example.com");
        assert_eq!(name("example.com:8080/a"), "site=example.com%3A8080%2Fa");
        assert_eq!(name(".."), "site=..");
        assert_eq!(name(""), "site=__HIVE_DEFAULT_PARTITION__");
        assert_eq!(name(&"é".repeat(500)).len(), 205);
        assert_eq!(PartitionBy::Hash(1).folder("example.com"), "hash=0");
    }
}
