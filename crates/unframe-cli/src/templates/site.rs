//! A site as the report shows it.

use std::collections::HashMap;

use unframe::TemplateHash;
use unframe::aggregate::{Aggregation, Template};
use unframe::html::Span;
use unframe::regions::Sort;
use unframe::select::{Check, Tally};
use unframe::templates::{MarkupCount, Occurrence, SiteTemplate, Variant};
use unframe::text::content::Volume;

use super::site_group::SiteFindings;

/// A site, ready to be reported.
pub(super) struct Site {
    /// The addresses of its pages.
    pub(super) urls: Vec<String>,
    /// The template shares of its pages.
    pub(super) volume: Volume,
    pub(super) templates: Vec<ListedTemplate>,
    pub(super) markup: MarkupCount,
    pub(super) aggregation: Aggregation,
    pub(super) texts: HashMap<TemplateHash, String>,
    pub(super) check: Check,
    pub(super) tally: Tally,
}

/// A template, and the ids of its regions: its own id, or those of its pieces.
pub(super) struct ListedTemplate {
    pub(super) template: SiteTemplate,
    pub(super) ids: Vec<TemplateHash>,
}

impl Site {
    pub(super) fn new(observed: SiteFindings, knows_places: bool) -> Site {
        let markup = observed.places.markup();
        let aggregation = observed.pieces.finish();
        let templates = match knows_places {
            true => observed.places.finish().into_iter().map(ListedTemplate::place).collect(),
            false => {
                let templates = aggregation.templates.iter();
                templates.map(|template| ListedTemplate::pieces(template, &observed.texts)).collect()
            }
        };
        Site {
            urls: observed.urls,
            volume: observed.volume,
            templates,
            markup,
            aggregation,
            texts: observed.texts,
            check: Check::new(observed.candidates),
            tally: Tally::default(),
        }
    }
}

impl ListedTemplate {
    fn place(template: SiteTemplate) -> ListedTemplate {
        ListedTemplate { ids: vec![template.id], template }
    }

    fn pieces(template: &Template, texts: &HashMap<TemplateHash, String>) -> ListedTemplate {
        let pages = template.pages.len() as u32;
        let parts = template.hashes.iter().filter_map(|hash| texts.get(hash)).filter(|text| !text.is_empty());
        let text = parts.map(String::as_str).collect::<Vec<_>>().join(" … ");
        let at = |page: Option<&u32>, spans: &[Span]| Occurrence {
            page: page.copied().unwrap_or(0),
            spans: spans.to_vec(),
        };
        ListedTemplate {
            template: SiteTemplate {
                id: template.hashes[0],
                within: None,
                sort: Sort::Unknown,
                pages,
                occurrences: template.occurrences,
                bytes: template.bytes,
                links: 0,
                variants: vec![Variant { text, pages }],
                other_pages: 0,
                first: at(template.pages.first(), &template.first),
                last: at(template.pages.last(), &template.last),
            },
            ids: template.hashes.clone(),
        }
    }
}
