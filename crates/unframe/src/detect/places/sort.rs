//! What sort of thing a part of a page is, where its elements say so.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::blocks::PageBlocks;
use super::elements::{Element, ancestor, token_hash};
use crate::html::tag::Tag;
use crate::regions::Sort;

/// Tokens of class names, ids and roles that tell a sort, most telling first.
#[rustfmt::skip]
const TOKENS: [(Sort, &[&str]); 14] = [
    (Sort::Comments, &["comment", "comments", "commentlist", "disqus", "respond", "replies", "reply"]),
    (Sort::Share, &["share", "sharing", "social", "tweet", "facebook", "twitter", "addthis", "sharethis", "whatsapp", "bookmark"]),
    (Sort::Byline, &["byline", "author", "dateline", "published", "timestamp", "pubdate", "itemprop=author", "itemprop=datepublished", "postmeta", "credit"]),
    (Sort::Tags, &["tags", "tag", "tagcloud", "categories", "keywords", "hashtags"]),
    (Sort::Advert, &["ad", "ads", "advert", "advertisement", "advertising", "sponsor", "sponsored", "promo", "promotion"]),
    (Sort::Related, &["related", "recommended", "recommend", "recommendations", "teaser", "teasers", "latest", "recent", "popular", "trending", "mostread", "similar", "headlines"]),
    (Sort::Notice, &["cookie", "cookies", "consent", "gdpr", "alert", "notice", "popup", "modal", "overlay", "dialog", "role=dialog", "role=alert"]),
    (Sort::Form, &["search", "login", "signin", "signup", "newsletter", "subscribe", "subscription", "role=search", "form"]),
    (Sort::Navigation, &["nav", "navigation", "navbar", "menu", "breadcrumb", "breadcrumbs", "pager", "pagination", "prev", "next", "sitemap", "role=navigation", "role=menu", "role=menubar", "toc"]),
    (Sort::Footer, &["footer", "foot", "ftr", "colophon", "role=contentinfo"]),
    (Sort::Legal, &["copyright", "legal", "imprint", "impressum", "disclaimer", "terms", "privacy"]),
    (Sort::Header, &["header", "hdr", "masthead", "logo", "branding", "topbar", "role=banner"]),
    (Sort::Sidebar, &["sidebar", "aside", "rail", "role=complementary"]),
    (Sort::Widget, &["widget", "widgets", "plugin"]),
];

/// Tags that tell a sort.
const TAGS: [(Sort, u32); 6] = [
    (Sort::Navigation, ancestor(Tag::NAV)),
    (Sort::Footer, ancestor(Tag::FOOTER)),
    (Sort::Form, ancestor(Tag::FORM) | ancestor(Tag::SELECT) | ancestor(Tag::BUTTON)),
    (Sort::Sidebar, ancestor(Tag::ASIDE)),
    (Sort::Header, ancestor(Tag::HEADER)),
    (Sort::Notice, ancestor(Tag::NOSCRIPT)),
];

/// The number of the sort in [`TOKENS`] that a token tells, by the token's hash.
static NUMBERS: LazyLock<HashMap<u32, usize>> = LazyLock::new(|| {
    let sorts = TOKENS.iter().enumerate();
    sorts
        .flat_map(|(at, (_, words))| words.iter().map(move |word| (token_hash(word.as_bytes()), at)))
        .collect()
});

/// The sort that an element's own names tell, else its own tag.
pub(super) fn own_sort(page: &PageBlocks, element: &Element) -> Option<Sort> {
    by_tokens(page.tokens_of(element)).or_else(|| by_tag(page, element))
}

fn by_tokens(tokens: &[u32]) -> Option<Sort> {
    let number = tokens.iter().filter_map(|token| NUMBERS.get(token)).min()?;
    Some(TOKENS[*number].0)
}

/// What an element's own tag says: what it has and its parent has not.
fn by_tag(page: &PageBlocks, element: &Element) -> Option<Sort> {
    let own = element.ancestors & !page.element(element.parent).ancestors;
    TAGS.iter().find(|(_, bits)| own & bits != 0).map(|(sort, _)| *sort)
}
