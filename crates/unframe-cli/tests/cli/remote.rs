//! Crawls on other machines: on a server that the test starts.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::file_server::FileServer;
use crate::{Run, program, run, unframe};

/// A folder with a crawl of synthetic sites.
fn demo() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    unframe(folder.path(), &["demo", ".", "--pages", "4", "-q"]);
    folder
}

/// The program, with S3 at the server, and without what the machine says of proxies and buckets.
fn remote(server: &FileServer, folder: &Path, arguments: &[&str]) -> Run {
    let mut command: Command = program(folder, arguments);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command.env("NO_PROXY", "*").env("AWS_ENDPOINT_URL", server.address.trim_end_matches('/'));
    command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret");
    run(command, b"")
}

fn json(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn files_are_read_from_servers() {
    let folder = demo();
    fs::create_dir(folder.path().join("crawls")).unwrap();
    fs::copy(folder.path().join("demo-1.warc.gz"), folder.path().join("crawls/demo-2.warc.gz")).unwrap();
    let server = FileServer::start(folder.path());
    for (address, path) in [
        (format!("{}demo-1.warc.gz", server.address), "demo-1.warc.gz"),
        ("s3://crawls/demo-2.warc.gz".to_owned(), "crawls/demo-2.warc.gz"),
        ("s3://crawls/".to_owned(), "crawls"),
    ] {
        let here = unframe(folder.path(), &["clean", path]);
        let there = remote(&server, folder.path(), &["clean", &address]);
        assert_eq!((there.stderr.as_str(), there.code), ("", Some(0)), "{address}");
        assert_eq!(there.stdout, here.stdout, "{address}");
    }
    let here = unframe(folder.path(), &["pages", "demo-1.warc.gz"]);
    server.take_requests();
    server.make_trouble();
    let address = format!("{}demo-1.warc.gz", server.address);
    let there = remote(&server, folder.path(), &["pages", &address]);
    assert_eq!((there.stderr.as_str(), there.code), ("", Some(0)));
    assert_eq!(there.stdout.replace(&address, "demo-1.warc.gz"), here.stdout);
    let length = fs::metadata(folder.path().join("demo-1.warc.gz")).unwrap().len();
    let requests = ["all".to_owned(), "all".to_owned(), format!("bytes={}-", length / 2)];
    assert_eq!(server.take_requests(), requests.map(|range| format!("/demo-1.warc.gz {range}")));
}

#[test]
fn pages_and_archives_are_read_from_servers() {
    let folder = tempfile::tempdir().unwrap();
    let mut zip = Vec::new();
    zip.extend(b"PK\x05\x06");
    zip.extend([0; 18]);
    fs::write(folder.path().join("empty.wacz"), zip).unwrap();
    fs::write(folder.path().join("page.html"), "<!doctype html><title>A</title><p>Words").unwrap();
    let server = FileServer::start(folder.path());
    let page = format!("{}page.html", server.address);
    let run = remote(&server, folder.path(), &["pages", &format!("{}empty.wacz", server.address), &page]);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let pages = json(&run.stdout);
    assert_eq!((pages.len(), &pages[0]["url"], &pages[0]["file"]), (1, &page.clone().into(), &page.into()));
}

/// An index in parts of all records but the last: ten lines a block.
fn write_index(folder: &Path) -> Vec<Value> {
    let pages = json(&unframe(folder, &["pages", "demo-1.warc.gz"]).stdout);
    let mut lines: Vec<String> = pages
        .windows(2)
        .map(|two| {
            let (url, offset) = (two[0]["url"].as_str().unwrap(), two[0]["offset"].as_u64().unwrap());
            let host = url.split('/').nth(2).unwrap().trim_start_matches("www.");
            let key: Vec<&str> = host.rsplit('.').collect();
            let length = two[1]["offset"].as_u64().unwrap() - offset;
            format!(
                "{})/ 20240108000000 {{\"url\":\"{url}\",\"filename\":\"demo-1.warc.gz\",\"offset\":\"{offset}\",\"length\":\"{length}\"}}\n",
                key.join(",")
            )
        })
        .collect();
    lines.sort();
    let (mut blocks, mut cluster) = (Vec::new(), String::new());
    for lines in lines.chunks(10) {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(lines.concat().as_bytes()).unwrap();
        let block = gzip.finish().unwrap();
        let key = lines[0].split(" {").next().unwrap();
        cluster += &format!("{key}\tcdx-00000.gz\t{}\t{}\t1\n", blocks.len(), block.len());
        blocks.extend(block);
    }
    fs::write(folder.join("cluster.idx"), cluster).unwrap();
    fs::write(folder.join("cdx-00000.gz"), blocks).unwrap();
    pages
}

#[test]
fn an_index_on_a_server_chooses_ranges() {
    let folder = demo();
    let pages = write_index(folder.path());
    let site = pages[0]["site"].as_str().unwrap();
    let expected: Vec<&str> = pages[..pages.len() - 1]
        .iter()
        .filter(|page| page["site"] == site)
        .filter_map(|page| page["url"].as_str())
        .collect();
    let server = FileServer::start(folder.path());
    let index = format!("{}cluster.idx", server.address);
    let filter = format!("host={site}");
    for (index, input) in [("cluster.idx", "."), (index.as_str(), server.address.as_str())] {
        let arguments = ["pages", input, "--cdx", index, "--cdx-filter", &filter];
        let run = remote(&server, folder.path(), &arguments);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        let found = json(&run.stdout);
        assert_eq!(found.iter().filter_map(|page| page["url"].as_str()).collect::<Vec<_>>(), expected);
    }
    let length = fs::metadata(folder.path().join("demo-1.warc.gz")).unwrap().len();
    let bytes = server.take_bytes();
    assert!(bytes < length / 2, "{bytes} of {length} bytes were sent");
    let requests = server.take_requests();
    let records = requests.iter().filter(|request| request.starts_with("/demo-1.warc.gz bytes=")).count();
    assert_eq!(records, expected.len(), "{requests:?}");
}

#[test]
fn what_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let server = FileServer::start(folder.path());
    let address = format!("{}a.warc.gz", server.address);
    let run = remote(&server, folder.path(), &["pages", &address]);
    let expected = format!(
        "unframe: 1 problem in the input\n  {address} at 0: unreadable: 404 Not Found\nunframe: no page could be read, so nothing was written\n"
    );
    assert_eq!((run.stderr.as_str(), run.code), (expected.as_str(), Some(2)));
    let run = remote(&server, folder.path(), &["pages", "s3://crawls/a.warc.gz"]);
    assert!(run.stderr.contains("s3://crawls/a.warc.gz at 0: unreadable: 404 Not Found: "), "{}", run.stderr);
    let mut command = program(folder.path(), &["pages", "s3://crawls/a.warc.gz"]);
    // This is who the library asks for credentials if the environment has none.
    command.env_clear().env("AWS_METADATA_ENDPOINT", server.address.trim_end_matches('/'));
    let without_keys = crate::run(command, b"");
    let expected =
        "unreadable: there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ";
    assert!(without_keys.stderr.contains(expected), "{}", without_keys.stderr);
    let run = remote(&server, folder.path(), &["pages", "s3:///a"]);
    let expected =
        "unframe: cannot read the crawl: s3:///a: the address names no bucket: write s3://BUCKET/KEY\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
    let run = remote(&server, folder.path(), &["pages", &server.address, "--cdx", &address]);
    let expected = format!("unframe: cannot use the index: cannot read {address}: 404 Not Found\n");
    assert_eq!((run.stderr, run.code), (expected, Some(2)));
}
