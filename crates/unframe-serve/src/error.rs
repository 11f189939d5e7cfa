//! Errors as responses: a status, a stable code, and a message.

use axum::http::header::{ACCEPT_ENCODING, ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request failed. Codes are stable; messages are for people.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ApiError {
    /// The status of the answer.
    pub status: StatusCode,
    /// The code, for programs.
    pub code: &'static str,
    /// What is wrong and what to do.
    pub message: String,
    /// Seconds after which to retry.
    pub retry_after: Option<u32>,
}

/// The result of a handler.
pub type Answer<T> = Result<T, ApiError>;

impl ApiError {
    /// An error with this status and code.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into(), retry_after: None }
    }

    /// A parameter that cannot be used.
    pub fn parameter(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-parameter", message)
    }

    /// Something that is not there, such as `no-such-site`.
    pub fn missing(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, code, message)
    }

    /// Too much load: the client should retry.
    pub fn busy(message: impl Into<String>) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        ApiError { retry_after: Some(1), ..error }
    }

    /// A body that is longer than it may be.
    pub fn too_large(bytes_max: u64) -> ApiError {
        let message = format!("the body is longer than {bytes_max} bytes, which is the limit");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    /// An internal error. The details go to the log.
    pub fn internal(what: impl std::fmt::Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", what.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(seconds) = self.retry_after {
            error["retry_after"] = json!(seconds);
        }
        let body = json!({"error": error}).to_string();
        let mut response = (self.status, [(CONTENT_TYPE, "application/json")], body).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, zstd, identity"));
            }
            // The rest of a body that is too slow is not read.
            StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            // The router says which methods there are.
            StatusCode::METHOD_NOT_ALLOWED => drop(headers.remove(ALLOW)),
            _ => {}
        }
        response.extensions_mut().insert(Code(self.code));
        response
    }
}

/// The code of an error, for the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code(pub(crate) &'static str);

/// Every operation of the database has errors of its own.
macro_rules! from_database {
    ($($error:ident)*) => {$(
        impl From<redb::$error> for ApiError {
            fn from(error: redb::$error) -> ApiError {
                ApiError::internal(format!("the database reports: {error}"))
            }
        }
    )*};
}

from_database!(Error TransactionError TableError StorageError CommitError);

impl From<unframe_store::StoreError> for ApiError {
    fn from(error: unframe_store::StoreError) -> ApiError {
        ApiError::internal(error)
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> ApiError {
        ApiError::internal(error)
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> ApiError {
        ApiError::internal(error)
    }
}
