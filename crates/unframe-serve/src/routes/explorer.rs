//! The explorer: a few files, built into the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::api::{PathParam, Route};
use crate::error::{Answer, ApiError};
use crate::middleware::EXPLORER_POLICY;

const INDEX: &str = include_str!("../explorer/index.html");

/// The files by their names.
const FILES: [(&str, &str, &str); 13] = [
    ("style.css", "text/css; charset=utf-8", include_str!("../explorer/style.css")),
    ("main.js", "text/javascript; charset=utf-8", include_str!("../explorer/main.js")),
    ("ask.js", "text/javascript; charset=utf-8", include_str!("../explorer/ask.js")),
    ("make.js", "text/javascript; charset=utf-8", include_str!("../explorer/make.js")),
    ("rows.js", "text/javascript; charset=utf-8", include_str!("../explorer/rows.js")),
    ("sites.js", "text/javascript; charset=utf-8", include_str!("../explorer/sites.js")),
    ("site.js", "text/javascript; charset=utf-8", include_str!("../explorer/site.js")),
    ("picture.js", "text/javascript; charset=utf-8", include_str!("../explorer/picture.js")),
    ("page.js", "text/javascript; charset=utf-8", include_str!("../explorer/page.js")),
    ("template.js", "text/javascript; charset=utf-8", include_str!("../explorer/template.js")),
    ("timeline.js", "text/javascript; charset=utf-8", include_str!("../explorer/timeline.js")),
    ("search.js", "text/javascript; charset=utf-8", include_str!("../explorer/search.js")),
    ("upload.js", "text/javascript; charset=utf-8", include_str!("../explorer/upload.js")),
];

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/", "explore", "The explorer.", index).answers_as(
            200,
            "The page.",
            &["text/html"],
            json!({"type": "string"}),
        ),
        Route::new(Method::GET, "/explorer/{file}", "explorerFile", "A file of the explorer.", file)
            .answers_as(200, "The file.", &["text/css", "text/javascript"], json!({"type": "string"})),
    ]
}

async fn index(headers: HeaderMap) -> Response {
    answer(&headers, "text/html; charset=utf-8", INDEX)
}

async fn file(PathParam(name): PathParam<String>, headers: HeaderMap) -> Answer<Response> {
    let found = FILES.iter().find(|(known, _, _)| *known == name);
    let (_, kind, text) = found.ok_or_else(|| ApiError::missing("not-found", "there is no such file"))?;
    Ok(answer(&headers, kind, text))
}

/// The response for a file. Its ETag changes only with the program.
fn answer(headers: &HeaderMap, kind: &'static str, text: &'static str) -> Response {
    let tag = format!("\"{:016x}\"", xxh3_64(text.as_bytes()));
    let head = [
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag.clone()),
        (CONTENT_SECURITY_POLICY, EXPLORER_POLICY.to_owned()),
    ];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    (head, [(CONTENT_TYPE, kind)], text).into_response()
}
