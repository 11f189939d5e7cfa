//! unframe as a service: an HTTP API, and an explorer in the browser.
//!
//! [`Service::open`] opens the state in a folder, [`app`] is the service as a function from requests to answers (tests call it
//! without a socket), and [`serve`] listens.
//!
//! The way of a page that is posted: `sent` reads it and `body` unpacks it, within limits; `arrival` cuts it on a thread of the `pool`; the
//! `keeper`, the one thread that writes, asks `follow`'s tables, keeps the page and makes it durable with others; then the answer
//! is written. Sites are learned from their kept pages by `jobs`; what is found out is a `study`, which the explorer shows.
//! `gate` is what every request goes through. `api` is the list of routes that both the router and the OpenAPI document are
//! made from. `docs/serve.md` tells operators the rest.

mod api;
mod arrival;
mod background;
mod body;
mod cache;
mod caller;
mod crawl;
mod error;
mod gate;
mod host;
mod indexing;
mod jobs;
mod keeper;
mod kept;
mod keys;
pub mod limits;
mod log;
mod metrics;
mod openapi;
mod options;
mod packed;
mod pool;
mod room;
mod routes;
mod sent;
mod server;
mod service;
mod shares;
mod stream;
mod study;
mod tries;
mod turn;

use std::sync::Arc;

use axum::Router;

pub use error::{Answer, ApiError};
pub use gate::Peer;
pub use options::{LogFormat, Options};
pub use server::{run, serve};
pub use service::Service;

/// The service as a function from requests to answers. Requests without a [`Peer`] are taken to come from elsewhere.
pub fn app(service: Arc<Service>) -> Router {
    let mut router = Router::new();
    for route in routes::all() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(routes::health::nothing_here)
        .method_not_allowed_fallback(routes::health::no_such_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&service), gate::gate))
        .with_state(service)
}

/// The OpenAPI document that the service serves.
pub fn openapi() -> serde_json::Value {
    openapi::document(&routes::all())
}
