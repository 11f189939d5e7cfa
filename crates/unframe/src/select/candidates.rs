//! Selectors that might do.

use std::collections::HashMap;

use super::elements::Elements;
use super::selector::{Combinator, Compound, Selector};
use super::targets::Targets;
use crate::detect::PageBytes;
use crate::html::Parser;
use crate::limits::{SELECTOR_CANDIDATES_MAX, SELECTOR_HASHES_MAX};
use crate::regions::{Region, TemplateHash};

/// Classes of an element that are tried one by one.
const CLASSES_MAX: usize = 3;
/// Elements above that are tried as a starting point.
const ANCHORS_MAX: usize = 2;

/// Elements whose name says what they are for.
const SECTIONS: [&str; 6] = ["nav", "header", "footer", "aside", "menu", "search"];

/// The selectors that might do for the template hashes of one site.
#[derive(Debug, Default)]
pub struct Candidates {
    pub(super) hashes: HashMap<TemplateHash, Vec<Selector>>,
}

/// The selectors that one page adds.
pub type PageCandidates = Vec<(TemplateHash, Selector)>;

impl Candidates {
    /// Takes in those of a page. The order of pages matters when there are more than the limits allow.
    pub fn add(&mut self, page: PageCandidates) {
        for (hash, selector) in page {
            if self.hashes.len() >= SELECTOR_HASHES_MAX && !self.hashes.contains_key(&hash) {
                continue;
            }
            let selectors = self.hashes.entry(hash).or_default();
            if selectors.len() < SELECTOR_CANDIDATES_MAX && !selectors.contains(&selector) {
                selectors.push(selector);
            }
        }
    }
}

/// Thinks of selectors for the regions of a page, which are sorted and do not overlap.
pub fn candidates(page: PageBytes<'_>, regions: &[Region], parser: &mut Parser) -> PageCandidates {
    if regions.is_empty() {
        return Vec::new();
    }
    let document = parser.parse(page.payload, page.encoding);
    let elements = Elements::of(&document);
    let targets = Targets::of(&elements, regions);
    let mut found = PageCandidates::new();
    for (region, element) in targets.found {
        let selectors = of_element(&elements, element).into_iter();
        found.extend(selectors.map(|selector| (regions[region].template, selector)));
    }
    found
}

/// Selectors of an element, those first that say most in the fewest words.
fn of_element(page: &Elements<'_>, at: usize) -> Vec<Selector> {
    let element = &page.all[at];
    let mut selectors = Vec::new();
    if let Some(id) = &element.id {
        selectors.push(alone(Compound { id: Some(id.to_string()), ..Compound::default() }));
    }
    let named = named(page, at);
    if !element.classes.is_empty() {
        selectors.push(alone(Compound { classes: element.classes.clone(), ..named.clone() }));
    }
    if element.classes.len() > 1 {
        let classes = element.classes.iter().take(CLASSES_MAX);
        selectors
            .extend(classes.map(|class| alone(Compound { classes: vec![class.clone()], ..named.clone() })));
    }
    let is_telling = SECTIONS.contains(&&*element.name);
    if is_telling {
        selectors.push(alone(named.clone()));
    }
    for anchor in page.ancestors(at).filter(|at| page.all[*at].is_named()).take(ANCHORS_MAX) {
        selectors.extend(below(page, at, anchor));
    }
    if !is_telling {
        selectors.push(alone(named));
    }
    // As a last resort, the way from the root.
    if let Some(root) = page.ancestors(at).last() {
        selectors.push(path(page, at, root, true));
    }
    selectors
}

/// Selectors of an element inside of another that has an id or a class.
fn below(page: &Elements<'_>, at: usize, anchor: usize) -> [Selector; 3] {
    let named = Compound { classes: page.all[at].classes.clone(), ..named(page, at) };
    let inside = Selector {
        steps: vec![(Combinator::Descendant, known(page, anchor)), (Combinator::Descendant, named)],
    };
    [inside, path(page, at, anchor, false), path(page, at, anchor, true)]
}

/// The way from `top` down to an element, step by step.
fn path(page: &Elements<'_>, at: usize, top: usize, with_places: bool) -> Selector {
    let between = page.ancestors(at).take_while(|ancestor| *ancestor != top);
    let mut steps: Vec<(Combinator, Compound)> = std::iter::once(at)
        .chain(between)
        .map(|step| {
            let element = &page.all[step];
            let nth_of_type = Some(element.nth_of_type).filter(|_| with_places && element.has_twins);
            let classes = if with_places { Vec::new() } else { element.classes.clone() };
            (Combinator::Child, Compound { nth_of_type, classes, ..named(page, step) })
        })
        .collect();
    steps.push((Combinator::Descendant, known(page, top)));
    steps.reverse();
    Selector { steps }
}

fn alone(compound: Compound) -> Selector {
    Selector { steps: vec![(Combinator::Descendant, compound)] }
}

/// An element by its name.
fn named(page: &Elements<'_>, at: usize) -> Compound {
    let element = &page.all[at];
    Compound { name: Some(element.name.to_string()), is_foreign: element.is_foreign, ..Compound::default() }
}

/// An element by its id, else by its name and classes.
fn known(page: &Elements<'_>, at: usize) -> Compound {
    let element = &page.all[at];
    match &element.id {
        Some(id) => Compound { id: Some(id.to_string()), ..Compound::default() },
        None => Compound { classes: element.classes.clone(), ..named(page, at) },
    }
}
