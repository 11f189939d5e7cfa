//! Scores of methods that compare the structure of pages: classification and clustering.
//!
//! The known templates are either the sites of a folder, with all pages together, or, where gold files have `page_type`, the kinds of pages inside
//! each site, with every site on its own.
//!
//! Classification is cross-validated: a seeded shuffle distributes the pages of each template over the folds, and each fold is classified by the
//! examples in all other folds. Every pair of a page and a template is one decision, as in the paper. Clustering processes all pages once.
//! Each method has a budget of processor time for each of the two tasks; a task that exceeds it is reported as unfinished.
//! Everything runs on one thread.

mod agreement;
mod few_examples;
mod paired;
mod report;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use unframe::fingerprint::method::{METHODS, UnknownMethod};
use unframe::fingerprint::{Classifier, Clusters, Method, Settings, Signature, SignatureMaker};
use unframe::sample::Rank;

pub use agreement::Agreement;
pub use few_examples::{FewExamples, few_examples};
pub use paired::{PairedTest, paired_test};
pub use report::{
    Classification, Clustering, CollectionReport, Measures, MethodReport, StructureReport, TemplateCounts,
};

use crate::clock::Clock;
use crate::gold::{GoldError, GoldFolder, GoldPage};

/// Options of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What counts as one template.
    pub by: By,
    /// Number of folds of the cross-validation, at least 2.
    pub folds: usize,
    /// The processor time that a method may use for classification, and again for clustering.
    pub budget: Duration,
    /// The seed that distributes pages over the folds.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { by: By::Auto, folds: 10, budget: Duration::from_secs(60), seed: 0 }
    }
}

/// What counts as one template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The kinds of pages if the gold data have any, else the sites.
    Auto,
    /// Each site is one template.
    Site,
    /// Each kind of page of a site is one template.
    PageType,
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<By, String> {
        match text {
            "auto" => Ok(By::Auto),
            "site" => Ok(By::Site),
            "page-type" => Ok(By::PageType),
            _ => Err(format!("`{text}` is not a grouping: choose auto, site or page-type")),
        }
    }
}

/// Reads the name of a method, or `all`.
pub fn methods(name: &str) -> Result<Vec<Method>, UnknownMethod> {
    match name {
        "all" => Ok(METHODS.iter().map(|(_, method)| *method).collect()),
        name => Ok(vec![name.parse()?]),
    }
}

/// A site is divided into kinds of pages only if it has this many labelled pages.
const LABELLED_PAGES_MIN: usize = 10;

/// Pages with known templates.
struct Collection {
    name: String,
    templates: Vec<String>,
    /// The pages, each with the index of its template.
    pages: Vec<(usize, GoldPage)>,
}

/// Scores methods on a folder of gold data.
///
/// # Errors
/// If the folder or one of its files is missing, or a gold file is broken.
pub fn evaluate(folder: &Path, methods: &[Method], options: &Options) -> Result<StructureReport, GoldError> {
    evaluate_folder(&GoldFolder::open(folder)?, methods, options)
}

/// The same as [`evaluate`], for a folder that is already open.
///
/// # Errors
/// If one of its files is missing, or a gold file is broken.
pub fn evaluate_folder(
    folder: &GoldFolder,
    methods: &[Method],
    options: &Options,
) -> Result<StructureReport, GoldError> {
    let (collections, problems) = read(folder, options.by)?;
    let reports = methods.iter().map(|method| {
        let (mut classify, mut cluster) = (Budget::new(options.budget), Budget::new(options.budget));
        MethodReport {
            method: *method,
            collections: collections
                .iter()
                .map(|collection| CollectionReport {
                    name: collection.name.clone(),
                    pages: collection.pages.len(),
                    templates: collection.templates.len(),
                    classification: classification(collection, *method, options, &mut classify),
                    clustering: clustering(collection, *method, &mut cluster),
                })
                .collect(),
        }
    });
    Ok(StructureReport { methods: reports.collect(), budget: options.budget, problems })
}

fn read(folder: &GoldFolder, by: By) -> Result<(Vec<Collection>, Vec<String>), GoldError> {
    let mut problems = Vec::new();
    let mut whole = Collection { name: "all sites".to_owned(), templates: Vec::new(), pages: Vec::new() };
    let mut sites = Vec::new();
    for site in &folder.sites {
        let types = if by == By::Site { Default::default() } else { site.page_types()? };
        if by == By::PageType && types.len() < LABELLED_PAGES_MIN {
            continue;
        }
        let read = site.read(usize::MAX)?;
        problems.extend(read.problems);
        if types.len() < LABELLED_PAGES_MIN {
            let template = whole.templates.len();
            whole.templates.push(site.name.clone());
            whole.pages.extend(read.pages.into_iter().map(|page| (template, page)));
            continue;
        }
        let labelled = read.pages.into_iter();
        let labelled = labelled.filter_map(|page| Some((types.get(&page.page.url)?.clone(), page)));
        sites.push(Collection::new(&site.name, labelled.collect()));
    }
    if by == By::PageType && sites.is_empty() {
        return Err(GoldError::NoKinds { path: folder.path.clone(), pages_min: LABELLED_PAGES_MIN });
    }
    let collections = if sites.is_empty() { vec![whole] } else { sites };
    Ok((collections, problems))
}

impl Collection {
    fn new(name: &str, labelled: Vec<(String, GoldPage)>) -> Collection {
        let mut templates: Vec<String> = labelled.iter().map(|(label, _)| label.clone()).collect();
        templates.sort();
        templates.dedup();
        let number = |label: &String| templates.binary_search(label).unwrap_or(0);
        let pages = labelled.into_iter().map(|(label, page)| (number(&label), page)).collect();
        Collection { name: name.to_owned(), templates, pages }
    }

    /// The index of each template by its name.
    fn numbers(&self) -> HashMap<&str, usize> {
        self.templates.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect()
    }

    /// The fold of each page.
    fn folds(&self, folds: usize, seed: u64) -> Vec<usize> {
        let mut by_template: BTreeMap<usize, Vec<(Rank, usize)>> = BTreeMap::new();
        for (number, (template, page)) in self.pages.iter().enumerate() {
            let rank = Rank::of(&page.page.url, &page.page.payload, seed);
            by_template.entry(*template).or_default().push((rank, number));
        }
        let mut parts = vec![0; self.pages.len()];
        let mut next = 0;
        for pages in by_template.values_mut() {
            pages.sort();
            for (_, number) in pages {
                parts[*number] = next % folds;
                next += 1;
            }
        }
        parts
    }
}

/// The time that a method has left.
struct Budget {
    left: Duration,
}

impl Budget {
    fn new(left: Duration) -> Budget {
        Budget { left }
    }

    /// Runs a task within the budget. A task that exceeds it returns `None` and leaves no time for later tasks.
    fn run<T>(&mut self, work: impl FnOnce(&dyn Fn() -> bool) -> Option<T>) -> Option<T> {
        let clock = Clock::start();
        let left = self.left;
        let result = work(&|| clock.is_over(left));
        self.left = if result.is_some() { left.saturating_sub(clock.elapsed()) } else { Duration::ZERO };
        result
    }
}

/// The signatures of all pages, and the seconds for making them.
fn signatures(
    collection: &Collection,
    method: Method,
    is_late: &dyn Fn() -> bool,
) -> Option<(Vec<Signature>, f64)> {
    let clock = Clock::start();
    let mut maker = SignatureMaker::new(&Settings::new(method));
    let mut signatures = Vec::with_capacity(collection.pages.len());
    for (_, page) in &collection.pages {
        if is_late() {
            return None;
        }
        signatures.push(maker.make(&page.page.payload, page.page.charset.encoding));
    }
    Some((signatures, clock.seconds()))
}

fn classification(
    collection: &Collection,
    method: Method,
    options: &Options,
    budget: &mut Budget,
) -> Option<Classification> {
    let parts = collection.folds(options.folds, options.seed);
    budget.run(|is_late| {
        let (signatures, seconds) = signatures(collection, method, is_late)?;
        let mut score = Classification { pages: signatures.len() as u64, seconds, ..Default::default() };
        score.by_template = vec![TemplateCounts::default(); collection.templates.len()];
        collection.pages.iter().for_each(|(template, _)| score.by_template[*template].pages += 1);
        let numbers = collection.numbers();
        for part in 0..options.folds {
            let clock = Clock::start();
            let mut classifier = Classifier::new(Settings::new(method));
            for ((template, _), (signature, of)) in collection.pages.iter().zip(signatures.iter().zip(&parts))
            {
                if *of != part && classifier.add(&collection.templates[*template], signature).is_err() {
                    return None;
                }
            }
            if !classifier.learn_thresholds(is_late) {
                return None;
            }
            score.training_seconds += clock.seconds();
            let clock = Clock::start();
            for ((template, _), (signature, _)) in
                (collection.pages.iter().zip(signatures.iter().zip(&parts)))
                    .filter(|(_, (_, of))| **of == part)
            {
                if is_late() {
                    return None;
                }
                for found in classifier.matches(signature) {
                    let name = &classifier.templates()[found.template as usize];
                    let Some(found) = numbers.get(name.as_str()) else { continue };
                    let counts = &mut score.by_template[*found];
                    match found == template {
                        true => counts.true_positives += 1,
                        false => counts.false_positives += 1,
                    }
                }
            }
            score.seconds += clock.seconds();
        }
        Some(score)
    })
}

fn clustering(collection: &Collection, method: Method, budget: &mut Budget) -> Option<Clustering> {
    budget.run(|is_late| {
        let clock = Clock::start();
        let (signatures, _) = signatures(collection, method, is_late)?;
        let mut clusters = Clusters::new(Settings::new(method));
        let mut entries = Vec::with_capacity(signatures.len());
        for signature in &signatures {
            if is_late() {
                return None;
            }
            entries.push(clusters.add(0, signature).ok()?);
        }
        let names = clusters.names();
        let found: Vec<u64> = entries.iter().filter_map(|entry| Some(names.of(*entry)?.0)).collect();
        let seconds = clock.seconds();
        let gold: Vec<u64> = collection.pages.iter().map(|(template, _)| *template as u64).collect();
        Some(Clustering { agreement: Agreement::of(&gold, &found), pages: found.len() as u64, seconds })
    })
}
