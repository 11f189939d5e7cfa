//! How long methods take to classify pages by a few examples of each template: table 4 of the paper.

use std::time::Duration;

use unframe::fingerprint::{Classifier, Method, Settings, SignatureMaker};

use super::{By, Collection, read};
use crate::clock::Clock;
use crate::gold::{GoldError, GoldFolder};

/// The result of a method within its budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FewExamples {
    /// The method.
    pub method: Method,
    /// The number of pages to classify.
    pub pages: usize,
    /// The number of pages that were classified within the budget.
    pub classified: usize,
    /// The seconds for classifying them, including their signatures. Learning the examples is not included.
    pub seconds: f64,
}

impl FewExamples {
    /// The estimated seconds for all pages, extrapolated if the budget was too small. `None` if not a single page was classified.
    pub fn seconds_for_all(&self) -> Option<f64> {
        (self.classified > 0).then(|| self.seconds * self.pages as f64 / self.classified as f64)
    }
}

/// Learns the first `examples` pages of each site and classifies the others, method by method.
///
/// # Errors
/// If a file of the folder is missing or broken.
pub fn few_examples(
    folder: &GoldFolder,
    methods: &[Method],
    examples: usize,
    budget: Duration,
) -> Result<Vec<FewExamples>, GoldError> {
    let (collections, _) = read(folder, By::Site)?;
    let Some(collection) = collections.first() else { return Ok(Vec::new()) };
    Ok(methods.iter().map(|method| classify(collection, *method, examples, budget)).collect())
}

fn classify(collection: &Collection, method: Method, examples: usize, budget: Duration) -> FewExamples {
    let mut maker = SignatureMaker::new(&Settings::new(method));
    let mut classifier = Classifier::new(Settings::new(method));
    let mut learned = vec![0; collection.templates.len()];
    let mut others = Vec::new();
    for (template, page) in &collection.pages {
        if learned[*template] == examples {
            others.push(&page.page);
            continue;
        }
        learned[*template] += 1;
        let signature = maker.make(&page.page.payload, page.page.charset.encoding);
        // This cannot fail: the capacity of a classifier is far larger than a few examples.
        let _ = classifier.add(&collection.templates[*template], &signature);
    }
    let mut result = FewExamples { method, pages: others.len(), classified: 0, seconds: 0.0 };
    let clock = Clock::start();
    if !classifier.learn_thresholds(|| clock.is_over(budget)) {
        return result;
    }
    let clock = Clock::start();
    for page in others {
        if clock.is_over(budget) {
            break;
        }
        let signature = maker.make(&page.payload, page.charset.encoding);
        std::hint::black_box(classifier.matches(&signature));
        result.classified += 1;
    }
    result.seconds = clock.seconds();
    result
}
