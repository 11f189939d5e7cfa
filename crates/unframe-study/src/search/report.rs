//! The results of the search study as tables.

use super::queries::QueryKind;
use super::{RANKINGS, ResultRanks, SiteSearch};
use crate::method::Method;
use crate::table::Table;

/// The results of the search study.
pub struct SearchReport {
    methods: Vec<String>,
    sites: Vec<SiteSearch>,
    examples: usize,
    /// The problems of the input.
    pub problems: Vec<String>,
}

impl SearchReport {
    pub(super) fn new(methods: &[Method], examples: usize) -> SearchReport {
        let names =
            std::iter::once("none".to_owned()).chain(methods.iter().map(|method| method.name.clone()));
        SearchReport { methods: names.collect(), sites: Vec::new(), examples, problems: Vec::new() }
    }

    pub(super) fn add(&mut self, mut site: SiteSearch) {
        self.problems.append(&mut site.problems);
        self.sites.push(site);
    }

    /// All tables.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.relevance().text(), self.sizes().text());
        if self.examples > 0 {
            text.push('\n');
            text.push_str(&self.examples());
        }
        text
    }

    /// The means of each method, for each ranking and kind of query.
    fn relevance(&self) -> Table {
        let headings =
            ["ranking", "queries from", "method", "queries", "MRR", "recall at 10", "right in first 10"];
        let mut table = Table::new(3, headings);
        for (at, ranking) in RANKINGS.iter().enumerate() {
            for kind in QueryKind::ALL.into_iter().map(Some).chain([None]) {
                for (method, name) in self.methods.iter().enumerate() {
                    let Some(mean) = self.mean(at, kind, method) else { continue };
                    table.row([
                        ranking.to_string(),
                        kind.map_or("all kinds", QueryKind::name).to_owned(),
                        name.clone(),
                        mean.queries.to_string(),
                        format!("{:.4}", mean.reciprocal),
                        format!("{:.4}", mean.recall),
                        format!("{:.2}", mean.in_ten),
                    ]);
                }
            }
        }
        table
    }

    /// The names of the methods: `none`, then the compared methods.
    pub fn methods(&self) -> &[String] {
        &self.methods
    }

    /// For each site, its name, the number of its pages, and the seconds that each method took to find its templates and to build its index.
    pub fn seconds(&self) -> impl Iterator<Item = (&str, usize, &[f64])> {
        self.sites.iter().map(|site| (site.site.as_str(), site.pages, site.seconds.as_slice()))
    }

    /// The means over all queries of a kind, or of all kinds; `ranking` and `method` are indices.
    pub fn mean(&self, ranking: usize, kind: Option<QueryKind>, method: usize) -> Option<Mean> {
        let answers = self.sites.iter().flat_map(|site| &site.answers);
        let asked = answers.filter(|answers| kind.is_none_or(|kind| answers.query.kind == kind));
        let mut mean = Mean::default();
        for answers in asked {
            let ResultRanks { first, in_ten } = answers.places[ranking][method];
            mean.queries += 1;
            mean.reciprocal += first.map_or(0.0, |first| 1.0 / first as f64);
            mean.recall += in_ten as f64 / answers.query.right.len().clamp(1, 10) as f64;
            mean.in_ten += in_ten as f64;
        }
        let count = mean.queries as f64;
        (mean.queries > 0).then(|| Mean {
            queries: mean.queries,
            reciprocal: mean.reciprocal / count,
            recall: mean.recall / count,
            in_ten: mean.in_ten / count,
        })
    }

    fn sizes(&self) -> Table {
        let mut table =
            Table::new(1, ["method", "index kB", "texts in it kB", "words in it kB", "words against none"]);
        let words = |method: usize| -> u64 {
            self.sites.iter().map(|site| site.sizes[method].total - site.sizes[method].stored).sum()
        };
        for (method, name) in self.methods.iter().enumerate() {
            let total: u64 = self.sites.iter().map(|site| site.sizes[method].total).sum();
            table.row([
                name.clone(),
                (total / 1000).to_string(),
                ((total - words(method)) / 1000).to_string(),
                (words(method) / 1000).to_string(),
                format!("{:.3}", words(method) as f64 / words(0).max(1) as f64),
            ]);
        }
        table
    }

    /// The queries that gained and lost most by BM25, compared with removing nothing.
    fn examples(&self) -> String {
        let mut table =
            Table::new(4, ["method", "queries from", "site", "query", "place without removal", "place"]);
        for (method, name) in self.methods.iter().enumerate().skip(1) {
            for kind in QueryKind::ALL {
                let mut changed: Vec<(f64, &str, &str, [String; 2])> = Vec::new();
                for site in &self.sites {
                    for answers in site.answers.iter().filter(|answers| answers.query.kind == kind) {
                        let of = |method: usize| answers.places[0][method].first;
                        let worth = |place: Option<usize>| place.map_or(0.0, |place| 1.0 / place as f64);
                        let gain = worth(of(method)) - worth(of(0));
                        let shown = [of(0), of(method)]
                            .map(|place| place.map_or("-".to_owned(), |place| place.to_string()));
                        changed.push((gain, &site.site, &answers.query.text, shown));
                    }
                }
                changed.sort_by(|one, other| other.0.total_cmp(&one.0));
                let count = self.examples.min(changed.len() / 2);
                let (best, worst) = (changed.iter().take(count), changed.iter().rev().take(count));
                for (gain, site, text, [before, after]) in best.chain(worst) {
                    if *gain != 0.0 {
                        let cells = [name, kind.name(), site, text, before, after];
                        table.row(cells.map(ToString::to_string));
                    }
                }
            }
        }
        table.text()
    }
}

/// Means over queries.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    /// The number of queries.
    pub queries: usize,
    /// The mean reciprocal rank of the first right page.
    pub reciprocal: f64,
    /// The mean recall among the first ten results.
    pub recall: f64,
    /// The mean number of right pages among the first ten.
    pub in_ten: f64,
}
