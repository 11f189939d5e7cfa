//! A server of the files in a folder, for HTTP and for as much of S3 as reading takes.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::{fs, thread};

/// Serves files until the test ends.
pub(super) struct FileServer {
    /// With a slash at the end.
    pub(super) address: String,
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    bytes: AtomicU64,
    requests: Mutex<Vec<String>>,
    /// Requests that are still to be refused, and bodies that are still to be cut.
    refuse: AtomicUsize,
    cut: AtomicUsize,
}

impl FileServer {
    pub(super) fn start(folder: &Path) -> FileServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            bytes: AtomicU64::new(0),
            requests: Mutex::default(),
            refuse: AtomicUsize::new(0),
            cut: AtomicUsize::new(0),
        });
        let of_thread = shared.clone();
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let shared = of_thread.clone();
                // Clients leave when they have enough.
                thread::spawn(move || shared.serve(connection));
            }
        });
        FileServer { address, shared }
    }

    /// The next request gets a 503, and the body of the one after that is cut in the middle.
    pub(super) fn make_trouble(&self) {
        self.shared.refuse.store(1, Ordering::SeqCst);
        self.shared.cut.store(1, Ordering::SeqCst);
    }

    /// Bytes of bodies since the last call.
    pub(super) fn take_bytes(&self) -> u64 {
        self.shared.bytes.swap(0, Ordering::SeqCst)
    }

    /// What was asked for since the last call, such as `/a.warc bytes=0-9`.
    pub(super) fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.requests.lock().expect("no panic"))
    }
}

impl Shared {
    fn serve(&self, mut connection: TcpStream) -> io::Result<()> {
        let mut lines = BufReader::new(connection.try_clone()?).lines().map_while(Result::ok);
        let first = lines.next().unwrap_or_default();
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        let range = headers.iter().find_map(|line| line.strip_prefix("range: ")).unwrap_or("all");
        self.requests.lock().expect("no panic").push(format!("{path} {range}"));
        if takes_one(&self.refuse) {
            return write!(connection, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n{CLOSE}");
        }
        if let Some((bucket, query)) = path.split_once('?') {
            return send(&mut connection, "200 OK", self.listing(bucket, query).as_bytes());
        }
        match fs::read(self.folder.join(path.trim_start_matches('/'))) {
            Ok(file) => self.send_file(&mut connection, &file, range),
            Err(_) => send(&mut connection, "404 Not Found", b"no such file"),
        }
    }

    fn send_file(&self, connection: &mut TcpStream, file: &[u8], range: &str) -> io::Result<()> {
        let asked = range.strip_prefix("bytes=").and_then(|range| range.split_once('-'));
        let start = asked.and_then(|(start, _)| start.parse().ok()).unwrap_or(0).min(file.len());
        let last = asked.and_then(|(_, last)| last.parse().ok()).unwrap_or(usize::MAX);
        let body = &file[start..last.saturating_add(1).min(file.len())];
        let status = match asked {
            None => "200 OK".to_owned(),
            Some(_) => {
                let last = start + body.len() - 1;
                format!("206 Partial Content\r\nContent-Range: bytes {start}-{last}/{}", file.len())
            }
        };
        let sent = if takes_one(&self.cut) { body.len() / 2 } else { body.len() };
        self.bytes.fetch_add(sent as u64, Ordering::SeqCst);
        let date = "Last-Modified: Mon, 08 Jan 2024 00:00:00 GMT";
        let length = body.len();
        write!(
            connection,
            "HTTP/1.1 {status}\r\nETag: \"1\"\r\n{date}\r\nContent-Length: {length}\r\n{CLOSE}"
        )?;
        connection.write_all(&body[..sent])
    }

    /// What S3 says of the objects of a bucket whose names begin alike.
    fn listing(&self, bucket: &str, query: &str) -> String {
        let prefix = query.split('&').find_map(|part| part.strip_prefix("prefix=")).unwrap_or_default();
        let prefix = prefix.replace("%2F", "/");
        let folder = self.folder.join(bucket.trim_matches('/')).join(&prefix);
        let mut objects = String::new();
        for name in super::names_in(&folder) {
            objects += &format!(
                "<Contents><Key>{prefix}{name}</Key><LastModified>2024-01-08T00:00:00.000Z</LastModified><Size>1</Size></Contents>"
            );
        }
        format!("<ListBucketResult><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>")
    }
}

const CLOSE: &str = "Connection: close\r\n\r\n";

fn send(connection: &mut TcpStream, status: &str, body: &[u8]) -> io::Result<()> {
    write!(connection, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{CLOSE}", body.len())?;
    connection.write_all(body)
}

fn takes_one(left: &AtomicUsize) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}
