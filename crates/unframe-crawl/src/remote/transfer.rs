//! Transfers a file, or a range of it, and retries and resumes requests.

use std::io;
use std::time::Duration;

use bytes::Bytes;

use super::request::{ByteRequest, CHANGED, Failure, RemoteFile, Response};
use crate::limits::{
    REMOTE_ATTEMPTS_MAX, REMOTE_BYTES_MAX, REMOTE_FIRST_PAUSE, REMOTE_PAUSE_MAX, REMOTE_SILENCE_MAX,
};

/// When a transfer retries, and when it gives up.
#[derive(Debug, Clone)]
pub(super) struct RetryPolicy {
    /// Maximum number of consecutive attempts without any bytes.
    pub(super) attempts: u32,
    /// The pause after the first failure; each further pause is twice as long.
    pub(super) first_pause: Duration,
    /// The maximum time without any bytes.
    pub(super) silence: Duration,
    pub(super) bytes_max: u64,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            attempts: REMOTE_ATTEMPTS_MAX,
            first_pause: REMOTE_FIRST_PAUSE,
            silence: REMOTE_SILENCE_MAX,
            bytes_max: REMOTE_BYTES_MAX,
        }
    }
}

impl RetryPolicy {
    /// Waits before the next attempt; fails if no attempts are left.
    pub(super) async fn pause(&self, attempt: u32, failure: Failure) -> io::Result<()> {
        if !failure.is_temporary {
            return Err(io::Error::other(failure.message));
        }
        if attempt >= self.attempts {
            return Err(io::Error::other(format!("{} ({attempt} attempts)", failure.message)));
        }
        let doubled = self.first_pause.saturating_mul(1 << (attempt - 1).min(16));
        tokio::time::sleep(failure.retry_after.unwrap_or(doubled).min(REMOTE_PAUSE_MAX)).await;
        Ok(())
    }

    /// Waits for a response, up to the time limit.
    pub(super) async fn await_answer<T>(
        &self,
        answer: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let silence =
            || Failure::temporary(format!("the server sent nothing for {} s", self.silence.as_secs_f32()));
        tokio::time::timeout(self.silence, answer).await.unwrap_or_else(|_| Err(silence()))
    }
}

/// A file that is being transferred.
pub(super) struct Transfer {
    source: RemoteFile,
    retry_policy: RetryPolicy,
    bytes: ByteRequest,
    /// Whether bytes were received, so that further bytes must be of the same version of the file.
    has_begun: bool,
    /// Attempts since the last byte.
    attempts: u32,
    received: u64,
    response: Option<Response>,
}

impl Transfer {
    pub(super) fn new(source: RemoteFile, range: Option<(u64, u64)>, retry_policy: RetryPolicy) -> Transfer {
        let (start, end) = range.map_or((0, None), |(start, end)| (start, Some(end)));
        let bytes = ByteRequest { start, end, version: None };
        Transfer { source, retry_policy, bytes, has_begun: false, attempts: 0, received: 0, response: None }
    }

    /// The next piece; `None` at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if self.bytes.end.is_some_and(|end| self.bytes.start >= end) {
            return Ok(None);
        }
        loop {
            match self.attempt().await {
                Ok(None) => return Ok(None),
                Ok(Some(piece)) => {
                    self.attempts = 0;
                    if !piece.is_empty() {
                        return self.count(&piece).map(|()| Some(piece));
                    }
                }
                Err(failure) => {
                    self.response = None;
                    self.attempts += 1;
                    self.retry_policy.pause(self.attempts, failure).await?;
                }
            }
        }
    }

    /// The length of the whole file.
    pub(super) async fn file_length(&mut self) -> io::Result<u64> {
        let unknown = || io::Error::other("the server does not say how long the file is");
        loop {
            match begin(&self.source, &self.bytes, &self.retry_policy, false).await {
                Ok(response) => return response.file_length.ok_or_else(unknown),
                Err(failure) => {
                    self.attempts += 1;
                    self.retry_policy.pause(self.attempts, failure).await?;
                }
            }
        }
    }

    async fn attempt(&mut self) -> Result<Option<Bytes>, Failure> {
        let response = match &mut self.response {
            Some(response) => response,
            none => none.insert(begin(&self.source, &self.bytes, &self.retry_policy, self.has_begun).await?),
        };
        loop {
            let Some(mut piece) = self.retry_policy.await_answer(response.piece()).await? else {
                return Ok(None);
            };
            // A server without support for ranges starts at the beginning, so skip bytes that were received before.
            let known = self.bytes.start.saturating_sub(response.start).min(piece.len() as u64);
            response.start += piece.len() as u64;
            piece = piece.slice(known as usize..);
            if let Some(end) = self.bytes.end {
                let left = end.saturating_sub(self.bytes.start);
                piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            }
            if self.bytes.version.is_none() {
                self.bytes.version.clone_from(&response.version);
            }
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
    }

    fn count(&mut self, piece: &Bytes) -> io::Result<()> {
        self.has_begun = true;
        self.bytes.start += piece.len() as u64;
        self.received += piece.len() as u64;
        match self.received > self.retry_policy.bytes_max {
            true => Err(io::Error::other(format!("it has more than {} bytes", self.retry_policy.bytes_max))),
            false => Ok(()),
        }
    }
}

/// Sends a request, and checks that the response has the requested bytes.
async fn begin(
    source: &RemoteFile,
    bytes: &ByteRequest,
    retry_policy: &RetryPolicy,
    has_begun: bool,
) -> Result<Response, Failure> {
    let response = retry_policy.await_answer(source.get(bytes)).await?;
    if has_begun && bytes.version.is_some() && response.version != bytes.version {
        return Err(Failure::lasting(CHANGED));
    }
    if response.start > bytes.start {
        return Err(Failure::lasting("the server sent a different part than was requested"));
    }
    if response.start < bytes.start && !has_begun {
        return Err(Failure::lasting(
            "the server does not send parts of files (no range requests): download the file first",
        ));
    }
    Ok(response)
}
