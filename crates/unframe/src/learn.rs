//! Learning many sites at once, and labelling their pages.
//!
//! ```
//! use unframe::detect::{self, PageBytes};
//! use unframe::html::Parser;
//! use unframe::learn::Learner;
//!
//! let page = |words: &str| format!("<ul><li><a href=/>Home</a><li>About us</ul><p>{words}");
//! let pages = [page("tea is hot"), page("milk is cold"), page("water is wet")];
//! let learner = Learner::new(detect::method("dom").unwrap(), 0);
//! let mut parser = Parser::new();
//! for (number, payload) in pages.iter().enumerate() {
//!     let page = PageBytes { payload: payload.as_bytes(), encoding: encoding_rs::UTF_8 };
//!     learner.observe("example.org", &format!("http://example.org/{number}"), page, &mut parser);
//! }
//! let models = learner.models();
//! let page = PageBytes { payload: pages[0].as_bytes(), encoding: encoding_rs::UTF_8 };
//! let regions = models.label("example.org", page, &mut parser);
//! assert_eq!(&pages[0][regions[0].span.range()], "<ul><li><a href=/>Home</a><li>About us</ul>");
//! assert_eq!((regions.len(), regions[0].pages), (1, 3));
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::detect::{Detector, PageBytes};
use crate::html::Parser;
use crate::model::Model;
use crate::regions::Region;
use crate::sample::{Rank, Sample};

/// Learns sites from their pages. Threads share one learner; the order of pages does not matter.
pub struct Learner {
    detector: Box<dyn Detector>,
    seed: u64,
    sites: RwLock<HashMap<String, Arc<Mutex<Sample>>>>,
}

impl Learner {
    /// A learner that has seen nothing. The seed decides which pages of a large site are compared.
    pub fn new(detector: Box<dyn Detector>, seed: u64) -> Learner {
        Learner { detector, seed, sites: RwLock::default() }
    }

    /// A learner that goes on from samples that were saved.
    pub fn from_samples(
        detector: Box<dyn Detector>,
        seed: u64,
        samples: BTreeMap<String, Sample>,
    ) -> Learner {
        let sites = samples.into_iter().map(|(site, sample)| (site, Arc::new(Mutex::new(sample)))).collect();
        Learner { detector, seed, sites: RwLock::new(sites) }
    }

    /// The method.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Takes in a page.
    pub fn observe(&self, site: &str, url: &str, page: PageBytes<'_>, parser: &mut Parser) {
        let sample = self.site(site);
        let rank = Rank::of(url, page.payload, self.seed);
        if !lock(&sample).observe(rank) {
            return;
        }
        let mut pieces = Vec::new();
        self.detector.pieces(page, parser, &mut pieces);
        lock(&sample).add(rank, pieces);
    }

    fn site(&self, site: &str) -> Arc<Mutex<Sample>> {
        if let Some(sample) = self.sites.read().unwrap_or_else(PoisonError::into_inner).get(site) {
            return Arc::clone(sample);
        }
        let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            sites
                .entry(site.to_owned())
                .or_insert_with(|| Arc::new(Mutex::new(Sample::new(self.detector.sample_size())))),
        )
    }

    /// What was learned so far, site by site.
    pub fn samples(&self) -> BTreeMap<String, Sample> {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.iter().map(|(site, sample)| (site.clone(), lock(sample).clone())).collect()
    }

    /// Ends the learning.
    pub fn models(self) -> Models {
        let sites = self.sites.into_inner().unwrap_or_else(PoisonError::into_inner);
        let models =
            sites.into_iter().map(|(site, sample)| (site, self.detector.model(&lock(&sample)))).collect();
        Models { detector: self.detector, models }
    }
}

/// A page whose worker died left a sample that is whole: pages are added in one step.
fn lock(sample: &Mutex<Sample>) -> MutexGuard<'_, Sample> {
    sample.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the regions of a page were found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evidence {
    /// Other pages of its site.
    #[default]
    Site,
    /// The page alone: too little is known of its site.
    Page,
}

impl Evidence {
    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Site => "site",
            Evidence::Page => "page",
        }
    }
}

/// The models of many sites, with the method that they belong to.
pub struct Models {
    detector: Box<dyn Detector>,
    models: BTreeMap<String, Model>,
}

impl Models {
    /// Models that were saved.
    pub fn new(detector: Box<dyn Detector>, models: BTreeMap<String, Model>) -> Models {
        Models { detector, models }
    }

    /// The method.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// The sites and their models.
    pub fn sites(&self) -> &BTreeMap<String, Model> {
        &self.models
    }

    /// The model of a site.
    pub fn site(&self, site: &str) -> Option<&Model> {
        self.models.get(site)
    }

    /// What the pages of a site are judged by.
    pub fn evidence(&self, site: &str) -> Evidence {
        match self.site(site) {
            Some(model) if model.pages_sampled() > 1 => Evidence::Site,
            _ => Evidence::Page,
        }
    }

    /// The regions of a page, sorted, none overlapping another. Of a site that was never seen the page is all there is.
    pub fn label(&self, site: &str, page: PageBytes<'_>, parser: &mut Parser) -> Vec<Region> {
        match self.site(site) {
            Some(model) => self.detector.label(model, page, parser),
            None => self.detector.label_alone(page, parser),
        }
    }
}
