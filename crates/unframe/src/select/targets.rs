//! Which elements are the regions of a page.

use super::elements::Elements;
use crate::html::{Node, Span};
use crate::regions::Region;
use crate::text::is_white;

/// What the visible text of an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// There is none.
    Nothing,
    /// All of it is in the region of this number.
    Region(usize),
    /// All of it is in regions.
    Regions,
    /// Some of it is in no region.
    Content,
}

impl Owner {
    fn and(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Nothing, owner) | (owner, Owner::Nothing) => owner,
            (Owner::Content, _) | (_, Owner::Content) => Owner::Content,
            (one, other) if one == other => one,
            _ => Owner::Regions,
        }
    }
}

/// The elements of a page and what they are to the regions.
pub(super) struct Targets {
    /// Of each element.
    pub(super) owners: Vec<Owner>,
    /// Whether an element has something in it that means something without text, and that is in no region.
    has_objects: Vec<bool>,
    /// A region and an element that is it or a part of it.
    pub(super) found: Vec<(usize, usize)>,
    /// Regions, or parts of them, that are no element: text inside of an element with content.
    pub(super) lost: Vec<usize>,
}

impl Targets {
    pub(super) fn of(page: &Elements<'_>, regions: &[Region]) -> Targets {
        let mut owners = vec![Owner::Nothing; page.all.len()];
        let mut touched: Vec<(usize, usize)> = Vec::new();
        for (element, text) in &page.texts {
            let (owner, touches) = owner_of_text(*text, regions);
            owners[*element] = owners[*element].and(owner);
            touched.extend(touches.map(|region| (region, *element)));
        }
        let mut has_objects = vec![false; page.all.len()];
        for at in (0..page.all.len()).rev() {
            if owners[at] == Owner::Nothing {
                owners[at] = region_around(page.all[at].span, regions).map_or(Owner::Nothing, Owner::Region);
            }
            has_objects[at] |= page.all[at].is_object && owners[at] == Owner::Nothing;
            if let Some(parent) = page.all[at].parent {
                owners[parent] = owners[parent].and(owners[at]);
                has_objects[parent] |= has_objects[at];
            }
        }
        let mut targets = Targets { owners, has_objects, found: Vec::new(), lost: Vec::new() };
        targets.find_whole(page, regions);
        targets.find_shared(touched);
        targets.note_missing(regions.len());
        targets
    }

    /// Elements that hold one region and nothing else.
    fn find_whole(&mut self, page: &Elements<'_>, regions: &[Region]) {
        let heirs = self.heirs(page);
        for at in 0..page.all.len() {
            let Owner::Region(region) = self.owners[at] else { continue };
            if page.all[at].parent.is_some_and(|parent| self.owners[parent] == Owner::Region(region)) {
                continue;
            }
            // Of elements around each other that hold the same, the first that is all in the region, or better the first of
            // these that can be named.
            let chain = || std::iter::successors(Some(at), |at| heirs[*at]);
            let is_whole = |at: &usize| regions[region].span.contains(page.all[*at].span);
            let named = chain().find(|at| is_whole(at) && page.all[*at].is_named());
            let whole = named.or_else(|| chain().find(is_whole));
            let smallest = whole.or_else(|| chain().last()).unwrap_or(at);
            self.found.push((region, smallest));
        }
    }

    /// For each element the child that holds all that it holds.
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

    /// Texts whose element holds more than their region: fine as long as that is template, too.
    fn find_shared(&mut self, mut touched: Vec<(usize, usize)>) {
        touched.sort_unstable();
        touched.dedup();
        for (region, element) in touched {
            match self.owners[element] {
                Owner::Regions => self.found.push((region, element)),
                Owner::Content => self.lost.push(region),
                Owner::Region(_) | Owner::Nothing => {}
            }
        }
    }

    /// Regions with nothing to see and no element.
    fn note_missing(&mut self, regions: usize) {
        let mut is_there = vec![false; regions];
        self.found.iter().for_each(|(region, _)| is_there[*region] = true);
        self.lost.iter().for_each(|region| is_there[*region] = true);
        self.lost.extend((0..regions).filter(|region| !is_there[*region]));
    }

    /// Whether it would be wrong to remove an element.
    pub(super) fn is_content(&self, page: &Elements<'_>, at: usize) -> bool {
        match self.owners[at] {
            Owner::Content => true,
            Owner::Region(_) | Owner::Regions => false,
            Owner::Nothing => self.has_objects[at] || page.all[at].is_hidden,
        }
    }
}

/// The region that covers a span.
fn region_around(span: Span, regions: &[Region]) -> Option<usize> {
    let after = regions.partition_point(|region| region.span.start <= span.start);
    let before = after.checked_sub(1)?;
    (!span.is_empty() && regions[before].span.contains(span)).then_some(before)
}

/// What a text is, and the regions that it is a part of.
fn owner_of_text(text: Node<'_>, regions: &[Region]) -> (Owner, std::ops::Range<usize>) {
    let span = text.span();
    let first = regions.partition_point(|region| region.span.end <= span.start);
    let last = regions.partition_point(|region| region.span.start < span.end);
    let is_blank = text.text().chars().all(is_white);
    match (first..last.max(first), is_blank) {
        (_, true) => (Owner::Nothing, 0..0),
        (none, _) if none.is_empty() => (Owner::Content, none),
        (touches, _) if regions[first].span.contains(span) => (Owner::Region(first), touches),
        (touches, _) => {
            let mut owner = Owner::Nothing;
            text.for_each_char(|c, bytes| {
                if !is_white(c) {
                    owner = owner.and(region_around(bytes, regions).map_or(Owner::Content, Owner::Region));
                }
            });
            (owner, touches)
        }
    }
}
