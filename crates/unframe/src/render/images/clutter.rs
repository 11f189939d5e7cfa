//! Links around images that lead to no content: share buttons, links past the menu, advertisements.

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};

/// Maximum number of ancestors of an image that are searched for its link.
const ANCESTORS_MAX: usize = 4;
/// Maximum number of nodes of a link that are examined.
const NODES_MAX: usize = 40;

/// Hosts and path prefixes of share links.
#[rustfmt::skip]
const SHARING: [&str; 34] = [
    "facebook.com/share", "facebook.com/dialog/share", "facebook.com/dialog/feed", "twitter.com/intent", "twitter.com/share", "twitter.com/home?status", "x.com/intent", "x.com/share",
    "plus.google.com/share", "google.com/bookmarks", "linkedin.com/share", "linkedin.com/sharing", "pinterest.com/pin/create", "reddit.com/submit", "tumblr.com/share",
    "tumblr.com/widgets/share", "t.me/share", "telegram.me/share", "api.whatsapp.com/send", "wa.me/?text", "vk.com/share", "vkontakte.ru/share", "connect.ok.ru/offer",
    "connect.mail.ru/share", "service.weibo.com/share", "getpocket.com/save", "digg.com/submit", "stumbleupon.com/submit", "delicious.com/", "del.icio.us/post",
    "addthis.com/bookmark", "addtoany.com/", "bufferapp.com/add", "b.hatena.ne.jp/",
];

/// Hosts of advertisements and of reader statistics.
#[rustfmt::skip]
const ADVERTISING: [&str; 12] = [
    "doubleclick.net", "googleadservices.com", "googlesyndication.com", "amazon-adsystem.com", "openx.org", "openx.net", "scorecardresearch.com",
    "quantserve.com", "google-analytics.com", "adnxs.com", "adform.net", "pixel.wp.com",
];

/// Targets of skip links for keyboard users.
#[rustfmt::skip]
const PLACES: [&str; 13] = [
    "content", "main", "maincontent", "main-content", "main_content", "primary", "skip", "skipnav", "top", "page-top", "nav", "navigation", "body",
];

/// Whether an image is only a button or an advertisement.
pub(super) fn is_clutter(image: Node<'_>, address: &str) -> bool {
    let link = image.ancestors().take(ANCESTORS_MAX).find(|context| context.tag() == Some(Tag::A));
    let target = link.and_then(|link| link.attribute("href").filter(|_| !has_text(link)));
    let alt = image.attribute("alt").unwrap_or_default();
    let is_skip = |target: &str| {
        let is_word = alt.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("skip "));
        target.starts_with('#') && is_word
    };
    is_advertising(address) || target.is_some_and(|target| leads_nowhere(&target) || is_skip(&target))
}

fn has_text(link: Node<'_>) -> bool {
    let mut inside = link.descendants().take(NODES_MAX);
    inside.any(|node| node.kind() == NodeKind::Text && !node.bytes().trim_ascii().is_empty())
}

fn leads_nowhere(target: &str) -> bool {
    let target = target.trim().to_ascii_lowercase();
    if let Some(place) = target.strip_prefix('#') {
        return PLACES.contains(&place);
    }
    let rest = after_scheme(&target);
    let is_shared = |start: &str| {
        rest.match_indices(start).next().is_some_and(|(at, _)| {
            // Only a subdomain may precede the host.
            !rest[..at].contains('/') && (at == 0 || rest[..at].ends_with('.'))
        })
    };
    target.starts_with("mailto:?")
        || target.starts_with("whatsapp:")
        || is_advertising(&target)
        || SHARING.iter().any(|start| is_shared(start))
}

fn is_advertising(address: &str) -> bool {
    let address = address.trim();
    let is_absolute = address.contains("//");
    let host = after_scheme(address).split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let is_host =
        |name: &str| host.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    let is_server = || ["ad.", "ads.", "adserver.", "adclick."].iter().any(|start| host.starts_with(start));
    is_absolute && (ADVERTISING.iter().any(|name| is_host(name)) || is_server())
}

fn after_scheme(address: &str) -> &str {
    address.split_once("//").map_or(address, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere() {
        for target in [
            "http://www.facebook.com/sharer.php?u=http://x/1",
            "https://www.facebook.com/sharer/sharer.php?u=x",
            "//twitter.com/share?u=http://x/1",
            "https://twitter.com/intent/tweet?text=a",
            "mailto:?subject=Tea",
            "#content",
            "http://ad.doubleclick.net/click?1",
            "http://ads.teas.example/1",
        ] {
            assert!(leads_nowhere(target), "{target}");
        }
        for target in [
            "https://twitter.com/annlee",
            "https://www.facebook.com/teas",
            "/facebook.com/sharer",
            "https://teas.example/?u=facebook.com/sharer",
            "https://netflix.com/share",
            "#photo-1",
            "#",
            "ads.html",
            "https://adsorption.example/ad.html",
            "mailto:ann@teas.example",
        ] {
            assert!(!leads_nowhere(target), "{target}");
        }
    }
}
