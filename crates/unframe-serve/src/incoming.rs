//! Prepares posted pages for the state writer, and formats the responses.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::Value;
use unframe::detect::FollowMethod;
use unframe::fingerprint::{Method, Settings, SignatureMaker};
use unframe::learn::{Evidence, Models};
use unframe::text::content;
use unframe::{Page, PageId, PageParser, ParsedPage, Region};
use unframe_crawl::write::{CleanPage, clean_line, label_line};
use xxhash_rust::xxh3::xxh3_64;

use crate::answer_format::PageFormat;
use crate::error::{Answer, ApiError};
use crate::page_store::PageRow;
use crate::state_writer::{FollowedPage, IncomingPage};

/// The zstd level for stored pages.
const PACK_LEVEL: i32 = 3;

/// Prepares pages for the state writer. Each thread has its own.
pub(crate) struct Preparer {
    pub(crate) parser: PageParser,
    maker: SignatureMaker,
    method: FollowMethod,
}

impl Preparer {
    pub(crate) fn new(method: &FollowMethod) -> Preparer {
        let maker = SignatureMaker::new(&Settings::new(Method::Fingerprint));
        Preparer { parser: PageParser::new(), maker, method: method.clone() }
    }

    /// Parses and compresses a page.
    pub(crate) fn prepare(&mut self, page: &Arc<Page>, is_kept: bool) -> Answer<Box<IncomingPage>> {
        let parsed = self.parser.open(&**page);
        let prepared = self.method.prepare(&parsed);
        let length = u32::try_from(page.payload.len()).map_err(|_| ApiError::too_large(u32::MAX.into()))?;
        let mut row = PageRow {
            url: page.url.clone(),
            site: page.site.clone(),
            date: page.date.map(|date| date.as_second()),
            title: String::new(),
            bytes: length,
            packed: 0,
            content: xxh3_64(&page.payload),
            charset: page.charset.name().to_owned(),
            fingerprint: String::new(),
            template_bytes: 0,
        };
        let body = match is_kept {
            false => None,
            true => {
                row.title = content::extract(&parsed, &[]).title.unwrap_or_default();
                row.fingerprint = self.fingerprint(page);
                Some(zstd::bulk::compress(&page.payload, PACK_LEVEL)?)
            }
        };
        let id = PageId::of(&page.url, &page.payload);
        Ok(Box::new(IncomingPage { row, id, page: Arc::clone(page), prepared, body }))
    }

    /// The fingerprint of a page, in hex.
    pub(crate) fn fingerprint(&mut self, page: &Page) -> String {
        self.maker.make(&page.payload, page.charset.encoding).to_string()
    }
}

/// The response for a followed page, as a line of JSON.
pub(crate) fn followed_line(
    page: &Page,
    followed: &FollowedPage,
    wanted: PageFormat,
    parser: &mut PageParser,
) -> Answer<Vec<u8>> {
    let hex = |keys: &[u64]| keys.iter().map(|key| format!("{key:016x}")).collect::<Vec<_>>();
    let more = serde_json::json!({
        "page": followed.page,
        "change": followed.visited.change.name(),
        "became": hex(&followed.visited.became),
        "ended": hex(&followed.visited.ended),
    });
    with_more(line(page, &parser.open(page), &followed.regions, followed.visited.evidence(), wanted)?, &more)
}

/// The response for a page that was labelled with a model, as a line of JSON.
pub(crate) fn model_line(
    page: &Page,
    models: &Models,
    wanted: PageFormat,
    parser: &mut PageParser,
) -> Answer<Vec<u8>> {
    let parsed = parser.open(page);
    let regions = models.label(&page.site, &parsed);
    line(page, &parsed, &regions, models.evidence(&page.site), wanted)
}

/// The line of a page, in the format of `unframe label` or `unframe clean`.
pub(crate) fn line(
    page: &Page,
    parsed: &ParsedPage<'_>,
    regions: &[Region],
    evidence: Evidence,
    wanted: PageFormat,
) -> Answer<Vec<u8>> {
    Ok(match wanted {
        PageFormat::Nothing => Vec::new(),
        PageFormat::Labels => {
            let volume = content::extract(parsed, regions).volume;
            label_line(page, regions, evidence, volume)?
        }
        PageFormat::Clean(format) => clean_line(
            &CleanPage::new(page, parsed, regions, format)
                .with_evidence(evidence)
                .with_metadata(parsed, regions),
        )?,
    })
}

/// Puts the fields of `more` in front of those of a line.
pub(crate) fn with_more(line: Vec<u8>, more: &Value) -> Answer<Vec<u8>> {
    let mut text = serde_json::to_vec(more)?;
    match (text.pop(), line.split_first()) {
        (Some(b'}'), Some((b'{', rest))) => {
            text.push(b',');
            text.extend_from_slice(rest);
            Ok(text)
        }
        _ => Err(ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "an answer is not a JSON object",
        )),
    }
}
