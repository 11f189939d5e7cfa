//! What sort of thing a part of a page is, where its elements say so.

use super::blocks::PageBlocks;
use super::elements::{Element, ancestor, token_hash};
use crate::html::tag::Tag;
use crate::regions::Sort;

/// Tokens of class names, ids and roles that tell a sort, most telling first.
#[rustfmt::skip]
const TOKENS: [(Sort, &[&str]); 12] = [
    (Sort::Comments, &["comment", "comments", "commentlist", "disqus", "respond", "replies", "reply"]),
    (Sort::Share, &["share", "sharing", "social", "tweet", "facebook", "twitter", "addthis", "sharethis", "whatsapp", "bookmark"]),
    (Sort::Byline, &["byline", "author", "dateline", "published", "timestamp", "pubdate", "itemprop=author", "itemprop=datepublished", "postmeta", "credit"]),
    (Sort::Tags, &["tags", "tag", "tagcloud", "categories", "keywords", "hashtags"]),
    (Sort::Advert, &["ad", "ads", "advert", "advertisement", "advertising", "sponsor", "sponsored", "promo", "promotion"]),
    (Sort::Related, &["related", "recommended", "recommend", "recommendations", "teaser", "teasers", "latest", "recent", "popular", "trending", "mostread", "similar", "headlines"]),
    (Sort::Notice, &["cookie", "cookies", "consent", "gdpr", "alert", "notice", "popup", "modal", "overlay", "dialog", "role=dialog", "role=alert"]),
    (Sort::Form, &["search", "login", "signin", "signup", "newsletter", "subscribe", "subscription", "role=search", "form"]),
    (Sort::Navigation, &["nav", "navigation", "navbar", "menu", "breadcrumb", "breadcrumbs", "pager", "pagination", "prev", "next", "sitemap", "role=navigation", "role=menu", "role=menubar", "toc"]),
    (Sort::Footer, &["footer", "foot", "copyright", "legal", "colophon", "role=contentinfo"]),
    (Sort::Header, &["header", "masthead", "logo", "branding", "topbar", "role=banner"]),
    (Sort::Sidebar, &["sidebar", "aside", "widget", "widgets", "rail", "role=complementary"]),
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

/// The sort of a block: what the innermost element that tells one says.
pub(super) fn sort_of(page: &PageBlocks, at: usize) -> Sort {
    let mut element = page.blocks[at].element;
    while element > 0 {
        let this = page.element(element);
        if let Some(sort) = by_tokens(page.tokens_of(this)).or_else(|| by_tag(page, this)) {
            return sort;
        }
        element = this.parent;
    }
    Sort::Unknown
}

fn by_tokens(tokens: &[u32]) -> Option<Sort> {
    if tokens.is_empty() {
        return None;
    }
    let is_known = |words: &&[&str]| words.iter().any(|word| tokens.contains(&token_hash(word.as_bytes())));
    TOKENS.iter().find(|(_, words)| is_known(words)).map(|(sort, _)| *sort)
}

/// What an element's own tag says: what it has and its parent has not.
fn by_tag(page: &PageBlocks, element: &Element) -> Option<Sort> {
    let own = element.ancestors & !page.element(element.parent).ancestors;
    TAGS.iter().find(|(_, bits)| own & bits != 0).map(|(sort, _)| *sort)
}
