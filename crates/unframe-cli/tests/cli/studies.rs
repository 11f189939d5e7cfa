//! Pictures, templates over time, links and savings.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{folder_with, names_in, unframe};

const MENU: &str =
    "<ul id='menu'><li><a href='/'>Home page</a></li><li><a href='/about'>About us</a></li></ul>";

fn line(url: &str, html: &str, date: &str) -> String {
    serde_json::json!({"url": url, "html": html, "date": date}).to_string() + "\n"
}

fn page(site: &str, number: usize) -> String {
    let next = (number * 7 + 1) % 10;
    let html = format!(
        "{MENU}<h1>Page {number}</h1><p>Words {number} of this page only{number}. <a href='/{next}'>See page {next}</a></p>"
    );
    line(&format!("http://{site}/{number}"), &html, "2020-01-01")
}

/// Two sites of ten pages each.
fn crawl() -> String {
    ["a.example", "b.example"].iter().flat_map(|site| (0..10).map(|number| page(site, number))).collect()
}

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let run = unframe(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.stdout
}

#[test]
fn a_site_is_drawn_in_three_formats() {
    let folder = folder_with("crawl.jsonl", crawl());
    let svg = ok(folder.path(), &["draw", "crawl.jsonl", "--site", "a.example", "-q"]);
    assert!(svg.starts_with("<svg ") && svg.contains(">a.example</text>"), "{svg}");
    assert_eq!(svg.matches("<g><title>http://a.example/").count(), 10);
    for name in ["a.png", "a.html", "a.svg"] {
        ok(folder.path(), &["draw", "crawl.jsonl", "--site", "a.example", "-o", name, "-q"]);
    }
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.png").starts_with(b"\x89PNG"));
    assert!(read("a.html").starts_with(b"<!doctype html>"));
    assert_eq!(read("a.svg"), svg.as_bytes());
    for threads in ["1", "5"] {
        let again =
            ["draw", "crawl.jsonl", "--site", "a.example", "-o", "b.html", "-q", "--threads", threads];
        ok(folder.path(), &again);
        assert!(read("a.html") == read("b.html"), "{threads} threads");
    }
}

#[test]
fn all_sites_are_drawn_with_an_index() {
    let folder = folder_with("crawl.jsonl", crawl());
    ok(folder.path(), &["draw", "crawl.jsonl", "--all", "-o", "out", "-q"]);
    assert_eq!(names_in(&folder.path().join("out")), ["a.example.html", "b.example.html", "index.html"]);
    ok(folder.path(), &["draw", "crawl.jsonl", "--all", "--format", "svg", "-o", "svg", "-q"]);
    let index = fs::read_to_string(folder.path().join("svg/index.html")).unwrap();
    assert!(index.contains("href=\"./b.example.svg\""), "{index}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = folder_with("crawl.jsonl", crawl());
    // A site is a host without www.
    ok(folder.path(), &["draw", "crawl.jsonl", "--site", "www.a.example", "-o", "www.svg", "-q"]);
    for (arguments, message) in [
        (
            &["draw", "crawl.jsonl"][..],
            "the input has 2 sites: choose one with --site (a.example, b.example)",
        ),
        (
            &["draw", "crawl.jsonl", "--site", "c.example"],
            "there is no site `c.example` in the input: choose one of a.example",
        ),
        (
            &["draw", "crawl.jsonl", "--site", "a.example", "-o", "a.gif"],
            "let the name end in .svg, .png, .html or .jsonl",
        ),
        (&["draw", "crawl.jsonl", "--all"], "--output"),
    ] {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

/// Six pages, each with three versions: the menu changes in 2011, the content of the first page in 2012.
fn versions() -> String {
    let mut lines = String::new();
    for (year, menu) in [(2010, "Old menu"), (2011, "New menu"), (2012, "New menu")] {
        for number in 0..6 {
            let news = if number == 0 && year == 2012 { "fresh" } else { "first" };
            let html =
                format!("<ul><li>{menu} of this site</ul><p>Words {number} of this page only{number} {news}");
            let scheme = if year < 2012 { "http://www." } else { "https://" };
            lines.push_str(&line(&format!("{scheme}a.example/{number}"), &html, &format!("{year}-05-06")));
        }
    }
    lines
}

#[test]
fn changes_of_content_are_distinguished_from_changes_of_templates() {
    let folder = folder_with("crawl.jsonl", versions());
    let changes = ok(folder.path(), &["evolve", "crawl.jsonl", "--changes", "-q"]);
    let changes: Vec<Value> = changes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let content: Vec<&Value> = changes.iter().filter(|change| change["changed"] == "content").collect();
    assert_eq!((changes.len(), content.len()), (7, 1), "{changes:?}");
    assert_eq!(content[0]["url"], "https://a.example/0");
    assert_eq!(
        (&content[0]["from"], &content[0]["to"]),
        (&"2011-05-06T00:00:00Z".into(), &"2012-05-06T00:00:00Z".into())
    );
    // Of Words, 0, of, this, page, only0, first one of seven.
    assert!((content[0]["content"].as_f64().unwrap() - 1.0 / 7.0).abs() < 1e-9);
    assert!(changes.iter().filter(|change| change["changed"] == "template").count() == 6);
}

#[test]
fn rates_of_change_are_those_of_pages() {
    let folder = folder_with("crawl.jsonl", versions());
    let rates = ok(folder.path(), &["evolve", "crawl.jsonl", "--changes", "--rates", "-q"]);
    let rates: Vec<Value> = rates.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rates.len(), 6);
    assert_eq!((&rates[0]["url"], &rates[0]["visits"]), (&"https://a.example/0".into(), &3.into()));
    assert_eq!(
        (&rates[0]["first"], &rates[0]["last"]),
        (&"2010-05-06T00:00:00Z".into(), &"2012-05-06T00:00:00Z".into())
    );
    // One of two intervals with a change; they have 365.5 days on average.
    let once = (2.5f64 / 1.5).ln() / 365.5;
    let per_day = |page: usize, what: &str| rates[page][what]["per_day"].as_f64().unwrap();
    assert!((per_day(0, "content") - once).abs() < 1e-12 && (per_day(0, "template") - once).abs() < 1e-12);
    assert_eq!((per_day(1, "content"), &rates[1]["whole"]["changes"]), (0.0, &1.into()));
    let refused = unframe(folder.path(), &["evolve", "crawl.jsonl", "--rates", "-o", "out"]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn a_report_is_a_folder_of_tables_and_plots() {
    let folder = folder_with("crawl.jsonl", versions());
    ok(folder.path(), &["evolve", "crawl.jsonl", "-o", "out", "-q"]);
    let names = names_in(&folder.path().join("out"));
    assert_eq!(names.len(), 15, "{names:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert!(
        read("snapshots.csv").lines().nth(1).unwrap().starts_with("a.example,2010,2010.342,6,0.000000,0.")
    );
    assert_eq!(read("durations.csv").lines().count(), 1, "no value lies between two others");
    assert_eq!(read("changes.csv").lines().count(), 8);
    assert!(read("trends.csv").contains("(all sites),html,3,"), "{}", read("trends.csv"));
}

#[test]
fn folders_can_be_dates() {
    let folder = tempfile::tempdir().unwrap();
    for year in ["2010", "2011-06"] {
        let inside = folder.path().join("crawls").join(year).join("a.example");
        fs::create_dir_all(&inside).unwrap();
        for number in 0..5 {
            let html = format!(
                "<!doctype html><ul><li>Menu of this site</ul><p>Words {number} of {year} and this page only{number}"
            );
            fs::write(inside.join(format!("{number}.html")), html).unwrap();
        }
    }
    let changes = ok(folder.path(), &["evolve", "crawls", "--changes", "-q"]);
    assert_eq!(changes.lines().count(), 5, "{changes}");
    assert!(changes.lines().all(|line| line.contains("\"changed\":\"content\"")), "{changes}");
    assert!(changes.starts_with("{\"url\":\"http://a.example/0.html\""), "{changes}");
}

#[test]
fn pages_without_dates_are_no_history() {
    let html = serde_json::json!({"url": "http://a.example/", "html": "<p>words"}).to_string();
    let folder = folder_with("crawl.jsonl", html);
    let run = unframe(folder.path(), &["evolve", "crawl.jsonl", "-o", "out"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no page has a date"), "{}", run.stderr);
    let run = unframe(folder.path(), &["evolve", "crawl.jsonl", "-o", "out", "--bucket", "week"]);
    assert!(run.stderr.contains("choose year, quarter, month, day or input, or list dates"), "{}", run.stderr);
}

/// Two crawls of six pages: a word of the footer changes, and the content of the first page.
fn crawls_of_a_week() -> [Vec<(String, String)>; 2] {
    [("Monday", "hot"), ("Tuesday", "cold")].map(|(footer, tea)| {
        let page = |number: usize| {
            let tea = if number == 0 { tea } else { "green" };
            let html = format!(
                "<!doctype html><p>Words {number} of page{number} only, with {tea} tea<div>Made on {footer} by all of us</div>"
            );
            (format!("{number}.html"), html)
        };
        (0..6).map(page).collect()
    })
}

#[track_caller]
fn check_changes_of_a_week(changes: &str, from: &str, to: &str) {
    let changes: Vec<Value> = changes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let what: Vec<&str> = changes.iter().filter_map(|change| change["changed"].as_str()).collect();
    assert_eq!(what, ["both", "template", "template", "template", "template", "template"]);
    assert!(changes.iter().all(|change| change["from"] == from && change["to"] == to), "{changes:?}");
}

#[test]
fn crawls_of_one_year_have_templates_of_their_own() {
    let [monday, friday] = crawls_of_a_week();
    let folder = tempfile::tempdir().unwrap();
    for (name, date, pages) in [("a.jsonl", "2024-03-04", monday), ("b.jsonl", "2024-03-08", friday)] {
        let lines = pages.iter().map(|(page, html)| line(&format!("http://a.example/{page}"), html, date));
        fs::write(folder.path().join(name), lines.collect::<String>()).unwrap();
    }
    let run = unframe(folder.path(), &["evolve", "a.jsonl", "b.jsonl", "--changes"]);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    check_changes_of_a_week(&run.stdout, "2024-03-04T00:00:00Z", "2024-03-08T00:00:00Z");
    let run = unframe(folder.path(), &["evolve", "a.jsonl", "b.jsonl", "--changes", "--bucket", "year"]);
    assert!(
        run.stderr.starts_with("unframe: 6 pages have several versions in one snapshot (year), "),
        "{}",
        run.stderr
    );
}

#[test]
fn without_dates_each_input_is_a_crawl() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pages) in ["monday", "tuesday"].into_iter().zip(crawls_of_a_week()) {
        fs::create_dir(folder.path().join(name)).unwrap();
        for (page, html) in pages {
            fs::write(folder.path().join(name).join(page), html).unwrap();
        }
    }
    let changes = ok(folder.path(), &["evolve", "monday/", "tuesday/", "--changes"]);
    check_changes_of_a_week(&changes, "monday/", "tuesday/");
    for (arguments, message) in [
        (&["monday", "--changes"][..], "name each crawl as an input"),
        (&["monday", "tuesday", "--changes", "--rates"], "rates are changes a day"),
        (&["monday", "tuesday", "--changes", "--bucket", "year"], "--bucket year is not possible"),
    ] {
        let run = unframe(folder.path(), &[&["evolve"], arguments].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn links_are_marked_and_pages_ranked_twice() {
    let folder = folder_with("crawl.jsonl", crawl());
    let text = ok(folder.path(), &["volume", "crawl.jsonl", "--links", "links", "-q"]);
    assert!(text.contains("pages that gain without template links"), "{text}");
    let links = fs::read_to_string(folder.path().join("links/links.csv")).unwrap();
    assert!(
        links.starts_with("from,to,in,template\nhttp://a.example/0,http://a.example/,template,"),
        "{links}"
    );
    assert!(links.contains("http://a.example/0,http://a.example/1,content,\n"), "{links}");
    let ranks = fs::read_to_string(folder.path().join("links/pagerank.csv")).unwrap();
    assert_eq!(ranks.lines().count(), 21);
}

#[test]
fn savings_are_measured() {
    let folder = folder_with("crawl.jsonl", crawl());
    let csv = ok(folder.path(), &["volume", "crawl.jsonl", "--savings", "--format", "csv", "-q"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("site,pages,plain,gzip,zstd,zstd dictionary,reference,reference zstd"));
    let all: Vec<u64> = lines.last().unwrap().split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(all[0], 20);
    // The menu is most of these pages: with a dictionary, or stored once, it is nearly gone.
    let [plain, zstd, dictionary, reference] = [all[1], all[3], all[4], all[5]];
    assert!(dictionary < zstd && reference < plain * 6 / 10, "{csv}");
    let table = ok(folder.path(), &["volume", "crawl.jsonl", "--savings", "-q"]);
    assert!(
        table.contains("templates in a cache") && !table.contains("could not be put together"),
        "{table}"
    );
    let run = unframe(
        folder.path(),
        &["volume", "crawl.jsonl", "--savings", "--method", "dom", "--method", "text"],
    );
    assert!(run.stderr.contains("take one method, not 2"), "{}", run.stderr);
}
