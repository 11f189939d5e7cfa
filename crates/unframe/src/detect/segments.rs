//! `segments`: text segments that were on several recent pages.
//!
//! # What it does
//! Pages are processed one after the other, in the order of the crawl. The template of a page depends on the pages before it, and a segment
//! that no longer occurs is forgotten after a while; see [`crate::segments`]. This is the only method for which the order of the pages
//! matters by design: it learns a [`Table`] instead of a sample. Tables of two runs cannot be merged, because it is unknown which pages
//! came first.
//!
//! In batch, the crawl is observed in its order, and all pages are labelled with the final table. `unframe follow` labels each page
//! immediately instead.
//!
//! # Assumes
//! In batch, a site with fewer pages than `df` is assumed to have few pages, not few templates: on such a site, segments on all pages (at
//! least two) are template.
//!
//! # Example
//! With `base` 10 and `factor` 50, a segment that was on one page is forgotten after 10 pages without it, a segment that was on five pages
//! after 264, and a segment that was on many pages after 500.
//!
//! # Cost
//! One pass of the tokenizer per page; memory for the segments of recent pages, not for the pages.
//!
//! # Paper
//! Wang et al.: Incremental Web Page Template Detection (2008).

use super::settings::{Setting, SettingError, number};
use super::{Detector, Labels, Own, PageByPage, PreparedPage, Visit};
use crate::model::Model;
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::sample::Count;
use crate::segments::{self, Ageing, BLOCK_TAGS, Change, PageId, SegmentedPage, Segmenter, Table};

/// Segments that are checked for expiry per page, which takes a few milliseconds.
const SHRINK_STEPS: usize = 10_000;

/// Text segments, page by page; see the [module](self).
#[derive(Debug, Clone)]
pub struct Segments {
    df: u32,
    ratio: f64,
    ageing: Ageing,
    block_tags: String,
    cutter: Segmenter,
}

impl Default for Segments {
    fn default() -> Segments {
        Segments {
            df: 5,
            ratio: 0.7,
            ageing: Ageing::new(10, 50.0),
            block_tags: BLOCK_TAGS.to_owned(),
            cutter: Segmenter::new(BLOCK_TAGS),
        }
    }
}

impl Segments {
    /// Cuts a page into blocks and segments.
    pub fn cut(&self, page: &ParsedPage<'_>) -> SegmentedPage {
        self.cutter.cut(page)
    }

    /// Adds a page to the table of its site, and removes a part of the expired segments.
    pub fn visit(&self, table: &mut Table, id: PageId, keys: &[u64]) -> Visit {
        let visit = table.expand(id, keys, &self.ageing, self.df);
        let mut ended = visit.lapsed;
        table.shrink(&self.ageing, SHRINK_STEPS, |key, df| {
            if df >= self.df {
                ended.push(key);
            }
        });
        Visit { change: visit.change, became: visit.became, ended }
    }

    /// Labels a page with the current table of its site.
    pub fn label_cut(&self, table: &Table, page: &SegmentedPage) -> Vec<Region> {
        segments::label(page, self.ratio, |key| self.template_df(table, key))
    }

    /// The page count of a template segment; `None` for any other segment.
    fn template_df(&self, table: &Table, key: u64) -> Option<u32> {
        table.df(key, &self.ageing).filter(|df| *df >= self.df)
    }

    /// The model of a site in batch, from the current table.
    pub fn model_of(&self, table: &Table) -> Model {
        let pages = table.pages();
        let templates = match pages {
            0 | 1 => Default::default(),
            _ => (table.segments(&self.ageing))
                .map(|(key, df)| (key, Count { occurrences: df, pages: df }))
                .filter(|(_, count)| self.is_template(*count, pages as usize))
                .collect(),
        };
        Model::new(u64::from(pages), pages as usize, templates)
    }

    /// How long segments are remembered.
    pub fn ageing(&self) -> &Ageing {
        &self.ageing
    }
}

impl Detector for Segments {
    fn name(&self) -> &'static str {
        "segments"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("df", self.df),
            Setting::new("ratio", self.ratio),
            Setting::new("base", self.ageing.base()),
            Setting::new("factor", self.ageing.factor()),
            Setting::new("blocks", &self.block_tags),
        ]
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match name {
            "df" => self.df = number("df", value, 2..=1_000_000, "a number of pages from 2 on is needed")?,
            "ratio" => {
                self.ratio = number("ratio", value, 0.0..=1.0, "a share of the text is needed, such as 0.7")?
            }
            "base" => {
                let base = number("base", value, 1..=1_000_000, "a number of pages from 1 on is needed")?;
                self.ageing = Ageing::new(base, self.ageing.factor());
            }
            "factor" => {
                let factor = number("factor", value, 1.0..=1e6, "a number from 1 on is needed")?;
                self.ageing = Ageing::new(self.ageing.base(), factor);
            }
            "blocks" => {
                super::settings::check_tags(value)?;
                self.block_tags = value.to_owned();
                self.cutter = Segmenter::new(value);
            }
            _ => return Err(SettingError::Unknown { method: "segments", name: name.to_owned() }),
        }
        Ok(())
    }

    fn copy(&self) -> Box<dyn Detector> {
        Box::new(self.clone())
    }

    /// No pages are sampled.
    fn sample_size(&self) -> usize {
        0
    }

    fn pieces(&self, page: &ParsedPage<'_>, pieces: &mut Vec<u64>) {
        pieces.extend(self.cut(page).keys());
    }

    fn is_template(&self, count: Count, pages_sampled: usize) -> bool {
        count.pages as usize >= self.df_for(pages_sampled)
    }

    fn rule(&self, pages_sampled: usize) -> String {
        format!(
            "a text is template when it was on {} pages and not too long ago ({pages_sampled} pages in order); a block is \
             when more than {} of its text is",
            self.df_for(pages_sampled),
            self.ratio
        )
    }

    fn label(&self, model: &Model, page: &ParsedPage<'_>) -> Vec<Region> {
        if model.is_empty() {
            return Vec::new();
        }
        let cut = self.cut(page);
        segments::label(&cut, self.ratio, |key| model.count(key).map(|count| count.pages))
    }

    fn page_by_page(&self) -> Option<&(dyn PageByPage + 'static)> {
        Some(self)
    }

    fn in_order(&self) -> Option<&dyn PageByPage> {
        Some(self)
    }
}

/// The state of a site is its [`Table`]. The state of another method is treated as an empty table.
impl PageByPage for Segments {
    fn begin(&self) -> Own {
        Own::new(Table::default())
    }

    fn prepare(&self, page: &ParsedPage<'_>) -> PreparedPage {
        let cut = self.cut(page);
        PreparedPage::new(cut.keys(), cut)
    }

    fn take(&self, state: &mut Own, page: PageId, pieces: &[u64]) -> Visit {
        match state.get_mut() {
            Some(table) => self.visit(table, page, pieces),
            None => Visit { change: Change::New, became: Vec::new(), ended: Vec::new() },
        }
    }

    fn model_for(&self, state: &Own, pieces: &[u64]) -> Model {
        let Some(table) = state.get::<Table>() else { return Model::default() };
        let count = |key: &u64| {
            let df = self.template_df(table, *key)?;
            Some((*key, Count { occurrences: df, pages: df }))
        };
        let templates = pieces.iter().filter_map(count).collect();
        Model::new(u64::from(table.pages()), table.pages() as usize, templates)
    }

    fn label(&self, model: &Model, _: &ParsedPage<'_>, prepared: &PreparedPage) -> Labels {
        let df = |key| model.count(key).map(|count| count.pages);
        let regions = prepared.own().map_or_else(Vec::new, |cut| segments::label(cut, self.ratio, df));
        Labels { regions, ..Labels::default() }
    }

    fn pages(&self, state: &Own) -> u64 {
        state.get::<Table>().map_or(0, |table| u64::from(table.pages()))
    }

    fn len(&self, state: &Own) -> usize {
        state.get().map_or(0, Table::len)
    }

    fn model(&self, state: &Own) -> Model {
        state.get().map(|table| self.model_of(table)).unwrap_or_default()
    }

    fn memory(&self, state: &Own) -> usize {
        state.get().map_or(0, Table::bytes)
    }

    fn encode(&self, state: &Own) -> Vec<u8> {
        state.get::<Table>().map(|table| table.encode(&self.ageing)).unwrap_or_default()
    }

    fn decode(&self, bytes: &[u8]) -> Option<Own> {
        Table::decode(bytes, &self.ageing).ok().map(Own::new)
    }
}

impl Segments {
    fn df_for(&self, pages: usize) -> usize {
        (self.df as usize).min(pages).max(2)
    }
}
