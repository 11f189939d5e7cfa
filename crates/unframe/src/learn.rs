//! Learning many sites at once, and labelling their pages.
//!
//! ```
//! use unframe::{PageBytes, PageParser, detect};
//! use unframe::learn::Learner;
//!
//! let page = |words: &str| format!("<ul><li><a href=/>Home</a><li>About us</ul><p>{words}");
//! let pages = [page("tea is hot"), page("milk is cold"), page("water is wet")];
//! let learner = Learner::new(detect::method("dom").unwrap(), 0);
//! let mut parser = PageParser::new();
//! for (number, payload) in pages.iter().enumerate() {
//!     let page = PageBytes::utf8(payload.as_bytes());
//!     learner.observe("example.org", &format!("http://example.org/{number}"), &parser.open(page));
//! }
//! let models = learner.models();
//! let page = PageBytes { payload: pages[0].as_bytes(), encoding: encoding_rs::UTF_8 };
//! let regions = models.label("example.org", &parser.open(page));
//! assert_eq!(&pages[0][regions[0].span.range()], "<ul><li><a href=/>Home</a><li>About us</ul>");
//! assert_eq!((regions.len(), regions[0].pages), (1, 3));
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::detect::Detector;
use crate::model::{Learned, Model};
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::sample::{Rank, Sample};
use crate::segments::{PageId, Table};

/// Learns sites from their pages. Threads share one learner; the order of pages does not matter, but to one method: see
/// [`Learner::begin`].
pub struct Learner {
    detector: Box<dyn Detector>,
    seed: u64,
    sites: RwLock<HashMap<String, Arc<Mutex<Learned>>>>,
}

/// A page that waits for its turn; see [`Learner::begin`].
#[derive(Debug)]
pub struct Waiting {
    site: String,
    id: PageId,
    pieces: Vec<u64>,
}

impl Learner {
    /// A learner that has seen nothing. The seed decides which pages of a large site are compared.
    pub fn new(detector: Box<dyn Detector>, seed: u64) -> Learner {
        Learner { detector, seed, sites: RwLock::default() }
    }

    /// A learner that goes on from what was saved.
    pub fn from_learned(detector: Box<dyn Detector>, seed: u64, sites: BTreeMap<String, Learned>) -> Learner {
        let sites = sites.into_iter().map(|(site, learned)| (site, Arc::new(Mutex::new(learned)))).collect();
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
    pub fn observe(&self, site: &str, url: &str, page: &ParsedPage<'_>) {
        if let Some(waiting) = self.begin(site, url, page) {
            self.finish(waiting);
        }
    }

    /// Takes in a page, as far as any thread can do it at any time. When the order of the pages matters to the method, the
    /// page comes back, and all pages must go through [`Learner::finish`] in their order.
    pub fn begin(&self, site: &str, url: &str, page: &ParsedPage<'_>) -> Option<Waiting> {
        let mut pieces = Vec::new();
        if self.detector.ordered().is_some() {
            self.detector.pieces(page, &mut pieces);
            return Some(Waiting { site: site.to_owned(), id: PageId::of(url, page.payload()), pieces });
        }
        let learned = self.site(site);
        let rank = Rank::of(url, page.payload(), self.seed);
        let is_wanted = match &mut *lock(&learned) {
            Learned::Sample(sample) => sample.observe(rank),
            Learned::Table(_) | Learned::Templates(_) => false,
        };
        if is_wanted {
            self.detector.pieces(page, &mut pieces);
            if let Learned::Sample(sample) = &mut *lock(&learned) {
                sample.add(rank, pieces);
            }
        }
        None
    }

    /// Takes in a page whose turn it is.
    pub fn finish(&self, page: Waiting) {
        if let (Some(segments), Learned::Table(table)) =
            (self.detector.ordered(), &mut *lock(&self.site(&page.site)))
        {
            segments.expand(table, page.id, &page.pieces);
            segments.shrink(table, |_| {});
        }
    }

    fn site(&self, site: &str) -> Arc<Mutex<Learned>> {
        if let Some(learned) = self.sites.read().unwrap_or_else(PoisonError::into_inner).get(site) {
            return Arc::clone(learned);
        }
        let nothing = || match self.detector.ordered() {
            Some(_) => Learned::Table(Table::default()),
            None => Learned::Sample(Sample::new(self.detector.sample_size())),
        };
        let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sites.entry(site.to_owned()).or_insert_with(|| Arc::new(Mutex::new(nothing()))))
    }

    /// What was learned so far, site by site.
    pub fn learned(&self) -> BTreeMap<String, Learned> {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.iter().map(|(site, learned)| (site.clone(), lock(learned).clone())).collect()
    }

    /// The models of what was learned so far; learning can go on.
    pub fn models_so_far(&self) -> Models {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        let models = sites
            .iter()
            .map(|(site, learned)| (site.clone(), lock(learned).model(&*self.detector)))
            .collect();
        Models { detector: crate::model::copy_of(&*self.detector), models }
    }

    /// Ends the learning.
    pub fn models(self) -> Models {
        let sites = self.sites.into_inner().unwrap_or_else(PoisonError::into_inner);
        let models =
            sites.into_iter().map(|(site, learned)| (site, lock(&learned).model(&*self.detector))).collect();
        Models { detector: self.detector, models }
    }
}

/// A page whose worker died left a sample that is whole: pages are added in one step.
fn lock(learned: &Mutex<Learned>) -> MutexGuard<'_, Learned> {
    learned.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// What a page is judged by when so many pages of its site are known, itself included.
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
        Evidence::among(self.site(site).map_or(0, Model::pages_sampled))
    }

    /// The regions of a page, sorted, none overlapping another. Of a site that was never seen the page is all there is.
    pub fn label(&self, site: &str, page: &ParsedPage<'_>) -> Vec<Region> {
        match self.site(site) {
            Some(model) => self.detector.label(model, page),
            None => self.detector.label_alone(page),
        }
    }

    /// The same without clutter: only what the comparison of pages found.
    pub fn templates(&self, site: &str, page: &ParsedPage<'_>) -> Vec<Region> {
        let mut regions = self.label(site, page);
        regions.retain(|region| region.kind.is_template());
        regions
    }
}
