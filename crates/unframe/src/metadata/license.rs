//! The licence of a page.

use super::collect::{Found, one_line};
use super::json_ld::JsonLd;

/// The licence: an address if there is one, else the page's statement of its rights.
pub(super) fn of(
    found: &Found<'_>,
    json: &JsonLd,
    absolute: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let items = [json.work(), json.page()].into_iter().flatten();
    // `rel=copyright` is the page's notice of its rights, which need not be a licence.
    let linked = found.link("license").filter(|address| !address.starts_with('#')).and_then(&absolute);
    let meta = || found.meta(&["dcterms.license", "dc.license", "license", "cc:license", "og:license"]);
    let stated = || {
        meta()
            .map(str::to_owned)
            .or_else(|| items.filter_map(|item| item.text("license")).next().map(one_line))
    };
    let resolved = |value: String| if is_address(&value) { absolute(&value) } else { Some(value) };
    let address = linked.or_else(|| stated().and_then(resolved)).or_else(|| only(&found.licenses));
    let rights = || found.meta(&["dcterms.rights", "dc.rights", "dc.rights.license"]).map(one_line);
    address.or_else(rights).filter(|license| !license.is_empty())
}

/// The Creative Commons address that the page links to, unless it links to several, which are licences of images.
fn only(licenses: &[String]) -> Option<String> {
    let plain = |address: &String| {
        let rest = address.split_once("creativecommons.org/").map_or("", |(_, rest)| rest);
        rest.split('/').take(3).collect::<Vec<_>>().join("/")
    };
    let first = licenses.first()?;
    licenses.iter().all(|other| plain(other) == plain(first)).then(|| first.clone())
}

/// Whether a value is an address rather than a text such as `All rights reserved`.
fn is_address(value: &str) -> bool {
    !value.contains(' ') && (value.contains('/') || value.contains("://"))
}
