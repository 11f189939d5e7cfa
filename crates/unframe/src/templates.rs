//! The templates of a site, such as a menu, a header, a footer or a box.
//!
//! # What it does
//! For a method that knows places ([`Detector::knows_places`]), all regions with one id are one template, whatever their text:
//! [`TemplateCollector`] counts the template's pages and its text variants. For other methods, ids identify repeated pieces, and pieces
//! that occur together form a template ([`crate::aggregate`]).
//!
//! Invisible markup is counted but not listed, because nobody would recognise it as a template. Templates on a single page are not listed either.
//!
//! # Example
//! A menu on three pages, each of which highlights another item, is one template with one text. If the third page has an additional item,
//! the template has two texts.
//!
//! [`Detector::knows_places`]: crate::detect::Detector::knows_places

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use xxhash_rust::xxh3;

use crate::html::Span;
use crate::limits::{TEMPLATE_TEXT_MAX, TEMPLATE_VARIANTS_MAX};
use crate::parsed::ParsedPage;
use crate::regions::{Region, RegionKind, Sort, TemplateHash};
use crate::sample::PieceHasher;
use crate::text;

/// A template of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteTemplate {
    /// The id that the template's regions have.
    pub id: TemplateHash,
    /// The template that contains this one.
    pub within: Option<TemplateHash>,
    /// The template's sort.
    pub sort: Sort,
    /// The number of pages that have it.
    pub pages: u32,
    /// The number of its regions on all pages.
    pub occurrences: u64,
    /// Total bytes of these regions.
    pub bytes: u64,
    /// Total links in these regions.
    pub links: u64,
    /// The text variants, the one on the most pages first.
    pub variants: Vec<Variant>,
    /// Pages with variants that were dropped because there were too many.
    pub other_pages: u32,
    /// The first page that has it, in the order in which pages were added, and where.
    pub first: Occurrence,
    /// The last page that has it, and where.
    pub last: Occurrence,
}

impl SiteTemplate {
    /// The average number of links on a page that has it, rounded.
    pub fn links_per_page(&self) -> u64 {
        let pages = u64::from(self.pages.max(1));
        (self.links + pages / 2) / pages
    }
}

/// A text of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The text, in one line.
    pub text: String,
    /// The number of pages that have it.
    pub pages: u32,
}

/// The location of a template on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Occurrence {
    /// The page's index.
    pub page: u32,
    /// The template's regions.
    pub spans: Vec<Span>,
}

/// Counts of the repeated markup of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarkupCount {
    /// The number of regions on all pages.
    pub occurrences: u64,
    /// Total bytes of these regions.
    pub bytes: u64,
}

/// The templates of a page, for [`TemplateCollector::add`].
#[derive(Debug, Default)]
pub struct PageTemplates {
    found: Vec<OnPage>,
    markup: MarkupCount,
}

#[derive(Debug)]
struct OnPage {
    id: TemplateHash,
    within: Option<TemplateHash>,
    sort: Sort,
    spans: Vec<Span>,
    links: u64,
    text: String,
}

/// Collects the templates of a page from its regions, which must be sorted and must not overlap.
pub fn of_page(page: &ParsedPage<'_>, regions: &[Region]) -> PageTemplates {
    let texts = text::of_regions(page.source(), regions, TEMPLATE_TEXT_MAX);
    let links = text::links_in(page, regions);
    let mut templates = PageTemplates::default();
    let mut numbers: HashMap<TemplateHash, usize> = HashMap::new();
    for ((region, text), links) in regions.iter().zip(texts).zip(links) {
        if region.kind == RegionKind::Markup {
            templates.markup.occurrences += 1;
            templates.markup.bytes += region.span.len() as u64;
            continue;
        }
        let next = templates.found.len();
        let number = *numbers.entry(region.template).or_insert(next);
        if number == next {
            let Region { template: id, within, sort, .. } = *region;
            templates.found.push(OnPage {
                id,
                within,
                sort,
                spans: Vec::new(),
                links: 0,
                text: String::new(),
            });
        }
        let found = &mut templates.found[number];
        found.spans.push(region.span);
        found.links += u64::from(links);
        if !found.text.is_empty() && !text.is_empty() {
            found.text.push(' ');
        }
        let room = TEMPLATE_TEXT_MAX.saturating_sub(found.text.chars().count());
        found.text.extend(text.chars().take(room));
    }
    templates
}

/// Replaces the id of each region, which identifies a place, by a hash of the place and its text, so that equal ids mean equal texts.
pub fn to_pieces(regions: &mut [Region], texts: &[String]) {
    for (region, text) in regions.iter_mut().zip(texts) {
        let id = xxh3::xxh3_64_with_seed(text.as_bytes(), region.template.0);
        region.template = TemplateHash(id);
    }
}

/// Collects the templates of a site's pages.
#[derive(Debug, Default)]
pub struct TemplateCollector {
    templates: HashMap<TemplateHash, Collected>,
    markup: MarkupCount,
    pages: u32,
    bytes: usize,
}

#[derive(Debug)]
struct Collected {
    template: SiteTemplate,
    /// The variants by the hash of their text.
    texts: HashMap<u64, Variant, PieceHasher>,
}

impl TemplateCollector {
    /// Adds a page.
    pub fn add(&mut self, page: PageTemplates) {
        let number = self.pages;
        self.pages += 1;
        self.markup.occurrences += page.markup.occurrences;
        self.markup.bytes += page.markup.bytes;
        for found in page.found {
            let collected = match self.templates.entry(found.id) {
                Entry::Occupied(known) => {
                    let known = known.into_mut();
                    self.bytes -= known.bytes();
                    known
                }
                Entry::Vacant(free) => free.insert(Collected::new(&found, number)),
            };
            collected.add(found, number);
            self.bytes += collected.bytes();
        }
    }

    /// An estimate of the memory that the templates take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many pages were added.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Counts of the repeated markup.
    pub fn markup(&self) -> MarkupCount {
        self.markup
    }

    /// The templates that are on at least two pages, ordered by pages, then by bytes, both descending. Nested templates follow the template
    /// that contains them.
    pub fn finish(self) -> Vec<SiteTemplate> {
        let collected = self.templates.into_values().map(Collected::finish);
        let mut templates: Vec<SiteTemplate> = collected.filter(|template| template.pages > 1).collect();
        templates.sort_by_key(|template| (Reverse(template.pages), Reverse(template.bytes), template.id));
        nested(templates)
    }
}

impl Collected {
    fn new(found: &OnPage, page: u32) -> Collected {
        let first = Occurrence { page, spans: found.spans.clone() };
        let template = SiteTemplate {
            id: found.id,
            within: found.within,
            sort: found.sort,
            pages: 0,
            occurrences: 0,
            bytes: 0,
            links: 0,
            variants: Vec::new(),
            other_pages: 0,
            last: first.clone(),
            first,
        };
        Collected { template, texts: HashMap::default() }
    }

    fn add(&mut self, found: OnPage, page: u32) {
        let template = &mut self.template;
        template.pages += 1;
        template.occurrences += found.spans.len() as u64;
        template.bytes += found.spans.iter().map(|span| span.len() as u64).sum::<u64>();
        template.links += found.links;
        template.last = Occurrence { page, spans: found.spans };
        let hash = xxh3::xxh3_64(found.text.as_bytes());
        if self.texts.len() >= TEMPLATE_VARIANTS_MAX && !self.texts.contains_key(&hash) {
            self.forget_rarest();
        }
        self.texts.entry(hash).or_insert(Variant { text: found.text, pages: 0 }).pages += 1;
    }

    fn bytes(&self) -> usize {
        let texts: usize = self.texts.values().map(|variant| variant.text.len()).sum();
        let spans = self.template.first.spans.len() + self.template.last.spans.len();
        2 * size_of::<Collected>()
            + texts
            + 2 * self.texts.len() * size_of::<(u64, Variant)>()
            + spans * size_of::<Span>()
    }

    /// Drops the rarest text: a text on many pages says more about the template.
    fn forget_rarest(&mut self) {
        let rarest = self.texts.iter().min_by_key(|(hash, variant)| (variant.pages, **hash));
        let Some(hash) = rarest.map(|(hash, _)| *hash) else { return };
        self.template.other_pages += self.texts.remove(&hash).map_or(0, |variant| variant.pages);
    }

    fn finish(self) -> SiteTemplate {
        let mut variants: Vec<Variant> = self.texts.into_values().collect();
        variants.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.text.cmp(&b.text)));
        SiteTemplate { variants, ..self.template }
    }
}

/// Puts each template right behind the one that contains it. A container is ordered by the most frequent template in it: a header whose own
/// text is on few pages may contain the menu of all pages.
fn nested(templates: Vec<SiteTemplate>) -> Vec<SiteTemplate> {
    let known: HashMap<TemplateHash, usize> =
        templates.iter().enumerate().map(|(at, template)| (template.id, at)).collect();
    let around = |at: &usize| known.get(&templates[*at].within?).copied();
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); templates.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut is_placed = vec![false; templates.len()];
    for first in 0..templates.len() {
        let mut at = first;
        while !std::mem::replace(&mut is_placed[at], true) {
            match around(&at) {
                Some(outer) => {
                    inside[outer].push(at);
                    at = outer;
                }
                None => open.push(at),
            }
        }
    }
    open.reverse();
    let mut templates: Vec<Option<SiteTemplate>> = templates.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(templates.len());
    while let Some(at) = open.pop() {
        ordered.extend(templates[at].take());
        open.extend(inside[at].iter().rev());
    }
    ordered
}
