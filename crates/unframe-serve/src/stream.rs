//! Streamed responses: a thread writes lines into a bounded queue that the client reads.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::HttpBody;
use bytes::Bytes;
use hyper::body::Frame;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Bytes that are sent together.
const CHUNK_BYTES: usize = 16 << 10;
/// Chunks that wait for the client.
const CHUNKS_AHEAD: usize = 8;

/// A writer of lines, and the response body that it feeds. A client that reads nothing for `idle` is disconnected.
pub(crate) fn body(idle: Duration) -> (Lines, axum::body::Body) {
    let (sender, receiver) = mpsc::channel(CHUNKS_AHEAD);
    let lines = Lines { sender, waiting: Vec::new(), idle, runtime: tokio::runtime::Handle::current() };
    (lines, axum::body::Body::new(Flow(receiver)))
}

/// The writer of lines. Writing blocks the thread.
pub(crate) struct Lines {
    sender: mpsc::Sender<Bytes>,
    waiting: Vec<u8>,
    idle: Duration,
    runtime: tokio::runtime::Handle,
}

impl Lines {
    fn send(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let bytes = Bytes::from(std::mem::take(&mut self.waiting));
        match self.runtime.block_on(timeout(self.idle, self.sender.send(bytes))) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::Error::new(io::ErrorKind::BrokenPipe, "the client closed the connection")),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read the response")),
        }
    }
}

impl Write for Lines {
    /// Takes at most as many bytes as fit into the chunk. A long line is sent in several chunks, so that the queue is bounded.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK_BYTES - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.waiting.len() >= CHUNK_BYTES {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ = self.send();
    }
}

/// The response body.
struct Flow(mpsc::Receiver<Bytes>);

impl HttpBody for Flow {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_waits_for_the_client_in_parts() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (mut lines, client) = body(Duration::from_millis(50));
        lines.write_all(&vec![b'a'; CHUNK_BYTES * CHUNKS_AHEAD]).unwrap();
        // The queue is full, and nobody reads from it.
        let error = lines.write_all(&vec![b'a'; CHUNK_BYTES]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }
}
