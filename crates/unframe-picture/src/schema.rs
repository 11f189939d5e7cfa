//! Pages grouped by their template schema: the sequence of templates on the page.
//!
//! # What it does
//! Template hashes that occur together are templates ([`unframe::aggregate`]). The schema of a page is the sequence of its templates.
//! Templates on less than [`PAGES_SHARE_MIN`] of the pages are ignored, because they characterise the page rather than its kind. Pages with the same
//! schema form a group. Groups whose templates agree in [`SIMILARITY_MIN`] of their bytes are merged, the smaller into the larger. Groups with at most
//! [`OUTLIER_SHARE`] of the pages are outliers: navigation, errors, pages of an older design.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 5.1.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use unframe::RegionKind;

use super::SiteView;

/// Templates on a smaller share of the pages are not part of a schema.
pub const PAGES_SHARE_MIN: f64 = 0.05;
/// The smallest share of template bytes that two schemas must have in common to be merged.
pub const SIMILARITY_MIN: f64 = 0.8;
/// Groups with at most this share of the pages are outliers.
pub const OUTLIER_SHARE: f64 = 0.02;
/// Maximum number of groups that a smaller group is compared with.
const COMPARED_MAX: usize = 200;

/// The templates of a site and its groups of pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schemas {
    /// The templates, those on the most pages first.
    pub templates: Vec<Template>,
    /// The groups, outliers first, then by size.
    pub groups: Vec<Group>,
    /// For each template hash of the site, the template that most of its occurrences belong to.
    pub template_of: Vec<Option<u32>>,
}

/// Pieces of a site that occur together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Indices into [`SiteView::pieces`], in their order on the page.
    pub pieces: Vec<u32>,
    /// Indices into [`SiteView::pages`], ascending.
    pub pages: Vec<u32>,
    /// The bytes of all its occurrences.
    pub bytes: u64,
    /// The mean number of links in it on a page.
    pub links: u32,
}

/// Pages with the same or nearly the same schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The schema of most of its pages, as indices into [`Schemas::templates`].
    pub schema: Vec<u32>,
    /// Indices into [`SiteView::pages`], ascending.
    pub pages: Vec<u32>,
    /// Whether it has at most [`OUTLIER_SHARE`] of the pages.
    pub is_outlier: bool,
}

/// Groups the pages of a site.
pub fn of_site(site: &SiteView) -> Schemas {
    let mut templates = if site.knows_places { places(site) } else { aggregated(site) };
    templates.sort_by_key(|template| (Reverse(template.pages.len()), Reverse(template.bytes)));
    let mut template_of = vec![None; site.pieces.len()];
    for (number, template) in (0..).zip(&templates) {
        template.pieces.iter().for_each(|piece| {
            template_of[*piece as usize].get_or_insert(number);
        });
    }
    for template in &mut templates {
        let links: u64 = template.pieces.iter().map(|piece| site.pieces[*piece as usize].links).sum();
        template.links = (links as f64 / template.pages.len().max(1) as f64).round() as u32;
    }
    let groups = groups(site, &templates);
    Schemas { templates, groups, template_of }
}

/// Templates for methods without places: pieces that occur together.
fn aggregated(site: &SiteView) -> Vec<Template> {
    let numbers: HashMap<_, u32> = (0..).zip(&site.pieces).map(|(at, piece)| (piece.hash, at)).collect();
    let template = |template: unframe::aggregate::Template| Template {
        pieces: template.hashes.iter().filter_map(|hash| numbers.get(hash).copied()).collect(),
        pages: template.pages,
        bytes: template.bytes,
        links: 0,
    };
    site.aggregate().templates.into_iter().map(template).collect()
}

/// Templates for methods with places: the places on at least two pages. Markup is omitted, because readers would not recognise it.
fn places(site: &SiteView) -> Vec<Template> {
    let none = |piece: u32| Template { pieces: vec![piece], pages: Vec::new(), bytes: 0, links: 0 };
    let mut templates: Vec<Template> = (0..site.pieces.len() as u32).map(none).collect();
    for (page, view) in (0..).zip(&site.pages) {
        let marks =
            view.marks.iter().filter(|mark| mark.kind.is_template() && mark.kind != RegionKind::Markup);
        for mark in marks {
            let template = &mut templates[mark.piece as usize];
            template.bytes += u64::from(mark.end - mark.start);
            if template.pages.last() != Some(&page) {
                template.pages.push(page);
            }
        }
    }
    templates.retain(|template| template.pages.len() > 1);
    templates
}

fn groups(site: &SiteView, templates: &[Template]) -> Vec<Group> {
    let pages = site.pages.len();
    let pages_min = ((pages as f64 * PAGES_SHARE_MIN).ceil() as usize).max(2);
    let mut by_schema: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (page, schema) in (0..).zip(page_schemas(site, templates, pages_min)) {
        by_schema.entry(schema).or_default().push(page);
    }
    let mut found: Vec<(Vec<u32>, Vec<u32>)> = by_schema.into_iter().collect();
    found.sort_by_key(|(_, pages)| Reverse(pages.len()));
    let mut groups: Vec<Group> = Vec::new();
    for (schema, mut pages) in found {
        let mut compared = groups.iter_mut().take(COMPARED_MAX);
        match compared.find(|group| similarity(&group.schema, &schema, templates) >= SIMILARITY_MIN) {
            Some(group) => group.pages.append(&mut pages),
            None => groups.push(Group { schema, pages, is_outlier: false }),
        }
    }
    let outlier_max = (pages as f64 * OUTLIER_SHARE) as usize;
    for group in &mut groups {
        group.pages.sort_unstable();
        group.is_outlier = group.pages.len() <= outlier_max.max(1) && pages > 2;
    }
    if groups.iter().all(|group| group.is_outlier) {
        groups.iter_mut().for_each(|group| group.is_outlier = false);
    }
    groups.sort_by_key(|group| (!group.is_outlier, Reverse(group.pages.len())));
    groups
}

/// The schema of each page: its templates in the order of their first pieces.
fn page_schemas(site: &SiteView, templates: &[Template], pages_min: usize) -> Vec<Vec<u32>> {
    let mut of_piece: Vec<Vec<u32>> = vec![Vec::new(); site.pieces.len()];
    for (number, template) in (0..).zip(templates).filter(|(_, template)| template.pages.len() >= pages_min) {
        template.pieces.iter().for_each(|piece| of_piece[*piece as usize].push(number));
    }
    let mut schemas = Vec::with_capacity(site.pages.len());
    for (page, view) in (0u32..).zip(&site.pages) {
        let mut schema: Vec<u32> = Vec::new();
        for mark in &view.marks {
            let mut candidates = of_piece[mark.piece as usize].iter();
            let found =
                candidates.find(|number| templates[**number as usize].pages.binary_search(&page).is_ok());
            schema.extend(found.filter(|number| !schema.contains(number)));
        }
        schemas.push(schema);
    }
    schemas
}

/// The Dice coefficient of two schemas: twice the bytes in common divided by all bytes, with each template counted at its mean size on a page.
fn similarity(a: &[u32], b: &[u32], templates: &[Template]) -> f64 {
    let bytes = |number: &u32| {
        let template = &templates[*number as usize];
        template.bytes as f64 / template.pages.len().max(1) as f64
    };
    let total: f64 = a.iter().chain(b).map(bytes).sum();
    let common: f64 = a.iter().filter(|number| b.contains(number)).map(bytes).sum();
    if total == 0.0 { f64::from(u8::from(a.is_empty() && b.is_empty())) } else { 2.0 * common / total }
}
