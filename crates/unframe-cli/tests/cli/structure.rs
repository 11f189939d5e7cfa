//! Tests `fingerprint`, `cluster` and `classify`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{folder_with, names_in, program, run, unframe};

/// Two kinds of pages on two sites, which differ from their first tags on.
fn page(kind: usize, number: usize) -> String {
    let rows = "<tr><td>x</td></tr>".repeat(number);
    // Names that all differ, or that come in pairs: the fingerprint sees nothing but that.
    let top: String = match kind {
        0 => (0..30).map(|name| format!("<a{name}>")).collect(),
        _ => (0..30).map(|name| format!("<b{name}></b{name}>")).collect(),
    };
    format!("<html>{top}<body><table>{rows}</table></body></html>")
}

fn line(url: &str, html: &str) -> String {
    json!({"url": url, "html": html}).to_string() + "\n"
}

/// Pages of both kinds, taking turns.
fn crawl(pages: std::ops::Range<usize>) -> String {
    pages
        .map(|number| {
            line(
                &format!("http://{}.example/{number}", ["a", "b"][number % 2]),
                &page(number % 2, 5 + number),
            )
        })
        .collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ok(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let run = unframe(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    lines(&run.stdout)
}

fn error(folder: &Path, arguments: &[&str]) -> String {
    let run = unframe(folder, arguments);
    assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
    run.stderr
}

/// The cluster of each address.
fn clusters(lines: &[Value]) -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    lines.iter().map(|line| (text(&line["url"]), text(&line["cluster"]))).collect()
}

#[test]
fn fingerprints_are_hex() {
    let html = "<html><head><title>T</title></head><body><p>1</p><p>2</p><p><b>3</b></p></body></html>";
    let folder = folder_with("crawl.jsonl", line("http://www.a.example/", html));
    let pages = ok(folder.path(), &["fingerprint", "crawl.jsonl"]);
    assert_eq!(
        pages,
        [json!({"url": "http://www.a.example/", "site": "a.example", "fingerprint": "00000003000006070006"})]
    );
    let short = ok(folder.path(), &["fingerprint", "crawl.jsonl", "--length", "4"]);
    assert_eq!(short[0]["fingerprint"], "00000003");
    for (method, digits) in [("fingerprint+", 64), ("md5", 32), ("mdh5", 32)] {
        let pages = ok(folder.path(), &["fingerprint", "crawl.jsonl", "--method", method]);
        assert_eq!(pages[0]["fingerprint"].as_str().map(str::len), Some(digits), "{method}");
    }
    assert!(
        error(folder.path(), &["fingerprint", "crawl.jsonl", "--method", "ctss"])
            .contains("has no fingerprints")
    );
    assert!(error(folder.path(), &["fingerprint", "crawl.jsonl", "--length", "64"]).contains("from 1 to 63"));
    assert!(
        error(folder.path(), &["fingerprint", "crawl.jsonl", "--method", "magic"])
            .contains("there is no method `magic`")
    );
}

#[test]
fn entropies_tell_where_to_cut() {
    let folder = folder_with("crawl.jsonl", crawl(0..20));
    let run = unframe(folder.path(), &["fingerprint", "crawl.jsonl", "--entropy"]);
    let table: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(table.len(), 27, "{}", run.stdout);
    assert_eq!(table.iter().filter(|line| line.ends_with("best")).count(), 1, "{}", run.stdout);
}

#[test]
fn clusters_do_not_depend_on_order_threads_or_cut() {
    let text = crawl(0..12);
    let folder = folder_with("crawl.jsonl", &text);
    let reversed: String = text.split_inclusive('\n').rev().collect();
    fs::write(folder.path().join("reversed.jsonl"), &reversed).unwrap();
    let first = ok(folder.path(), &["cluster", "crawl.jsonl", "--threads", "1"]);
    let urls: Vec<&Value> = first.iter().map(|line| &line["url"]).collect();
    assert_eq!(
        (urls[0], urls[11]),
        (&json!("http://a.example/0"), &json!("http://b.example/11")),
        "in order"
    );
    let names: BTreeSet<&str> = first.iter().map(|line| line["cluster"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| name.len() == 16));
    for more in [&["--threads", "4"][..], &["--split", "auto", "-q"], &["--split", "3"]] {
        let again = ok(folder.path(), &[&["cluster", "reversed.jsonl"], more].concat());
        assert_eq!(clusters(&again), clusters(&first), "{more:?}");
    }
    let piped = run(program(folder.path(), &["cluster", "-"]), text.as_bytes());
    assert_eq!(lines(&piped.stdout), first);
    for method in ["fingerprint+", "mdh5", "ctss", "cp"] {
        let found = ok(folder.path(), &["cluster", "crawl.jsonl", "--method", method, "--threshold", "0.3"]);
        assert_ne!(found[0]["cluster"], found[1]["cluster"], "{method}");
        assert_eq!(found[0]["cluster"], found[2]["cluster"], "{method}");
    }
}

#[test]
fn sites_can_be_kept_apart() {
    let same = page(0, 5);
    let text = line("http://a.example/", &same) + &line("http://b.example/", &same);
    let folder = folder_with("crawl.jsonl", text);
    let together = ok(folder.path(), &["cluster", "crawl.jsonl"]);
    assert_eq!(together[0]["cluster"], together[1]["cluster"]);
    let apart = ok(folder.path(), &["cluster", "crawl.jsonl", "--within-sites"]);
    assert_ne!(apart[0]["cluster"], apart[1]["cluster"]);
}

#[test]
fn new_pages_join_old_clusters() {
    let folder = folder_with("monday.jsonl", crawl(0..6));
    fs::write(folder.path().join("tuesday.jsonl"), crawl(6..9) + &line("http://c.example/", "<p><b><i>new"))
        .unwrap();
    for method in ["fingerprint", "fingerprint+"] {
        let state = format!("{method}.fp");
        let arguments = |day| ["cluster", day, "--method", method, "--state", &state].map(str::to_owned);
        let run = |day| {
            let arguments = arguments(day);
            ok(folder.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let monday = run("monday.jsonl");
        let tuesday = run("tuesday.jsonl");
        assert_eq!(tuesday[0]["cluster"], monday[0]["cluster"], "{method}");
        assert_eq!(tuesday[1]["cluster"], monday[1]["cluster"], "{method}");
        assert!(monday.iter().all(|page| page["cluster"] != tuesday[3]["cluster"]), "{method}");
    }
}

#[test]
fn damaged_and_other_states_are_refused_and_kept() {
    let folder = folder_with("crawl.jsonl", crawl(0..6));
    ok(folder.path(), &["cluster", "crawl.jsonl", "--state", "good.fp"]);
    let good = fs::read(folder.path().join("good.fp")).unwrap();
    let mut damaged = good.clone();
    damaged[30] ^= 1;
    let mut future = good.clone();
    future[8] = 77;
    for (name, bytes, message) in [
        ("damaged.fp", damaged, "the file is damaged"),
        ("future.fp", future, "the file has format 77, and this program reads up to 1"),
        ("short.fp", good[..20].to_vec(), "the file is damaged"),
        ("other.fp", b"something else".to_vec(), "this is not a file of fingerprints"),
    ] {
        fs::write(folder.path().join(name), &bytes).unwrap();
        let stderr = error(folder.path(), &["cluster", "crawl.jsonl", "--state", name]);
        assert!(stderr.contains(message) && stderr.contains(name), "{stderr}");
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), bytes, "nothing is written over it");
    }
    let stderr = error(folder.path(), &["cluster", "crawl.jsonl", "--state", "good.fp", "--method", "md5"]);
    assert!(
        stderr.contains("good.fp was created with fingerprint of length 25, and md5 was requested"),
        "{stderr}"
    );
    let stderr = error(folder.path(), &["classify", "crawl.jsonl", "--index", "good.fp"]);
    assert!(stderr.contains("the file contains clusters, not templates"), "{stderr}");
    let stderr = error(folder.path(), &["cluster", "crawl.jsonl", "--state", "x.fp", "--method", "ctss"]);
    assert!(stderr.contains("has no state"), "{stderr}");
}

#[test]
fn pages_are_sorted_into_folders_that_can_be_learned_from() {
    let folder = folder_with("crawl.jsonl", crawl(0..6));
    let pages = ok(folder.path(), &["cluster", "crawl.jsonl", "--into", "sorted"]);
    let one = pages[0]["cluster"].as_str().unwrap();
    let sorted = folder.path().join("sorted");
    assert_eq!(names_in(&sorted).len(), 3);
    assert_eq!(names_in(&sorted.join(one)), ["00000001.html", "00000003.html", "00000005.html"]);
    assert_eq!(fs::read_to_string(sorted.join(one).join("00000001.html")).unwrap(), page(0, 5));
    assert_eq!(
        lines(&fs::read_to_string(sorted.join("pages.jsonl")).unwrap())[1]["file"].as_str().map(str::len),
        Some(30)
    );
    assert!(
        error(folder.path(), &["cluster", "crawl.jsonl", "--into", "sorted"])
            .contains("sorted is there already")
    );
    let classified = ok(folder.path(), &["classify", "--train", "sorted", "crawl.jsonl"]);
    for (page, template) in pages.iter().zip(&classified) {
        assert_eq!(template, &json!({"url": page["url"], "template": page["cluster"]}));
    }
    assert_eq!(names_in(folder.path()), ["crawl.jsonl", "sorted"], "nothing unfinished is left");
}

#[test]
fn pages_are_classified_by_examples() {
    let folder = folder_with("crawl.jsonl", crawl(20..22) + &line("http://c.example/", "<p>else"));
    let example =
        |kind, template: &str| json!({"html": page(kind, 3), "template": template}).to_string() + "\n";
    fs::write(folder.path().join("shop.jsonl"), example(0, "shop")).unwrap();
    fs::write(folder.path().join("news.jsonl"), "not json\n".to_owned() + &example(1, "news")).unwrap();
    let templates = |lines: &[Value]| lines.iter().map(|line| line["template"].clone()).collect::<Vec<_>>();
    // What is known grows from run to run.
    let first =
        ok(folder.path(), &["classify", "--train", "shop.jsonl", "--state", "known.fp", "crawl.jsonl"]);
    assert_eq!(templates(&first), [json!("shop"), json!(null), json!(null)]);
    let run =
        unframe(folder.path(), &["classify", "--train", "news.jsonl", "--state", "known.fp", "crawl.jsonl"]);
    assert_eq!(run.code, Some(1), "a bad line is remembered");
    assert!(run.stderr.contains("1 bad records among the examples in news.jsonl"), "{}", run.stderr);
    assert_eq!(templates(&lines(&run.stdout)), [json!("shop"), json!("news"), json!(null)]);
    let saved = ok(folder.path(), &["classify", "--index", "known.fp", "crawl.jsonl"]);
    assert_eq!(templates(&saved), [json!("shop"), json!("news"), json!(null)]);
    // Every method knows its own examples again.
    for method in ["fingerprint", "fingerprint+", "rtdm", "lcts", "tv", "cp", "cps", "ctss", "md5", "mdh5"] {
        fs::write(folder.path().join("same.jsonl"), line("http://d.example/", &page(0, 3))).unwrap();
        let arguments = ["classify", "--train", "shop.jsonl", "--method", method, "same.jsonl"];
        assert_eq!(templates(&ok(folder.path(), &arguments)), [json!("shop")], "{method}");
    }
    assert!(error(folder.path(), &["classify", "crawl.jsonl"]).contains("no template is known"));
    assert!(
        error(folder.path(), &["classify", "--train", "crawl.jsonl", "crawl.jsonl"])
            .contains("`html` and `template`")
    );
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert!(
        error(folder.path(), &["classify", "--train", "empty", "crawl.jsonl"])
            .contains("each template needs one")
    );
}

#[test]
fn rubbish_has_fingerprints_too() {
    let folder = tempfile::tempdir().unwrap();
    let rubbish = [
        String::new(),
        "<".repeat(9000),
        "<div ".repeat(3000),
        "\0\u{1}<!--".to_owned(),
        "<p>".repeat(70_000),
    ];
    let text: String = rubbish
        .iter()
        .enumerate()
        .map(|(number, html)| line(&format!("http://a.example/{number}"), html))
        .collect();
    fs::write(folder.path().join("crawl.jsonl"), text).unwrap();
    for method in ["fingerprint", "fingerprint+", "ctss", "rtdm", "mdh5"] {
        assert_eq!(ok(folder.path(), &["cluster", "crawl.jsonl", "--method", method]).len(), 5, "{method}");
    }
}

#[test]
fn structure_is_scored_on_gold() {
    let folder = tempfile::tempdir().unwrap();
    assert!(error(folder.path(), &["eval", "fingerprints", "."]).contains("there is no file SITE"));
    let stderr = error(folder.path(), &["eval", "fingerprints", ".", "--by", "magic"]);
    assert!(stderr.contains("`magic` is not a grouping: choose auto, site or page-type"), "{stderr}");
}
