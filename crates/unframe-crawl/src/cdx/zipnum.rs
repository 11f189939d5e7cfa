//! Indexes in several parts (zipnum): a small file, `cluster.idx`, has the first line and the location of every block of a large file such
//! as `cdx-00000.gz`. Blocks are gzip members, and all lines are sorted, so a few blocks are enough for one host.

use std::collections::BTreeSet;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::files::{self, read_line};
use super::inputs::last_part;
use crate::limits::{CDX_BLOCKS_MAX, CDX_LINE_BYTES_MAX};
use crate::remote;

/// The bytes that each step of the binary search reads.
const STEP_BYTES: u64 = 16 << 10;

/// A block of lines. Blocks are ordered by file and position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) file: PathBuf,
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Block {
    pub(super) fn open(&self) -> io::Result<Box<dyn Read>> {
        let end = self.offset.saturating_add(self.length);
        Ok(Box::new(MultiGzDecoder::new(BufReader::new(files::open_range(&self.file, self.offset, end)?))))
    }
}

/// Parses a line of `cluster.idx`: the key of a block's first line, and the location of the block.
fn parse<'l>(line: &'l str, index: &Path) -> Option<(&'l str, Block)> {
    let mut fields = line.trim_end().split('\t');
    let (key, part) = (fields.next()?, fields.next()?);
    let (offset, length) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let block = Block { file: sibling(index, last_part(part)), offset, length };
    (!part.is_empty()).then_some((key, block))
}

/// Whether a file with this first line is a `cluster.idx`.
pub(super) fn is_first_line(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| parse(line, Path::new("")).is_some())
}

/// The file with that name in the folder of another file.
fn sibling(file: &Path, name: &str) -> PathBuf {
    let Some(address) = remote::address(file) else { return file.with_file_name(name) };
    let without_query = address.split(['?', '#']).next().unwrap_or(address);
    let folder = without_query.rsplit_once('/').map_or(without_query, |(folder, _)| folder);
    format!("{folder}/{name}").into()
}

/// The blocks with keys that begin with one of the prefixes, possibly with a few others; all blocks if there are no prefixes.
pub(super) fn blocks(index: &Path, prefixes: Option<&[String]>) -> io::Result<BTreeSet<Block>> {
    let mut found = BTreeSet::new();
    match prefixes {
        None => each_line(files::open(index)?, index, |_, block| {
            found.insert(block);
            found.len() <= CDX_BLOCKS_MAX
        })?,
        Some(prefixes) => {
            let length = files::length(index)?;
            for prefix in prefixes {
                of_prefix(index, length, prefix, &mut found)?;
            }
        }
    }
    match found.len() > CDX_BLOCKS_MAX {
        true => Err(io::Error::other(format!(
            "it has more than {CDX_BLOCKS_MAX} blocks: choose some with --cdx-filter host=HOST or url=PREFIX"
        ))),
        false => Ok(found),
    }
}

fn of_prefix(index: &Path, length: u64, prefix: &str, found: &mut BTreeSet<Block>) -> io::Result<()> {
    let start = bisect(index, length, prefix)?;
    // The lines of a prefix may begin in the middle of a block.
    let mut before = None;
    each_line(files::open_range(index, start, length)?, index, |key, block| {
        if key < prefix {
            before = Some(block);
            return true;
        }
        let is_of_prefix = key.starts_with(prefix);
        found.extend(before.take());
        found.extend(is_of_prefix.then_some(block));
        is_of_prefix && found.len() <= CDX_BLOCKS_MAX
    })?;
    found.extend(before);
    Ok(())
}

/// The start of a line shortly before the first line whose key is at least `key`.
fn bisect(index: &Path, length: u64, key: &str) -> io::Result<u64> {
    let (mut low, mut high) = (0, length);
    while high - low > STEP_BYTES {
        let middle = low + (high - low) / 2;
        let mut bytes = Vec::new();
        files::open_range(index, middle, (middle + STEP_BYTES).min(length))?.read_to_end(&mut bytes)?;
        let next = memchr::memchr(b'\n', &bytes).map(|at| at + 1);
        let line = next.and_then(|at| bytes[at..].split(|b| *b == b'\n').next());
        match (next, line) {
            (Some(at), Some(line))
                if middle + (at as u64) < high && !line.is_empty() && line < key.as_bytes() =>
            {
                low = middle + at as u64;
            }
            _ => high = middle,
        }
    }
    Ok(low)
}

/// Calls a function for each line until it breaks. Unusable lines are skipped; their blocks count as part of the previous block.
fn each_line(
    lines: Box<dyn Read>,
    index: &Path,
    mut take: impl FnMut(&str, Block) -> bool,
) -> io::Result<()> {
    let mut lines = BufReader::new(lines);
    let mut line = Vec::new();
    while read_line(&mut lines, &mut line, CDX_LINE_BYTES_MAX)?.is_some() {
        let text = String::from_utf8_lossy(&line);
        if let Some((key, block)) = parse(&text, index)
            && !take(key, block)
        {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// An index of 3000 blocks: block n begins with host n, whose lines continue in the next block.
    fn index(folder: &Path) -> PathBuf {
        let line =
            |n: u64| format!("com,host{n:05})/ 20260101000000\tcdx-0000{}.gz\t{}\t7\t{n}\n", n % 3, n * 7);
        let path = folder.join("cluster.idx");
        fs::write(&path, (0..3000).map(line).collect::<String>()).unwrap();
        path
    }

    fn offsets(index: &Path, prefix: &str) -> Vec<u64> {
        let found = blocks(index, Some(&[prefix.to_owned()])).unwrap();
        let mut offsets: Vec<u64> = found.iter().map(|block| block.offset / 7).collect();
        offsets.sort_unstable();
        offsets
    }

    #[test]
    fn an_index_has_so_many_blocks_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let index = index(folder.path());
        assert_eq!(blocks(&index, None).unwrap().len(), CDX_BLOCKS_MAX);
        let one_more = "com,host03000)/ 20260101000000\tcdx-00000.gz\t21000\t7\t3000\n";
        fs::write(&index, fs::read_to_string(&index).unwrap() + one_more).unwrap();
        for prefixes in [None, Some(["com,".to_owned()].as_slice())] {
            let error = blocks(&index, prefixes).unwrap_err().to_string();
            assert!(error.contains("more than 3000 blocks: choose some with --cdx-filter"), "{error}");
        }
        assert_eq!(offsets(&index, "com,host02999)"), [2998, 2999]);
    }

    #[test]
    fn blocks_are_found_by_bisection() {
        let folder = tempfile::tempdir().unwrap();
        let index = index(folder.path());
        for n in [1, 2, 3, 1500, 2997, 2998, 2999] {
            assert_eq!(offsets(&index, &format!("com,host{n:05})")), [n - 1, n], "{n}");
        }
        assert_eq!(offsets(&index, "com,host00000)"), [0]);
        assert_eq!(offsets(&index, "com,host0150"), (1499..1510).collect::<Vec<_>>());
        // A host between the first lines of two blocks is in the first of them. A host before all lines is in none.
        assert_eq!(offsets(&index, "com,host01500x)"), [1500]);
        assert_eq!(offsets(&index, "de,other)"), [2999]);
        assert_eq!(offsets(&index, "at,other)"), Vec::<u64>::new());
        let all = blocks(&index, None).unwrap();
        assert_eq!(all.len(), 3000);
        assert_eq!(all.first().unwrap().file, folder.path().join("cdx-00000.gz"));
    }

    #[test]
    fn parts_are_beside_the_index() {
        assert_eq!(sibling(Path::new("a/cluster.idx"), "b.gz"), Path::new("a/b.gz"));
        let address = Path::new("https://data.example/x/cluster.idx?y/z");
        assert_eq!(sibling(address, "b.gz"), Path::new("https://data.example/x/b.gz"));
    }

    #[test]
    fn other_indexes_are_other_indexes() {
        assert!(is_first_line(b"com,example)/ 20260101000000\tcdx-00000.gz\t0\t190\t1\n"));
        for line in
            ["com,example)/ 20260101000000 {\"offset\": \"1\"}", " CDX N b a", "", "a\tb\tc\td", "a\t\t1\t2"]
        {
            assert!(!is_first_line(line.as_bytes()), "{line}");
        }
    }
}
