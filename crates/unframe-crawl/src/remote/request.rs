//! Sends one request, and reads its response piece by piece.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore};
use reqwest::header::{
    CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_RANGE, LAST_MODIFIED, RANGE, RETRY_AFTER,
};
use reqwest::{StatusCode, Url};

/// A file, with the client that requests it.
pub(super) enum RemoteFile {
    Web(reqwest::Client, Url),
    Object(std::sync::Arc<AmazonS3>, Path),
}

/// The requested bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ByteRequest {
    pub(super) start: u64,
    /// The end of the range; `None` for the end of the file.
    pub(super) end: Option<u64>,
    /// The version of the file that earlier bytes came from.
    pub(super) version: Option<String>,
}

impl ByteRequest {
    fn is_whole_file(&self) -> bool {
        self.start == 0 && self.end.is_none()
    }
}

/// Why a response is missing or incomplete.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// Whether to retry the request.
    pub(super) is_temporary: bool,
    /// The time to wait before the next request, if the server sends one.
    pub(super) retry_after: Option<Duration>,
}

impl Failure {
    pub(super) fn temporary(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), is_temporary: true, retry_after: None }
    }

    pub(super) fn lasting(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), is_temporary: false, retry_after: None }
    }
}

/// A response whose body is not read yet.
pub(super) struct Response {
    /// The position of its first byte in the file.
    pub(super) start: u64,
    /// The length of the file, if the server sends it.
    pub(super) file_length: Option<u64>,
    /// Identifies the version of the file.
    pub(super) version: Option<String>,
    body: Body,
}

enum Body {
    Web(reqwest::Response),
    Object(BoxStream<'static, object_store::Result<Bytes>>),
}

impl Response {
    /// The next piece; `None` at the end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, Failure> {
        match &mut self.body {
            Body::Web(response) => response.chunk().await.map_err(web_failure),
            Body::Object(stream) => stream.next().await.transpose().map_err(object_failure),
        }
    }
}

impl RemoteFile {
    pub(super) async fn get(&self, bytes: &ByteRequest) -> Result<Response, Failure> {
        match self {
            RemoteFile::Web(client, url) => get_web(client, url, bytes).await,
            RemoteFile::Object(store, key) => get_object(store, key, bytes).await,
        }
    }
}

async fn get_web(client: &reqwest::Client, url: &Url, bytes: &ByteRequest) -> Result<Response, Failure> {
    let mut request = client.get(url.clone());
    if !bytes.is_whole_file() {
        let last = bytes.end.map(|end| end.saturating_sub(1).to_string()).unwrap_or_default();
        request = request.header(RANGE, format!("bytes={}-{last}", bytes.start));
    }
    if let Some(version) = &bytes.version {
        request = request.header(IF_RANGE, version);
    }
    let response = request.send().await.map_err(web_failure)?;
    let status = response.status();
    if !status.is_success() {
        let message = status.to_string();
        let is_temporary = status.is_server_error()
            || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
        return Err(Failure { message, is_temporary, retry_after: retry_after(response.headers()) });
    }
    let (start, file_length) = match status {
        StatusCode::PARTIAL_CONTENT => sent_range(response.headers())?,
        _ => (0, response.content_length()),
    };
    let version = version(response.headers());
    Ok(Response { start, file_length, version, body: Body::Web(response) })
}

/// The position of the first byte of a partial response, and the length of the file.
fn sent_range(headers: &HeaderMap) -> Result<(u64, Option<u64>), Failure> {
    let value = headers.get(CONTENT_RANGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let parse = || {
        let (range, length) = value.trim().strip_prefix("bytes ")?.split_once('/')?;
        Some((range.split_once('-')?.0.trim().parse().ok()?, length.trim().parse().ok()))
    };
    parse().ok_or_else(|| {
        Failure::lasting(format!("the server sent a part with an invalid Content-Range: `{value}`"))
    })
}

/// The value for an `If-Range` header: a strong entity tag, or else the date.
fn version(headers: &HeaderMap) -> Option<String> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::to_owned);
    text(ETAG).filter(|tag| !tag.starts_with("W/")).or_else(|| text(LAST_MODIFIED))
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

async fn get_object(store: &AmazonS3, key: &Path, bytes: &ByteRequest) -> Result<Response, Failure> {
    let range = match bytes.end {
        _ if bytes.is_whole_file() => None,
        Some(end) => Some(GetRange::Bounded(bytes.start..end)),
        None => Some(GetRange::Offset(bytes.start)),
    };
    let options = GetOptions { range, if_match: bytes.version.clone(), ..GetOptions::default() };
    let result = store.get_opts(key, options).await.map_err(object_failure)?;
    let (start, file_length) = (result.range.start, Some(result.meta.size));
    let version = result.meta.e_tag.clone();
    Ok(Response { start, file_length, version, body: Body::Object(result.into_stream()) })
}

/// Converts an error. The address is left out, because it is named wherever the failure is reported.
fn web_failure(error: reqwest::Error) -> Failure {
    let is_temporary = !error.is_builder() && !error.is_redirect();
    Failure { message: with_causes(&error.without_url()), is_temporary, retry_after: None }
}

pub(super) fn object_failure(error: object_store::Error) -> Failure {
    use object_store::Error as E;
    match &error {
        E::NotFound { .. } => Failure::lasting("404 Not Found: there is no such object or no such bucket"),
        E::Precondition { .. } => Failure::lasting(CHANGED),
        E::PermissionDenied { .. } | E::Unauthenticated { .. } => {
            Failure::lasting(format!("access is denied: {SET_CREDENTIALS} ({})", with_causes(&error)))
        }
        // Without credentials in the environment, the library queries the cloud's metadata service.
        E::Generic { .. } if with_causes(&error).contains("/latest/api/token") => {
            Failure::lasting(format!("there are no credentials: {SET_CREDENTIALS} ({})", with_causes(&error)))
        }
        E::Generic { .. } => Failure::temporary(with_causes(&error)),
        _ => Failure::lasting(with_causes(&error)),
    }
}

const SET_CREDENTIALS: &str =
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for public buckets";

/// The message for a file that changed during the transfer.
pub(super) const CHANGED: &str = "the file was changed while it was read";

/// An error and its causes, without duplicates.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
