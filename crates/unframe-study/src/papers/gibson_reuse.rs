//! Gibson, Punera and Tomkins, sections 4.3 and 5: how often template hashes occur, how they come together, what sites look like.

use unframe::aggregate::{Coverage, average_coverage, shared_hashes};
use unframe_picture::drawing::{Drawing, Format};

use super::gibson::percent;
use super::lab::{Lab, SiteStudy, TEXT_AND_DOM};
use super::{Compared, Findings, PapersError};
use crate::plot::{Axis, COLORS, Plot, Series, Shape};

/// Ranks of figure 3 that the text names: up to the first they hold 40 % of the occurrences, up to the second 95 %.
const RANKS: [usize; 2] = [200, 2000];
/// The exponent of the power law that figure 3 shows for comparison.
const EXPONENT: f64 = 0.8;
/// Points of a curve in a plot, at most.
const POINTS_MAX: usize = 400;
/// Templates of figure 4 that are drawn.
const TEMPLATES_MAX: usize = 40;
/// Sites whose picture is shown.
const PICTURES: usize = 3;

/// Figure 3: occurrences of template hashes by their rank.
pub(super) fn figure_3(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let sites = lab.sites()?;
    let mut occurrences: Vec<u64> =
        sites.iter().flat_map(|site| site.templates.ranks.iter().map(|rank| rank.occurrences)).collect();
    occurrences.sort_unstable_by(|one, other| other.cmp(one));
    let total: u64 = occurrences.iter().sum();
    let shared = shared_hashes(sites.iter().map(|site| (site.name.as_str(), &site.templates))).len();
    // The paper has 3,000 hashes on 109 sites. Ranks of ours are at the same share of all hashes.
    let share_up_to = |rank: usize| {
        let count = occurrences.len() * rank / 3000;
        occurrences[..count].iter().sum::<u64>() as f64 / total.max(1) as f64
    };
    let [few, most] = RANKS.map(share_up_to);
    let compared = vec![
        Compared::new("occurrences", "64,000", total.to_string()),
        Compared::new("distinct hashes", "3,000", occurrences.len().to_string()),
        Compared::new("hashes on more than one site", "3", shared.to_string()),
        Compared::new("occurrences of the first 200 of 3,000 hashes", "40 %", percent(few)),
        Compared::new("of the next 1,800", "55 %", percent(most - few)),
    ];
    let plot = ranks_plot(&occurrences);
    Ok(Findings { data: lab.describe_all()?, compared, plots: vec![plot], ..Findings::default() })
}

/// Ranks and occurrences in log-log space, beside a power law.
fn ranks_plot(occurrences: &[u64]) -> Plot {
    let first = occurrences.first().map_or(1.0, |first| *first as f64);
    let mut points = Vec::new();
    let mut last = 0;
    for step in 0..=POINTS_MAX {
        // Equal steps on a logarithmic scale.
        let rank = (occurrences.len() as f64).powf(step as f64 / POINTS_MAX as f64) as usize;
        if rank > last && rank <= occurrences.len() {
            points.push((rank as f64, occurrences[rank - 1] as f64, String::new()));
            last = rank;
        }
    }
    let law = points.iter().map(|(rank, ..)| (*rank, (first * rank.powf(-EXPONENT)).max(1.0), String::new()));
    let law = Series {
        name: "power law, 0.8".to_owned(),
        color: COLORS[1],
        shape: Shape::Line,
        points: law.collect(),
    };
    Plot {
        title: "Figure 3: occurrences of template hashes by rank".to_owned(),
        note: "all sites together; both scales are logarithmic".to_owned(),
        x: Axis::powers("rank", points.iter().map(|point| point.0)),
        y: Axis::powers("occurrences", points.iter().map(|point| point.1)),
        series: vec![law, Series { name: "hashes".to_owned(), color: COLORS[0], shape: Shape::Line, points }],
    }
}

/// Figure 4: what aggregated templates cover, and how many hashes they need.
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
    let drawn = &curve[..curve.len().min(TEMPLATES_MAX)];
    let line = |of: fn(&Coverage) -> f64| {
        drawn.iter().map(|point| (point.templates as f64, of(point), String::new())).collect::<Vec<_>>()
    };
    let plot = |title: &str, y: Axis, points| Plot {
        title: title.to_owned(),
        note: "mean of sites".to_owned(),
        x: Axis::numbers("aggregated templates", [drawn.len() as f64]),
        y,
        series: vec![Series { name: String::new(), color: COLORS[0], shape: Shape::Line, points }],
    };
    let (bytes, needed) = (line(|point| point.bytes), line(|point| point.hashes));
    let most = needed.iter().map(|point| point.1).fold(1.0, f64::max);
    let plots = vec![
        plot("Figure 4, upper curve: template bytes covered", Axis::percent("covered", [1.0]), bytes),
        plot("Figure 4, lower curve: template hashes needed", Axis::numbers("hashes", [most]), needed),
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
