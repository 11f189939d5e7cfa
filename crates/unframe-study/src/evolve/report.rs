//! The report on templates over time.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::changes::{self, Change};
use super::durations::{self, Duration, TEXTS};
use super::trend::{self, Trend};
use super::{History, MEASURES, ShareOf, Snapshot, plots, tables};
use crate::plot::Plot;
use unframe_picture::figures::{count, percent, plural};
use unframe_picture::markup::Escaped;
use unframe_picture::report_page::{self, ReportPage};

const STYLE: &str = include_str!("report.css");

/// The name of the trend through all snapshots of all sites.
pub const ALL: &str = "(all sites)";
/// The name of the trend with one slope and a separate level for each site.
pub const WITHIN: &str = "(within sites)";

/// The results of the analysis.
#[derive(Debug, Clone)]
pub struct Evolution {
    /// The method that found the templates.
    pub method: String,
    /// How dates were grouped.
    pub bucket: String,
    /// The sites, by name.
    pub sites: Vec<String>,
    /// The snapshots, by site and time.
    pub snapshots: Vec<Snapshot>,
    /// The number of versions that were compared.
    pub versions: usize,
    /// The boundary between the two periods of the table of shares: a year with a fraction.
    pub split: f64,
    /// Durations of templates and of content.
    pub durations: [Vec<Duration>; 2],
    /// Changes from version to version.
    pub changes: Vec<Change>,
}

/// A trend with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTrend {
    /// A site, [`ALL`] or [`WITHIN`].
    pub name: String,
    /// The measure, such as links, HTML or text.
    pub measure: &'static str,
    /// The line.
    pub trend: Trend,
}

/// Mean shares in the earlier period, in the later one, and in both, as in table 2 of the paper.
pub type Periods = [Option<f64>; 3];

impl Evolution {
    /// Analyses a sorted history. Snapshots with fewer than `pages_min` pages are left out.
    pub fn of(
        history: &History,
        method: &str,
        bucket: &str,
        pages_min: usize,
        split: Option<f64>,
    ) -> Evolution {
        let snapshots = history.snapshots(pages_min);
        let years = || snapshots.iter().map(|snapshot| snapshot.year);
        let (first, last) =
            (years().fold(f64::INFINITY, f64::min), years().fold(f64::NEG_INFINITY, f64::max));
        let middle = if first > last { 2000.0 } else { first.midpoint(last) };
        Evolution {
            method: method.to_owned(),
            bucket: bucket.to_owned(),
            sites: history.sites().map(str::to_owned).collect(),
            versions: history.addresses().map(|(_, versions)| versions.len()).sum(),
            // Whole years are easier to refer to.
            split: split.unwrap_or(if last - first > 3.0 { middle.round() } else { middle }),
            durations: TEXTS.map(|(_, text)| durations::of_history(history, text)),
            changes: changes::of_history(history),
            snapshots,
        }
    }

    /// For each measure, the trend of each site, then the trends of all sites together.
    pub fn trends(&self) -> Vec<NamedTrend> {
        let mut trends = Vec::new();
        for (measure, share) in MEASURES {
            let sites = self.points(share);
            let mut add = |name: &str, trend: Option<Trend>| {
                trends.extend(trend.map(|trend| NamedTrend { name: name.to_owned(), measure, trend }));
            };
            sites.iter().for_each(|(site, points)| add(site, trend::through(points)));
            let all: Vec<(f64, f64)> = sites.values().flatten().copied().collect();
            add(ALL, trend::through(&all));
            if sites.len() > 1 {
                add(WITHIN, trend::within_sites(&sites.into_values().collect::<Vec<_>>()));
            }
        }
        trends
    }

    /// The shares of each site over time.
    pub(super) fn points(&self, share: ShareOf) -> BTreeMap<&str, Vec<(f64, f64)>> {
        let mut sites: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
        for snapshot in &self.snapshots {
            sites.entry(&snapshot.site).or_default().push((snapshot.year, share(&snapshot.volume)));
        }
        sites
    }

    /// Mean shares of the selected sites by period. All snapshots of a site have the same weight, and so have all sites.
    pub fn periods(&self, share: ShareOf, is_member: impl Fn(&str) -> bool) -> Periods {
        let mut periods = [const { Vec::new() }; 3];
        for (name, points) in self.points(share) {
            if !is_member(name) {
                continue;
            }
            let mean = |is_in: &dyn Fn(f64) -> bool| {
                let inside: Vec<f64> =
                    points.iter().filter(|(year, _)| is_in(*year)).map(|(_, share)| *share).collect();
                (!inside.is_empty()).then(|| inside.iter().sum::<f64>() / inside.len() as f64)
            };
            let split = self.split;
            periods[0].extend(mean(&|year| year < split));
            periods[1].extend(mean(&|year| year >= split));
            periods[2].extend(mean(&|_| true));
        }
        periods.map(|sites| (!sites.is_empty()).then(|| sites.iter().sum::<f64>() / sites.len() as f64))
    }

    /// The plots, with the names of their files.
    pub fn plots(&self) -> Vec<(&'static str, Plot)> {
        plots::all(self)
    }

    /// All files of the report, by name.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let plots = self.plots();
        let mut files = tables::all(self);
        files.push(("report.html", self.html(&plots)));
        files.extend(plots.into_iter().map(|(name, plot)| (name, plot.svg())));
        files
    }

    fn html(&self, plots: &[(&'static str, Plot)]) -> String {
        let mut body = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_body(&mut body, plots);
        let title = "Templates over time";
        report_page::write(&ReportPage { title, style: STYLE, body: &body, data: None, script: None })
    }

    fn write_body(&self, out: &mut String, plots: &[(&'static str, Plot)]) -> fmt::Result {
        writeln!(out, "<h1>Templates over time</h1>")?;
        let sites = match self.sites.as_slice() {
            [one] => one.clone(),
            many => plural(many.len() as u64, "site"),
        };
        writeln!(
            out,
            "<p>{}: {} of pages in {}, by {}; templates found by {}.</p>",
            Escaped(&sites),
            plural(self.versions as u64, "version"),
            plural(self.snapshots.len() as u64, "snapshot"),
            Escaped(&self.bucket),
            Escaped(&self.method)
        )?;
        let (shares, rest) = plots.split_at(MEASURES.len().min(plots.len()));
        write_figures(out, "How much is template", shares)?;
        self.write_periods(out)?;
        self.write_trends(out)?;
        write_figures(out, "How long texts last, and how much they change", rest)?;
        self.write_changes(out)
    }

    fn write_periods(&self, out: &mut String) -> fmt::Result {
        let split = tables::year_name(self.split);
        writeln!(out, "<h2>Shares by period</h2>")?;
        writeln!(
            out,
            "<p>Means over sites of the means over their snapshots, as in table 2 of the paper.</p>"
        )?;
        writeln!(out, "<table><tr><th><th>before {split}<th>from {split}<th>all</tr>")?;
        for (measure, share) in MEASURES {
            write!(out, "<tr><th>{measure}")?;
            for period in self.periods(share, |_| true) {
                write!(out, "<td>{}", period.map_or("–".to_owned(), percent))?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</table>")
    }

    fn write_trends(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<h2>Trends</h2>")?;
        writeln!(
            out,
            "<p>Lines through the snapshots: points of percent a year with the interval that holds it with 95 %, and the same as a part \
             of the mean share. {WITHIN} is the slope that the sites have in common, each at its own level.</p>"
        )?;
        writeln!(
            out,
            "<table><tr><th>site<th>of<th>snapshots<th>mean<th>points a year<th>growth a year</tr>"
        )?;
        for NamedTrend { name, measure, trend } in self.trends() {
            let margin = trend.margin.map_or(String::new(), |margin| format!(" ± {:.2}", margin * 100.0));
            let growth =
                trend.growth().map_or("–".to_owned(), |growth| format!("{:+.1} %", growth * 100.0));
            let slope = format!("{:+.2}{margin}", trend.slope * 100.0);
            let mean = percent(trend.mean.1);
            let name = Escaped(&name);
            writeln!(
                out,
                "<tr><th>{name}<td>{measure}<td>{}<td>{mean}<td>{slope}<td>{growth}</tr>",
                trend.points
            )?;
        }
        writeln!(out, "</table>")
    }

    fn write_changes(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<h2>In figures</h2>\n<table><tr><th><th>templates<th>content</tr>")?;
        let days = |durations: &[Duration]| durations.iter().map(Duration::days).collect::<Vec<f64>>();
        let [templates, content] = self.durations.each_ref().map(|durations| days(durations));
        writeln!(out, "<tr><th>durations<td>{}<td>{}</tr>", templates.len(), content.len())?;
        let median = |values: &[f64]| {
            tables::median(values).map_or("–".to_owned(), |days| format!("{days:.0} days"))
        };
        writeln!(out, "<tr><th>median duration<td>{}<td>{}</tr>", median(&templates), median(&content))?;
        let changed = |of: fn(&Change) -> f64| {
            let values: Vec<f64> = self.changes.iter().map(of).filter(|value| *value > 0.0).collect();
            let large = values.iter().filter(|value| **value >= 0.65).count() as f64;
            let share =
                if values.is_empty() { "–".to_owned() } else { percent(large / values.len() as f64) };
            let median = tables::median(&values).map_or("–".to_owned(), percent);
            (count(values.len() as u64), median, share)
        };
        let (template, content) = (changed(|change| change.template), changed(|change| change.content));
        writeln!(out, "<tr><th>changes of words<td>{}<td>{}</tr>", template.0, content.0)?;
        writeln!(out, "<tr><th>median of what changed<td>{}<td>{}</tr>", template.1, content.1)?;
        writeln!(out, "<tr><th>changes of 65 % or more<td>{}<td>{}</tr>", template.2, content.2)?;
        let whole = changed(|change| change.whole);
        writeln!(
            out,
            "</table>\n<p>Whole pages: {} changes, median {}, {} of them of 65 % or more.</p>",
            whole.0, whole.1, whole.2
        )
    }
}

fn write_figures(out: &mut String, heading: &str, plots: &[(&'static str, Plot)]) -> fmt::Result {
    writeln!(out, "<h2>{heading}</h2>")?;
    for (file, plot) in plots {
        writeln!(out, "<figure id=\"{}\">{}</figure>", file.trim_end_matches(".svg"), plot.svg())?;
    }
    Ok(())
}
