//! Finds the records that an index lists in the input files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use unframe::{Origin, Problem};

use super::files::{self, BadLines, open, read_line};
use super::filter::{Filter, accept, prefixes};
use super::inputs::InputFiles;
use super::line::{CdxColumns, Entry, parse};
use super::{wat, zipnum};
use crate::limits::{CDX_LINE_BYTES_MAX, CDX_RECORDS_MAX, WAT_LINE_BYTES_MAX};

/// Records that an index lists and whose files are among the inputs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen {
    /// Record locations by input, in the order of the inputs and of the locations in each file.
    places: BTreeMap<usize, Vec<(u64, u64)>>,
    files: Vec<PathBuf>,
    /// The number of selected records in files that are not among the inputs.
    pub elsewhere: u64,
    /// Problems of folders and indexes. For each index with unusable lines there is one problem, with the position of the first such line.
    pub problems: Vec<(Origin, Problem)>,
}

/// The location of a record.
pub(crate) struct RecordLocation<'c> {
    pub(crate) file: &'c Path,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

impl Chosen {
    /// The number of selected records.
    pub fn records(&self) -> usize {
        self.places.values().map(Vec::len).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.places.values().flatten().map(|(_, length)| length).sum()
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = RecordLocation<'_>> {
        self.places.iter().flat_map(|(file, places)| {
            let file = self.files[*file].as_path();
            places.iter().map(move |(offset, length)| RecordLocation {
                file,
                offset: *offset,
                length: *length,
            })
        })
    }
}

/// Why no records could be selected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChooseError {
    /// An index or an input cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The index belongs to other files.
    #[error(
        "{records} records of the index are selected, but none of their files is among the inputs, for example {example}. Name these files, or their folder, as inputs"
    )]
    Elsewhere {
        /// The number of selected records.
        records: u64,
        /// The name of one of their files.
        example: String,
    },
    /// More records are selected than the limit allows.
    #[error(
        "more than {CDX_RECORDS_MAX} records are selected: select fewer with --cdx-filter, or split the index"
    )]
    TooMany,
}

/// Reads indexes, and finds the files that they name among `inputs` by file name.
///
/// An index may be compressed with gzip, it may be the `cluster.idx` of an index in several parts, and it may be a WAT file. Indexes and inputs may be on other
/// machines. An input whose address ends with a slash is the folder that the file names in the index are relative to.
pub fn choose(indexes: &[PathBuf], inputs: &[PathBuf], filters: &[Filter]) -> Result<Chosen, ChooseError> {
    let mut selection = Selection::new(InputFiles::new(inputs)?, filters);
    for path in indexes {
        selection.index(path)?;
    }
    selection.finish()
}

/// The selection while indexes are read.
struct Selection<'f> {
    chosen: Chosen,
    files: InputFiles,
    filters: &'f [Filter],
    records: usize,
    records_max: usize,
    example: String,
    /// The starts of all records, by input, that an index lists without lengths: a record ends where the next one starts.
    starts: BTreeMap<usize, BTreeSet<u64>>,
}

impl Selection<'_> {
    fn new(mut files: InputFiles, filters: &[Filter]) -> Selection<'_> {
        let chosen = Chosen { problems: files.take_problems(), ..Chosen::default() };
        let (records_max, example, starts) = (CDX_RECORDS_MAX, String::new(), BTreeMap::new());
        Selection { chosen, files, filters, records: 0, records_max, example, starts }
    }

    fn index(&mut self, path: &Path) -> Result<(), ChooseError> {
        let unreadable = |source| ChooseError::Unreadable { path: path.to_owned(), source };
        let mut lines = BufReader::new(open(path).map_err(unreadable)?);
        if !zipnum::is_first_line(first_line(lines.fill_buf().map_err(unreadable)?)) {
            return self.lines(path, lines, None);
        }
        let prefixes = prefixes(self.filters);
        for block in zipnum::blocks(path, prefixes.as_deref()).map_err(unreadable)? {
            let unreadable = |source| ChooseError::Unreadable { path: block.file.clone(), source };
            let lines = BufReader::new(block.open().map_err(unreadable)?);
            self.lines(&block.file, lines, Some(block.offset))?;
        }
        Ok(())
    }

    /// Adds all lines. `block` is their position in the file, if they are only a part of it.
    fn lines(&mut self, path: &Path, mut lines: impl BufRead, block: Option<u64>) -> Result<(), ChooseError> {
        let unreadable = |source| ChooseError::Unreadable { path: path.to_owned(), source };
        let is_wat = wat::is_first_line(first_line(lines.fill_buf().map_err(unreadable)?));
        let length_max = if is_wat { WAT_LINE_BYTES_MAX } else { CDX_LINE_BYTES_MAX };
        let mut columns = CdxColumns::default();
        let (mut line, mut offset) = (Vec::new(), 0);
        let mut bad = BadLines::default();
        while let Some(length) = read_line(&mut lines, &mut line, length_max).map_err(unreadable)? {
            let line = String::from_utf8_lossy(&line);
            match if is_wat { wat::parse(&line) } else { entry(&line, &mut columns) } {
                Some(Ok(entry)) => self.add(entry)?,
                Some(Err(why)) => bad.add(block.unwrap_or(offset), why),
                None => {}
            }
            offset += length;
        }
        self.chosen.problems.extend(bad.problem(path));
        Ok(())
    }

    /// Adds the record of an entry, if the filters accept it.
    fn add(&mut self, entry: Entry<'_>) -> Result<(), ChooseError> {
        let is_accepted = accept(self.filters, &entry);
        if !is_accepted && entry.length.is_some() {
            return Ok(());
        }
        let Some(file) = self.files.find(&entry.file) else {
            if !is_accepted {
                return Ok(());
            }
            if self.chosen.elsewhere == 0 {
                self.example = entry.file.into_owned();
            }
            self.chosen.elsewhere += 1;
            return Ok(());
        };
        self.records += 1;
        if self.records > self.records_max {
            return Err(ChooseError::TooMany);
        }
        if entry.length.is_none() {
            self.starts.entry(file).or_default().insert(entry.offset);
        }
        if is_accepted {
            self.chosen.places.entry(file).or_default().push((entry.offset, entry.length.unwrap_or(UNKNOWN)));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Chosen, ChooseError> {
        if self.records == 0 && self.chosen.elsewhere > 0 {
            return Err(ChooseError::Elsewhere { records: self.chosen.elsewhere, example: self.example });
        }
        self.chosen.files = self.files.into_files();
        for (file, places) in &mut self.chosen.places {
            if let Some(starts) = self.starts.get(file) {
                measure(places, starts, &self.chosen.files[*file])?;
            }
            places.sort_unstable();
            places.dedup();
        }
        Ok(self.chosen)
    }
}

/// The length of a record until its end is known.
const UNKNOWN: u64 = u64::MAX;

/// Ends the records of unknown length where the next one starts, or where the file ends.
fn measure(places: &mut [(u64, u64)], starts: &BTreeSet<u64>, file: &Path) -> Result<(), ChooseError> {
    let unreadable = |source| ChooseError::Unreadable { path: file.to_owned(), source };
    let mut end = None;
    for (offset, length) in places.iter_mut().filter(|(_, length)| *length == UNKNOWN) {
        let next = starts.range(offset.saturating_add(1)..).next().copied();
        let next = match (next, end) {
            (Some(next), _) => next,
            (None, Some(end)) => end,
            (None, None) => *end.insert(files::length(file).map_err(unreadable)?),
        };
        *length = next.saturating_sub(*offset);
    }
    Ok(())
}

/// The entry of a line of a CDX or CDXJ file, or why the line is unusable; `None` for headers and comments.
fn entry<'l>(line: &'l str, columns: &mut CdxColumns) -> Option<Result<Entry<'l>, &'static str>> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('!') {
        return None;
    }
    if let Some(named) = CdxColumns::of_header(line) {
        *columns = named;
        return None;
    }
    Some(parse(line, columns))
}

fn first_line(start: &[u8]) -> &[u8] {
    start.split(|b| *b == b'\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::cdx::inputs::last_part;

    fn line(file: &str, offset: u64) -> String {
        format!(
            "com,example)/ 20260131120000 {{\"url\":\"http://example.com/\",\"length\":\"5\",\"offset\":\"{offset}\",\"filename\":\"{file}\"}}\n"
        )
    }

    fn places(chosen: &Chosen) -> Vec<(String, u64)> {
        chosen
            .places()
            .map(|place| (last_part(&place.file.to_string_lossy()).to_owned(), place.offset))
            .collect()
    }

    #[test]
    fn places_are_in_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.warc.gz", "b.warc.gz"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let lines = [
            line("crawl/b.warc.gz", 3),
            line("crawl/a.warc.gz", 9),
            line("crawl/a.warc.gz", 2),
            line("crawl/a.warc.gz", 9),
            line("crawl/c.warc.gz", 1),
            "garbage\n".to_owned(),
        ];
        let index = folder.path().join("index.cdxj.gz");
        let mut gzip = GzEncoder::new(File::create(&index).unwrap(), Compression::default());
        gzip.write_all(lines.concat().as_bytes()).unwrap();
        gzip.finish().unwrap();
        let chosen = choose(&[index], &[folder.path().to_owned()], &[]).unwrap();
        let expected = [("a.warc.gz", 2), ("a.warc.gz", 9), ("b.warc.gz", 3)];
        assert_eq!(places(&chosen), expected.map(|(file, offset)| (file.to_owned(), offset)));
        assert_eq!((chosen.elsewhere, chosen.bytes()), (1, 15));
        let (origin, problem) = &chosen.problems[0];
        assert_eq!(
            (origin.offset, problem.code, chosen.problems.len()),
            (lines[..5].concat().len() as u64, "bad-index", 1)
        );
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_walked_as_without_an_index() {
        use std::os::unix::fs::symlink;

        let [folder, outside] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let root = folder.path();
        fs::create_dir(root.join(".store")).unwrap();
        for path in [root.join(".store/1"), root.join(".hidden.warc"), outside.path().join("c.warc")] {
            fs::write(path, "").unwrap();
        }
        symlink(".store/1", root.join("a.warc")).unwrap();
        symlink(outside.path().join("c.warc"), root.join("b.warc")).unwrap();
        let index = outside.path().join("index.cdxj");
        fs::write(&index, [line("a.warc", 1), line("b.warc", 2), line(".hidden.warc", 3)].concat()).unwrap();
        let chosen = choose(&[index], &[root.to_owned()], &[]).unwrap();
        assert_eq!((places(&chosen), chosen.elsewhere), (vec![("a.warc".to_owned(), 1)], 2));
        let codes: Vec<&str> = chosen.problems.iter().map(|(_, problem)| problem.code).collect();
        assert_eq!(codes, ["outside-link"]);
    }

    #[test]
    fn so_many_records_are_chosen_and_no_more() {
        let file = tempfile::Builder::new().suffix(".warc.gz").tempfile().unwrap();
        let files = InputFiles::new(&[file.path().to_owned()]).unwrap();
        let mut selection = Selection { records_max: 2, ..Selection::new(files, &[]) };
        let name = file.path().to_string_lossy();
        let mut add = |offset| {
            let line = line(&name, offset);
            selection.add(parse(&line, &CdxColumns::default()).unwrap())
        };
        assert!(add(1).is_ok() && add(2).is_ok());
        assert!(matches!(add(3), Err(ChooseError::TooMany)));
    }

    #[test]
    fn records_without_a_length_end_where_the_next_one_starts() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.arc"), [b' '; 100]).unwrap();
        let line = |host: &str, at: u64| {
            format!("com,{host})/ 20260131120000 http://{host}.com/ text/html 200 X - {at} a.arc\n")
        };
        let index = folder.path().join("index.cdx");
        let header = " CDX N b a m s k r V g\n".to_owned();
        fs::write(&index, [header, line("a", 70), line("b", 40), line("a", 10), line("a", 40)].concat())
            .unwrap();
        let filters = ["host=a.com".parse().unwrap()];
        let chosen = choose(&[index], &[folder.path().to_owned()], &filters).unwrap();
        let lengths: Vec<_> = chosen.places().map(|place| (place.offset, place.length)).collect();
        assert_eq!(lengths, [(10, 30), (40, 30), (70, 30)]);
        assert!(chosen.problems.is_empty(), "{:?}", chosen.problems);
    }

    #[test]
    fn an_index_of_other_files_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index.cdxj");
        fs::write(&index, line("crawl/c.warc.gz", 1)).unwrap();
        let error =
            choose(std::slice::from_ref(&index), &[folder.path().to_owned()], &[]).unwrap_err().to_string();
        assert!(error.contains("among the inputs, for example crawl/c.warc.gz."), "{error}");
        let filters = ["host=other.example".parse().unwrap()];
        assert_eq!(choose(&[index], &[folder.path().to_owned()], &filters).unwrap().records(), 0);
    }
}
