//! Tests requests to a server with scripted responses.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::client::Client;
use super::is_folder;
use super::transfer::RetryPolicy;

/// The file on the server.
const FILE: &[u8] = b"0123456789abcdefghij";

/// The server's response to one connection.
#[derive(Debug, Clone, Copy)]
enum Answer {
    /// Supports ranges, and sends a tag for the file's version.
    File(&'static str),
    /// Like `File`, but the connection ends after this many bytes of the body.
    Cut(usize),
    /// The whole file, whatever range was requested.
    NoRanges,
    /// The whole file, in chunks and without a length.
    Chunks,
    Status(&'static str),
    Silence,
}

struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Gives each connection the next response. The last response is repeated.
    fn start(answers: &'static [Answer]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/crawl.warc", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        thread::spawn(move || {
            for (number, connection) in listener.incoming().enumerate() {
                let request = read_request(connection.as_ref().unwrap());
                seen.lock().unwrap().push(request.clone());
                let answer = answers[number.min(answers.len() - 1)];
                let _ = respond(connection.unwrap(), &request, answer);
            }
        });
        Server { address, requests }
    }

    fn read(&self, range: Option<(u64, u64)>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        client().open(&self.address, range)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The requested ranges.
    fn ranges(&self) -> Vec<String> {
        let range = |request: &String| header(request, "range").unwrap_or("all").to_owned();
        self.requests.lock().unwrap().iter().map(range).collect()
    }
}

/// A client with short timeouts that uses no proxy.
fn client() -> Client {
    let retry_policy = RetryPolicy {
        attempts: 3,
        first_pause: Duration::from_millis(20),
        silence: Duration::from_millis(500),
        bytes_max: 1000,
    };
    Client::new(reqwest::Client::builder().no_proxy(), retry_policy).unwrap()
}

fn read_request(connection: &TcpStream) -> String {
    let lines = BufReader::new(connection).lines();
    lines.map_while(Result::ok).take_while(|line| !line.is_empty()).map(|line| line + "\n").collect()
}

fn header<'r>(request: &'r str, name: &str) -> Option<&'r str> {
    let of_name = |line: &'r str| line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name));
    request.lines().find_map(of_name).map(|(_, value)| value)
}

fn respond(mut connection: TcpStream, request: &str, answer: Answer) -> io::Result<()> {
    let head = |status: &str, more: &str| format!("HTTP/1.1 {status}\r\nConnection: close\r\n{more}\r\n");
    match answer {
        Answer::File(tag) => send_file(&mut connection, request, tag, FILE.len()),
        Answer::Cut(length) => send_file(&mut connection, request, "one", length),
        Answer::NoRanges => {
            write!(connection, "{}", head("200 OK", &format!("Content-Length: {}\r\n", FILE.len())))?;
            connection.write_all(FILE)
        }
        Answer::Chunks => {
            write!(connection, "{}a\r\n", head("200 OK", "Transfer-Encoding: chunked\r\n"))?;
            connection.write_all(&FILE[..10])?;
            write!(connection, "\r\n0\r\n\r\n")
        }
        Answer::Status(status) => write!(connection, "{}", head(status, "Content-Length: 0\r\n")),
        Answer::Silence => {
            thread::sleep(Duration::from_secs(2));
            Ok(())
        }
    }
}

fn send_file(connection: &mut TcpStream, request: &str, tag: &str, cut: usize) -> io::Result<()> {
    let quoted = format!("\"{tag}\"");
    let is_other = header(request, "if-range").is_some_and(|version| version != quoted);
    let range = header(request, "range").filter(|_| !is_other).and_then(|range| {
        let (start, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        Some((start.parse().ok()?, last.parse().map_or(FILE.len(), |last: usize| (last + 1).min(FILE.len()))))
    });
    let (start, end) = range.unwrap_or((0, FILE.len()));
    let status = match range {
        Some(_) => format!("206 Partial Content\r\nContent-Range: bytes {start}-{}/{}", end - 1, FILE.len()),
        None => "200 OK".to_owned(),
    };
    let length = end - start;
    write!(
        connection,
        "HTTP/1.1 {status}\r\nETag: {quoted}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    )?;
    connection.write_all(&FILE[start..end][..length.min(cut)])
}

#[test]
fn files_and_ranges() {
    let server = Server::start(&[Answer::File("one")]);
    assert_eq!(server.read(None).unwrap(), FILE);
    assert_eq!(server.read(Some((3, 7))).unwrap(), b"3456");
    assert_eq!(server.read(Some((15, 100))).unwrap(), b"fghij");
    assert_eq!(client().length(&server.address).unwrap(), 20);
    assert_eq!(server.ranges(), ["all", "bytes=3-6", "bytes=15-99", "bytes=0-0"]);
    assert_eq!(server.read(Some((7, 7))).unwrap(), b"");
    assert_eq!(Server::start(&[Answer::Chunks]).read(None).unwrap(), &FILE[..10]);
}

#[test]
fn dropped_connections_are_resumed() {
    let server = Server::start(&[Answer::Cut(4), Answer::Cut(5), Answer::File("one")]);
    assert_eq!(server.read(None).unwrap(), FILE);
    assert_eq!(server.ranges(), ["all", "bytes=4-", "bytes=9-"]);
    let server = Server::start(&[Answer::Cut(4), Answer::File("one")]);
    assert_eq!(server.read(Some((2, 12))).unwrap(), b"23456789ab");
    assert_eq!(server.ranges(), ["bytes=2-11", "bytes=6-11"]);
    let server = Server::start(&[Answer::Cut(0)]);
    let error = server.read(None).unwrap_err().to_string();
    assert!(error.ends_with("(3 attempts)") && error.contains("body"), "{error}");
}

#[test]
fn a_file_that_changes_is_not_put_together() {
    let server = Server::start(&[Answer::Cut(4), Answer::File("two")]);
    assert_eq!(server.read(None).unwrap_err().to_string(), "the file was changed while it was read");
}

#[test]
fn servers_without_ranges() {
    let server = Server::start(&[Answer::NoRanges]);
    assert_eq!(server.read(None).unwrap(), FILE);
    let error = server.read(Some((3, 7))).unwrap_err().to_string();
    assert!(error.contains("no range requests"), "{error}");
    assert_eq!(server.ranges().len(), 2);
}

#[test]
fn busy_servers_are_asked_again() {
    let busy = Answer::Status("503 Service Unavailable");
    let server = Server::start(Box::leak(Box::new([busy, busy, Answer::File("one")])));
    let start = Instant::now();
    assert_eq!(server.read(None).unwrap(), FILE);
    assert!(start.elapsed() >= Duration::from_millis(60), "the second pause is twice the first");
    let server = Server::start(Box::leak(Box::new([busy])));
    assert_eq!(server.read(None).unwrap_err().to_string(), "503 Service Unavailable (3 attempts)");
    assert_eq!(server.ranges().len(), 3);
    // Here the server sets the time of the next request.
    let later = Answer::Status("429 Too Many Requests\r\nRetry-After: 1");
    let server = Server::start(Box::leak(Box::new([later, Answer::File("one")])));
    let start = Instant::now();
    assert_eq!(server.read(None).unwrap(), FILE);
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[test]
fn silent_servers_are_asked_again() {
    let server = Server::start(&[Answer::Silence, Answer::File("one")]);
    // The test server handles one connection at a time.
    let retry_policy = RetryPolicy { silence: Duration::from_millis(1500), ..client().retry_policy };
    let client = Client::new(reqwest::Client::builder().no_proxy(), retry_policy).unwrap();
    let mut bytes = Vec::new();
    client.open(&server.address, None).unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(bytes, FILE);
    assert_eq!(server.ranges().len(), 2);
}

#[test]
fn what_is_not_there_is_asked_for_once() {
    for status in ["404 Not Found", "403 Forbidden", "410 Gone"] {
        let server = Server::start(Box::leak(Box::new([Answer::Status(status)])));
        assert_eq!(server.read(None).unwrap_err().to_string(), status);
        assert_eq!(server.ranges(), ["all"]);
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = client();
    let mut reader = client.open(&format!("http://{nobody}/"), None).unwrap();
    let error = reader.read(&mut [0]).unwrap_err().to_string();
    assert!(error.contains("refused") && error.ends_with("(3 attempts)"), "{error}");
}

#[test]
fn a_file_has_so_many_bytes_and_no_more() {
    let server = Server::start(&[Answer::File("one")]);
    let with_limit = |bytes_max| {
        let retry_policy = RetryPolicy { bytes_max, ..client().retry_policy };
        let client = Client::new(reqwest::Client::builder().no_proxy(), retry_policy).unwrap();
        client.open(&server.address, None).unwrap().read_to_end(&mut Vec::new()).map_err(|e| e.to_string())
    };
    assert_eq!(with_limit(20), Ok(20));
    assert_eq!(with_limit(19), Err("it has more than 19 bytes".to_owned()));
}

#[test]
fn only_objects_are_in_folders() {
    let folders = ["s3://crawls/2026/", "S3://crawls/"];
    let files = ["s3://crawls/a.warc", "http://a.example/", "HTTPS://a.example/2026/"];
    assert_eq!((folders.map(is_folder), files.map(is_folder)), ([true; 2], [false; 3]));
}
