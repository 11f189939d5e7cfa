//! Tests what is exchanged with other programs: WET, lists of inputs, indexes, reports.

use std::fs;

use serde_json::Value;

use super::{folder_with, program, run, unframe};

/// Pages of a site, a line each.
fn crawl(pages: usize) -> String {
    let page = |number: usize| {
        format!(
            "{{\"url\":\"http://a.example/{number}\",\"date\":\"2026-01-31T12:00:00Z\",\"html\":\"<ul><li><a href=/>Home</a></ul><p>Words {number}.\"}}\n"
        )
    };
    (0..pages).map(page).collect()
}

#[test]
fn texts_without_markup_are_written_and_read() {
    let folder = folder_with("crawl.jsonl", crawl(3));
    fs::create_dir(folder.path().join("texts")).unwrap();
    let run =
        unframe(folder.path(), &["clean", "crawl.jsonl", "--format", "wet", "-o", "texts/a.warc.wet.gz"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(fs::read(folder.path().join("texts/a.warc.wet.gz")).unwrap().starts_with(b"\x1f\x8b"));
    let run = unframe(folder.path(), &["clean", "texts/a.warc.wet.gz", "-q"]);
    let texts = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["text"].clone());
    assert_eq!(texts.collect::<Vec<_>>(), ["Words 0.", "Words 1.", "Words 2."]);
    let run = unframe(folder.path(), &["clean", "texts"]);
    let advice = "unframe: no HTML page was found (skipped: 1 wet). WET files in a folder are read only if they are named: unframe clean FOLDER/*.wet.gz\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", advice, Some(0)));
}

#[test]
fn inputs_come_from_a_list() {
    let folder = folder_with("one.jsonl", crawl(1));
    fs::write(folder.path().join("two.jsonl"), crawl(2)).unwrap();
    fs::write(folder.path().join("list"), "one.jsonl\n\ntwo.jsonl\n").unwrap();
    let pages = |arguments: &[&str], stdin: &str| {
        let run = run(program(folder.path(), arguments), stdin.as_bytes());
        (run.stdout.lines().count(), run.stderr, run.code)
    };
    assert_eq!(pages(&["pages", "--inputs-from", "list", "--duplicates"], ""), (3, String::new(), Some(0)));
    assert_eq!(pages(&["clean", "one.jsonl", "--inputs-from", "-", "-q"], "two.jsonl\n").0, 2);
    let refused = [
        (&["pages", "--inputs-from", "-"][..], "", "unframe: the list of inputs standard input is empty\n"),
        (
            &["pages", "--inputs-from", "-"],
            "-\n",
            "unframe: standard input cannot be both the list of inputs and an input\n",
        ),
        (
            &["clean", "--inputs-from", "list", "-o", "two.jsonl"],
            "",
            "unframe: two.jsonl is an input and would be overwritten: choose another name for the output\n",
        ),
    ];
    for (arguments, stdin, message) in refused {
        assert_eq!(pages(arguments, stdin), (0, message.to_owned(), Some(2)));
    }
}

#[test]
fn a_report_shows_what_was_removed() {
    let evil = crawl(8).replace("Home", "Home &lt;script>alert(1)&lt;/script>");
    let folder = folder_with("crawl.jsonl", evil);
    let clean = ["clean", "crawl.jsonl", "--report", "removed.html", "-o", "texts.jsonl"];
    let run = unframe(folder.path(), &clean);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let report = fs::read_to_string(folder.path().join("removed.html")).unwrap();
    for part in [
        "8 pages of 1 site. ",
        "<a href=\"#site-0\">a.example</a>",
        "8 times on 8 pages</small>Home &lt;script&gt;alert(1)&lt;/script&gt;</blockquote>",
        "<small>http://a.example/0</small>Words 0.</blockquote>",
    ] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    assert!(!report.contains("<script"), "{report}");
    let run = unframe(folder.path(), &["clean", "crawl.jsonl", "--report", "a.html", "-o", "a.html"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("unframe: a.html is given twice: "), "{}", run.stderr);
}

#[test]
fn an_index_chooses_records() {
    let folder = tempfile::tempdir().unwrap();
    unframe(folder.path(), &["demo", ".", "--pages", "4", "-q"]);
    let pages = unframe(folder.path(), &["pages", "demo-1.warc.gz"]).stdout;
    let pages: Vec<Value> = pages.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |two: &[Value]| {
        let (url, offset) = (&two[0]["url"], two[0]["offset"].as_u64().unwrap());
        let length = two[1]["offset"].as_u64().unwrap() - offset;
        format!(
            "key 20240108000000 {{\"url\":{url},\"filename\":\"far/away/demo-1.warc.gz\",\"offset\":\"{offset}\",\"length\":\"{length}\"}}\n"
        )
    };
    let index: String = pages.windows(2).map(line).collect();
    fs::write(folder.path().join("index.cdxj"), index).unwrap();
    let chosen = |filter: &str| {
        let run = unframe(folder.path(), &["pages", ".", "--cdx", "index.cdxj", "--cdx-filter", filter]);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let mut all = chosen("from=2024");
    all.iter_mut().for_each(|page| page["file"] = "demo-1.warc.gz".into());
    assert_eq!(all, pages[..pages.len() - 1]);
    let site = pages[0]["site"].as_str().unwrap();
    let of_site = |pages: &[Value]| pages.iter().filter(|page| page["site"] == site).count();
    assert_eq!(chosen(&format!("host={site}")).len(), of_site(&pages[..pages.len() - 1]));

    let run = unframe(folder.path(), &["pages", "index.cdxj", "--cdx", "index.cdxj"]);
    let expected = "unframe: cannot use the index: 27 records of the index are selected, but none of their files is among the inputs, for example \
                    far/away/demo-1.warc.gz. Name these files, or their folder, as inputs\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
}
