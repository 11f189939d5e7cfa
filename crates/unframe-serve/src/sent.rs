//! What a client sends: its body, read within limits of bytes, time and pace.

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
use crate::limits::TURN_PATIENCE;
use crate::pool::Reserved;
use crate::service::Service;
use crate::shares::Share;
use crate::turn::Turn;

/// A body that is to be read, and whose it is.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) headers: HeaderMap,
    pub(crate) client: Client,
    body: Body,
    turn: Option<Arc<Turn>>,
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Sent, Infallible> {
        let (parts, body) = request.into_parts();
        let client = Client::of(&parts.extensions);
        let turn = parts.extensions.get::<Arc<Turn>>().cloned();
        Ok(Sent { headers: parts.headers, client, body, turn })
    }
}

impl Sent {
    /// Reads a body that fits into memory, as it was sent. Memory is taken for what has come, not for what is announced, or a
    /// few clients could have all of it for nothing.
    pub(crate) async fn collect(self, service: &Service, bytes_max: usize) -> Answer<(Bytes, Reserved)> {
        let announced = self.announced(bytes_max as u64)?;
        // What has no room is refused before it was sent in vain.
        service.memory.check(announced as usize)?;
        let mut share = service.body_bytes.take(&self.client, 0).ok_or_else(full)?;
        let mut arriving = self.arrive(service)?;
        let mut reserved = service.memory.nothing();
        let mut bytes = Vec::new();
        while let Some(chunk) = arriving.next().await? {
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
        // It counts as arriving until its turn, so that not more wait for one than may arrive.
        if let Some(turn) = &arriving.turn {
            turn.resume().await?;
        }
        Ok((bytes.into(), reserved))
    }

    /// Writes a body into a file among the uploads, as it was sent. There is no turn afterwards: uploads have limits of their own.
    pub(crate) async fn spool(self, service: &Service) -> Answer<NamedTempFile> {
        let bytes_max = service.options.crawl_bytes;
        self.announced(bytes_max)?;
        let mut arriving = self.arrive(service)?;
        let file = NamedTempFile::with_prefix_in("crawl-", service.uploads())?;
        let mut output = tokio::fs::File::from_std(file.reopen()?);
        let mut length = 0;
        while let Some(chunk) = arriving.next().await? {
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
        arriving.pause_turn();
        Ok(file)
    }

    /// How long the body says that it is.
    fn announced(&self, bytes_max: u64) -> Answer<u64> {
        let length = self.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        match length.unwrap_or(0) {
            length if length > bytes_max => Err(ApiError::too_large(bytes_max)),
            length => Ok(length),
        }
    }

    /// Begins to read.
    fn arrive(self, service: &Service) -> Answer<Arriving> {
        let share = service.bodies.take(&self.client, 1);
        let share =
            share.ok_or_else(|| ApiError::busy("too many bodies arrive at once: come back in a moment"))?;
        let pace = Pace::new(&service.options);
        Ok(Arriving { body: self.body, pace, turn: self.turn, turn_left: TURN_PATIENCE, _share: share })
    }
}

/// A body on its way.
struct Arriving {
    body: Body,
    pace: Pace,
    turn: Option<Arc<Turn>>,
    /// How long it may be waited for before others have the turn.
    turn_left: Duration,
    _share: Share,
}

impl Arriving {
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
                    let message = format!("the body broke off or is malformed: {error}");
                    return Err(ApiError::new(StatusCode::BAD_REQUEST, "bad-body", message));
                }
            }
        }
    }
}

impl Arriving {
    /// How long to wait until the next look.
    fn patience(&self) -> Duration {
        let patience = self.pace.patience();
        if self.turn_left.is_zero() { patience } else { patience.min(self.turn_left) }
    }

    fn count(&mut self, waited: Duration, bytes: u64) -> Answer<()> {
        if !self.turn_left.is_zero() {
            self.turn_left = self.turn_left.saturating_sub(waited);
            if self.turn_left.is_zero() {
                self.pause_turn();
            }
        }
        self.pace.count(waited, bytes)
    }

    fn pause_turn(&self) {
        if let Some(turn) = &self.turn {
            turn.pause();
        }
    }
}

/// How a client keeps pace. Only time counts in which we waited for it: a slow disk is not the client's fault.
#[derive(Debug)]
struct Pace {
    idle: Duration,
    window: Duration,
    /// Bytes that have to come in a window.
    needed: u64,
    rate: u64,
    silent: Duration,
    waited: Duration,
    came: u64,
}

impl Pace {
    fn new(options: &Options) -> Pace {
        // No window is so short that it ends before anything could have come.
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

    /// How long to wait until the next look.
    fn patience(&self) -> Duration {
        self.idle.saturating_sub(self.silent).min(self.window.saturating_sub(self.waited))
    }

    /// Counts what came after a time of waiting.
    fn count(&mut self, waited: Duration, bytes: u64) -> Answer<()> {
        self.waited += waited;
        self.came += bytes;
        self.silent = if bytes > 0 { Duration::ZERO } else { self.silent + waited };
        if self.silent >= self.idle {
            return Err(slow(format!("nothing of the body came for {} seconds", self.idle.as_secs())));
        }
        if self.waited >= self.window {
            if self.came < self.needed {
                return Err(slow(format!("the body comes too slowly: send {} bytes a second", self.rate)));
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
    ApiError::new(StatusCode::BAD_REQUEST, "empty-body", "the body is empty: send something")
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
        // As fast as is asked for, for an hour.
        let mut pace = super::tests::pace();
        (0..3600).for_each(|_| pace.count(SECOND, 100).unwrap());
        // All at once, and then a while nothing.
        (0..5).for_each(|_| pace.count(SECOND, 1).unwrap());
        pace.count(SECOND, 5000).unwrap();
        (0..4).for_each(|_| pace.count(SECOND, 0).unwrap());
        // A byte a second is too little, and that is known when the window is over.
        (0..9).for_each(|_| pace.count(SECOND, 1).unwrap());
        assert_eq!(pace.patience(), SECOND);
        let error = pace.count(SECOND, 1).unwrap_err();
        assert_eq!((error.status, error.code), (StatusCode::REQUEST_TIMEOUT, "timeout"));
        assert!(error.message.contains("100 bytes a second"), "{error}");
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
