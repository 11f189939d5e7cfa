//! The title of the content, without the name of the site.

use super::collect::{Found, one_line, text_of};
use super::json_ld::JsonLd;
use crate::html::Node;
use crate::html::tag::Tag;
use crate::regions::{Region, RegionKind};

/// Separators between a title and the name of a site.
const SEPARATORS: [&str; 13] =
    [" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " ‹ ", " / ", ": ", "_"];

/// Separators without spaces, as in Chinese titles. Words contain them as well, so a heading must confirm where the title ends.
const TIGHT_SEPARATORS: [&str; 10] = ["-", "－", "–", "—", "|", "｜", "丨", "»", "::", "："];

/// The characters of separators.
const EDGES: &str = "|-–—:·•»«›‹~｜丨";

/// Maximum number of headings that are compared with the title.
const HEADINGS_MAX: usize = 4;
/// Minimum number of letters in a second-level heading that confirms a title.
const CONFIRMING_MIN: usize = 4;

/// The title of the content. A home page is about the site, so the name of the site stays in its title.
pub(super) fn of(found: &Found<'_>, json: &JsonLd, sites: &[String], is_home: bool) -> Option<String> {
    let title = found.title.map(text_of).filter(|title| !title.is_empty());
    let open_graph = found.meta(&["og:title", "twitter:title", "dc.title", "citation_title"]).map(one_line);
    let headline =
        json.work().and_then(|work| work.text("headline").or_else(|| work.text("name"))).map(one_line);
    let of_site =
        || found.headings.iter().map(|place| place.node).filter(|node| !is_home && is_of_site(*node));
    let sites: Vec<String> = sites.iter().cloned().chain(of_site().take(HEADINGS_MAX).map(text_of)).collect();
    let headings = headings(found, Tag::H1);
    let is_site = |text: &str| sites.iter().any(|site| plain(site) == plain(text));
    let witnesses: Vec<String> = headings
        .iter()
        .chain(&headline)
        .chain(&open_graph)
        .filter(|text| !is_site(text))
        .map(|text| without_site(text, &sites))
        .collect();
    if let Some(title) = &title {
        // A heading that the title begins or ends with is the title of the content.
        let is_part = |text: &str| {
            parts(title, &SEPARATORS)
                .chain(parts(title, &TIGHT_SEPARATORS))
                .any(|(part, _)| plain(part) == plain(text))
        };
        if let Some(confirmed) = witnesses.iter().find(|text| is_part(text)) {
            return Some(confirmed.clone());
        }
        if let Some(confirmed) = self::headings(found, Tag::H2).first().filter(|text| begins(title, text)) {
            return Some(confirmed.clone());
        }
    }
    let candidates: Vec<String> =
        [open_graph, title, headline].into_iter().flatten().chain(headings.first().cloned()).collect();
    // A title that is only the name of the site, or that all pages share, is no title of this page's content.
    let of_content = candidates.iter().find(|text| is_home || !is_site(text));
    Some(without_site(of_content.or(candidates.first())?, &sites))
}

/// The parts of the title that other pages of the site share, found by the regions in it, without separators at the edges.
pub(super) fn in_common(found: &Found<'_>, regions: &[Region]) -> Vec<String> {
    let Some(text) = found.title.and_then(Node::first_child) else { return Vec::new() };
    let first = regions.partition_point(|region| region.span.start < text.span().start);
    let inside = regions[first..].iter().take_while(|region| region.span.end <= text.span().end);
    let parts = inside.filter(|region| region.kind == RegionKind::Markup).map(|region| {
        let mut part = String::new();
        text.for_each_char(|c, bytes| part.extend(region.span.contains(bytes).then_some(c)));
        one_line(part.trim_matches(|c: char| c.is_whitespace() || EDGES.contains(c)))
    });
    parts.collect()
}

/// Splits a text at all separators that have spaces on both sides.
pub(super) fn cut(text: &str) -> Vec<&str> {
    let spaced = SEPARATORS.iter().filter(|separator| separator.starts_with(' '));
    spaced.fold(vec![text], |parts, separator| {
        parts.into_iter().flat_map(|part| part.split(separator)).collect()
    })
}

/// The texts of the first headings of a level.
fn headings(found: &Found<'_>, level: Tag) -> Vec<String> {
    let places = found.headings.iter().filter(|place| place.node.tag() == Some(level));
    let texts = places.take(HEADINGS_MAX).map(|place| without_permalink(&text_of(place.node)));
    texts.filter(|text| !text.is_empty()).collect()
}

/// Removes the permalink sign at the end of a heading.
fn without_permalink(heading: &str) -> String {
    let signs = ["¶", "🔗", " #", " §"];
    let kept = signs.iter().find_map(|sign| heading.strip_suffix(sign));
    kept.unwrap_or(heading).trim_end().to_owned()
}

/// Whether a heading is the name of the site: it links to the home page, or its name says so.
fn is_of_site(heading: Node<'_>) -> bool {
    const NAMES: [&str; 8] =
        ["site", "site-title", "site-name", "sitename", "logo", "site-logo", "blog-title", "brand"];
    let is_named = |name: &str| {
        let value = heading.attribute(name).unwrap_or_default();
        value.split_ascii_whitespace().any(|word| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    let inside = heading.descendants().take(8).filter(|node| node.tag() == Some(Tag::A));
    let mut links = inside.filter_map(|node| node.attribute("href"));
    heading.tag() == Some(Tag::H1)
        && (is_named("class") || is_named("id") || links.any(|href| href.trim() == "/"))
}

/// Whether a title begins with a text and continues after it.
fn begins(title: &str, text: &str) -> bool {
    let text = plain(text);
    let mut parts = parts(title, &SEPARATORS).chain(parts(title, &TIGHT_SEPARATORS));
    text.chars().count() >= CONFIRMING_MIN
        && parts.any(|(part, _)| title.starts_with(part) && plain(part) == text)
}

/// The prefixes and suffixes of a title at each separator, and the whole title, each with the rest of the title.
fn parts<'t>(title: &'t str, separators: &[&'static str]) -> impl Iterator<Item = (&'t str, &'t str)> {
    let cuts = separators.iter().flat_map(|separator| {
        title.match_indices(*separator).map(|(at, separator)| (at, at + separator.len()))
    });
    let halves =
        cuts.flat_map(|(end, start)| [(&title[..end], &title[start..]), (&title[start..], &title[..end])]);
    std::iter::once((title, "")).chain(halves)
}

/// Removes the name of a site from the title.
fn without_site(title: &str, sites: &[String]) -> String {
    let is_site = |text: &str| !text.is_empty() && sites.iter().any(|site| plain(site) == plain(text));
    let shorter = |title: &str| {
        let kept = parts(title, &SEPARATORS).filter(|(part, rest)| is_site(rest) && !part.trim().is_empty());
        kept.map(|(part, _)| part.trim().to_owned()).min_by_key(String::len)
    };
    let mut title = title.trim().to_owned();
    while let Some(kept) = shorter(&title) {
        title = kept;
    }
    title
}

/// The letters and digits in lower case, for comparison.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
