//! Errors as responses: a status, a stable code, and a message.

use axum::http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// The error of a request. Codes are stable and for programs; messages are for people.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ApiError {
    /// The HTTP status of the response.
    pub status: StatusCode,
    /// The stable code, such as `no-such-site`.
    pub code: &'static str,
    /// What is wrong, and what the client can do.
    pub message: String,
    /// Seconds after which the client may retry.
    pub retry_after: Option<u32>,
}

/// The result of a handler.
pub type Answer<T> = Result<T, ApiError>;

impl ApiError {
    /// An error with this status and code.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into(), retry_after: None }
    }

    /// The error for an invalid parameter.
    pub fn parameter(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-parameter", message)
    }

    /// The error for something that does not exist, with a code such as `no-such-site`.
    pub fn missing(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, code, message)
    }

    /// The error under too much load. The client should retry.
    pub fn busy(message: impl Into<String>) -> ApiError {
        let error = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        ApiError { retry_after: Some(1), ..error }
    }

    /// The error for a body that exceeds its limit.
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
            // The rest of a slow body is not read, so the connection cannot be reused.
            StatusCode::REQUEST_TIMEOUT => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response.extensions_mut().insert(Code(self.code));
        response
    }
}

/// The code of an error, for the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code(pub(crate) &'static str);

/// Converts the error types of the database, which has one for each kind of operation.
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
