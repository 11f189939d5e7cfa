//! The title of the content, without the name of the site.

use super::collect::{Found, one_line, text_of};
use super::json_ld::JsonLd;
use crate::html::tag::Tag;

/// What stands between a title and the name of a site.
const SIGNS: [&str; 12] =
    [" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " ‹ ", " / ", ": "];

/// The title of the content.
pub(super) fn of(found: &Found<'_>, json: &JsonLd, sites: &[String]) -> Option<String> {
    let title = found.title.map(text_of).filter(|title| !title.is_empty());
    let open_graph = found.meta(&["og:title", "twitter:title", "dc.title", "citation_title"]).map(one_line);
    let headline =
        json.work().and_then(|work| work.text("headline").or_else(|| work.text("name"))).map(one_line);
    let headings: Vec<String> = found
        .headings
        .iter()
        .filter(|place| place.node.tag() == Some(Tag::H1))
        .take(4)
        .map(|place| text_of(place.node))
        .filter(|text| !text.is_empty())
        .collect();
    let is_site = |text: &str| sites.iter().any(|site| plain(site) == plain(text));
    let witnesses: Vec<String> = headings
        .iter()
        .chain(&headline)
        .chain(&open_graph)
        .filter(|text| !is_site(text))
        .map(|text| without_site(text, sites))
        .collect();
    if let Some(title) = &title {
        // A heading that the title begins or ends with is the title of the content.
        let is_part = |text: &str| parts(title).any(|(part, _)| plain(part) == plain(text));
        if let Some(confirmed) = witnesses.iter().find(|text| is_part(text)) {
            return Some(confirmed.clone());
        }
    }
    let whole = open_graph.or(title).or(headline).or_else(|| headings.first().cloned())?;
    Some(without_site(&whole, sites))
}

/// The beginnings and ends of a title, cut at each sign, and the title itself; each with the rest of it.
fn parts(title: &str) -> impl Iterator<Item = (&str, &str)> {
    let cuts =
        SIGNS.iter().flat_map(|sign| title.match_indices(sign).map(|(at, sign)| (at, at + sign.len())));
    let halves =
        cuts.flat_map(|(end, start)| [(&title[..end], &title[start..]), (&title[start..], &title[..end])]);
    std::iter::once((title, "")).chain(halves)
}

/// The title without the part that is the name of a site.
fn without_site(title: &str, sites: &[String]) -> String {
    let is_site = |text: &str| !text.is_empty() && sites.iter().any(|site| plain(site) == plain(text));
    let kept =
        parts(title).filter(|(part, rest)| is_site(rest) && !part.trim().is_empty()).map(|(part, _)| part);
    kept.min_by_key(|part| part.len()).unwrap_or(title).trim().to_owned()
}

/// Letters and digits in lower case, for comparison.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
