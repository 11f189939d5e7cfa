//! Tests `pages`: what is listed, in which form, and from which inputs.

use super::{folder_with, program, run, unframe};
use unframe_crawl::WarcWriter;

const TWO_PAGES: &str = concat!(
    r#"{"url":"https://www.a.example/x/1","html":"<p>One","date":"2024-01-31T12:00:00Z"}"#,
    "\n",
    r#"{"url":"http://b.example:8080/","html":"<p>Zwölf"}"#,
    "\n"
);

#[test]
fn pages_are_json_lines_in_a_pipe() {
    let folder = folder_with("two.jsonl", TWO_PAGES);
    let run = unframe(folder.path(), &["pages", "two.jsonl"]);
    let expected = concat!(
        r#"{"url":"https://www.a.example/x/1","site":"a.example","date":"2024-01-31T12:00:00Z","bytes":6,"#,
        r#""charset":"UTF-8","charset_source":"http","file":"two.jsonl","offset":0,"problems":[]}"#,
        "\n",
        r#"{"url":"http://b.example:8080/","site":"b.example:8080","date":null,"bytes":9,"#,
        r#""charset":"UTF-8","charset_source":"http","file":"two.jsonl","offset":82,"problems":[]}"#,
        "\n"
    );
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (expected, "", Some(0)));
}

#[test]
fn standard_input_is_read_too() {
    let folder = folder_with("two.jsonl", TWO_PAGES);
    let by_name = unframe(folder.path(), &["pages", "two.jsonl"]);
    let by_pipe = run(program(folder.path(), &["pages", "-"]), TWO_PAGES.as_bytes());
    assert_eq!(by_pipe.stdout, by_name.stdout.replace("two.jsonl", "-"));
}

#[test]
fn the_way_to_make_sites_can_be_chosen() {
    let folder = folder_with("two.jsonl", TWO_PAGES);
    for (way, first, second) in [
        ("host", "a.example", "b.example:8080"),
        ("domain", "a.example", "b.example"),
        ("prefix", "a.example/x", "b.example:8080"),
        ("all", "all", "all"),
    ] {
        let run = unframe(folder.path(), &["pages", "two.jsonl", "--site-by", way]);
        let sites: Vec<_> = run.stdout.lines().map(|line| line.split('"').nth(7).unwrap()).collect();
        assert_eq!(sites, [first, second], "{way}");
    }
}

#[test]
fn the_table_counts_sites_and_everything() {
    let folder = folder_with("two.jsonl", format!("{TWO_PAGES}{TWO_PAGES}not JSON\n"));
    let run = unframe(folder.path(), &["pages", "two.jsonl", "--table"]);
    let expected = "\
site                    pages  bytes  problems  charset
a.example                   1    6 B         0  UTF-8
b.example:8080              1    9 B         0  UTF-8
records without a page                       1
all 2 sites                 2   15 B         1
5 records read, 277 B (skipped: 2 duplicate)
";
    assert_eq!((run.stdout.as_str(), run.code), (expected, Some(1)));
    let run = unframe(folder.path(), &["pages", "two.jsonl", "--table", "--duplicates"]);
    assert!(run.stdout.contains("all 2 sites                 4   30 B"), "{}", run.stdout);
}

#[test]
fn other_statuses_are_read_if_asked_for() {
    let mut writer = WarcWriter::gzip(Vec::new());
    let date = "2024-01-31T12:00:00Z".parse().unwrap();
    for status in [200, 404] {
        let url = format!("http://a.example/{status}");
        writer
            .response(&url, date, status, &[("Content-Type", "text/html; charset=koi8-r")], b"<p>x")
            .unwrap();
    }
    let folder = folder_with("two.warc.gz", writer.into_inner());
    let addresses = |arguments: &[&str]| {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(
            run.stdout.lines().all(|line| line.contains(r#""charset":"KOI8-R","charset_source":"http""#))
        );
        run.stdout.lines().map(|line| line.split('"').nth(3).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(addresses(&["pages", "two.warc.gz"]), ["http://a.example/200"]);
    let both = ["http://a.example/200", "http://a.example/404"];
    assert_eq!(addresses(&["pages", "two.warc.gz", "--status", "any"]), both);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    unframe(folder.path(), &["demo", ".", "--pages", "20"]);
    let one = unframe(folder.path(), &["pages", "demo-1.warc.gz", "--threads", "1"]);
    let eight = unframe(folder.path(), &["pages", "demo-1.warc.gz", "--threads", "8"]);
    assert_eq!(one.stdout.lines().count(), 140);
    assert_eq!(one.stdout, eight.stdout);
}

#[test]
fn a_folder_without_pages_is_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["pages", "."]);
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(0)));
    assert!(run.stderr.contains("no HTML page was found"), "{}", run.stderr);
}
