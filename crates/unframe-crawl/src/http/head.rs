//! The head of a response: its status line and the headers that this crate needs.
//!
//! Archives are full of heads that strict parsers reject, so this parser accepts any bytes. It reads line by line, copies nothing and knows
//! only six names, which makes it as fast as a strict one.

use std::borrow::Cow;

use memchr::memchr;
use unframe::Problem;
use unframe::limits::PAGE_BYTES_MAX;

use super::coding::{self, Coding};
use super::{chunked, content_type};

/// The head of a response. It is parsed without the body, so that callers can skip a response cheaply.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResponseHead<'b> {
    /// The status code, if there is one.
    pub(crate) status: Option<u16>,
    /// The effective value of `Content-Type`.
    pub(crate) content_type: Option<Cow<'b, str>>,
    /// The start of the body in the block.
    pub(crate) body_start: usize,
    content_length: Option<u64>,
    is_chunked: bool,
    /// Content codings, then transfer codings, in the order in which they were applied.
    codings: Vec<Coding>,
    /// Whether there are more codings than the limit.
    has_more_codings: bool,
    /// The problem of the head itself.
    fault: Option<Fault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Missing,
    Truncated,
}

impl<'b> ResponseHead<'b> {
    /// Parses the head of a record's block. Any bytes parse; without a head, the body begins at once.
    pub(crate) fn parse(block: &'b [u8]) -> ResponseHead<'b> {
        let mut start = 0;
        loop {
            let head = parse_one(block, start);
            // Interim responses (100 Continue) and a proxy's responses to CONNECT come before the real one.
            let has_successor = head.content_type.is_none()
                && head.body_start > start
                && block.get(head.body_start..).is_some_and(|rest| status_line(rest).flatten().is_some());
            if !has_successor {
                return head;
            }
            start = head.body_start;
        }
    }

    /// The decoded body of the block that this head was parsed from, and its problems.
    pub(crate) fn body<'a>(&self, block: &'a [u8]) -> (Cow<'a, [u8]>, Vec<Problem>) {
        self.body_within(block, PAGE_BYTES_MAX)
    }

    /// Like [`ResponseHead::body`], with another limit, which no decoding step exceeds.
    pub(super) fn body_within<'a>(&self, block: &'a [u8], limit: usize) -> (Cow<'a, [u8]>, Vec<Problem>) {
        let mut problems = Vec::from_iter(self.fault.map(Fault::problem));
        let raw = block.get(self.body_start..).unwrap_or_default();
        let mut body = chunked::decode(raw, self.is_chunked, limit, &mut problems);
        if matches!(body, Cow::Borrowed(_)) {
            self.check_length(raw.len(), &mut problems);
        }
        for coding in self.codings.iter().rev() {
            body = coding::decode(*coding, body, limit, &mut problems);
        }
        if self.has_more_codings {
            let message =
                format!("only the last {} content codings of the body were decoded", coding::CODINGS_MAX);
            problems.push(Problem::new("unsupported-coding", message));
        }
        if body.len() > limit {
            problems.push(coding::too_large(limit));
            match &mut body {
                Cow::Borrowed(bytes) => *bytes = &bytes[..limit],
                Cow::Owned(bytes) => bytes.truncate(limit),
            }
        }
        (body, problems)
    }

    /// A body shorter than declared is truncated. Coded bodies show truncation themselves, and their declared length means nothing if they
    /// are stored decoded. Responses without a body may declare a length.
    fn check_length(&self, length: usize, problems: &mut Vec<Problem>) {
        let has_body = !matches!(self.status, Some(100..=199 | 204 | 304));
        let Some(declared) = self.content_length.filter(|_| has_body && self.codings.is_empty()) else {
            return;
        };
        if !self.is_chunked && declared > length as u64 {
            let message = format!("{declared} bytes were declared, but there are {length}");
            problems.push(Problem::new("truncated-body", message));
        }
    }

    fn set(&mut self, name: Name, value: Cow<'b, [u8]>) {
        match name {
            Name::Status => self.status = self.status.or_else(|| status_code(&value)),
            Name::ContentType => {
                self.content_type = content_type::prefer(self.content_type.take(), latin1(value));
            }
            Name::ContentLength => {
                self.content_length = self.content_length.or_else(|| leading_number(&value))
            }
            Name::ContentEncoding => {
                let at = self
                    .codings
                    .iter()
                    .position(|coding| coding.is_transfer_coding)
                    .unwrap_or(self.codings.len());
                self.codings.splice(at..at, coding::parse(&value, false));
            }
            Name::TransferEncoding => {
                self.is_chunked |= value
                    .split(|b| *b == b',')
                    .any(|part| part.trim_ascii().eq_ignore_ascii_case(b"chunked"));
                self.codings.extend(coding::parse(&value, true));
            }
            Name::Other => {}
        }
        // The outermost codings are undone first.
        let left = self.codings.len().saturating_sub(coding::CODINGS_MAX);
        self.codings.drain(..left);
        self.has_more_codings |= left > 0;
    }
}

impl Fault {
    fn problem(self) -> Problem {
        match self {
            Fault::Missing => {
                Problem::new("missing-head", "the response has no HTTP header; all of it is read as the body")
            }
            Fault::Truncated => Problem::new("truncated-head", "the response ends within its HTTP header"),
        }
    }
}

/// The headers that are read. `Status` is both `:status` in HTTP/2 dumps and `Status` in CGI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Status,
    ContentType,
    ContentLength,
    ContentEncoding,
    TransferEncoding,
    Other,
}

impl Name {
    fn parse(name: &[u8]) -> Name {
        const NAMES: [(&[u8], Name); 6] = [
            (b":status", Name::Status),
            (b"status", Name::Status),
            (b"content-type", Name::ContentType),
            (b"content-length", Name::ContentLength),
            (b"content-encoding", Name::ContentEncoding),
            (b"transfer-encoding", Name::TransferEncoding),
        ];
        NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map_or(Name::Other, |(_, name)| *name)
    }
}

fn parse_one(block: &[u8], start: usize) -> ResponseHead<'_> {
    let mut lines = Lines { block, position: start };
    // Some servers send empty lines before the status line.
    let blank = block[start..].iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
    let Some(status) = status_line(&block[start + blank..]) else {
        return headers_only(lines).unwrap_or(ResponseHead {
            body_start: start,
            fault: Some(Fault::Missing),
            ..ResponseHead::default()
        });
    };
    lines.position = start + blank;
    lines.next();
    let mut head = ResponseHead { status, ..ResponseHead::default() };
    if !read_headers(&mut head, &mut lines, false) {
        head.fault = Some(Fault::Truncated);
    }
    head.body_start = lines.position;
    head
}

/// Parses a head without a status line, as in HTTP/2 dumps. Text such as `Note: …` must not be taken for a head, so each line must be a
/// header, at least one of them a known one, and an empty line must follow.
fn headers_only(mut lines: Lines<'_>) -> Option<ResponseHead<'_>> {
    let mut head = ResponseHead::default();
    let complete = read_headers(&mut head, &mut lines, true);
    let known = head.status.is_some() || head.content_type.is_some() || head.content_length.is_some();
    head.body_start = lines.position;
    (complete && known).then_some(head)
}

/// Reads headers up to the empty line, and returns whether there was one. Lines that are not headers are skipped, or end the reading if `strict`.
fn read_headers<'b>(head: &mut ResponseHead<'b>, lines: &mut Lines<'b>, strict: bool) -> bool {
    let mut pending: Option<(Name, Cow<'b, [u8]>)> = None;
    loop {
        let line_start = lines.position;
        let line = lines.next();
        if let (Some(continuation @ [b' ' | b'\t', ..]), Some((_, value))) = (line, &mut pending) {
            let value = value.to_mut();
            value.push(b' ');
            value.extend_from_slice(continuation.trim_ascii());
            continue;
        }
        if let Some((name, value)) = pending.take() {
            head.set(name, value);
        }
        match line {
            None => return false,
            Some([]) => return true,
            // The empty line is missing.
            Some(line) if begins_document(line) => {
                lines.position = line_start;
                return true;
            }
            Some(line) => match header(line) {
                Some((name, value)) => pending = Some((name, Cow::Borrowed(value))),
                None if strict => return false,
                None => {}
            },
        }
    }
}

/// Splits a header line. The name of a pseudo header begins with a colon.
fn header(line: &[u8]) -> Option<(Name, &[u8])> {
    let colon = 1 + memchr(b':', line.get(1..)?)?;
    let name = line[..colon].trim_ascii();
    let is_name = name.iter().all(|b| b.is_ascii_graphic() && !b"<>(){}[]\"".contains(b));
    (is_name && !name.is_empty()).then(|| (Name::parse(name), line[colon + 1..].trim_ascii()))
}

fn begins_document(line: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 4] = [b"<!doctype", b"<html", b"<head>", b"<?xml"];
    line.first() == Some(&b'<')
        && BEGINNINGS.iter().any(|b| line.get(..b.len()).is_some_and(|start| start.eq_ignore_ascii_case(b)))
}

/// The status of `HTTP/1.1 200 OK` and similar lines; the inner option is `None` if the code is missing.
fn status_line(bytes: &[u8]) -> Option<Option<u16>> {
    // A status line is short, so the body of a page without line ends is not searched.
    let line = &bytes[..bytes.len().min(64)];
    let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
    let (protocol, rest) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
    // Usually `HTTP/1.1`, but damaged and non-standard protocols such as `HTTPX/1.1` occur.
    let name = protocol.split(|b| *b == b'/').next()?;
    let is_http = name.len() <= 8 && name.get(..4)?.eq_ignore_ascii_case(b"HTTP") && name.is_ascii();
    let has_version = protocol.len() > name.len();
    let status = status_code(rest);
    (is_http && (has_version || status.is_some())).then_some(status)
}

fn status_code(value: &[u8]) -> Option<u16> {
    leading_number(value.trim_ascii())
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (100..1000).contains(code))
}

fn leading_number(value: &[u8]) -> Option<u64> {
    let digits = value.iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&value[..digits]).ok()?.parse().ok()
}

/// Decodes a header value, which is UTF-8 in practice or Latin-1 by the standard.
fn latin1(value: Cow<'_, [u8]>) -> Cow<'_, str> {
    let decode = |bytes: &[u8]| bytes.iter().map(|b| char::from(*b)).collect::<String>();
    match value {
        Cow::Borrowed(bytes) => {
            std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(decode(bytes)), Cow::Borrowed)
        }
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|e| decode(e.as_bytes()))),
    }
}

/// The lines of a head without their line ends: CR LF, LF, or several CR and LF.
struct Lines<'b> {
    block: &'b [u8],
    position: usize,
}

impl<'b> Iterator for Lines<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let rest = self.block.get(self.position..).filter(|rest| !rest.is_empty())?;
        let length = memchr(b'\n', rest);
        self.position += length.map_or(rest.len(), |length| length + 1);
        let mut line = &rest[..length.unwrap_or(rest.len())];
        while let [head @ .., b'\r'] = line {
            line = head;
        }
        Some(line)
    }
}
