//! Tests folders: the order of files, addresses made from paths, links.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unframe_crawl::{Progress, ReadError, ReadOptions, Summary, pages, read};

use crate::harness::{event_line, gzip_each, html, page_line, records, url};

fn read_paths(paths: &[PathBuf], threads: usize) -> (Vec<String>, Summary) {
    let mut lines = Vec::new();
    let options = ReadOptions { threads, ..ReadOptions::default() };
    let summary = read(
        paths,
        &options,
        || page_line,
        |event| {
            lines.push(event_line(event));
            ControlFlow::Continue(())
        },
    );
    (lines, summary.unwrap())
}

fn write(root: &Path, path: &str, contents: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}

fn urls(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("page ")?.split(' ').next()).collect()
}

#[test]
fn a_mirror_is_read_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "example.com/index.html", html(1));
    write(folder.path(), "example.com/a b/ü.html", html(2));
    write(folder.path(), "example.com/style.css", "p { color: red }");
    write(folder.path(), "example.com/nothing.html", "");
    write(folder.path(), ".git/hidden.html", html(3));
    write(folder.path(), "other.example:8080/x.html", html(4));
    write(folder.path(), "crawl.warc.gz", gzip_each(&records(2)));
    // These are the texts of the pages in the file before.
    write(folder.path(), "crawl.warc.wet.gz", gzip_each(&records(3)));
    write(folder.path(), "notes/page.html", html(5));
    for threads in [1, 4] {
        let (lines, summary) = read_paths(&[folder.path().to_owned()], threads);
        let notes = format!("file://{}/notes/page.html", folder.path().display());
        let expected = [
            &url(0),
            &url(1),
            "http://example.com/a%20b/%C3%BC.html",
            "http://example.com/index.html",
            &notes,
            "http://other.example:8080/x.html",
        ];
        assert_eq!(urls(&lines), expected);
        assert_eq!(summary.problems, 0);
        let skipped: Vec<(&str, u64)> = summary.skipped.into_iter().collect();
        assert_eq!(
            skipped,
            [("empty-file", 1), ("hidden", 1), ("not-a-crawl", 1), ("warcinfo", 1), ("wet", 1)]
        );
    }
}

#[test]
fn a_folder_named_like_a_host_is_that_host() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "example.com/a.html", html(1));
    let (lines, _) = read_paths(&[folder.path().join("example.com")], 1);
    assert_eq!(urls(&lines), ["http://example.com/a.html"]);
}

#[test]
fn a_folder_that_only_looks_like_a_host_is_none() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["my.backup", "out.html", "v1.2"] {
        write(folder.path(), &format!("{name}/a.html"), html(1));
        let (lines, _) = read_paths(&[folder.path().join(name)], 1);
        assert_eq!(urls(&lines), [format!("file://{}/{name}/a.html", folder.path().display())]);
    }
}

#[test]
fn addresses_of_files_have_no_dots_in_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "teas/a.html", html(1));
    let (lines, _) = read_paths(&[folder.path().join("teas/../teas/./a.html")], 1);
    assert_eq!(urls(&lines), [format!("file://{}/teas/a.html", folder.path().display())]);
}

#[test]
fn a_single_file_has_its_own_address() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a#1.txt", html(1));
    let (lines, _) = read_paths(&[folder.path().join("a#1.txt")], 1);
    assert_eq!(urls(&lines), [format!("file://{}/a%231.txt", folder.path().display())]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_have_addresses_of_their_own() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    for name in [&b"\xe4.html"[..], b"\xf6.html", b"\xc3\xbc%.html"] {
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), html(1)).unwrap();
    }
    let (lines, _) = read_paths(&[folder.path().to_owned()], 1);
    let expected =
        ["%C3%BC%25", "%E4", "%F6"].map(|name| format!("file://{}/{name}.html", folder.path().display()));
    assert_eq!(urls(&lines), expected);
}

#[cfg(unix)]
#[test]
fn links_in_circles_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a/page.html", html(1));
    std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("b")).unwrap();
    let (lines, summary) = read_paths(&[folder.path().to_owned()], 1);
    assert_eq!(urls(&lines).len(), 1);
    assert_eq!(summary.problems, 2);
    assert!(lines.contains(&"!link-loop 0".to_owned()), "{lines:?}");
}

#[cfg(unix)]
#[test]
fn what_links_lead_to_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    write(&root, "a/page.html", html(1));
    write(&root, ".old/page.html", html(2));
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join(name)).unwrap();
    link("a", "b");
    link("a/page.html", "index.html");
    // What is not read otherwise is read through a link.
    link(".old", "old");
    let (lines, summary) = read_paths(std::slice::from_ref(&root), 1);
    let expected = ["a", "old"].map(|name| format!("file://{}/{name}/page.html", root.display()));
    assert_eq!(urls(&lines), expected);
    assert_eq!((summary.skipped["link"], summary.skipped["hidden"]), (2, 1));
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_reported_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    write(&root, "a/page.html", html(1));
    write(&root, ".old/page.html", html(2));
    write(folder.path(), "elsewhere/page.html", html(3));
    // Its name begins like that of the folder.
    write(folder.path(), "root2/page.html", html(4));
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join(name)).unwrap();
    link("../elsewhere", "b");
    link("../elsewhere/page.html", "c.html");
    link("/", "d");
    link("..", "e");
    link("../root2", "f");
    // A link inside of what a link leads to.
    link("../../elsewhere", ".old/g");
    link(".old", "h");
    let (lines, summary) = read_paths(std::slice::from_ref(&root), 1);
    let expected = ["a", "h"].map(|name| format!("file://{}/{name}/page.html", root.display()));
    assert_eq!(urls(&lines), expected);
    assert_eq!(lines.iter().filter(|line| *line == "!outside-link 0").count(), 6, "{lines:?}");
    assert_eq!(summary.problems, 6, "{lines:?}");
    // The folder that is named may be a link.
    let named = folder.path().join("named");
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), &named).unwrap();
    let (lines, summary) = read_paths(std::slice::from_ref(&named), 1);
    assert_eq!((urls(&lines).len(), summary.problems), (1, 0), "{lines:?}");
}

#[test]
fn pictures_and_texts_in_a_folder_are_no_crawls() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "page.html", html(1));
    // A line that looks like the header of a record.
    write(
        folder.path(),
        "a.jpg",
        b"\xff\xd8\xff\xe0\0\x10JFIF\nCREATOR: XV of 20050501  Quality = 75, Smoothing = 0\n\xff",
    );
    write(folder.path(), "b.svg", "<!-- licence -->\n<svg xmlns='http://www.w3.org/2000/svg'/>");
    write(folder.path(), "c.md", "<p align=center>Read me</p>\n\n# Title");
    write(folder.path(), "d.css", "<!-- p { color: red } -->");
    let (lines, summary) = read_paths(&[folder.path().to_owned()], 1);
    assert_eq!((urls(&lines).len(), summary.problems), (1, 0));
    assert_eq!(summary.skipped["not-a-crawl"], 4);
}

#[test]
fn many_small_files_stay_in_order() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..40 {
        write(folder.path(), &format!("{number:02}.warc.gz"), gzip_each(&records(3)[number % 2..]));
        write(folder.path(), &format!("{number:02}.html"), html(1000 + number));
    }
    let alone = read_paths(&[folder.path().to_owned()], 1);
    assert_eq!(alone.1.pages, 43);
    assert_eq!(alone.1.skipped["duplicate"], 40 * 3 - 3);
    assert_eq!(read_paths(&[folder.path().to_owned()], 8), alone);
}

#[test]
fn an_input_that_is_not_there_is_an_error() {
    let options = ReadOptions::default();
    let result = read(&["/no/such/file".into()], &options, || page_line, |_| ControlFlow::Continue(()));
    assert!(matches!(result, Err(ReadError::Missing { path, .. }) if path == Path::new("/no/such/file")));
    assert!(pages(vec!["/no/such/file".into()], options).is_err());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_a_problem() {
    // A folder's own file cannot be opened for reading; its memory image can be opened, but not read at its beginning.
    let (lines, summary) = read_paths(&["/proc/self/mem".into()], 1);
    assert_eq!((lines, summary.problems), (vec!["!unreadable 0".to_owned()], 1));
}

#[test]
fn progress_and_the_end_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.warc.gz", gzip_each(&records(100)));
    let path = folder.path().join("a.warc.gz");
    let size = fs::metadata(&path).unwrap().len();
    for threads in [1, 4] {
        let progress = Arc::new(Progress::default());
        let options = ReadOptions { threads, progress: Some(progress.clone()), ..ReadOptions::default() };
        let mut count = 0;
        let summary = read(
            std::slice::from_ref(&path),
            &options,
            || page_line,
            |_| {
                count += 1;
                if count == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!((count, progress.pages(), progress.bytes_total()), (10, 10, size));
        assert!(summary.unwrap().pages >= 10 && progress.bytes_read() > 0);
    }
    let mut iterator = pages(vec![path], ReadOptions::default()).unwrap();
    assert_eq!(iterator.by_ref().count(), 100);
    assert_eq!(iterator.summary().pages, 100);
}

#[test]
fn a_panic_of_a_worker_reaches_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.warc.gz", gzip_each(&records(500)));
    for threads in [1, 4] {
        let result = std::panic::catch_unwind(|| {
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let worker = || |page: unframe::Page| assert_ne!(page.url, url(77));
            read(&[folder.path().to_owned()], &options, worker, |_| ControlFlow::Continue(()))
        });
        assert!(result.is_err());
    }
}

/// An unpacked WACZ has a list of pages beside its records, and programs leave logs and results: none of them is a crawl
/// because it has JSON lines.
#[test]
fn json_lines_of_other_programs_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let page = r#"{"url": "http://a.example/", "html": "<p>x"}"#;
    std::fs::write(folder.path().join("crawl.jsonl"), page).unwrap();
    let log = r#"{"level":"info","message":"started","volume":{"html":{"total":1}}}"#;
    std::fs::write(folder.path().join("log.jsonl"), log).unwrap();
    let (lines, summary) = read_paths(&[folder.path().to_owned()], 1);
    assert_eq!((lines.len(), summary.problems), (1, 0), "{lines:?} {:?}", summary.skipped);
    assert_eq!(summary.skipped.get("not-a-crawl"), Some(&1), "{:?}", summary.skipped);
}
