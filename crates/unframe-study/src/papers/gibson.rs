//! Gibson, Punera and Tomkins, sections 3 and 4: speed, and how much is template.

use unframe::PageParser;
use unframe::text::content::{self, Volume};

use super::lab::{Lab, methods};
use super::printed::{self, AppendixSite};
use super::{Compared, Findings, PapersError};
use crate::eval::label;
use crate::parallel;
use crate::plot::{Axis, COLORS, Plot, Series, Shape};
use crate::table::Table;
use crate::volume::Row;

/// The settings of figure 1 that the text names, and others around them: the paper's notation W.F.D.P, and ours.
const SETTINGS: [(&str, &str); 9] = [
    ("32.10.0.200", "text"),
    ("32.10.40.200", "text:density=40"),
    ("64.10.0.200", "text:window=64"),
    ("16.10.0.200", "text:window=16"),
    ("32.10.10.200", "text:density=10"),
    ("32.10.100.200", "text:density=100"),
    ("32.5.0.100", "text:count=5,sample=100"),
    ("32.3.0.50", "text:count=3,sample=50"),
    ("DOM", "dom"),
];
/// Those that are left in a quick run.
const QUICK_SETTINGS: [&str; 4] = ["32.10.0.200", "32.10.40.200", "64.10.0.200", "DOM"];

/// Figure 1: running time, and the share of text that is found, for several settings of `text`.
pub(super) fn figure_1(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let settings: Vec<(&str, &str)> =
        SETTINGS.into_iter().filter(|one| !lab.options.quick || QUICK_SETTINGS.contains(&one.0)).collect();
    let sites = lab.all_sites()?;
    let chosen = methods(&settings.iter().map(|setting| setting.1).collect::<Vec<_>>())?;
    // One thread: times of sites that are measured beside each other are not their own.
    let measured = parallel::map(&sites, 1, |site| -> Result<Vec<(f64, f64)>, PapersError> {
        let pages = site.read(usize::MAX)?.pages;
        let mut parser = PageParser::new();
        let mut of_method = |method: &crate::Method| {
            let (regions, speed) = label(&*method.detector, &pages, 0);
            let mut volume = Volume::default();
            for (page, regions) in pages.iter().zip(regions) {
                volume += content::extract(&parser.open(&page.page), &regions).volume;
            }
            (speed.seconds, volume.text.fraction())
        };
        Ok(chosen.iter().map(&mut of_method).collect())
    });
    let measured: Vec<Vec<(f64, f64)>> = measured.into_iter().collect::<Result<_, _>>()?;
    let mean = |at: usize, of: fn(&(f64, f64)) -> f64| {
        measured.iter().map(|site| of(&site[at])).sum::<f64>() / measured.len().max(1) as f64
    };
    let means: Vec<(f64, f64)> =
        (0..settings.len()).map(|at| (mean(at, |one| one.0), mean(at, |one| one.1))).collect();
    Ok(figure_1_findings(lab.describe_all()?, &settings, &means))
}

/// Shows the mean seconds and shares of each setting.
fn figure_1_findings(data: String, settings: &[(&str, &str)], means: &[(f64, f64)]) -> Findings {
    let of =
        |name: &str| settings.iter().position(|setting| setting.0 == name).map_or((0.0, 0.0), |at| means[at]);
    let (all, sampled, dom) = (of("32.10.0.200"), of("32.10.40.200"), of("DOM"));
    let ms = |seconds: f64| format!("{:.1} ms", seconds * 1e3);
    let compared = vec![
        Compared::new("seconds a site, 32.10.0.200", "12.5 s at most", ms(all.0)),
        Compared::new("seconds a site, 32.10.40.200", "0.59 s", ms(sampled.0)),
        Compared::new("seconds a site, DOM", "17.5 s", ms(dom.0)),
        Compared::new("speedup of D = 40", "20", format!("{:.1}", all.0 / sampled.0.max(1e-12))),
        Compared::new("text found, 32.10.0.200", "", percent(all.1)),
        Compared::new("text found, 32.10.40.200", "similar", percent(sampled.1)),
    ];
    let mut table = Table::new(1, ["W.F.D.P", "ms a site", "text found %"]);
    for ((name, _), (seconds, share)) in settings.iter().zip(means) {
        table.row([(*name).to_owned(), format!("{:.1}", seconds * 1e3), format!("{:.1}", share * 100.0)]);
    }
    let series = settings.iter().zip(means).enumerate().map(|(at, ((name, _), (seconds, share)))| Series {
        name: (*name).to_owned(),
        color: COLORS[at % COLORS.len()],
        shape: Shape::Points,
        points: vec![(seconds * 1e3, *share, (*name).to_owned())],
    });
    let plot = Plot {
        title: "Figure 1: time and share of text found".to_owned(),
        note: "a point is a setting of `text`; learning and labelling, on one thread".to_owned(),
        x: Axis::numbers("ms a site", means.iter().map(|one| one.0 * 1e3)),
        y: Axis::percent("text found", means.iter().map(|one| one.1)),
        series: series.collect(),
    };
    let tables = vec![("All settings".to_owned(), table)];
    Findings { data, compared, tables, plots: vec![plot], ..Findings::default() }
}

/// The table of section 4.1: sites of each category.
pub(super) fn categories(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let report = lab.volumes()?;
    let ours = |name: &str| report.categories.iter().find(|row| is_category(row, name)).map(|row| row.sites);
    let compared = printed::CATEGORIES.iter().map(|(name, sites)| {
        Compared::new(*name, sites.to_string(), ours(name).map_or("0".to_owned(), |sites| sites.to_string()))
    });
    Ok(Findings { data: lab.describe_all()?, compared: compared.collect(), ..Findings::default() })
}

/// Figure 2: the share of templates by category.
pub(super) fn figure_2(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let report = lab.volumes()?;
    let appendix = printed::appendix();
    let mut compared = Vec::new();
    for (name, _) in printed::CATEGORIES {
        let theirs: Vec<&AppendixSite> =
            appendix.iter().filter(|site| site.categories.split(';').any(|one| one == name)).collect();
        let ours = report.categories.iter().find(|row| is_category(row, name));
        compared.extend(four_shares(name, &mean_of(&theirs, |_| 1.0), ours));
    }
    let all: Vec<&AppendixSite> = appendix.iter().collect();
    compared.extend(four_shares("all sites, each alike", &mean_of(&all, |_| 1.0), Some(&report.overall)));
    compared.extend(four_shares(
        "all pages, by size",
        &mean_of(&all, |site| site.pages),
        Some(&report.pooled),
    ));
    Ok(Findings { data: lab.describe_all()?, compared, ..Findings::default() })
}

/// How far `text` and `dom` are apart on the text of a site (section 4.2).
pub(super) fn difference(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let overall = lab.volumes()?.overall;
    let appendix = printed::appendix();
    let mean = |of: fn(&AppendixSite) -> f64| appendix.iter().map(of).sum::<f64>() / appendix.len() as f64;
    let points = |value: Option<f64>| value.map_or(String::new(), |value| format!("{:+.1}", value * 100.0));
    let compared = vec![
        Compared::new("as the text says", "7 %", ""),
        Compared::new(
            "mean of text − dom, from the appendix",
            format!("{:+.1}", mean(|site| site.text - site.dom_text)),
            points(overall.signed),
        ),
        Compared::new(
            "mean of |text − dom|, from the appendix",
            format!("{:+.1}", mean(|site| (site.text - site.dom_text).abs())),
            points(overall.difference),
        ),
    ];
    Ok(Findings { data: lab.describe_all()?, compared, ..Findings::default() })
}

/// The appendix: all sites.
pub(super) fn appendix(lab: &Lab<'_>) -> Result<Findings, PapersError> {
    let headings = ["site", "categories", "pages", "text", "dom html", "dom text", "dom links"];
    let mut theirs = Table::new(2, headings);
    for site in printed::appendix() {
        let numbers = [site.pages, site.text, site.html, site.dom_text, site.links];
        let cells = numbers.map(|number| format!("{number:.0}"));
        theirs.row([site.name.to_owned(), site.categories.replace(';', ", ")].into_iter().chain(cells));
    }
    let report = lab.volumes()?;
    let mut ours = Table::new(2, headings);
    for row in &report.sites {
        let numbers = shares_of(row).map(|share| format!("{:.0}", share * 100.0));
        let cells = [row.name.clone(), row.categories.join(", "), row.pages.to_string()];
        ours.row(cells.into_iter().chain(numbers));
    }
    let compared = vec![Compared::new("sites", "109", report.sites.len().to_string())];
    let tables = vec![("Ours, in %".to_owned(), ours), ("Printed, in %".to_owned(), theirs)];
    Ok(Findings { data: lab.describe_all()?, compared, tables, ..Findings::default() })
}

/// Whether a category of ours is one of the paper's, whatever its case.
fn is_category(row: &Row, name: &str) -> bool {
    row.name.eq_ignore_ascii_case(name)
}

/// The four figures of the paper: text by `text`; HTML, text and links by `dom`.
fn shares_of(row: &Row) -> [f64; 4] {
    let [text, dom] = [0, 1].map(|at| row.shares.get(at).copied().flatten());
    [text.map(|one| one.text), dom.map(|one| one.html), dom.map(|one| one.text), dom.map(|one| one.links)]
        .map(|share| share.unwrap_or(0.0))
}

/// Weighted means of the four figures of sites of the appendix.
fn mean_of(sites: &[&AppendixSite], weight: fn(&AppendixSite) -> f64) -> [f64; 4] {
    let weights: f64 = sites.iter().map(|site| weight(site)).sum();
    let figures: [fn(&AppendixSite) -> f64; 4] =
        [|site| site.text, |site| site.html, |site| site.dom_text, |site| site.links];
    figures
        .map(|figure| sites.iter().map(|site| weight(site) * figure(site)).sum::<f64>() / weights.max(1e-12))
}

fn four_shares(name: &str, theirs: &[f64; 4], ours: Option<&Row>) -> Vec<Compared> {
    const FIGURES: [&str; 4] = ["text by text", "HTML by dom", "text by dom", "links by dom"];
    let ours = ours.map(shares_of);
    let row = |at: usize| {
        let ours = ours.map_or("no such site".to_owned(), |ours| percent(ours[at]));
        Compared::new(format!("{name}: {}", FIGURES[at]), format!("{:.1} %", theirs[at]), ours)
    };
    (0..4).map(row).collect()
}

/// A share in percent with one digit after the point.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
