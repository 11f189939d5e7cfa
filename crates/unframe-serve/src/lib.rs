//! unframe as a service: an HTTP API, and an explorer for the browser.
//!
//! [`Service::open`] opens the state in a folder, [`app`] is the service as a function from requests to answers (tests call it
//! without a socket), and [`serve`] listens.
//!
//! The path of a posted page: `request_body` reads it and `content_coding` decompresses it, within limits; `incoming` parses it on a thread of the `pool`; the
//! `state_writer`, the only thread that writes, updates the states of `follow`, stores the page and makes it durable together with others; then the answer
//! is sent. Jobs (`jobs`) learn sites from their stored pages; the result is a `study`, which the explorer shows.
//! `middleware` handles every request first. `api` is the list of routes from which both the router and the OpenAPI document are
//! made. `docs/serve.md` is the manual for operators.

mod api;
mod background;
mod cache;
mod caller;
mod compression;
mod connections;
mod content_coding;
mod crawl;
mod error;
mod host;
mod incoming;
mod indexing;
mod jobs;
mod key_throttle;
mod keys;
pub mod limits;
mod log;
mod metrics;
mod middleware;
mod openapi;
mod options;
mod page_store;
mod pool;
mod quota;
mod request_body;
mod routes;
mod server;
mod service;
mod slot;
mod state_writer;
mod stream;
mod study;

use std::sync::Arc;

use axum::Router;

pub use error::{Answer, ApiError};
pub use middleware::Peer;
pub use options::{LogFormat, Options};
pub use server::{run, serve};
pub use service::Service;

/// The service as a function from requests to responses. Requests without a [`Peer`] are treated as remote.
pub fn app(service: Arc<Service>) -> Router {
    let mut router = Router::new();
    for route in routes::all() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(routes::health::nothing_here)
        .method_not_allowed_fallback(routes::health::no_such_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&service), middleware::middleware))
        .with_state(service)
}

/// The OpenAPI document that the service serves.
pub fn openapi() -> serde_json::Value {
    openapi::document(&routes::all())
}
