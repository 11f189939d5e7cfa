//! Small synthetic web sites with realistic templates, for demos, tests and benchmarks.
//!
//! Nothing here is copied from the web: the sentences are made from word lists, and the hosts end in `.example`. The same
//! seed gives the same bytes on every machine. Pages are generated on demand, in microseconds, so a million of them
//! needs no memory.
//!
//! ```
//! let sites = unframe_sample::sites(1);
//! let page = sites[0].page(7);
//!
//! assert!(page.url.starts_with("https://www."));
//! assert!(page.html.starts_with(b"<!DOCTYPE html>"));
//! // The gold text: what is left when the template is gone, one block a line.
//! assert!(page.content.lines().count() > 3);
//! // The same page in an older design.
//! let old = sites[0].page_on(7, sites[0].designs()[0]);
//! assert_eq!(old.url, page.url);
//! assert_ne!(old.html, page.html);
//! ```
//!
//! Reading order: `language` makes sentences, `page` has the context and the output buffer of a template, `make` has one file for
//! each make of site.

mod language;
mod make;
mod page;
mod random;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

use make::{MAKES, Make};
use page::{Context, Writer};
use random::Random;

/// The synthetic sites of a seed: one of each make. Names and texts differ between seeds.
pub fn sites(seed: u64) -> Vec<Site> {
    MAKES.iter().map(|make| Site::new(make, seed)).collect()
}

/// A synthetic site: an unlimited sequence of pages, generated on demand.
#[derive(Debug, Clone)]
pub struct Site {
    make: &'static Make,
    seed: u64,
    host: String,
    brand: String,
}

/// A synthetic page with its ground truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamplePage {
    /// Its address, different for each page of the site.
    pub url: String,
    /// When it was fetched.
    pub date: Timestamp,
    /// The value of the HTTP header `Content-Type`.
    pub content_type: &'static str,
    /// The page in the charset of its site.
    pub html: Vec<u8>,
    /// The gold text: the visible text outside of the template. One block per line, white space
    /// collapsed. Titles, texts, teasers, authors and dates of texts are content; menus, breadcrumbs, "latest" boxes,
    /// page numbers, buttons, banners and footers are template.
    pub content: String,
    /// The kind of the page.
    pub kind: Kind,
}

/// The kinds of pages; each has a template of its own within its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The first page of a site.
    Home,
    /// Teasers of other pages, with page numbers.
    List,
    /// A text with a title, an author and a date.
    Article,
    /// A page that offers a product.
    Product,
    /// Questions and answers by several people.
    Thread,
    /// A page of a manual.
    Docs,
    /// An entry of an encyclopedia.
    Wiki,
}

impl Site {
    fn new(make: &'static Make, seed: u64) -> Site {
        let mut random = Random::of(&[seed, make.number]);
        let (first, second) = (random.pick(&BRAND_FIRST), random.pick(&BRAND_SECOND));
        let host = format!("{}-{}-{}.example", first.to_lowercase(), second.to_lowercase(), make.name);
        Site { make, seed, host, brand: format!("{first} {second}") }
    }

    /// The make of the site, such as `news` or `forum`.
    pub fn name(&self) -> &'static str {
        self.make.name
    }

    /// The host without `www.`, which is the key of the site.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The label of the charset that the pages are written in, such as `windows-1251`.
    pub fn charset(&self) -> &'static str {
        self.make.charset
    }

    /// When each design of the site came into use, oldest first. The address and the content of a page stay the same
    /// in all designs.
    pub fn designs(&self) -> [Timestamp; 3] {
        let days = Random::of(&[self.seed, self.make.number, 1]).below(200) as i64;
        DESIGN_STARTS.map(|start| timestamp(start + days * DAY_SECONDS))
    }

    /// The page with this index in the newest design. Page 0 is the home page; there is no last page.
    pub fn page(&self, index: u64) -> SamplePage {
        // A crawl fetches a page every few seconds and visits each site for a month at most.
        let fetched = CRAWL_START + (index.wrapping_mul(7) % (30 * DAY_SECONDS as u64)) as i64;
        self.page_on(index, timestamp(fetched))
    }

    /// The page with this index as it was on a date: in the design of that time, with the news boxes of that day.
    pub fn page_on(&self, index: u64, date: Timestamp) -> SamplePage {
        let design = self.designs().iter().rposition(|start| *start <= date).unwrap_or(0);
        // Pages link to adjacent indices, so the largest indices are not used.
        let index = index.min(u64::MAX - 1000);
        let context = Context { site: self, index, date, design };
        let mut writer = Writer::default();
        (self.make.write)(&context, &mut writer);
        SamplePage {
            url: format!("https://www.{}{}", self.host, context.path(index)),
            date,
            content_type: self.make.content_type,
            html: writer.encoded(self.make.charset),
            content: writer.content,
            kind: context.kind(index),
        }
    }
}

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// 8 January 2024.
const CRAWL_START: i64 = 1_704_672_000;
/// Early 2018, 2020 and 2022.
const DESIGN_STARTS: [i64; 3] = [1_515_000_000, 1_578_000_000, 1_641_000_000];

const BRAND_FIRST: [&str; 16] = [
    "Grey", "Upper", "Amber", "North", "Silver", "Quiet", "Hollow", "Copper", "Winter", "Long", "Salt",
    "Green", "Far", "Old", "Bright", "Stone",
];
const BRAND_SECOND: [&str; 16] = [
    "Harbour", "Lantern", "Mill", "Ferry", "Orchard", "Anchor", "Meadow", "Bridge", "Compass", "Kettle",
    "Tower", "Heron", "Canal", "Bell", "Island", "Pier",
];

/// The time this many seconds after the epoch. It cannot overflow: all callers stay within a few decades of the epoch.
fn timestamp(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
