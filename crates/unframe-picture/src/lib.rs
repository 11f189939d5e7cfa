//! Pictures of sites: each page is a bar, with its templates coloured where they are on the page.
//!
//! # What it does
//! Each page is a thin grey bar. The length of the bar is proportional to the length of the page, and the longest bar is as wide as the picture.
//! Bars are sorted by length. Template regions are drawn at their positions. Their colour shows the share of the site's pages that have their
//! template hash or, as in the paper, the power of ten of its number of occurrences on the site: under 10, under 100, and so on.
//!
//! - [`look`] extracts the data of one page, on any thread; [`SiteView`] collects the pages of a site;
//! - [`scene`] is the layout; [`svg`] and [`png`](mod@png) render it;
//! - [`schema`] groups the pages by the sequence of their templates; [`key_pages`] finds the pages that templates link to;
//! - [`page_list`] lists the pages of these groups, groups and pages with much content first;
//! - [`drawing`] has the options of a picture, and draws it;
//! - [`explorer`] combines everything in one HTML file, and [`index`] is a page of thumbnails of many sites;
//! - [`links`] extracts the links of one page, each with the template region that contains it;
//! - [`report_page`], [`markup`], [`figures`]: self-contained HTML files, escaped text, formatted numbers;
//! - [`limits`]: the size limits of a picture.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 5.

pub mod palette;
pub mod scene;
pub mod svg;
#[cfg(feature = "png")]
pub mod png;
pub mod page_text;
pub mod schema;
pub mod key_pages;
pub mod page_list;
pub mod explorer;
pub mod index;
pub mod drawing;
pub mod links;
pub mod report_page;
pub mod markup;
pub mod figures;
pub mod limits;
mod site_view;
#[cfg(test)]
mod tests;

pub use site_view::{Mark, PageView, PieceView, SiteView};

use unframe::text::content::{self, Volume};
use unframe::{ParsedPage, Region};

use links::Link;
use page_text::Part;

/// The data of a page that pictures need, extracted on any thread.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its length in bytes.
    pub bytes: u32,
    /// Its template regions.
    pub regions: Vec<Region>,
    /// The share of template in it.
    pub volume: Volume,
    /// Its text, cut at regions; empty unless the page is to be explored.
    pub text: Vec<Part>,
    /// Its links; empty unless the page is to be explored.
    pub links: Vec<Link>,
    /// The number of links that start in each region; empty unless the page is to be explored.
    pub link_counts: Vec<u32>,
}

/// Extracts the data of a page. Its text and links are kept only if `is_explored` is set.
pub fn look(url: &str, page: &ParsedPage<'_>, regions: Vec<Region>, is_explored: bool) -> Seen {
    let content = content::extract(page, &regions);
    let mut seen = Seen {
        url: url.to_owned(),
        title: content.title.unwrap_or_default(),
        bytes: u32::try_from(page.payload().len()).unwrap_or(u32::MAX),
        regions,
        volume: content.volume,
        text: Vec::new(),
        links: Vec::new(),
        link_counts: Vec::new(),
    };
    if is_explored {
        seen.text = page_text::parts(page.source(), &seen.regions);
        seen.links = links::of_page(url, page.source(), &seen.regions);
        seen.link_counts = unframe::text::links_in(page, &seen.regions);
    }
    seen
}
