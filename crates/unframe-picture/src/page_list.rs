//! The pages of a site as lines of JSON, by template schema: which pages are rich in content, and which only lead to others.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 5.1, suggests to index only the pages of a site that are rich in
//! content, and to find them by their template schema.

use std::cmp::Reverse;

use serde::Serialize;

use super::schema::{self, Group};
use super::{PageView, SiteView};

/// A line of the list.
#[derive(Serialize)]
struct Line<'s> {
    site: &'s str,
    /// The number of its group, from 1: the group with the most content a page.
    group: usize,
    /// Pages in the group.
    group_pages: usize,
    /// Characters of content on the page of the group that half of its pages have less than.
    group_content: u64,
    /// Whether hardly any page is like it.
    outlier: bool,
    url: &'s str,
    title: &'s str,
    bytes: u32,
    /// Characters of its text, and of its text outside of templates.
    text: u64,
    content: u64,
    /// The same of links.
    links: u64,
    content_links: u64,
}

/// Writes the list: groups with much content first, and in each the pages with much content.
pub fn write(site: &SiteView) -> String {
    let mut groups: Vec<(u64, Group)> = schema::of_site(site)
        .groups
        .into_iter()
        .map(|mut group| {
            group.pages.sort_by_key(|page| Reverse(content(&site.pages[*page as usize])));
            (content(&site.pages[group.pages[group.pages.len() / 2] as usize]), group)
        })
        .collect();
    groups.sort_by_key(|(content, group)| (Reverse(*content), group.pages.first().copied()));
    let mut text = String::new();
    for (at, (median, group)) in groups.iter().enumerate() {
        for page in group.pages.iter().map(|page| &site.pages[*page as usize]) {
            let line = line(site, page, (at + 1, *median, group));
            text += &serde_json::to_string(&line).unwrap_or_default();
            text.push('\n');
        }
    }
    text
}

fn line<'s>(
    site: &'s SiteView,
    page: &'s PageView,
    (number, median, group): (usize, u64, &Group),
) -> Line<'s> {
    let links = page.volume.links;
    Line {
        site: &site.name,
        group: number,
        group_pages: group.pages.len(),
        group_content: median,
        outlier: group.is_outlier,
        url: &page.url,
        title: &page.title,
        bytes: page.bytes,
        text: page.volume.text.total,
        content: content(page),
        links: links.total,
        content_links: links.total - links.template,
    }
}

/// Characters of text outside of templates.
fn content(page: &PageView) -> u64 {
    page.volume.text.total - page.volume.text.template
}
