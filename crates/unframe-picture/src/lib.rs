//! Pictures of sites: each page is a bar, with its templates coloured where they are on the page.
//!
//! # What it does
//! Each page is a thin grey bar, as long as the page; the longest is as wide as the picture. Bars are sorted by length. Template
//! regions are drawn at their positions, in a colour for the power of ten of how often their template hash occurs on the
//! site: under 10, under 100, and so on.
//!
//! - [`look`] collects what is drawn of one page, on any thread; [`SiteView`] collects the pages of a site;
//! - [`scene`] is the layout; [`svg`] and [`png`](mod@png) write it;
//! - [`schema`] groups the pages by the sequence of their templates; [`key_pages`] finds the pages that templates link to;
//! - [`page_list`] lists the pages of these groups, those with much content first;
//! - [`drawing`] has the options of a picture, and writes it;
//! - [`explorer`] is all of it in one HTML file, and [`index`] a page of thumbnails of many sites;
//! - [`links`] are those of one page, each with the template that it stands in;
//! - [`report_page`], [`markup`], [`figures`]: HTML files that load nothing, escaped text, numbers for people;
//! - [`limits`]: what one picture may hold.
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

/// What is needed of a page, found on any thread.
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
    /// How much of it is template.
    pub volume: Volume,
    /// Its text, cut at regions; empty if nobody wants to read it.
    pub text: Vec<Part>,
    /// Its links; none if nobody wants to follow them.
    pub links: Vec<Link>,
    /// How many links begin in each region; empty if nobody wants to explore it.
    pub link_counts: Vec<u32>,
}

/// Looks at a page. Its text and links are kept when they are to be explored.
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
