//! Classifies pages by known templates.
//!
//! # What it does
//! Templates are known by example pages. A page matches a template if it is similar to any of the template's examples. For methods that
//! compare pages pairwise, similar means: at least as similar as the two least similar examples of that template are to each other, unless
//! the method has a fixed threshold. Only the first [`THRESHOLD_EXAMPLES_MAX`] examples of a template are compared to find this threshold.
//!
//! If several templates match, the one with the most similar example wins, then the one with more similar examples, then the first by name.
//!
//! # Cost
//! One look-up per page, whatever the number of examples, or one comparison with each example. Learning thresholds takes one comparison for
//! each pair of examples of a template, up to the limit.
//!
//! # Paper
//! Hachenberg, Gottron: *Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web Documents* (2013), section 4.

use std::collections::{BTreeMap, HashMap};

use super::comparisons::Structure;
use super::index::{Cut, Index};
use super::method::{Method, Settings, Signature};
use super::vocabulary::Vocabulary;
use super::{Full, check_room};
use crate::limits::THRESHOLD_EXAMPLES_MAX;
use crate::sample::PieceHasher;

/// Templates that are known by examples.
#[derive(Debug, Clone)]
pub struct Classifier {
    settings: Settings,
    /// The names of the templates, in the order in which they were added.
    templates: Vec<String>,
    numbers: HashMap<String, u32>,
    examples: Examples,
    /// The number of different examples.
    len: usize,
}

/// The number of examples of each template, by template index. Templates can share an example.
type Counts = BTreeMap<u32, u64>;

#[derive(Debug, Clone)]
enum Examples {
    Fingerprints {
        index: Index,
        templates: Vec<Counts>,
    },
    Vocabularies {
        templates: HashMap<Vocabulary, Counts>,
        /// The different sketches with each hash key.
        keys: HashMap<u64, Vec<Vocabulary>, PieceHasher>,
    },
    Digests(HashMap<[u8; 16], Counts>),
    Structures {
        all: Vec<(u32, Box<Structure>)>,
        thresholds: Vec<f64>,
    },
}

/// A template that matches a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The template's index in [`Classifier::templates`].
    pub template: u32,
    /// The similarity of the most similar example, from 0 to 1.
    pub similarity: f64,
    /// The number of similar examples.
    pub examples: u64,
}

impl Classifier {
    /// A classifier without templates.
    pub fn new(settings: Settings) -> Classifier {
        let examples = match settings.method {
            Method::Fingerprint => {
                Examples::Fingerprints { index: Index::new(settings.cut), templates: Vec::new() }
            }
            Method::Vocabulary => {
                Examples::Vocabularies { templates: HashMap::new(), keys: HashMap::default() }
            }
            Method::Md5 | Method::Mdh5 => Examples::Digests(HashMap::new()),
            _ => Examples::Structures { all: Vec::new(), thresholds: Vec::new() },
        };
        Classifier { settings, templates: Vec::new(), numbers: HashMap::new(), examples, len: 0 }
    }

    /// The method with its parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The names of the templates.
    pub fn templates(&self) -> &[String] {
        &self.templates
    }

    /// Adds an example of a template.
    pub fn add(&mut self, template: &str, signature: &Signature) -> Result<(), Full> {
        self.add_pages(template, signature, 1)
    }

    /// Adds this many equal examples of a template.
    pub fn add_pages(&mut self, template: &str, signature: &Signature, pages: u64) -> Result<(), Full> {
        check_room(self.settings.method, self.len)?;
        let template = match self.numbers.get(template) {
            Some(number) => *number,
            None => {
                let number = self.templates.len() as u32;
                self.templates.push(template.to_owned());
                self.numbers.insert(template.to_owned(), number);
                number
            }
        };
        self.len += usize::from(match (&mut self.examples, signature) {
            (Examples::Fingerprints { index, templates }, Signature::Fingerprint(value)) => {
                let number = index.find(0, value).unwrap_or_else(|| index.push(0, *value)) as usize;
                templates.resize(templates.len().max(number + 1), Counts::new());
                increase(&mut templates[number], template, pages)
            }
            (Examples::Vocabularies { templates, keys }, Signature::Vocabulary(value)) => {
                let counts = templates.entry(*value).or_default();
                if counts.is_empty() {
                    value.keys().for_each(|key| keys.entry(key).or_default().push(*value));
                }
                increase(counts, template, pages)
            }
            (Examples::Digests(templates), Signature::Digest(value)) => {
                increase(templates.entry(*value).or_default(), template, pages)
            }
            (Examples::Structures { all, thresholds }, Signature::Structure(value)) => {
                // Thresholds are known only once all examples are added.
                thresholds.clear();
                all.push((template, value.clone()));
                true
            }
            _ => false,
        });
        Ok(())
    }

    /// Learns the thresholds of the templates for methods without a fixed threshold. Must be called after the last example. Stops and
    /// returns false when `is_late` returns true.
    pub fn learn_thresholds(&mut self, is_late: impl Fn() -> bool) -> bool {
        let Examples::Structures { all, thresholds } = &mut self.examples else { return true };
        *thresholds = vec![self.settings.method.threshold().unwrap_or(1.0); self.templates.len()];
        if self.settings.method.threshold().is_some() {
            return true;
        }
        let mut compared: Vec<Vec<&Structure>> = vec![Vec::new(); self.templates.len()];
        for (template, one) in all {
            if is_late() {
                return false;
            }
            let (threshold, others) =
                (&mut thresholds[*template as usize], &mut compared[*template as usize]);
            if others.len() < THRESHOLD_EXAMPLES_MAX {
                others.iter().for_each(|other| *threshold = threshold.min(one.similarity(other)));
                others.push(one);
            }
        }
        true
    }

    /// All templates that match a page, ordered by index.
    pub fn matches(&self, signature: &Signature) -> Vec<Match> {
        let mut found = Found::default();
        match (&self.examples, signature) {
            (Examples::Fingerprints { index, templates }, Signature::Fingerprint(value)) => {
                index.similar(0, value, |number| {
                    let is_same = index.entry(number).is_some_and(|(_, other)| other == value);
                    let similarity = if is_same { 1.0 } else { ONE_NUMBER_APART };
                    found.add_all(templates.get(number as usize), similarity);
                });
            }
            (Examples::Vocabularies { templates, keys }, Signature::Vocabulary(value)) => {
                let mut similar: Vec<Vocabulary> =
                    value.keys().filter_map(|key| keys.get(&key)).flatten().copied().collect();
                similar.sort_unstable();
                similar.dedup();
                for other in similar {
                    let similarity = value.alike(&other) as f64 / super::vocabulary::BANDS as f64;
                    found.add_all(templates.get(&other), similarity);
                }
            }
            (Examples::Digests(templates), Signature::Digest(value)) => {
                found.add_all(templates.get(value), 1.0);
            }
            (Examples::Structures { all, thresholds }, Signature::Structure(value)) => {
                for (template, example) in all {
                    let least = thresholds.get(*template as usize);
                    if let Some(similarity) = least.and_then(|least| example.similarity_from(value, *least)) {
                        found.add(*template, 1, similarity);
                    }
                }
            }
            _ => {}
        }
        found.finish()
    }

    /// The template of a page, if one matches.
    pub fn answer(&self, signature: &Signature) -> Option<&str> {
        let matches = self.matches(signature);
        let name = |found: &Match| &self.templates[found.template as usize];
        let best = matches.iter().max_by(|one, other| {
            let by_examples =
                one.similarity.total_cmp(&other.similarity).then(one.examples.cmp(&other.examples));
            by_examples.then_with(|| name(other).cmp(name(one)))
        });
        best.map(|best| name(best).as_str())
    }

    /// All examples of look-up methods as (template, signature, number of pages), sorted.
    pub fn save(&self) -> Vec<(&str, Signature, u64)> {
        let mut saved = Vec::new();
        let mut add = |counts: &Counts, signature: Signature| {
            for (template, pages) in counts {
                saved.push((self.templates[*template as usize].as_str(), signature.clone(), *pages));
            }
        };
        match &self.examples {
            Examples::Fingerprints { index, templates } => {
                for (number, counts) in templates.iter().enumerate() {
                    if let Some((_, value)) = index.entry(number as u32) {
                        add(counts, Signature::Fingerprint(*value));
                    }
                }
            }
            Examples::Vocabularies { templates, .. } => {
                templates.iter().for_each(|(value, counts)| add(counts, Signature::Vocabulary(*value)));
            }
            Examples::Digests(templates) => {
                templates.iter().for_each(|(value, counts)| add(counts, Signature::Digest(*value)));
            }
            Examples::Structures { .. } => {}
        }
        saved.sort_by_cached_key(|(template, signature, _)| (*template, signature.to_bytes()));
        saved
    }

    /// Splits fingerprints at the position where both parts have the same entropy, and returns the position. This affects only the speed.
    pub fn set_best_split(&mut self) -> Option<usize> {
        let Examples::Fingerprints { index, templates } = &mut self.examples else { return None };
        let pages = templates.iter().map(|counts| counts.values().sum());
        let fingerprints = pages.enumerate().filter_map(|(number, pages)| {
            index.entry(number as u32).map(|(_, fingerprint)| (fingerprint, pages))
        });
        let length = self.settings.cut.length();
        let split = super::split::best(&super::split::entropies(fingerprints, length))?;
        self.settings.cut = Cut::new(length, split);
        let mut moved = Index::new(self.settings.cut);
        (0..index.len() as u32).filter_map(|number| index.entry(number)).for_each(|(scope, fingerprint)| {
            moved.push(scope, *fingerprint);
        });
        *index = moved;
        Some(split)
    }
}

/// The similarity of fingerprints that differ in one number, which is less than that of equal fingerprints.
const ONE_NUMBER_APART: f64 = 0.5;

/// Adds to the count of a template's examples, and returns whether they are its first ones.
fn increase(counts: &mut Counts, template: u32, more: u64) -> bool {
    let is_first = !counts.contains_key(&template);
    *counts.entry(template).or_default() += more;
    is_first
}

/// The templates that match a page, by index.
#[derive(Default)]
struct Found(BTreeMap<u32, Match>);

impl Found {
    fn add(&mut self, template: u32, pages: u64, similarity: f64) {
        let found = self.0.entry(template).or_insert(Match { template, similarity, examples: 0 });
        found.similarity = found.similarity.max(similarity);
        found.examples += pages;
    }

    fn add_all(&mut self, counts: Option<&Counts>, similarity: f64) {
        counts.into_iter().flatten().for_each(|(template, pages)| self.add(*template, *pages, similarity));
    }

    fn finish(self) -> Vec<Match> {
        self.0.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Fingerprint;
    use crate::limits::{COMPARED_PAGES_MAX, FINGERPRINTS_MAX};

    fn fingerprint(numbers: &[u8]) -> Signature {
        Signature::Fingerprint(Fingerprint::new(numbers).unwrap())
    }

    fn set(elements: &[u64]) -> Signature {
        Signature::Structure(Box::new(Structure::Set(elements.to_vec())))
    }

    #[test]
    fn a_page_gets_the_template_of_a_similar_example_or_none() {
        let mut classifier = Classifier::new(Settings::new(Method::Fingerprint));
        classifier.add("shop", &fingerprint(&[0, 0, 0, 0])).unwrap();
        classifier.add("news", &fingerprint(&[0, 1, 0, 2])).unwrap();
        assert_eq!(classifier.answer(&fingerprint(&[0, 0, 0, 9])), Some("shop"));
        assert_eq!(classifier.answer(&fingerprint(&[0, 1, 0])), Some("news"));
        assert_eq!(classifier.answer(&fingerprint(&[9, 9, 0, 0])), None);
        // Equal beats similar, then more examples beat fewer, then names decide.
        classifier.add("shop", &fingerprint(&[0, 1, 0, 3])).unwrap();
        assert_eq!(classifier.answer(&fingerprint(&[0, 1, 0, 2])), Some("news"));
        assert_eq!(classifier.answer(&fingerprint(&[0, 1, 0, 4])), Some("news"));
        classifier.add("shop", &fingerprint(&[0, 1, 0, 3])).unwrap();
        assert_eq!(classifier.answer(&fingerprint(&[0, 1, 0, 4])), Some("shop"));
        assert_eq!(classifier.matches(&fingerprint(&[0, 1, 0, 4])).len(), 2);
    }

    #[test]
    fn thresholds_are_the_smallest_similarity_of_two_examples() {
        let mut classifier = Classifier::new(Settings::new(Method::Cp));
        classifier.add("a", &set(&[1, 2, 3, 4])).unwrap();
        classifier.add("a", &set(&[1, 2, 3, 9])).unwrap();
        classifier.add("a", &set(&[1, 2, 8, 9])).unwrap();
        assert!(classifier.learn_thresholds(|| false));
        // The first example and the last have two of four elements in common.
        assert_eq!(classifier.answer(&set(&[1, 2, 30, 40])), Some("a"));
        assert_eq!(classifier.answer(&set(&[1, 20, 30, 40])), None);
        assert!(!classifier.learn_thresholds(|| true));
        // A method with a fixed threshold learns none from the examples.
        let mut classifier = Classifier::new(Settings::new(Method::Ctss));
        classifier.add("a", &set(&[1, 2, 3, 4, 5])).unwrap();
        assert!(classifier.learn_thresholds(|| false));
        assert_eq!(classifier.answer(&set(&[1, 2, 3, 4, 9])), Some("a"));
        assert_eq!(classifier.answer(&set(&[1, 2, 3, 8, 9])), None);
    }

    #[test]
    fn so_many_examples_of_a_template_are_compared_and_no_more() {
        let mut classifier = Classifier::new(Settings::new(Method::Cp));
        (1..THRESHOLD_EXAMPLES_MAX).for_each(|_| classifier.add("a", &set(&[1, 2])).unwrap());
        classifier.add("a", &set(&[1, 3])).unwrap();
        classifier.add("a", &set(&[4, 5])).unwrap();
        classifier.learn_thresholds(|| false);
        // The last example is past the limit for thresholds, but it still matches: half of it is enough, as for the one before it.
        assert_eq!(classifier.answer(&set(&[4, 9])), Some("a"));
        assert_eq!(classifier.answer(&set(&[8, 9])), None);
    }

    #[test]
    fn a_page_that_is_an_example_of_very_many_templates_takes_no_longer_for_each() {
        let begin = std::time::Instant::now();
        let mut classifier = Classifier::new(Settings::new(Method::Mdh5));
        let page = Signature::Digest([1; 16]);
        (0..200_000).for_each(|number| classifier.add(&format!("{number:06}"), &page).unwrap());
        assert_eq!((classifier.matches(&page).len(), classifier.answer(&page)), (200_000, Some("000000")));
        // This takes a second or two. A linear search among the templates for each of them would take a minute.
        assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
    }

    #[test]
    fn sketches_and_hashes_are_looked_up() {
        let mut classifier = Classifier::new(Settings::new(Method::Vocabulary));
        classifier.add("a", &Signature::Vocabulary(Vocabulary([1, 2, 3, 4, 5, 6, 7, 8]))).unwrap();
        classifier.add("b", &Signature::Vocabulary(Vocabulary([1, 2, 3, 0, 0, 0, 0, 0]))).unwrap();
        let answer = |numbers| classifier.answer(&Signature::Vocabulary(Vocabulary(numbers)));
        assert_eq!(answer([1, 2, 3, 4, 9, 9, 9, 9]), Some("a"));
        assert_eq!(answer([1, 2, 3, 9, 9, 9, 9, 0]), Some("b"));
        assert_eq!(answer([1, 2, 3, 9, 9, 9, 9, 9]), Some("a"));
        assert_eq!(answer([1, 2, 9, 9, 9, 9, 9, 9]), None);
        let mut classifier = Classifier::new(Settings::new(Method::Mdh5));
        classifier.add("a", &Signature::Digest([1; 16])).unwrap();
        assert_eq!(classifier.answer(&Signature::Digest([1; 16])), Some("a"));
        assert_eq!(classifier.answer(&Signature::Digest([2; 16])), None);
    }

    #[test]
    fn slow_comparisons_take_so_many_examples_and_no_more() {
        let mut classifier = Classifier::new(Settings::new(Method::Cp));
        (0..COMPARED_PAGES_MAX).for_each(|_| classifier.add("a", &set(&[1])).unwrap());
        let error = classifier.add("a", &set(&[1])).unwrap_err().to_string();
        assert_eq!(
            error,
            "the method would have to keep more than 100000 pages: split the input or use another method"
        );
    }

    #[test]
    fn so_many_fingerprints_are_held_and_no_more() {
        let mut classifier = Classifier::new(Settings::new(Method::Fingerprint));
        // So many real examples would take gigabytes, so the test only sets the count.
        classifier.len = FINGERPRINTS_MAX - 1;
        assert_eq!(classifier.add("a", &fingerprint(&[1])), Ok(()));
        assert_eq!(classifier.add("a", &fingerprint(&[2])), Err(Full(FINGERPRINTS_MAX)));
    }

    #[test]
    fn the_cut_changes_no_answer() {
        let mut classifier = Classifier::new(Settings::new(Method::Fingerprint));
        (0..20).for_each(|number| classifier.add("x", &fingerprint(&[0, 0, number, 3, number])).unwrap());
        let split = classifier.set_best_split();
        assert!(split.is_some());
        assert_eq!(classifier.answer(&fingerprint(&[0, 0, 7, 3, 9])), Some("x"));
    }
}
