//! The sort of a part of a page (navigation, comments, byline, …), by its element's tokens and tag.

use std::sync::LazyLock;

use super::blocks::PageBlocks;
use super::elements::{Element, ancestor, token_hash};
use super::lexicon::Table;
use crate::html::tag::Tag;
use crate::regions::Sort;

/// Tokens of classes, ids and roles that indicate a sort. If an element has tokens of several sorts, the first of these sorts counts.
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

/// Tags that indicate a sort, as bits of [`ancestor`].
const TAGS: [(Sort, u32); 6] = [
    (Sort::Navigation, ancestor(Tag::NAV)),
    (Sort::Footer, ancestor(Tag::FOOTER)),
    (Sort::Form, ancestor(Tag::FORM) | ancestor(Tag::SELECT) | ancestor(Tag::BUTTON)),
    (Sort::Sidebar, ancestor(Tag::ASIDE)),
    (Sort::Header, ancestor(Tag::HEADER)),
    (Sort::Notice, ancestor(Tag::NOSCRIPT)),
];

/// By hashed token, the number of its sort in [`TOKENS`], from 1.
static NUMBERS: LazyLock<Table> = LazyLock::new(|| {
    let sorts = (1..).zip(&TOKENS);
    let entries: Vec<(u32, i8)> = sorts
        .flat_map(|(number, (_, words))| words.iter().map(move |word| (token_hash(word.as_bytes()), number)))
        .collect();
    Table::of(&entries)
});

/// The sort by an element's own tokens, else by its own tag.
pub(super) fn own_sort(page: &PageBlocks, element: &Element) -> Option<Sort> {
    by_tokens(page.tokens_of(element)).or_else(|| by_tag(page, element))
}

fn by_tokens(tokens: &[u32]) -> Option<Sort> {
    let numbers = tokens.iter().map(|token| NUMBERS.get(*token));
    let number = numbers.filter(|number| *number > 0).min()?;
    Some(TOKENS[number as usize - 1].0)
}

/// The sort by an element's own tag, whose bit its parent does not have.
fn by_tag(page: &PageBlocks, element: &Element) -> Option<Sort> {
    let own = element.ancestors & !page.element(element.parent).ancestors;
    TAGS.iter().find(|(_, bits)| own & bits != 0).map(|(sort, _)| *sort)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_tells_one_sort() {
        for (sort, words) in TOKENS {
            assert!(words.iter().all(|word| by_tokens(&[token_hash(word.as_bytes())]) == Some(sort)));
        }
        assert_eq!(
            by_tokens(&["menu", "tea", "share"].map(|word| token_hash(word.as_bytes()))),
            Some(Sort::Share)
        );
        assert_eq!(by_tokens(&[token_hash(b"tea")]), None);
    }
}
