//! Models: export, import and deletion. The format is that of `unframe learn`.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use unframe::model_file::{ModelError, ModelFile};

use super::App;
use crate::api::{Json, PathParam, Route};
use crate::content_coding::{self, Coding};
use crate::error::{Answer, ApiError};
use crate::limits::{MODEL_MEMORY_TIMES, NAME_CHARS_MAX};
use crate::page_store::MODELS;
use crate::request_body::RequestBody;

pub(super) fn routes() -> Vec<Route> {
    let types = ["application/octet-stream"];
    vec![
        Route::new(Method::GET, "/api/v1/models", "listModels", "Models by name. The model of a site has the name of the site.", list)
            .answers(200, "The models.", "Models"),
        Route::new(Method::GET, "/api/v1/models/{model}", "exportModel", "A model as a file, for `unframe clean --model`.", export)
            .answers_as(200, "The file.", &types, json!({"type": "string", "format": "binary"})),
        Route::new(Method::PUT, "/api/v1/models/{model}", "importModel", "Stores a model under a name: a file that `unframe learn` or `unframe follow --export` wrote. It replaces a model of the same name.", import)
            .body("The file, uncompressed, or compressed with gzip or zstd.", &types)
            .answers(200, "What the model contains.", "Model")
            .refuses(507, "The limit of stored models is reached."),
        Route::new(Method::DELETE, "/api/v1/models/{model}", "deleteModel", "Deletes a model.", delete)
            .answers_nothing(204, "It is gone."),
    ]
}

async fn list(service: App) -> Answer<Json<Value>> {
    let names = service.work(move |at| at.page_store.names(MODELS)).await?;
    let answer: Vec<Value> =
        names.iter().map(|(name, bytes)| json!({"model": name, "bytes": bytes})).collect();
    Ok(Json(json!({"models": answer})))
}

async fn export(service: App, PathParam(name): PathParam<String>) -> Answer<Response> {
    let bytes = service
        .work(move |at| at.page_store.bytes(MODELS, &name)?.ok_or_else(|| no_such_model(&name)))
        .await?;
    let headers = [
        (CONTENT_TYPE, "application/octet-stream"),
        (CONTENT_DISPOSITION, "attachment; filename=\"site.model\""),
    ];
    Ok((headers, bytes).into_response())
}

async fn import(
    service: App,
    PathParam(name): PathParam<String>,
    request_body: RequestBody,
) -> Answer<Json<Value>> {
    let service = service.0;
    check_name(&name)?;
    let coding = Coding::of(&request_body.headers)?;
    let (bytes, mut reserved) = request_body.collect(&service, service.options.model_bytes).await?;
    service
        .work(move |at| {
            let bytes = content_coding::decompress(bytes, coding, at.options.model_bytes, &at.memory, &mut reserved)?;
            let memory_max = at.options.model_bytes.saturating_mul(MODEL_MEMORY_TIMES);
            let file = ModelFile::decode_within(&bytes, memory_max).map_err(refused)?;
            let answer = json!({"model": name, "bytes": bytes.len(), "method": file.describe(), "sites": file.sites.len()});
            at.import_model(&name, bytes)?;
            Ok(Json(answer))
        })
        .await
}

async fn delete(service: App, PathParam(name): PathParam<String>) -> Answer<StatusCode> {
    service
        .work(move |at| match at.delete_model(&name)? {
            true => Ok(StatusCode::NO_CONTENT),
            false => Err(no_such_model(&name)),
        })
        .await
}

/// Checks the name under which a client stores something.
pub(crate) fn check_name(name: &str) -> Answer<()> {
    match name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
        true => Err(ApiError::parameter(format!("a name must have from 1 to {NAME_CHARS_MAX} characters"))),
        false => Ok(()),
    }
}

fn refused(error: ModelError) -> ApiError {
    let (status, code) = match error {
        ModelError::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
        _ => (StatusCode::BAD_REQUEST, "bad-model"),
    };
    ApiError::new(status, code, error.to_string())
}

fn no_such_model(name: &str) -> ApiError {
    ApiError::missing("no-such-model", format!("there is no model `{name}`"))
}
