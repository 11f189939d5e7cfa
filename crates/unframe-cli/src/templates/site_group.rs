//! Groups of sites that fit into memory together. Each group needs its own passes over its pages. The groups are consecutive ranges of
//! sorted site names, so that the sites are reported in the order of their names.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use unframe::aggregate::Aggregator;
use unframe::select::Candidates;
use unframe::templates::{PageTemplates, TemplateCollector};
use unframe::text::content::Volume;
use unframe::{Region, TemplateHash};

/// The data that a page contributes to its site.
pub(super) struct PageFindings {
    pub(super) site: String,
    pub(super) url: String,
    pub(super) volume: Volume,
    pub(super) places: PageTemplates,
    pub(super) pieces: Vec<Region>,
    pub(super) texts: Vec<String>,
    pub(super) candidates: Candidates,
}

/// The data of a site that a pass collects.
#[derive(Default)]
pub(super) struct SiteFindings {
    pub(super) urls: Vec<String>,
    pub(super) volume: Volume,
    pub(super) places: TemplateCollector,
    /// The repeated pieces. For a method with places, they are collected only if requested.
    pub(super) pieces: Aggregator,
    pub(super) candidates: Candidates,
    /// The text of each piece at its first occurrence.
    pub(super) texts: HashMap<TemplateHash, String>,
    /// Memory of addresses, pieces and texts.
    bytes: usize,
}

impl SiteFindings {
    fn add(&mut self, page: PageFindings) {
        self.bytes += size_of::<String>() + page.url.len() + page.pieces.len() * size_of::<Region>();
        self.urls.push(page.url);
        self.volume += page.volume;
        self.places.add(page.places);
        self.pieces.add_page(&page.pieces);
        self.candidates.add(page.candidates);
        for (piece, text) in page.pieces.iter().zip(page.texts) {
            self.texts.entry(piece.template).or_insert_with(|| {
                self.bytes += 2 * size_of::<(TemplateHash, String)>() + text.len();
                text
            });
        }
    }

    /// Approximate memory. Candidates count twice, because testing them takes the same amount again.
    fn bytes(&self) -> usize {
        size_of::<SiteFindings>() + self.bytes + self.places.bytes() + 2 * self.candidates.bytes()
    }
}

/// The range of site names in a group. While the group is collected, the end of the range may move down.
#[derive(Clone)]
pub(super) struct GroupSites {
    from: String,
    /// The first name that did not fit.
    until: Arc<RwLock<Option<String>>>,
}

impl GroupSites {
    /// Whether a site is in the group.
    pub(super) fn contains(&self, site: &str) -> bool {
        let until = self.until.read().unwrap_or_else(PoisonError::into_inner);
        site >= self.from.as_str() && until.as_ref().is_none_or(|until| site < until.as_str())
    }
}

/// The sites that are collected in one pass.
pub(super) struct SiteGroup {
    names: GroupSites,
    sites: BTreeMap<String, SiteFindings>,
    bytes: usize,
    bytes_max: usize,
}

/// A complete group, and the next one if there are more sites.
pub(super) struct FinishedGroup {
    pub(super) sites: BTreeMap<String, SiteFindings>,
    pub(super) next: Option<SiteGroup>,
}

impl SiteGroup {
    /// The first group, with room for `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> SiteGroup {
        SiteGroup::from(String::new(), bytes_max)
    }

    fn from(from: String, bytes_max: usize) -> SiteGroup {
        let names = GroupSites { from, until: Arc::default() };
        SiteGroup { names, sites: BTreeMap::new(), bytes: 0, bytes_max }
    }

    /// The names of its sites, for other threads.
    pub(super) fn sites(&self) -> GroupSites {
        self.names.clone()
    }

    /// Adds a page. When memory is exceeded, the last sites by name are left to the next group. At least one site always stays.
    pub(super) fn add(&mut self, page: PageFindings) {
        if !self.names.contains(&page.site) {
            return;
        }
        let site = self.sites.entry(page.site.clone()).or_default();
        let before = if site.urls.is_empty() { 0 } else { site.bytes() };
        site.add(page);
        self.bytes = self.bytes - before + site.bytes();
        while self.bytes > self.bytes_max && self.sites.len() > 1 {
            let Some((name, last)) = self.sites.pop_last() else { return };
            self.bytes -= last.bytes();
            *self.names.until.write().unwrap_or_else(PoisonError::into_inner) = Some(name);
        }
    }

    /// Completes this group.
    pub(super) fn finish(self) -> FinishedGroup {
        let until = self.names.until.read().unwrap_or_else(PoisonError::into_inner).clone();
        FinishedGroup { sites: self.sites, next: until.map(|from| SiteGroup::from(from, self.bytes_max)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(site: &str, url: &str) -> PageFindings {
        PageFindings {
            site: site.to_owned(),
            url: url.to_owned(),
            volume: Volume::default(),
            places: PageTemplates::default(),
            pieces: Vec::new(),
            texts: Vec::new(),
            candidates: Candidates::default(),
        }
    }

    #[test]
    fn sites_that_do_not_fit_wait_for_the_next_round() {
        let pages = ["c", "a", "b", "c", "a", "d", "b"];
        let room = 2 * (size_of::<SiteFindings>() + 2 * (size_of::<String>() + 1));
        let mut site_group = Some(SiteGroup::new(room));
        let mut rounds = Vec::new();
        while let Some(mut this) = site_group {
            pages.iter().for_each(|site| this.add(page(site, "u")));
            let finished = this.finish();
            rounds.push(
                finished.sites.iter().map(|(name, site)| (name.clone(), site.urls.len())).collect::<Vec<_>>(),
            );
            site_group = finished.next;
        }
        let site = |name: &str, pages| (name.to_owned(), pages);
        assert_eq!(rounds, [vec![site("a", 2), site("b", 2)], vec![site("c", 2), site("d", 1)]]);
    }

    #[test]
    fn one_site_always_fits() {
        let mut site_group = SiteGroup::new(1);
        for name in ["b", "a"] {
            site_group.add(page(name, "u"));
        }
        let finished = site_group.finish();
        assert_eq!(finished.sites.keys().collect::<Vec<_>>(), ["a"]);
        assert!(finished.next.is_some_and(|next| next.sites().contains("b") && !next.sites().contains("a")));
    }
}
