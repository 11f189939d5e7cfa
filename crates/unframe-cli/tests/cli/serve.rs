//! `unframe serve` as an operator meets it: started, killed, started again, stopped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::unframe;

/// A service that is killed with its value.
struct Serving {
    process: Child,
    address: String,
}

impl Serving {
    fn start(state: &Path) -> Serving {
        let mut process = Command::new(env!("CARGO_BIN_EXE_unframe"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "none", "--learn-after", "0", "--state"])
            .arg(state)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("listening on http://").unwrap().trim_end_matches('/').to_owned();
        Serving { process, address }
    }

    fn ask(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_killed_service_has_all_pages_that_it_answered() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let service = Serving::start(&state);
    for number in 0..20 {
        let page = format!("<div>Home | About us</div><div>Only here {number}</div>");
        let answer = service.ask(&format!("POST /api/v1/pages?url=http://a.example/{number}"), &page);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // Another service on the same state is refused.
    let other = unframe(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--state", "state"]);
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("in use"), "{}", other.stderr);
    drop(service);
    let service = Serving::start(&state);
    let site = service.ask("GET /api/v1/sites/a.example", "");
    assert!(site.contains("\"pages\":20"), "{site}");
    let again = service.ask(
        "POST /api/v1/pages?url=http://a.example/7&as=text",
        "<div>Home | About us</div><div>Only here 7</div>",
    );
    assert!(
        again.contains("\"change\":\"unchanged\"") && again.contains("\"text\":\"Only here 7\""),
        "{again}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_service_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Serving::start(&folder.path().join("state"));
    let number = service.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    assert_eq!(service.process.wait().unwrap().code(), Some(0));
}

#[test]
fn the_world_needs_keys() {
    let folder = tempfile::tempdir().unwrap();
    let refused = unframe(folder.path(), &["serve", "--listen", "0.0.0.0:0", "--state", "state"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--keys"), "{}", refused.stderr);
}
