//! Sites learned, described, drawn, searched, exported and deleted.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use unframe::learn::Learner;
use unframe::text::content;
use unframe::{PageBytes, PageParser, detect};

use crate::client::{Running, crawl, page};

/// A page that has no menu.
const ODD: &str = "<title>Odd</title><p>nothing that the others have";

fn learned() -> Running {
    let service = Running::new();
    let mut pages = crawl("a.example", 20);
    pages += &(json!({"url": "http://a.example/odd", "html": ODD}).to_string() + "\n");
    service.post("/api/v1/crawls", pages);
    let job = service.finish(&service.post("/api/v1/sites/a.example/learn", ""));
    assert_eq!((&job["state"], &job["result"]["pages"]), (&"done".into(), &21.into()), "{job}");
    service
}

/// The shares of HTML, text and links in the templates of the same pages.
fn shares_by_library() -> [f64; 3] {
    let html = (0..20).map(page).chain([ODD.to_owned()]);
    let pages: Vec<(String, String)> = (0..20)
        .map(|number| format!("http://a.example/{number}"))
        .chain(["http://a.example/odd".to_owned()])
        .zip(html)
        .collect();
    let learner = Learner::new(detect::method("places").unwrap(), 0);
    let mut parser = PageParser::new();
    for (url, html) in &pages {
        learner.observe("a.example", url, &parser.open(PageBytes::utf8(html.as_bytes())));
    }
    let models = learner.models();
    let mut sums = [(0, 0); 3];
    for (_, html) in &pages {
        let parsed = parser.open(PageBytes::utf8(html.as_bytes()));
        let volume = content::extract(&parsed, &models.templates("a.example", &parsed)).volume;
        for (sum, share) in sums.iter_mut().zip([volume.html, volume.text, volume.links]) {
            *sum = (sum.0 + share.template, sum.1 + share.total);
        }
    }
    sums.map(|(template, total)| template as f64 / total as f64)
}

#[test]
fn a_site_is_learned_and_described() {
    let service = learned();
    let site = service.get("/api/v1/sites/a.example").json();
    assert_eq!(site["learned"]["is_stale"], false);
    let share = site["share"].as_f64().unwrap();
    assert!((0.3..0.9).contains(&share), "{share}");
    // The site's shares are those of its pages, of the picture, and of the library.
    let volumes: Vec<Value> =
        (1..=21).map(|id| service.get(&format!("/api/v1/pages/{id}")).json()["volume"].clone()).collect();
    let picture = service.get("/api/v1/sites/a.example/picture").json();
    assert_eq!(picture["method"], "places");
    for (of, by_library) in ["html", "text", "links"].into_iter().zip(shares_by_library()) {
        let sum = |what: &str| volumes.iter().map(|one| one[of][what].as_f64().unwrap()).sum::<f64>();
        let of_pages = sum("template") / sum("total");
        let of_picture = picture["volume"][of].as_f64().unwrap();
        assert!((of_pages - by_library).abs() < 1e-9, "{of}: pages {of_pages}, library {by_library}");
        assert!((of_picture - by_library).abs() < 1e-9, "{of}: picture {of_picture}, library {by_library}");
        assert!(of != "html" || (share - by_library).abs() < 1e-9, "site {share}, library {by_library}");
    }
    let templates = service.get("/api/v1/sites/a.example/templates").json();
    let with_menu = templates["templates"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["text"].as_str().unwrap().contains("Latest news"));
    let name = with_menu.unwrap()["template"].as_str().unwrap().to_owned();
    let template = service.get(&format!("/api/v1/sites/a.example/templates/{name}?limit=3")).json();
    assert_eq!((&template["pages"], template["page_list"].as_array().unwrap().len()), (&20.into(), 3));
    let pieces = template["piece_list"].as_array().unwrap();
    let selectors: Vec<&Value> =
        pieces.iter().flat_map(|piece| piece["selectors"].as_array().unwrap()).collect();
    assert!(selectors.iter().any(|one| one["css"].as_str().unwrap().contains("#menu")), "{selectors:?}");
    let schemas = service.get("/api/v1/sites/a.example/schemas").json();
    let outliers: Vec<&Value> =
        schemas["schemas"].as_array().unwrap().iter().filter(|one| one["is_outlier"] == true).collect();
    assert_eq!(outliers[0]["examples"][0]["url"], "http://a.example/odd");
    // From now on, pages are labelled with the model.
    assert_eq!(service.get("/api/v1/pages/1").json()["labelled_by"], "model");
    assert_eq!(
        service.get("/api/v1/pages/1/clean").json()["text"],
        "Heading 0\nOnly here: apple0 pear0 plum0"
    );
}

#[test]
fn a_site_is_learned_by_itself_when_it_is_quiet() {
    let service = Running::with(|options| options.learn_after = Some(Duration::from_millis(10)));
    let end = Instant::now() + Duration::from_secs(60);
    for pages in [6, 12] {
        service.post("/api/v1/crawls", crawl("a.example", pages));
        let learned = || service.get("/api/v1/sites/a.example").json()["learned"]["pages"].clone();
        while learned() != pages {
            assert!(Instant::now() < end, "{}", learned());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    while service.get("/api/v1/search?q=apple11").json()["total"] != 1 {
        assert!(Instant::now() < end, "the pages were not indexed");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn pages_are_listed_and_drawn() {
    let service = learned();
    let found = service.get("/api/v1/sites/a.example/pages?q=odd").json();
    assert_eq!((&found["total"], &found["pages"][0]["title"]), (&1.into(), &"Odd".into()));
    let by_url = service.get("/api/v1/sites/a.example/pages?sort=url&limit=2&offset=1").json();
    assert_eq!(by_url["pages"][0]["url"], "http://a.example/1");
    let picture = service.get("/api/v1/sites/a.example/picture?rows=5").json();
    assert_eq!((picture["pages"].as_array().unwrap().len(), &picture["total"]), (5, &21.into()));
    assert!(service.get("/api/v1/sites/a.example/draw").text().starts_with("<svg"));
    assert!(service.get("/api/v1/sites/a.example/draw?format=png").body.starts_with(b"\x89PNG"));
    let file = service.get("/api/v1/sites/a.example/draw?format=html&palette=safe");
    assert!(file.head.contains("attachment") && file.text().contains("<!doctype html"), "{}", file.head);
}

#[test]
fn pages_of_a_site_that_was_not_learned_are_found_sorted_and_counted() {
    let service = Running::new();
    service.post("/api/v1/crawls", crawl("a.example", 20));
    let list = |query: &str| {
        let answer = service.get(&format!("/api/v1/sites/a.example/pages?{query}")).json();
        let urls: Vec<String> = answer["pages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|page| page["url"].as_str().unwrap().trim_start_matches("http://a.example/").to_owned())
            .collect();
        (urls.join(" "), answer["total"].as_u64().unwrap())
    };
    // Pages 1 and 10 to 19 have it in their titles.
    assert_eq!(list("q=PAGE%201&sort=new&limit=3"), ("19 18 17".into(), 11));
    assert_eq!(list("q=page%201&sort=url&limit=3&offset=9"), ("18 19".into(), 11));
    assert_eq!(list("sort=url&limit=4"), ("0 1 10 11".into(), 20));
    // The shortest first, as where it was learned.
    assert_eq!(list("limit=3"), ("0 1 2".into(), 20));
    assert_eq!(list("sort=length&q=page%201&limit=2"), ("1 10".into(), 11));
    // The first page came before there was a template.
    assert_ne!(list("sort=share&limit=1").0, "0");
    assert_eq!(list("schema=0"), (String::new(), 0));
}

#[test]
fn dates_make_a_timeline() {
    let service = Running::new();
    for (year, menu) in [(2001, "Old menu of ours"), (2005, "New menu with more words")] {
        for number in 0..6 {
            let path = format!("/api/v1/pages?url=http://t.example/{number}&date={year}-05-01");
            let html = page(number).replace("Latest news", menu);
            assert_eq!(service.post(&path, html).status, 200);
        }
    }
    service.finish(&service.post("/api/v1/sites/t.example/learn", ""));
    let timeline = service.get("/api/v1/sites/t.example/timeline").json();
    assert_eq!(timeline["bucket"], "year");
    let snapshots = timeline["snapshots"].as_array().unwrap();
    assert_eq!(
        (snapshots.len(), &snapshots[0]["bucket"], &snapshots[1]["pages"]),
        (2, &"2001".into(), &6.into())
    );
    assert_eq!(snapshots[1]["changed"], json!({"template": 6, "content": 0, "both": 0}));
}

/// The snapshots of a site of which page 0 was fetched again on the second day, or not.
fn snapshots_of_two_days(comes_again: bool) -> (Value, usize) {
    let service = Running::new();
    for number in 0..6 {
        let day = 1 + number / 3;
        let path = format!("/api/v1/pages?url=http://t.example/{number}&date=2001-05-0{day}");
        assert_eq!(service.post(&path, page(number)).status, 200);
    }
    if comes_again {
        let path = "/api/v1/pages?url=http://t.example/0&date=2001-05-02";
        assert_eq!(service.post(path, page(9)).status, 200);
    }
    service.finish(&service.post("/api/v1/sites/t.example/learn", ""));
    let timeline = service.get("/api/v1/sites/t.example/timeline").json();
    (timeline["bucket"].clone(), timeline["snapshots"].as_array().unwrap().len())
}

#[test]
fn days_are_snapshots_if_a_page_comes_again() {
    assert_eq!(snapshots_of_two_days(true), ("day".into(), 2));
    // One crawl that took two days.
    assert_eq!(snapshots_of_two_days(false), ("".into(), 0));
}

#[test]
fn models_go_out_and_come_in() {
    let service = learned();
    let file = service.get("/api/v1/models/a.example").body;
    let other = Running::new();
    let imported = other.ask("PUT", "/api/v1/models/of%20mine%2F1", &[], &file).json();
    assert_eq!((&imported["model"], &imported["sites"]), (&"of mine/1".into(), &1.into()));
    let clean =
        other.post("/api/v1/pages?url=http://a.example/new&as=text&model=of%20mine%2F1", page(99)).json();
    assert_eq!(clean["text"], "Heading 99\nOnly here: apple99 pear99 plum99");
    // Nothing was kept.
    assert_eq!(other.get("/api/v1/sites").json()["total"], 0);
    let lines = other.post("/api/v1/crawls?as=text&model=of%20mine%2F1", crawl("a.example", 2)).text();
    assert!(lines.starts_with("{\"url\":\"http://a.example/0\"") && lines.lines().count() == 3, "{lines}");
    assert_eq!(other.ask("PUT", "/api/v1/models/bad", &[], b"no model").code(), "bad-model");
    assert_eq!(other.post("/api/v1/pages?url=http://a.example/&model=none", "x").code(), "no-such-model");
    assert_eq!(other.ask("DELETE", "/api/v1/models/of%20mine%2F1", &[], b"").status, 204);
    assert_eq!(other.get("/api/v1/models").json()["models"], json!([]));
}

#[test]
fn search_knows_what_is_template() {
    let service = learned();
    let job = service.finish(&service.post("/api/v1/index", ""));
    assert_eq!(job["result"]["total"], 21, "{job}");
    let total = |query: &str| service.get(&format!("/api/v1/search?q={query}")).json()["total"].clone();
    assert_eq!((total("apple7"), total("imprint")), (1.into(), 0.into()));
    assert_eq!(total("imprint&in_templates=true"), 20);
    assert_eq!((total("apple7&site=www.a.example"), total("apple7&site=b.example")), (1.into(), 0.into()));
    let hit = service.get("/api/v1/search?q=apple7").json()["hits"][0].clone();
    let [start, end] = [0, 1].map(|at| hit["highlights"][0][at].as_u64().unwrap() as usize);
    assert_eq!(&hit["snippet"].as_str().unwrap()[start..end], "apple7");
    assert_eq!(service.get("/api/v1/search?q=%22").code(), "bad-parameter");
    // A site that is deleted is found no more.
    let job = service.finish(&service.ask("DELETE", "/api/v1/sites/a.example", &[], b""));
    assert_eq!((&job["state"], total("apple7")), (&"done".into(), 0.into()), "{job}");
    assert_eq!(service.get("/api/v1/sites/a.example").code(), "no-such-site");
    assert_eq!(service.get("/api/v1/models/a.example").status, 404);
}

#[test]
fn a_deleted_page_is_shown_nowhere() {
    let service = learned();
    for (number, year) in [(1, 2001), (2, 2009)] {
        let path = format!("/api/v1/pages?url=http://b.example/{number}&date={year}-05-01");
        assert_eq!(service.post(&path, page(number)).status, 200);
    }
    service.finish(&service.post("/api/v1/sites/b.example/learn", ""));
    let delete =
        |id: u64| assert_eq!(service.ask("DELETE", &format!("/api/v1/pages/{id}"), &[], b"").status, 204);
    delete(23);
    let site = service.get("/api/v1/sites/b.example").json();
    assert_eq!((&site["pages"], &site["newest"]), (&1.into(), &"2001-05-01T00:00:00Z".into()));
    assert_eq!((&site["learned"], site["shares"].as_array().unwrap().len()), (&Value::Null, 1));
    let pages = service.get("/api/v1/sites/b.example/pages").json();
    assert_eq!((&pages["total"], &pages["pages"][0]["url"]), (&1.into(), &"http://b.example/1".into()));
    assert_eq!(service.get("/api/v1/models/b.example").status, 200);
    // With its last page the site is gone, and its model with it.
    delete(22);
    for path in ["sites/b.example", "sites/b.example/pages", "sites/b.example/picture", "models/b.example"] {
        assert_eq!(service.get(&format!("/api/v1/{path}")).status, 404, "{path}");
    }
    // Other sites stay as they are.
    assert_eq!(service.get("/api/v1/sites/a.example").json()["learned"]["is_stale"], false);
}

#[test]
fn what_is_found_of_an_address_is_the_page_that_came_last_of_those_that_are_kept() {
    let service = Running::new();
    for (url, year, word) in
        [("a", 2001, "apples"), ("a", 2005, "pears"), ("b", 2001, "plums"), ("b", 2005, "figs")]
    {
        let path = format!("/api/v1/pages?url=http://d.example/{url}&date={year}-05-01");
        assert_eq!(service.post(&path, format!("<p>Nothing but {word}")).status, 200);
    }
    service.finish(&service.post("/api/v1/index", ""));
    let total =
        |word: &str| service.get(&format!("/api/v1/search?q={word}")).json()["total"].as_u64().unwrap();
    let totals = || ["apples", "pears", "plums", "figs"].map(total);
    assert_eq!(totals(), [0, 1, 0, 1]);
    // The older version of one page, and the newer of the other.
    for page in [1, 4] {
        assert_eq!(service.ask("DELETE", &format!("/api/v1/pages/{page}"), &[], b"").status, 204);
    }
    let is_open = |job: &Value| ["queued", "running"].contains(&job["state"].as_str().unwrap());
    while service.get("/api/v1/jobs").json()["jobs"].as_array().unwrap().iter().any(is_open) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(totals(), [0, 1, 1, 0]);
}

#[test]
fn structure_is_reported() {
    let service = Running::new();
    service.post("/api/v1/crawls", crawl("a.example", 6));
    let clusters = service.get("/api/v1/sites/a.example/clusters").json();
    assert_eq!((&clusters["total"], &clusters["clusters"][0]["pages"]), (&1.into(), &6.into()));
    let one = service.post("/api/v1/fingerprint", page(1)).json();
    assert_eq!(one, service.post("/api/v1/fingerprint", page(2)).json());
    let list = "<ul>".to_owned() + &"<li>x</li>".repeat(30) + "</ul>";
    assert_eq!(service.post("/api/v1/classifiers/mine/examples?template=article", page(1)).status, 200);
    let known = service.post("/api/v1/classifiers/mine/examples?template=list", &list).json();
    assert_eq!(known, json!({"classifier": "mine", "examples": 2, "templates": ["article", "list"]}));
    let template =
        |body: &str| service.post("/api/v1/classifiers/mine/classify", body).json()["template"].clone();
    assert_eq!((template(&page(5)), template(&list)), ("article".into(), "list".into()));
    assert_eq!(service.post("/api/v1/classifiers/none/classify", "x").code(), "no-such-classifier");
}

#[test]
fn jobs_can_be_cancelled() {
    let service = Running::new();
    let upload = service.post("/api/v1/crawls?mode=job", crawl("a.example", 3000));
    let path = format!("/api/v1/jobs/{}", upload.json()["job"]);
    let cancelled = service.ask("DELETE", &path, &[], b"");
    assert!([200, 409].contains(&cancelled.status), "{cancelled:?}");
    let job = service.finish(&upload);
    assert!(["cancelled", "done"].contains(&job["state"].as_str().unwrap()), "{job}");
    assert_eq!(service.ask("DELETE", &path, &[], b"").code(), "job-ended");
    assert_eq!(service.get("/api/v1/jobs/77").code(), "no-such-job");
}
