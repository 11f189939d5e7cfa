//! Health, metrics, the OpenAPI document and sessions.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::Extension;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::App;
use crate::api::{Json, Route};
use crate::caller::Caller;
use crate::error::{Answer, ApiError};
use crate::keys::{COOKIE_NAME, refused};
use crate::middleware::KeyName;
use crate::{metrics, openapi};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/healthz", "isAlive", "Whether the process responds.", alive)
            .answers(200, "It does.", "Health"),
        Route::new(Method::GET, "/readyz", "isReady", "Whether the state can be written to, and what it holds.", ready)
            .answers(200, "It can.", "Ready"),
        Route::new(Method::GET, "/metrics", "getMetrics", "Counters and times, for Prometheus.", numbers)
            .answers_as(200, "The text format of Prometheus.", &["text/plain"], json!({"type": "string"})),
        Route::new(Method::GET, "/openapi.json", "getDocument", "This document.", document)
            .answers_as(200, "The document.", &["application/json"], json!({"type": "object"})),
        Route::new(Method::POST, "/api/v1/session", "beginSession", "Starts a session of the explorer for the key of this request, in a cookie that scripts cannot read.", begin_session)
            .answers_nothing(204, "The cookie is set."),
        Route::new(Method::DELETE, "/api/v1/session", "endSession", "Ends the session.", end_session)
            .answers_nothing(204, "The cookie is removed."),
    ]
}

async fn alive() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

async fn ready(service: App) -> Answer<Json<Value>> {
    let service = service.0;
    if service.is_stopping.load(Ordering::Relaxed) {
        return Err(crate::state_writer::stopped());
    }
    // The pool is bypassed, because it may be full: a busy service is still ready.
    let at = Arc::clone(&service);
    let answer = tokio::task::spawn_blocking(move || {
        let status = at.state_writer.status()?;
        let (pages, bytes) = at.page_store.totals()?;
        Ok(Json(json!({
            "status": "ready", "kept_pages": pages, "kept_bytes": bytes, "sites_followed": status.sites, "pages_followed": status.pages,
        })))
    });
    answer.await.unwrap_or_else(|error| Err(ApiError::internal(error)))
}

async fn numbers(service: App) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::text(&service)).into_response()
}

async fn document() -> Json<Value> {
    Json(openapi::document(&super::all()))
}

async fn begin_session(
    service: App,
    key: Option<Extension<KeyName>>,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
) -> Answer<Response> {
    // Local clients may need no key, and then they need no session cookie either.
    let Some(Extension(KeyName(name))) = key else {
        return match headers.contains_key("x-api-key") || service.options.keys.is_some() {
            true => Err(refused("a key is needed: send `Authorization: Bearer KEY`")),
            false => Ok(StatusCode::NO_CONTENT.into_response()),
        };
    };
    let token = service.keys.begin_session(&name, Instant::now())?;
    // A cookie that was set over TLS must not be sent over plain HTTP, where others could read it.
    let secure = if caller.is_some_and(|caller| caller.is_secure) { "; Secure" } else { "" };
    let seconds = service.options.session_time.as_secs();
    let cookie =
        format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response())
}

async fn end_session(service: App, headers: HeaderMap) -> Response {
    service.keys.end_session(&headers);
    let cookie = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response()
}

/// The response for unknown paths.
pub(crate) async fn nothing_here() -> ApiError {
    ApiError::missing("not-found", "there is nothing here: see /openapi.json")
}

/// The response for methods that a path does not support.
pub(crate) async fn no_such_method() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "this path does not accept this method: see /openapi.json",
    )
}
