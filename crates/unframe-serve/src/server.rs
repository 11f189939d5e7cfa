//! The HTTP server: limits on connections, headers and times, and a graceful stop.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{HttpService, Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep};

use crate::Options;
use crate::background::Background;
use crate::connections::{ConnectionState, Connections, OpenConnection, ResponseBody};
use crate::error::{Answer, ApiError};
use crate::middleware::{CountGuard, IsSpare, Peer};
use crate::service::Service;

/// Maximum number of headers of a request.
const HEADERS_MAX: usize = 100;
/// How long the server stops accepting connections when the system has no file descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// Opens the state and serves until the program is interrupted. This is all of `unframe serve`.
///
/// # Errors
/// If the state cannot be opened, or if the address cannot be listened on.
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

/// Serves until `stop` completes. Then it accepts no more connections, finishes pending requests, interrupts jobs so that the next start
/// restarts them, and writes the state. `started` is called with the address.
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
    let connections = Connections::new(service.options.connections);
    let app = crate::app(Arc::clone(&service));
    tokio::select! {
        () = stop => {}
        () = accept(&listener, &service, &app, &connections, &stopped) => {}
    }
    drop(listener);
    service.log.event("stop", &json!({"connections": service.metrics.connections.load(Ordering::Relaxed)}));
    let _ = stopping.send(true);
    let _ = tokio::time::timeout(service.options.stop_time, connections.drained()).await;
    service.is_stopping.store(true, Ordering::Relaxed);
    service.jobs.stop();
    tokio::task::spawn_blocking(move || {
        background.join();
        let written = service.state_writer.stop();
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
    connections: &Arc<Connections>,
    stopped: &watch::Receiver<bool>,
) {
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                sleep(PAUSE).await;
                continue;
            }
        };
        let entered = connections.enter().await;
        let (service, app, stopped) = (Arc::clone(service), app.clone(), stopped.clone());
        tokio::spawn(async move {
            let _counted = CountGuard::new(&service.metrics.connections);
            connection(stream, peer, entered, &service, app, stopped).await;
        });
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    entered: OpenConnection,
    service: &Service,
    app: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let options = &service.options;
    let place = Arc::clone(&entered.place);
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(TimeoutStream::new(stream, Arc::clone(&place), options));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        // The time counts from the end of the last response, so it also closes idle connections.
        .header_read_timeout(if place.is_spare { options.first_byte_time } else { options.idle_time })
        .max_buf_size(options.head_bytes.max(8 << 10))
        .max_headers(HEADERS_MAX)
        .half_close(false)
        .keep_alive(!place.is_spare)
        .serve_connection(io, answered(app, peer, entered));
    tokio::pin!(serving);
    tokio::select! {
        // In this order: received bytes are processed before the connection is checked for being idle.
        biased;
        _ = serving.as_mut() => return,
        () = place.wait_for_eviction() => {
            service.metrics.gave_way.fetch_add(1, Ordering::Relaxed);
            return;
        }
        _ = stopped.wait_for(|stopped| *stopped) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// The app for one connection. It adds the peer to requests, and tracks when responses are complete.
fn answered(
    app: Router,
    peer: SocketAddr,
    entered: OpenConnection,
) -> impl HttpService<Incoming, ResBody = ResponseBody, Error = Infallible, Future: Send> {
    let is_spare = IsSpare(entered.place.is_spare);
    let app = app.layer(axum::Extension(Peer(peer))).layer(axum::Extension(is_spare));
    let (app, entered) = (TowerToHyperService::new(app), Arc::new(entered));
    service_fn(move |request| {
        let (_request, answer) = (entered.ask(), app.call(request));
        async move { Ok(answer.await?.map(|body| ResponseBody { body, _request })) }
    })
}

/// A stream that fails when the client sends no first byte, or stops reading responses for too long. Timeouts of later reads are
/// enforced elsewhere.
struct TimeoutStream {
    stream: TcpStream,
    place: Arc<ConnectionState>,
    idle: Duration,
    /// The timeout of the first byte; `None` after it has arrived.
    silent: Option<Pin<Box<Sleep>>>,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl TimeoutStream {
    fn new(stream: TcpStream, place: Arc<ConnectionState>, options: &Options) -> TimeoutStream {
        let silent = Some(Box::pin(sleep(options.first_byte_time)));
        TimeoutStream { stream, place, idle: options.idle_time, silent, stalled: None }
    }

    fn watch<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        self.place.is_stalled.store(polled.is_pending(), Ordering::Relaxed);
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let idle = self.idle;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(idle)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client does not read the response",
            ))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for TimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if polled.is_ready() {
            self.place.mark_active();
            self.silent = None;
            return polled;
        }
        match self.silent.as_mut().map(|silent| silent.as_mut().poll(context)) {
            Some(Poll::Ready(())) => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not send anything")))
            }
            _ => Poll::Pending,
        }
    }
}

impl AsyncWrite for TimeoutStream {
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
