//! The passes over the pages of the sites that are reported: labelling with candidate selectors, and testing the selectors.

use std::collections::BTreeMap;

use unframe::learn::Models;
use unframe::limits::TEMPLATE_TEXT_MAX;
use unframe::select::{self, PageCheck};
use unframe::text::{self, content};
use unframe::{PageParser, templates};

use super::site::Site;
use super::site_group::{GroupSites, PageFindings};
use crate::args::TemplatesArgs;
use crate::spill::pages::SitePage;

/// A worker that labels the pages of the sites of a group.
pub(super) fn finder(
    args: &TemplatesArgs,
    models: &Models,
    sites: &GroupSites,
) -> impl FnMut(SitePage) -> Option<PageFindings> {
    let knows_places = models.detector().knows_places();
    let with_pieces = !knows_places || args.shared || args.curves.is_some();
    let mut parser = PageParser::new();
    move |page| {
        if !sites.contains(&page.site) {
            return None;
        }
        let parsed = parser.open(page.bytes());
        let regions = models.templates(&page.site, &parsed);
        let places = if knows_places { templates::of_page(&parsed, &regions) } else { Default::default() };
        let candidates = select::candidates(&parsed, &regions);
        let volume = content::extract(&parsed, &regions).volume;
        let mut pieces = if with_pieces { regions } else { Vec::new() };
        let texts = text::of_regions(parsed.source(), &pieces, TEMPLATE_TEXT_MAX);
        if knows_places {
            templates::to_pieces(&mut pieces, &texts);
        }
        Some(PageFindings { volume, places, pieces, texts, candidates, site: page.site, url: page.url })
    }
}

/// A worker that tests the selectors of the sites of a group on a page. It returns pages of other sites as they are.
pub(super) fn checker(
    models: &Models,
    sites: &BTreeMap<String, Site>,
) -> impl FnMut(SitePage) -> Result<(String, PageCheck), SitePage> {
    let mut parser = PageParser::new();
    move |page| {
        let Some(site) = sites.get(&page.site) else { return Err(page) };
        let parsed = parser.open(page.bytes());
        let regions = models.templates(&page.site, &parsed);
        let checked = site.check.page(&parsed, &regions);
        Ok((page.site, checked))
    }
}
