//! Pages posted and answered, kept and found again.

use std::io::Write;

use crate::client::{Running, crawl, page};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_page_is_answered_by_those_before_it() {
    let service = Running::new();
    let mut answers = Vec::new();
    for number in 0..8 {
        let path = format!("/api/v1/pages?url=http://a.example/{number}&as=text");
        answers.push(service.post(&path, page(number)).json());
    }
    assert_eq!(answers[7]["text"], "Heading 7\nOnly here: apple7 pear7 plum7");
    assert_eq!((&answers[7]["change"], &answers[7]["page"]), (&"new".into(), &8.into()));
    assert_eq!((&answers[0]["evidence"], &answers[1]["evidence"]), (&"page".into(), &"site".into()));
    assert_eq!(service.get("/api/v1/pages/1").json()["evidence"], "page");
    assert_eq!(service.get("/api/v1/pages/2").json()["evidence"], "site");
    // The same page once more is known, and keeps its number.
    let again = service.post("/api/v1/pages?url=http://a.example/7", page(7)).json();
    assert_eq!((&again["change"], &again["page"]), (&"unchanged".into(), &8.into()));
    let regions = again["regions"].as_array().unwrap();
    let first = &regions[0];
    let (start, end) = (first["start"].as_u64().unwrap() as usize, first["end"].as_u64().unwrap() as usize);
    assert!(page(7)[start..end].contains("Home page"), "{first}");
    assert_eq!((&first["kind"], &first["pages"]), (&"repeated".into(), &8.into()), "{first}");
    // What is kept is what was answered.
    let page_store = service.get("/api/v1/pages/8?as=labels").json();
    assert_eq!(page_store["regions"], again["regions"]);
    // On the first page nothing is known to be template, only that nobody would call it content.
    let first = service.get("/api/v1/pages/1?as=labels").json();
    let kinds: Vec<&str> =
        first["regions"].as_array().unwrap().iter().map(|region| region["kind"].as_str().unwrap()).collect();
    assert!(kinds.iter().all(|kind| *kind == "clutter"), "{first}");
}

#[test]
fn content_comes_in_the_format_that_is_asked_for() {
    let service = Running::new();
    let html = "<title>Tea</title><h1>Tea</h1><p>Drink <a href=/hot>it hot</a>, as all people on this island do every day.<p><img src=/leaf.png alt=\"A leaf\">";
    let answer = |format: &str| service.post(&format!("/api/v1/pages?url=http://a.example/&{format}"), html);
    let text = |format: &str| answer(format).json()["text"].as_str().unwrap().to_owned();
    assert!(text("as=markdown").contains("[it hot](http://a.example/hot)"));
    let plain = text("as=markdown&links=text&images=alt");
    assert!(plain.contains("Drink it hot, as") && plain.ends_with("A leaf"), "{plain}");
    assert!(!text("as=simple-html&images=drop").contains("<img"));
    let chunks = answer("as=chunks&chunk_tokens=8").json();
    let chunk = &chunks["chunks"][0];
    assert_eq!(
        (&chunk["headings"], &chunk["text"]),
        (&serde_json::json!(["Tea"]), &"Drink it hot, as all people on".into())
    );
    assert_eq!(chunks["text"], serde_json::Value::Null);
    let kept = service.get("/api/v1/pages/1/clean?as=markdown&links=text").json();
    assert!(kept["text"].as_str().unwrap().contains("Drink it hot"), "{kept}");
    for (wrong, status) in [
        ("as=text&links=text", 409),
        ("images=alt", 409),
        ("as=html&chunk_tokens=9", 409),
        ("as=chunks&chunk_tokens=0", 400),
        ("as=markdown&links=no", 400),
    ] {
        assert_eq!(answer(wrong).status, status, "{wrong}");
    }
    assert_eq!(service.get("/api/v1/pages/1/clean?as=labels").status, 400);
}

#[test]
fn bodies_may_be_packed_both_ways() {
    let service = Running::new();
    let text = page(1).repeat(3);
    let plain = service.post("/api/v1/pages?url=http://a.example/&keep=false", &text).json();
    let packed =
        [("gzip", gzip(text.as_bytes())), ("zstd", zstd::bulk::compress(text.as_bytes(), 3).unwrap())];
    for (name, body) in packed {
        let header = format!("Content-Encoding: {name}");
        let answer = service.ask("POST", "/api/v1/pages?url=http://b.example/&keep=false", &[&header], &body);
        assert_eq!(answer.json()["bytes"], plain["bytes"], "{name}");
        assert_eq!(answer.json()["page"], serde_json::Value::Null);
    }
    let document = service.get("/openapi.json");
    for (name, unpack) in [("gzip", true), ("zstd", false)] {
        let packed = service.ask("GET", "/openapi.json", &[&format!("Accept-Encoding: {name}")], b"");
        assert!(packed.head.contains(&format!("content-encoding: {name}")), "{}", packed.head);
        let mut unpacked = Vec::new();
        match unpack {
            true => drop(std::io::Read::read_to_end(
                &mut flate2::read::GzDecoder::new(&packed.body[..]),
                &mut unpacked,
            )),
            false => unpacked = zstd::stream::decode_all(&packed.body[..]).unwrap(),
        }
        assert_eq!(unpacked, document.body);
    }
}

#[test]
fn a_crawl_is_answered_line_by_line() {
    let service = Running::new();
    let answer = service.post("/api/v1/crawls?as=text", crawl("a.example", 30) + "no json\n");
    let lines: Vec<serde_json::Value> =
        answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 32);
    assert_eq!(lines[29]["text"], "Heading 29\nOnly here: apple29 pear29 plum29");
    assert!(lines[30]["problem"]["code"].is_string(), "{}", lines[30]);
    assert_eq!(lines[31]["summary"], serde_json::json!({"pages": 30, "problems": 1, "known": 0}));
    let packed =
        service.ask("POST", "/api/v1/crawls", &["Accept-Encoding: zstd"], crawl("a.example", 5).as_bytes());
    let text = String::from_utf8(zstd::stream::decode_all(&packed.body[..]).unwrap()).unwrap();
    assert!(text.ends_with("{\"summary\":{\"known\":5,\"pages\":5,\"problems\":0}}\n"), "{text}");
}

#[test]
fn addresses_are_as_long_in_a_crawl_as_by_themselves() {
    let service = Running::new();
    let url = |letters: usize| format!("http://a.example/{}", "\u{e4}".repeat(letters));
    let longest = unframe_serve::limits::URL_CHARS_MAX - url(0).len();
    let line = |letters| serde_json::json!({"url": url(letters), "html": page(1)}).to_string() + "\n";
    let lines = service.post("/api/v1/crawls", line(longest) + &line(longest + 1)).text();
    assert!(lines.ends_with("{\"summary\":{\"known\":0,\"pages\":1,\"problems\":1}}\n"), "{lines}");
    let path = |letters: usize| format!("/api/v1/pages?url=http://a.example/{}", "%C3%A4".repeat(letters));
    assert_eq!(service.post(&path(longest), page(1)).json()["page"], 1);
    assert_eq!(service.post(&path(longest + 1), page(1)).code(), "bad-parameter");
}

#[test]
fn what_was_answered_is_there_after_a_stop() {
    let service = Running::new();
    service.post("/api/v1/crawls", crawl("a.example", 12));
    let upload = service.post("/api/v1/crawls?mode=job&name=b.jsonl", crawl("b.example", 40));
    assert_eq!(upload.status, 202);
    // The upload was taken, and perhaps not read yet: the next start goes on with it.
    let folder = service.stop();
    let service = Running::in_folder(folder, |_| {});
    assert_eq!(service.get("/api/v1/sites/a.example").json()["pages"], 12);
    let again = service.post("/api/v1/pages?url=http://a.example/3", page(3)).json();
    assert_eq!(
        (&again["change"], again["regions"].as_array().unwrap().is_empty()),
        (&"unchanged".into(), false)
    );
    let job = service.finish(&upload);
    assert_eq!((&job["state"], &job["result"]["pages"]), (&"done".into(), &40.into()), "{job}");
    assert_eq!(service.get("/api/v1/sites/b.example").json()["pages"], 40);
}

#[test]
fn pages_are_read_and_deleted() {
    let service = Running::new();
    service.post("/api/v1/crawls", crawl("a.example", 10));
    let known = service.get("/api/v1/pages/10").json();
    assert_eq!(
        (&known["url"], &known["title"], &known["labelled_by"]),
        (&"http://a.example/9".into(), &"Page 9".into(), &"follow".into())
    );
    assert_eq!(service.get("/api/v1/pages/10/html").body, page(9).as_bytes());
    assert_eq!(
        service.get("/api/v1/pages/10/clean").json()["text"],
        "Heading 9\nOnly here: apple9 pear9 plum9"
    );
    let source = service.get("/api/v1/pages/10/source").json();
    let parts: String =
        source["parts"].as_array().unwrap().iter().map(|part| part["text"].as_str().unwrap()).collect();
    assert_eq!(parts, page(9));
    assert_eq!(service.ask("DELETE", "/api/v1/pages/10", &[], b"").status, 204);
    assert_eq!(service.get("/api/v1/pages/10").code(), "no-such-page");
    assert_eq!(service.get("/api/v1/sites/a.example").json()["pages"], 9);
}

#[test]
fn what_is_no_page_is_refused() {
    let service = Running::new();
    let refused = service.post("/api/v1/pages?url=http://a.example/", "\u{1}\u{2}\u{fffd} no page");
    assert_eq!((refused.status, refused.code().as_str()), (422, "unknown-format"));
    assert_eq!(service.get("/api/v1/sites").json()["total"], 0);
    // Zero bytes are text in UTF-16.
    let utf16: Vec<u8> = "<p>Tea".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let header = "Content-Type: text/html; charset=utf-16le";
    let taken = service.ask("POST", "/api/v1/pages?url=http://a.example/&as=text", &[header], &utf16);
    assert_eq!(taken.status, 200, "{}", taken.text());
    let refused = service.post("/api/v1/pages", page(1));
    assert_eq!(refused.json()["error"]["message"], "the parameter `url` is missing");
}

#[test]
fn a_full_store_says_so() {
    let service = Running::with(|options| options.keep_pages = 3);
    let post = |number: usize, more: &str| {
        service.post(&format!("/api/v1/pages?url=http://a.example/{number}{more}"), page(number))
    };
    (0..3).for_each(|number| assert_eq!(post(number, "").status, 200));
    let full = post(3, "");
    assert_eq!((full.status, full.code().as_str()), (507, "site-full"));
    assert_eq!(post(3, "&keep=false").status, 200);
    assert_eq!(post(0, "").json()["page"], 1);
}

#[test]
fn a_version_that_does_not_fit_leaves_the_one_before_it() {
    let service = Running::with(|options| (options.keep_bytes, options.keep_pages) = (2000, 1));
    let path = "/api/v1/pages?url=http://a.example/&date=2004-06-30";
    assert_eq!(service.post(path, page(1)).json()["page"], 1);
    // Words that cannot be packed well.
    let long: String =
        (1..500_u64).map(|number| format!("{:x} ", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    let refused = service.post(path, "<p>".to_owned() + &long);
    assert_eq!((refused.status, refused.code().as_str()), (507, "store-full"));
    assert_eq!(service.get("/api/v1/pages/1/html").body, page(1).as_bytes());
    assert_eq!(service.get("/api/v1/sites/a.example").json()["pages"], 1);
    // One that fits takes its place, though there is no room for both.
    assert_eq!(service.post(path, page(2)).json()["page"], 2);
    assert_eq!(service.get("/api/v1/pages/1").code(), "no-such-page");
    assert_eq!(service.get("/api/v1/sites/a.example").json()["pages"], 1);
}
