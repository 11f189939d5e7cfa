//! Tests selectors on the pages of a site.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::candidates::Candidates;
use super::elements::Elements;
use super::matcher::Matcher;
use super::selector::Selector;
use super::targets::{Owner, Targets};
use super::without_markup;
use crate::limits::SELECTOR_PATTERNS_MAX;
use crate::parsed::ParsedPage;
use crate::regions::{Region, TemplateHash};

/// Maximum number of selectors for one template hash.
const SELECTORS_MAX: usize = 8;
/// An additional selector must select at least one in this many of the occurrences.
const GAIN_MIN: u64 = 20;

/// The candidates of one site, for testing on its pages.
#[derive(Debug)]
pub struct Check {
    matcher: Matcher,
    /// The candidates for each hash, as indexes in `matcher`. A candidate's bit in a pattern is its position in this list.
    hashes: HashMap<TemplateHash, Vec<usize>>,
}

/// The results of testing the candidates on the pages of a site.
#[derive(Debug, Default)]
pub struct Tally {
    /// Selectors that selected content on any page.
    wrong: BTreeSet<usize>,
    owners: SelectedTemplates,
    pages_checked: u32,
    /// The number of pages on which each selector selected a template.
    pages: HashMap<usize, u32>,
    pub(super) seen: HashMap<TemplateHash, Seen>,
}

/// For each selector, the only template that it selected elements of; `None` if there were several.
type SelectedTemplates = HashMap<usize, Option<TemplateHash>>;

/// The results for one template hash.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The sets of selectors that select an element of the hash, as bit patterns, with the number of such elements.
    pub(super) patterns: BTreeMap<u64, u64>,
    /// The number of occurrences without an element of their own.
    lost: u64,
}

impl Seen {
    /// Counts an element. Patterns past the limit count as not selected, which is the safe choice; the smallest are kept, so that the order
    /// of the pages does not matter.
    fn count(&mut self, pattern: u64) {
        *self.patterns.entry(pattern).or_default() += 1;
        let selecting = self.patterns.len() - usize::from(self.patterns.contains_key(&0));
        if selecting > SELECTOR_PATTERNS_MAX
            && let Some((_, count)) = self.patterns.pop_last()
        {
            *self.patterns.entry(0).or_default() += count;
        }
    }
}

/// The results of testing the selectors on one page.
#[derive(Debug, Default)]
pub struct PageCheck {
    /// Selectors that selected content.
    wrong: BTreeSet<usize>,
    owners: SelectedTemplates,
    /// Each element of each region, with the bit pattern of the selectors that select it.
    pub(super) patterns: Vec<(TemplateHash, u64)>,
    lost: Vec<TemplateHash>,
}

/// The selectors for a template hash, and how well they work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Found {
    /// Selectors that never select content, and that select something on several pages. Together they select as much as possible.
    pub selectors: Vec<Selector>,
    /// The number of elements (or texts without an element) in all occurrences.
    pub total: u64,
    /// The number of these that the selectors select.
    pub selected: u64,
    /// The number of these that are texts in an element with content.
    pub lost: u64,
    /// The number of these for which no selector was tried, because the site has more template hashes than
    /// [`SELECTOR_HASHES_MAX`](crate::limits::SELECTOR_HASHES_MAX), or the selectors would be too long or take too much memory.
    pub untried: u64,
}

impl Found {
    /// Whether the selectors select all occurrences, and no content.
    pub fn is_exact(&self) -> bool {
        self.total > 0 && self.selected == self.total
    }
}

impl Check {
    /// Prepares the candidates of a site for testing.
    pub fn new(candidates: Candidates) -> Check {
        let mut matcher = Matcher::default();
        let hashes = candidates.all.into_iter().map(|(hash, candidates)| {
            (hash, candidates.into_iter().map(|candidate| matcher.add(candidate.selector)).collect())
        });
        let hashes = hashes.collect();
        Check { matcher, hashes }
    }

    /// Tests the selectors on a page. Its regions must be sorted and must not overlap.
    pub fn page(&self, page: &ParsedPage<'_>, regions: &[Region]) -> PageCheck {
        let document = page.document();
        let elements = Elements::of(document);
        let regions = &without_markup(regions)[..];
        let targets = Targets::of(&elements, regions);
        let mut found = targets.found.clone();
        found.sort_unstable_by_key(|(region, element)| (*element, *region));
        let mut found = found.into_iter().peekable();
        let mut result = PageCheck::default();
        // The matches of an element are kept only while its descendants are visited: thousands of selectors may select each of a hundred
        // thousand elements.
        let selected = self.matcher.on(&elements);
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for (at, element) in elements.all.iter().enumerate() {
            while open.last().is_some_and(|(last, _)| Some(*last) != element.parent) {
                open.pop();
            }
            let selectors = selected.of(at);
            if !selectors.is_empty() && targets.is_content(&elements, at) {
                result.wrong.extend(&selectors);
            }
            let owner = match targets.owners[at] {
                Owner::Template(region) => Some(Some(regions[region].template)),
                Owner::Regions => Some(None),
                Owner::Nothing | Owner::Content => None,
            };
            if let Some(template) = owner {
                selectors.iter().for_each(|selector| note(&mut result.owners, *selector, template));
            }
            open.push((at, selectors));
            while let Some((region, _)) = found.next_if(|(_, element)| *element == at) {
                let hash = regions[region].template;
                result.patterns.push((hash, self.pattern(hash, &open)));
            }
        }
        result.lost = targets.lost.iter().map(|region| regions[*region].template).collect();
        result
    }

    /// The bit pattern of the selectors for a hash that select one of the nested elements in `open`.
    fn pattern(&self, hash: TemplateHash, open: &[(usize, Vec<usize>)]) -> u64 {
        let selects =
            |number: &usize| open.iter().any(|(_, selectors)| selectors.binary_search(number).is_ok());
        let candidates = self.hashes.get(&hash).into_iter().flatten().enumerate();
        candidates.filter(|(_, number)| selects(number)).fold(0, |pattern, (bit, _)| pattern | 1 << bit)
    }

    /// The selectors to use for a hash.
    pub fn found(&self, hash: TemplateHash, tally: &Tally) -> Found {
        let Some(seen) = tally.seen.get(&hash) else { return Found::default() };
        let elements = seen.patterns.values().sum::<u64>();
        let candidates = self.hashes.get(&hash).map(Vec::as_slice).unwrap_or_default();
        let mut found = Found {
            total: elements + seen.lost,
            lost: seen.lost,
            untried: if candidates.is_empty() { elements } else { 0 },
            ..Found::default()
        };
        let mut rest = seen.patterns.clone();
        while found.selectors.len() < SELECTORS_MAX {
            let gain = |bit: usize| -> u64 {
                rest.iter().filter(|(pattern, _)| **pattern >> bit & 1 == 1).map(|(_, count)| count).sum()
            };
            let right = (0..candidates.len()).filter(|bit| tally.is_right(candidates[*bit]));
            // Of selectors with equal gain, take the first, which is the simplest. Prefer one that selects no other template, unless it
            // counts siblings.
            let is_shared = |bit: usize| {
                let is_own = tally.owners.get(&candidates[bit]) == Some(&Some(hash));
                !is_own || self.matcher.selectors[candidates[bit]].counts_siblings()
            };
            let rank = |(bit, gain): &(usize, u64)| (Reverse(*gain), is_shared(*bit), *bit);
            let Some((bit, gain)) = right.map(|bit| (bit, gain(bit))).min_by_key(rank) else {
                break;
            };
            if gain == 0 || gain < found.total / GAIN_MIN {
                break;
            }
            rest.retain(|pattern, _| *pattern >> bit & 1 == 0);
            found.selected += gain;
            found.selectors.push(self.matcher.selectors[candidates[bit]].clone());
        }
        found
    }
}

impl Tally {
    /// Whether a selector never selected content, and selected a template on several pages. A selector with the number of a post finds
    /// nothing on the next page.
    fn is_right(&self, selector: usize) -> bool {
        let is_of_several =
            self.pages_checked < 2 || self.pages.get(&selector).is_some_and(|pages| *pages > 1);
        is_of_several && !self.wrong.contains(&selector)
    }

    /// Adds the results of a page, in any order.
    pub fn add(&mut self, page: PageCheck) {
        self.pages_checked += 1;
        self.wrong.extend(page.wrong);
        for (selector, template) in page.owners {
            note(&mut self.owners, selector, template);
            *self.pages.entry(selector).or_default() += 1;
        }
        for (hash, pattern) in page.patterns {
            self.seen.entry(hash).or_default().count(pattern);
        }
        page.lost.into_iter().for_each(|hash| self.seen.entry(hash).or_default().lost += 1);
    }
}

/// Records the template that a selector selected.
fn note(owners: &mut SelectedTemplates, selector: usize, template: Option<TemplateHash>) {
    let known = owners.entry(selector).or_insert(template);
    if *known != template {
        *known = None;
    }
}
