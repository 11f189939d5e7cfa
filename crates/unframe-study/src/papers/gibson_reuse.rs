//! Gibson, Punera and Tomkins, sections 4.3 and 5: how often template hashes occur, how they co-occur, and pictures of sites.

use unframe::aggregate::{Coverage, average_coverage, shared_hashes};
use unframe_picture::drawing::{Drawing, Format};

use super::gibson::percent;
use super::lab::{Lab, SiteStudy, TEXT_AND_DOM};
use super::{Compared, Findings, PapersError};
use crate::evolve::trend;
use crate::plot::{Axis, COLORS, Plot, Series, Shape};

/// Two ranks of figure 3 that the text names: hashes up to the first have 40 % of all occurrences, up to the second 95 %.
const RANKS: [usize; 2] = [200, 2000];
/// The exponent of the power law in figure 3.
const EXPONENT: f64 = 0.8;
/// Maximum number of points of a curve in a plot.
const POINTS_MAX: usize = 400;
/// Number of sites whose picture is shown.
const PICTURES: usize = 3;

/// Figure 3: occurrences of template hashes by their rank.
pub(super) fn figure_3(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let sites = lab.sites()?;
    let mut occurrences: Vec<u64> =
        sites.iter().flat_map(|site| site.templates.ranks.iter().map(|rank| rank.occurrences)).collect();
    occurrences.sort_unstable_by(|one, other| other.cmp(one));
    let total: u64 = occurrences.iter().sum();
    let shared = shared_hashes(sites.iter().map(|site| (site.name.as_str(), &site.templates))).len();
    // The paper has 3,000 hashes on 109 sites. The ranks are scaled to the number of hashes in this data.
    let share_up_to = |rank: usize| {
        let count = occurrences.len() * rank / 3000;
        occurrences[..count].iter().sum::<u64>() as f64 / total.max(1) as f64
    };
    let [few, most] = RANKS.map(share_up_to);
    let (plot, exponent) = ranks_plot(&occurrences);
    let compared = vec![
        Compared::new("occurrences", "64,000", total.to_string()),
        Compared::new("distinct hashes", "3,000", occurrences.len().to_string()),
        Compared::new("hashes on more than one site", "3", shared.to_string()),
        Compared::new("occurrences of the first 200 of 3,000 hashes", "40 %", percent(few)),
        Compared::new("of the next 1,800", "55 %", percent(most - few)),
        Compared::new(
            "exponent of the power law",
            format!("{EXPONENT}, drawn for comparison"),
            exponent.map_or(String::new(), |exponent| format!("{exponent:.2}, fitted")),
        ),
    ];
    Ok(Findings { data: lab.describe_all()?, compared, plots: vec![plot], ..Findings::default() })
}

/// The log-log plot of occurrences by rank, with the power law of the paper and the best fit, and the exponent of the best fit.
fn ranks_plot(occurrences: &[u64]) -> (Plot, Option<f64>) {
    let first = occurrences.first().map_or(1.0, |first| *first as f64);
    let mut points = Vec::new();
    let mut last = 0;
    for step in 0..=POINTS_MAX {
        // Ranks at equal steps on a logarithmic scale.
        let rank = (occurrences.len() as f64).powf(step as f64 / POINTS_MAX as f64) as usize;
        if rank > last && rank <= occurrences.len() {
            points.push((rank as f64, occurrences[rank - 1] as f64, String::new()));
            last = rank;
        }
    }
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(rank, count, _)| (rank.ln(), count.ln())).collect();
    let fitted = trend::through(&logarithms);
    let line = |name: String, color, at: &dyn Fn(f64) -> f64| {
        let points = points.iter().map(|(rank, ..)| (*rank, at(*rank), String::new()));
        // The line of a power law ends where it falls below one occurrence.
        let points = points.filter(|point| point.1 >= 1.0).collect();
        Series { name, color, shape: Shape::Line, points }
    };
    let law = |rank: f64| first * rank.powf(-EXPONENT);
    let mut series = vec![line(format!("power law of the paper, {EXPONENT}"), COLORS[1], &law)];
    series.extend(fitted.map(|fitted| {
        let name = format!("fitted, {:.2}", -fitted.slope);
        line(name, COLORS[2], &|rank| fitted.at(rank.ln()).exp())
    }));
    let exponent = fitted.map(|fitted| -fitted.slope);
    let (x, y) = axes("rank", "occurrences", &points);
    series.push(Series { name: "hashes".to_owned(), color: COLORS[0], shape: Shape::Line, points });
    let plot = Plot {
        title: "Figure 3: occurrences of template hashes by rank".to_owned(),
        note: "all sites together; both scales are logarithmic".to_owned(),
        x,
        y,
        series,
    };
    (plot, exponent)
}

/// Logarithmic axes for points.
fn axes(x: &str, y: &str, points: &[(f64, f64, String)]) -> (Axis, Axis) {
    let (rights, tops) = (points.iter().map(|point| point.0), points.iter().map(|point| point.1));
    (Axis::powers(x, rights), Axis::powers(y, tops))
}

/// Figure 4: the coverage of aggregated templates by the number of hashes.
pub(super) fn figure_4(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let sites = lab.sites()?;
    let curve = average_coverage(sites.iter().map(|site| &site.templates));
    let at = |templates: usize| -> Option<&Coverage> { curve.get(templates - 1).or(curve.last()) };
    let covered = |templates| at(templates).map_or(String::new(), |point| percent(point.bytes));
    let hashes = |templates| at(templates).map_or(String::new(), |point| format!("{:.1}", point.hashes));
    let all = curve.last().map_or(0.0, |point| point.hashes);
    let share = at(15).map_or(0.0, |point| point.hashes) / all.max(1e-12);
    let compared = vec![
        Compared::new("template bytes in the first template", "around 40 % in 1 or 2", covered(1)),
        Compared::new("template bytes in the first two templates", "around 40 % in 1 or 2", covered(2)),
        Compared::new("hashes of the first two templates", "3 to 5", hashes(2)),
        Compared::new("template bytes in the first 15 templates", "about 90 %", covered(15)),
        Compared::new("hashes of the first 15, of all hashes", "approximately 50 %", percent(share)),
    ];
    let plot = |title: &str, y: &str, of: fn(&Coverage) -> f64| {
        let points: Vec<_> =
            curve.iter().map(|point| (point.templates as f64, of(point), String::new())).collect();
        let (x, y) = axes("aggregated templates", y, &points);
        Plot {
            title: title.to_owned(),
            note: "mean of sites; both scales are logarithmic".to_owned(),
            x,
            y,
            series: vec![Series { name: String::new(), color: COLORS[0], shape: Shape::Line, points }],
        }
    };
    let plots = vec![
        plot("Figure 4, upper curve: template bytes covered", "share covered", |point| point.bytes),
        plot("Figure 4, lower curve: template hashes needed", "hashes", |point| point.hashes),
    ];
    Ok(Findings { data: lab.describe_all()?, compared, plots, ..Findings::default() })
}

/// Figures 5 to 9: pictures of sites, and the template schemas of section 5.1.
pub(super) fn pictures(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let sites = lab.sites()?;
    let count = sites.len().max(1) as f64;
    let mut compared = Vec::new();
    for (at, method) in TEXT_AND_DOM.iter().enumerate() {
        let share = |site: &SiteStudy| site.schemas[at].0 as f64 / site.view.pages.len().max(1) as f64;
        let largest = sites.iter().map(share).sum::<f64>() / count;
        let groups = sites.iter().map(|site| site.schemas[at].1 as f64).sum::<f64>() / count;
        let what = format!("{method}: pages with the most frequent schema of their site, mean of sites");
        compared.push(Compared::new(what, "most", percent(largest)));
        let what = format!("{method}: schemas of a site, without outliers");
        compared.push(Compared::new(what, "relatively few", format!("{groups:.1}")));
    }
    let step = sites.len().div_ceil(PICTURES).max(1);
    let picture = |site: &SiteStudy| {
        let drawing = Drawing { format: Format::Svg, ..Drawing::default() };
        drawing.write(site.view.clone()).ok().and_then(|bytes| String::from_utf8(bytes).ok())
    };
    let pictures = sites.iter().step_by(step).filter_map(picture).collect();
    Ok(Findings { data: lab.describe_all()?, compared, pictures, ..Findings::default() })
}
