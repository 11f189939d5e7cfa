//! Clients and pages that mean harm.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use unframe::learn::Learner;
use unframe::model_file::ModelFile;
use unframe::{PageBytes, PageParser};
use unframe_serve::Options;

use crate::client::{Answer, Running, crawl, page};

#[test]
fn huge_heads_are_refused() {
    let service = Running::new();
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "a".repeat(200_000));
    assert_eq!(Answer::parse(&service.raw(long.as_bytes())).status, 431);
    let many: String = (0..2000).map(|number| format!("X-{number}: a\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    assert_eq!(Answer::parse(&service.raw(many.as_bytes())).status, 431);
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn malformed_chunks_end_the_request_alone() {
    let service = Running::new();
    let head = "POST /api/v1/pages?url=http://a.example/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    for body in ["zz\r\nhello\r\n0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "ffffffffffffffffff\r\n", "-1\r\n\r\n"]
    {
        let answer = Answer::parse(&service.raw(format!("{head}{body}").as_bytes()));
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad-body"), "{body}");
    }
    let both = "POST /api/v1/pages?url=http://a.example/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";
    // Whatever it is taken for, nothing is read as a second request.
    let answer = String::from_utf8_lossy(&service.raw(both.as_bytes())).into_owned();
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    for rubbish in [
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\u{0}\u{1}\u{2}",
        "GET /\u{0} HTTP/1.1\r\n\r\n",
    ] {
        service.raw(format!("{rubbish}\r\nConnection: close\r\n\r\n").as_bytes());
    }
    assert_eq!(service.get("/api/v1/sites").json()["total"], 0);
}

#[test]
fn slow_clients_are_given_up() {
    let service = Running::with(|options| options.idle_time = Duration::from_millis(300));
    let begin = Instant::now();
    // A head that never ends.
    let mut slow = service.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    // A body that never ends.
    let mut body = service.connect();
    body.write_all(b"POST /api/v1/pages?url=http://a.example/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc").unwrap();
    // One that asks and takes nothing.
    let mut deaf = service.connect();
    deaf.write_all(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400).as_slice()).unwrap();
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer);
    answer.clear();
    let _ = body.read_to_end(&mut answer);
    let answer = Answer::parse(&answer);
    assert_eq!((answer.status, answer.code().as_str()), (408, "timeout"));
    let metrics = || service.get("/metrics").text();
    while !metrics().contains("unframe_connections 1\n") {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}", metrics());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Long enough that no test sees its end.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// Nobody is given up for being slow.
fn patient(options: &mut Options) {
    options.idle_time = FOR_EVER;
    options.first_byte_time = FOR_EVER;
    options.body_window = FOR_EVER;
    options.stop_time = Duration::from_secs(1);
}

#[test]
fn idle_connections_give_way() {
    let service = Running::with(|options| {
        patient(options);
        options.connections = 4;
    });
    // Two that send nothing, one that begins a head, one that was answered and asks nothing more.
    let mut idle: Vec<_> = (0..4).map(|_| service.connect()).collect();
    idle[2].write_all(b"GET /healthz HTTP/1.1\r\nHost:").unwrap();
    idle[3].write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert!(idle[3].read(&mut [0; 1000]).unwrap() > 0);
    for _ in 0..4 {
        assert_eq!(service.get("/healthz").status, 200);
    }
    // So many at once that all have to go that were quiet before; what has begun a head goes last.
    let _others: Vec<_> = (0..4).map(|_| service.connect()).collect();
    assert_eq!(service.get("/api/v1/sites").status, 200);
    for number in [0, 1, 3] {
        let is_gone = match idle[number].read(&mut [0; 1000]) {
            Ok(length) => length == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        };
        assert!(is_gone, "{number}");
    }
    assert!(!service.get("/metrics").text().contains("unframe_connections_gave_way_total 0\n"));
    // But go it does.
    let mut heads: Vec<_> = (0..4).map(|_| service.connect()).collect();
    for head in &mut heads {
        head.write_all(b"GET /healthz HTTP/1.1\r\nHost:").unwrap();
    }
    assert_eq!(service.get("/api/v1/sites").status, 200);
}

#[test]
fn silent_connections_are_closed() {
    let service = Running::with(|options| {
        patient(options);
        options.first_byte_time = Duration::from_millis(100);
    });
    let mut silent = service.connect();
    assert_eq!(silent.read(&mut [0; 1]).unwrap(), 0);
    // One that has asked something may pause. A slow machine may be late with the first byte, and begins again.
    let is_answered = |stream: &mut TcpStream| {
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        matches!(stream.read(&mut [0; 1000]), Ok(1..))
    };
    let mut asking = service.connect();
    while !is_answered(&mut asking) {
        asking = service.connect();
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(is_answered(&mut asking));
}

#[test]
fn health_is_reported_when_all_connections_are_busy() {
    let service = Running::with(|options| {
        patient(options);
        options.connections = 1;
    });
    let mut busy = service.begin("/api/v1/pages?url=http://a.example/", "", 3).unwrap();
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(service.get(path).status, 200, "{path}");
    }
    let refused = service.get("/api/v1/sites");
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    // Also those who are let in for this give way when they ask nothing.
    let _silent: Vec<_> = (0..40).map(|_| service.connect()).collect();
    assert_eq!(service.get("/healthz").status, 200);
    // The one that was there first lost nothing.
    busy.write_all(b"<p>").unwrap();
    let mut answer = [0; 12];
    busy.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}

#[test]
fn bodies_that_drip_are_given_up() {
    let service = Running::with(|options| {
        patient(options);
        options.body_rate = 10_000;
        options.body_window = Duration::from_millis(200);
    });
    for path in ["/api/v1/crawls", "/api/v1/crawls?mode=job", "/api/v1/pages?url=http://a.example/"] {
        let mut dripping = service.begin(path, "", 100_000).unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while dripping.write_all(b"a").is_ok() && Instant::now() < end {
            dripping.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
            if dripping.peek(&mut [0; 1]).is_ok() {
                break;
            }
        }
        dripping.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answer = Vec::new();
        let _ = dripping.read_to_end(&mut answer);
        let answer = Answer::parse(&answer);
        assert_eq!((answer.status, answer.code().as_str()), (408, "timeout"), "{path}");
        assert!(answer.head.contains("connection: close"), "{}", answer.head);
    }
    assert_eq!(service.post("/api/v1/crawls", crawl("a.example", 2)).status, 200);
}

#[test]
fn slow_uploads_leave_room_for_others() {
    let service = Running::with(patient);
    // More than are read at a time.
    let _slow: Vec<_> = (0..6).map(|_| service.begin("/api/v1/crawls", "", 1 << 30).unwrap()).collect();
    let answer = service.post("/api/v1/crawls", crawl("a.example", 2));
    assert_eq!(answer.status, 200);
    assert!(answer.text().contains("\"pages\":2"), "{}", answer.text());
}

#[test]
fn a_client_has_half_of_the_places_for_uploads() {
    let service = Running::with(patient);
    let _slow: Vec<_> = (0..8).map(|_| service.begin("/api/v1/crawls", "", 1 << 30).unwrap()).collect();
    assert_eq!(service.begin("/api/v1/crawls", "", 1 << 30).unwrap_err().code(), "busy");
}

#[test]
fn slow_posts_leave_room_for_others() {
    let service = Running::with(|options| {
        patient(options);
        options.concurrency = 2;
        options.memory = 2 << 20;
        options.page_bytes = 1 << 20;
    });
    // More than are worked on at a time, and announced as more than there is memory.
    let path = "/api/v1/pages?url=http://a.example/";
    let end = Instant::now() + Duration::from_secs(20);
    let mut slow = Vec::new();
    // They have the turn for a moment, since most bodies come at once.
    while slow.len() < 8 && Instant::now() < end {
        slow.extend(service.begin(path, "", 1 << 20));
    }
    for one in &mut slow {
        one.write_all(b"<p>").unwrap();
    }
    let mut answer = service.post(path, page(1));
    while answer.status == 503 && Instant::now() < end {
        answer = service.post(path, page(1));
    }
    assert_eq!((answer.status, slow.len()), (200, 8));
    // When they have come after all, they are answered.
    let rest = vec![b'a'; (1 << 20) - 3];
    let mut last = slow.pop().unwrap();
    last.write_all(&rest).unwrap();
    let mut status = [0; 12];
    last.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
}

#[test]
fn a_client_leaves_room_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys.txt");
    std::fs::write(&keys, "one 0123456789abcdef\nother fedcba9876543210\n").unwrap();
    let service = Running::with(|options| {
        patient(options);
        options.keys = Some(keys);
        // Four bodies at a time, two of a client.
        options.connections = 8;
    });
    let path = "/api/v1/pages?url=http://a.example/";
    let one = "X-API-Key: 0123456789abcdef";
    let begin = || service.begin(path, &format!("{one}\r\n"), 100);
    let _slow = (begin().unwrap(), begin().unwrap());
    assert_eq!(begin().unwrap_err().code(), "busy");
    let refused = service.ask("POST", path, &[one], b"<p>tea");
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    let other = service.ask("POST", path, &["X-API-Key: fedcba9876543210"], b"<p>tea");
    assert_eq!(other.status, 200);
}

#[test]
fn large_bodies_are_refused_before_they_are_read() {
    let service = Running::with(|options| {
        options.page_bytes = 100_000;
        options.crawl_bytes = 100_000;
        options.model_bytes = 100_000;
    });
    let body = vec![b'a'; 200_000];
    for (method, path) in [
        ("POST", "/api/v1/pages?url=http://a.example/"),
        ("POST", "/api/v1/crawls"),
        ("PUT", "/api/v1/models/a"),
    ] {
        let announced = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n"
        );
        let answer = Answer::parse(&service.raw(announced.as_bytes()));
        assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"), "{path}");
        let mut chunked = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n", body.len()).into_bytes();
        chunked.extend(&body);
        chunked.extend(b"\r\n0\r\n\r\n");
        assert_eq!(Answer::parse(&service.raw(&chunked)).status, 413, "{path}");
    }
}

#[test]
fn a_model_does_not_unpack_to_any_size() {
    // 8 bytes of memory for each of the equal elements of a page, and a few of the file for all of them.
    let learner = Learner::new(unframe::detect::method("dom").unwrap(), 0);
    let page = "<b></b>".repeat(100_000);
    learner.observe("a", "a", &PageParser::new().open(PageBytes::utf8(page.as_bytes())));
    let file = ModelFile::from_learner(&learner).encode();
    assert!(file.len() < 1000);
    for (model_bytes, status) in [(100_000, 413), (1 << 20, 200)] {
        let service = Running::with(|options| options.model_bytes = model_bytes);
        let answer = service.ask("PUT", "/api/v1/models/a", &[], &file);
        assert_eq!(answer.status, status);
        assert!(status == 200 || answer.code() == "too-large");
    }
}

#[test]
fn bombs_do_not_go_off() {
    let service = Running::with(|options| options.page_bytes = 1 << 20);
    let bomb = zstd::bulk::compress(&vec![b' '; 64 << 20], 3).unwrap();
    assert!(bomb.len() < 100_000);
    let answer =
        service.ask("POST", "/api/v1/pages?url=http://a.example/", &["Content-Encoding: zstd"], &bomb);
    assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"));
    // The same inside of a crawl: a page that is too large is a problem, and the others are taken.
    let html = "<p>".to_owned() + &"a ".repeat(1 << 20);
    let line = serde_json::json!({"url": "http://a.example/bomb", "html": html}).to_string()
        + "\n"
        + &crawl("a.example", 2);
    let packed = zstd::bulk::compress(line.as_bytes(), 3).unwrap();
    let lines = service.post("/api/v1/crawls", packed).text();
    assert!(lines.contains("\"code\":\"too-large\"") && lines.contains("\"pages\":2"), "{lines}");
}

#[test]
fn too_many_at_once_are_asked_to_retry() {
    // One is too many.
    let service = Running::with(|options| options.concurrency = 0);
    let refused = service.get("/api/v1/sites");
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    // Those who look after the service are answered all the same.
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(service.get(path).status, 200);
    }
}

#[test]
fn paths_lead_nowhere_else() {
    let service = Running::new();
    for path in [
        "/explorer/..%2F..%2FCargo.toml",
        "/explorer/../../etc/passwd",
        "/explorer/%2e%2e%2fmain.js",
        "/../state/pages.redb",
        "/explorer/main.js%00",
        "//etc/passwd",
        "/explorer/",
        "/uploads/x",
        "/api/v1/models/..%2F..%2Fpages.redb",
        "/api/v1/sites/..%2F..",
    ] {
        assert_eq!(service.get(path).status, 404, "{path}");
    }
    // Names are names, whatever is in them.
    let name = "..%2F..%2F..%2Ftmp%2Fevil";
    assert_eq!(service.post(&format!("/api/v1/classifiers/{name}/examples?template=a"), "<p>x").status, 200);
    assert_eq!(
        service.get("/api/v1/classifiers").json()["classifiers"][0]["classifier"],
        "../../../tmp/evil"
    );
    assert!(!std::path::Path::new("/tmp/evil").exists());
}

#[test]
fn hostile_pages_are_shown_without_their_weapons() {
    let service = Running::new();
    let html = "<html><head><base href=//evil.example/><meta http-equiv=refresh content='0;url=//evil.example'><script>alert(1)</script>\
        <link rel=stylesheet href=//evil.example/a.css><style>@import url(//evil.example/b.css)</style></head><body onload=alert(2)>\
        <form action=//evil.example><button>go</button></form><svg><script>alert(3)</script></svg><iframe src=//evil.example></iframe>\
        <object data=//evil.example></object><img src=//evil.example/i onerror=alert(4)>\
        <table><tr><td><script>alert(5)</script>cell</td></tr><iframe src=//evil.example></iframe></table><image src=x><p>Words";
    // The parser puts these elsewhere in the tree.
    let after = "</p></body><script>alert(6)</script></html><iframe src=//evil.example></iframe>";
    for number in 0..6 {
        let path = format!("/api/v1/pages?url=http://h.example/{number}");
        assert_eq!(service.post(&path, format!("{html}{number}{after}")).status, 200);
    }
    let view = service.get("/api/v1/pages/6/view");
    assert!(view.head.contains("content-security-policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"));
    let text = view.text();
    for gone in ["<script", "<base", "<meta", "<link", "<iframe", "<object"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    assert!(text.contains("<image") && text.contains("cell</td>"), "{text}");
    assert!(text.contains("Words5") && text.contains("data-unframe-template"), "{text}");
    // The bytes themselves are only saved, never shown.
    let bytes = service.get("/api/v1/pages/6/html");
    assert!(
        bytes.head.contains("content-type: application/octet-stream") && bytes.head.contains("attachment"),
        "{}",
        bytes.head
    );
}

#[test]
fn odd_parameters_are_reported() {
    let service = Running::new();
    service.post("/api/v1/pages?url=http://a.example/", page(1));
    for path in [
        "/api/v1/sites?limit=0",
        "/api/v1/sites?limit=-1",
        "/api/v1/sites?limit=99999999999999999999",
        "/api/v1/sites/a.example/pages?sort=none",
        "/api/v1/pages/1/clean?as=labels",
        "/api/v1/pages/1/source?bytes=0",
        "/api/v1/search",
        "/api/v1/search?q=",
        "/api/v1/sites/a.example/draw?format=gif",
    ] {
        assert_eq!(service.get(path).code(), "bad-parameter", "{path}");
    }
    for path in ["/api/v1/pages/0x1", "/api/v1/jobs/-1", "/api/v1/sites/%ff"] {
        assert_eq!(service.get(path).code(), "bad-path", "{path}");
    }
    for path in [
        "/api/v1/pages?url=",
        "/api/v1/pages",
        "/api/v1/pages?url=a&date=yesterday",
        "/api/v1/pages?url=a&as=none",
        "/api/v1/crawls?mode=none",
    ] {
        assert_eq!(service.post(path, "x").code(), "bad-parameter", "{path}");
    }
    assert_eq!(service.post("/api/v1/crawls", "").code(), "empty-body");
    assert_eq!(
        service.ask("POST", "/api/v1/fingerprint", &["Content-Encoding: br"], b"x").code(),
        "unsupported-encoding"
    );
}
