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
    /// How long each could take for each of its two tasks.
    pub budget: Duration,
    /// What was wrong with the input.
    pub problems: Vec<String>,
}

/// The scores of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodReport {
    /// The method.
    pub method: Method,
    /// All sites together, or each site.
    pub collections: Vec<CollectionReport>,
}

/// The scores of a method on pages that were compared with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionReport {
    /// What it is called.
    pub name: String,
    /// How many pages it has.
    pub pages: usize,
    /// How many templates.
    pub templates: usize,
    /// `None` if it did not finish.
    pub classification: Option<Classification>,
    /// `None` if it did not finish.
    pub clustering: Option<Clustering>,
}

/// How well pages were classified: every pair of a page and a template is one decision.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Classification {
    /// Pages, each of one template.
    pub pages: u64,
    /// Templates.
    pub templates: u64,
    /// Pages that were found to be of their template.
    pub true_positives: u64,
    /// How often a page was found to be of a template that it is not of.
    pub false_positives: u64,
    /// Seconds for the signatures of all pages and for classifying them.
    pub seconds: f64,
    /// Seconds for learning from the examples.
    pub training_seconds: f64,
}

/// How well pages were clustered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clustering {
    /// The measures.
    pub agreement: Agreement,
    /// Pages.
    pub pages: u64,
    /// Seconds for the signatures and the clusters.
    pub seconds: f64,
}

impl Classification {
    /// The share of right decisions among those that say yes; 1 if none does.
    pub fn precision(&self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of pages that were found to be of their template.
    pub fn recall(&self) -> f64 {
        ratio(self.true_positives, self.pages)
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> f64 {
        ratio(2 * self.true_positives, self.pages + self.true_positives + self.false_positives)
    }

    /// The share of right decisions.
    pub fn accuracy(&self) -> f64 {
        let (all, missed) = (self.pages * self.templates, self.pages - self.true_positives);
        ratio(all.saturating_sub(self.false_positives + missed), all)
    }

    fn add(&mut self, other: &Classification) {
        self.pages += other.pages;
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.seconds += other.seconds;
        self.training_seconds += other.training_seconds;
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn rate(pages: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { pages as f64 / seconds } else { 0.0 }
}

impl MethodReport {
    /// All decisions together; `None` if it did not finish everywhere. Accuracy is the mean over the collections.
    fn classification(&self) -> Option<(Classification, f64)> {
        let mut sum = Classification::default();
        let mut accuracy = 0.0;
        for collection in &self.collections {
            let score = collection.classification.as_ref()?;
            sum.add(score);
            accuracy += score.accuracy() / self.collections.len() as f64;
        }
        Some((sum, accuracy))
    }

    /// The mean over the collections, the sum of clusters, and pages a second; `None` if it did not finish everywhere.
    pub fn clustering(&self) -> Option<(Agreement, f64)> {
        let mut mean = Agreement { clusters: 0, rand: 0.0, adjusted_rand: 0.0, purity: 0.0 };
        let (mut pages, mut seconds) = (0, 0.0);
        let count = self.collections.len() as f64;
        for collection in &self.collections {
            let Clustering { agreement, pages: more, seconds: took } = collection.clustering.as_ref()?;
            mean.clusters += agreement.clusters;
            mean.rand += agreement.rand / count;
            mean.adjusted_rand += agreement.adjusted_rand / count;
            mean.purity += agreement.purity / count;
            pages += more;
            seconds += took;
        }
        Some((mean, rate(pages, seconds)))
    }
}

const CLASSIFICATION: [&str; 6] = ["method", "precision", "recall", "F1", "accuracy", "pages/s"];
const CLUSTERING: [&str; 6] = ["method", "clusters", "Rand", "adjusted Rand", "purity", "pages/s"];

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
                Some((score, accuracy)) => vec![
                    name.clone(),
                    four(score.precision()),
                    four(score.recall()),
                    four(score.f1()),
                    four(accuracy),
                    format!("{:.0}", rate(score.pages, score.seconds)),
                ],
                None => vec![format!("{name}: {late}")],
            });
            clustering.row(match method.clustering() {
                Some((agreement, rate)) => vec![
                    name,
                    agreement.clusters.to_string(),
                    four(agreement.rand),
                    four(agreement.adjusted_rand),
                    four(agreement.purity),
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

    /// One row for each method and collection. Cells of what did not finish are empty.
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
                "accuracy",
                "classified_pages_per_second",
                "training_seconds",
                "clusters",
                "rand",
                "adjusted_rand",
                "purity",
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
                Some(score) => cells.extend([
                    four(score.precision()),
                    four(score.recall()),
                    four(score.f1()),
                    format!("{:.6}", score.accuracy()),
                    format!("{:.1}", rate(score.pages, score.seconds)),
                    format!("{:.3}", score.training_seconds),
                ]),
                None => cells.extend(vec![String::new(); 6]),
            }
            if let Some(Clustering { agreement, pages, seconds }) = &collection.clustering {
                cells.extend([
                    agreement.clusters.to_string(),
                    four(agreement.rand),
                    four(agreement.adjusted_rand),
                    four(agreement.purity),
                    format!("{:.1}", rate(*pages, *seconds)),
                ]);
            }
            table.row(cells);
        }
        table.csv()
    }

    /// Everything; null for what did not finish.
    pub fn json(&self) -> Value {
        let rows = self.rows().map(|(method, collection)| {
            json!({
                "method": method.to_string(),
                "collection": collection.name,
                "pages": collection.pages,
                "templates": collection.templates,
                "classification": collection.classification.as_ref().map(|score| json!({
                    "precision": score.precision(),
                    "recall": score.recall(),
                    "f1": score.f1(),
                    "accuracy": score.accuracy(),
                    "pages_per_second": rate(score.pages, score.seconds),
                    "training_seconds": score.training_seconds,
                })),
                "clustering": collection.clustering.as_ref().map(|Clustering { agreement, pages, seconds }| json!({
                    "clusters": agreement.clusters,
                    "rand": agreement.rand,
                    "adjusted_rand": agreement.adjusted_rand,
                    "purity": agreement.purity,
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

fn four(value: f64) -> String {
    format!("{value:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_page_and_template_is_a_decision() {
        // Of ten pages and four templates, eight are found, and twice a wrong template is.
        let score = Classification {
            pages: 10,
            templates: 4,
            true_positives: 8,
            false_positives: 2,
            ..Classification::default()
        };
        assert_eq!((score.precision(), score.recall(), score.f1()), (0.8, 0.8, 0.8));
        assert_eq!(score.accuracy(), 36.0 / 40.0);
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
        assert!(report.csv().contains("rtdm,all sites,5,2,,,,,,,,,,,\n"), "{}", report.csv());
    }
}
