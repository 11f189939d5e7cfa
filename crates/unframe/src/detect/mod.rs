//! The methods that find templates.
//!
//! Every method answers the same questions: which byte ranges of a page are template, what is the template hash of each, and on how many
//! pages of the site does it occur? The four steps are always the same:
//!
//! 1. **observe**: [`Detector::pieces`] cuts a page into pieces and hashes each; a [`Sample`] of the site's pages keeps the hashes;
//! 2. **merge**: samples of the same site are merged ([`Sample::merge`]), in any order;
//! 3. **model**: the pieces that repeat often enough for the method are the site's [`Model`];
//! 4. **label**: [`Detector::label`] finds the regions of any page of the site, whether or not the page was in the sample.
//!
//! A method may learn more about a site than counts of pieces: such a model has a method-specific part ([`Own`]). Some methods can also
//! process pages one after the other ([`PageByPage`]), with a state per site instead of a sample. For one of them, page order matters by
//! design ([`Detector::in_order`]), and its states cannot be merged.
//!
//! [`METHODS`] lists all methods. Each has a file or folder of its own, and no other place names it.

pub mod blocks;
pub mod dom;
mod page_by_page;
pub mod places;
pub mod segments;
mod settings;
pub mod shingle;
pub mod sst;
pub mod text;
#[cfg(test)]
mod tests;

pub use crate::model::Own;
pub use blocks::Blocks;
pub use dom::Dom;
pub use page_by_page::{FollowMethod, Labels, PageByPage, PreparedPage, Visit};
pub use places::Places;
pub use segments::Segments;
pub use settings::{Setting, SettingError};
pub use shingle::Shingle;
pub use sst::Sst;
pub use text::Text;

use crate::html::Span;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::sample::{Count, Sample};

/// A method that finds templates.
///
/// A detector holds only the parameters of its method: learned data is in a [`Sample`], and the result is in a [`Model`]. All functions are
/// pure, so one detector serves all threads and all sites.
pub trait Detector: Send + Sync {
    /// The method's name, as `--method` takes it.
    fn name(&self) -> &'static str;

    /// The parameters with their values, in a fixed order.
    fn settings(&self) -> Vec<Setting>;

    /// Changes one parameter.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError>;

    /// A copy with the same parameters.
    fn copy(&self) -> Box<dyn Detector>;

    /// How many pages of a site are sampled.
    fn sample_size(&self) -> usize;

    /// Cuts a page into pieces and appends numbers that describe them, usually one hash per piece. The method and its [`Detector::model`]
    /// define the meaning and the order of the numbers; the default `model` counts equal numbers, which must be adjacent.
    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>);

    /// Whether a piece with this count, in a sample of that many pages, is template. A method that does not select pieces by their counts
    /// overrides [`Detector::model`] instead.
    fn is_template(&self, _count: Count, _pages_sampled: usize) -> bool {
        false
    }

    /// Describes the rule of [`Detector::is_template`] for a sample of that many pages.
    fn rule(&self, pages_sampled: usize) -> String;

    /// The regions of a page, sorted and without overlaps.
    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region>;

    /// The regions of a single page of an unknown site. Only methods that use more than repetition find any.
    fn label_single_page(&self, _page: &ParsedPage<'_>) -> Vec<Region> {
        Vec::new()
    }

    /// Explains for each of these parts of a page why it is template or is not. The page is judged once for all parts. A method that has
    /// nothing to add to its rule and its counts returns `None`.
    fn why(&self, _model: &Model, _page: &ParsedPage<'_>, parts: &[Span]) -> Vec<Option<String>> {
        vec![None; parts.len()]
    }

    /// Whether the id of a region identifies a place of the site, whatever text is there. Otherwise it identifies a repeated piece, and
    /// pieces that occur together form a template. See [`crate::templates`].
    fn knows_places(&self) -> bool {
        false
    }

    /// Whether [`Detector::label_single_page`] finds anything.
    fn labels_single_pages(&self) -> bool {
        false
    }

    /// The interface for labelling pages as they arrive, if the method has it.
    fn page_by_page(&self) -> Option<&(dyn PageByPage + 'static)> {
        None
    }

    /// The page-by-page interface, if the method also learns whole crawls with it. Such a method keeps a state per site instead of a
    /// sample, because page order matters to it.
    fn in_order(&self) -> Option<&dyn PageByPage> {
        None
    }

    /// Encodes the method-specific part of a model for a file.
    fn encode_own(&self, _own: &Own) -> Vec<u8> {
        Vec::new()
    }

    /// Decodes the result of [`Detector::encode_own`]; `None` if the bytes are damaged.
    fn decode_own(&self, _bytes: &[u8]) -> Option<Own> {
        None
    }

    /// Computes the model of a site from its sample.
    fn model(&self, sample: &Sample) -> Model {
        let pages = sample.pages_sampled();
        let templates = match pages {
            // A single page cannot be compared with anything.
            0 | 1 => Default::default(),
            _ => sample.count(|count| self.is_template(count, pages)),
        };
        Model::new(sample.pages_observed(), pages, templates)
    }
}

/// The name of a method and its constructor.
type NamedMethod = (&'static str, fn() -> Box<dyn Detector>);

/// All methods, with the parameters of their papers. The first is the default.
pub const METHODS: &[NamedMethod] = &[
    ("places", || Box::new(Places::default())),
    ("dom", || Box::new(Dom::default())),
    ("text", || Box::new(Text::default())),
    ("segments", || Box::new(Segments::default())),
    ("blocks", || Box::new(Blocks::default())),
    ("shingle", || Box::new(Shingle::default())),
    ("sst", || Box::new(Sst::default())),
];

/// Parses a method with parameters, as users write it: `dom`, `text:window=20,density=40`.
///
/// ```
/// let text = unframe::detect::parse("text:window=20,density=40").unwrap();
/// assert_eq!(text.settings()[0].value, "20");
/// let error = unframe::detect::parse("text:low=1").err().unwrap();
/// assert_eq!(error.to_string(), "the method `text` has no parameter `low`: choose one of window, count, density, sample, reach, hidden, shrink");
/// ```
pub fn parse(text: &str) -> Result<Box<dyn Detector>, SettingError> {
    let (name, settings) = text.split_once(':').unwrap_or((text, ""));
    let mut detector = method(name).ok_or_else(|| SettingError::NoMethod(name.to_owned()))?;
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let no_value = || SettingError::NoValue(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(no_value)?;
        detector.set(name.trim(), value.trim())?;
    }
    Ok(detector)
}

/// The method with that name.
pub fn method(name: &str) -> Option<Box<dyn Detector>> {
    METHODS.iter().find(|(known, _)| *known == name).map(|(_, make)| make())
}
