//! The data of a site that pictures need: its pages with their template regions.

use std::collections::HashMap;

use unframe::aggregate::{Aggregation, Aggregator};
use unframe::regions::{Region, RegionKind, Sort, TemplateHash};
use unframe::text::content::Volume;

use super::Seen;
use super::page_text::{self, Part};
use crate::links::Link;

/// The data of a site for drawing.
#[derive(Debug, Clone, Default)]
pub struct SiteView {
    /// Its name.
    pub name: String,
    /// The method that found its templates.
    pub method: String,
    /// Whether pieces are places of the site; see [`unframe::templates`].
    pub knows_places: bool,
    /// Its pages, in the order of [`SiteView::sort`] after that was called.
    pub pages: Vec<PageView>,
    /// The distinct template hashes, in the order of their first occurrence.
    pub pieces: Vec<PieceView>,
    /// The share of template in it.
    pub volume: Volume,
    numbers: HashMap<TemplateHash, u32>,
    /// For each piece, the last page on which it was counted.
    last_pages: Vec<u32>,
}

/// The data of a page for drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct PageView {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its length in bytes.
    pub bytes: u32,
    /// Its template regions, in page order.
    pub marks: Vec<Mark>,
    /// The share of template in it.
    pub volume: Volume,
    /// Its text, cut at regions.
    pub text: Vec<Part>,
    /// Its links.
    pub links: Vec<Link>,
}

/// A template region of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The offset of its first byte in the page.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
    /// The piece that it is an occurrence of: an index into [`SiteView::pieces`].
    pub piece: u32,
    /// The kind of the region.
    pub kind: RegionKind,
}

/// A template hash of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceView {
    /// The hash.
    pub hash: TemplateHash,
    /// Its sort, such as navigation.
    pub sort: Sort,
    /// The template that contains it.
    pub within: Option<TemplateHash>,
    /// The number of its occurrences on all pages.
    pub occurrences: u64,
    /// The number of pages that contain it.
    pub pages: u32,
    /// The number of links in all its template regions; 0 unless pages are to be explored.
    pub links: u64,
    /// The text of its first occurrence.
    pub text: Option<String>,
}

impl SiteView {
    /// A site without pages.
    pub fn new(name: impl Into<String>, method: impl Into<String>) -> SiteView {
        let method = method.into();
        let knows_places = unframe::detect::method(&method).is_some_and(|detector| detector.knows_places());
        SiteView { name: name.into(), method, knows_places, ..SiteView::default() }
    }

    /// Its name in titles. Files without an address form one site, `file:`, which is shown as "the files".
    pub fn display_name(&self) -> &str {
        if self.name == "file:" { "the files" } else { &self.name }
    }

    /// Adds a page.
    pub fn add(&mut self, seen: Seen) {
        let page = self.pages.len() as u32;
        let mut marks = Vec::with_capacity(seen.regions.len());
        for region in &seen.regions {
            let number = self.number(region);
            let piece = &mut self.pieces[number as usize];
            piece.occurrences += 1;
            let last_page = std::mem::replace(&mut self.last_pages[number as usize], page);
            piece.pages += u32::from(last_page != page);
            let Region { span, kind, .. } = *region;
            marks.push(Mark { start: span.start, end: span.end, piece: number, kind });
        }
        for (mark, links) in marks.iter().zip(seen.link_counts).filter(|(mark, _)| mark.kind.is_template()) {
            self.pieces[mark.piece as usize].links += u64::from(links);
        }
        let mut text = seen.text;
        for part in &mut text {
            let Part::Template { region, text } = part else { continue };
            let Some(mark) = marks.get(*region as usize) else { continue };
            let known = &mut self.pieces[mark.piece as usize].text;
            match known {
                None => *known = text.take(),
                // The text of a piece is stored only once.
                Some(known) if text.as_ref() == Some(known) => *text = None,
                Some(_) => {}
            }
        }
        self.volume += seen.volume;
        self.pages.push(PageView {
            url: seen.url,
            title: seen.title,
            bytes: seen.bytes,
            marks,
            volume: seen.volume,
            text,
            links: seen.links,
        });
    }

    fn number(&mut self, region: &Region) -> u32 {
        let Region { template: hash, sort, within, .. } = *region;
        let next = self.pieces.len() as u32;
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.pieces.push(PieceView {
                hash,
                sort,
                within,
                occurrences: 0,
                pages: 0,
                links: 0,
                text: None,
            });
            self.last_pages.push(u32::MAX);
        }
        number
    }

    /// Sorts the pages by length, then by address, so that similar pages are adjacent.
    pub fn sort(&mut self) {
        self.pages.sort_by(|a, b| (a.bytes, &a.url).cmp(&(b.bytes, &b.url)));
    }

    /// The length of the longest page in bytes.
    pub fn bytes_max(&self) -> u32 {
        self.pages.iter().map(|page| page.bytes).max().unwrap_or(0)
    }

    /// The number of bytes that corresponds to the width of the picture. This is the length of the longest page, unless a few pages are so much
    /// longer that all others would be too small to see. Then the longest hundredth of the pages is cut off, and the picture says so.
    pub fn bytes_shown(&self) -> u32 {
        let mut lengths: Vec<u32> = self.pages.iter().map(|page| page.bytes).collect();
        lengths.sort_unstable();
        let longest = lengths.last().copied().unwrap_or(0);
        match lengths.get((lengths.len() * 99).div_ceil(100).saturating_sub(1)) {
            Some(usual) if longest / OUTLIER_TIMES >= *usual => *usual,
            _ => longest,
        }
    }

    /// The templates that the pieces form. Page indices are those of the current order.
    pub fn aggregate(&self) -> Aggregation {
        let mut aggregator = Aggregator::default();
        for page in &self.pages {
            let templates = page.marks.iter().filter(|mark| mark.kind.is_template());
            let regions: Vec<_> = templates.map(|mark| self.region(*mark)).collect();
            aggregator.add_page(&regions);
        }
        aggregator.finish()
    }

    fn region(&self, mark: Mark) -> Region {
        let piece = &self.pieces[mark.piece as usize];
        let span = unframe::html::Span { start: mark.start, end: mark.end };
        Region::new(span, piece.hash, piece.pages)
    }

    /// The piece and the text of a part of a page's text.
    pub fn part<'a>(&'a self, page: &'a PageView, part: &'a Part) -> (Option<u32>, &'a str) {
        match part {
            Part::Content(text) => (None, text),
            Part::Template { region, text } => {
                let piece = page.marks.get(*region as usize).map(|mark| mark.piece);
                let known = piece.and_then(|piece| self.pieces[piece as usize].text.as_deref());
                (piece, text.as_deref().or(known).unwrap_or_default())
            }
        }
    }

    /// Selects `wanted` page indices, evenly spaced, including the first and the last.
    pub fn spread(pages: usize, wanted: usize) -> Vec<usize> {
        match (pages, wanted) {
            (0, _) | (_, 0) => Vec::new(),
            _ if pages <= wanted => (0..pages).collect(),
            (_, 1) => vec![pages - 1],
            _ => (0..wanted).map(|at| at * (pages - 1) / (wanted - 1)).collect(),
        }
    }
}

/// Long pages are cut off if the longest is at least this many times as long as the 99th percentile.
const OUTLIER_TIMES: u32 = 4;

/// Cuts the texts of pages so that their total size in bytes is at most about `bytes_max`, and returns the number of pages that were cut.
pub(super) fn cut_texts(pages: &mut [PageView], bytes_max: usize) -> usize {
    let per_page = bytes_max / pages.len().max(1);
    let total: usize = pages.iter().map(|page| page_text::byte_len(&page.text)).sum();
    if total <= bytes_max {
        return 0;
    }
    pages.iter_mut().map(|page| usize::from(page_text::cut(&mut page.text, per_page))).sum()
}
