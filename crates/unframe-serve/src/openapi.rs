//! The OpenAPI document, made from the list of routes.

use serde_json::{Map, Value, json};

use crate::api::Route;

const SCHEMAS: &str = include_str!("schemas.json");

/// The OpenAPI document of these routes.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = operation(route);
    }
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap_or_default();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "unframe",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Finds the template of every page of a crawl: menus, headers, footers, everything that a site repeats. \
                Request and response bodies may be compressed with gzip or zstd. Errors have a stable `code` and a message for people. Responses with status 429 and 503 say in `Retry-After` when to retry.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "security": [{}, {"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "Not needed by clients on the machine of the service."}},
            "responses": {"Error": {
                "description": "The request failed: `code` is for programs, `message` for people.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            }},
            "schemas": schemas,
        },
    })
}

fn operation(route: &Route) -> Value {
    let mut answers = Map::new();
    for (status, answer) in &route.answers {
        answers.insert(status.to_string(), answer.clone());
    }
    answers.insert("default".to_owned(), json!({"$ref": "#/components/responses/Error"}));
    let summary = route.about.split(['.', ':']).next().unwrap_or_default();
    let mut operation = json!({
        "operationId": route.id, "summary": summary, "description": route.about, "parameters": route.parameters,
        "responses": answers,
    });
    if let Some(body) = &route.body {
        operation["requestBody"] = body.clone();
    }
    operation
}
