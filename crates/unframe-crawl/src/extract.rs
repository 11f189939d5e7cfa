//! Extracts pages from records.

use std::borrow::Cow;
use std::sync::Arc;

use unframe::limits::PAGE_BYTES_MAX;
use unframe::{Origin, Page, Problem, charset};

use crate::batch::Item;
use crate::date::parse_date;
use crate::http;
use crate::plain_text;
use crate::raw_page::{RawPage, UTF8_HTML};
use crate::record::{Record, RecordKind};
use crate::sniff::is_html;
use crate::{ReadOptions, unique};

/// The result of extracting an item.
pub(crate) enum Extracted {
    /// A page, and its hash if repeats must be dropped.
    Page(Box<Page>, Option<u128>),
    Problem(Origin, Problem),
    /// No page: the reason, and the problem of the record, if any.
    Skipped(&'static str, Option<(Origin, Problem)>),
}

impl Extracted {
    /// The length of the page's payload in bytes.
    pub(crate) fn payload_len(&self) -> usize {
        match self {
            Extracted::Page(page, _) => page.payload.len(),
            Extracted::Problem(..) | Extracted::Skipped(..) => 0,
        }
    }
}

/// Extracts the page of an item, if it has one. `bytes` are the bytes of its batch.
pub(crate) fn extract(item: Item, bytes: &[u8], file: &Arc<str>, options: &ReadOptions) -> Extracted {
    let page = match item {
        Item::Problem(offset, problem) => {
            return Extracted::Problem(Origin { file: file.clone(), offset }, problem);
        }
        Item::Page(page) => Ok(from_raw(*page, file, options)),
        Item::Record(record) => from_record(record, bytes, file, options),
        Item::Owned(owned) => from_record(owned.0, &owned.1, file, options),
    };
    match page {
        Ok(page) => {
            let hash = options.unique.then(|| unique::hash(&page));
            Extracted::Page(Box::new(page), hash)
        }
        Err((reason, problem)) => Extracted::Skipped(reason, problem),
    }
}

/// The reason why a record has no page, and the problem of the record, if any.
type SkipReason = (&'static str, Option<(Origin, Problem)>);

/// The page of a record, or the reason why there is none.
fn from_record(
    record: Record,
    bytes: &[u8],
    file: &Arc<str>,
    options: &ReadOptions,
) -> Result<Page, SkipReason> {
    let origin = Origin { file: file.clone(), offset: record.offset };
    let no_page = |reason: &'static str, record: &Record| {
        (reason, record.problem.clone().map(|problem| (origin.clone(), problem)))
    };
    let text = |range: std::ops::Range<usize>| bytes.get(range).unwrap_or_default();
    let block = text(record.block.clone());
    let declared = String::from_utf8_lossy(text(record.content_type.clone()));
    let of_text = (record.kind == RecordKind::Conversion).then(|| plain_text::page(block));
    let (block, declared) = match &of_text {
        Some(page) => (&page[..], Cow::Borrowed(UTF8_HTML)),
        None => (block, declared),
    };
    let has_head = block.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
        || (record.kind == RecordKind::Response && is_http(&declared));
    let head = has_head.then(|| http::ResponseHead::parse(block));
    let content_type = match &head {
        Some(head) => head.content_type.as_deref(),
        None => Some(&*declared).filter(|declared| !declared.is_empty()),
    };
    if !options.any_status && head.as_ref().and_then(|head| head.status).is_some_and(|status| status != 200) {
        return Err(no_page("status", &record));
    }
    // Bodies are decoded and copied only if they may be HTML according to their type.
    if !is_html(content_type, b"<html>") {
        return Err(no_page("not-html", &record));
    }
    let (payload, mut problems) = match &head {
        Some(head) => head.body(block),
        None => without_head(block),
    };
    if !is_html(content_type, &payload) {
        return Err(no_page("not-html", &record));
    }
    problems.extend(record.problem);
    let url = address(text(record.url));
    if url.is_empty() {
        problems.push(Problem::new("no-address", "the record has no URL"));
    }
    Ok(Page {
        site: options.site_by.key(&url),
        url,
        date: std::str::from_utf8(text(record.date)).ok().and_then(parse_date),
        charset: charset::find(&payload, content_type),
        payload: payload.into_owned(),
        record_id: std::str::from_utf8(text(record.id)).ok().filter(|id| !id.is_empty()).map(str::to_owned),
        origin,
        problems,
    })
}

/// The payload of a record without an HTTP header.
fn without_head(block: &[u8]) -> (Cow<'_, [u8]>, Vec<Problem>) {
    match block.get(..PAGE_BYTES_MAX) {
        Some(start) if start.len() < block.len() => {
            let message = format!("{} bytes, of which the first {PAGE_BYTES_MAX} are kept", block.len());
            (Cow::Borrowed(start), vec![Problem::new("body-too-large", message)])
        }
        _ => (Cow::Borrowed(block), Vec::new()),
    }
}

fn from_raw(raw: RawPage, file: &Arc<str>, options: &ReadOptions) -> Page {
    Page {
        site: options.site_by.key(&raw.url),
        charset: charset::find(&raw.payload, raw.content_type.as_deref()),
        url: raw.url,
        date: raw.date,
        payload: raw.payload,
        record_id: None,
        origin: Origin { file: file.clone(), offset: raw.offset },
        problems: raw.problems,
    }
}

fn is_http(content_type: &str) -> bool {
    content_type.get(..16).is_some_and(|start| start.eq_ignore_ascii_case("application/http"))
}

/// The address of a record, without the angle brackets of early drafts of the format, and without the line breaks of folded headers.
fn address(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim().trim_start_matches('<').trim_end_matches('>');
    match text.contains(['\r', '\n']) {
        true => text.split(['\r', '\n']).map(str::trim).collect(),
        false => text.to_owned(),
    }
}
