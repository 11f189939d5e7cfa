//! Routes together with their documentation. The router and the OpenAPI document are made from the same list.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Query};
use axum::handler::Handler;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::service::Service;

/// One route.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) method: Method,
    /// The operation id in the OpenAPI document.
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    pub(crate) parameters: Vec<Value>,
    pub(crate) body: Option<Value>,
    pub(crate) answers: Vec<(u16, Value)>,
    pub(crate) handler: MethodRouter<Arc<Service>>,
}

impl Route {
    /// A route. `id` is the operation id in the OpenAPI document.
    pub(crate) fn new<H, T>(
        method: Method,
        path: &'static str,
        id: &'static str,
        about: &'static str,
        handler: H,
    ) -> Route
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        let handler = on(filter, handler);
        let mut route =
            Route { path, method, id, about, parameters: vec![], body: None, answers: vec![], handler };
        for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
            let schema = match name {
                "page" | "job" => json!({"type": "integer", "minimum": 1, "maximum": i64::MAX}),
                "template" => json!({"type": "string", "pattern": "^[0-9a-f]{16}$"}),
                _ => json!({"type": "string", "minLength": 1, "maxLength": crate::limits::NAME_CHARS_MAX}),
            };
            route.parameters.push(json!({"name": name, "in": "path", "required": true, "schema": schema}));
        }
        route
    }

    /// Adds an optional query parameter.
    pub(crate) fn query(self, name: &str, about: &str, schema: Value) -> Route {
        self.parameter(name, about, schema, false)
    }

    /// Adds a required query parameter.
    pub(crate) fn needs(self, name: &str, about: &str, schema: Value) -> Route {
        self.parameter(name, about, schema, true)
    }

    fn parameter(mut self, name: &str, about: &str, schema: Value, required: bool) -> Route {
        self.parameters.push(
            json!({"name": name, "in": "query", "description": about, "required": required, "schema": schema}),
        );
        self
    }

    /// Adds a request body of these media types.
    pub(crate) fn body(mut self, about: &str, types: &[&str]) -> Route {
        let content: serde_json::Map<String, Value> = types
            .iter()
            .map(|name| ((*name).to_owned(), json!({"schema": {"type": "string", "minLength": 1}})))
            .collect();
        self.body = Some(json!({"description": about, "required": true, "content": content}));
        self
    }

    /// Adds a JSON response, by the name of its schema.
    pub(crate) fn answers(self, status: u16, about: &str, schema: &str) -> Route {
        let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
        self.answers_as(status, about, &["application/json"], schema)
    }

    /// Adds a response of these media types.
    pub(crate) fn answers_as(mut self, status: u16, about: &str, types: &[&str], schema: Value) -> Route {
        let content: serde_json::Map<String, Value> =
            types.iter().map(|name| ((*name).to_owned(), json!({"schema": schema}))).collect();
        self.answers.push((status, json!({"description": about, "content": content})));
        self
    }

    /// Adds a documented error.
    pub(crate) fn refuses(self, status: u16, about: &str) -> Route {
        self.answers(status, about, "Error")
    }

    /// Adds a response without a body.
    pub(crate) fn answers_nothing(mut self, status: u16, about: &str) -> Route {
        self.answers.push((status, json!({"description": about})));
        self
    }
}

/// The schema of an integer in a range.
pub(crate) fn number(minimum: u64, maximum: u64) -> Value {
    json!({"type": "integer", "minimum": minimum, "maximum": maximum})
}

/// The schema of an enumeration.
pub(crate) fn choice(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

/// The schema of a string.
pub(crate) fn text(length_max: usize) -> Value {
    json!({"type": "string", "maxLength": length_max})
}

/// The schema of a boolean.
pub(crate) fn yes_or_no() -> Value {
    json!({"type": "boolean"})
}

/// The extractor of query parameters. Unlike axum's, it reports errors as [`ApiError`].
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Params<T>, ApiError> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Params(params)),
            Err(error) => Err(ApiError::parameter(in_words(&error.body_text()))),
        }
    }
}

/// Rewords an error of the library.
fn in_words(error: &str) -> String {
    let error = error.strip_prefix("Failed to deserialize query string: ").unwrap_or(error);
    match error.strip_prefix("missing field ") {
        Some(name) => format!("the parameter {name} is missing"),
        None => format!("the parameters cannot be understood: {error}"),
    }
}

/// The extractor of path parameters. Unlike axum's, it reports errors as [`ApiError`].
pub(crate) struct PathParam<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParam<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParam<T>, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(PathParam(named)),
            Err(error) => Err(ApiError::new(StatusCode::BAD_REQUEST, "bad-path", error.body_text())),
        }
    }
}

/// A JSON response.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => ([(CONTENT_TYPE, "application/json")], body).into_response(),
            Err(error) => ApiError::from(error).into_response(),
        }
    }
}

/// A JSON response that is serialized already.
pub(crate) struct JsonBytes(pub(crate) Vec<u8>);

impl IntoResponse for JsonBytes {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
