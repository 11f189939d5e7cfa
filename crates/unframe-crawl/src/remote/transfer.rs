//! All bytes of a file, or of a range of it, through as many requests as it takes.

use std::io;
use std::time::Duration;

use bytes::Bytes;

use super::request::{CHANGED, Failure, Response, Source, Wanted};
use crate::limits::{
    REMOTE_ATTEMPTS_MAX, REMOTE_BYTES_MAX, REMOTE_FIRST_PAUSE, REMOTE_PAUSE_MAX, REMOTE_SILENCE_MAX,
};

/// How patient a transfer is.
#[derive(Debug, Clone)]
pub(super) struct Patience {
    /// Attempts in a row that bring nothing.
    pub(super) attempts: u32,
    /// The pause after the first; each further one is twice as long.
    pub(super) first_pause: Duration,
    /// How long nothing may arrive.
    pub(super) silence: Duration,
    pub(super) bytes_max: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            attempts: REMOTE_ATTEMPTS_MAX,
            first_pause: REMOTE_FIRST_PAUSE,
            silence: REMOTE_SILENCE_MAX,
            bytes_max: REMOTE_BYTES_MAX,
        }
    }
}

impl Patience {
    /// Waits before the next attempt; fails if there is none.
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

    /// What comes in time.
    pub(super) async fn await_answer<T>(
        &self,
        answer: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let silence = || Failure::temporary(format!("nothing came for {} s", self.silence.as_secs_f32()));
        tokio::time::timeout(self.silence, answer).await.unwrap_or_else(|_| Err(silence()))
    }
}

/// A file that is being transferred.
pub(super) struct Transfer {
    source: Source,
    patience: Patience,
    wanted: Wanted,
    /// Whether bytes were received: what follows must be of the same file.
    has_begun: bool,
    /// Attempts since the last byte.
    attempts: u32,
    received: u64,
    response: Option<Response>,
}

impl Transfer {
    pub(super) fn new(source: Source, range: Option<(u64, u64)>, patience: Patience) -> Transfer {
        let (start, end) = range.map_or((0, None), |(start, end)| (start, Some(end)));
        let wanted = Wanted { start, end, version: None };
        Transfer { source, patience, wanted, has_begun: false, attempts: 0, received: 0, response: None }
    }

    /// The next piece; nothing at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if self.wanted.end.is_some_and(|end| self.wanted.start >= end) {
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
                    self.patience.pause(self.attempts, failure).await?;
                }
            }
        }
    }

    /// How many bytes the whole file has.
    pub(super) async fn file_length(&mut self) -> io::Result<u64> {
        let unknown = || io::Error::other("the server does not say how long the file is");
        loop {
            match begin(&self.source, &self.wanted, &self.patience, false).await {
                Ok(response) => return response.file_length.ok_or_else(unknown),
                Err(failure) => {
                    self.attempts += 1;
                    self.patience.pause(self.attempts, failure).await?;
                }
            }
        }
    }

    async fn attempt(&mut self) -> Result<Option<Bytes>, Failure> {
        let response = match &mut self.response {
            Some(response) => response,
            none => none.insert(begin(&self.source, &self.wanted, &self.patience, self.has_begun).await?),
        };
        loop {
            let Some(mut piece) = self.patience.await_answer(response.piece()).await? else {
                return Ok(None);
            };
            // The server began further in front, since it has no ranges: these bytes were received before.
            let known = self.wanted.start.saturating_sub(response.start).min(piece.len() as u64);
            response.start += piece.len() as u64;
            piece = piece.slice(known as usize..);
            if let Some(end) = self.wanted.end {
                let left = end.saturating_sub(self.wanted.start);
                piece.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            }
            if self.wanted.version.is_none() {
                self.wanted.version.clone_from(&response.version);
            }
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
    }

    fn count(&mut self, piece: &Bytes) -> io::Result<()> {
        self.has_begun = true;
        self.wanted.start += piece.len() as u64;
        self.received += piece.len() as u64;
        match self.received > self.patience.bytes_max {
            true => Err(io::Error::other(format!("it has more than {} bytes", self.patience.bytes_max))),
            false => Ok(()),
        }
    }
}

/// Asks, and checks that the answer has the bytes that are wanted.
async fn begin(
    source: &Source,
    wanted: &Wanted,
    patience: &Patience,
    has_begun: bool,
) -> Result<Response, Failure> {
    let response = patience.await_answer(source.get(wanted)).await?;
    if has_begun && wanted.version.is_some() && response.version != wanted.version {
        return Err(Failure::lasting(CHANGED));
    }
    if response.start > wanted.start {
        return Err(Failure::lasting("the server sent another part than the one that was asked for"));
    }
    if response.start < wanted.start && !has_begun {
        return Err(Failure::lasting(
            "the server does not send parts of files (no range requests): download the file first",
        ));
    }
    Ok(response)
}
