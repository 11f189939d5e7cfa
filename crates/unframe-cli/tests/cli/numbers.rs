//! Every verb gives the same shares of template for the same site and method.

use serde_json::Value;

use super::{folder_with, unframe};

/// A site with a menu, a highlighted section, a script, a footer with a date, and articles.
fn crawl() -> String {
    let page = |number: usize| {
        let (section, words) = (number % 3, format!("kettle{number} boils water{number} for cup{number}"));
        let item = |at: usize| {
            let class = if at == section { " class=here" } else { "" };
            format!("<li{class}><a href=/{at}>Section number {at}</a></li>")
        };
        let html = format!(
            "<html><head><title>Page {number}</title><script>count('tea')</script></head><body><ul id=nav>{}{}{}</ul>\
             <div id=content><h1>About {words}</h1><p>In the morning, {words}, and nobody knows why it does so. {words}.\
             <p>After a while, {words}; the rest is written in a book about {words}, <a href=/book{number}>here</a>.</div>\
             <div id=footer>Copyright Tea Times, day {number}. <a href=/about>About us</a></div></body></html>",
            item(0),
            item(1),
            item(2)
        );
        serde_json::json!({"url": format!("http://tea.example/{number}"), "html": html}).to_string() + "\n"
    };
    (0..12).map(page).collect()
}

/// Shares of HTML, text and links, in percent with one digit.
fn percents(shares: [f64; 3]) -> [String; 3] {
    shares.map(|share| format!("{:.1}", share * 100.0))
}

#[test]
fn all_verbs_give_the_same_shares() {
    let folder = folder_with("crawl.jsonl", crawl());
    let ok = |arguments: &[&str]| {
        let run = unframe(folder.path(), arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    for method in ["places", "dom"] {
        let labels = ok(&["label", "crawl.jsonl", "--method", method]);
        let labels: Vec<Value> = labels.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let share = |of: &str| {
            let sum = |what: &str| {
                labels.iter().map(|page| page["volume"][of][what].as_f64().unwrap()).sum::<f64>()
            };
            sum("template") / sum("total")
        };
        let expected = percents(["html", "text", "links"].map(share));
        assert!(expected.iter().all(|share| share != "0.0"), "{method} finds something: {expected:?}");

        let volume: Value =
            serde_json::from_str(&ok(&["volume", "crawl.jsonl", "--method", method, "--format", "json"]))
                .unwrap();
        let of_site = &volume["sites"][0]["template"][method];
        let reported = ["html", "text", "links"].map(|of| of_site[of].as_f64().unwrap());
        assert_eq!(percents(reported), expected, "{method}: volume {of_site}");

        let templates: Value =
            serde_json::from_str(&ok(&["templates", "crawl.jsonl", "--method", method, "--format", "json"]))
                .unwrap();
        let of_site = &templates["sites"][0]["volume"];
        let reported = ["html", "text", "links"]
            .map(|of| of_site[of]["template"].as_f64().unwrap() / of_site[of]["total"].as_f64().unwrap());
        assert_eq!((percents(reported), templates["method"].as_str()), (expected.clone(), Some(method)));

        let picture = ok(&["draw", "crawl.jsonl", "--method", method]);
        let rounded: Vec<String> = ["html", "text", "links"]
            .map(share)
            .iter()
            .map(|share| format!("{:.0} %", share * 100.0))
            .collect();
        let words = format!(
            "template: {} of the HTML, {} of the text, {} of the links",
            rounded[0], rounded[1], rounded[2]
        );
        assert!(picture.contains(&words) && picture.contains(&format!("found by {method}")), "{words}");

        let explained = ok(&["explain", "crawl.jsonl", "--url", "http://tea.example/3", "--method", method]);
        let html = &labels[3]["volume"]["html"];
        let words = format!("({} of {} bytes are template", html["template"], html["total"]);
        assert!(
            explained.contains(&words) && explained.contains(&format!("{method}: ")),
            "{words}: {explained}"
        );

        let cleaned = ok(&["clean", "crawl.jsonl", "--method", method]);
        for (label, page) in labels.iter().zip(cleaned.lines()) {
            let page: Value = serde_json::from_str(page).unwrap();
            assert_eq!(page["volume"], label["volume"], "{method}: clean and label");
        }
    }
}

#[test]
fn explain_and_templates_count_the_same_pages() {
    // The text of the menu is another one on two pages.
    let folder =
        folder_with("crawl.jsonl", crawl().replacen(">Section number 1<", ">Our second section<", 2));
    let json = unframe(folder.path(), &["templates", "crawl.jsonl", "--format", "json"]).stdout;
    let templates: Value = serde_json::from_str(&json).unwrap();
    let templates = templates["sites"][0]["templates"].as_array().unwrap();
    let explained =
        unframe(folder.path(), &["explain", "crawl.jsonl", "--url", "http://tea.example/3"]).stdout;
    for template in templates {
        let (id, sort) = (template["template"].as_str().unwrap(), template["sort"].as_str().unwrap_or("box"));
        let lines: Vec<&str> = explained.lines().filter(|line| line.contains(id)).collect();
        let counted = format!(": {sort} on {} of 12 pages, ", template["pages"]);
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.contains(&counted)),
            "{counted}{explained}"
        );
    }
    assert!(
        explained.contains(": navigation on 12 of 12 pages, the same text on 10 of those compared"),
        "{explained}"
    );
}

#[test]
fn the_demo_gives_the_shares_of_the_other_verbs() {
    let folder = folder_with("empty", String::new());
    let table = unframe(folder.path(), &["demo", "made", "-q"]).stdout;
    let run = unframe(folder.path(), &["templates", "made/demo-1.warc.gz", "--format", "json", "-q"]);
    let templates: Value = serde_json::from_str(&run.stdout).unwrap();
    let sites = templates["sites"].as_array().unwrap();
    assert!(!sites.is_empty());
    for site in sites {
        let share = |of: &str| {
            let volume = &site["volume"][of];
            let share = volume["template"].as_f64().unwrap() / volume["total"].as_f64().unwrap();
            format!("{:.0} %", share * 100.0)
        };
        let line = table.lines().find(|line| line.starts_with(site["site"].as_str().unwrap())).unwrap();
        let reported: Vec<&str> =
            line.split("  ").map(str::trim).filter(|cell| cell.ends_with('%')).collect();
        assert_eq!(reported, ["html", "text", "links"].map(share), "{line}");
    }
}
