//! The pages of a site as lines of JSON, grouped by template schema. The list shows which pages are rich in content, and which only link to others.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 5.1, suggests indexing only the pages of a site that are
//! rich in content, and finding them by their template schema.

use std::cmp::Reverse;

use serde::Serialize;

use super::schema::{self, Group};
use super::{PageView, SiteView};

/// A line of the list.
#[derive(Serialize)]
struct Line<'s> {
    site: &'s str,
    /// The number of its group, from 1. Group 1 has the highest median of content.
    group: usize,
    /// The number of pages in the group.
    group_pages: usize,
    /// The median number of characters of content on the pages of the group.
    group_content: u64,
    /// Whether the group is an outlier.
    outlier: bool,
    url: &'s str,
    title: &'s str,
    bytes: u32,
    /// The number of characters of its text, and of its text outside of templates.
    text: u64,
    content: u64,
    /// The number of its links, and of its links outside of templates.
    links: u64,
    content_links: u64,
}

/// Writes the list. Groups with much content come first, and so do pages with much content within a group.
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

/// The number of characters of text outside of templates.
fn content(page: &PageView) -> u64 {
    page.volume.text.total - page.volume.text.template
}
