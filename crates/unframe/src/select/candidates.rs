//! Derives candidate selectors.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

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
    /// The candidates by hash, in the order in which the hashes were first seen. Those of a hash are sorted.
    pub(super) all: Vec<(TemplateHash, Vec<Candidate>)>,
    places: HashMap<TemplateHash, usize>,
    /// An estimate of the memory that the selectors take.
    pub(super) bytes: usize,
    /// A hash of the page, for the candidates of one page.
    page: u64,
}

/// A candidate selector for a template hash.
///
/// Candidates of a site are sorted by the hashes of their pages, so those that are kept do not depend on the order of the input. Sorted by
/// simplicity instead, ids such as `#post-123`, which only one page has, would leave no room for others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// Of the pages that have the candidate, the smallest hash.
    page: u64,
    /// The position among the candidates of the template hash on that page: from specific and short to less so.
    at: u32,
    pub(super) selector: Selector,
}

impl Candidates {
    /// Adds the candidates of a page. The order of pages matters only for a site with more template hashes than
    /// [`SELECTOR_HASHES_MAX`], or whose candidates take more memory than [`SELECTORS_BYTES_MAX`].
    pub fn add(&mut self, page: Candidates) {
        for (hash, candidates) in page.all {
            candidates.into_iter().for_each(|candidate| self.insert(hash, candidate));
        }
    }

    /// An estimate of the memory that the candidates take.
    pub fn bytes(&self) -> usize {
        self.bytes + self.all.len() * 2 * size_of::<(TemplateHash, Vec<Candidate>)>()
    }

    /// Adds a selector of the page, unless it is known or a limit is reached.
    pub(super) fn push(&mut self, hash: TemplateHash, selector: Selector) {
        if !self.is_full(hash) {
            let at = self.places.get(&hash).map_or(0, |place| self.all[*place].1.len()) as u32;
            self.insert(hash, Candidate { page: self.page, at, selector });
        }
    }

    /// Adds a candidate, unless a limit is reached. Of too many candidates for a hash, the smallest are kept, each selector once.
    fn insert(&mut self, hash: TemplateHash, new: Candidate) {
        let known = match self.places.get(&hash) {
            Some(place) => &self.all[*place].1[..],
            None if self.all.len() >= SELECTOR_HASHES_MAX => return,
            None => &[],
        };
        let is_full = known.len() >= SELECTOR_CANDIDATES_MAX;
        if is_full && known.last().is_some_and(|last| *last <= new) {
            return;
        }
        let same = known.iter().position(|candidate| candidate.selector == new.selector);
        if same.is_some_and(|same| known[same] <= new) {
            return;
        }
        let gone = same.or(known.len().checked_sub(1).filter(|_| is_full));
        let bytes = self.bytes + new.selector.bytes() - gone.map_or(0, |at| known[at].selector.bytes());
        if bytes > SELECTORS_BYTES_MAX {
            return;
        }
        let place = *self.places.entry(hash).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push((hash, Vec::new()));
        }
        let candidates = &mut self.all[place].1;
        if let Some(gone) = gone {
            candidates.remove(gone);
        }
        candidates.insert(candidates.partition_point(|candidate| *candidate < new), new);
        self.bytes = bytes;
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
    let mut found = Candidates { page: xxh3_64(page.payload()), ..Candidates::default() };
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
