//! Pages: posting with an immediate answer, reading and deletion.

use std::sync::Arc;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use unframe::learn::Evidence;
use unframe::{Origin, Page, PageParser, Region, charset};
use unframe_crawl::write::BodyFormat;

use super::{App, no_such_page};
use crate::answer_format::{FORMATS, FormatParams, PageFormat};
use crate::api::{JsonBytes, Params, PathParam, Route, text, yes_or_no};
use crate::content_coding::{self, Coding};
use crate::error::{Answer, ApiError};
use crate::incoming::{Preparer, followed_line, line, model_line, with_more};
use crate::limits::{NAME_CHARS_MAX, URL_CHARS_MAX};
use crate::page_store::PageRow;
use crate::pool::Reserved;
use crate::request_body::RequestBody;
use crate::service::Service;

/// Media types of pages.
pub(crate) const HTML: [&str; 3] = ["text/html", "application/xhtml+xml", "application/octet-stream"];

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/api/v1/pages", "postPage", "Labels a page, and responds with its template regions or with its content. Without `model`, the page is followed: it is compared with the earlier pages of its site, counted, and kept. With `model`, it is labelled with that model, and nothing is kept.", post)
            .needs("url", "The address of the page.", json!({"type": "string", "minLength": 1, "maxLength": URL_CHARS_MAX}))
            .query("date", "When it was fetched, such as 2004-06-30 or 2004-06-30T12:00:00Z.", json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}))
            .format(&FORMATS)
            .query("model", "The name of a model.", text(NAME_CHARS_MAX))
            .query("keep", "Whether the page is kept, so that its site can be learned, searched and explored.", yes_or_no())
            .body("The page, in any charset, uncompressed, or compressed with gzip or zstd.", &HTML)
            .answers(200, "What was found.", "PageAnswer")
            .refuses(422, "The body is not an HTML page.")
            .refuses(507, "The disk space for kept pages is full, or the limit of kept pages of its site is reached."),
        Route::new(Method::GET, "/api/v1/pages/{page}", "getPage", "A kept page with its regions.", get)
            .answers(200, "The page.", "Page"),
        Route::new(Method::DELETE, "/api/v1/pages/{page}", "deletePage", "Deletes a page, and the study of its site, which shows it; the site can be learned again.", delete)
            .answers_nothing(204, "It is gone."),
        Route::new(Method::GET, "/api/v1/pages/{page}/clean", "cleanPage", "The content of a kept page, without its templates.", clean)
            .format(&FORMATS[1..])
            .answers(200, "The content.", "CleanPage"),
        Route::new(Method::GET, "/api/v1/pages/{page}/html", "getPageBytes", "The bytes of a page as they were posted, as a download that no browser shows.", html)
            .answers_as(200, "The bytes.", &["application/octet-stream"], json!({"type": "string", "format": "binary"})),
    ]
}

#[derive(Deserialize)]
struct Posted {
    url: String,
    date: Option<String>,
    model: Option<String>,
    keep: Option<bool>,
}

async fn post(
    service: App,
    Params(posted): Params<Posted>,
    Params(wanted): Params<FormatParams>,
    request_body: RequestBody,
) -> Answer<JsonBytes> {
    let service = service.0;
    let wanted = wanted.format_or(PageFormat::Labels)?;
    let (page, reserved) = read_page(&service, &posted.url, posted.date.as_deref(), request_body).await?;
    if let Some(name) = posted.model {
        return service
            .work(move |at| {
                let _reserved = reserved;
                Ok(JsonBytes(model_line(&page, &*at.models(&name)?, wanted, &mut PageParser::new())?))
            })
            .await;
    }
    let is_kept = posted.keep.unwrap_or(true);
    let page = Arc::new(page);
    let prepared = Arc::clone(&page);
    let incoming = service.work(move |at| Preparer::new(&at.method).prepare(&prepared, is_kept)).await?;
    let followed =
        service.state_writer.page(incoming)?.await.map_err(|_| crate::state_writer::stopped())??;
    service.metrics.page();
    // The page is durable now, even if formatting the response fails.
    service
        .work(move |_| {
            let _reserved = reserved;
            Ok(JsonBytes(followed_line(&page, &followed, wanted, &mut PageParser::new())?))
        })
        .await
}

/// The page in a body.
pub(crate) async fn read_page(
    service: &Arc<Service>,
    url: &str,
    date: Option<&str>,
    request_body: RequestBody,
) -> Answer<(Page, Reserved)> {
    if url.is_empty() || url.chars().count() > URL_CHARS_MAX {
        return Err(ApiError::parameter(format!("`url` must have from 1 to {URL_CHARS_MAX} characters")));
    }
    let date = date.map(read_date).transpose()?;
    let coding = Coding::of(&request_body.headers)?;
    let content_type =
        request_body.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (bytes, mut reserved) = request_body.collect(service, service.options.page_bytes).await?;
    let url = url.to_owned();
    service
        .work(move |at| {
            let payload =
                content_coding::decompress(bytes, coding, at.options.page_bytes, &at.memory, &mut reserved)?;
            let charset = charset::find(&payload, content_type.as_deref());
            // UTF-16 text contains zero bytes, so only other encodings are checked for binary data.
            if charset.encoding.is_ascii_compatible() && unframe_crawl::looks_binary(&payload) {
                return Err(no_page());
            }
            let page = Page {
                site: at.options.site_by.key(&url),
                charset,
                url,
                date,
                payload,
                record_id: None,
                origin: Origin { file: "posted".into(), offset: 0 },
                problems: Vec::new(),
            };
            Ok((page, reserved))
        })
        .await
}

/// Refuses a body that is something other than a page.
fn no_page() -> ApiError {
    let message = "the body is not an HTML page: it begins like a file of another format";
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown-format", message)
}

/// Parses a day or an RFC 3339 timestamp.
fn read_date(text: &str) -> Answer<jiff::Timestamp> {
    let day = || {
        text.parse::<jiff::civil::Date>()
            .ok()
            .filter(|_| text.len() == 10)?
            .to_zoned(jiff::tz::TimeZone::UTC)
            .ok()
    };
    let moment = || text.parse::<jiff::Timestamp>().ok().filter(|_| text.contains(['T', 't']));
    moment().or_else(|| day().map(|day| day.timestamp())).ok_or_else(|| {
        ApiError::parameter(format!("`{text}` is not a date: write 2004-06-30 or 2004-06-30T12:00:00Z"))
    })
}

async fn get(service: App, PathParam(id): PathParam<u64>) -> Answer<JsonBytes> {
    service
        .work(move |at| {
            let found = Labelled::read(at, id)?;
            let row = &found.row;
            let more = json!({
                "page": id, "title": row.title, "charset": row.charset, "fingerprint": row.fingerprint,
                "labelled_by": found.by,
            });
            let labels = found.line(PageFormat::Labels)?;
            Ok(JsonBytes(with_more(labels, &more)?))
        })
        .await
}

/// A kept page with its regions: those of the site's model, or else those that were reported when the page was posted.
pub(crate) struct Labelled {
    pub(crate) row: PageRow,
    pub(crate) page: Page,
    pub(crate) regions: Vec<Region>,
    pub(crate) evidence: Evidence,
    pub(crate) by: &'static str,
}

impl Labelled {
    /// The page as a line of JSON.
    fn line(&self, wanted: PageFormat) -> Answer<Vec<u8>> {
        line(&self.page, &PageParser::new().open(&self.page), &self.regions, self.evidence, wanted)
    }

    pub(crate) fn read(service: &Service, id: u64) -> Answer<Labelled> {
        let (row, page) = service.page_store.page(id)?.ok_or_else(|| no_such_page(id))?;
        Ok(match service.known_models(&row.site)? {
            Some(models) => {
                let regions = models.label(&row.site, &PageParser::new().open(&page));
                let evidence = models.evidence(&row.site);
                Labelled { row, page, regions, evidence, by: "model" }
            }
            None => {
                let regions = service.page_store.regions(id)?;
                let is_first = service.page_store.ids(&row.site, 0, 1)?.first() == Some(&id);
                let evidence = if is_first { Evidence::Page } else { Evidence::Site };
                Labelled { row, page, regions, evidence, by: "follow" }
            }
        })
    }
}

async fn delete(service: App, PathParam(id): PathParam<u64>) -> Answer<StatusCode> {
    service
        .work(move |at| {
            let row = at.page_store.row(id)?.ok_or_else(|| no_such_page(id))?;
            at.forget_pages(&row.site, vec![id])?;
            crate::indexing::forget_later(at);
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

async fn clean(
    service: App,
    PathParam(id): PathParam<u64>,
    Params(wanted): Params<FormatParams>,
) -> Answer<JsonBytes> {
    let wanted = wanted.format_or(PageFormat::Clean(BodyFormat::Text))?;
    if wanted == PageFormat::Labels {
        return Err(ApiError::parameter("`as` must be text, markdown, html, simple-html or chunks"));
    }
    service
        .work(move |at| {
            let clean = Labelled::read(at, id)?.line(wanted)?;
            Ok(JsonBytes(with_more(clean, &json!({"page": id}))?))
        })
        .await
}

async fn html(service: App, PathParam(id): PathParam<u64>) -> Answer<Response> {
    let page = service.work(move |at| at.page_store.page(id)?.ok_or_else(|| no_such_page(id))).await?.1;
    let name = format!("attachment; filename=\"page-{id}.html\"");
    let headers = [(CONTENT_TYPE, "application/octet-stream".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, page.payload).into_response())
}
