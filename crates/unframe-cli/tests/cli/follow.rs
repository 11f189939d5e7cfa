//! Tests `follow`: labelling pages one after the other, its state, and what it refuses.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use super::{folder_with, program, run, unframe};

const MENU: &str = "<div id='menu'><a href='/'>Home page</a> <a href='/about'>About us</a></div>";

/// The line of a page with a menu and words of its own.
fn page(number: usize, menu: &str) -> String {
    let html = format!("{menu}<p>Words {number} of this page only{number}.</p>");
    let date = format!("2024-01-{:02}T00:00:00Z", number % 28 + 1);
    serde_json::json!({"url": format!("http://a.example/{number}"), "html": html, "date": date}).to_string()
        + "\n"
}

fn pages(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| page(number, MENU)).collect()
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn follow(folder: &Path, arguments: &[&str], stdin: &str) -> super::Run {
    run(program(folder, &[&["follow", "--state", "state"], arguments].concat()), stdin.as_bytes())
}

/// The same in a new state of text segments.
fn follow_segments(folder: &Path, arguments: &[&str]) -> super::Run {
    follow(folder, &[arguments, &["--method", "segments"]].concat(), "")
}

/// The number that `--status` prints for a name.
fn status(folder: &Path, name: &str) -> String {
    let status = follow(folder, &["--status"], "").stdout;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().to_owned()
}

#[test]
fn a_text_is_template_from_its_fifth_page_on() {
    let folder = folder_with("crawl.jsonl", pages(0..8));
    let run = follow_segments(folder.path(), &["crawl.jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let labels = json(&run.stdout);
    let regions: Vec<usize> = labels.iter().map(|line| line["regions"].as_array().unwrap().len()).collect();
    assert_eq!(regions, [0, 0, 0, 0, 1, 1, 1, 1]);
    let evidence = |number: usize| labels[number]["evidence"].as_str();
    assert_eq!((evidence(0), evidence(1)), (Some("page"), Some("site")), "the first page has none before it");
    let region = &labels[7]["regions"][0];
    assert_eq!((region["start"].as_u64(), region["end"].as_u64()), (Some(0), Some(MENU.len() as u64)));
    assert_eq!(region["pages"], 8);
    assert!(run.stderr.contains("8 pages, 0 of them unchanged"), "{}", run.stderr);
}

#[test]
fn what_was_learned_is_there_in_the_next_run_and_no_page_counts_twice() {
    let folder = folder_with("one.jsonl", pages(0..4));
    assert_eq!(follow_segments(folder.path(), &["one.jsonl"]).code, Some(0));
    let again = follow(folder.path(), &["one.jsonl"], "");
    assert!(again.stderr.contains("4 pages, 4 of them unchanged"), "{}", again.stderr);
    assert_eq!(json(&again.stdout).len(), 4, "a page that comes again is answered again");
    assert_eq!(follow(folder.path(), &["one.jsonl", "--skip-known"], "").stdout, "");
    let next = follow(folder.path(), &["-", "--clean", "-q"], &page(4, MENU));
    assert_eq!(json(&next.stdout)[0]["text"], "Words 4 of this page only4.");
    // Eight of the pages were known as they were.
    assert_eq!(
        (status(folder.path(), "sites"), status(folder.path(), "pages")),
        ("1".to_owned(), "13".to_owned())
    );
    assert_eq!(status(folder.path(), "entries"), "7", "two of the menu, one of each page");
    assert_eq!(status(folder.path(), "oldest"), "2024-01-01T00:00:00Z");
    assert_eq!(status(folder.path(), "newest"), "2024-01-05T00:00:00Z");
}

#[test]
fn pages_to_index_again_are_logged() {
    let folder = folder_with("crawl.jsonl", pages(0..6));
    // A menu that nobody has any more is forgotten: 5 pages make it live for 10 pages.
    let settings = ["--method", "segments:base=2,factor=5", "--reindex-log", "again.jsonl", "-q"];
    follow(folder.path(), &[&["crawl.jsonl"], &settings[..]].concat(), "");
    let lines =
        |from: usize| json(&fs::read_to_string(folder.path().join("again.jsonl")).unwrap())[from..].to_vec();
    let again = lines(0);
    let urls: Vec<&str> = again.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, [3, 2, 1, 0].map(|number| format!("http://a.example/{number}")));
    assert_eq!((&again[0]["now"], again[0]["texts"].as_array().unwrap().len()), (&"template".into(), 2));
    fs::write(folder.path().join("new.jsonl"), (6..30).map(|number| page(number, "")).collect::<String>())
        .unwrap();
    follow(folder.path(), &[&["crawl.jsonl", "new.jsonl"], &settings[..]].concat(), "");
    let ended = lines(4);
    assert_eq!(ended.len(), 6, "{ended:?}");
    assert!(ended.iter().all(|line| line["now"] == "content"), "{ended:?}");
}

/// The line of a page with prose of its own, and with an advertisement that reads like prose.
fn article(number: usize) -> String {
    let sentence = |at: usize| {
        format!(
            "Sentence {at} of article {number} tells of ship{number}x{at}, its crew, and the harbour{number}x{at} that it left."
        )
    };
    let prose: String =
        (0..4).map(|at| format!("<p>{} {}</p>", sentence(2 * at), sentence(2 * at + 1))).collect();
    let html =
        format!("<html><body><main><h1>Ship {number} leaves</h1>{prose}<p>{OFFER}</p></main></body></html>");
    serde_json::json!({"url": format!("http://a.example/{number}"), "html": html}).to_string() + "\n"
}

const OFFER: &str = "Our readers save on every voyage this year, because we have asked the captains, and most of them agreed at once.";

fn articles(numbers: std::ops::Range<usize>) -> String {
    numbers.map(article).collect()
}

#[test]
fn the_default_method_judges_each_page_by_those_before_it() {
    let folder = folder_with("crawl.jsonl", articles(0..8));
    let log = ["--clean", "--reindex-log", "again.jsonl", "-q"];
    let run = follow(folder.path(), &[&["crawl.jsonl"], &log[..]].concat(), "");
    let lines = json(&run.stdout);
    let has_offer: Vec<bool> =
        lines.iter().map(|line| line["text"].as_str().unwrap().contains("Our readers save")).collect();
    assert!(has_offer[0], "nothing but the page speaks of its first page");
    assert_eq!(has_offer[4..], [false; 4], "{has_offer:?}");
    assert!(lines.iter().all(|line| line["text"].as_str().unwrap().contains("Sentence 7")));
    // The pages whose text was written with the offer are to be indexed again, and no others.
    let again = json(&fs::read_to_string(folder.path().join("again.jsonl")).unwrap());
    let mut urls: Vec<&str> = again.iter().map(|line| line["url"].as_str().unwrap()).collect();
    urls.sort_unstable();
    let with_offer = has_offer.iter().filter(|has_offer| **has_offer).count();
    assert_eq!(urls, (0..with_offer).map(|number| format!("http://a.example/{number}")).collect::<Vec<_>>());
    assert!(again.iter().all(|line| line["now"] == "template"), "{again:?}");
    // The evidence for a page does not depend on when the process ended.
    let other = folder_with("one.jsonl", articles(0..3));
    fs::write(other.path().join("two.jsonl"), articles(3..8)).unwrap();
    let parts =
        ["one.jsonl", "two.jsonl"].map(|name| follow(other.path(), &[name, "--clean", "-q"], "").stdout);
    let texts = |lines: &[Value]| lines.iter().map(|line| line["text"].clone()).collect::<Vec<_>>();
    assert_eq!(texts(&json(&parts.concat())), texts(&lines));
}

#[test]
fn a_state_begins_with_a_model_and_becomes_one() {
    let folder = folder_with("crawl.jsonl", articles(0..8));
    assert_eq!(unframe(folder.path(), &["learn", "crawl.jsonl", "-q", "-o", "site.model"]).code, Some(0));
    fs::write(folder.path().join("next.jsonl"), articles(8..9)).unwrap();
    let run = follow(folder.path(), &["next.jsonl", "--begin-with", "site.model", "--clean"], "");
    assert!(run.stderr.contains("1 of 1 sites in site.model are new to the state"), "{}", run.stderr);
    let text = |run: &super::Run| json(&run.stdout)[0]["text"].as_str().unwrap().to_owned();
    assert!(!text(&run).contains("Our readers save"), "{}", text(&run));
    assert_eq!(follow(folder.path(), &["--export", "state.model", "-q"], "").code, Some(0));
    let clean = unframe(folder.path(), &["clean", "next.jsonl", "--model", "state.model", "-q"]);
    assert_eq!(text(&clean), text(&run), "{}", clean.stderr);
    let other = unframe(folder.path(), &["follow", "--state", "other", "--method", "dom", "next.jsonl"]);
    assert!(other.stderr.contains("the method `dom` needs all pages of a site at once"), "{}", other.stderr);
}

#[test]
fn files_come_as_a_list() {
    let folder = folder_with("one.jsonl", pages(0..3));
    fs::write(folder.path().join("two.jsonl"), pages(3..5)).unwrap();
    let run = follow(folder.path(), &["--list"], "one.jsonl\nmissing.jsonl\n\ntwo.jsonl\n");
    assert_eq!((json(&run.stdout).len(), run.code), (5, Some(1)), "{}", run.stderr);
    assert!(run.stderr.contains("missing.jsonl at 0: unreadable"), "{}", run.stderr);
}

/// A run that goes on.
struct Service {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Service {
    fn start(folder: &Path, arguments: &[&str]) -> Service {
        let mut command = program(folder, &[&["follow", "--state", "state"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Service { child, answers }
    }

    fn send(&mut self, text: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Waits for the line of the next page.
    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn every_page_is_answered_before_the_next_comes_and_survives_kill() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let mut service = Service::start(folder.path(), &["-"]);
        for number in round * 4..round * 4 + 4 {
            service.send(&page(number, MENU));
            assert_eq!(service.answer()["url"], format!("http://a.example/{number}"));
        }
        // Dropped, and so killed: no time to close anything.
    }
    assert_eq!(status(folder.path(), "pages"), "12");
    let check = follow(folder.path(), &["--check"], "");
    assert_eq!(
        (check.code, check.stdout.contains("no damage was found")),
        (Some(0), true),
        "{}",
        check.stdout
    );
    let last = follow(folder.path(), &["-", "-q"], &page(12, MENU));
    assert_eq!(json(&last.stdout)[0]["regions"][0]["pages"], 13);
}

#[test]
fn a_second_process_learns_who_was_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Service::start(folder.path(), &["-", "--method", "segments"]);
    service.send(&page(0, MENU));
    service.answer();
    let second = follow(folder.path(), &["-"], &page(1, MENU));
    assert_eq!(second.code, Some(2));
    assert!(second.stderr.contains("is in use by process"), "{}", second.stderr);
    // It can still be asked what is there: all that was answered.
    let running = follow(folder.path(), &["--status"], "");
    assert_eq!(running.code, Some(0), "{}", running.stderr);
    let lines: Vec<&str> = running.stdout.lines().collect();
    assert!(lines[0].starts_with("method    segments:df=5,ratio=0.7"), "{}", lines[0]);
    assert_eq!([lines[1], lines[2], lines[4]], ["sites     1", "entries   3", "pages     1"]);
    let id = service.child.id();
    assert_eq!(lines[7], format!("in use by process {id}, as of its last commit"));
    service.send(&page(1, MENU));
    service.answer();
    assert_eq!((status(folder.path(), "pages"), status(folder.path(), "entries")), ("2".into(), "4".into()));
    // Parts of the sites have a state each.
    let parts =
        ["1/2", "2/2"].map(|part| follow(folder.path(), &["-", "-q", "--part", part], &page(1, MENU)).stdout);
    assert_eq!(parts.iter().filter(|output| output.is_empty()).count(), 1);
    // Each process reports what is bad, also by the one that has no other page.
    let lines = page(2, MENU) + "{]\n";
    let codes = ["1/2", "2/2"].map(|part| follow(folder.path(), &["-", "-q", "--part", part], &lines).code);
    assert_eq!(codes, [Some(1), Some(1)]);
}

#[test]
fn a_growing_file_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(unframe(folder.path(), &["demo", "crawl", "-q", "--pages", "4"]).code, Some(0));
    let whole = fs::read(folder.path().join("crawl/demo-1.warc.gz")).unwrap();
    grow(folder.path(), "growing.warc.gz", &whole);
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(whole.as_slice()).read_to_end(&mut plain).unwrap();
    fs::remove_dir_all(folder.path().join("state")).unwrap();
    grow(folder.path(), "growing.warc", &plain);
}

/// Lets a file grow: first it ends in the middle of a record, then right before one. Every record is answered when it is
/// complete, though no other follows.
fn grow(folder: &Path, name: &str, whole: &[u8]) {
    fs::write(folder.join("whole.warc"), whole).unwrap();
    let listed = json(&unframe(folder, &["pages", "whole.warc", "--jsonl", "-q"]).stdout);
    let offset = |number: usize| listed[number]["offset"].as_u64().unwrap() as usize;
    let mut file = File::create(folder.join(name)).unwrap();
    file.write_all(&whole[..offset(5) + 20]).unwrap();
    let mut service = Service::start(folder, &["--tail", name]);
    for expected in &listed[..5] {
        assert_eq!(service.answer()["url"], expected["url"]);
    }
    file.write_all(&whole[offset(5) + 20..offset(12)]).unwrap();
    for expected in &listed[5..12] {
        assert_eq!(service.answer()["url"], expected["url"]);
    }
    file.write_all(&whole[offset(12)..]).unwrap();
    for expected in &listed[12..] {
        assert_eq!(service.answer()["url"], expected["url"]);
    }
}

#[test]
fn damage_is_reported_and_repaired() {
    let folder = folder_with("crawl.jsonl", pages(0..9));
    follow(folder.path(), &["crawl.jsonl"], "");
    fs::write(folder.path().join("state/tables.redb"), "not a database").unwrap();
    let broken = follow(folder.path(), &["-"], &page(9, MENU));
    assert_eq!(broken.code, Some(2));
    assert!(broken.stderr.contains("--repair"), "{}", broken.stderr);
    let check = follow(folder.path(), &["--check"], "");
    assert_eq!((check.code, check.stdout.contains("tables.redb")), (Some(1), true), "{}", check.stdout);
    assert_eq!(follow(folder.path(), &["--repair"], "").code, Some(0));
    assert_eq!(follow(folder.path(), &["-"], &page(9, MENU)).code, Some(0));
    let missing = unframe(folder.path(), &["follow", "--state", "nowhere", "--status"]);
    assert_eq!((missing.code, missing.stderr.contains("there is no state")), (Some(2), true));
}

#[test]
fn a_database_that_makes_its_library_panic_is_damaged() {
    let folder = folder_with("crawl.jsonl", pages(0..9));
    follow(folder.path(), &["crawl.jsonl"], "");
    let path = folder.path().join("state/tables.redb");
    let mut bytes = fs::read(&path).unwrap();
    // The name of a table that is not text.
    let name = bytes.windows(9).position(|window| window == b"summaries").unwrap();
    bytes[name] = 0xFF;
    fs::write(&path, bytes).unwrap();
    let check = follow(folder.path(), &["--check"], "");
    assert_eq!((check.stderr.as_str(), check.code), ("", Some(1)));
    assert!(check.stdout.contains("the database cannot be read"), "{}", check.stdout);
    assert_eq!(follow(folder.path(), &["--repair"], "").code, Some(0));
    assert_eq!(follow(folder.path(), &["--check"], "").code, Some(0));
}

#[test]
fn a_line_that_was_torn_by_a_crash_is_cut_off() {
    let folder = folder_with("crawl.jsonl", pages(0..3));
    fs::write(folder.path().join("out.jsonl"), "{\"url\":\"whole\"}\n{\"url\":\"to").unwrap();
    assert_eq!(follow(folder.path(), &["crawl.jsonl", "-o", "out.jsonl"], "").code, Some(0));
    let lines = json(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    let urls: Vec<_> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["whole", "http://a.example/0", "http://a.example/1", "http://a.example/2"]);
    fs::write(folder.path().join("torn.jsonl"), "{\"url\":\"no line end at all").unwrap();
    assert_eq!(follow(folder.path(), &["crawl.jsonl", "--skip-known", "-o", "torn.jsonl"], "").code, Some(0));
    assert_eq!(fs::read(folder.path().join("torn.jsonl")).unwrap(), b"");
}

#[test]
fn what_others_wrote_into_a_file_is_not_cut_off() {
    let folder = folder_with("crawl.jsonl", pages(0..6));
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let whole = "{\"url\":\"a whole line, but for its end\"}";
    for foreign in ["notes of mine", "first line\nsecond", "{\"html\":\"", whole] {
        for name in ["out.jsonl", "again.jsonl"] {
            fs::write(folder.path().join(name), foreign).unwrap();
        }
        let _ = fs::remove_dir_all(folder.path().join("state"));
        let run = follow_segments(
            folder.path(),
            &["crawl.jsonl", "-o", "out.jsonl", "--reindex-log", "again.jsonl"],
        );
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(!run.stderr.contains("cut off"), "{}", run.stderr);
        for (name, lines) in [("out.jsonl", 6), ("again.jsonl", 4)] {
            let text = text(name);
            let ours = text.strip_prefix(&format!("{foreign}\n"));
            assert_eq!(ours.map(|ours| json(ours).len()), Some(lines), "{name}: {text}");
        }
    }
    // A partial line is removed, however short, and that is reported.
    for torn in ["{", "{\"url\":", "{\"url\":\"http://a.exam"] {
        for name in ["out.jsonl", "again.jsonl"] {
            fs::write(folder.path().join(name), format!("whole\n{torn}")).unwrap();
        }
        let known = ["crawl.jsonl", "--skip-known", "-o", "out.jsonl", "--reindex-log", "again.jsonl"];
        let run = follow(folder.path(), &known, "");
        for name in ["out.jsonl", "again.jsonl"] {
            let reported =
                format!("unframe: {name}: the last line was not finished; its {} bytes", torn.len());
            assert!(run.stderr.contains(&reported), "{}", run.stderr);
            assert_eq!(text(name), "whole\n");
        }
    }
}
