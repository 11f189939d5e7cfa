//! Methods that label each page as it arrives, based on the pages before it.

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

/// A method that processes pages in order, with a state per site.
///
/// Any thread can [prepare](PageByPage::prepare) a page. Pages are then [added](PageByPage::take) to the state in their order. The
/// [model](PageByPage::model_for) of the resulting state determines the [regions](PageByPage::label) of the page.
pub trait PageByPage: Send + Sync {
    /// The state of a new site.
    fn begin(&self) -> Own;

    /// The state of a site from a model, if this method can continue from it.
    fn begin_with(&self, _model: &Model) -> Option<Own> {
        None
    }

    /// Prepares a page.
    fn prepare(&self, page: &ParsedPage<'_>) -> PreparedPage;

    /// Adds the next page, given by its pieces, to the state.
    fn take(&self, state: &mut Own, page: PageId, pieces: &[u64]) -> Visit;

    /// The model for labelling the page that was just added, given by its pieces.
    fn model_for(&self, state: &Own, pieces: &[u64]) -> Model;

    /// Labels a page and its texts with the model of [`PageByPage::model_for`].
    fn label(&self, model: &Model, page: &ParsedPage<'_>, prepared: &PreparedPage) -> Labels;

    /// The number of pages added to the state.
    fn pages(&self, state: &Own) -> u64;

    /// The number of entries (texts, places and so on) that the state holds.
    fn len(&self, state: &Own) -> usize;

    /// The current model of the site.
    fn model(&self, state: &Own) -> Model;

    /// An estimate of the memory that a state takes.
    fn memory(&self, state: &Own) -> usize;

    /// Encodes a state for a file.
    fn encode(&self, state: &Own) -> Vec<u8>;

    /// Decodes the result of [`PageByPage::encode`]; `None` if the bytes are damaged.
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
    /// A prepared page from its pieces, and the method-specific data for labelling it.
    pub fn new(pieces: Vec<u64>, own: impl Any + Send + Sync) -> PreparedPage {
        PreparedPage { pieces, own: Box::new(own) }
    }

    /// The method-specific data, if it has this type.
    pub fn own<T: Any>(&self) -> Option<&T> {
        self.own.downcast_ref()
    }
}

/// The regions of a page, and the labels of its texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// The regions, sorted and without overlaps.
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
    /// Pieces that became template with this page, if the method labels single pieces.
    pub became: Vec<u64>,
    /// Pieces that stopped being template with this page.
    pub ended: Vec<u64>,
}

/// A method that labels page by page, with its parameters.
#[derive(Clone)]
pub struct FollowMethod(Arc<dyn Detector>);

impl FollowMethod {
    /// The method, if it can label page by page.
    ///
    /// # Errors
    /// If it needs all pages of a site at once.
    pub fn new(detector: Box<dyn Detector>) -> Result<FollowMethod, SettingError> {
        match detector.page_by_page() {
            Some(_) => Ok(FollowMethod(detector.into())),
            None => Err(SettingError::NotPageByPage(detector.name())),
        }
    }

    /// Parses a method with parameters, as [`parse`](super::parse) does.
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

/// Writes all parameters, in the form that [`FollowMethod::parse`] reads.
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
