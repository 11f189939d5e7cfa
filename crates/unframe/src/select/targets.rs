//! Finds the elements that represent the regions of a page.

use std::collections::HashMap;

use super::elements::Elements;
use crate::html::{Node, Span};
use crate::regions::{Region, TemplateHash};
use crate::text::is_white;

/// Who owns the visible text of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The element has no visible text.
    Nothing,
    /// One template, which has its first region at this index, or templates nested in it.
    Template(usize),
    /// Several templates: all text is in regions.
    Regions,
    /// Some of the text is in no region.
    Content,
}

/// The templates of a page's regions, and their nesting.
struct Templates<'r> {
    regions: &'r [Region],
    /// For each region, the first region of its template.
    firsts: Vec<usize>,
    /// For each region, the first region of the template around it.
    around: Vec<Option<usize>>,
    /// The spans of the regions, with contiguous ones joined.
    covered: Vec<Span>,
}

impl<'r> Templates<'r> {
    fn of(regions: &'r [Region]) -> Templates<'r> {
        let mut numbers: HashMap<TemplateHash, usize> = HashMap::new();
        let first = |(at, region): (usize, &Region)| *numbers.entry(region.template).or_insert(at);
        let firsts = regions.iter().enumerate().map(first).collect();
        let around = regions.iter().map(|region| numbers.get(&region.within?).copied()).collect();
        let mut covered: Vec<Span> = Vec::new();
        for region in regions {
            match covered.last_mut() {
                Some(last) if last.end == region.span.start => last.end = region.span.end,
                _ => covered.push(region.span),
            }
        }
        Templates { regions, firsts, around, covered }
    }

    fn owner(&self, region: usize) -> Owner {
        Owner::Template(self.firsts[region])
    }

    /// The combined owner of two parts.
    fn both(&self, one: Owner, other: Owner) -> Owner {
        match (one, other) {
            (Owner::Nothing, owner) | (owner, Owner::Nothing) => owner,
            (Owner::Content, _) | (_, Owner::Content) => Owner::Content,
            (one, other) if one == other => one,
            (Owner::Template(one), Owner::Template(other)) => {
                let with_around =
                    |at| std::iter::successors(Some(at), |at| self.around[*at]).take(NESTED_MAX);
                let common = with_around(one).find(|at| with_around(other).any(|other| other == *at));
                common.map_or(Owner::Regions, Owner::Template)
            }
            _ => Owner::Regions,
        }
    }

    fn covers(&self, span: Span) -> bool {
        let after = self.covered.partition_point(|covered| covered.start <= span.start);
        after.checked_sub(1).is_some_and(|before| self.covered[before].contains(span))
    }
}

/// Maximum number of nested templates that are searched.
const NESTED_MAX: usize = 16;

/// The elements of a page and their relation to the regions.
pub(super) struct Targets {
    /// The owner of each element.
    pub(super) owners: Vec<Owner>,
    /// Whether an element contains an object that has a meaning without text, such as an image, and that is in no region.
    has_objects: Vec<bool>,
    /// Pairs of a region and an element that is the region or a part of it.
    pub(super) found: Vec<(usize, usize)>,
    /// Regions, or parts of them, that are not whole elements: text in an element with content.
    pub(super) lost: Vec<usize>,
}

impl Targets {
    pub(super) fn of(page: &Elements<'_>, regions: &[Region]) -> Targets {
        let templates = Templates::of(regions);
        let mut owners = vec![Owner::Nothing; page.all.len()];
        let mut touched: Vec<(usize, usize)> = Vec::new();
        for (element, text) in &page.texts {
            let (owner, touches) = owner_of_text(*text, &templates);
            owners[*element] = templates.both(owners[*element], owner);
            touched.extend(touches.map(|region| (region, *element)));
        }
        let mut has_objects = vec![false; page.all.len()];
        for at in (0..page.all.len()).rev() {
            if owners[at] == Owner::Nothing {
                let around = region_around(page.all[at].span, regions);
                owners[at] = around.map_or(Owner::Nothing, |region| templates.owner(region));
            }
            has_objects[at] |= page.all[at].is_object && owners[at] == Owner::Nothing;
            if let Some(parent) = page.all[at].parent {
                owners[parent] = templates.both(owners[parent], owners[at]);
                has_objects[parent] |= has_objects[at];
            }
        }
        let mut targets = Targets { owners, has_objects, found: Vec::new(), lost: Vec::new() };
        targets.find_whole(page, &templates);
        targets.find_shared(touched, &templates);
        targets.note_missing(&templates);
        targets
    }

    /// Finds elements that contain one template and nothing else.
    fn find_whole(&mut self, page: &Elements<'_>, templates: &Templates<'_>) {
        let heirs = self.heirs(page);
        for at in 0..page.all.len() {
            let Owner::Template(region) = self.owners[at] else { continue };
            if page.all[at].parent.is_some_and(|parent| self.owners[parent] == self.owners[at]) {
                continue;
            }
            // Of nested elements with the same content, take the first that is entirely in regions and can be named, else the first that is
            // entirely in regions.
            let chain = || std::iter::successors(Some(at), |at| heirs[*at]);
            let is_whole = |at: &usize| templates.covers(page.all[*at].span);
            let named = chain().find(|at| is_whole(at) && page.all[*at].is_named());
            let whole = named.or_else(|| chain().find(is_whole));
            let smallest = whole.or_else(|| chain().last()).unwrap_or(at);
            match page.all[smallest].may_be_implied() {
                true => self.find_rows(page, region, smallest),
                false => self.found.push((region, smallest)),
            }
        }
    }

    /// Finds the rows of a `tbody`, which cannot be selected itself if it is implied.
    fn find_rows(&mut self, page: &Elements<'_>, region: usize, body: usize) {
        let below = page.all.iter().enumerate().skip(body + 1);
        let below = below.take_while(|(_, element)| element.parent.is_some_and(|parent| parent >= body));
        let rows =
            below.filter(|(at, element)| element.parent == Some(body) && self.owners[*at] != Owner::Nothing);
        self.found.extend(rows.map(|(row, _)| (region, row)));
    }

    /// For each element, the child that holds all of its content, if there is one.
    fn heirs(&self, page: &Elements<'_>) -> Vec<Option<usize>> {
        let mut children = vec![0; page.all.len()];
        let mut heirs = vec![None; page.all.len()];
        for (at, element) in page.all.iter().enumerate() {
            if let (Some(parent), true) = (element.parent, self.owners[at] != Owner::Nothing) {
                children[parent] += 1;
                heirs[parent] = Some(at);
            }
        }
        for (element, text) in &page.texts {
            if text.text().chars().any(|c| !is_white(c)) {
                children[*element] += 2;
            }
        }
        (heirs.into_iter().zip(children)).map(|(heir, children)| heir.filter(|_| children == 1)).collect()
    }

    /// Handles texts whose element contains more than their region. Such an element can be selected only if the rest is template, too.
    fn find_shared(&mut self, mut touched: Vec<(usize, usize)>, templates: &Templates<'_>) {
        touched.iter_mut().for_each(|(region, _)| *region = templates.firsts[*region]);
        touched.sort_unstable();
        touched.dedup();
        for (region, element) in touched {
            match self.owners[element] {
                Owner::Regions => self.found.push((region, element)),
                Owner::Content => self.lost.push(region),
                Owner::Template(_) | Owner::Nothing => {}
            }
        }
    }

    /// Adds regions without visible text and without an element to the lost ones.
    fn note_missing(&mut self, templates: &Templates<'_>) {
        let mut is_there = vec![false; templates.firsts.len()];
        self.found.iter().for_each(|(region, _)| is_there[*region] = true);
        self.lost.iter().for_each(|region| is_there[*region] = true);
        let firsts = templates.firsts.iter().enumerate().filter(|(at, first)| at == *first).map(|(at, _)| at);
        self.lost.extend(firsts.filter(|first| !is_there[*first]));
    }

    /// Whether removing an element would remove content.
    pub(super) fn is_content(&self, page: &Elements<'_>, at: usize) -> bool {
        match self.owners[at] {
            Owner::Content => true,
            Owner::Template(_) | Owner::Regions => false,
            Owner::Nothing => self.has_objects[at] || page.all[at].is_hidden,
        }
    }
}

/// The region that contains a span.
fn region_around(span: Span, regions: &[Region]) -> Option<usize> {
    let after = regions.partition_point(|region| region.span.start <= span.start);
    let before = after.checked_sub(1)?;
    (!span.is_empty() && regions[before].span.contains(span)).then_some(before)
}

/// The owner of a text, and the regions that it is in.
fn owner_of_text(text: Node<'_>, templates: &Templates<'_>) -> (Owner, std::ops::Range<usize>) {
    let (span, regions) = (text.span(), templates.regions);
    let first = regions.partition_point(|region| region.span.end <= span.start);
    let last = regions.partition_point(|region| region.span.start < span.end);
    let is_blank = text.text().chars().all(is_white);
    match (first..last.max(first), is_blank) {
        (_, true) => (Owner::Nothing, 0..0),
        (none, _) if none.is_empty() => (Owner::Content, none),
        (touches, _) if regions[first].span.contains(span) => (templates.owner(first), touches),
        (touches, _) => {
            let mut owner = Owner::Nothing;
            text.for_each_char(|c, bytes| {
                if !is_white(c) {
                    let region = region_around(bytes, regions);
                    let of_char = region.map_or(Owner::Content, |region| templates.owner(region));
                    owner = templates.both(owner, of_char);
                }
            });
            (owner, touches)
        }
    }
}
