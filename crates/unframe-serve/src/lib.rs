//! unframe as a service: an HTTP API and a web explorer.
//!
//! [`Service::open`] opens the state in a folder. [`app`] makes the router, which tests call without a socket. [`serve`] listens for
//! connections.
//!
//! A posted page takes this path: `request_body` reads it and `content_coding` decompresses it, within limits. `incoming` parses it on a
//! thread of the `pool`. The `state_writer`, the only thread that writes, updates the state of its site in `follow`, stores the page, and
//! makes it durable together with others. Then the response is sent.
//!
//! Jobs (`jobs`) learn sites from their stored pages. The result is a `study`, which the explorer shows. `middleware` handles every
//! request first. `api` defines the routes, from which both the router and the OpenAPI document are made. `docs/serve.md` is the manual
//! for operators.

mod answer_format;
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

/// The router of the service. Requests without a [`Peer`] extension are treated as remote.
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
