use std::fs;

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
fn texts_without_markup_are_written_and_recognised() {
    let folder = folder_with("crawl.jsonl", crawl(3));
    let run = unframe(folder.path(), &["clean", "crawl.jsonl", "--format", "wet", "-o", "a.warc.wet.gz"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(fs::read(folder.path().join("a.warc.wet.gz")).unwrap().starts_with(b"\x1f\x8b"));
    let run = unframe(folder.path(), &["clean", "a.warc.wet.gz"]);
    let expected = "unframe: no HTML page was found (passed over: 1 warcinfo, 3 wet). WET files have text without markup, \
                    and templates are found by markup: read the WARC files that they were made of\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", expected, Some(0)));
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
            "unframe: standard input cannot be the list of inputs and one of them\n",
        ),
        (
            &["clean", "--inputs-from", "list", "-o", "two.jsonl"],
            "",
            "unframe: two.jsonl is an input, and would be written over: give the output another name\n",
        ),
    ];
    for (arguments, stdin, message) in refused {
        assert_eq!(pages(arguments, stdin), (0, message.to_owned(), Some(2)));
    }
}
