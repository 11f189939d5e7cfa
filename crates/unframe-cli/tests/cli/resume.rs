//! Tests `clean --by-input` and `--resume`.

use std::fs;
use std::path::Path;

use super::{folder_with, names_in, program, run, unframe};

/// Pages of a site, a line each, with a menu that all have.
fn crawl(pages: std::ops::Range<usize>) -> String {
    let page = |number: usize| {
        format!(
            "{{\"url\":\"http://a.example/{number}\",\"html\":\"<nav><a href=/>Home</a> <a href=/t>Tea</a></nav><p>The tea of number {number} \
             is malty and dark, and it is drunk with milk.\"}}\n"
        )
    };
    pages.map(page).collect()
}

/// A crawl in two files, of which the second has but one page: without the first, nothing would be known to be template.
fn two_files() -> tempfile::TempDir {
    let folder = folder_with("one.jsonl", crawl(0..6));
    fs::write(folder.path().join("two.jsonl"), crawl(6..7)).unwrap();
    folder
}

const CLEAN: [&str; 6] = ["clean", "one.jsonl", "two.jsonl", "--by-input", "-o", "texts"];

fn texts(folder: &Path) -> [String; 2] {
    ["one.jsonl", "two.jsonl"].map(|name| fs::read_to_string(folder.join("texts").join(name)).unwrap())
}

#[test]
fn every_input_becomes_a_file() {
    let folder = two_files();
    let run = unframe(folder.path(), &CLEAN);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let [one, two] = texts(folder.path());
    let together = unframe(folder.path(), &["clean", "one.jsonl", "two.jsonl"]).stdout;
    assert_eq!(one + &two, together);
    assert!(!together.contains("Home"));
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_inputs_is_read_once() {
    let folder = two_files();
    let piped = ["clean", "/dev/stdin", "two.jsonl", "--by-input", "-o", "texts"];
    let run = run(program(folder.path(), &piped), crawl(0..6).as_bytes());
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(names_in(&folder.path().join("texts"))[2..], ["stdin.jsonl", "two.jsonl"]);
    let texts = ["stdin.jsonl", "two.jsonl"]
        .map(|name| fs::read_to_string(folder.path().join("texts").join(name)).unwrap());
    let together = unframe(folder.path(), &["clean", "one.jsonl", "two.jsonl"]).stdout;
    assert_eq!(texts.concat().replace("/dev/stdin", "one.jsonl"), together);
}

#[test]
fn a_run_that_was_stopped_is_continued() {
    let folder = two_files();
    assert_eq!(unframe(folder.path(), &CLEAN).code, Some(0));
    let whole = texts(folder.path());
    // As if it had been stopped before the second file was complete.
    fs::remove_file(folder.path().join("texts/two.jsonl")).unwrap();
    fs::write(folder.path().join("texts/one.jsonl"), "complete\n").unwrap();
    let model = fs::metadata(folder.path().join("texts/.unframe-model")).unwrap().modified().unwrap();
    let resume = [&CLEAN[..], &["--resume"]].concat();
    let run = unframe(folder.path(), &resume);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    assert_eq!(texts(folder.path()), ["complete\n".to_owned(), whole[1].clone()]);
    let same = fs::metadata(folder.path().join("texts/.unframe-model")).unwrap().modified().unwrap();
    assert_eq!(model, same, "what was learned is learned once");
    assert_eq!(
        names_in(&folder.path().join("texts")),
        [".unframe-model", ".unframe-settings", "one.jsonl", "two.jsonl"]
    );
}

#[test]
fn only_the_same_run_is_continued() {
    let folder = two_files();
    assert_eq!(unframe(folder.path(), &CLEAN).code, Some(0));
    let run = unframe(folder.path(), &CLEAN);
    let expected = "unframe: texts has the files of an earlier run: --resume continues it\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
    let run = unframe(folder.path(), &[&CLEAN[..], &["--resume", "--metadata"]].concat());
    let expected = "unframe: texts was started with other options or inputs (see texts/.unframe-settings): use another folder\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
}

#[test]
fn an_input_that_cannot_be_read_does_not_stop_the_others() {
    let folder = two_files();
    fs::write(folder.path().join("bad.jsonl"), "{\"url\":1}\n").unwrap();
    let run = unframe(folder.path(), &["clean", "bad.jsonl", "two.jsonl", "--by-input", "-o", "texts", "-q"]);
    assert!(run.stderr.starts_with("unframe: bad.jsonl: no page could be read"), "{}", run.stderr);
    assert_eq!(run.code, Some(1));
    assert_eq!(names_in(&folder.path().join("texts")), [".unframe-model", ".unframe-settings", "two.jsonl"]);
}

#[test]
fn two_inputs_need_two_names() {
    let folder = two_files();
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(folder.path().join("more/one.jsonl"), crawl(0..1)).unwrap();
    let run = unframe(folder.path(), &["clean", "one.jsonl", "more/one.jsonl", "--by-input", "-o", "texts"]);
    let expected = "unframe: one.jsonl and more/one.jsonl would both become one.jsonl: rename one of them\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
}
