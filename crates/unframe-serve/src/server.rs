//! Listening: a bounded number of connections, each with limits on heads, times and silence; and a stop that loses nothing.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Sleep, sleep};

use crate::Options;
use crate::background::Background;
use crate::error::{Answer, ApiError};
use crate::gate::{Counted, Peer};
use crate::service::Service;

/// Headers that a request may have.
const HEADERS_MAX: usize = 100;
/// How long accepting pauses when the system has no more files.
const PAUSE: Duration = Duration::from_millis(100);

/// Opens the state and serves until the program is interrupted: the whole of `unframe serve`.
///
/// # Errors
/// If the state cannot be opened or nothing can be listened on.
pub fn run(options: Options, started: impl FnOnce(SocketAddr)) -> Answer<()> {
    let service = Service::open(options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = interrupted()?;
        serve(service, stop, started).await
    })
}

/// Waits for Ctrl-C or SIGTERM.
#[cfg(unix)]
fn interrupted() -> Answer<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interrupted() -> Answer<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Serves until `stop` is done: then no connection is accepted, requests that have begun are finished, jobs are interrupted
/// to be taken up again, and everything is written down. `started` is called with the address.
pub async fn serve(
    service: Arc<Service>,
    stop: impl Future<Output = ()>,
    started: impl FnOnce(SocketAddr),
) -> Answer<()> {
    let address = service.options.listen;
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| ApiError::internal(format!("cannot listen on {address}: {error}")))?;
    let background = Background::start(&service)?;
    let address = listener.local_addr()?;
    service.log.event("start", &json!({"address": address.to_string()}));
    started(address);
    let (stopping, stopped) = watch::channel(false);
    let connections = Arc::new(Semaphore::new(service.options.connections));
    let app = crate::app(Arc::clone(&service));
    tokio::select! {
        () = stop => {}
        () = accept(&listener, &service, &app, &connections, &stopped) => {}
    }
    drop(listener);
    service.log.event("stop", &json!({"connections": service.metrics.connections.load(Ordering::Relaxed)}));
    let _ = stopping.send(true);
    let all = u32::try_from(service.options.connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(service.options.stop_time, connections.acquire_many(all)).await;
    service.is_stopping.store(true, Ordering::Relaxed);
    service.jobs.stop();
    tokio::task::spawn_blocking(move || {
        background.join();
        let written = service.keeper.stop();
        service.log.event("stopped", &json!({"error": written.as_ref().err().map(ToString::to_string)}));
        written
    })
    .await
    .unwrap_or_else(|error| Err(ApiError::internal(error)))
}

async fn accept(
    listener: &TcpListener,
    service: &Arc<Service>,
    app: &Router,
    connections: &Arc<Semaphore>,
    stopped: &watch::Receiver<bool>,
) {
    loop {
        // When all connections are taken, the next ones wait in the queue of the system.
        let Ok(permit) = Arc::clone(connections).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                sleep(PAUSE).await;
                continue;
            }
        };
        let (service, app, stopped) = (Arc::clone(service), app.clone(), stopped.clone());
        tokio::spawn(async move {
            let _counted = Counted::new(&service.metrics.connections);
            connection(stream, peer, &service, app, stopped).await;
            drop(permit);
        });
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    service: &Service,
    app: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let options = &service.options;
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(Patient { stream, idle: options.idle_time, stalled: None });
    let app = TowerToHyperService::new(app.layer(axum::Extension(Peer(peer))));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        // Counts from the end of the last answer, so a silent connection goes as well.
        .header_read_timeout(options.idle_time)
        .max_buf_size(options.head_bytes.max(8 << 10))
        .max_headers(HEADERS_MAX)
        .half_close(false)
        .serve_connection(io, app);
    tokio::pin!(serving);
    tokio::select! {
        _ = serving.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// A stream that is given up when the client takes nothing for too long. Reading has its limits elsewhere.
struct Patient {
    stream: TcpStream,
    idle: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn watch<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let idle = self.idle;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(idle)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, polled)
    }
}
