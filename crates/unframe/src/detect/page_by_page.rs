//! Methods that label each page as it arrives, by the pages before it.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::settings::SettingError;
use super::{Detector, Own};
use crate::model::Model;
use crate::page::{Change, PageId};
use crate::parsed::ParsedPage;
use crate::regions::Region;

/// A method that processes pages in order, with a state of each site.
///
/// A page is [prepared](PageByPage::prepare) on any thread, then [added](PageByPage::take) to the state in the order of the pages, and the [model](PageByPage::model_for) of the
/// state after it determines its [regions](PageByPage::label).
pub trait PageByPage: Send + Sync {
    /// The state of a new site.
    fn begin(&self) -> Own;

    /// The state of a site from a model, if this method can continue from it.
    fn begin_with(&self, _model: &Model) -> Option<Own> {
        None
    }

    /// Prepares a page.
    fn prepare(&self, page: &ParsedPage<'_>) -> PreparedPage;

    /// Adds the next page to the state, by its pieces.
    fn take(&self, state: &mut Own, page: PageId, pieces: &[u64]) -> Visit;

    /// The model for labelling the page that was just added, by its pieces.
    fn model_for(&self, state: &Own, pieces: &[u64]) -> Model;

    /// The regions of a page, by the model of [`PageByPage::model_for`], and the labels of its texts.
    fn label(&self, model: &Model, page: &ParsedPage<'_>, prepared: &PreparedPage) -> Labels;

    /// The number of pages in the state.
    fn pages(&self, state: &Own) -> u64;

    /// How many texts, places and so on are held.
    fn len(&self, state: &Own) -> usize;

    /// The model of the site, as it is now.
    fn model(&self, state: &Own) -> Model;

    /// The memory that a state takes, about.
    fn memory(&self, state: &Own) -> usize;

    /// The bytes of a state, for a file.
    fn encode(&self, state: &Own) -> Vec<u8>;

    /// The same from bytes; nothing if they are damaged.
    fn decode(&self, bytes: &[u8]) -> Option<Own>;
}

/// A page to be added to a state; see [`PageByPage`].
#[derive(Debug)]
pub struct PreparedPage {
    /// The pieces to add to the state.
    pub pieces: Vec<u64>,
    own: Box<dyn Any + Send + Sync>,
}

impl PreparedPage {
    /// The pieces of a page, and what else the method needs to label it.
    pub fn new(pieces: Vec<u64>, own: impl Any + Send + Sync) -> PreparedPage {
        PreparedPage { pieces, own: Box::new(own) }
    }

    /// What else the method needs, if it has this type.
    pub fn own<T: Any>(&self) -> Option<&T> {
        self.own.downcast_ref()
    }
}

/// The regions of a page, and the labels of its texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// Its regions, sorted, none overlapping another.
    pub regions: Vec<Region>,
    /// Hashes of the kept texts, ascending, if the method labels each text anew on every page.
    pub kept: Vec<u64>,
    /// Hashes of the removed texts.
    pub removed: Vec<u64>,
}

/// The effect of a page on the state of its site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// How the page relates to those before it.
    pub change: Change,
    /// Pieces that became template with this page, where single pieces do.
    pub became: Vec<u64>,
    /// Pieces that were template until now.
    pub ended: Vec<u64>,
}

/// A method that takes pages one after the other, with its parameters.
#[derive(Clone)]
pub struct FollowMethod(Arc<dyn Detector>);

impl FollowMethod {
    /// The method, if it can take pages one after the other.
    ///
    /// # Errors
    /// If it needs all pages of a site at once.
    pub fn new(detector: Box<dyn Detector>) -> Result<FollowMethod, SettingError> {
        match detector.page_by_page() {
            Some(_) => Ok(FollowMethod(detector.into())),
            None => Err(SettingError::NotPageByPage(detector.name())),
        }
    }

    /// Reads a method with parameters, as [`parse`](super::parse) does.
    ///
    /// ```
    /// let method = unframe::detect::FollowMethod::parse("segments:df=3").unwrap();
    /// assert_eq!(method.to_string(), "segments:df=3,ratio=0.7,base=10,factor=50,blocks=table+div+p+ul+ol+dl+form+section+article+nav+header+footer+main+aside");
    /// assert!(unframe::detect::FollowMethod::parse("dom").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<FollowMethod, SettingError> {
        FollowMethod::new(super::parse(text)?)
    }

    /// The method itself.
    pub fn detector(&self) -> &dyn Detector {
        &*self.0
    }
}

/// The default method.
impl Default for FollowMethod {
    fn default() -> FollowMethod {
        FollowMethod(Arc::new(super::Places::default()))
    }
}

impl Deref for FollowMethod {
    type Target = dyn PageByPage;

    fn deref(&self) -> &(dyn PageByPage + 'static) {
        match self.0.page_by_page() {
            Some(pages) => pages,
            None => unreachable!("`new` asked for it"),
        }
    }
}

/// With all parameters, as [`FollowMethod::parse`] reads it.
impl fmt::Display for FollowMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.0.settings();
        let settings: Vec<String> =
            settings.iter().map(|setting| format!("{}={}", setting.name, setting.value)).collect();
        write!(f, "{}:{}", self.0.name(), settings.join(","))
    }
}

impl fmt::Debug for FollowMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
