//! Scores on gold folders of synthetic sites.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;
use unframe_crawl::WarcWriter;
use unframe_study::gold::GoldFolder;
use unframe_study::report::Score;
use unframe_study::{Method, Options, Report, curve, evaluate};

const PAGES: u64 = 30;

fn write_gzip(path: &Path, text: &str) {
    let mut file = GzEncoder::new(File::create(path).unwrap(), Compression::fast());
    file.write_all(text.as_bytes()).unwrap();
    file.finish().unwrap();
}

/// Writes all synthetic sites, with the gold line that `gold` makes of each page.
fn folder(suffix: &str, gold: impl Fn(&unframe_sample::SamplePage) -> Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for site in unframe_sample::sites(1) {
        let mut lines = String::new();
        let mut warc = WarcWriter::gzip(Vec::new());
        for page in (0..PAGES).map(|number| site.page(number)) {
            let headers = [("Content-Type", page.content_type)];
            warc.response(&page.url, page.date, 200, &headers, &page.html).unwrap();
            lines.push_str(&format!("{}\n", gold(&page)));
        }
        fs::write(folder.path().join(format!("{}.warc.gz", site.name())), warc.into_inner()).unwrap();
        write_gzip(&folder.path().join(format!("{}.{suffix}.jsonl.gz", site.name())), &lines);
    }
    folder
}

fn gold_texts() -> TempDir {
    folder("gold", |page| json!({"url": page.url, "text": page.content, "page_type": "x"}))
}

fn gold_values() -> TempDir {
    folder("values", |page| {
        // Headlines are repeated by the links to them, and marked words inside paragraphs by other pages: both are
        // template to `dom`. The beginning of the longest paragraph is on its page only.
        let longest = page.content.lines().max_by_key(|line| line.len()).unwrap_or_default();
        let beginning: String = longest.chars().take(20).collect();
        json!({"url": page.url, "site": "x", "values": {"text": [beginning], "hidden": ["nowhere on the page"]}})
    })
}

fn run(folder: &TempDir, options: &Options) -> Report {
    evaluate(folder.path(), &Method::parse("all").unwrap(), options).unwrap()
}

/// A report without what depends on the clock.
fn timeless(mut report: Report) -> Report {
    report
        .methods
        .iter_mut()
        .flat_map(|method| &mut method.sites)
        .for_each(|site| site.speed = Default::default());
    report
}

#[test]
fn methods_find_more_content_than_no_method() {
    let report = run(&gold_texts(), &Options::default());
    assert_eq!(report.problems, [""; 0]);
    let f1: Vec<f64> = report.methods.iter().map(|method| method.mean()[2].1).collect();
    assert!(f1[1] > f1[0] && f1[1] > 0.8, "{f1:?}");
    for site in &report.methods[0].sites {
        // Nothing is removed, so all content is there; and there is template as well.
        let Score::Words(score) = site.score else { panic!("words are scored") };
        assert!(score.recall > 0.999 && score.precision < 0.9, "{site:?}");
        assert_eq!((site.pages_learned, site.pages_scored), (PAGES as usize, PAGES as usize));
    }
}

#[test]
fn values_survive_and_templates_do_not() {
    let report = run(&gold_values(), &Options::default());
    let none = report.methods[0].values().unwrap();
    let sites = report.methods[0].sites.len() as u64;
    assert_eq!((none.known, none.visible, none.kept), (2 * sites * PAGES, sites * PAGES, sites * PAGES));
    assert_eq!(none.repeated.template, 0);
    let method = |name| report.methods.iter().find(|method| method.name == name).unwrap().values().unwrap();
    let places = method("places");
    assert!(places.kept_share() > 0.99 && places.repeated.fraction() > 0.5, "{places:?}");
    let dom = method("dom");
    assert!(dom.kept_share() > 0.9 && dom.repeated.fraction() > 0.9, "{dom:?}");
    assert!(report.text().contains("The sites that lost the most values"));
}

#[test]
fn fewer_pages_are_read_or_scored_when_asked_for() {
    let folder = gold_texts();
    let few = run(&folder, &Options { pages_max: 4, ..Options::default() });
    let scored = run(&folder, &Options { scored_max: 4, ..Options::default() });
    let pages =
        |report: &Report| (report.methods[1].sites[0].pages_learned, report.methods[1].sites[0].pages_scored);
    assert_eq!((pages(&few), pages(&scored)), ((4, 4), (PAGES as usize, 4)));
    assert_eq!(few.problems, [""; 0]);
}

#[test]
fn a_curve_goes_from_pages_alone_to_the_whole_site() {
    let folder = gold_texts();
    let methods = Method::parse("dom").unwrap();
    let options = Options::default();
    let found = curve(folder.path(), &methods, &options, &[1, 30]).unwrap();
    let f1 = |report: &Report, method: usize| report.methods[method].mean()[2].1;
    let [(_, alone), (_, whole)] = &found.points[..] else { panic!("two sizes") };
    // One page shows no repetition.
    assert_eq!(f1(alone, 1), f1(alone, 0));
    assert_eq!(f1(whole, 1), f1(&evaluate(folder.path(), &methods, &options).unwrap(), 1));
    assert!(found.table().text().contains("30 pages"));
}

/// Answers every page with its text, tags and all.
const ECHO: &str = r#"#!/usr/bin/env python3
import json, struct, sys
print(json.dumps(["echo 1"]), flush=True)
while header := sys.stdin.buffer.read(4):
    text = sys.stdin.buffer.read(struct.unpack("<I", header)[0]).decode()
    print(json.dumps([[text, 0.5]]), flush=True)
"#;

#[test]
#[cfg(unix)]
fn peers_are_scored_beside_methods() {
    use std::os::unix::fs::PermissionsExt;
    let folder = gold_texts();
    let programs = tempfile::tempdir().unwrap();
    let python = programs.path().join("python");
    fs::write(&python, ECHO).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let peers = Some(python.to_string_lossy().into_owned());
    let report =
        evaluate(folder.path(), &[], &Options { peers, scored_max: 2, ..Options::default() }).unwrap();
    let echo = report.methods.last().unwrap();
    let Score::Words(score) = echo.sites[0].score else { panic!("words are scored") };
    assert!(echo.name == "echo 1" && score.recall > 0.9 && score.precision < 0.9, "{score:?}");
    assert_eq!(
        (echo.speed().pages, echo.speed().seconds),
        (2 * echo.sites.len() as u64, echo.sites.len() as f64)
    );
}

#[test]
fn pages_are_followed_one_by_one() {
    let folder = gold_texts();
    let report = unframe_study::following::study(folder.path(), 1).unwrap();
    assert_eq!(report, unframe_study::following::study(folder.path(), 3).unwrap());
    let cells = |start: &str| -> Vec<f64> {
        let line = report.lines().find(|line| line.starts_with(start)).unwrap_or_default();
        line[start.len()..].split_whitespace().map(|cell| cell.parse().unwrap_or(0.0)).collect()
    };
    // Before their fifth page nothing is known of the sites; after it most of the templates are.
    assert_eq!(cells("1-4")[..2], [0.0, 100.0], "{report}");
    assert!(cells("10-19")[0] > 60.0 && cells("10-19")[1] > 90.0, "{report}");
    assert_eq!(cells("mean of sites").len() % 10, 5, "{report}");
    let crawl = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let crawl = crawl.filter(|path| path.to_string_lossy().ends_with(".warc.gz")).min().unwrap();
    let redesign = unframe_study::following::redesign(&crawl, &Default::default()).unwrap();
    assert!(redesign.lines().count() > 3, "{redesign}");
}

#[test]
fn threads_change_nothing() {
    let folder = gold_texts();
    let one = timeless(run(&folder, &Options { threads: 1, ..Options::default() }));
    let many = timeless(run(&folder, &Options { threads: 8, ..Options::default() }));
    assert_eq!(one, many);
    assert_eq!(one.csv(), many.csv());
    assert_eq!(one.json(), many.json());
}

#[test]
fn csv_has_a_row_for_each_method_and_site() {
    let report = run(&gold_texts(), &Options { pages_max: 3, ..Options::default() });
    let csv = report.csv();
    let headings =
        "method,site,pages_learned,pages_scored,precision,recall,f1,pages_per_second,megabytes_per_second";
    assert_eq!(csv.lines().next(), Some(headings));
    let sites = report.methods[0].sites.len();
    assert_eq!(csv.lines().count(), 1 + report.methods.len() * (sites + 1));
    assert!(csv.contains("none,(mean of sites),"), "{csv}");
    let json = report.json();
    assert_eq!(json["methods"][1]["sites"].as_array().map(Vec::len), Some(sites));
    assert_eq!(json["methods"][0]["speed"], Value::Null);
}

#[test]
fn errors_name_the_file_and_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let error = |expected: &str| {
        let message = evaluate(folder.path(), &[], &Options::default()).err().map(|error| error.to_string());
        let message = message.unwrap_or_default();
        assert!(message.contains(expected), "`{message}` lacks `{expected}`");
    };
    error("there is no file SITE.gold.jsonl.gz");
    write_gzip(&folder.path().join("a.gold.jsonl.gz"), "{\"url\":\"u\",\"text\":\"t\"}\n\n");
    error("a.warc.gz");
    fs::write(folder.path().join("a.warc.gz"), "").unwrap();
    write_gzip(&folder.path().join("a.gold.jsonl.gz"), "{\"url\":\"u\",\"text\":\"t\"}\n{\"url\":\"u\"}\n");
    error("a.gold.jsonl.gz, line 2: missing field `text`");
    fs::write(folder.path().join("a.gold.jsonl.gz"), "no gzip").unwrap();
    error("a.gold.jsonl.gz: ");
    write_gzip(&folder.path().join("b.values.jsonl.gz"), "");
    error("gold texts and gold values cannot be scored together");
    let missing = GoldFolder::open(&folder.path().join("none")).err().map(|error| error.to_string());
    assert!(missing.unwrap_or_default().contains("none: "));
}

#[test]
fn gold_without_a_page_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.warc.gz"), "").unwrap();
    write_gzip(&folder.path().join("a.gold.jsonl.gz"), "{\"url\":\"u\",\"text\":\"t\"}\n");
    let report = run(&folder, &Options::default());
    assert!(
        report.problems.iter().any(|problem| problem.ends_with("1 pages are not in the crawl, such as u"))
    );
}

#[test]
fn structure_is_scored_by_site_and_by_kind_of_page() {
    use unframe_study::fingerprints::{self, By};

    let methods = |names: &[&str]| {
        names.iter().flat_map(|name| fingerprints::methods(name).unwrap()).collect::<Vec<_>>()
    };
    let options = fingerprints::Options { by: By::Site, ..Default::default() };
    let folder = gold_texts();
    let report =
        fingerprints::evaluate(folder.path(), &methods(&["fingerprint", "fingerprint+", "ctss"]), &options)
            .unwrap();
    for method in &report.methods {
        let [all] = &method.collections[..] else { panic!("one collection of all sites") };
        assert_eq!((all.templates, all.pages), (7, 7 * PAGES as usize));
        let classification = all.classification.as_ref().unwrap();
        assert!(classification.micro().recall > 0.5, "{method:?}");
        // Synthetic sites of one kind use the same few classes, which is all that the sketches look at.
        if method.method != fingerprints::methods("fingerprint+").unwrap()[0] {
            assert!(classification.micro().precision > 0.95, "{method:?}");
            assert!(all.clustering.unwrap().agreement.purity > 0.95, "{method:?}");
        }
    }
    // Every page is of kind x: one template in each of seven collections.
    let options = fingerprints::Options { by: By::PageType, folds: 3, ..Default::default() };
    let report = fingerprints::evaluate(folder.path(), &methods(&["md5"]), &options).unwrap();
    assert_eq!(report.methods[0].collections.len(), 7);
    assert!(report.methods[0].collections.iter().all(|site| site.templates == 1));
    let refused = fingerprints::evaluate(gold_values().path(), &methods(&["md5"]), &options).unwrap_err();
    assert!(refused.to_string().contains("no site has 10 pages or more"), "{refused}");
    // No time at all: nothing finishes, and that is what it says.
    let options = fingerprints::Options { budget: std::time::Duration::ZERO, ..options };
    let report = fingerprints::evaluate(folder.path(), &methods(&["rtdm"]), &options).unwrap();
    assert!(report.text().contains("rtdm: not finished within 0 s"), "{}", report.text());
}
