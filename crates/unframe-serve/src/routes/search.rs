//! Search in the kept pages, with or without template text.

use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use unframe::site::without_www;
use unframe_search::{Hit, Query, SearchError};

use super::{App, short, window};
use crate::api::{Json, Params, Route, number, text, yes_or_no};
use crate::error::{Answer, ApiError};
use crate::jobs::Task;
use crate::limits::NAME_CHARS_MAX;

const HITS_MAX: usize = 100;
const OFFSET_MAX: usize = 10_000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::GET,
            "/api/v1/search",
            "search",
            "Pages with these words, the best first. Templates are left out, unless they are asked for.",
            search,
        )
        .needs(
            "q",
            "The words, such as `tea`, `\"black tea\"` or `+tea -milk`.",
            json!({"type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX}),
        )
        .query("site", "Only pages of this site.", text(NAME_CHARS_MAX))
        .query("in_templates", "Whether to search the text of templates as well.", yes_or_no())
        .query("all", "Whether a page must have all words.", yes_or_no())
        .query("limit", "How many.", number(1, HITS_MAX as u64))
        .query("offset", "How many to skip.", number(0, OFFSET_MAX as u64))
        .answers(200, "What was found.", "Found"),
        Route::new(
            Method::POST,
            "/api/v1/index",
            "updateIndex",
            "Updates the search index. This also happens automatically when no more pages arrive.",
            index,
        )
        .answers(202, "A job was started.", "Job"),
    ]
}

#[derive(Deserialize)]
struct SearchParams {
    q: String,
    site: Option<String>,
    in_templates: Option<bool>,
    all: Option<bool>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn search(service: App, Params(params): Params<SearchParams>) -> Answer<Json<Value>> {
    let (limit, offset) = window(params.limit.or(Some(10)), params.offset, HITS_MAX)?;
    if params.q.is_empty() || offset > OFFSET_MAX {
        return Err(ApiError::parameter(format!(
            "`q` must contain words, and `offset` must be a number up to {OFFSET_MAX}"
        )));
    }
    let site = short("site", params.site, NAME_CHARS_MAX)?;
    let query = Query {
        text: short("q", Some(params.q), NAME_CHARS_MAX)?,
        all_words: params.all.unwrap_or(false),
        in_templates: params.in_templates.unwrap_or(false),
        site: (!site.is_empty()).then(|| without_www(&site).to_owned()),
        limit,
        offset,
        ..Query::default()
    };
    service
        .work(move |at| {
            let Some(index) = at.search_index()? else {
                return Ok(Json(json!({"total": 0, "pages": 0, "hits": []})));
            };
            let found = index.search(&query).map_err(|error| match error {
                SearchError::Query(message) => {
                    ApiError::parameter(format!("`q` cannot be understood: {message}"))
                }
                error => ApiError::internal(error),
            })?;
            let hits: Vec<Value> = found.hits.iter().map(hit).collect();
            Ok(Json(json!({"total": found.total, "pages": index.pages(), "hits": hits})))
        })
        .await
}

fn hit(hit: &Hit) -> Value {
    let marks: Vec<[usize; 2]> = hit.snippet.marks.iter().map(|mark| [mark.start, mark.end]).collect();
    json!({
        "url": hit.url, "site": hit.site, "title": hit.title, "date": hit.date.map(|date| date.to_string()),
        "language": hit.language, "score": hit.score, "snippet": hit.snippet.text, "highlights": marks,
    })
}

async fn index(service: App) -> Answer<Response> {
    service
        .work(move |at| {
            let job = at.jobs.add(Task::Index)?;
            at.save_job(&job)?;
            Ok((StatusCode::ACCEPTED, Json(super::jobs::to_json(&job))).into_response())
        })
        .await
}
