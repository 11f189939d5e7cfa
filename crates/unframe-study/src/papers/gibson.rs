//! Gibson, Punera and Tomkins, section 4: how much is template.

use super::lab::Lab;
use super::printed::{self, AppendixSite};
use super::{Compared, Findings, PapersError};
use crate::table::Table;
use crate::volume::Row;

/// The name of the last row of figure 2.
const ALL_SITES: &str = "all sites";
/// The measures of figure 2, each with its method.
const FIGURES: [&str; 4] = ["text by text", "HTML by dom", "text by dom", "links by dom"];

/// The table of section 4.1: the number of sites in each category.
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
    for (name, printed) in printed::FIGURE_2 {
        let is_all = name == ALL_SITES;
        let theirs: Vec<&AppendixSite> = (appendix.iter())
            .filter(|site| is_all || site.categories.split(';').any(|one| one == name))
            .collect();
        let theirs = [mean_of(&theirs, |site| site.pages), mean_of(&theirs, |_| 1.0)];
        let of = |rows: &[Row]| rows.iter().find(|row| is_category(row, name)).map(shares_of);
        let ours = match is_all {
            true => [Some(shares_of(&report.pooled)), Some(shares_of(&report.overall))],
            false => [of(&report.pooled_categories), of(&report.categories)],
        };
        for (at, figure) in FIGURES.iter().enumerate() {
            let [by_size, alike] = theirs.map(|shares| shares[at]);
            let ours = match ours {
                [Some(pooled), Some(mean)] => format!("{}; {}", percent(pooled[at]), percent(mean[at])),
                _ => "no such site".to_owned(),
            };
            compared.push(Compared::new(
                format!("{name}: {figure}"),
                format!("{} %; appendix: {by_size:.1} %; {alike:.1} %", printed[at]),
                ours,
            ));
        }
    }
    Ok(Findings { data: lab.describe_all()?, compared, ..Findings::default() })
}

/// The difference between `text` and `dom` on the text of a site (section 4.2).
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

/// The appendix: the shares of all sites.
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

/// Whether a category of the data is one of the paper's, ignoring case.
fn is_category(row: &Row, name: &str) -> bool {
    row.name.eq_ignore_ascii_case(name)
}

/// The four figures of the paper: text by `text`; HTML, text and links by `dom`.
fn shares_of(row: &Row) -> [f64; 4] {
    let [text, dom] = [0, 1].map(|at| row.shares.get(at).copied().flatten());
    [text.map(|one| one.text), dom.map(|one| one.html), dom.map(|one| one.text), dom.map(|one| one.links)]
        .map(|share| share.unwrap_or(0.0))
}

/// Weighted means of the four shares over sites of the appendix.
fn mean_of(sites: &[&AppendixSite], weight: fn(&AppendixSite) -> f64) -> [f64; 4] {
    let weights: f64 = sites.iter().map(|site| weight(site)).sum();
    let figures: [fn(&AppendixSite) -> f64; 4] =
        [|site| site.text, |site| site.html, |site| site.dom_text, |site| site.links];
    figures
        .map(|figure| sites.iter().map(|site| weight(site) * figure(site)).sum::<f64>() / weights.max(1e-12))
}

/// Formats a share in percent with one decimal place.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
