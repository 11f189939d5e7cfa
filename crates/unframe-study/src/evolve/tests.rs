//! Histories that can be worked out by hand.

use jiff::Timestamp;
use unframe::text::content::{Share, Volume};

use super::bucket::day;
use super::changes::{ChangedPart, magnitude, of_history};
use super::durations::{alive, bracketed, histogram};
use super::report::{ALL, Evolution};
use super::*;

fn at(text: &str) -> Timestamp {
    unframe_crawl::parse_date(text).expect("a date")
}

/// A version with the given texts, `links` of whose ten links are in templates.
fn version(address: &str, date: &str, template: &str, content: &str, links: u64) -> Version {
    let of_ten = |template| Share { template, total: 10 };
    Version {
        address: address.to_owned(),
        url: format!("http://{address}"),
        date: at(date),
        bucket: Bucket::Year.of(at(date), 0),
        is_measured: true,
        volume: Volume { html: of_ten(links / 2), text: of_ten(1), links: of_ten(links) },
        template: TextValue::of(template),
        content: TextValue::of(content),
        whole: TextValue::of(&format!("{template} {content}")).hash,
    }
}

fn history() -> History {
    let mut history = History::default();
    for (date, template, content, links) in [
        ("2001-01-01", "home about", "tea is hot", 2),
        ("2002-01-01", "home news", "tea is hot", 4),
        ("2003-01-01", "home news", "milk is cold", 6),
        ("2004-01-01", "home shop", "milk is cold", 8),
    ] {
        history.add("a", version("a/x", date, template, content, links));
        history.add("a", version("a/y", date, template, "same", links));
    }
    history.sort();
    history
}

#[test]
fn rates_are_estimated_from_incomplete_observations() {
    let [x, y] = rates::of_history(&history()).try_into().expect("two pages");
    assert_eq!((x.url.as_str(), x.site.as_str(), x.visits), ("http://a/x", "a", 4));
    assert_eq!((day(x.first), day(x.last)), ("2001-01-01".to_owned(), "2004-01-01".to_owned()));
    assert_eq!((x.content.changes, x.template.changes, x.whole.changes), (1, 2, 3));
    assert_eq!((y.content.changes, y.template.changes, y.whole.changes), (0, 2, 2));
    // Three intervals of 365 days: −ln((3 − 1 + 0.5) / 3.5) / 365.
    let near = |rate: f64, expected: f64| (rate - expected).abs() < 1e-12;
    assert!(near(x.content.per_day, (3.5f64 / 2.5).ln() / 365.0), "{}", x.content.per_day);
    assert!(near(x.whole.per_day, (3.5f64 / 0.5).ln() / 365.0), "finite though each visit saw a change");
    assert_eq!(y.content.per_day.to_string(), "0");
}

#[test]
fn a_page_that_was_visited_once_has_no_rate() {
    let mut history = History::default();
    history.add("a", version("a/x", "2001", "home", "tea", 1));
    assert_eq!(rates::of_history(&history), []);
}

#[test]
fn values_between_others_have_a_duration() {
    let days = |values: &[(&str, u64)]| {
        let values: Vec<(Timestamp, u64)> = values.iter().map(|(date, value)| (at(date), *value)).collect();
        bracketed(&values).into_iter().map(|(begin, end)| (day(begin), day(end))).collect::<Vec<_>>()
    };
    let pair = |begin: &str, end: &str| (begin.to_owned(), end.to_owned());
    let values = [("2001-01-01", 1), ("2001-01-11", 2), ("2001-01-21", 2), ("2001-01-31", 3)];
    assert_eq!(days(&values), [pair("2001-01-06", "2001-01-26")]);
    // It is unknown when the first value began and when the last one ended, even if these values recur.
    assert_eq!(days(&[("2001", 1), ("2002", 2), ("2003", 1)]), [pair("2001-07-02", "2002-07-02")]);
    assert_eq!(
        days(&[("2001", 1), ("2002", 2), ("2003", 1), ("2004", 3)]),
        [pair("2001-07-02", "2002-07-02")]
    );
    assert!(
        days(&[("2001", 1), ("2002", 2)]).is_empty()
            && days(&[("2001", 1)]).is_empty()
            && days(&[]).is_empty()
    );
}

#[test]
fn durations_are_averaged_over_what_is_there() {
    let duration = |begin: &str, end: &str| Duration {
        site: String::new(),
        address: String::new(),
        begin: at(begin),
        end: at(end),
    };
    let durations = [duration("2001-01-01", "2001-01-11"), duration("2001-01-06", "2001-02-05")];
    let found: Vec<(usize, f64)> = alive(&durations, 8).iter().map(|one| (one.count, one.days)).collect();
    // Every five days: only the first exists, then both, both again, then only the second.
    assert_eq!(
        found,
        [(1, 10.0), (2, 20.0), (2, 20.0), (1, 30.0), (1, 30.0), (1, 30.0), (1, 30.0), (1, 30.0)]
    );
    assert_eq!(histogram(&[0.0, 0.04, 0.05, 1.0], 0.05, 20)[..2], [(0.0, 0.5), (0.05, 0.25)]);
    assert_eq!(histogram(&[1.0], 0.05, 20)[19].1, 1.0);
    assert!(alive(&[], 9).is_empty());
}

#[test]
fn changes_tell_content_from_template() {
    let changes = of_history(&history());
    let found: Vec<_> =
        changes.iter().map(|change| (change.url.as_str(), day(change.to), change.changed)).collect();
    let expected = [
        ("http://a/x", "2002-01-01", ChangedPart::Template),
        ("http://a/x", "2003-01-01", ChangedPart::Content),
        ("http://a/x", "2004-01-01", ChangedPart::Template),
        ("http://a/y", "2002-01-01", ChangedPart::Template),
        ("http://a/y", "2004-01-01", ChangedPart::Template),
    ];
    assert_eq!(found, expected.map(|(url, day, what)| (url, day.to_owned(), what)));
    // Of the words tea, is, hot and milk, is, cold, one of three is common.
    assert!((changes[1].content - 2.0 / 3.0).abs() < 1e-12 && changes[1].template == 0.0);
    // Of the words home, about, tea, is, hot, four of five are common.
    assert!((changes[0].whole - 0.2).abs() < 1e-12 && (changes[0].template - 0.5).abs() < 1e-12);
}

#[test]
fn text_that_is_judged_anew_has_not_changed() {
    let mut history = History::default();
    let before = version("a/x", "2001", "home", "tea", 1);
    let after = Version {
        template: TextValue::of(""),
        content: TextValue::of("home tea"),
        ..version("a/x", "2002", "home", "tea", 1)
    };
    history.add("a", before);
    history.add("a", after);
    assert_eq!(of_history(&history), []);
}

#[test]
fn magnitudes() {
    assert_eq!(magnitude(&[], &[]), 0.0);
    assert_eq!(magnitude(&[1, 2], &[1, 2]), 0.0);
    assert_eq!(magnitude(&[1, 2], &[3]), 1.0);
    assert_eq!(magnitude(&[1, 2, 3], &[2, 9]), 1.0 - 2.0 / 5.0);
}

#[test]
fn shares_rise_by_twenty_points_a_year() {
    let evolution = Evolution::of(&history(), "dom", "year", 2, None);
    let snapshots: Vec<(&str, usize)> =
        evolution.snapshots.iter().map(|snapshot| (snapshot.bucket.as_str(), snapshot.pages)).collect();
    assert_eq!(snapshots, [("2001", 2), ("2002", 2), ("2003", 2), ("2004", 2)]);
    let trends = evolution.trends();
    let links = trends.iter().find(|named| named.name == ALL && named.measure == "links").expect("a trend");
    assert!((links.trend.slope - 0.2).abs() < 1e-3, "{links:?}");
    let periods =
        evolution.periods(MEASURES[0].1, |_| true).map(|share| share.map(|share| (share * 100.0).round()));
    assert_eq!(periods, [Some(30.0), Some(70.0), Some(50.0)]);
    assert!(Evolution::of(&history(), "dom", "year", 3, None).snapshots.is_empty());
}

#[test]
fn all_files_are_there_even_of_nothing() {
    for history in [history(), History::default()] {
        let files = Evolution::of(&history, "dom", "year", 2, None).files();
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        assert_eq!(files.len(), 15, "{names:?}");
        for (name, text) in files {
            assert!(!text.is_empty() && !text.contains("NaN") && !text.contains("inf"), "{name}: {text}");
        }
    }
}

#[test]
fn buckets_have_names() {
    let name = |bucket: &str, date: &str| bucket.parse::<Bucket>().map(|bucket| bucket.of(at(date), 0).1);
    for (bucket, date, expected) in [
        ("year", "2004-05-06", "2004"),
        ("quarter", "2004-05-06", "2004-Q2"),
        ("month", "2004-05-06", "2004-05"),
        ("day", "2004-05-06", "2004-05-06"),
        ("input", "2004-05-06", "input 1"),
        ("2004-06,2001", "2004-05-06", "from 2001-01-01"),
        ("2004-06,2001", "2000-05-06", "before 2001-01-01"),
    ] {
        assert_eq!(name(bucket, date).as_deref(), Ok(expected));
    }
    assert!("week".parse::<Bucket>().is_err());
}

#[test]
fn buckets_are_as_long_as_no_page_has_two_versions() {
    let chosen = |versions: &[(&str, &str, usize)]| {
        let place = |(url, date, input): &(&str, &str, usize)| {
            let dated = dated::Dated::new(at(date), format!("http://a.example/{url}"));
            let bucket = Bucket::Year.of(dated.date, *input);
            let origin = unframe::Origin { file: (*date).into(), offset: 0 };
            (place::Place { site: "a.example".to_owned(), bucket, dated, input: *input }, origin)
        };
        let (bucket, measured) = place::longest_apart(&versions.iter().map(place).collect::<Vec<_>>());
        (bucket, measured.with_several())
    };
    let (monday, friday) = ("2024-03-04", "2024-03-08");
    assert_eq!(chosen(&[("x", "2023-05-01", 0), ("x", monday, 0), ("y", friday, 0)]), (Bucket::Year, 0));
    assert_eq!(chosen(&[("x", "2024-01-01", 0), ("x", monday, 0)]), (Bucket::Month, 0));
    assert_eq!(chosen(&[("x", monday, 0), ("x", friday, 0)]), (Bucket::Day, 0));
    assert_eq!(chosen(&[("x", "2024-03-04T08", 0), ("x", "2024-03-04T20", 1)]), (Bucket::Input, 0));
    // No bucket separates these versions, so shorter snapshots gain nothing.
    assert_eq!(chosen(&[("x", "2024-03-04T08", 0), ("x", "2024-03-04T20", 0)]), (Bucket::Year, 1));
}
