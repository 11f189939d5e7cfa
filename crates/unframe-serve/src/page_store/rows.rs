//! The records of pages and sites. Fields may be added, but never renamed, because existing states contain them.

use encoding_rs::Encoding;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use unframe::html::Span;
use unframe::{Charset, CharsetSource, Origin, Page, Region, Sort, TemplateHash};

use crate::limits::RECENT_SHARES;
use crate::study::KINDS;

/// A page without its bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PageRow {
    pub(crate) url: String,
    pub(crate) site: String,
    /// Seconds of Unix time.
    pub(crate) date: Option<i64>,
    /// Its title.
    #[serde(default)]
    pub(crate) title: String,
    /// Its length.
    pub(crate) bytes: u32,
    /// Its compressed length.
    #[serde(default)]
    pub(crate) packed: u32,
    /// A hash of its bytes.
    pub(crate) content: u64,
    /// The name of its charset.
    pub(crate) charset: String,
    /// Its fingerprint, in hex.
    #[serde(default)]
    pub(crate) fingerprint: String,
    /// Number of its template bytes when it was posted.
    #[serde(default)]
    pub(crate) template_bytes: u32,
}

/// A site, updated with each page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SiteRow {
    pub(crate) pages: u64,
    pub(crate) bytes: u64,
    pub(crate) template_bytes: u64,
    /// The number of the last page.
    pub(crate) last: u64,
    /// The earliest and the latest date of its pages, in seconds of Unix time.
    pub(crate) oldest: Option<i64>,
    pub(crate) newest: Option<i64>,
    /// Template shares of the pages that were posted last, in percent.
    pub(crate) recent: Vec<u8>,
}

/// A stored region: start, end, template, pages, kind, sort, confidence, template around it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SavedRegion(u32, u32, u64, u32, u8, u8, u8, Option<u64>);

impl PageRow {
    /// The page with these bytes.
    pub(crate) fn page(&self, payload: Vec<u8>) -> Page {
        let encoding = Encoding::for_label(self.charset.as_bytes()).unwrap_or(encoding_rs::UTF_8);
        Page {
            url: self.url.clone(),
            site: self.site.clone(),
            date: self.date.and_then(|date| Timestamp::from_second(date).ok()),
            payload,
            charset: Charset { encoding, source: CharsetSource::Default },
            record_id: None,
            origin: Origin { file: "kept".into(), offset: 0 },
            problems: Vec::new(),
        }
    }

    /// Its template share when it was posted, in percent.
    pub(super) fn share(&self) -> u8 {
        (100 * u64::from(self.template_bytes) / u64::from(self.bytes.max(1))) as u8
    }

    /// The date in the format of responses.
    pub(crate) fn date_text(&self) -> Option<String> {
        self.date.and_then(date_text)
    }
}

/// A date in the format of responses.
pub(crate) fn date_text(seconds: i64) -> Option<String> {
    Timestamp::from_second(seconds).ok().map(|date| date.to_string())
}

impl SiteRow {
    /// The record of the site after this page was added.
    pub(super) fn with(mut self, id: u64, page: &PageRow) -> SiteRow {
        self.pages += 1;
        self.bytes += u64::from(page.bytes);
        self.template_bytes += u64::from(page.template_bytes);
        self.last = id;
        self.add_date(page.date);
        self.recent.push(page.share());
        let excess = self.recent.len().saturating_sub(RECENT_SHARES);
        self.recent.drain(..excess);
        self
    }

    /// Extends the range of dates by the date of a page.
    pub(super) fn add_date(&mut self, date: Option<i64>) {
        self.oldest = self.oldest.into_iter().chain(date).min();
        self.newest = self.newest.into_iter().chain(date).max();
    }

    /// The record of the site after this page was removed.
    pub(super) fn without(mut self, page: &PageRow) -> SiteRow {
        self.pages = self.pages.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(u64::from(page.bytes));
        self.template_bytes = self.template_bytes.saturating_sub(u64::from(page.template_bytes));
        self
    }
}

impl From<&Region> for SavedRegion {
    fn from(region: &Region) -> SavedRegion {
        let Region { span, template, within, pages, kind, sort, confidence, .. } = *region;
        let kind = KINDS.iter().position(|known| *known == kind).unwrap_or(0) as u8;
        // 0 stands for the unnamed sort.
        let sort = Sort::NAMED.iter().position(|known| *known == sort).map_or(0, |at| at as u8 + 1);
        let within = within.map(|template| template.0);
        SavedRegion(span.start, span.end, template.0, pages, kind, sort, confidence, within)
    }
}

impl From<SavedRegion> for Region {
    fn from(saved: SavedRegion) -> Region {
        let SavedRegion(start, end, template, pages, kind, sort, confidence, within) = saved;
        let kind = KINDS.get(usize::from(kind)).copied().unwrap_or_default();
        let sort = usize::from(sort).checked_sub(1).and_then(|at| Sort::NAMED.get(at)).copied();
        let region = Region::new(Span { start, end }, TemplateHash(template), pages)
            .with_kind(kind)
            .with_sort(sort.unwrap_or_default())
            .with_confidence(confidence);
        within.map_or(region, |within| region.with_container(TemplateHash(within)))
    }
}
