//! Learns many sites at once, and labels their pages.
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

mod memory;
mod learned;
mod models;
mod part;
#[cfg(test)]
mod tests;
mod parse_queue;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use crate::detect::Detector;
use crate::page::PageId;
use crate::parsed::ParsedPage;
use crate::sample::{Rank, Sample};
pub use learned::Learned;
use memory::MemoryUse;
pub use models::{Evidence, Models, SiteModels};
use parse_queue::{ParseQueue, QueuedPage};
pub use part::{PageInPieces, Part};

/// Learns sites from their pages. Threads share one learner. The order of pages matters only to some methods; see [`Learner::begin`].
pub struct Learner {
    detector: Box<dyn Detector>,
    seed: u64,
    sites: RwLock<HashMap<String, Arc<Mutex<Learned>>>>,
    /// Sampled pages that are not parsed yet. On sites larger than their sample, many pages are dropped from the sample before they need to
    /// be parsed.
    parse_queue: ParseQueue,
    /// For methods to which page order matters: the pages that arrived after the states of their sites were put aside.
    later: Mutex<Option<HashMap<String, Vec<PageInPieces>>>>,
    memory: MemoryUse,
    /// Locked for reading while a page is added, and for writing while learned data is taken out, so that no page is lost in between.
    spilling: RwLock<()>,
}

/// A page that must be added in page order; see [`Learner::begin`].
#[derive(Debug)]
pub struct PendingPage {
    site: String,
    page: PageInPieces,
}

impl Learner {
    /// A learner without data. The seed decides which pages of a large site are sampled.
    pub fn new(detector: Box<dyn Detector>, seed: u64) -> Learner {
        Learner {
            detector,
            seed,
            sites: RwLock::default(),
            parse_queue: ParseQueue::default(),
            later: Mutex::default(),
            memory: MemoryUse::default(),
            spilling: RwLock::default(),
        }
    }

    /// A learner that continues from saved data.
    pub fn from_learned(detector: Box<dyn Detector>, seed: u64, sites: BTreeMap<String, Learned>) -> Learner {
        let memory = MemoryUse::default();
        sites.iter().for_each(|(site, learned)| memory.add_site(site, learned, &*detector));
        let sites = sites.into_iter().map(|(site, learned)| (site, Arc::new(Mutex::new(learned)))).collect();
        Learner { sites: RwLock::new(sites), memory, ..Learner::new(detector, seed) }
    }

    /// The method.
    pub fn detector(&self) -> &dyn Detector {
        &*self.detector
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Observes a page.
    pub fn observe(&self, site: &str, url: &str, page: &ParsedPage<'_>) {
        if let Some(waiting) = self.begin(site, url, page) {
            self.finish(waiting);
        }
    }

    /// Does the part of [`Learner::observe`] that any thread can do at any time. If page order matters to the method, the page is returned,
    /// and the caller must pass all pages to [`Learner::finish`] in their order.
    pub fn begin(&self, site: &str, url: &str, page: &ParsedPage<'_>) -> Option<PendingPage> {
        if self.detector.in_order().is_some() {
            let mut pieces = Vec::new();
            self.detector.pieces(page, &mut pieces);
            let page = PageInPieces { id: PageId::of(url, page.payload()), pieces };
            return Some(PendingPage { site: site.to_owned(), page });
        }
        let _taking_in = self.taking_in();
        let learned = self.site(site);
        let rank = Rank::of(url, page.payload(), self.seed);
        let is_wanted = self.memory.change(&learned, &*self.detector, |learned| match learned {
            Learned::Sample(sample) => {
                let is_wanted = sample.observe(rank);
                if is_wanted {
                    sample.reserve(rank);
                }
                is_wanted
            }
            Learned::InOrder(_) | Learned::Templates(_) => false,
        });
        if is_wanted {
            self.parse_queue.add(QueuedPage::new(learned, rank, page.bytes()), &*self.detector, &self.memory);
        }
        None
    }

    /// Adds a page that [`Learner::begin`] returned.
    pub fn finish(&self, waiting: PendingPage) {
        let _taking_in = self.taking_in();
        let PendingPage { site, page } = waiting;
        if let Some(later) = &mut *self.later.lock().unwrap_or_else(PoisonError::into_inner) {
            self.memory.add(page.bytes());
            later.entry(site).or_default().push(page);
            return;
        }
        self.memory
            .change(&self.site(&site), &*self.detector, |learned| learned.take(&page, &*self.detector));
    }

    fn taking_in(&self) -> RwLockReadGuard<'_, ()> {
        self.spilling.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn site(&self, site: &str) -> Arc<Mutex<Learned>> {
        if let Some(learned) = self.sites.read().unwrap_or_else(PoisonError::into_inner).get(site) {
            return Arc::clone(learned);
        }
        let nothing = || match self.detector.in_order() {
            Some(in_order) => Learned::InOrder(in_order.begin()),
            None => Learned::Sample(Sample::new(self.detector.sample_size())),
        };
        let mut sites = self.sites.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sites.entry(site.to_owned()).or_insert_with(|| {
            let learned = nothing();
            self.memory.add_site(site, &learned, &*self.detector);
            Arc::new(Mutex::new(learned))
        }))
    }

    /// An estimate of the memory that the learned data takes.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Takes out all learned data, so that data that does not fit into memory can be spilled. [`Part::join`] joins the parts of a site.
    /// Afterwards, this learner only has what it learns from then on.
    pub fn put_aside(&self) -> BTreeMap<String, Part> {
        let _exclusive = self.spilling.write().unwrap_or_else(PoisonError::into_inner);
        self.parse_queue.read_all(&*self.detector, &self.memory);
        let sites = std::mem::take(&mut *self.sites.write().unwrap_or_else(PoisonError::into_inner));
        let mut parts: BTreeMap<String, Part> = sites
            .into_iter()
            .map(|(site, learned)| (site, Part::Learned(learned::unshared(learned))))
            .collect();
        if self.detector.in_order().is_some() {
            // A page cannot be added to a state that is elsewhere: from now on, pages are only collected.
            let later = self.later.lock().unwrap_or_else(PoisonError::into_inner).replace(HashMap::new());
            parts.extend(later.into_iter().flatten().map(|(site, pages)| (site, Part::Pages(pages))));
        }
        self.memory.reset();
        parts
    }

    /// The names of all observed sites.
    pub fn sites(&self) -> Vec<String> {
        self.sites.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// The number of observed pages.
    pub fn pages_observed(&self) -> u64 {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.values().map(|learned| lock(learned).pages_observed(&*self.detector)).sum()
    }

    /// Parses the queued pages of the samples. Several threads can call it at once. Functions that return learned data call it first.
    pub fn catch_up(&self) {
        let _taking_in = self.taking_in();
        self.parse_queue.read_all(&*self.detector, &self.memory);
    }

    /// A copy of the data learned so far, by site.
    pub fn learned(&self) -> BTreeMap<String, Learned> {
        self.catch_up();
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.iter().map(|(site, learned)| (site.clone(), lock(learned).clone())).collect()
    }

    /// The models of the data learned so far; learning can continue.
    pub fn models_so_far(&self) -> Models {
        self.catch_up();
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        let models = sites
            .iter()
            .map(|(site, learned)| (site.clone(), lock(learned).model(&*self.detector)))
            .collect();
        Models::new(self.detector.copy(), models)
    }

    /// Ends the learning and returns the models.
    pub fn models(self) -> Models {
        self.models_on(|work| work())
    }

    /// Like [`Learner::models`], on the caller's threads: `on_threads` runs the given function on each of them and returns when all are
    /// done. The data of a site is freed as soon as its model is made.
    pub fn models_on(self, on_threads: impl Fn(&(dyn Fn() + Sync))) -> Models {
        on_threads(&|| self.catch_up());
        let detector = &*self.detector;
        let sites = Mutex::new(self.sites.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter());
        let models = Mutex::new(BTreeMap::new());
        on_threads(&|| {
            // The lock is held only to take the next site, not while its model is made.
            let next = || sites.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some((site, learned)) = next() {
                let model = lock(&learned).model(detector);
                models.lock().unwrap_or_else(PoisonError::into_inner).insert(site, model);
            }
        });
        let models = models.into_inner().unwrap_or_else(PoisonError::into_inner);
        Models::new(self.detector, models)
    }
}

/// Locks learned data. The data is intact even if a thread panicked with the lock, because pages are added in one step.
fn lock(learned: &Mutex<Learned>) -> MutexGuard<'_, Learned> {
    learned.lock().unwrap_or_else(PoisonError::into_inner)
}
