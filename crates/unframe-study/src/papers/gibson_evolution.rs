//! Gibson, Punera and Tomkins, section 6: templates over time.

use std::collections::{BTreeMap, BTreeSet};

use super::gibson::percent;
use super::lab::Lab;
use super::printed;
use super::{Compared, Findings, PapersError};
use crate::evolve::durations::{Alive, Duration, alive};
use crate::evolve::report::{ALL, Evolution, WITHIN};
use crate::evolve::{Change, MEASURES, Snapshot};
use crate::plot::Plot;

/// Number of moments at which durations are averaged.
const MOMENTS: usize = 61;
/// The smallest magnitude of a large change (section 6.3).
const LARGE: f64 = 0.65;

/// Table 1: the number of snapshots.
pub(super) fn table_1(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let collections = collections(lab, evolution);
    let snapshots_of = |sites: &Sites<'_>, year: Option<u32>| {
        let is_counted = |one: &&Snapshot| {
            sites.contains(one.site.as_str()) && year.is_none_or(|year| one.year as u32 == year)
        };
        evolution.snapshots.iter().filter(is_counted).count()
    };
    let each = |sites: &Sites<'_>| snapshots_of(sites, None) as f64 / sites.len().max(1) as f64;
    let mut compared = vec![
        Compared::new(
            "sites",
            "78 unbiased, 105 popular",
            side_by_side(&collections, |sites| sites.len().to_string()),
        ),
        Compared::new("pages", "32K unbiased, 42K popular", evolution.versions.to_string()),
        Compared::new(
            "snapshots a site",
            "5 unbiased, 8 popular",
            side_by_side(&collections, |sites| format!("{:.1}", each(sites))),
        ),
    ];
    let printed: BTreeMap<u32, String> = printed::SNAPSHOTS
        .iter()
        .map(|(year, unbiased, popular)| (*year, format!("{unbiased} unbiased, {popular} popular")))
        .collect();
    let years = evolution.snapshots.iter().map(|snapshot| snapshot.year as u32);
    let years: BTreeSet<u32> = years.chain(printed.keys().copied()).collect();
    compared.extend(years.into_iter().map(|year| {
        let ours = side_by_side(&collections, |sites| snapshots_of(sites, Some(year)).to_string());
        Compared::new(format!("snapshots of {year}"), printed.get(&year).cloned().unwrap_or_default(), ours)
    }));
    Ok(Findings { data: data(evolution), compared, ..Findings::default() })
}

/// The names of the sites in a collection.
type Sites<'e> = BTreeSet<&'e str>;

/// The collections that tables show side by side: all sites, and the sites of each category.
fn collections<'e>(lab: &Lab<'_>, evolution: &'e Evolution) -> Vec<(String, Sites<'e>)> {
    let mut collections: BTreeMap<&str, Sites<'e>> = BTreeMap::new();
    let all: Sites<'e> = evolution.sites.iter().map(String::as_str).collect();
    for site in &all {
        for category in lab.options.categories.of(site) {
            collections.entry(category).or_default().insert(*site);
        }
    }
    let of_categories = collections.into_iter().map(|(name, sites)| (name.to_owned(), sites));
    std::iter::once((String::new(), all)).chain(of_categories).collect()
}

/// Formats the value of all sites, then the value of each collection with its name.
fn side_by_side(collections: &[(String, Sites<'_>)], of: impl Fn(&Sites<'_>) -> String) -> String {
    let values =
        collections.iter().map(|(name, sites)| format!("{} {name}", of(sites)).trim_end().to_owned());
    values.collect::<Vec<_>>().join(", ")
}

/// Figures 10 to 12: the share of templates over time, and its trend.
pub(super) fn figures_10_to_12(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let trends = evolution.trends();
    let mut compared = Vec::new();
    for (measure, printed) in printed::GROWTH {
        for name in [ALL, WITHIN] {
            let found = trends.iter().find(|trend| trend.name == name && trend.measure == measure);
            let trend = found.map(|found| found.trend);
            let margin =
                |margin: Option<f64>| margin.map_or(String::new(), |one| format!(" ± {:.2}", one * 100.0));
            let points = trend.map(|one| format!("{:+.2}{}", one.slope * 100.0, margin(one.margin)));
            let growth = trend.and_then(|one| one.growth()).map(|growth| format!("{:+.1} %", growth * 100.0));
            let printed = if name == ALL { format!("{printed} %") } else { String::new() };
            let what = format!("{measure}, {name}");
            compared.push(Compared::new(
                format!("{what}: growth a year, relative to its mean"),
                printed.clone(),
                growth.unwrap_or_default(),
            ));
            compared.push(Compared::new(
                format!("{what}: growth a year, in points"),
                printed,
                points.unwrap_or_default(),
            ));
        }
    }
    let plots = plots(evolution, &["links.svg", "html.svg", "text.svg"]);
    Ok(Findings { data: data(evolution), compared, plots, ..Findings::default() })
}

/// Table 2: shares of templates by period.
pub(super) fn table_2(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let split = evolution.split;
    let collections = collections(lab, evolution);
    let mut compared = Vec::new();
    for (measure, share) in MEASURES {
        let printed = printed::PERIODS.iter().find(|row| row.0 == measure).map_or([0; 6], |row| row.1);
        let names = [format!("before {split:.0}"), format!("from {split:.0}"), "all".to_owned()];
        let theirs = ["1996–2001", "2002–2004", "all"];
        let share_of = |sites: &Sites<'_>, at: usize| {
            evolution.periods(share, |site| sites.contains(site))[at].map_or("none".to_owned(), percent)
        };
        for (at, theirs) in theirs.iter().enumerate() {
            compared.push(Compared::new(
                format!("{measure}, {} (paper: {theirs})", names[at]),
                format!("{} % unbiased, {} % popular", printed[at], printed[at + 3]),
                side_by_side(&collections, |sites| share_of(sites, at)),
            ));
        }
    }
    Ok(Findings { data: data(evolution), compared, ..Findings::default() })
}

/// Figure 13: the mean duration of the texts that exist at each moment.
pub(super) fn figure_13(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let [templates, content] = evolution.durations.each_ref().map(|found| alive(found, MOMENTS));
    let days = |points: &[Alive]| {
        let (count, sum) = points.iter().fold((0, 0.0), |(count, sum), one| (count + 1, sum + one.days));
        if count == 0 { "none".to_owned() } else { format!("{:.0} days", sum / f64::from(count)) }
    };
    let halves = |points: &[Alive]| {
        let (early, late) = points.split_at(points.len() / 2);
        format!("{} → {}", days(early), days(late))
    };
    let compared = vec![
        Compared::new(
            "templates, first half of the time → second",
            "shrinks dramatically",
            halves(&templates),
        ),
        Compared::new("detemplated text, first half → second", "shrinks dramatically", halves(&content)),
        Compared::new("templates, all moments", "slightly larger than content", days(&templates)),
        Compared::new("detemplated text, all moments", "", days(&content)),
    ];
    let plots = plots(evolution, &["duration-over-time.svg"]);
    Ok(Findings { data: data(evolution), compared, plots, ..Findings::default() })
}

/// A predicate for durations in days.
type IsInRange = fn(f64) -> bool;

/// Figure 14: the histogram of durations.
pub(super) fn figure_14(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let share = |durations: &[Duration], is_in: fn(f64) -> bool| {
        let inside = durations.iter().filter(|one| is_in(one.days())).count();
        if durations.is_empty() { "none".to_owned() } else { percent(inside as f64 / durations.len() as f64) }
    };
    let mut compared = Vec::new();
    for (name, durations) in ["templates", "detemplated text"].into_iter().zip(&evolution.durations) {
        let shares: [(&str, &str, IsInRange); 2] = [
            ("50 to 300 days", "typically", |days| (50.0..=300.0).contains(&days)),
            ("two years or more", "perhaps 5 %", |days| days >= 730.5),
        ];
        compared.push(Compared::new(format!("{name}: bracketed values"), "", durations.len().to_string()));
        for (range, printed, is_in) in shares {
            compared.push(Compared::new(format!("{name}: {range}"), printed, share(durations, is_in)));
        }
    }
    let plots = plots(evolution, &["durations.svg"]);
    Ok(Findings { data: data(evolution), compared, plots, ..Findings::default() })
}

/// Figure 15: the histogram of the magnitudes of changes.
pub(super) fn figure_15(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let evolution = lab.evolution()?;
    let large = |of: fn(&Change) -> f64| {
        let values: Vec<f64> = evolution.changes.iter().map(of).filter(|value| *value > 0.0).collect();
        let count = values.iter().filter(|value| **value >= LARGE).count();
        count as f64 / values.len().max(1) as f64
    };
    let (whole, content) = (large(|change| change.whole), large(|change| change.content));
    let ratio = if whole > 0.0 { format!("{:.1}", content / whole) } else { "none are large".to_owned() };
    let compared = vec![
        Compared::new("changes of 65 % or more, whole text", "", percent(whole)),
        Compared::new("changes of 65 % or more, detemplated text", "", percent(content)),
        Compared::new("large changes, detemplated against whole", "about twice", ratio),
    ];
    let plots = plots(evolution, &["changes.svg"]);
    Ok(Findings { data: data(evolution), compared, plots, ..Findings::default() })
}

/// The plots with these file names.
fn plots(evolution: &Evolution, names: &[&str]) -> Vec<Plot> {
    evolution.plots().into_iter().filter(|(name, _)| names.contains(name)).map(|(_, plot)| plot).collect()
}

fn data(evolution: &Evolution) -> String {
    let (sites, snapshots) = (evolution.sites.len(), evolution.snapshots.len());
    format!("{sites} sites, {} versions of pages in {snapshots} snapshots", evolution.versions)
}
