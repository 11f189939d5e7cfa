//! Matches many selectors on one page at a time.
//!
//! Selectors are kept in a tree that is keyed from their last compound, so that selectors with a common end are matched together. A
//! compound that several selectors share is compared with each element only once.

use std::collections::{BTreeSet, HashMap};
use std::iter;

use super::elements::{Element, Elements};
use super::selector::{Combinator, Compound, Selector};

/// Selectors with their indexes.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub(super) selectors: Vec<Selector>,
    compounds: Vec<Compound>,
    compound_numbers: HashMap<Compound, usize>,
    /// The compounds that require an id, a class or a name, by that key.
    by_key: HashMap<Key, Vec<usize>>,
    /// The nodes of the tree, the root first.
    steps: Vec<Step>,
}

/// A node of the tree: the common end of several selectors.
#[derive(Debug, Default)]
struct Step {
    /// The selector that is complete here.
    selector: Option<usize>,
    inside: HashMap<usize, usize>,
    directly_inside: HashMap<usize, usize>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Id(String),
    Class(String),
    /// The name, with the position among the siblings of that name if it is required.
    Name(String, Option<u32>),
}

impl Matcher {
    /// Adds a selector and returns its index. Equal selectors have the same index.
    pub(super) fn add(&mut self, selector: Selector) -> usize {
        if self.steps.is_empty() {
            self.steps.push(Step::default());
        }
        let (mut at, mut combinator) = (0, Combinator::Child);
        for (before, compound) in selector.steps.iter().rev() {
            let compound = self.compound(compound);
            let next = self.steps.len();
            at = *self.steps[at].after(combinator).entry(compound).or_insert(next);
            if at == next {
                self.steps.push(Step::default());
            }
            combinator = *before;
        }
        let next = self.selectors.len();
        let number = *self.steps[at].selector.get_or_insert(next);
        if number == next {
            self.selectors.push(selector);
        }
        number
    }

    fn compound(&mut self, compound: &Compound) -> usize {
        if let Some(number) = self.compound_numbers.get(compound) {
            return *number;
        }
        let number = self.compounds.len();
        self.by_key.entry(Key::of(compound)).or_default().push(number);
        self.compound_numbers.insert(compound.clone(), number);
        self.compounds.push(compound.clone());
        number
    }

    /// Prepares the matching on a page.
    pub(super) fn on<'p>(&'p self, page: &'p Elements<'p>) -> Selected<'p> {
        Selected {
            matcher: self,
            page,
            fitting: page.all.iter().map(|element| self.fitting(element)).collect(),
        }
    }

    /// The compounds that match an element.
    fn fitting(&self, element: &Element<'_>) -> Vec<usize> {
        let name = || element.name.to_string();
        let keys = element.id.iter().map(|id| Key::Id(id.to_string()));
        let keys = keys.chain(element.classes.iter().map(|class| Key::Class(class.clone())));
        let keys = keys.chain([Key::Name(name(), None), Key::Name(name(), Some(element.nth_of_type))]);
        let compounds = keys.flat_map(|key| self.by_key.get(&key).into_iter().flatten().copied());
        compounds.filter(|number| self.compounds[*number].fits(element)).collect()
    }

    /// The steps that are reached for an element and its ancestors. Each step is reached at most once per element, however many paths lead to it.
    fn reached(&self, page: &Elements<'_>, fitting: &[Vec<usize>], at: usize) -> Vec<usize> {
        let mut reached: Vec<usize> = Vec::new();
        // The steps that continue with the next ancestor, and those that continue with any ancestor.
        let mut next: Vec<usize> = (!self.steps.is_empty()).then_some(0).into_iter().collect();
        let mut around: BTreeSet<usize> = BTreeSet::new();
        for element in iter::once(at).chain(page.ancestors(at)) {
            let first = reached.len();
            for compound in &fitting[element] {
                reached
                    .extend(next.iter().filter_map(|step| self.steps[*step].directly_inside.get(compound)));
                reached.extend(around.iter().filter_map(|step| self.steps[*step].inside.get(compound)));
            }
            let new = &reached[first..];
            next = new.iter().copied().filter(|step| !self.steps[*step].directly_inside.is_empty()).collect();
            around.extend(new.iter().filter(|step| !self.steps[**step].inside.is_empty()));
            if next.is_empty() && around.is_empty() {
                break;
            }
        }
        reached
    }
}

/// The matches on one page.
pub(super) struct Selected<'p> {
    matcher: &'p Matcher,
    page: &'p Elements<'p>,
    /// The compounds that match each element.
    fitting: Vec<Vec<usize>>,
}

impl Selected<'_> {
    /// The selectors that select an element, sorted.
    pub(super) fn of(&self, at: usize) -> Vec<usize> {
        let mut found: Vec<usize> =
            self.reached(at).into_iter().filter_map(|step| self.matcher.steps[step].selector).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(super) fn reached(&self, at: usize) -> Vec<usize> {
        self.matcher.reached(self.page, &self.fitting, at)
    }
}

impl Step {
    fn after(&mut self, combinator: Combinator) -> &mut HashMap<usize, usize> {
        match combinator {
            Combinator::Descendant => &mut self.inside,
            Combinator::Child => &mut self.directly_inside,
        }
    }
}

impl Key {
    fn of(compound: &Compound) -> Key {
        match (&compound.id, compound.classes.first(), &compound.name) {
            (Some(id), _, _) => Key::Id(id.clone()),
            (None, Some(class), _) => Key::Class(class.clone()),
            (None, None, name) => Key::Name(name.clone().unwrap_or_default(), compound.nth_of_type),
        }
    }
}
