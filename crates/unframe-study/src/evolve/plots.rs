//! Figures 10 to 15 of the paper.

use super::changes::Change;
use super::durations::{self, Duration, TEXTS};
use super::report::{ALL, Evolution};
use super::{MEASURES, ShareOf, Snapshot, trend};
use crate::plot::{Axis, COLORS, Plot, Series, Shape};
use unframe_picture::figures::{percent, plural};
use unframe_picture::scene::nice_step;

/// Number of moments at which durations are averaged.
pub(super) const MOMENTS: usize = 121;
/// Number of bins of durations.
const DURATION_BINS: usize = 25;
/// Width of the bins of change magnitudes.
pub(super) const CHANGE_BIN: f64 = 0.05;
/// The colour of lines and points that represent all sites together.
const ALL_COLOR: &str = "#7a828e";
/// Maximum number of sites in the legend.
const NAMED_MAX: usize = 6;

/// All plots, with the names of their files.
pub(super) fn all(evolution: &Evolution) -> Vec<(&'static str, Plot)> {
    let files = ["links.svg", "html.svg", "text.svg"];
    let titles = [
        "Figure 10: share of links in templates",
        "Figure 11: share of HTML in templates",
        "Figure 12: share of text in templates",
    ];
    let mut plots: Vec<(&'static str, Plot)> = Vec::new();
    for (at, (_, share)) in MEASURES.into_iter().enumerate() {
        plots.push((files[at], shares(evolution, titles[at], share)));
    }
    plots.push(("duration-over-time.svg", over_time(evolution)));
    plots.push(("durations.svg", duration_plot(evolution)));
    plots.push(("changes.svg", change_plot(evolution)));
    plots
}

fn shares(evolution: &Evolution, title: &str, share: ShareOf) -> Plot {
    let sites = evolution.points(share);
    let point = |snapshot: &&Snapshot| {
        let value = share(&snapshot.volume);
        let pages = plural(snapshot.pages as u64, "page");
        (snapshot.year, value, format!("{} {}: {}, {pages}", snapshot.site, snapshot.bucket, percent(value)))
    };
    let site_series = |(at, site): (usize, &&str)| Series {
        name: if sites.len() <= NAMED_MAX { (*site).to_owned() } else { String::new() },
        color: COLORS[at % COLORS.len()],
        shape: Shape::Both,
        points: evolution.snapshots.iter().filter(|one| one.site == **site).map(|one| point(&one)).collect(),
    };
    let names: Vec<&str> = sites.keys().copied().collect();
    let mut series: Vec<Series> = names.iter().enumerate().map(site_series).collect();
    let all: Vec<(f64, f64)> = sites.values().flatten().copied().collect();
    let mut note = "a point is a site in a snapshot".to_owned();
    if let Some(line) = trend::through(&all) {
        let years = || all.iter().map(|(year, _)| *year);
        let ends = [years().fold(f64::INFINITY, f64::min), years().fold(f64::NEG_INFINITY, f64::max)];
        let margin = line.margin.map_or(String::new(), |margin| format!(" ± {:.2}", margin * 100.0));
        let growth =
            line.growth().map_or(String::new(), |growth| format!(", {:+.1} % of it", growth * 100.0));
        note = format!("{note}; {ALL}: {:+.2}{margin} points a year{growth}", line.slope * 100.0);
        series.push(Series {
            name: String::new(),
            color: ALL_COLOR,
            shape: Shape::Trend,
            points: ends.map(|year| (year, line.at(year).clamp(0.0, 1.0), String::new())).to_vec(),
        });
    }
    Plot {
        title: title.to_owned(),
        note,
        x: Axis::years("", all.iter().map(|(year, _)| *year)),
        y: Axis::percent("", all.iter().map(|(_, share)| *share)),
        series,
    }
}

/// Figure 13.
fn over_time(evolution: &Evolution) -> Plot {
    let series = two_series(|at| {
        let alive = durations::alive(&evolution.durations[at], MOMENTS);
        let points = alive.into_iter().map(|alive| (alive.year, alive.days / 365.25, String::new()));
        (Shape::Line, points.collect())
    });
    let points = || series.iter().flat_map(|series| series.points.iter());
    Plot {
        title: "Figure 13: mean duration of what was there".to_owned(),
        note: counted(evolution),
        x: Axis::years("", points().map(|point| point.0)),
        y: Axis::numbers("years", points().map(|point| point.1)),
        series: series.to_vec(),
    }
}

/// Figure 14.
fn duration_plot(evolution: &Evolution) -> Plot {
    let (width, histograms) = duration_histograms(evolution);
    let series = two_series(|at| bars(at, 2, width, &histograms[at]));
    let shares = series.iter().flat_map(|series| series.points.iter().map(|point| point.1));
    Plot {
        title: "Figure 14: how long templates and content last".to_owned(),
        note: counted(evolution),
        y: Axis::percent("share of durations", shares),
        x: Axis::numbers("days", [width * DURATION_BINS as f64]),
        series: series.to_vec(),
    }
}

/// Figure 15.
fn change_plot(evolution: &Evolution) -> Plot {
    let histograms = change_histograms(evolution);
    let colors = [COLORS[2], COLORS[1], COLORS[0]];
    let series: Vec<Series> = histograms
        .iter()
        .enumerate()
        .map(|(at, (name, histogram))| {
            let (shape, points) = bars(at, histograms.len(), CHANGE_BIN, histogram);
            Series { name: (*name).to_owned(), color: colors[at], shape, points }
        })
        .collect();
    let shares = series.iter().flat_map(|series| series.points.iter().map(|point| point.1));
    Plot {
        title: "Figure 15: how much changes when something does".to_owned(),
        note: format!(
            "{}; share of the words that changed",
            plural(evolution.changes.len() as u64, "change")
        ),
        y: Axis::percent("share of changes", shares),
        x: Axis::percent("changed", [1.0]),
        series,
    }
}

fn counted(evolution: &Evolution) -> String {
    let [templates, content] = evolution.durations.each_ref().map(|durations| durations.len() as u64);
    format!(
        "{} of templates, {} of content, from change to change",
        plural(templates, "duration"),
        plural(content, "duration")
    )
}

/// Two series: templates in blue, content in orange.
fn two_series(draw: impl Fn(usize) -> (Shape, Vec<(f64, f64, String)>)) -> [Series; 2] {
    [0, 1].map(|at| {
        let (shape, points) = draw(at);
        Series { name: TEXTS[at].0.to_owned(), color: COLORS[at], shape, points }
    })
}

fn bars(at: usize, of: usize, width: f64, histogram: &[(f64, f64)]) -> (Shape, Vec<(f64, f64, String)>) {
    let points = histogram.iter().map(|(from, share)| (*from, *share, percent(*share)));
    (Shape::Bars { at, of, width }, points.collect())
}

/// The width of a bin in days, and the histograms of the durations of templates and of content.
pub(super) fn duration_histograms(evolution: &Evolution) -> (f64, [Vec<(f64, f64)>; 2]) {
    let days = evolution.durations.each_ref().map(|one| one.iter().map(Duration::days).collect::<Vec<f64>>());
    let longest = days.iter().flatten().copied().fold(1.0, f64::max);
    let width = nice_step(longest / DURATION_BINS as f64);
    (width, days.map(|days| durations::histogram(&days, width, DURATION_BINS)))
}

/// The histograms of the magnitudes of changes: of the whole text, of content, and of templates.
pub(super) fn change_histograms(evolution: &Evolution) -> [(&'static str, Vec<(f64, f64)>); 3] {
    let histogram = |value: fn(&Change) -> f64| {
        let values: Vec<f64> = evolution.changes.iter().map(value).filter(|value| *value > 0.0).collect();
        durations::histogram(&values, CHANGE_BIN, (1.0 / CHANGE_BIN).round() as usize)
    };
    [
        ("whole page", histogram(|change| change.whole)),
        ("content", histogram(|change| change.content)),
        ("template", histogram(|change| change.template)),
    ]
}
