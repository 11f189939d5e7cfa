//! Uploads of whole crawls, which are answered page by page or processed by a job.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use tempfile::NamedTempFile;
use unframe_crawl::Progress;

use super::{App, short};
use crate::answer_format::{FORMATS, FormatParams, PageFormat};
use crate::api::{Json, Params, Route, choice, text, yes_or_no};
use crate::compression::{self, Encoder};
use crate::content_coding::Coding;
use crate::crawl::Crawl;
use crate::error::{Answer, ApiError};
use crate::jobs::Task;
use crate::limits::{CRAWL_MEMORY, NAME_CHARS_MAX};
use crate::request_body::RequestBody;
use crate::service::Service;
use crate::stream;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/api/v1/crawls", "postCrawl", "Processes a whole crawl: WARC, ARC, WACZ, JSONL or Parquet, recognised by its content. With `mode=stream` the response has a line of JSON for each page, as in the response of `postPage`, written when the page is durable, and a line for each problem; with `mode=job` it is a job, which survives a restart.", post)
            .query("mode", "Whether to respond with a stream of results or with a job; `stream` by default.", choice(&["stream", "job"]))
            .query("name", "The name of the file, for messages about problems.", text(NAME_CHARS_MAX))
            .format(&FORMATS)
            .query("model", "The name of a model. Pages are then labelled with it, and neither followed nor kept.", text(NAME_CHARS_MAX))
            .query("keep", "Whether the pages are kept.", yes_or_no())
            .query("any_status", "Whether pages with any HTTP status are processed, or only those with 200.", yes_or_no())
            .body("The crawl. Files that are themselves compressed need no `Content-Encoding`.", &["application/warc", "application/octet-stream"])
            .answers_as(200, "A line of JSON for each page.", &["application/x-ndjson"], json!({"type": "string"}))
            .answers(202, "The upload is stored, and a job was started.", "Job"),
    ]
}

#[derive(Deserialize)]
struct Posted {
    mode: Option<String>,
    name: Option<String>,
    model: Option<String>,
    keep: Option<bool>,
    any_status: Option<bool>,
}

async fn post(
    service: App,
    Params(posted): Params<Posted>,
    Params(wanted): Params<FormatParams>,
    request_body: RequestBody,
) -> Answer<Response> {
    let service = service.0;
    let is_job = match posted.mode.as_deref() {
        None | Some("stream") => false,
        Some("job") => true,
        Some(mode) => {
            return Err(ApiError::parameter(format!("`{mode}` is not a mode: choose stream or job")));
        }
    };
    let name = short("name", posted.name, NAME_CHARS_MAX)?;
    let name = if name.is_empty() { "upload".to_owned() } else { name };
    let wanted = wanted.format_or(PageFormat::Labels)?;
    let models = match posted.model {
        Some(_) if is_job => {
            return Err(conflict());
        }
        Some(model) => Some(service.work(move |at| at.models(&model)).await?),
        None => None,
    };
    let share = service.uploading.take(&request_body.client, 1);
    let share = share.ok_or_else(|| ApiError::busy("too many uploads at once: retry in a moment"))?;
    Coding::of(&request_body.headers)?;
    let coding = compression::accepted(&request_body.headers);
    // `Content-Encoding` is ignored: the reader detects gzip and zstd itself.
    let file = request_body.spool(&service).await?;
    if is_job {
        let any_status = posted.any_status.unwrap_or(false);
        return service.work(move |at| begin_job(at, file, name, any_status)).await;
    }
    // The permit is taken after the upload has arrived, so that a slow upload does not block others. A spooled upload waits for its
    // permit and memory, because refusing it would make the client send everything again.
    let permit = Arc::clone(&service.crawls).acquire_owned().await.map_err(ApiError::internal)?;
    let reserved = service.memory.wait(CRAWL_MEMORY).await?;
    let (lines, answer) = stream::body(service.options.idle_time);
    let crawl = Crawl {
        path: file.path().to_owned(),
        name,
        wanted,
        models,
        is_kept: posted.keep.unwrap_or(true),
        any_status: posted.any_status.unwrap_or(false),
        progress: Arc::new(Progress::default()),
    };
    tokio::task::spawn_blocking(move || {
        let _held = (permit, reserved, file, share);
        answer_lines(&service, &crawl, lines, coding);
    });
    let mut response = ([(CONTENT_TYPE, "application/x-ndjson")], answer).into_response();
    if let Some(name) = compression::name(coding) {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    Ok(response)
}

fn conflict() -> ApiError {
    let message = "a job follows and keeps pages: leave `model` out, or use mode=stream";
    ApiError::new(StatusCode::CONFLICT, "conflicting-parameters", message)
}

/// Queues a job for an upload, and responds when the job is durable.
fn begin_job(service: &Service, file: NamedTempFile, name: String, any_status: bool) -> Answer<Response> {
    let (_, path) = file.keep().map_err(|error| ApiError::from(error.error))?;
    let begun = (|| {
        let file = path.file_name().map(Into::into).unwrap_or_default();
        let job = service.jobs.add(Task::Crawl { file, name, any_status })?;
        service.save_job(&job)?;
        Ok(job)
    })();
    match begun {
        Ok(job) => Ok((StatusCode::ACCEPTED, Json(super::jobs::to_json(&job))).into_response()),
        Err(error) => {
            let _ = std::fs::remove_file(&path);
            Err(error)
        }
    }
}

/// Reads the crawl and writes its lines. An error is written as the last line.
fn answer_lines(service: &Service, crawl: &Crawl, lines: stream::Lines, coding: Coding) {
    let Ok(mut output) = Encoder::new(lines, coding) else { return };
    let end = Instant::now() + service.options.job_time;
    let result = crawl.run(service, |line| {
        if Instant::now() > end {
            let message = "the upload takes too long: split it, or use mode=job";
            return Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message));
        }
        Ok(output.write_all(&line)?)
    });
    let last = match result {
        Ok(counts) => json!({"summary": counts}),
        Err(error) => json!({"error": {"code": error.code, "message": error.message}}),
    };
    // Writing fails if the client has disconnected. Its pages are durable nevertheless.
    let _ = writeln!(output, "{last}").and_then(|()| output.finish().map(drop));
}
