//! JSONL with one page per line, `{"url": "…", "html": "…", "date": "…"}`.
//!
//! The date may be missing, null, a text in any form of [`parse_date`], or Unix time as a number. Fields are found by the names in
//! [`raw_page`](crate::raw_page); other fields are ignored. Empty lines, CR LF and a byte order mark are accepted, and a bad line does not
//! stop the reader.
//!
//! Problem codes: `bad-line`, `line-too-long`, `missing-field`, `read-error`; and for pages that are kept: `bad-date`, `bad-utf8`, `body-too-large`.

mod line;

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use jiff::Timestamp;
use memchr::memchr;
use serde_json::Value;
use unframe::Problem;
use unframe::limits::PAGE_BYTES_MAX;

use crate::date::{from_unix, from_unix_fraction, parse_date};
use crate::raw_page::{RawPage, RowError, RowResult, UTF8_HTML};
use line::{Line, Text};

/// Maximum length of a line. JSON needs at most two bytes per byte of text in any script, except for control characters.
const LINE_BYTES_MAX: usize = 2 * PAGE_BYTES_MAX;

/// Calls `each` with the page or the problem of each line, until `each` breaks or the input ends.
pub(crate) fn read(input: impl BufRead, each: impl FnMut(RowResult) -> ControlFlow<()>) {
    read_within(input, LINE_BYTES_MAX, PAGE_BYTES_MAX, each);
}

fn read_within(
    mut input: impl BufRead,
    line_limit: usize,
    page_limit: usize,
    mut each: impl FnMut(RowResult) -> ControlFlow<()>,
) {
    let mut line = Vec::new();
    let mut offset = 0;
    loop {
        line.clear();
        let length = match read_line(&mut input, &mut line, line_limit) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) => {
                let _ = each(Err(RowError::new(offset, "read-error", error.to_string())));
                return;
            }
        };
        let mut text = line.as_slice();
        if offset == 0 {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        let found = if line.len() > line_limit {
            let message = format!("the line has {length} bytes, more than {line_limit}");
            Some(Err(RowError::new(offset, "line-too-long", message)))
        } else if text.trim_ascii().is_empty() {
            None
        } else {
            Some(page(text, offset, page_limit))
        };
        if found.is_some_and(|found| each(found).is_break()) {
            return;
        }
        offset += length;
    }
}

/// Reads a line with its line end, keeps at most one byte more than the limit, and returns the full length.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, limit: usize) -> io::Result<u64> {
    let mut length = 0;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let end = memchr(b'\n', buffer);
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let text = end.unwrap_or(taken).min(limit + 1 - line.len());
        line.extend_from_slice(&buffer[..text]);
        input.consume(taken);
        length += taken as u64;
        if end.is_some() || taken == 0 {
            return Ok(length);
        }
    }
}

fn page(text: &[u8], offset: u64, page_limit: usize) -> RowResult {
    let line: Line =
        serde_json::from_slice(text).map_err(|error| RowError::new(offset, "bad-line", reason(&error)))?;
    let missing = |field| RowError::new(offset, "missing-field", format!("the line has no {field}"));
    let mut problems = Vec::new();
    let url = as_text(line.url.value.ok_or_else(|| missing("url"))?, "url", &mut problems);
    let html = as_text(line.html.value.ok_or_else(|| missing("html"))?, "html", &mut problems);
    if url.trim().is_empty() {
        return Err(missing("url"));
    }
    let date = line.date.value.and_then(|value| {
        let date = as_date(&value);
        if date.is_none() {
            problems.push(Problem::new("bad-date", format!("{value} is not a date")));
        }
        date
    });
    let mut payload = html.into_bytes();
    if payload.len() > page_limit {
        problems.push(Problem::new("body-too-large", format!("the page was cut after {page_limit} bytes")));
        payload.truncate(page_limit);
    }
    Ok(RawPage { url, date, payload, content_type: Some(UTF8_HTML.into()), offset, problems })
}

fn as_date(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => parse_date(text),
        Value::Number(number) => match number.as_i64() {
            Some(number) => from_unix(number),
            None => from_unix_fraction(number.as_f64()?),
        },
        _ => None,
    }
}

/// The reason of an error without its position, because the input is one line, and the problem has its offset.
fn reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((reason, _)) => format!("{reason} at column {}", error.column()),
        None => message,
    }
}

/// Converts the bytes of a string to text. JSON can contain lone surrogates, and files can contain anything.
fn as_text(Text(bytes): Text, field: &str, problems: &mut Vec<Problem>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        problems
            .push(Problem::new("bad-utf8", format!("{field} is not UTF-8; bad characters were replaced")));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    })
}

#[cfg(test)]
mod tests;
