//! Tests the options of `clean`, and that options without effect are refused.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::{folder_with, unframe};

/// Twelve pages with a menu, a text and comments of their own, and a footer in which a day changes.
fn crawl() -> String {
    let page = |number: usize| {
        let html = format!(
            "<title>Tea {number}</title><ul id=menu><li><a href=/>Home page</a></li><li><a href=/a>About us</a></li></ul>\
             <article><h1>Tea number{number}</h1><p>Leaves{number} of this tea were picked{number} by hand, and dried{number} in \
             the sun for a day or two before they came here.</p></article>\
             <div id=comments><h3>Comments</h3><div class=comment>Reader{number} liked it{number} a lot</div></div>\
             <footer>Printed on day{number} by the tea shop</footer>"
        );
        serde_json::json!({"url": format!("http://a.example/{number}"), "html": html}).to_string() + "\n"
    };
    (0..12).map(page).collect()
}

fn words(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let run = unframe(folder, &[&["clean", "crawl.jsonl", "-q"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let texts = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let texts: Vec<String> = texts.map(|page| page["text"].as_str().unwrap().to_owned()).collect();
    texts.join(" ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn nothing_is_lost_with_keep_once() {
    let folder = folder_with("crawl.jsonl", crawl());
    let different = |words: Vec<String>| words.into_iter().collect::<BTreeSet<_>>();
    let once = words(folder.path(), &["--keep-once"]);
    assert_eq!(once.iter().filter(|word| *word == "About").count(), 1, "{once:?}");
    assert_eq!(different(once), different(words(folder.path(), &["--method", "none"])));
}

#[test]
fn clutter_is_all_that_can_be_kept_by_its_sort() {
    let folder = folder_with("crawl.jsonl", crawl());
    let clutter = words(folder.path(), &["--keep", "clutter"]).len();
    for sort in ["comments", "footer", "byline", "navigation"] {
        let kept = words(folder.path(), &["--keep", sort]).len();
        assert!(kept <= clutter, "{sort}: {kept} words, {clutter} of all clutter");
    }
}

#[test]
fn options_without_effect_are_refused() {
    let folder = folder_with("crawl.jsonl", crawl());
    for (arguments, message) in [
        (
            &["--body", "html", "--format", "text"][..],
            "--body needs --format warc, jsonl, parquet, arrow or bulk, and the format is text",
        ),
        (
            &["--links", "text"],
            "--links needs --format markdown or simple-html, or --body markdown or simple-html, and the format is jsonl",
        ),
        (
            &["--images", "drop", "--format", "warc", "--body", "html"],
            "--images needs --format markdown or simple-html, or --body markdown or simple-html, and the format is warc",
        ),
        (
            &["--links", "drop", "--format", "markdown"],
            "`drop` is not a choice for links: choose keep or text",
        ),
        (&["--images", "no", "--format", "markdown"], "choose keep, alt or drop"),
        (&["--format", "simple-html"], "HTML is written into a folder"),
        (
            &["--chunk-tokens", "9"],
            "--chunk-tokens needs --format chunks, or --body chunks, and the format is jsonl",
        ),
        (&["--format", "chunks", "--chunk-tokens", "0"], "invalid value '0'"),
        (&["--bulk-index", "teas"], "--bulk-index needs --format bulk, and the format is jsonl"),
        (
            &["--metadata", "--format", "text"],
            "--metadata needs --format jsonl, parquet, arrow, chunks or bulk, and the format is text",
        ),
        (&["--keep", "comments", "--method", "dom"], "--keep needs the method `places`: `dom` only removes"),
        (&["--keep", "clutter", "--method", "none"], "--keep has no effect with --method none"),
        (&["--fast"], "--fast is an option of the method `text`, and the method is `places`"),
        (
            &["--recall", "--method", "dom"],
            "--recall is an option of the method `places`, and the method is `dom`",
        ),
        (&["--method", "magic"], "shingle, sst, or none"),
        (&["--threads", "99999"], "a number from 0 (all cores) to 1024 is needed"),
    ] {
        let run = unframe(folder.path(), &[&["clean", "crawl.jsonl"], arguments].concat());
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    let run = unframe(folder.path(), &["learn", "crawl.jsonl", "--method", "dom", "-o", "dom.model", "-q"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = unframe(folder.path(), &["clean", "crawl.jsonl", "--model", "dom.model", "--keep", "comments"]);
    assert!(run.stderr.contains("--keep needs the method `places`"), "{}", run.stderr);
}

#[test]
fn links_and_images_are_chosen() {
    let html = "<p>see <a href=ice>iced tea</a> <img src=/a.png alt=leaves>";
    let line = serde_json::json!({"url": "http://a.example/teas/1", "html": html});
    let folder = folder_with("a.jsonl", line.to_string());
    let clean = |arguments: &[&str]| {
        let all = [&["clean", "a.jsonl", "-q", "--method", "none"], arguments].concat();
        let run = unframe(folder.path(), &all);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let text = |arguments: &[&str]| {
        let line = clean(arguments);
        serde_json::from_str::<Value>(&line).unwrap()["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        clean(&["--format", "markdown"]),
        "<!-- http://a.example/teas/1 -->\n\n\
         see [iced tea](http://a.example/teas/ice) ![leaves](http://a.example/a.png)\n"
    );
    assert_eq!(text(&["--body", "markdown", "--links", "text", "--images", "alt"]), "see iced tea leaves");
    assert_eq!(
        text(&["--body", "simple-html", "--images", "drop"]),
        "<p>see <a href=\"http://a.example/teas/ice\">iced tea</a></p>"
    );
    assert_eq!(text(&["--body", "html"]), html);
    assert_eq!(text(&["--body", "text"]), text(&[]));
    let warc = clean(&["--format", "warc", "--body", "simple-html", "--links", "text", "--images", "drop"]);
    assert!(warc.contains("Content-Type: text/html; charset=UTF-8\r\n"), "{warc}");
    assert!(warc.contains("\r\n\r\n<p>see iced tea</p>\r\n"), "{warc}");
    clean(&["--format", "simple-html", "--links", "text", "--images", "drop", "-o", "out"]);
    let site = std::fs::read_dir(folder.path().join("out/pages/a.example")).unwrap();
    let files: Vec<String> =
        site.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert_eq!(files.len(), 1);
    assert!(files[0].ends_with("\n<p>see iced tea</p>\n"), "{}", files[0]);
}

#[test]
fn the_name_of_the_output_says_its_format() {
    let folder = folder_with("crawl.jsonl", crawl());
    let clean =
        |arguments: &[&str]| unframe(folder.path(), &[&["clean", "crawl.jsonl", "-q"], arguments].concat());
    let begins = |name: &str, with: &[u8]| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(with), "{name} begins with {:?}", &bytes[..8.min(bytes.len())]);
        bytes
    };
    for name in ["a.parquet", "a.md", "a.warc", "a.warc.gz", "a.jsonl.gz", "a.txt.gz", "a.out"] {
        let run = clean(&["-o", name]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    }
    begins("a.parquet", b"PAR1");
    begins("a.md", b"<!-- http://a.example/0 -->");
    begins("a.warc", b"WARC/1.");
    begins("a.warc.gz", b"\x1f\x8b");
    begins("a.out", b"{\"url\":");
    let packed = begins("a.jsonl.gz", b"\x1f\x8b");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, clean(&[]).stdout);
    for (arguments, message) in [
        (&["-o", "b.html"][..], "HTML is written into a folder, one file per page"),
        (&["-o", "b.parquet", "--format", "jsonl"], "b.parquet ends like a file of the format parquet"),
        (&["-o", "b.parquet.gz"], "Parquet files are compressed inside"),
        (&["-o", "b.jsonl.zst"], "let the name end in .gz"),
        (&["-o", "none/b.jsonl"], "cannot write to none/b.jsonl: there is no folder none\n"),
        (&["-o", "none/b", "--format", "html"], "cannot write to none/b: there is no folder none\n"),
    ] {
        let run = clean(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    // Chunks are lines of JSON.
    assert_eq!(clean(&["-o", "c.jsonl", "--format", "chunks"]).code, Some(0));
}

#[test]
fn chunks_are_lines_rows_and_documents() {
    let folder = folder_with("crawl.jsonl", crawl());
    let clean =
        |arguments: &[&str]| unframe(folder.path(), &[&["clean", "crawl.jsonl", "-q"], arguments].concat());
    let lines = clean(&["--format", "chunks", "--chunk-tokens", "4"]).stdout;
    assert!(
        lines.starts_with(r#"{"url":"http://a.example/0","site":"a.example","#)
            && lines.contains(r#""chunk":1,"#),
        "{lines}"
    );
    assert_eq!(clean(&["--body", "chunks", "--chunk-tokens", "4"]).stdout, lines);
    let bulk = clean(&["--format", "bulk", "--body", "chunks", "--chunk-tokens", "4"]).stdout;
    assert_eq!(bulk.lines().skip(1).step_by(2).collect::<Vec<_>>(), lines.lines().collect::<Vec<_>>());
    assert!(bulk.starts_with(r#"{"index":{"_id":"http://a.example/0#0"}}"#), "{bulk}");
    assert_eq!(clean(&["--body", "chunks", "-o", "c.parquet"]).code, Some(0));
    let with_metadata = clean(&["--format", "chunks", "--metadata"]).stdout;
    assert!(with_metadata.lines().all(|line| line.contains(r#""author":null"#)), "{with_metadata}");
    for (arguments, message) in [
        (&["--chunk-tokens", "4"][..], "--chunk-tokens needs --format chunks, or --body chunks"),
        (
            &["--format", "warc", "--body", "chunks"],
            "--body chunks needs --format jsonl, parquet, arrow or bulk",
        ),
        (&["--format", "text", "--body", "chunks"], "--body needs --format"),
    ] {
        let run = clean(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_compact_model_is_named_when_it_cannot_be_merged() {
    let folder = folder_with("crawl.jsonl", crawl());
    for (name, more) in [("whole.model", &[][..]), ("small.model", &["--compact"])] {
        let run = unframe(folder.path(), &[&["learn", "crawl.jsonl", "-o", name, "-q"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    for models in [["whole.model", "small.model"], ["small.model", "whole.model"]] {
        let run = unframe(folder.path(), &[&["learn", "--merge", "-o", "all.model"], &models[..]].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("small.model was saved with --compact"), "{}", run.stderr);
    }
}

#[test]
fn a_missing_folder_is_named() {
    let folder = folder_with("crawl.jsonl", crawl());
    let run = unframe(folder.path(), &["pages", "crawl.jsonl", "-o", "none/a.jsonl"]);
    let expected = "unframe: cannot write to none/a.jsonl: there is no folder none\n";
    assert_eq!((run.stderr.as_str(), run.code), (expected, Some(2)));
}
