//! Opens and reads the files of indexes.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use unframe::{Origin, Problem};

use crate::remote;

/// Opens an index, which may be on another machine.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let file: Box<dyn Read> = match remote::address(path) {
        Some(address) => remote::open(address, None)?,
        None => Box::new(File::open(path)?),
    };
    let mut file = BufReader::new(file);
    match file.fill_buf()?.starts_with(b"\x1f\x8b") {
        true => Ok(Box::new(MultiGzDecoder::new(file))),
        false => Ok(Box::new(file)),
    }
}

/// Opens a range of a file (end exclusive).
pub(super) fn open_range(path: &Path, start: u64, end: u64) -> io::Result<Box<dyn Read>> {
    if let Some(address) = remote::address(path) {
        return Ok(remote::open(address, Some((start, end)))?);
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(Box::new(file.take(end.saturating_sub(start))))
}

/// The length of a file.
pub(super) fn length(path: &Path) -> io::Result<u64> {
    match remote::address(path) {
        Some(address) => remote::length(address),
        None => Ok(fs::metadata(path)?.len()),
    }
}

/// Reads a line, truncated to `length_max`, and returns its full length; `None` at the end.
pub(super) fn read_line(
    lines: &mut impl BufRead,
    line: &mut Vec<u8>,
    length_max: u64,
) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = lines.by_ref().take(length_max).read_until(b'\n', line)?;
    if length as u64 == length_max && !line.ends_with(b"\n") {
        length += lines.skip_until(b'\n')?;
    }
    Ok((length > 0).then_some(length as u64))
}

/// Unusable lines of an index.
#[derive(Default)]
pub(super) struct BadLines {
    count: u64,
    first: Option<(u64, &'static str)>,
}

impl BadLines {
    pub(super) fn add(&mut self, offset: u64, why: &'static str) {
        self.count += 1;
        self.first.get_or_insert((offset, why));
    }

    pub(super) fn problem(self, path: &Path) -> Option<(Origin, Problem)> {
        let (offset, why) = self.first?;
        let message = match self.count {
            1 => why.to_owned(),
            count => format!("{why}; {} other lines cannot be used either", count - 1),
        };
        let origin = Origin { file: path.to_string_lossy().into(), offset };
        Some((origin, Problem::new("bad-index", message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let (mut lines, mut line) = ("aaaaaaaaa\nb\n".as_bytes(), Vec::new());
        assert_eq!(read_line(&mut lines, &mut line, 4).unwrap(), Some(10));
        assert_eq!(line, b"aaaa");
        assert_eq!(read_line(&mut lines, &mut line, 4).unwrap(), Some(2));
        assert_eq!(line, b"b\n");
        assert_eq!(read_line(&mut lines, &mut line, 4).unwrap(), None);
    }
}
