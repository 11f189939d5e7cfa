//! The key pages of a site, which are the pages that its templates link to.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 5.1: link-rich templates lead
//! to the key areas of a site.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use url::Url;

use super::SiteView;
use crate::limits::KEY_PAGES_MAX;

/// A page that templates link to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPage {
    /// Its address.
    pub url: String,
    /// The most frequent anchor text of the links.
    pub text: String,
    /// The number of pages with a template that links to it.
    pub in_templates: u32,
    /// The number of pages that link to it in their content.
    pub in_content: u32,
    /// The piece that contains most of these links: an index into [`SiteView::pieces`].
    pub piece: u32,
    /// Its index in [`SiteView::pages`], if it was crawled.
    pub page: Option<u32>,
}

#[derive(Default)]
struct Tally<'a> {
    in_templates: Pages,
    in_content: Pages,
    texts: BTreeMap<&'a str, u32>,
    pieces: BTreeMap<u32, u32>,
}

/// Counts distinct pages. Several links on one page count once.
#[derive(Default)]
struct Pages {
    count: u32,
    last: Option<usize>,
}

impl Pages {
    fn add(&mut self, page: usize) {
        self.count += u32::from(self.last != Some(page));
        self.last = Some(page);
    }
}

/// The pages that templates on at least two pages link to, sorted by the number of these pages.
pub fn of_site(site: &SiteView) -> Vec<KeyPage> {
    let mut tallies: HashMap<&str, Tally<'_>> = HashMap::new();
    for (number, page) in site.pages.iter().enumerate() {
        for link in &page.links {
            let tally = tallies.entry(&link.to).or_default();
            match link.region.and_then(|region| page.marks.get(region as usize)) {
                Some(mark) if mark.kind.is_template() => {
                    tally.in_templates.add(number);
                    *tally.texts.entry(&link.text).or_default() += 1;
                    *tally.pieces.entry(mark.piece).or_default() += 1;
                }
                _ => tally.in_content.add(number),
            }
        }
    }
    let mut found: Vec<(&str, Tally<'_>)> =
        tallies.into_iter().filter(|(_, tally)| tally.in_templates.count > 1).collect();
    found.sort_unstable_by_key(|(url, tally)| (Reverse(tally.in_templates.count), *url));
    found.truncate(KEY_PAGES_MAX);
    let numbers = page_numbers(site);
    let key_page = |(url, tally): (&str, Tally<'_>)| KeyPage {
        url: url.to_owned(),
        text: most_frequent(&tally.texts).unwrap_or_default().to_owned(),
        in_templates: tally.in_templates.count,
        in_content: tally.in_content.count,
        piece: most_frequent(&tally.pieces).unwrap_or_default(),
        page: numbers.get(url).copied(),
    };
    found.into_iter().map(key_page).collect()
}

fn page_numbers(site: &SiteView) -> HashMap<String, u32> {
    let plain = |url: &str| {
        let mut url = Url::parse(url).ok()?;
        url.set_fragment(None);
        Some(String::from(url))
    };
    (0..).zip(&site.pages).filter_map(|(number, page)| Some((plain(&page.url)?, number))).collect()
}

/// The key with the highest count; the smallest key wins a tie.
fn most_frequent<K: Copy + Ord>(counts: &BTreeMap<K, u32>) -> Option<K> {
    counts.iter().max_by_key(|(key, count)| (**count, Reverse(**key))).map(|(key, _)| *key)
}
