//! The middleware of all requests: it counts and logs, authorizes, limits concurrency and time, compresses responses, and adds security
//! headers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::caller::Caller;
use crate::compression;
use crate::error::{Answer, ApiError, Code};
use crate::host::Host;
use crate::keys::refused;
use crate::limits::REFUSAL_PAUSE;
use crate::service::Service;
use crate::slot::Slot;

/// The address of the peer; the listener sets it.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// Whether a request came on a spare connection for operators; the listener sets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsSpare(pub(crate) bool);

/// The name of the key that authorized a request.
#[derive(Debug, Clone)]
pub(crate) struct KeyName(pub(crate) String);

/// The content security policy of the explorer, which may run its own scripts and call this service. Other responses may load and run
/// nothing.
pub(crate) const EXPLORER_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// Routes for operators, which are answered even under full load.
const ALWAYS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// Routes that need no key: those for operators, the files of the explorer, which contain no data, and the one that starts a session.
const OPEN: [&str; 6] = ["/healthz", "/readyz", "/", "/explorer/{file}", "/openapi.json", "/api/v1/session"];

/// The middleware.
pub(crate) async fn middleware(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let begin = Instant::now();
    let _in_flight = CountGuard::new(&service.metrics.in_flight);
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "(none)".to_owned());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let accepted = compression::accepted(request.headers());
    let mut key = None;
    let caller = Caller::of(&request, &service.options.proxies);
    let admitted = admit(&service, &request, caller, &route);
    let response = match admitted {
        Err(error) => error.into_response(),
        Ok(name) => {
            key.clone_from(&name);
            request.extensions_mut().insert(caller);
            if let Some(name) = name {
                request.extensions_mut().insert(KeyName(name));
            }
            answer(&service, request, next, &route).await
        }
    };
    let mut response = compression::compress(safe(response), accepted).await;
    let status = response.status();
    if method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    service.metrics.request(&route, status.as_u16(), begin.elapsed());
    let code = response.extensions().get::<Code>().map(|code| code.0);
    service.log.event(
        "request",
        &json!({
            "method": method.as_str(), "path": path, "route": route, "status": status.as_u16(), "code": code, "key": key,
            "ms": (begin.elapsed().as_secs_f64() * 1e4).round() / 10.0,
        }),
    );
    response
}

/// Authorizes a request; returns the name of its key.
fn admit(service: &Service, request: &Request, caller: Caller, route: &str) -> Answer<Option<String>> {
    let headers = request.headers();
    let host = Host::of(headers, request.uri())?;
    let key = service.keys.name_of(headers, caller.address, Instant::now())?;
    let needs_key = !caller.is_local || service.options.require_keys;
    if key.is_none() && needs_key && !OPEN.contains(&route) {
        return Err(refused("a key is needed: send `Authorization: Bearer KEY`"));
    }
    if key.is_none() && caller.is_local {
        // This prevents DNS rebinding: otherwise any page in a browser on this machine could reach the service under the page's own
        // host name.
        is_own_host(host)?;
    }
    if !request.method().is_safe() {
        is_own_origin(headers, host)?;
    }
    if let Some(name) = &key {
        service.keys.count(name)?;
    }
    Ok(key)
}

fn is_own_host(host: Option<Host<'_>>) -> Answer<()> {
    if host.is_some_and(|host| host.is_loopback()) {
        return Ok(());
    }
    let name = host.map_or("", |host| host.name());
    let message = format!("`{name}` is not a name of this machine: use localhost, or send a key");
    Err(ApiError::new(StatusCode::FORBIDDEN, "wrong-host", message))
}

fn is_own_origin(headers: &HeaderMap, host: Option<Host<'_>>) -> Answer<()> {
    let refused = |message: &str| Err(ApiError::new(StatusCode::FORBIDDEN, "cross-origin", message));
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return Ok(()) };
    if origins.next().is_some() {
        return refused("there are two `Origin` headers: send one");
    }
    let origin = origin.to_str().unwrap_or_default();
    let own = host.map_or("", |host| host.text);
    match origin.split_once("://").is_some_and(|(_, name)| name == own) {
        true => Ok(()),
        false => refused("requests from pages of other sites cannot change anything"),
    }
}

/// Runs the request within the limits on concurrency and time.
async fn answer(service: &Service, mut request: Request, next: Next, route: &str) -> Response {
    if ALWAYS.contains(&route) {
        return next.run(request).await;
    }
    if request.extensions().get::<IsSpare>().is_some_and(|spare| spare.0) {
        return ApiError::busy("too many connections: retry in a moment").into_response();
    }
    if service.is_stopping.load(Ordering::Relaxed) {
        return crate::state_writer::stopped().into_response();
    }
    let Some(slot) = Slot::now(&service.slots) else {
        // The delay keeps clients from retrying at once, which would cost as much as the request.
        tokio::time::sleep(REFUSAL_PAUSE).await;
        return ApiError::busy("too many requests at once: retry in a moment").into_response();
    };
    // The slot is paused while the body arrives.
    request.extensions_mut().insert(Arc::clone(&slot));
    // Uploads have limits of their own.
    let time = match route == "/api/v1/crawls" {
        true => service.options.job_time,
        false => service.options.request_time,
    };
    match tokio::time::timeout(time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!("the request took more than {} seconds", time.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message).into_response()
        }
    }
}

/// Adds security headers for browsers.
fn safe(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let always: [(HeaderName, &str); 6] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    ];
    for (name, value) in always {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Increments a gauge until it is dropped.
pub(crate) struct CountGuard<'a>(&'a AtomicI64);

impl<'a> CountGuard<'a> {
    pub(crate) fn new(count: &'a AtomicI64) -> CountGuard<'a> {
        count.fetch_add(1, Ordering::Relaxed);
        CountGuard(count)
    }
}

impl Drop for CountGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
