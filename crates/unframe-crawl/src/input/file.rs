//! Reads one file: detects its format from its contents, and reads its records.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::limits::SPOOL_BYTES_MAX;
use unframe::Problem;
use unframe::limits::PAGE_BYTES_MAX;

use super::rows::{DecodedReader, Rows, read_rows};
use super::sources::{Discovered, Source};
use super::{Reader, zip};
use crate::batch::{Batch, Emit, Item};
use crate::decode::{Decoded, Decoder, Raw};
use crate::raw_page::{self, RawPage};
use crate::record::{self, Family};
use crate::saved::saved_from;
use crate::sniff::{has_other_extension, is_binary_format, is_html};
use crate::{jsonl, mhtml};

/// The number of decoded bytes that are used to detect the format.
const SNIFF_BYTES: usize = 8 << 10;

/// An open file whose first bytes were read.
pub(super) struct Opened {
    name: Arc<str>,
    url: String,
    file: Option<Arc<File>>,
    is_nested: bool,
    /// The offset in the named file, if this is a part of that file.
    start: u64,
    contents: Contents,
}

enum Contents {
    /// There is nothing to read; the batch has counts or problems.
    Nothing(Batch),
    Zip(Raw),
    Parquet(Raw),
    Empty(Raw),
    FileStream(Decoder),
}

impl Opened {
    pub(super) fn new(found: Discovered, reader: &Reader) -> Opened {
        let Source { name, reader: file_reader, file, url, is_nested, start } = match found {
            Discovered::Source(source) => source,
            Discovered::Nothing(batch) => {
                let (name, contents) = (batch.file.clone(), Contents::Nothing(batch));
                return Opened { name, url: String::new(), file: None, is_nested: true, start: 0, contents };
            }
        };
        let mut raw = Raw::new(file_reader, Some(reader.progress.clone()));
        raw.want(4);
        let contents = match raw.data() {
            [] => Contents::Empty(raw),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Contents::Zip(raw),
            [b'P', b'A', b'R', b'1', ..] => Contents::Parquet(raw),
            _ => Contents::FileStream(Decoder::new(raw, reader.helpers.as_ref())),
        };
        Opened { name, url, file, is_nested, start, contents }
    }

    /// Reads the file and emits its records.
    pub(super) fn read(self, reader: &Reader, emit: &mut Emit<'_>) -> ControlFlow<()> {
        match self.start {
            0 => self.read_from_start(reader, emit),
            start => self.read_from_start(reader, &mut |batch| {
                batch.items.iter_mut().for_each(|item| item.move_by(start));
                emit(batch)
            }),
        }
    }

    fn read_from_start(self, reader: &Reader, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let Opened { name, url, file, is_nested, contents, .. } = self;
        let mut batch = Batch::new(name.clone());
        match contents {
            Contents::Nothing(mut batch) => emit(&mut batch),
            Contents::Empty(mut raw) => {
                match raw.take_fault() {
                    Some(problem) => batch.problem(0, problem),
                    None if is_nested => batch.counts.skip("empty-file"),
                    None => batch.problem(0, Problem::new("empty-file", "the file is empty")),
                }
                emit(&mut batch)
            }
            Contents::Zip(raw) => {
                match seekable(file, raw).and_then(|file| zip::Entries::new(&name, url, file)) {
                    Ok(entries) => read_entries(entries, reader, emit),
                    Err(problem) => report(batch, problem, emit),
                }
            }
            Contents::Parquet(raw) => match seekable(file, raw) {
                Ok(file) => read_rows(&file, batch, reader, emit),
                Err(problem) => report(batch, problem, emit),
            },
            Contents::FileStream(decoder) => FileStream { decoder, url, is_nested, batch }.read(reader, emit),
        }
    }
}

fn read_entries(entries: zip::Entries, reader: &Reader, emit: &mut Emit<'_>) -> ControlFlow<()> {
    for entry in entries {
        let opened = Opened::new(entry, reader);
        match opened.contents {
            // Nested archives are not read, because they can be nested without end.
            Contents::Zip(_) => {
                let mut batch = Batch::new(opened.name);
                batch.counts.skip("not-a-crawl");
                emit(&mut batch)?;
            }
            _ => opened.read(reader, emit)?,
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn report(mut batch: Batch, problem: Problem, emit: &mut Emit<'_>) -> ControlFlow<()> {
    batch.problem(0, problem);
    emit(&mut batch)
}

/// A file that can be read at any position: the file itself, or a temporary copy of a pipe's contents.
fn seekable(file: Option<Arc<File>>, raw: Raw) -> Result<Arc<File>, Problem> {
    if let Some(file) = file {
        return Ok(file);
    }
    spool(raw, SPOOL_BYTES_MAX).map(Arc::new)
}

fn spool(raw: Raw, limit: u64) -> Result<File, Problem> {
    let unwritable = |error: io::Error| Problem::new("no-temporary-file", error.to_string());
    let mut copy = tempfile::tempfile().map_err(unwritable)?;
    let length = io::copy(&mut raw.take(limit + 1), &mut copy).map_err(unwritable)?;
    copy.flush().map_err(unwritable)?;
    if length > limit {
        return Err(Problem::new(
            "too-large",
            format!("only files can be larger than {limit} bytes in this format"),
        ));
    }
    Ok(copy)
}

/// A file that is read sequentially.
struct FileStream {
    decoder: Decoder,
    url: String,
    is_nested: bool,
    batch: Batch,
}

impl FileStream {
    fn read(mut self, reader: &Reader, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut decoded = Decoded::default();
        let mut family = None;
        while family.is_none()
            && decoded.bytes.len() < SNIFF_BYTES
            && !self.is_decided(&decoded.bytes)
            && self.decoder.fill(&mut decoded)
        {
            family = Family::of(&decoded.bytes);
        }
        let start = decoded.bytes.get(..SNIFF_BYTES).unwrap_or(&decoded.bytes);
        let is_other = self.is_nested && has_other_extension(&self.url);
        let is_mhtml = family.is_none() && mhtml::is_mhtml(start);
        let is_page = family.is_none() && !is_mhtml && !is_other && is_html(None, start);
        // An image may contain a line that looks like the beginning of a record.
        let is_known = || is_jsonl(start) || self.is_nested && is_binary_format(start);
        if family.is_none() && !is_mhtml && !is_page && !is_known() {
            family = Family::find_in(start);
        }
        match family {
            Some(family) => {
                record::cut(&mut self.decoder, decoded, family, &mut self.batch, reader.batch_bytes, emit)
            }
            None if is_mhtml => self.read_mhtml(decoded, emit),
            None if is_page => self.read_page(decoded, emit),
            // Folders may also contain unrelated JSONL files, such as logs.
            None if is_jsonl(start) && (!self.is_nested || names_html(start)) => {
                self.read_lines(decoded, reader, emit)
            }
            None if !self.is_nested && has_page_line(start) => self.read_lines(decoded, reader, emit),
            None => {
                match is_index(start) {
                    true => self.batch.counts.skip("index"),
                    false if self.is_nested => self.batch.counts.skip("not-a-crawl"),
                    false => self.batch.problem(
                        0,
                        Problem::new("unknown-format", "this is neither a crawl nor an HTML page"),
                    ),
                }
                self.report_marks(&mut decoded);
                emit(&mut self.batch)
            }
        }
    }

    /// Whether the format is decided because a complete line of JSON has arrived. The sender may wait for a reply before sending the next line.
    fn is_decided(&self, start: &[u8]) -> bool {
        !self.is_nested && is_jsonl(start) && start.trim_ascii_start().contains(&b'\n')
    }

    fn report_marks(&mut self, decoded: &mut Decoded) {
        for (offset, problem) in decoded.take_problems() {
            self.batch.problem(offset, problem);
        }
    }

    /// Reads a file that is a single page.
    fn read_page(mut self, decoded: Decoded, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let (payload, problems) = self.read_whole(decoded);
        let url = saved_from(&payload).map_or(self.url, str::to_owned);
        let page = RawPage { url, date: None, payload, content_type: None, offset: 0, problems };
        self.batch.counts.records += 1;
        self.batch.items.push(Item::Page(Box::new(page)));
        emit(&mut self.batch)
    }

    /// Reads a file that is a page with its images.
    fn read_mhtml(mut self, decoded: Decoded, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let (file, mut problems) = self.read_whole(decoded);
        self.batch.counts.records += 1;
        match mhtml::page(&file, self.url) {
            Ok(mut page) => {
                page.problems.append(&mut problems);
                self.batch.items.push(Item::Page(Box::new(page)));
            }
            Err(problem) => {
                problems.push(problem);
                problems.into_iter().for_each(|problem| self.batch.problem(0, problem));
            }
        }
        emit(&mut self.batch)
    }

    /// All bytes of the file, up to the maximum length of a page.
    fn read_whole(&mut self, mut decoded: Decoded) -> (Vec<u8>, Vec<Problem>) {
        let mut problems: Vec<Problem> = decoded.take_problems().map(|(_, problem)| problem).collect();
        let mut damage = Decoded::default();
        while decoded.bytes.len() <= PAGE_BYTES_MAX && self.decoder.fill(&mut decoded) {
            decoded.move_problems(&mut damage);
        }
        // A failed read is marked only when no more data comes.
        decoded.move_problems(&mut damage);
        problems.extend(damage.take_problems().map(|(_, problem)| problem));
        if decoded.bytes.len() > PAGE_BYTES_MAX {
            decoded.bytes.truncate(PAGE_BYTES_MAX);
            problems.push(Problem::new(
                "body-too-large",
                format!("the page was cut after {PAGE_BYTES_MAX} bytes"),
            ));
        }
        (decoded.bytes, problems)
    }

    /// Reads a file with one page per line.
    fn read_lines(mut self, mut decoded: Decoded, reader: &Reader, emit: &mut Emit<'_>) -> ControlFlow<()> {
        self.report_marks(&mut decoded);
        let damage = Decoded::default();
        let mut lines = BufReader::new(DecodedReader { decoder: self.decoder, decoded, position: 0, damage });
        let mut rows = Rows { batch: &mut self.batch, held: 0, batch_bytes: reader.batch_bytes, emit };
        let mut flow = ControlFlow::Continue(());
        jsonl::read(&mut lines, |found| {
            flow = rows.add(found);
            flow
        });
        flow?;
        for (offset, problem) in lines.into_inner().damage.take_problems() {
            self.batch.problem(offset, problem);
        }
        emit(&mut self.batch)
    }
}

/// Whether a file has one JSON object per line. In a file that is a single object, a line break usually follows the first bracket.
fn is_jsonl(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let Some(object) = start.strip_prefix(b"{") else { return false };
    let inside = object.iter().find(|b| !matches!(b, b' ' | b'\t'));
    inside.is_some_and(|first| matches!(first, b'"' | b'}'))
}

/// Whether a later line is an object with a page. Then the first lines are damaged, and are reported one by one.
fn has_page_line(start: &[u8]) -> bool {
    start.split(|byte| *byte == b'\n').skip(1).any(|line| is_jsonl(line) && names_html(line))
}

/// Whether the first lines have a field with a page's HTML: one of the known names, with a text. The first line need not be complete.
fn names_html(start: &[u8]) -> bool {
    raw_page::HTML_NAMES.iter().any(|name| {
        let field = format!("\"{name}\"");
        memchr::memmem::find_iter(start, field.as_bytes()).any(|at| {
            let value = start[at + field.len()..].trim_ascii_start().strip_prefix(b":");
            value.is_some_and(|value| value.trim_ascii_start().starts_with(b"\""))
        })
    })
}

/// Whether a file is a CDX or CDXJ index of a crawl, which contains no pages.
fn is_index(start: &[u8]) -> bool {
    let line = start.split(|b| *b == b'\n').next().unwrap_or_default();
    if line.trim_ascii().starts_with(b"CDX ") || line.starts_with(b"!meta") {
        return true;
    }
    let mut words = line.split(|b| *b == b' ');
    let (key, date) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    key.contains(&b')') && date.len() == 14 && date.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_copied_up_to_the_limit() {
        let pipe = || Raw::new(Box::new(&b"four"[..]), None);
        assert_eq!(spool(pipe(), 4).unwrap().metadata().unwrap().len(), 4);
        assert_eq!(spool(pipe(), 3).unwrap_err().code, "too-large");
    }
}
