//! The scores as a table, as CSV and as JSON.

use std::time::Duration;

use serde_json::{Value, json};
use unframe::fingerprint::Method;

use super::Agreement;
use crate::table::Table;

/// The scores of several methods on one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct StructureReport {
    /// The methods.
    pub methods: Vec<MethodReport>,
    /// The budget of each method for each of its two tasks.
    pub budget: Duration,
    /// The problems of the input.
    pub problems: Vec<String>,
}

/// The scores of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodReport {
    /// The method.
    pub method: Method,
    /// One report for all sites together, or one for each site.
    pub collections: Vec<CollectionReport>,
}

/// The scores of a method on pages that were compared with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionReport {
    /// Its name.
    pub name: String,
    /// The number of pages.
    pub pages: usize,
    /// The number of templates.
    pub templates: usize,
    /// `None` if the method exceeded its budget.
    pub classification: Option<Classification>,
    /// `None` if the method exceeded its budget.
    pub clustering: Option<Clustering>,
}

/// How well pages were classified: every pair of a page and a template is one decision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Classification {
    /// The number of pages. Each has exactly one template.
    pub pages: u64,
    /// The counts of decisions by template.
    pub by_template: Vec<TemplateCounts>,
    /// Seconds for making the signatures of all pages and classifying them.
    pub seconds: f64,
    /// Seconds for learning from the examples.
    pub training_seconds: f64,
}

/// The counts of decisions about one template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TemplateCounts {
    /// The number of its pages.
    pub pages: u64,
    /// The number of its pages that were assigned to it.
    pub true_positives: u64,
    /// The number of pages of other templates that were assigned to it.
    pub false_positives: u64,
}

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// The share of correct decisions among the positive ones.
    pub precision: f64,
    /// The share of pages that were assigned to their template.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
}

impl TemplateCounts {
    /// The measures of this template. A template to which no page was assigned has a precision of 0.
    pub fn measures(&self) -> Measures {
        let TemplateCounts { pages, true_positives, false_positives } = *self;
        let share = |whole: u64| if whole == 0 { 0.0 } else { true_positives as f64 / whole as f64 };
        let f1 = 2.0 * share(pages + true_positives + false_positives);
        Measures { precision: share(true_positives + false_positives), recall: share(pages), f1 }
    }
}

/// How well pages were clustered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clustering {
    /// The measures.
    pub agreement: Agreement,
    /// The number of pages.
    pub pages: u64,
    /// Seconds for making the signatures and the clusters.
    pub seconds: f64,
}

impl Classification {
    /// Micro-averaged measures: all decisions are pooled, so that templates count by their pages. Without positive decisions, the precision is 1.
    pub fn micro(&self) -> Measures {
        let (right, wrong) = (self.sum(|counts| counts.true_positives), self.false_positives());
        Measures {
            precision: ratio(right, right + wrong),
            recall: ratio(right, self.pages),
            f1: ratio(2 * right, self.pages + right + wrong),
        }
    }

    /// Macro-averaged measures: all templates have the same weight. The mean of F1 is not the harmonic mean of the other two.
    pub fn macro_averaged(&self) -> Measures {
        let of_templates: Vec<Measures> = self.by_template.iter().map(TemplateCounts::measures).collect();
        let mean = |figure: fn(&Measures) -> f64| {
            of_templates.iter().map(figure).sum::<f64>() / of_templates.len().max(1) as f64
        };
        Measures {
            precision: mean(|measures| measures.precision),
            recall: mean(|measures| measures.recall),
            f1: mean(|measures| measures.f1),
        }
    }

    /// The share of correct decisions.
    pub fn accuracy(&self) -> f64 {
        let all = self.pages * self.by_template.len() as u64;
        let missed = self.pages - self.sum(|counts| counts.true_positives);
        ratio(all.saturating_sub(self.false_positives() + missed), all)
    }

    fn false_positives(&self) -> u64 {
        self.sum(|counts| counts.false_positives)
    }

    fn sum(&self, figure: fn(&TemplateCounts) -> u64) -> u64 {
        self.by_template.iter().map(figure).sum()
    }

    fn add(&mut self, other: &Classification) {
        self.pages += other.pages;
        self.by_template.extend(&other.by_template);
        self.seconds += other.seconds;
        self.training_seconds += other.training_seconds;
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

pub(crate) fn rate(pages: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { pages as f64 / seconds } else { 0.0 }
}

impl MethodReport {
    /// The pooled decisions and the mean accuracy over the collections; `None` if the method did not finish on all of them.
    pub fn classification(&self) -> Option<(Classification, f64)> {
        let mut sum = Classification::default();
        let mut accuracy = 0.0;
        for collection in &self.collections {
            let score = collection.classification.as_ref()?;
            sum.add(score);
            accuracy += score.accuracy() / self.collections.len() as f64;
        }
        Some((sum, accuracy))
    }

    /// Means over the collections with the total number of clusters, and pages a second; `None` if the method did not finish on all of them.
    pub fn clustering(&self) -> Option<(Agreement, f64)> {
        let mut mean =
            Agreement { clusters: 0, rand: 0.0, adjusted_rand: 0.0, purity: 0.0, mean_purity: 0.0 };
        let (mut pages, mut seconds) = (0, 0.0);
        let count = self.collections.len() as f64;
        for collection in &self.collections {
            let Clustering { agreement, pages: more, seconds: took } = collection.clustering.as_ref()?;
            mean.clusters += agreement.clusters;
            mean.rand += agreement.rand / count;
            mean.adjusted_rand += agreement.adjusted_rand / count;
            mean.purity += agreement.purity / count;
            mean.mean_purity += agreement.mean_purity / count;
            pages += more;
            seconds += took;
        }
        Some((mean, rate(pages, seconds)))
    }
}

const CLASSIFICATION: [&str; 9] = [
    "method",
    "precision",
    "recall",
    "F1",
    "macro precision",
    "macro recall",
    "macro F1",
    "accuracy",
    "pages/s",
];
const CLUSTERING: [&str; 7] =
    ["method", "clusters", "Rand", "adjusted Rand", "purity", "mean purity", "pages/s"];

impl StructureReport {
    /// The report for a terminal.
    pub fn text(&self) -> String {
        let first = self.methods.first().map_or(&[][..], |method| &method.collections);
        let pages: usize = first.iter().map(|collection| collection.pages).sum();
        let templates: usize = first.iter().map(|collection| collection.templates).sum();
        let names: Vec<&str> = first.iter().map(|collection| collection.name.as_str()).collect();
        let late = format!("not finished within {} s", self.budget.as_secs());
        let (mut classification, mut clustering) = (Table::new(1, CLASSIFICATION), Table::new(1, CLUSTERING));
        for method in &self.methods {
            let name = method.method.to_string();
            classification.row(match method.classification() {
                Some((score, accuracy)) => {
                    let mut cells = vec![name.clone()];
                    cells.extend(six(&score).map(four));
                    cells.extend([four(accuracy), format!("{:.0}", rate(score.pages, score.seconds))]);
                    cells
                }
                None => vec![format!("{name}: {late}")],
            });
            clustering.row(match method.clustering() {
                Some((agreement, rate)) => vec![
                    name,
                    agreement.clusters.to_string(),
                    four(agreement.rand),
                    four(agreement.adjusted_rand),
                    four(agreement.purity),
                    four(agreement.mean_purity),
                    format!("{rate:.0}"),
                ],
                None => vec![format!("{name}: {late}")],
            });
        }
        let mut text = format!(
            "{pages} pages of {templates} templates in {} collections: {}\n\nClassification, cross-validated:\n{}\nClustering:\n{}",
            first.len(),
            names.join(", "),
            classification.text(),
            clustering.text()
        );
        if first.len() > 1 {
            text.push_str("\nAdjusted Rand index of each collection:\n");
            text.push_str(&self.collections_table().text());
        }
        text.push_str("\nSpeed is that of one thread, from the bytes of a page to the result; examples were learned before.\n");
        text
    }

    fn collections_table(&self) -> Table {
        let names = self.methods.iter().map(|method| method.method.to_string());
        let mut table = Table::new(1, std::iter::once("collection".to_owned()).chain(names));
        for at in 0..self.methods.first().map_or(0, |method| method.collections.len()) {
            let score = |method: &MethodReport| {
                let clustering = method.collections.get(at).and_then(|collection| collection.clustering);
                clustering.map_or("–".to_owned(), |score| four(score.agreement.adjusted_rand))
            };
            let name = self.methods[0].collections[at].name.clone();
            table.row(std::iter::once(name).chain(self.methods.iter().map(score)));
        }
        table
    }

    /// One row for each method and collection. The cells of unfinished tasks are empty.
    pub fn csv(&self) -> String {
        let mut table = Table::new(
            2,
            [
                "method",
                "collection",
                "pages",
                "templates",
                "precision",
                "recall",
                "f1",
                "macro_precision",
                "macro_recall",
                "macro_f1",
                "accuracy",
                "classified_pages_per_second",
                "training_seconds",
                "clusters",
                "rand",
                "adjusted_rand",
                "purity",
                "mean_purity",
                "clustered_pages_per_second",
            ],
        );
        for (method, collection) in self.rows() {
            let mut cells = vec![
                method.to_string(),
                collection.name.clone(),
                collection.pages.to_string(),
                collection.templates.to_string(),
            ];
            match &collection.classification {
                Some(score) => {
                    cells.extend(six(score).map(four));
                    cells.extend([
                        format!("{:.6}", score.accuracy()),
                        format!("{:.1}", rate(score.pages, score.seconds)),
                        format!("{:.3}", score.training_seconds),
                    ]);
                }
                None => cells.extend(vec![String::new(); 9]),
            }
            if let Some(Clustering { agreement, pages, seconds }) = &collection.clustering {
                cells.extend([
                    agreement.clusters.to_string(),
                    four(agreement.rand),
                    four(agreement.adjusted_rand),
                    four(agreement.purity),
                    four(agreement.mean_purity),
                    format!("{:.1}", rate(*pages, *seconds)),
                ]);
            }
            table.row(cells);
        }
        table.csv()
    }

    /// The report as JSON; unfinished tasks are null.
    pub fn json(&self) -> Value {
        let rows = self.rows().map(|(method, collection)| {
            json!({
                "method": method.to_string(),
                "collection": collection.name,
                "pages": collection.pages,
                "templates": collection.templates,
                "classification": collection.classification.as_ref().map(|score| json!({
                    "precision": score.micro().precision,
                    "recall": score.micro().recall,
                    "f1": score.micro().f1,
                    "macro_precision": score.macro_averaged().precision,
                    "macro_recall": score.macro_averaged().recall,
                    "macro_f1": score.macro_averaged().f1,
                    "accuracy": score.accuracy(),
                    "pages_per_second": rate(score.pages, score.seconds),
                    "training_seconds": score.training_seconds,
                })),
                "clustering": collection.clustering.as_ref().map(|Clustering { agreement, pages, seconds }| json!({
                    "clusters": agreement.clusters,
                    "rand": agreement.rand,
                    "adjusted_rand": agreement.adjusted_rand,
                    "purity": agreement.purity,
                    "mean_purity": agreement.mean_purity,
                    "pages_per_second": rate(*pages, *seconds),
                })),
            })
        });
        json!({
            "budget_seconds": self.budget.as_secs(),
            "results": rows.collect::<Vec<_>>(),
            "problems": self.problems,
        })
    }

    fn rows(&self) -> impl Iterator<Item = (Method, &CollectionReport)> {
        self.methods
            .iter()
            .flat_map(|method| method.collections.iter().map(|collection| (method.method, collection)))
    }
}

/// The micro-averaged measures, then the macro-averaged ones.
fn six(score: &Classification) -> [f64; 6] {
    let (micro, means) = (score.micro(), score.macro_averaged());
    [micro.precision, micro.recall, micro.f1, means.precision, means.recall, means.f1]
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_page_and_template_is_a_decision() {
        // Ten pages of four templates: eight pages are assigned correctly, and there are two false positives.
        let first = TemplateCounts { pages: 6, true_positives: 6, false_positives: 2 };
        let second = TemplateCounts { pages: 4, true_positives: 2, false_positives: 0 };
        let score = Classification {
            pages: 10,
            by_template: vec![first, second, none(), none()],
            ..Default::default()
        };
        assert_eq!(score.micro(), Measures { precision: 0.8, recall: 0.8, f1: 0.8 });
        assert_eq!(score.accuracy(), 36.0 / 40.0);
    }

    /// A template without pages and decisions.
    fn none() -> TemplateCounts {
        TemplateCounts::default()
    }

    #[test]
    fn every_template_counts_alike_in_macro_averages() {
        let first = TemplateCounts { pages: 6, true_positives: 6, false_positives: 2 };
        let second = TemplateCounts { pages: 4, true_positives: 2, false_positives: 0 };
        assert_eq!(first.measures(), Measures { precision: 0.75, recall: 1.0, f1: 12.0 / 14.0 });
        assert_eq!(second.measures(), Measures { precision: 1.0, recall: 0.5, f1: 4.0 / 6.0 });
        // No page was assigned to the third template, so its precision is 0, as in the paper's figures for MD5.
        let third = TemplateCounts { pages: 5, true_positives: 0, false_positives: 0 };
        assert_eq!(third.measures(), Measures::default());
        let score =
            Classification { pages: 15, by_template: vec![first, second, third], ..Default::default() };
        let Measures { precision, recall, f1 } = score.macro_averaged();
        assert!((precision - 1.75 / 3.0).abs() < 1e-12 && (recall - 0.5).abs() < 1e-12, "{score:?}");
        assert!((f1 - (12.0 / 14.0 + 4.0 / 6.0) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_did_not_finish_says_so() {
        let collection = CollectionReport {
            name: "all sites".to_owned(),
            pages: 5,
            templates: 2,
            classification: None,
            clustering: None,
        };
        let report = StructureReport {
            methods: vec![MethodReport { method: Method::Rtdm, collections: vec![collection] }],
            budget: Duration::from_secs(7),
            problems: Vec::new(),
        };
        assert_eq!(report.text().matches("rtdm: not finished within 7 s").count(), 2, "{}", report.text());
        assert!(report.json()["results"][0]["clustering"].is_null());
        assert!(report.csv().contains("rtdm,all sites,5,2,,,,,,,,,,,,,,,\n"), "{}", report.csv());
    }
}
