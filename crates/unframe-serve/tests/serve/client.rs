//! A service in a folder of its own, and the little of HTTP that tests need.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::oneshot;
use unframe_serve::{LogFormat, Options, Service};

/// A service that listens.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    folder: Option<TempDir>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// Options for tests: any port, and nothing logged.
pub(crate) fn options(folder: &TempDir) -> Options {
    Options {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        threads: 2,
        learn_after: None,
        log: LogFormat::None,
        ..Options::new(folder.path())
    }
}

impl Running {
    pub(crate) fn new() -> Running {
        Running::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Options)) -> Running {
        Running::in_folder(tempfile::tempdir().unwrap(), change)
    }

    pub(crate) fn in_folder(folder: TempDir, change: impl FnOnce(&mut Options)) -> Running {
        let mut options = options(&folder);
        change(&mut options);
        let (stop, stopped) = oneshot::channel();
        let (started, address) = channel();
        let thread = std::thread::spawn(move || {
            let service = Service::open(options).unwrap();
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let stop = async { drop(stopped.await) };
                unframe_serve::serve(service, stop, move |address| started.send(address).unwrap())
                    .await
                    .unwrap();
            });
        });
        let address = address.recv().unwrap();
        Running { address, stop: Some(stop), thread: Some(thread), folder: Some(folder) }
    }

    /// Stops as an operator does; the folder stays.
    pub(crate) fn stop(mut self) -> TempDir {
        self.end();
        self.folder.take().unwrap()
    }

    fn end(&mut self) {
        drop(self.stop.take());
        self.thread.take().map(JoinHandle::join);
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes as they are, and reads until the other side closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The other side may answer and close before all is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Sends the head of a request, and comes back when the service waits for its body; the answer if it does not.
    pub(crate) fn begin(&self, path: &str, headers: &str, length: usize) -> Result<TcpStream, Answer> {
        let mut stream = self.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = vec![0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        stream.read_exact(&mut answer).unwrap();
        if answer == b"HTTP/1.1 100 Continue\r\n\r\n" {
            return Ok(stream);
        }
        // Nothing more is sent, so nothing more than this answer comes.
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut answer);
        Err(Answer::parse(&answer))
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for header in headers {
            request += &format!("{header}\r\n");
        }
        if !body.is_empty() || method == "POST" || method == "PUT" {
            request += &format!("Content-Length: {}\r\n", body.len());
        }
        request += "\r\n";
        Answer::parse(&self.raw(&[request.as_bytes(), body].concat()))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Answer {
        self.ask("POST", path, &[], body.as_ref())
    }

    /// Waits for a job to end.
    pub(crate) fn finish(&self, begun: &Answer) -> Value {
        assert_eq!(begun.status, 202, "{begun:?}");
        let path = format!("/api/v1/jobs/{}", begun.json()["job"]);
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let job = self.get(&path).json();
            match job["state"].as_str() {
                Some("queued" | "running") if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(20))
                }
                _ => return job,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl Answer {
    pub(crate) fn parse(bytes: &[u8]) -> Answer {
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..at]).to_lowercase();
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = bytes.get(at + 4..).unwrap_or_default();
        let body = if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_vec() };
        Answer { status, head, body }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = rest.windows(2).position(|two| two == b"\r\n") {
        let length =
            std::str::from_utf8(&rest[..at]).ok().and_then(|hex| usize::from_str_radix(hex, 16).ok());
        let Some(length) = length.filter(|length| *length > 0) else { break };
        body.extend_from_slice(&rest[at + 2..at + 2 + length]);
        rest = &rest[at + 4 + length..];
    }
    body
}

/// A page of a synthetic site: a menu, something of its own, a footer.
pub(crate) fn page(number: usize) -> String {
    format!(
        "<html><head><title>Page {number}</title></head><body><ul id=menu><li><a href=/>Home page</a></li><li><a href=/news>Latest \
         news</a></li></ul><h1>Heading {number}</h1><p>Only here: apple{number} pear{number} plum{number}</p><div id=foot>Imprint \
         and contact</div></body></html>"
    )
}

/// So many pages as lines of JSON.
pub(crate) fn crawl(site: &str, pages: usize) -> String {
    let line = |number| {
        serde_json::json!({"url": format!("http://{site}/{number}"), "html": page(number)}).to_string() + "\n"
    };
    (0..pages).map(line).collect()
}
