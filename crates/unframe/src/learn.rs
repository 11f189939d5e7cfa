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

/// Learns sites from their pages. Threads share one learner; the order of pages does not matter, except to some methods: see
/// [`Learner::begin`].
pub struct Learner {
    detector: Box<dyn Detector>,
    seed: u64,
    sites: RwLock<HashMap<String, Arc<Mutex<Learned>>>>,
    /// Sampled pages that were not parsed yet. Of a site that is larger than its sample, many never need to be.
    parse_queue: ParseQueue,
    /// Pages of a method to which their order matters, since what was known of their sites was set aside.
    later: Mutex<Option<HashMap<String, Vec<PageInPieces>>>>,
    memory: MemoryUse,
    /// Held for reading while a page is added, and for writing while the learned data is taken out, so that no page is lost in between.
    spilling: RwLock<()>,
}

/// A page that waits for its turn; see [`Learner::begin`].
#[derive(Debug)]
pub struct PendingPage {
    site: String,
    page: PageInPieces,
}

impl Learner {
    /// A learner that has seen nothing. The seed decides which pages of a large site are compared.
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

    /// A learner that continues from what was saved.
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

    /// Takes in a page.
    pub fn observe(&self, site: &str, url: &str, page: &ParsedPage<'_>) {
        if let Some(waiting) = self.begin(site, url, page) {
            self.finish(waiting);
        }
    }

    /// Takes in a page, as far as any thread can do it at any time. When the order of the pages matters to the method, the
    /// page comes back, and all pages must go through [`Learner::finish`] in their order.
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

    /// Takes in a page whose turn it is.
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

    /// The memory that all takes that was learned so far, about.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Takes out all that was learned so far, as if nothing had been: [`Part::join`] joins the parts of a site. So what does not
    /// fit into memory can wait elsewhere. After that, this learner only has what it learned since.
    pub fn put_aside(&self) -> BTreeMap<String, Part> {
        let _exclusive = self.spilling.write().unwrap_or_else(PoisonError::into_inner);
        self.parse_queue.read_all(&*self.detector, &self.memory);
        let sites = std::mem::take(&mut *self.sites.write().unwrap_or_else(PoisonError::into_inner));
        let mut parts: BTreeMap<String, Part> = sites
            .into_iter()
            .map(|(site, learned)| (site, Part::Learned(learned::unshared(learned))))
            .collect();
        if self.detector.in_order().is_some() {
            // Nobody can tell what pages do to a site whose state is not here: from now on they are only gathered.
            let later = self.later.lock().unwrap_or_else(PoisonError::into_inner).replace(HashMap::new());
            parts.extend(later.into_iter().flatten().map(|(site, pages)| (site, Part::Pages(pages))));
        }
        self.memory.reset();
        parts
    }

    /// The names of all sites so far.
    pub fn sites(&self) -> Vec<String> {
        self.sites.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// How many pages were observed so far.
    pub fn pages_observed(&self) -> u64 {
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.values().map(|learned| lock(learned).pages_observed(&*self.detector)).sum()
    }

    /// Parses the sampled pages that wait to be parsed; several threads can call it at once. All that asks for what was learned does it.
    pub fn catch_up(&self) {
        let _taking_in = self.taking_in();
        self.parse_queue.read_all(&*self.detector, &self.memory);
    }

    /// What was learned so far, site by site.
    pub fn learned(&self) -> BTreeMap<String, Learned> {
        self.catch_up();
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        sites.iter().map(|(site, learned)| (site.clone(), lock(learned).clone())).collect()
    }

    /// The models of what was learned so far; learning can continue.
    pub fn models_so_far(&self) -> Models {
        self.catch_up();
        let sites = self.sites.read().unwrap_or_else(PoisonError::into_inner);
        let models = sites
            .iter()
            .map(|(site, learned)| (site.clone(), lock(learned).model(&*self.detector)))
            .collect();
        Models::new(self.detector.copy(), models)
    }

    /// Ends the learning.
    pub fn models(self) -> Models {
        self.models_on(|work| work())
    }

    /// The same on threads that the caller has: `on_threads` calls what it is given on each of them, and returns when all are done. What is
    /// kept of a site is given back as soon as its model is there.
    pub fn models_on(self, on_threads: impl Fn(&(dyn Fn() + Sync))) -> Models {
        on_threads(&|| self.catch_up());
        let detector = &*self.detector;
        let sites = Mutex::new(self.sites.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter());
        let models = Mutex::new(BTreeMap::new());
        on_threads(&|| {
            // The lock is held for the next site only, not while its model is made.
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

/// A page whose worker died left a sample that is whole: pages are added in one step.
fn lock(learned: &Mutex<Learned>) -> MutexGuard<'_, Learned> {
    learned.lock().unwrap_or_else(PoisonError::into_inner)
}
