//! Tests `label`, `clean`, `learn`, `explain` and `volume` on a small crawl.

use std::path::Path;

use serde_json::Value;

use super::{folder_with, names_in, program, run, unframe};

const MENU: &str =
    "<ul id='menu'><li><a href='/'>Home page</a></li><li><a href='/about'>About us</a></li></ul>";

/// The heading of a page.
fn heading(number: usize) -> String {
    let teas = ["Assam", "Sencha", "Darjeeling", "Keemun", "Matcha", "Oolong", "Nilgiri", "Yunnan", "Ceylon"];
    format!("{} from garden {number}", teas[number % teas.len()])
}

/// A crawl of a site of `pages` pages and of another that has one.
fn crawl(pages: usize) -> String {
    let page = |number: usize| {
        let html =
            format!("{MENU}<h1>{}</h1><p>Words {number} of this page only{number}.</p>", heading(number));
        serde_json::json!({"url": format!("http://a.example/{number}"), "html": html}).to_string() + "\n"
    };
    let uncompared = serde_json::json!({"url": "http://b.example/", "html": format!("{MENU}<p>alone")});
    (0..pages).map(page).collect::<String>() + &uncompared.to_string() + "\n"
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let run = unframe(folder, arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

#[test]
fn regions_are_labelled() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    let labels = lines(&ok(folder.path(), &["label", "crawl.jsonl"]));
    assert_eq!(labels.len(), 9);
    let first = &labels[0]["regions"][0];
    assert_eq!((first["start"].as_u64(), first["end"].as_u64()), (Some(0), Some(MENU.len() as u64)));
    assert_eq!((first["pages"].as_u64(), first["template"].as_str().unwrap().len()), (Some(8), 16));
    assert_eq!(labels[0]["volume"]["links"], serde_json::json!({"template": 2, "total": 2}));
    assert_eq!(
        (labels[0]["evidence"].as_str(), labels[8]["evidence"].as_str()),
        (Some("site"), Some("page"))
    );
    assert_eq!(first["kind"].as_str(), Some("repeated"));
    assert!(first["confidence"].as_f64().is_some_and(|confidence| confidence > 0.5), "{first}");
    let alone = &labels[8]["regions"][0];
    assert_eq!((alone["start"].as_u64(), alone["end"].as_u64()), (Some(0), Some(MENU.len() as u64)));
    assert_eq!((alone["kind"].as_str(), alone["pages"].as_u64()), (Some("clutter"), Some(1)));
}

#[test]
fn content_is_what_is_left() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    let run = unframe(folder.path(), &["clean", "crawl.jsonl"]);
    let pages = lines(&run.stdout);
    assert_eq!(pages[3]["text"], "Keemun from garden 3\nWords 3 of this page only3.");
    assert_eq!(pages[8]["text"], "alone");
    assert_eq!((pages[3]["evidence"].as_str(), pages[8]["evidence"].as_str()), (Some("site"), Some("page")));
    assert!(run.stderr.contains("pages of b.example were scored one by one"), "{}", run.stderr);
    let run = unframe(folder.path(), &["clean", "crawl.jsonl", "--method", "dom"]);
    assert!(run.stderr.contains("nothing was removed from the pages of b.example"), "{}", run.stderr);
    let text = ok(folder.path(), &["clean", "crawl.jsonl", "--format", "text", "-q"]);
    assert!(text.starts_with("http://a.example/0\n"), "{text}");
    assert!(text.contains("Assam from garden 0\nWords 0"), "{text}");
}

#[test]
fn templates_can_be_kept_once() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    let pages = lines(&ok(folder.path(), &["clean", "crawl.jsonl", "--keep-once", "-q"]));
    assert!(pages[0]["text"].as_str().unwrap().starts_with("Home page\nAbout us\nAssam"));
    assert!(pages[1]["text"].as_str().unwrap().starts_with("Sencha"));
}

#[test]
fn threads_and_pipes_do_not_matter() {
    let folder = folder_with("crawl.jsonl", crawl(30));
    for method in ["dom", "text"] {
        let one = ok(folder.path(), &["clean", "crawl.jsonl", "--method", method, "--threads", "1", "-q"]);
        for threads in ["2", "8"] {
            let more =
                ok(folder.path(), &["clean", "crawl.jsonl", "--method", method, "--threads", threads, "-q"]);
            assert_eq!(one, more, "{method} with {threads} threads");
        }
        let piped =
            run(program(folder.path(), &["clean", "-", "--method", method, "-q"]), crawl(30).as_bytes());
        assert_eq!(one, piped.stdout);
    }
}

#[test]
fn a_model_labels_pages_never_seen() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    ok(folder.path(), &["learn", "crawl.jsonl", "-o", "site.model", "-q"]);
    let page =
        serde_json::json!({"url": "http://a.example/new", "html": format!("{MENU}<p>fresh")}).to_string();
    std::fs::write(folder.path().join("new.jsonl"), page).unwrap();
    let cleaned = lines(&ok(folder.path(), &["clean", "new.jsonl", "--model", "site.model", "-q"]));
    assert_eq!(cleaned[0]["text"], "fresh");
    assert_eq!(names_in(folder.path()), ["crawl.jsonl", "new.jsonl", "site.model"]);
}

#[test]
fn models_merge_into_what_one_run_would_have_learned() {
    let whole = crawl(20);
    let folder = folder_with("whole.jsonl", &whole);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    std::fs::write(folder.path().join("one.jsonl"), lines[..9].concat()).unwrap();
    std::fs::write(folder.path().join("two.jsonl"), lines[9..].concat()).unwrap();
    for name in ["whole", "one", "two"] {
        ok(folder.path(), &["learn", &format!("{name}.jsonl"), "-o", &format!("{name}.model"), "-q"]);
    }
    ok(folder.path(), &["learn", "--merge", "two.model", "one.model", "-o", "merged.model", "-q"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("merged.model") == read("whole.model"));
    ok(folder.path(), &["learn", "--merge", "--compact", "whole.model", "-o", "small.model", "-q"]);
    assert!(read("small.model").len() < read("whole.model").len() / 2);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder_with("crawl.jsonl", crawl(3));
    std::fs::write(folder.path().join("no.model"), "nothing").unwrap();
    for (arguments, message) in [
        (
            &["clean", "crawl.jsonl", "--method", "magic"][..],
            "there is no method `magic`: choose one of places, dom, text",
        ),
        (
            &["clean", "crawl.jsonl", "--method", "places:window=8"],
            "the method `places` has no parameter `window`",
        ),
        (&["clean", "crawl.jsonl", "--method", "dom:low=many"], "`many` is not a valid value for `low`"),
        (&["clean", "crawl.jsonl", "--model", "no.model"], "this is not a model file"),
        (&["clean", "crawl.jsonl", "--model", "missing.model"], "cannot read the model missing.model"),
    ] {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn volume_is_measured_by_site_and_category() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    std::fs::write(folder.path().join("sites.csv"), "a.example,news;catalog\nb.example,news\n").unwrap();
    let arguments = ["volume", "crawl.jsonl", "--categories", "sites.csv", "--format", "csv", "-q"];
    let csv = ok(folder.path(), &arguments);
    for name in ["a.example", "b.example", "news", "catalog", "(all sites)"] {
        assert!(csv.contains(name), "{csv}");
    }
    let table = ok(folder.path(), &["volume", "crawl.jsonl", "-q"]);
    assert!(table.contains("a.example"), "{table}");
}

#[test]
fn methods_are_scored_on_gold() {
    let folder = tempfile::tempdir().unwrap();
    let run = unframe(folder.path(), &["eval", "."]);
    assert_eq!(run.code, Some(2), "a folder without gold data: {}", run.stderr);
}

#[test]
fn a_page_is_explained() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    let text = ok(folder.path(), &["explain", "crawl.jsonl", "--url", "http://a.example/2"]);
    let expected = format!("http://a.example/2 ({} of ", MENU.len());
    assert!(text.starts_with(&expected), "{text}");
    assert!(text.contains("places: what this page and the comparison of 8 pages show decides"), "{text}");
    assert!(text.contains("| Home page\n| About us\n└ "), "{text}");
    assert!(text.contains(": navigation on 8 of 8 pages, the same text on 8 of those compared, 9"), "{text}");
    assert!(text.contains(", also on http://a.example/0 http://a.example/1"), "{text}");
    assert!(text.contains("  Words 2 of this page only2."), "{text}");
    let text =
        ok(folder.path(), &["explain", "crawl.jsonl", "--url", "http://a.example/2", "--method", "dom"]);
    assert!(text.contains("a node is template when it occurs 2 to 8 times in 8 compared pages"), "{text}");
    let missing = unframe(folder.path(), &["explain", "crawl.jsonl", "--url", "http://a.example/none"]);
    assert_eq!(missing.code, Some(2));
}

#[test]
fn all_formats_are_written() {
    let folder = folder_with("crawl.jsonl", crawl(8));
    for (format, name) in [
        ("jsonl", "out.jsonl"),
        ("text", "out.txt"),
        ("markdown", "out.md"),
        ("html", "out"),
        ("warc", "out.warc.gz"),
        ("parquet", "out.parquet"),
    ] {
        ok(folder.path(), &["clean", "crawl.jsonl", "--format", format, "-o", name, "-q"]);
        assert!(folder.path().join(name).exists(), "{format}");
    }
    let markdown = std::fs::read_to_string(folder.path().join("out.md")).unwrap();
    assert!(markdown.contains("# Keemun from garden 3\n\nWords 3"), "{markdown}");
    // What was written can be read again.
    let pages = ok(folder.path(), &["pages", "out", "--jsonl"]);
    assert_eq!(pages.lines().count(), 9);
    let to_stdout = unframe(folder.path(), &["clean", "crawl.jsonl", "--format", "html"]);
    assert_eq!(to_stdout.code, Some(2));
    assert!(to_stdout.stderr.contains("name a file with -o"), "{}", to_stdout.stderr);
}

#[test]
fn pages_say_who_wrote_them_and_when() {
    let page = "<html lang=en><title>Hot tea | Teas</title><link rel=canonical href=/tea><h1>Hot tea</h1>\
        <p class=byline>By Ann Lee</p><time datetime=2024-05-03T10:00:00Z>May 3</time><p>Tea is hot.";
    let crawl = format!("{}\n", serde_json::json!({"url": "http://teas.example/2024/tea?x=1", "html": page}));
    let folder = folder_with("tea.jsonl", crawl);
    let line = &lines(&ok(folder.path(), &["clean", "tea.jsonl", "--metadata", "-q"]))[0];
    let found = ["title", "headline", "author", "published", "canonical", "language"]
        .map(|key| line[key].as_str().unwrap());
    let expected =
        ["Hot tea | Teas", "Hot tea", "Ann Lee", "2024-05-03T10:00:00Z", "http://teas.example/tea", "en"];
    assert_eq!(found, expected);
    for absent in ["modified", "description", "site_name", "page_type", "license"] {
        assert!(line[absent].is_null(), "{absent}");
    }
    assert!(line["page_kind"].is_string(), "{line}");
    assert!(line["page_kind_confidence"].as_f64().is_some_and(|share| share > 0.0 && share <= 1.0), "{line}");
    assert!(lines(&ok(folder.path(), &["clean", "tea.jsonl", "-q"]))[0].get("author").is_none());
}

#[test]
fn chunks_point_at_the_bytes_of_their_page() {
    let page = "<h1>Tea</h1><p>Hot tea.</p><h2>Iced</h2><p>Cold tea. Very cold tea.</p>";
    let folder = folder_with(
        "tea.jsonl",
        format!("{}\n", serde_json::json!({"url": "http://teas.example/", "html": page})),
    );
    let args = ["clean", "tea.jsonl", "--method", "none", "--format", "chunks", "--chunk-tokens", "4", "-q"];
    let chunks = lines(&ok(folder.path(), &args));
    let texts: Vec<&str> = chunks.iter().map(|chunk| chunk["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Hot tea.", "Cold tea.", "Very cold tea."]);
    assert_eq!(chunks[2]["headings"], serde_json::json!(["Tea", "Iced"]));
    let at = |key: &str| chunks[2][key].as_u64().unwrap() as usize;
    assert_eq!((&page[at("start")..at("end")], at("chunk"), at("tokens")), ("Very cold tea.", 2, 4));
}
