//! The models of many sites, with which their pages are labelled.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::detect::Detector;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::Region;

/// The evidence that was used to find the regions of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evidence {
    /// Other pages of the site.
    #[default]
    Site,
    /// Only the page itself, because too little is known about its site.
    Page,
}

impl Evidence {
    /// The evidence for a page when this many pages of its site are known, including the page itself.
    pub fn among(pages: usize) -> Evidence {
        if pages > 1 { Evidence::Site } else { Evidence::Page }
    }

    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Site => "site",
            Evidence::Page => "page",
        }
    }
}

/// A source of models that do not fit into memory all at once.
pub trait SiteModels: Send + Sync {
    /// The model of a site, if it is known.
    fn model(&self, site: &str) -> Option<Arc<Model>>;
}

/// The models of many sites, with their method.
pub struct Models {
    detector: Box<dyn Detector>,
    models: BTreeMap<String, Arc<Model>>,
    elsewhere: Option<Box<dyn SiteModels>>,
}

impl Models {
    /// Models that are in memory.
    pub fn new(detector: Box<dyn Detector>, models: BTreeMap<String, Model>) -> Models {
        let models = models.into_iter().map(|(site, model)| (site, Arc::new(model))).collect();
        Models { detector, models, elsewhere: None }
    }

    /// Models that are fetched on demand.
    pub fn elsewhere(detector: Box<dyn Detector>, models: Box<dyn SiteModels>) -> Models {
        Models { detector, models: BTreeMap::new(), elsewhere: Some(models) }
    }

    /// The method.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// The sites with their models, except models that are fetched on demand.
    pub fn sites(&self) -> &BTreeMap<String, Arc<Model>> {
        &self.models
    }

    /// The model of a site.
    pub fn site(&self, site: &str) -> Option<Arc<Model>> {
        match &self.elsewhere {
            Some(elsewhere) => elsewhere.model(site),
            None => self.models.get(site).cloned(),
        }
    }

    /// The evidence for pages of a site.
    pub fn evidence(&self, site: &str) -> Evidence {
        Evidence::among(self.site(site).map_or(0, |model| model.pages_sampled()))
    }

    /// The regions of a page, sorted and without overlaps. If the site is unknown, the page is labelled as a single page.
    pub fn label(&self, site: &str, page: &ParsedPage<'_>) -> Vec<Region> {
        match self.site(site) {
            Some(model) => self.detector.label(&model, page),
            None => self.detector.label_single_page(page),
        }
    }

    /// Like [`Models::label`], without clutter: only regions that were found by comparing pages.
    pub fn templates(&self, site: &str, page: &ParsedPage<'_>) -> Vec<Region> {
        let mut regions = self.label(site, page);
        regions.retain(|region| region.kind.is_template());
        regions
    }
}
