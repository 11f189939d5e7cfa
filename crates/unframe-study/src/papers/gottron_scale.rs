//! Hachenberg and Gottron, section 5: clustering, and how its speed depends on the number of pages.

use std::collections::HashMap;

use unframe::Page;
use unframe::fingerprint::{Clusters, Method, Settings, SignatureMaker};

use super::gibson::percent;
use super::lab::Lab;
use super::printed;
use super::{Compared, Findings, PapersError};
use crate::clock::Clock;
use crate::plot::{Axis, COLORS, Plot, Series, Shape};

/// Number of points in figures 5 and 6.
const BINS: usize = 20;
/// Number of times that all pages are used, each time with different inserted tags, to have enough pages for the measurement.
const ROUNDS: usize = 5;

/// Table 6: the quality of the clusters.
pub(super) fn table_6(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let folder = lab.templates()?;
    let report = lab.structure()?;
    let mut compared = Vec::new();
    for method in &report.methods {
        let name = method.method.to_string();
        let printed = printed::GOTTRON_CLUSTERS.iter().find(|row| row.0 == name).map(|row| row.1);
        let theirs = |at: usize| printed.map_or("", |printed| printed[at]);
        let Some((agreement, rate)) = method.clustering() else {
            let late = format!("not finished within {} s", report.budget.as_secs());
            compared.push(Compared::new(format!("{name}: all"), theirs(0), late));
            continue;
        };
        let rows = [
            ("clusters", theirs(0), agreement.clusters.to_string()),
            ("Rand index", theirs(1), format!("{:.4}", agreement.rand)),
            ("adjusted Rand index", theirs(2), format!("{:.4}", agreement.adjusted_rand)),
            ("purity, mean of clusters", theirs(3), format!("{:.4}", agreement.mean_purity)),
            ("purity, share of pages", "", format!("{:.4}", agreement.purity)),
            ("documents a second", theirs(4), format!("{rate:.1}")),
        ];
        compared
            .extend(rows.map(|(what, theirs, ours)| Compared::new(format!("{name}: {what}"), theirs, ours)));
    }
    Ok(Findings { data: lab.describe(folder), compared, ..Findings::default() })
}

/// Table 7 and figure 4: the sizes of clusters on all pages.
pub(super) fn table_7(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let pages = all_pages(lab)?;
    let clock = Clock::start();
    let mut maker = SignatureMaker::new(&Settings::new(Method::Fingerprint));
    let mut clusters = Clusters::new(Settings::new(Method::Fingerprint));
    let add = |page: &Page| clusters.add(0, &maker.make(&page.payload, page.charset.encoding)).ok();
    let entries: Vec<u32> = pages.iter().filter_map(add).collect();
    let names = clusters.names();
    let mut sizes: HashMap<u64, u64> = HashMap::new();
    for entry in entries {
        if let Some(name) = names.of(entry) {
            *sizes.entry(name.0).or_default() += 1;
        }
    }
    let seconds = clock.seconds();
    let single = sizes.values().filter(|size| **size == 1).count();
    let bytes: usize = pages.iter().map(|page| page.payload.len()).sum();
    let (count, found) = (pages.len().max(1) as f64, sizes.len().max(1) as f64);
    let compared = vec![
        Compared::new("documents", "3.6 million", pages.len().to_string()),
        Compared::new("clusters", "about 2.6 million", sizes.len().to_string()),
        Compared::new("clusters of one page", "about 2.4 million (92 %)", percent(single as f64 / found)),
        Compared::new(
            "largest cluster",
            "16,411",
            sizes.values().max().map_or(String::new(), u64::to_string),
        ),
        Compared::new("mean size of a document", "28.44 KB", format!("{:.2} kB", bytes as f64 / count / 1e3)),
        Compared::new("documents a second", "1,197", format!("{:.0}", count / seconds.max(1e-9))),
    ];
    Ok(Findings {
        data: lab.describe_all()?,
        compared,
        plots: vec![sizes_plot(&sizes)],
        ..Findings::default()
    })
}

/// The number of clusters by size, as a log-log plot.
fn sizes_plot(sizes: &HashMap<u64, u64>) -> Plot {
    let mut of_size: HashMap<u64, u64> = HashMap::new();
    sizes.values().for_each(|size| *of_size.entry(*size).or_default() += 1);
    let mut points: Vec<(f64, f64, String)> =
        of_size.into_iter().map(|(size, count)| (size as f64, count as f64, String::new())).collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    Plot {
        title: "Figure 4: sizes of clusters".to_owned(),
        note: "both scales are logarithmic".to_owned(),
        x: Axis::powers("pages in a cluster", points.iter().map(|point| point.0)),
        y: Axis::powers("clusters", points.iter().map(|point| point.1)),
        series: vec![Series { name: String::new(), color: COLORS[0], shape: Shape::Points, points }],
    }
}

/// Figures 5 and 6: speed against the number of pages seen.
pub(super) fn figures_5_and_6(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let pages = all_pages(lab)?;
    let mut maker = SignatureMaker::new(&Settings::new(Method::Fingerprint));
    let mut clusters = Clusters::new(Settings::new(Method::Fingerprint));
    let size = (pages.len() * ROUNDS).div_ceil(BINS).max(1);
    let taken: Vec<(usize, &Page)> =
        (0..ROUNDS).flat_map(|round| pages.iter().map(move |page| (round, page))).collect();
    let mut measure = |taken: &[(usize, &Page)]| {
        // Additional tags at the start give different fingerprints, as pages of other templates would.
        let payload =
            |(round, page): &(usize, &Page)| ["<i>".repeat(*round).as_bytes(), &page.payload].concat();
        let payloads: Vec<Vec<u8>> = taken.iter().map(payload).collect();
        let bytes = payloads.iter().map(Vec::len).sum();
        let clock = Clock::start();
        let add = |((_, page), payload): (&(usize, &Page), &Vec<u8>)| {
            clusters.add(0, &maker.make(payload, page.charset.encoding)).is_ok()
        };
        let added = taken.iter().zip(&payloads).map(add).filter(|is_added| *is_added).count();
        Bin { pages: added, bytes, seconds: clock.seconds() }
    };
    let bins: Vec<Bin> = taken.chunks(size).map(&mut measure).collect();
    let mean =
        |bins: &[Bin], of: fn(&Bin) -> f64| bins.iter().map(of).sum::<f64>() / bins.len().max(1) as f64;
    let (early, late) = bins.split_at(bins.len() / 2);
    let ratio = |of: fn(&Bin) -> f64| format!("{:.2}", mean(late, of) / mean(early, of).max(1e-9));
    let compared = vec![
        Compared::new(
            "documents a second, second half against first",
            "constant",
            ratio(Bin::pages_per_second),
        ),
        Compared::new(
            "kilobytes a second, second half against first",
            "constant",
            ratio(Bin::kilobytes_per_second),
        ),
        Compared::new("documents a second", "1,197", format!("{:.0}", mean(&bins, Bin::pages_per_second))),
    ];
    let plots = vec![
        speed_plot("Figure 5: documents a second", size, &bins, Bin::pages_per_second),
        speed_plot("Figure 6: kilobytes a second", size, &bins, Bin::kilobytes_per_second),
    ];
    Ok(Findings { data: lab.describe_all()?, compared, plots, ..Findings::default() })
}

/// The measurement of a run of consecutive pages.
#[derive(Debug, Clone, Copy)]
struct Bin {
    pages: usize,
    bytes: usize,
    seconds: f64,
}

impl Bin {
    fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.seconds.max(1e-9)
    }

    fn kilobytes_per_second(&self) -> f64 {
        self.bytes as f64 / 1e3 / self.seconds.max(1e-9)
    }
}

fn speed_plot(title: &str, size: usize, bins: &[Bin], of: fn(&Bin) -> f64) -> Plot {
    let points: Vec<(f64, f64, String)> =
        bins.iter().enumerate().map(|(at, bin)| (((at + 1) * size) as f64, of(bin), String::new())).collect();
    Plot {
        title: title.to_owned(),
        note: "fingerprint and cluster of a page, on one thread".to_owned(),
        x: Axis::numbers("pages seen", points.iter().map(|point| point.0)),
        y: Axis::numbers("", points.iter().map(|point| point.1)),
        series: vec![Series { name: String::new(), color: COLORS[0], shape: Shape::Both, points }],
    }
}

/// The pages of all sites, interleaved as in a crawl.
fn all_pages(lab: &Lab<'_>) -> Result<Vec<Page>, PapersError> {
    let mut pages: Vec<(usize, Page)> = Vec::new();
    for site in lab.all_sites()? {
        pages.extend(site.read(usize::MAX)?.pages.into_iter().map(|page| page.page).enumerate());
    }
    pages.sort_by_key(|(number, _)| *number);
    Ok(pages.into_iter().map(|(_, page)| page).collect())
}
