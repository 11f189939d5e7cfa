//! All results as CSV.

use super::bucket::day;
use super::durations::{self, Duration, TEXTS};
use super::report::{ALL, Evolution};
use super::{MEASURES, plots};
use crate::table::Table;

/// All tables, by the names of their files.
pub(super) fn all(evolution: &Evolution) -> Vec<(&'static str, String)> {
    vec![
        ("snapshots.csv", snapshots(evolution)),
        ("trends.csv", trends(evolution)),
        ("periods.csv", periods(evolution)),
        ("durations.csv", durations(evolution)),
        ("duration-over-time.csv", alive(evolution)),
        ("duration-histogram.csv", duration_histogram(evolution)),
        ("changes.csv", changes(evolution)),
        ("change-histogram.csv", change_histogram(evolution)),
    ]
}

fn snapshots(evolution: &Evolution) -> String {
    let mut table = Table::new(2, ["site", "bucket", "year", "pages", "links", "html", "text"]);
    for snapshot in &evolution.snapshots {
        let mut row = vec![
            snapshot.site.clone(),
            snapshot.bucket.clone(),
            format!("{:.3}", snapshot.year),
            snapshot.pages.to_string(),
        ];
        row.extend(MEASURES.map(|(_, share)| precise(share(&snapshot.volume))));
        table.row(row);
    }
    table.csv()
}

fn trends(evolution: &Evolution) -> String {
    let headings = ["site", "of", "snapshots", "mean", "slope", "error", "low", "high", "growth"];
    let mut table = Table::new(2, headings);
    for named in evolution.trends() {
        let trend = named.trend;
        let limits = [-1.0, 1.0].map(|sign| trend.margin.map(|margin| trend.slope + sign * margin));
        let optional = |value: Option<f64>| value.map_or(String::new(), precise);
        table.row([
            named.name,
            named.measure.to_owned(),
            trend.points.to_string(),
            precise(trend.mean.1),
            precise(trend.slope),
            optional(trend.error),
            optional(limits[0]),
            optional(limits[1]),
            optional(trend.growth()),
        ]);
    }
    table.csv()
}

fn periods(evolution: &Evolution) -> String {
    let split = year_name(evolution.split);
    let headings = [
        "site".to_owned(),
        "of".to_owned(),
        format!("before {split}"),
        format!("from {split}"),
        "all".to_owned(),
    ];
    let mut table = Table::new(2, headings);
    let sites = evolution.sites.iter().map(|site| (site.as_str(), Some(site.as_str())));
    for (name, site) in sites.chain([(ALL, None)]) {
        for (measure, share) in MEASURES {
            let of_site = |name: &str| site.is_none_or(|site| site == name);
            let periods =
                evolution.periods(share, of_site).map(|period| period.map_or(String::new(), precise));
            table.row([name.to_owned(), measure.to_owned()].into_iter().chain(periods));
        }
    }
    table.csv()
}

fn durations(evolution: &Evolution) -> String {
    let mut table = Table::new(5, ["site", "page", "text", "begin", "end", "days"]);
    for ((kind, _), durations) in TEXTS.iter().zip(&evolution.durations) {
        for duration in durations {
            let Duration { site, address, begin, end } = duration;
            let days = format!("{:.1}", duration.days());
            table.row([site.clone(), address.clone(), (*kind).to_owned(), day(*begin), day(*end), days]);
        }
    }
    table.csv()
}

fn alive(evolution: &Evolution) -> String {
    let mut table = Table::new(1, ["text", "year", "texts", "days"]);
    for ((kind, _), found) in TEXTS.iter().zip(&evolution.durations) {
        for alive in durations::alive(found, plots::MOMENTS) {
            let row = [format!("{:.3}", alive.year), alive.count.to_string(), format!("{:.1}", alive.days)];
            table.row([(*kind).to_owned()].into_iter().chain(row));
        }
    }
    table.csv()
}

fn duration_histogram(evolution: &Evolution) -> String {
    let mut table = Table::new(1, ["text", "days from", "days to", "share"]);
    let (width, histograms) = plots::duration_histograms(evolution);
    for ((kind, _), histogram) in TEXTS.iter().zip(histograms) {
        for (from, share) in histogram {
            let row = [format!("{from:.0}"), format!("{:.0}", from + width), precise(share)];
            table.row([(*kind).to_owned()].into_iter().chain(row));
        }
    }
    table.csv()
}

fn changes(evolution: &Evolution) -> String {
    let headings = ["site", "page", "from", "to", "changed", "content", "template", "whole"];
    let mut table = Table::new(5, headings);
    for change in &evolution.changes {
        table.row([
            change.site.clone(),
            change.url.clone(),
            day(change.from),
            day(change.to),
            change.changed.name().to_owned(),
            precise(change.content),
            precise(change.template),
            precise(change.whole),
        ]);
    }
    table.csv()
}

fn change_histogram(evolution: &Evolution) -> String {
    let mut table = Table::new(1, ["text", "from", "to", "share"]);
    for (kind, histogram) in plots::change_histograms(evolution) {
        for (from, share) in histogram {
            let row = [from, from + plots::CHANGE_BIN, share].map(precise);
            table.row([kind.to_owned()].into_iter().chain(row));
        }
    }
    table.csv()
}

fn precise(value: f64) -> String {
    format!("{value:.6}")
}

/// A year with a fraction, as people write it: `2004`, or `2004-07` if it is not whole.
pub(super) fn year_name(year: f64) -> String {
    let month = (year.fract() * 12.0) as u32 + 1;
    if year.fract() < 1e-6 { format!("{year:.0}") } else { format!("{:.0}-{month:02}", year.floor()) }
}

/// The median.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        len if len.is_multiple_of(2) => Some(sorted[middle - 1].midpoint(sorted[middle])),
        _ => Some(sorted[middle]),
    }
}
