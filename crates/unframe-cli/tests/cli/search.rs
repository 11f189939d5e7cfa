//! Tests `index`, `search` and the evaluation of queries.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::{folder_with, program, unframe};

/// A site of pages with a menu, numbered from `first` on.
fn crawl(first: usize, pages: usize) -> String {
    let page = |number: usize| {
        let html = format!(
            "<title>Page {number}</title><div class=menu>Home Contact Imprint</div><p>The story{number} of green tea, and \
             of other{number} things{number} again{number} but word{number}</p>"
        );
        json!({"url": format!("http://a.example/{number}"), "html": html}).to_string() + "\n"
    };
    (first..first + pages).map(page).collect()
}

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let run = unframe(folder, arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

fn search(folder: &Path, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = ["search", "i", "--json"].iter().chain(arguments).copied().collect();
    serde_json::from_str(&ok(folder, &arguments)).unwrap()
}

#[test]
fn a_site_may_be_named_with_www() {
    let folder = folder_with("crawl.jsonl", crawl(0, 3));
    ok(folder.path(), &["index", "crawl.jsonl", "-o", "i", "-q"]);
    assert_eq!(search(folder.path(), &["tea", "--site", "www.a.example"])["total"], 3);
    assert_eq!(search(folder.path(), &["url:\"http://a.example/1\""])["total"], 1);
    assert_eq!(search(folder.path(), &["--", "-story1 tea"])["total"], 2);
}

#[test]
fn queries_of_the_user_are_scored_by_their_judgements() {
    // All pages have tea in their menu, and two of them in their content. The other content is longer.
    let menu = "<div id=menu>Green tea shop, all kinds of green tea for you</div>";
    let mut crawl = String::new();
    for number in 0..12 {
        let content = match number {
            0 | 1 => format!("Green tea is good number{number}"),
            _ => format!("Coffee{number} and milk{number}"),
        };
        let html = format!("{menu}<p>{content}</p>");
        let line = serde_json::json!({"url": format!("http://a.example/{number}"), "html": html});
        crawl.push_str(&format!("{line}\n"));
    }
    let folder = folder_with("crawl.jsonl", crawl);
    fs::write(folder.path().join("topics.txt"), "<top><num>7</num><title>green tea</title></top>").unwrap();
    let qrels = "7 0 http://a.example/0 1\n7 0 http://a.example/1 2\n7 0 http://a.example/2 0\n";
    fs::write(folder.path().join("qrels.txt"), qrels).unwrap();
    let arguments = [
        "eval",
        "search",
        "crawl.jsonl",
        "--queries",
        "topics.txt",
        "--qrels",
        "qrels.txt",
        "--method",
        "dom",
    ];
    let report = ok(folder.path(), &arguments);
    let rows: Vec<Vec<&str>> = report.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |ranking: &str, method: &str| {
        rows.iter().find(|row| row.len() > 9 && row[0] == ranking && row[1] == method).unwrap().clone()
    };
    // Without the menu, the first two results are the relevant pages and there is no third.
    assert_eq!(row("bm25", "dom")[2..], ["1", "2.00", "1.000", "0.400", "0.200", "1.0000", "1.0000", "0.00"]);
    assert!(
        row("bm25", "none")[9].parse::<f64>().unwrap() >= 7.0,
        "pages with a menu that nobody judged: {report}"
    );
    assert!(report.lines().last().unwrap().ends_with('2'), "{report}");
    let missing = unframe(folder.path(), &["eval", "search", "crawl.jsonl", "--queries", "topics.txt"]);
    assert_eq!(missing.code, Some(2));
}

#[test]
fn templates_are_not_found() {
    let folder = folder_with("crawl.jsonl", crawl(0, 8));
    let run = unframe(folder.path(), &["index", "crawl.jsonl", "-o", "i"]);
    assert!(run.stderr.contains("8 pages added or replaced, 0 corrected, 0 deleted"), "{}", run.stderr);
    assert_eq!(search(folder.path(), &["contact"])["total"], 0);
    assert_eq!(search(folder.path(), &["contact", "--in-templates"])["total"], 8);
    let found = search(folder.path(), &["story3", "--rank", "pivoted"]);
    assert_eq!(found["total"], 1);
    let hit = &found["hits"][0];
    assert_eq!((hit["url"].as_str(), hit["title"].as_str()), (Some("http://a.example/3"), Some("Page 3")));
    assert_eq!(hit["snippet"], "The story3 of green tea, and of other3 things3 again3 but word3");
    assert_eq!(hit["highlights"], json!([[4, 10]]));
    let page = ok(folder.path(), &["search", "i", "\"green tea\" -story1", "--limit", "3", "--page", "3"]);
    assert!(page.starts_with("7 pages\n\n7. Page "), "{page}");
    assert!(page.contains("of [green] [tea], and"), "{page}");
}

#[test]
fn pages_are_added_replaced_and_deleted() {
    let folder = folder_with("first.jsonl", crawl(0, 1));
    std::fs::write(folder.path().join("more.jsonl"), crawl(1, 7)).unwrap();
    std::fs::write(
        folder.path().join("new.jsonl"),
        "{\"url\":\"http://a.example/1\",\"html\":\"<p>brandnew\"}\n",
    )
    .unwrap();
    ok(folder.path(), &["index", "first.jsonl", "-o", "i"]);
    assert_eq!(
        search(folder.path(), &["contact"])["total"],
        1,
        "a single page cannot be compared with anything"
    );
    let run = unframe(folder.path(), &["index", "more.jsonl", "-o", "i"]);
    assert!(run.stderr.contains("7 pages added or replaced, 1 corrected"), "{}", run.stderr);
    assert_eq!(search(folder.path(), &["contact"])["total"], 0);
    ok(folder.path(), &["index", "new.jsonl", "-o", "i", "--delete", "http://a.example/2"]);
    assert_eq!(search(folder.path(), &["brandnew"])["total"], 1);
    assert_eq!(search(folder.path(), &["story1 story2"])["total"], 0);
    assert_eq!(search(folder.path(), &["*"])["total"], 7);
    ok(
        folder.path(),
        &["index", "-o", "i", "--delete", "http://a.example/3", "--delete", "http://a.example/99"],
    );
    assert_eq!(search(folder.path(), &["*"])["total"], 6);
}

#[test]
fn other_methods_label_before() {
    let folder = folder_with("crawl.jsonl", crawl(0, 12));
    for method in ["dom", "shingle", "sst", "places", "segments"] {
        ok(folder.path(), &["index", "crawl.jsonl", "-o", method, "--method", method, "-q"]);
        let found = ok(folder.path(), &["search", method, "contact", "--json"]);
        assert!(found.starts_with("{\"query\":\"contact\",\"total\":0,"), "{method}: {found}");
        let found = ok(folder.path(), &["search", method, "story5", "--json"]);
        assert!(found.contains("\"total\":1,"), "{method}: {found}");
    }
    ok(folder.path(), &["index", "crawl.jsonl", "-o", "all", "--method", "none", "-q"]);
    assert!(ok(folder.path(), &["search", "all", "contact", "--json"]).contains("\"total\":12,"));
}

#[test]
fn pages_are_only_added_with_the_same_method_and_parameters() {
    let folder = folder_with("crawl.jsonl", crawl(0, 12));
    let index = |arguments: &[&str]| {
        unframe(folder.path(), &[&["index", "crawl.jsonl", "-o", "i", "-q"], arguments].concat())
    };
    let by_dom = |low: &str| index(&["--method", &format!("dom:low={low}")]);
    assert_eq!(by_dom("0.1").code, Some(0));
    assert_eq!(by_dom("0.1").code, Some(0));
    let other = by_dom("0.5");
    assert_eq!(other.code, Some(2));
    assert!(other.stderr.contains("the index was built with dom low=0.1 "), "{}", other.stderr);
    assert!(other.stderr.contains(", and not with dom low=0.5 "), "{}", other.stderr);
    // A model says how it was learned.
    for (model, low, code) in [("same.model", "0.1", Some(0)), ("other.model", "0.5", Some(2))] {
        let method = format!("dom:low={low}");
        ok(folder.path(), &["learn", "crawl.jsonl", "--method", &method, "-o", model, "-q"]);
        assert_eq!(index(&["--model", model]).code, code, "{model}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let folder = folder_with("crawl.jsonl", crawl(0, 6));
    let error = |arguments: &[&str], expected: &str| {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    error(&["search", "i", "tea"], "there is no index here; build one with `unframe index INPUT -o i`");
    ok(folder.path(), &["index", "crawl.jsonl", "-o", "i", "-q"]);
    error(&["search", "i", "title:("], "the query cannot be understood");
    error(
        &["search", "i", "tea", "--rank", "best"],
        "`best` is not a ranking function: choose bm25, okapi or pivoted",
    );
    error(&["index", "crawl.jsonl", "-o", "i", "--method", "none"], "the index was built with blocks df=5");
    error(&["index", "crawl.jsonl", "-o", "."], "neither empty nor an index of unframe");
    error(&["index", "crawl.jsonl", "-o", "n", "--method", "magic"], "there is no method `magic`");
}

#[test]
fn an_index_that_is_interrupted_is_the_old_one() {
    let folder = folder_with("old.jsonl", crawl(0, 6));
    std::fs::write(folder.path().join("new.jsonl"), crawl(6, 400)).unwrap();
    ok(folder.path(), &["index", "old.jsonl", "-o", "i", "-q"]);
    for milliseconds in [0, 15, 40, 80, 160] {
        let mut child = program(folder.path(), &["index", "new.jsonl", "-o", "i", "-q"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let total = search(folder.path(), &["*"])["total"].as_u64();
        assert!(matches!(total, Some(6 | 406)), "{total:?} after {milliseconds} ms");
    }
    ok(folder.path(), &["index", "new.jsonl", "-o", "i", "-q"]);
    assert_eq!(search(folder.path(), &["*"])["total"], 406);
}
