//! The input files, by the file names in an index.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use unframe::{Origin, Problem};

use super::choose::ChooseError;
use crate::input::{Entry, entries};
use crate::remote;

/// The inputs, with the files in those that are folders.
#[derive(Default)]
pub(super) struct InputFiles {
    files: Vec<PathBuf>,
    by_name: HashMap<String, Vec<usize>>,
    /// The first folder on another machine. It is not listed, because the index names its files.
    base: Option<String>,
    /// The files of that folder that the index names.
    base_files: HashMap<String, usize>,
    /// Problems of folders.
    problems: Vec<(Origin, Problem)>,
}

impl InputFiles {
    pub(super) fn new(inputs: &[PathBuf]) -> Result<InputFiles, ChooseError> {
        let mut all = InputFiles::default();
        for input in inputs {
            let unreadable = |source| ChooseError::Unreadable { path: input.clone(), source };
            if let Some(address) = remote::address(input) {
                remote::check(address).map_err(unreadable)?;
                match address.ends_with('/') {
                    true => all.base = all.base.or_else(|| Some(address.to_owned())),
                    false => _ = all.add(input.clone()),
                }
                continue;
            }
            match fs::metadata(input).map_err(unreadable)?.is_dir() {
                false => _ = all.add(input.clone()),
                true => entries(input).for_each(|entry| all.add_entry(entry)),
            }
        }
        Ok(all)
    }

    /// Adds an entry of a folder by the same rules as without an index.
    fn add_entry(&mut self, entry: Entry) {
        match entry {
            Entry::File(path) => _ = self.add(path),
            Entry::Bad(path, problem) => {
                let origin = Origin { file: path.to_string_lossy().into(), offset: 0 };
                self.problems.push((origin, problem));
            }
            Entry::Skipped(..) => {}
        }
    }

    fn add(&mut self, file: PathBuf) -> usize {
        let number = self.files.len();
        self.by_name.entry(last_part(&file.to_string_lossy()).to_owned()).or_default().push(number);
        self.files.push(file);
        number
    }

    /// The index of the file with a `name` from an index. Of several files with the same name, it is the one whose folders match as well.
    pub(super) fn find(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = self.base_files.get(name) {
            return Some(*number);
        }
        if let Some(candidates) = self.by_name.get(last_part(name)) {
            let exact = candidates.iter().find(|file| self.files[**file].ends_with(name));
            return exact.or(candidates.first()).copied();
        }
        let address = format!("{}{}", self.base.as_ref()?, name.trim_start_matches('/'));
        let number = self.files.len();
        self.files.push(address.into());
        self.base_files.insert(name.to_owned(), number);
        Some(number)
    }

    pub(super) fn take_problems(&mut self) -> Vec<(Origin, Problem)> {
        std::mem::take(&mut self.problems)
    }

    pub(super) fn into_files(self) -> Vec<PathBuf> {
        self.files
    }
}

pub(super) fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        let mut all = InputFiles::default();
        for file in ["x/1/a.warc.gz", "x/2/a.warc.gz", "b.warc.gz"] {
            all.add(file.into());
        }
        assert_eq!(all.find("2/a.warc.gz"), Some(1));
        assert_eq!(all.find("3/a.warc.gz"), Some(0));
        assert_eq!(all.find("crawl/b.warc.gz"), Some(2));
        assert_eq!(all.find("c.warc.gz"), None);
        all.base = Some("https://data.example/".to_owned());
        assert_eq!(all.find("crawl/c.warc.gz"), Some(3));
        assert_eq!(all.find("/crawl/d.warc.gz"), Some(4));
        assert_eq!(all.find("crawl/c.warc.gz"), Some(3));
        let expected = ["https://data.example/crawl/c.warc.gz", "https://data.example/crawl/d.warc.gz"];
        assert_eq!(all.into_files()[3..], expected.map(PathBuf::from));
    }
}
