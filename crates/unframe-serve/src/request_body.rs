//! Reads the body of a request, with limits on its size, time and speed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use http_body_util::BodyExt;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout};

use crate::Options;
use crate::caller::Client;
use crate::error::{Answer, ApiError};
use crate::limits::SLOT_PATIENCE;
use crate::pool::Reserved;
use crate::quota::QuotaShare;
use crate::service::Service;
use crate::slot::Slot;

/// The body of a request, not yet read, and its client.
#[derive(Debug)]
pub(crate) struct RequestBody {
    pub(crate) headers: HeaderMap,
    pub(crate) client: Client,
    body: Body,
    slot: Option<Arc<Slot>>,
}

impl<S: Send + Sync> FromRequest<S> for RequestBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<RequestBody, Infallible> {
        let (parts, body) = request.into_parts();
        let client = Client::of(&parts.extensions);
        let slot = parts.extensions.get::<Arc<Slot>>().cloned();
        Ok(RequestBody { headers: parts.headers, client, body, slot })
    }
}

impl RequestBody {
    /// Reads a body into memory, without decompressing it. Memory is reserved for the received bytes, not for the declared length: otherwise
    /// a few clients could reserve all of it without sending anything.
    pub(crate) async fn collect(self, service: &Service, bytes_max: usize) -> Answer<(Bytes, Reserved)> {
        let announced = self.announced(bytes_max as u64)?;
        // A body that cannot fit is refused before its bytes are read.
        service.memory.check(announced as usize)?;
        let mut share = service.body_bytes.take(&self.client, 0).ok_or_else(full)?;
        let mut reader = self.arrive(service)?;
        let mut reserved = service.memory.nothing();
        let mut bytes = Vec::new();
        while let Some(chunk) = reader.next().await? {
            if bytes.len() + chunk.len() > bytes_max {
                return Err(ApiError::too_large(bytes_max as u64));
            }
            service.memory.grow(&mut reserved, chunk.len())?;
            if !share.grow(chunk.len()) {
                return Err(full());
            }
            bytes.extend_from_slice(&chunk);
        }
        if bytes.is_empty() {
            return Err(empty());
        }
        // The body counts as arriving until its request has a slot again, so that the number of waiting bodies is bounded.
        if let Some(slot) = &reader.slot {
            slot.resume().await?;
        }
        Ok((bytes.into(), reserved))
    }

    /// Writes a body into a file in the folder of uploads, without decompressing it. Releases the slot, because uploads have limits of their
    /// own.
    pub(crate) async fn spool(self, service: &Service) -> Answer<NamedTempFile> {
        let bytes_max = service.options.crawl_bytes;
        self.announced(bytes_max)?;
        let mut reader = self.arrive(service)?;
        let file = NamedTempFile::with_prefix_in("crawl-", service.uploads())?;
        let mut output = tokio::fs::File::from_std(file.reopen()?);
        let mut length = 0;
        while let Some(chunk) = reader.next().await? {
            length += chunk.len() as u64;
            if length > bytes_max {
                return Err(ApiError::too_large(bytes_max));
            }
            output.write_all(&chunk).await?;
        }
        if length == 0 {
            return Err(empty());
        }
        output.flush().await?;
        output.sync_all().await?;
        reader.pause_slot();
        Ok(file)
    }

    /// The declared length of the body, or 0. Fails if it exceeds the limit.
    fn announced(&self, bytes_max: u64) -> Answer<u64> {
        let length = self.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        match length.unwrap_or(0) {
            length if length > bytes_max => Err(ApiError::too_large(bytes_max)),
            length => Ok(length),
        }
    }

    /// Starts reading the body.
    fn arrive(self, service: &Service) -> Answer<BodyReader> {
        let share = service.bodies.take(&self.client, 1);
        let share =
            share.ok_or_else(|| ApiError::busy("too many bodies arrive at once: retry in a moment"))?;
        let pace = Pace::new(&service.options);
        Ok(BodyReader { body: self.body, pace, slot: self.slot, slot_left: SLOT_PATIENCE, _share: share })
    }
}

/// A body that is being read.
struct BodyReader {
    body: Body,
    pace: Pace,
    slot: Option<Arc<Slot>>,
    /// How much longer to wait for bytes before the slot is released.
    slot_left: Duration,
    _share: QuotaShare,
}

impl BodyReader {
    /// The next bytes.
    async fn next(&mut self) -> Answer<Option<Bytes>> {
        loop {
            let (begin, patience) = (Instant::now(), self.patience());
            match timeout(patience, self.body.frame()).await {
                Err(_) => self.count(patience, 0)?,
                Ok(None) => return Ok(None),
                Ok(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    self.count(begin.elapsed(), data.len() as u64)?;
                    return Ok(Some(data));
                }
                Ok(Some(Err(error))) => {
                    let message = format!("the body was cut off or is malformed: {error}");
                    return Err(ApiError::new(StatusCode::BAD_REQUEST, "bad-body", message));
                }
            }
        }
    }
}

impl BodyReader {
    /// How long to wait for bytes before the next check.
    fn patience(&self) -> Duration {
        let patience = self.pace.patience();
        if self.slot_left.is_zero() { patience } else { patience.min(self.slot_left) }
    }

    fn count(&mut self, waited: Duration, bytes: u64) -> Answer<()> {
        if !self.slot_left.is_zero() {
            self.slot_left = self.slot_left.saturating_sub(waited);
            if self.slot_left.is_zero() {
                self.pause_slot();
            }
        }
        self.pace.count(waited, bytes)
    }

    fn pause_slot(&self) {
        if let Some(slot) = &self.slot {
            slot.pause();
        }
    }
}

/// The upload speed of a client. Only the time spent waiting for the client counts.
#[derive(Debug)]
struct Pace {
    idle: Duration,
    window: Duration,
    /// Bytes that must arrive in a window.
    needed: u64,
    rate: u64,
    silent: Duration,
    waited: Duration,
    came: u64,
}

impl Pace {
    fn new(options: &Options) -> Pace {
        // A window of length 0 would end before any byte could arrive.
        let window = options.body_window.max(Duration::from_millis(1));
        let needed = (options.body_rate as f64 * window.as_secs_f64()) as u64;
        Pace {
            idle: options.idle_time,
            window,
            needed,
            rate: options.body_rate,
            silent: Duration::ZERO,
            waited: Duration::ZERO,
            came: 0,
        }
    }

    /// How long to wait for bytes before the next check.
    fn patience(&self) -> Duration {
        self.idle.saturating_sub(self.silent).min(self.window.saturating_sub(self.waited))
    }

    /// Counts bytes that arrived after waiting this long, and fails if the body is too slow.
    fn count(&mut self, waited: Duration, bytes: u64) -> Answer<()> {
        self.waited += waited;
        self.came += bytes;
        self.silent = if bytes > 0 { Duration::ZERO } else { self.silent + waited };
        if self.silent >= self.idle {
            return Err(slow(format!("no byte of the body arrived for {} seconds", self.idle.as_secs())));
        }
        if self.waited >= self.window {
            if self.came < self.needed {
                return Err(slow(format!(
                    "the body arrives too slowly: send at least {} bytes per second",
                    self.rate
                )));
            }
            (self.waited, self.came) = (Duration::ZERO, 0);
        }
        Ok(())
    }
}

fn slow(message: String) -> ApiError {
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message)
}

fn full() -> ApiError {
    ApiError::busy("the bodies of this client take too much memory: send fewer at once")
}

fn empty() -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "empty-body", "the body is empty: send a page or a file")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pace() -> Pace {
        let options =
            Options { body_rate: 100, body_window: 10 * SECOND, idle_time: 20 * SECOND, ..Options::new("") };
        Pace::new(&options)
    }

    #[test]
    fn a_body_has_a_pace() {
        // An hour at exactly the required speed.
        let mut pace = super::tests::pace();
        (0..3600).for_each(|_| pace.count(SECOND, 100).unwrap());
        // A burst, and then nothing for a while.
        (0..5).for_each(|_| pace.count(SECOND, 1).unwrap());
        pace.count(SECOND, 5000).unwrap();
        (0..4).for_each(|_| pace.count(SECOND, 0).unwrap());
        // A byte per second is too slow, which is reported at the end of the window.
        (0..9).for_each(|_| pace.count(SECOND, 1).unwrap());
        assert_eq!(pace.patience(), SECOND);
        let error = pace.count(SECOND, 1).unwrap_err();
        assert_eq!((error.status, error.code), (StatusCode::REQUEST_TIMEOUT, "timeout"));
        assert!(error.message.contains("100 bytes per second"), "{error}");
    }

    #[test]
    fn any_pace_will_do_if_none_is_asked_for_but_silence_will_not() {
        let mut pace = Pace { needed: 0, ..super::tests::pace() };
        (0..3600).for_each(|_| pace.count(SECOND, 1).unwrap());
        (0..19).for_each(|_| pace.count(SECOND, 0).unwrap());
        assert_eq!(pace.patience(), SECOND);
        assert!(pace.count(SECOND, 0).unwrap_err().message.contains("20 seconds"));
    }
}
