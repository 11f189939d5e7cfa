//! `places`, the default: combines features of the page with the comparison of pages, by boosted trees that were fitted on labelled pages.
//!
//! # What it does
//! A page is cut into text blocks at block-level tags and line breaks (`blocks`); a formula is part of its line. Each block has about 200 features, all whole numbers.
//! Features of the page are the text of the block, its elements, its neighbours, its position relative to the prose of the page, and
//! log-odds of the class names around it. Features of the site are the shares of the other pages with the same text and with text at
//! the same place (the path of tags, classes and ids that leads there), and statistics of the texts at that place.
//!
//! Boosted trees compute a probability of content in two steps. The first forest scores each block by features of its page only
//! (`single_page`). If the page is compared with others, the second forest also has the features of the site, among them the first
//! scores of the same place on the other pages. For a single page, the second forest has the first scores of the surrounding blocks instead.
//!
//! What is not content is *template* or *clutter*. A template has the same text on other pages (`repeated`), or its text changes from page
//! to page inside a template (`changing`). Clutter is on no other page, but readers would not call it content: teasers, share bars, tag
//! lists, forms, notices.
//!
//! # Assumes
//! How much evidence is needed depends on the kind of page (article, product, listing, forum, documentation, service): values on product
//! pages look like templates, so they are removed only if nearly all other pages have them. If nothing would be left of a page, the text
//! that no other page has is kept. Near-duplicates of a page (`copies`) count as one page, so text that only they share is content.
//!
//! # Example
//! In `<div class=nav><a>Home</a> <a>Tea</a></div>`, the last link is the section of the page, so its text changes. It is removed because of
//! its place.
//!
//! # Cost
//! One tree and one walk over it for each page; memory for the records of `sample` pages, 48 bytes a block.

mod single_page;
mod second_pass;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod blocks;
mod codec;
mod copies;
mod decide;
mod elements;
mod facts;
mod flow;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod features;
#[cfg(feature = "fitting")]
pub mod fitting;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod forest;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod kind;
mod label;
mod landmarks;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod lexicon;
mod markup;
mod names;
mod page_by_page;
mod reconsider;
mod record;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod scorer;
mod shape;
mod site;
mod sort;
mod state;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod table;
mod title_parts;
#[cfg_attr(not(feature = "fitting"), expect(unreachable_pub, reason = "public for the program that fits"))]
mod weights;
mod why;

use super::settings::{Setting, SettingError, number, sample_size};
use super::{Detector, Own, PageByPage};
use crate::html::Span;
use crate::metadata::DeclaredKind;
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::sample::Sample;
pub(crate) use blocks::PageBlocks;
use decide::Judge;
use features::PageView;
pub use kind::PageKind;
use single_page::SinglePage;
use table::SiteTable;
use weights::WEIGHTS;

/// The default method; see the [module](self).
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// How many pages of a site are compared.
    pub sample: usize,
    /// The certainty required to remove text, from 0 to 1: a lower value removes more.
    pub certainty: f64,
}

impl Default for Places {
    fn default() -> Places {
        Places { sample: 50, certainty: 0.5 }
    }
}

impl Detector for Places {
    fn name(&self) -> &'static str {
        "places"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![Setting::new("sample", self.sample), Setting::new("certainty", self.certainty)]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match name {
            "sample" => self.sample = sample_size(value)?,
            "certainty" => {
                self.certainty =
                    number("certainty", value, 0.0..=1.0, "a probability is needed, such as 0.5")?
            }
            _ => return Err(SettingError::Unknown { method: "places", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    fn sample_size(&self) -> usize {
        self.sample
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        let page = page.blocks();
        let single_page = SinglePage::of(page, &WEIGHTS);
        record::write(page, single_page.kinds, &single_page.scores, pieces);
    }

    fn rule(&self, pages_sampled: usize) -> String {
        match pages_sampled {
            0 | 1 => "what this page shows decides what is content".to_owned(),
            pages => {
                format!("what this page and the comparison of {pages} pages show decides what is content")
            }
        }
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        self.regions(page.blocks(), table_of(model))
    }

    fn label_single_page(&self, page: &ParsedPage<'_>) -> Vec<Region> {
        self.regions(page.blocks(), None)
    }

    fn why(&self, model: &Model, page: &ParsedPage<'_>, parts: &[Span]) -> Vec<Option<String>> {
        let judge = Judge::new(page.blocks(), table_of(model), &WEIGHTS);
        let judged = judge.judge(self.certainty);
        why::why(&judge, &judged, parts)
    }

    fn knows_places(&self) -> bool {
        true
    }

    fn labels_single_pages(&self) -> bool {
        true
    }

    fn page_by_page(&self) -> Option<&(dyn PageByPage + 'static)> {
        Some(self)
    }

    fn encode_own(&self, own: &Own) -> Vec<u8> {
        own.get().map(codec::encode).unwrap_or_default()
    }

    fn decode_own(&self, bytes: &[u8]) -> Option<Own> {
        codec::decode(bytes).map(Own::new)
    }

    fn model(&self, sample: &Sample) -> Model {
        let model = Model::new(sample.pages_observed(), sample.pages_sampled(), Default::default());
        match sample.pages_sampled() {
            // A single page has nothing to be compared with.
            0 | 1 => model,
            _ => model.with_own(Own::new(SiteTable::of(sample.pages().map(|(_, record)| record)))),
        }
    }
}

/// The kind of a page, predicted from what that page looks like only, and the confidence in percent; `None` if it has no text.
///
/// ```
/// use unframe::detect::places::{PageKind, page_kind};
/// use unframe::{PageBytes, PageParser};
///
/// let mut parser = PageParser::new();
/// let html = b"<title>Tea</title><article><h1>Tea</h1><p>Tea is hot, and people like it because of that.</article>";
/// let (kind, percent) = page_kind(&parser.open(PageBytes::utf8(html))).unwrap();
/// assert!(PageKind::ALL.contains(&kind) && percent <= 100);
/// assert_eq!(page_kind(&parser.open(PageBytes::utf8(b""))), None);
/// ```
pub fn page_kind(page: &ParsedPage<'_>) -> Option<(PageKind, u8)> {
    kind_scores(page).map(kind::likeliest)
}

/// The kind of a page to report, from what it looks like and what it declares, and its probability in percent: [`PageKind::Other`] if none
/// is likelier than all others together; `None` if the page has no text.
///
/// ```
/// use unframe::detect::places::{PageKind, reported_kind};
/// use unframe::metadata::Metadata;
/// use unframe::{PageBytes, PageParser};
///
/// let mut parser = PageParser::new();
/// let page = parser.open(PageBytes::utf8(b"<meta name=generator content=phpBB><p>Is the tea still hot?<p>It is."));
/// let declared = Metadata::of(&page, "https://example.com/", &[]).declared_kind;
/// assert_eq!(reported_kind(&page, declared).unwrap().0, PageKind::Forum);
/// ```
pub fn reported_kind(page: &ParsedPage<'_>, declared: Option<DeclaredKind>) -> Option<(PageKind, u8)> {
    kind_scores(page).map(|scores| kind::reported(scores, declared))
}

/// The score of each kind; `None` if the page has no text.
fn kind_scores(page: &ParsedPage<'_>) -> Option<kind::KindScores> {
    let page = page.blocks();
    let features = kind::features(&PageView::of(page), page);
    (!page.blocks.is_empty()).then(|| kind::scores(&WEIGHTS.kinds, &features))
}

/// What the pages of a site have in common, if more than one was compared.
fn table_of(model: &Model) -> Option<&SiteTable> {
    model.own().and_then(Own::get)
}

impl Places {
    fn regions(&self, page: &PageBlocks, table: Option<&SiteTable>) -> Vec<Region> {
        let judge = Judge::new(page, table, &WEIGHTS);
        label::regions(page, &judge.judge(self.certainty))
    }
}
