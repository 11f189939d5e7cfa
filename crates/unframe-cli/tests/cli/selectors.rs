//! Tests `templates`: selectors that hold, and rules made of them.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scraper::{ElementRef, Html, Selector};
use serde_json::Value;
use unframe::html::{Parser, Span};
use unframe::{Page, Region, TemplateHash, text};
use unframe_crawl::{Event, ReadOptions};

use super::{folder_with, unframe};

/// Pages of a site with a menu, a footer, and a line that shares its element with content.
fn crawl() -> String {
    let page = |number: usize| {
        let own = ["Ash", "Birch", "Cedar", "Date", "Elm", "Fir", "Gum", "Holly"][number % 8];
        let html = format!(
            "<ul id=menu><li>Home page</li><li>About us</li></ul><p>{own} {number} is a tree</p>\
             <p>All trees of the world are described here. {own}{number}</p><footer>Printed on paper</footer>"
        );
        serde_json::json!({"url": format!("http://a.example/{number}"), "html": html}).to_string() + "\n"
    };
    (0..12).map(page).collect()
}

fn report(folder: &Path, arguments: &[&str]) -> Value {
    let run = unframe(folder, &[&["templates", "--format", "json", "-q"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn templates_are_listed_with_their_selectors() {
    let folder = folder_with("crawl.jsonl", crawl());
    let site = &report(folder.path(), &["crawl.jsonl"])["sites"][0];
    assert_eq!((site["site"].as_str(), site["pages"].as_u64()), (Some("a.example"), Some(12)));
    let first = &site["templates"][0];
    assert_eq!(first["text"], "Home page About us");
    assert_eq!((first["pages"].as_u64(), first["occurrences"].as_u64()), (Some(12), Some(12)));
    assert_eq!(first["first"]["url"], "http://a.example/0");
    assert_eq!(first["first"]["regions"][0], serde_json::json!({"start": 0, "end": 52}));
    assert_eq!(first["last"]["url"], "http://a.example/11");
    let selectors = &first["selectors"];
    let expected = serde_json::json!([{"css": "#menu", "xpath": "//*[@id='menu']"}]);
    assert_eq!(
        (selectors, &first["selected"], &first["reason"]),
        (&expected, &Value::from(1.0), &Value::Null)
    );
    let second = &site["templates"][1];
    assert_eq!((&second["text"], &second["sort"]), (&"Printed on paper".into(), &"footer".into()));
    assert_eq!(second["selectors"][0]["css"], "footer");

    let text = &report(folder.path(), &["crawl.jsonl", "--method", "text"])["sites"][0];
    let templates = text["templates"].as_array().unwrap();
    let shared = templates.iter().find(|one| one["text"].as_str().unwrap().contains("All trees")).unwrap();
    assert!(shared["reason"] == "inside of an element with content", "{shared}");
}

#[test]
fn rules_curves_and_shared_templates() {
    let folder = folder_with("crawl.jsonl", crawl() + &crawl().replace("a.example", "b.example"));
    let run = unframe(
        folder.path(),
        &["templates", "crawl.jsonl", "--format", "rules", "--curves", "curves", "-q"],
    );
    let rules: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with('!')).collect();
    assert_eq!(rules, ["a.example###menu", "a.example##footer", "b.example###menu", "b.example##footer"]);
    let ranks = std::fs::read_to_string(folder.path().join("curves/ranks.csv")).unwrap();
    assert!(ranks.starts_with("site,rank,template,occurrences,pages,bytes\na.example,1,"), "{ranks}");
    let coverage = std::fs::read_to_string(folder.path().join("curves/coverage.csv")).unwrap();
    assert!(coverage.contains("\n(average),1,"), "{coverage}");
    let shared = &report(folder.path(), &["crawl.jsonl", "--shared"])["shared"];
    assert_eq!(shared[0]["sites"][1], serde_json::json!({"site": "b.example", "occurrences": 12}));
    let table = unframe(folder.path(), &["templates", "crawl.jsonl", "--shared", "-q"]).stdout;
    assert!(table.starts_with("a.example: 12 pages, ") && table.contains("shared template"), "{table}");
}

#[test]
fn models_and_threads() {
    let folder = folder_with("crawl.jsonl", crawl());
    unframe(folder.path(), &["learn", "crawl.jsonl", "-o", "site.model", "-q"]);
    let one = report(folder.path(), &["crawl.jsonl", "--threads", "1"]);
    assert_eq!(one, report(folder.path(), &["crawl.jsonl", "--threads", "8"]));
    assert_eq!(one, report(folder.path(), &["crawl.jsonl", "--model", "site.model"]));
}

/// Pages of each site that are checked with another parser and another engine of selectors.
const PAGES_CHECKED: usize = 10;

/// On every synthetic site, what the selectors select is template, and all of it where they say so.
#[test]
fn selectors_hold_on_synthetic_sites() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(unframe(folder.path(), &["demo", "crawl", "--pages", "30", "-q"]).code, Some(0));
    for method in ["dom", "text"] {
        let sites = check_sites(&folder.path().join("crawl/demo-1.warc.gz"), method);
        assert_eq!(sites, 7, "sites with selectors, by {method}");
    }
}

/// The same on real sites.
#[test]
#[ignore = "needs real data: set UNFRAME_DATA"]
fn real_data_selectors() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("UNFRAME_DATA").map_or(beside, PathBuf::from);
    for name in ["jmmv", "artcat-zine", "emdashes"] {
        let crawl = data.join("sites").join(format!("{name}.warc.gz"));
        assert!(
            crawl.exists(),
            "there is no {}: set UNFRAME_DATA to the folder of the real data",
            crawl.display()
        );
        for method in ["dom", "text"] {
            assert_eq!(check_sites(&crawl, method), 1, "{name} by {method}");
        }
    }
}

/// Checks the selectors on pages of each site; returns how many sites have elements that are selected.
fn check_sites(crawl: &Path, method: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = crawl.to_str().unwrap();
    let report = report(folder.path(), &[path, "--method", method]);
    let labels = unframe(folder.path(), &["label", path, "--method", method, "-q"]).stdout;
    let regions: HashMap<String, Vec<Region>> = labels.lines().map(page_regions).collect();
    let pages = pages(crawl);
    let sites = report["sites"].as_array().unwrap();
    let is_selected = |site: &&Value| {
        let of_site = pages.iter().filter(|page| site["site"] == page.site.as_str());
        let selected = of_site.take(PAGES_CHECKED).map(|page| match regions.get(&page.url) {
            Some(regions) if !regions.is_empty() => {
                check_page(page, regions, site["templates"].as_array().unwrap())
            }
            _ => 0,
        });
        selected.sum::<usize>() > 0
    };
    sites.iter().filter(is_selected).count()
}

/// Checks the selectors of all templates on a page; returns how many elements they select.
fn check_page(page: &Page, regions: &[Region], templates: &[Value]) -> usize {
    let mut selected = 0;
    let mut parser = Parser::new();
    let source = parser.source(&page.payload, page.charset.encoding);
    let texts = text::of_regions(&source, regions, usize::MAX);
    let template_text = plain(&texts.concat());
    let html = Html::parse_document(&page.charset.encoding.decode(&page.payload).0);
    for template in templates {
        let mut words = HashSet::new();
        for selector in template["selectors"].as_array().unwrap() {
            let css = Selector::parse(selector["css"].as_str().unwrap()).unwrap();
            for element in html.select(&css) {
                let text = visible(element);
                let is_template = text.iter().all(|text| template_text.contains(&plain(text)));
                assert!(is_template, "{}: {selector} selects content: {text:?}", page.url);
                words.extend(text.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned));
                selected += 1;
            }
        }
        if template["reason"].is_null() {
            let hashes = template["hashes"].as_array().unwrap();
            let own = regions
                .iter()
                .zip(&texts)
                .filter(|(region, _)| hashes.contains(&region.template.to_string().into()));
            let missing: Vec<&str> = own
                .flat_map(|(_, text)| text.split_whitespace())
                .filter(|word| !words.iter().any(|has| has.contains(word)))
                .collect();
            assert!(
                missing.is_empty(),
                "{}: {missing:?} are not selected by {}",
                page.url,
                template["selectors"]
            );
        }
    }
    selected
}

fn page_regions(line: &str) -> (String, Vec<Region>) {
    let label: Value = serde_json::from_str(line).unwrap();
    let regions = label["regions"].as_array().unwrap().iter().map(|region| {
        let at = |name: &str| region[name].as_u64().unwrap() as usize;
        let template = u64::from_str_radix(region["template"].as_str().unwrap(), 16).unwrap();
        Region::new(Span::new(at("start"), at("end")), TemplateHash(template), at("pages") as u32)
    });
    (label["url"].as_str().unwrap().to_owned(), regions.collect())
}

fn pages(crawl: &Path) -> Vec<Page> {
    let mut pages = Vec::new();
    let read = unframe_crawl::read(
        &[crawl.to_owned()],
        &ReadOptions::default(),
        || |page: Page| page,
        |event| {
            if let Event::Page(page) = event {
                pages.push(page);
            }
            ControlFlow::Continue(())
        },
    );
    read.unwrap();
    pages
}

/// The texts of an element that a reader sees.
fn visible(element: ElementRef<'_>) -> Vec<String> {
    let hidden = ["script", "style", "noscript", "title", "iframe", "head", "template"];
    let is_hidden = |node: &ElementRef<'_>| hidden.contains(&node.value().name());
    let inside = element.descendants().filter(|node| {
        let around = std::iter::once(*node).chain(node.ancestors());
        !around.filter_map(ElementRef::wrap).any(|around| is_hidden(&around))
    });
    inside.filter_map(|node| node.value().as_text().map(|text| text.to_string())).collect()
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
