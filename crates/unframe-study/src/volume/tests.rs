//! A crawl of three small sites, with shares worked out by hand.

use std::io::{self, Write};

use serde_json::Value;
use unframe::text::content::Share;

use super::*;

fn volume(html: u64, text: u64, links: u64) -> Volume {
    let of_ten = |template| Share { template, total: 10 };
    Volume { html: of_ten(html), text: of_ten(text), links: of_ten(links) }
}

/// What a function writes.
fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut written = Vec::new();
    write(&mut written).unwrap();
    String::from_utf8(written).unwrap()
}

fn volumes() -> Volumes {
    let mut volumes = Volumes::new(["dom", "text"]);
    volumes.add("a", "dom", volume(2, 4, 6));
    volumes.add("a", "dom", volume(4, 6, 8));
    volumes.add("a", "text", volume(0, 2, 0));
    volumes.add("a", "text", volume(0, 4, 0));
    volumes.add("b", "dom", volume(9, 8, 7));
    volumes.add("b", "text", volume(1, 9, 0));
    volumes.add("c", "dom", volume(0, 0, 0));
    volumes
}

#[test]
fn sites_count_alike_in_categories_and_over_all() {
    let categories = Categories::from_csv("a,news;portal\nb,news\n".as_bytes()).unwrap_or_default();
    let expected = "\
site  categories   sites  pages  dom html  dom text  dom links  text html  text text  text links  difference  text - dom
a     news;portal      1      2      30.0      50.0       70.0        0.0       30.0         0.0        20.0       -20.0
b     news             1      1      90.0      80.0       70.0       10.0       90.0         0.0        10.0        10.0
c                      1      1       0.0       0.0        0.0

category  categories  sites  pages  dom html  dom text  dom links  text html  text text  text links  difference  text - dom
news                      2      3      60.0      65.0       70.0        5.0       60.0         0.0        15.0        -5.0
portal                    1      2      30.0      50.0       70.0        0.0       30.0         0.0        20.0       -20.0

total        categories  sites  pages  dom html  dom text  dom links  text html  text text  text links  difference  text - dom
(all sites)                  3      4      40.0      43.3       46.7        5.0       60.0         0.0        15.0        -5.0
(all pages)                  3      4      37.5      45.0       52.5        3.3       50.0         0.0        10.0       -10.0
";
    let report = volumes().report(&categories);
    assert_eq!(written(|to| report.write_text(to)), expected);
}

#[test]
fn a_sample_of_the_large_sites_can_be_chosen() {
    let chosen = |pages_min, sites, seed| -> Vec<String> {
        let mut volumes = volumes();
        volumes.choose(pages_min, sites, seed);
        volumes.report(&Categories::default()).sites.into_iter().map(|row| row.name).collect()
    };
    assert_eq!(chosen(1, 9, 0), ["a", "b", "c"]);
    assert_eq!(chosen(2, 9, 0), ["a"]);
    assert_eq!(chosen(3, 9, 0), [""; 0]);
    assert_eq!((chosen(1, 2, 7).len(), chosen(1, 2, 7)), (2, chosen(1, 2, 7)));
    let ones: Vec<String> = (0..20).flat_map(|seed| chosen(1, 1, seed)).collect();
    assert!(["a", "b", "c"].iter().all(|site| ones.iter().any(|one| one == site)), "{ones:?}");
}

#[test]
fn categories_are_pooled_too() {
    let categories = Categories::from_csv("a,news;portal\nb,news\n".as_bytes()).unwrap();
    let report = volumes().report(&categories);
    let pooled: Vec<_> = (report.pooled_categories.iter())
        .map(|row| {
            (
                row.name.as_str(),
                row.sites,
                row.pages,
                row.shares[0].map(|shares| (shares.html * 1000.0).round()),
            )
        })
        .collect();
    assert_eq!(pooled, [("news", 2, 3, Some(500.0)), ("portal", 1, 2, Some(300.0))]);
}

#[test]
fn merging_is_adding() {
    let mut twice = volumes();
    twice.merge(volumes());
    let (once, twice) = (volumes().report(&Categories::default()), twice.report(&Categories::default()));
    assert_eq!(once.overall.shares, twice.overall.shares);
    assert_eq!((once.sites[0].pages, twice.sites[0].pages), (2, 4));
}

#[test]
fn csv_and_json() {
    let report = volumes().report(&Categories::default());
    let csv = written(|to| report.write_csv(to));
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some(
            "kind,name,categories,sites,pages,dom html,dom text,dom links,text html,text text,text links,difference,text - dom"
        )
    );
    assert_eq!(
        lines.next(),
        Some("site,a,,1,2,0.300000,0.500000,0.700000,0.000000,0.300000,0.000000,0.200000,-0.200000")
    );
    assert_eq!(lines.count(), 4);
    let json: Value = serde_json::from_str(&written(|to| report.write_json(to))).unwrap();
    assert_eq!(json["sites"][1]["template"]["dom"]["html"], 0.9);
    assert_eq!(json["sites"][2]["difference"], Value::Null);
}

#[test]
fn a_site_without_a_category_is_an_error() {
    let error = Categories::from_csv("# comment\nsite,category\na,news\nb,\n".as_bytes()).err();
    let message = error.map(|error| error.to_string());
    assert_eq!(message.as_deref(), Some("line 4: `b` has no category: write SITE,CATEGORY"));
    let none = Volumes::default().report(&Categories::default());
    assert_eq!((none.sites.len(), none.overall.sites), (0, 0));
}
