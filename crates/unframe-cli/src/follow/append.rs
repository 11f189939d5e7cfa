//! Files that lines are appended to. A partial line after a crash is cut off, and lines of other programs stay.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Context;
use serde::de::IgnoredAny;

/// The beginning of every line that this program writes.
const BEGIN: &[u8] = b"{\"url\":\"";

/// Opens a file to append lines to.
pub(super) fn append(path: &Path, quiet: bool) -> anyhow::Result<File> {
    let open = || {
        let cut = if path.is_file() { end_last_line(path)? } else { 0 };
        if cut > 0 && !quiet {
            let name = path.display();
            message!("unframe: {name}: the last line was not finished; its {cut} bytes were cut off");
        }
        File::options().append(true).create(true).open(path)
    };
    open().with_context(|| format!("cannot write to {}", path.display()))
}

/// Makes a file end with a line end, so that the next line begins on its own. Returns the number of bytes that were cut off:
/// a process that was killed while it wrote a line has left a part of it.
fn end_last_line(path: &Path) -> io::Result<u64> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let start = start_of_last_line(&mut file, length)?;
    if start == length {
        return Ok(0);
    }
    if is_torn(&mut file, start)? {
        file.set_len(start)?;
        return Ok(length - start);
    }
    file.seek(SeekFrom::End(0))?;
    file.write_all(b"\n")?;
    Ok(0)
}

/// The position after the last line end.
fn start_of_last_line(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut chunk = vec![0; 64 << 10];
    while end > 0 {
        let start = end.saturating_sub(chunk.len() as u64);
        let part = &mut chunk[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Whether the bytes there are an incomplete line of this program: they begin like one and do not end like one.
fn is_torn(file: &mut File, start: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(start))?;
    let mut begin = Vec::new();
    (&*file).take(BEGIN.len() as u64).read_to_end(&mut begin)?;
    if !BEGIN.starts_with(&begin) {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(start))?;
    match serde_json::from_reader::<_, IgnoredAny>(BufReader::new(file)) {
        Ok(IgnoredAny) => Ok(false),
        Err(error) if error.is_io() => Err(error.into()),
        Err(_) => Ok(true),
    }
}
