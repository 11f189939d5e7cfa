//! Derives candidate selectors.

use std::collections::HashMap;

use super::elements::Elements;
use super::selector::{Combinator, Compound, Selector};
use super::targets::Targets;
use super::without_markup;
use crate::limits::{
    SELECTOR_CANDIDATES_MAX, SELECTOR_HASHES_MAX, SELECTOR_NAMES_MAX, SELECTOR_STEPS_MAX, SELECTORS_BYTES_MAX,
};
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash};

/// Maximum number of classes of an element that are tried one by one.
const CLASSES_MAX: usize = 3;
/// Maximum number of ancestors that are tried as a starting point.
const ANCHORS_MAX: usize = 2;

/// Elements whose name states their purpose.
const SECTIONS: [&str; 6] = ["nav", "header", "footer", "aside", "menu", "search"];

/// The candidate selectors for the template hashes of a page or a site.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The selectors by hash, in the order in which the hashes were first seen.
    pub(super) all: Vec<(TemplateHash, Vec<Selector>)>,
    places: HashMap<TemplateHash, usize>,
    /// An estimate of the memory that the selectors take.
    pub(super) bytes: usize,
}

impl Candidates {
    /// Adds the candidates of a page. The order of pages matters when there are more candidates than the limits allow.
    pub fn add(&mut self, page: Candidates) {
        for (hash, selectors) in page.all {
            selectors.into_iter().for_each(|selector| self.push(hash, selector));
        }
    }

    /// An estimate of the memory that the candidates take.
    pub fn bytes(&self) -> usize {
        self.bytes + self.all.len() * 2 * size_of::<(TemplateHash, Vec<Selector>)>()
    }

    /// Adds a selector, unless it is known or a limit is reached.
    pub(super) fn push(&mut self, hash: TemplateHash, selector: Selector) {
        let bytes = self.bytes + selector.bytes();
        if self.is_full(hash) || bytes > SELECTORS_BYTES_MAX {
            return;
        }
        let place = *self.places.entry(hash).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push((hash, Vec::new()));
        }
        let selectors = &mut self.all[place].1;
        if !selectors.contains(&selector) {
            selectors.push(selector);
            self.bytes = bytes;
        }
    }

    /// Whether a hash has the maximum number of selectors.
    fn is_full(&self, hash: TemplateHash) -> bool {
        match self.places.get(&hash) {
            Some(place) => self.all[*place].1.len() >= SELECTOR_CANDIDATES_MAX,
            None => self.all.len() >= SELECTOR_HASHES_MAX,
        }
    }
}

/// Derives candidate selectors for the regions of a page, which must be sorted and must not overlap.
pub fn candidates(page: &ParsedPage<'_>, regions: &[Region]) -> Candidates {
    let mut found = Candidates::default();
    let regions = &without_markup(regions)[..];
    if regions.is_empty() {
        return found;
    }
    let document = page.document();
    let elements = Elements::of(document);
    for (region, element) in Targets::of(&elements, regions).found {
        let hash = regions[region].template;
        // A page may have a hundred thousand elements of one hash, so excess selectors are not even built.
        if !found.is_full(hash) {
            of_element(&elements, element).into_iter().for_each(|selector| found.push(hash, selector));
        }
    }
    found
}

/// Selectors of an element, ordered from specific and short to less so.
fn of_element(page: &Elements<'_>, at: usize) -> Vec<Selector> {
    let element = &page.all[at];
    let mut selectors = Vec::new();
    if !is_short(page, [at]) {
        return selectors;
    }
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
    let is_section = SECTIONS.contains(&&*element.name);
    if is_section {
        selectors.push(alone(named.clone()));
    }
    for anchor in page.ancestors(at).filter(|at| page.all[*at].is_named()).take(ANCHORS_MAX) {
        selectors.extend(below(page, at, anchor));
    }
    // As a last resort, use the path from the root. A bare name such as `a` or `h2` is never enough: on the sampled pages it may select
    // templates only, but on the next page it selects content.
    if let Some(root) = page.ancestors(at).last() {
        selectors.extend([path(page, at, root, false), path(page, at, root, true)].into_iter().flatten());
    }
    selectors
}

/// Selectors of an element inside an ancestor that has an id or a class.
fn below(page: &Elements<'_>, at: usize, anchor: usize) -> impl Iterator<Item = Selector> {
    let inside = is_short(page, [at, anchor]).then(|| {
        let named = Compound { classes: page.all[at].classes.clone(), ..named(page, at) };
        let steps = vec![(Combinator::Descendant, known(page, anchor)), (Combinator::Descendant, named)];
        Selector { steps }
    });
    [inside, path(page, at, anchor, false), path(page, at, anchor, true)].into_iter().flatten()
}

/// The path from `top` down to an element, step by step, unless it is too long. Elements that browsers imply, which the trees of other
/// programs do not have, are skipped.
fn path(page: &Elements<'_>, at: usize, top: usize, with_places: bool) -> Option<Selector> {
    let below_top = || std::iter::once(at).chain(page.ancestors(at).take_while(|ancestor| *ancestor != top));
    if !is_short(page, below_top().chain([top])) {
        return None;
    }
    let step = |step: usize| {
        let element = &page.all[step];
        let nth_of_type = Some(element.nth_of_type).filter(|_| with_places && element.has_twins);
        let classes = if with_places { Vec::new() } else { element.classes.clone() };
        Compound { nth_of_type, classes, ..named(page, step) }
    };
    let mut steps = vec![(Combinator::Descendant, known(page, top))];
    let mut combinator = Combinator::Child;
    for at in below_top().collect::<Vec<_>>().into_iter().rev() {
        if page.all[at].may_be_implied() {
            combinator = Combinator::Descendant;
            continue;
        }
        steps.push((combinator, step(at)));
        combinator = Combinator::Child;
    }
    Some(Selector { steps })
}

/// Whether a selector with a step for each of these elements is within the limits, whatever its conditions.
fn is_short(page: &Elements<'_>, steps: impl IntoIterator<Item = usize>) -> bool {
    let (mut count, mut names) = (0, 0);
    steps.into_iter().all(|at| {
        count += 1;
        names += page.all[at].names_len;
        count <= SELECTOR_STEPS_MAX && names <= SELECTOR_NAMES_MAX
    })
}

fn alone(compound: Compound) -> Selector {
    Selector { steps: vec![(Combinator::Descendant, compound)] }
}

/// A compound with the name of an element.
fn named(page: &Elements<'_>, at: usize) -> Compound {
    let element = &page.all[at];
    Compound { name: Some(element.name.to_string()), is_foreign: element.is_foreign, ..Compound::default() }
}

/// A compound with the id of an element, else with its name and classes.
fn known(page: &Elements<'_>, at: usize) -> Compound {
    let element = &page.all[at];
    match &element.id {
        Some(id) => Compound { id: Some(id.to_string()), ..Compound::default() },
        None => Compound { classes: element.classes.clone(), ..named(page, at) },
    }
}
