//! The scores of methods as a table, as CSV and as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::gold::GoldKind;
use crate::table::Table;
use crate::values::ValueScore;
use crate::words::WordScore;

/// Number of sites with the largest losses that the table of gold values lists.
const WORST_SHOWN: usize = 5;

/// The scores of several methods on one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The kind of the gold data.
    pub kind: GoldKind,
    /// The baseline `none`, which removes nothing, then the methods.
    pub methods: Vec<MethodReport>,
    /// The problems of the input.
    pub problems: Vec<String>,
}

/// The scores of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodReport {
    /// The name, with the parameters that differ from the defaults.
    pub name: String,
    /// The sites, the same for all methods.
    pub sites: Vec<SiteReport>,
}

/// The score of a method on a site.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteReport {
    /// The site.
    pub site: String,
    /// The number of pages that were learned from and labelled.
    pub pages_learned: usize,
    /// The number of scored pages.
    pub pages_scored: usize,
    /// The score.
    pub score: Score,
    /// The scores of its pages by page type. Pages without a type in the gold file are left out.
    pub by_type: ByType,
    /// The speed of the method on this site.
    pub speed: Speed,
}

/// Scores of pages by their type.
pub type ByType = BTreeMap<String, Vec<WordScore>>;

/// The score for either kind of gold data.
#[derive(Debug, Clone, PartialEq)]
pub enum Score {
    /// The mean over the pages.
    Words(WordScore),
    /// The sum over the pages.
    Values(ValueScore),
}

/// The time for learning and labelling on one thread. All fields are zero for `none`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Speed {
    /// The number of pages.
    pub pages: u64,
    /// The bytes of their payloads.
    pub bytes: u64,
    /// Seconds.
    pub seconds: f64,
}

impl std::ops::AddAssign for Speed {
    fn add_assign(&mut self, other: Speed) {
        self.pages += other.pages;
        self.bytes += other.bytes;
        self.seconds += other.seconds;
    }
}

impl Score {
    /// The scores that the tables compare, from 0 to 1, with the names of their columns.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        match self {
            Score::Words(score) => {
                vec![("precision", score.precision), ("recall", score.recall), ("f1", score.f1)]
            }
            Score::Values(score) => {
                vec![("kept", score.kept_share()), ("repeated_removed", score.repeated.fraction())]
            }
        }
    }
}

impl Speed {
    /// Pages a second and megabytes (of 1,000,000 bytes) a second.
    pub fn per_second(self) -> Option<(f64, f64)> {
        let rate = |amount: f64| amount / self.seconds;
        (self.seconds > 0.0).then(|| (rate(self.pages as f64), rate(self.bytes as f64 / 1e6)))
    }
}

impl MethodReport {
    /// The mean of each score over the sites.
    pub fn mean(&self) -> Vec<(&'static str, f64)> {
        let sites: Vec<Vec<(&'static str, f64)>> =
            self.sites.iter().map(|site| site.score.figures()).collect();
        let Some(first) = sites.first() else { return Vec::new() };
        let mean = |at: usize| sites.iter().map(|figures| figures[at].1).sum::<f64>() / sites.len() as f64;
        first.iter().enumerate().map(|(at, (name, _))| (*name, mean(at))).collect()
    }

    /// The word scores of all pages, by page type.
    pub fn by_type(&self) -> ByType {
        let mut all = ByType::new();
        for (name, scores) in self.sites.iter().flat_map(|site| &site.by_type) {
            all.entry(name.clone()).or_default().extend(scores);
        }
        all
    }

    /// The sum of the value scores of all sites; `None` for gold texts.
    pub fn values(&self) -> Option<ValueScore> {
        let mut sum = ValueScore::default();
        for site in &self.sites {
            match &site.score {
                Score::Words(_) => return None,
                Score::Values(score) => sum.add(score),
            }
        }
        Some(sum)
    }

    /// The speed over all sites.
    pub fn speed(&self) -> Speed {
        let mut sum = Speed::default();
        self.sites.iter().for_each(|site| sum += site.speed);
        sum
    }

    fn worst(&self) -> Vec<&SiteReport> {
        let mut sites: Vec<&SiteReport> = self.sites.iter().collect();
        let kept = |site: &SiteReport| site.score.figures().first().map_or(1.0, |figure| figure.1);
        sites.sort_by(|one, other| kept(one).total_cmp(&kept(other)));
        sites.truncate(WORST_SHOWN);
        sites
    }
}

impl Report {
    /// The report for a terminal: all methods, then all sites.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.methods_table().text(), self.sites_table().text());
        let types = self.types_table();
        if !types.is_empty() {
            text.push_str("\nF1 by type of page, mean of the pages:\n");
            text.push_str(&types.text());
        }
        if self.kind == GoldKind::Values {
            text.push_str("\nThe sites that lost the most values:\n");
            text.push_str(&self.worst_table().text());
        }
        text.push_str(
            "\nSpeed is that of learning and labelling on one thread; reading and scoring are left out.\n",
        );
        text
    }

    /// One row for each method and site, and one for each method over all sites.
    pub fn csv(&self) -> String {
        let figures = self.figure_names();
        let mut headings = vec!["method", "site", "pages_learned", "pages_scored"];
        headings.extend(&figures);
        headings.extend(["pages_per_second", "megabytes_per_second"]);
        let mut table = Table::new(2, headings);
        for method in &self.methods {
            for site in &method.sites {
                let pages = [site.pages_learned, site.pages_scored];
                table.row(csv_row(&method.name, &site.site, pages, &site.score.figures(), site.speed));
            }
            let sum = |pages: fn(&SiteReport) -> usize| method.sites.iter().map(pages).sum();
            let pages = [sum(|site| site.pages_learned), sum(|site| site.pages_scored)];
            table.row(csv_row(&method.name, "(mean of sites)", pages, &method.mean(), method.speed()));
        }
        table.csv()
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let methods: Vec<Value> = self.methods.iter().map(json_of_method).collect();
        let kind = match self.kind {
            GoldKind::Text => "words",
            GoldKind::Values => "values",
        };
        json!({"score": kind, "methods": methods, "problems": self.problems})
    }

    fn figure_names(&self) -> Vec<&'static str> {
        let first = self.methods.first().map(MethodReport::mean).unwrap_or_default();
        first.into_iter().map(|(name, _)| name).collect()
    }

    fn methods_table(&self) -> Table {
        let headings: &[&str] = match self.kind {
            GoldKind::Text => &["method", "precision", "recall", "F1", "pages/s", "MB/s"],
            GoldKind::Values => {
                &["method", "kept", "of values", "mean of sites", "repeated text removed", "pages/s", "MB/s"]
            }
        };
        let mut table = Table::new(1, headings.iter().copied());
        for method in &self.methods {
            let mut cells = vec![method.name.clone()];
            if let Some(values) = method.values() {
                cells.extend([share(values.kept_share()), values.visible.to_string()]);
            }
            cells.extend(method.mean().into_iter().map(|(_, figure)| share(figure)));
            cells.extend(speed_cells(method.speed(), 0));
            table.row(cells);
        }
        table
    }

    fn sites_table(&self) -> Table {
        let short = |name| match name {
            "precision" => "P",
            "recall" => "R",
            "f1" => "F1",
            "repeated_removed" => "removed",
            other => other,
        };
        let mut headings = vec!["site".to_owned(), "pages".to_owned()];
        for method in &self.methods {
            headings.extend(
                self.figure_names().into_iter().map(|name| format!("{} {}", method.name, short(name))),
            );
        }
        let mut table = Table::new(1, headings);
        let rows = self.methods.first().map_or(&[][..], |method| &method.sites);
        for (number, site) in rows.iter().enumerate() {
            let mut cells = vec![site.site.clone(), site.pages_scored.to_string()];
            let scores = self.methods.iter().flat_map(|method| method.sites[number].score.figures());
            cells.extend(scores.map(|(_, figure)| share(figure)));
            table.row(cells);
        }
        table
    }

    /// A row for each type of page, a column for each method.
    fn types_table(&self) -> Table {
        let pages = self.methods.iter().map(MethodReport::by_type).collect::<Vec<_>>();
        let names = self.methods.iter().map(|method| method.name.clone());
        let mut table = Table::new(1, ["type".to_owned(), "pages".to_owned()].into_iter().chain(names));
        for (name, scores) in pages.first().into_iter().flatten() {
            let means =
                pages.iter().map(|types| types.get(name).map_or(0.0, |scores| WordScore::mean(scores).f1));
            let cells = [name.clone(), scores.len().to_string()];
            table.row(cells.into_iter().chain(means.map(share)));
        }
        table
    }

    fn worst_table(&self) -> Table {
        let mut table = Table::new(2, ["method", "site", "kept", "of values"]);
        for method in self.methods.iter().skip(1) {
            for site in method.worst() {
                if let Score::Values(score) = &site.score {
                    let cells = [share(score.kept_share()), score.visible.to_string()];
                    table.row([method.name.clone(), site.site.clone()].into_iter().chain(cells));
                }
            }
        }
        table
    }
}

fn share(figure: f64) -> String {
    format!("{figure:.3}")
}

fn speed_cells(speed: Speed, digits: usize) -> [String; 2] {
    match speed.per_second() {
        Some((pages, megabytes)) => [format!("{pages:.digits$}"), format!("{megabytes:.1}")],
        None => Default::default(),
    }
}

fn csv_row(
    method: &str,
    site: &str,
    pages: [usize; 2],
    figures: &[(&str, f64)],
    speed: Speed,
) -> Vec<String> {
    let mut cells = vec![method.to_owned(), site.to_owned()];
    cells.extend(pages.map(|pages| pages.to_string()));
    cells.extend(figures.iter().map(|(_, figure)| format!("{figure:.6}")));
    cells.extend(speed_cells(speed, 1));
    cells
}

fn json_of_method(method: &MethodReport) -> Value {
    let mut value = json!({
        "method": method.name,
        "mean": json_of_figures(&method.mean()),
        "speed": json_of_speed(method.speed()),
        "types": json_of_types(&method.by_type()),
        "sites": method.sites.iter().map(json_of_site).collect::<Vec<_>>(),
    });
    if let Some(values) = method.values() {
        value["values"] = json_of_values(&values);
    }
    value
}

fn json_of_types(types: &ByType) -> Value {
    let mean = |scores: &[WordScore]| json!({"pages": scores.len(), "f1": WordScore::mean(scores).f1});
    types.iter().map(|(name, scores)| (name.clone(), mean(scores))).collect()
}

fn json_of_site(site: &SiteReport) -> Value {
    let mut value = json!({
        "site": site.site,
        "pages_learned": site.pages_learned,
        "pages_scored": site.pages_scored,
        "score": json_of_figures(&site.score.figures()),
        "speed": json_of_speed(site.speed),
    });
    if let Score::Values(score) = &site.score {
        value["values"] = json_of_values(score);
        let lost = score.lost.iter();
        let lost =
            lost.map(|lost| json!({"url": lost.url, "attribute": lost.attribute, "value": lost.value}));
        value["lost"] = lost.collect();
    }
    value
}

fn json_of_figures(figures: &[(&'static str, f64)]) -> Value {
    figures.iter().map(|(name, figure)| (name.to_string(), json!(figure))).collect()
}

fn json_of_values(score: &ValueScore) -> Value {
    json!({
        "known": score.known,
        "visible": score.visible,
        "kept": score.kept,
        "kept_share": score.kept_share(),
        "repeated": {"removed": score.repeated.template, "total": score.repeated.total},
    })
}

fn json_of_speed(speed: Speed) -> Value {
    match speed.per_second() {
        Some((pages, megabytes)) => json!({"pages_per_second": pages, "megabytes_per_second": megabytes}),
        None => Value::Null,
    }
}
