//! Facts about a page as a whole: its titles, hints at the kind of page in its metadata, and counts of some elements.

use super::shape::ShapeReader;
use crate::html::Node;
use crate::html::tag::Tag;

/// The maximum number of words of a title or description.
const WORDS_MAX: usize = 64;
/// The maximum number of bytes of JSON-LD that are searched.
const SCRIPT_BYTES_MAX: usize = 1 << 18;
/// The maximum length of a text that is searched naively.
const SHORT_TEXT_BYTES: usize = 32;
/// The minimum number of words of an `articleBody` that is used: shorter ones are often teasers.
const BODY_WORDS_MIN: usize = 50;

/// Facts about a page.
#[derive(Debug, Default, Clone)]
pub(super) struct PageFacts {
    /// Hashed words of `<title>`.
    pub(super) title: Vec<u32>,
    /// Hashed words of `og:title`.
    pub(super) og_title: Vec<u32>,
    /// Hashed words of the meta description, else of `og:description`.
    pub(super) description: Vec<u32>,
    /// Hashed words of `articleBody` in JSON-LD, in order.
    pub(super) body: Vec<u32>,
    /// Bit *n* is set if entry *n* of [`KIND_HINTS`] was found.
    pub(super) kind_hints: u32,
    /// How often the tags of [`COUNTED`] occur.
    pub(super) counts: [u32; COUNTED.len()],
}

/// Tags that are counted.
#[rustfmt::skip]
pub(super) const COUNTED: [Tag; 12] = [
    Tag::ARTICLE, Tag::TABLE, Tag::PRE, Tag::CODE, Tag::FORM, Tag::INPUT, Tag::IMG, Tag::A, Tag::LI, Tag::P, Tag::DL, Tag::OPTION,
];

/// The index in [`COUNTED`] by interned tag id; `u8::MAX` for all other tags.
const COUNTED_AT: [u8; 256] = {
    let mut table = [u8::MAX; 256];
    let mut at = 0;
    while at < COUNTED.len() {
        table[COUNTED[at].0 as usize] = at as u8;
        at += 1;
    }
    table
};

/// Hints at the kind of page: the source that is searched, and strings of which one must occur in it.
#[rustfmt::skip]
pub(super) const KIND_HINTS: [(HintSource, &[&str]); 20] = [
    (HintSource::Type, &["article", "blog", "news"]),
    (HintSource::Type, &["product"]),
    (HintSource::Type, &["website"]),
    (HintSource::Schema, &["Article\"", "BlogPosting", "Report\"", "/Article", "/NewsArticle", "/BlogPosting"]),
    (HintSource::Schema, &["Product\"", "Offer\"", "/Product", "/Offer"]),
    (HintSource::Schema, &["ItemList\"", "CollectionPage", "SearchResults", "/ItemList", "/Collection"]),
    (HintSource::Schema, &["Discussion", "QAPage", "Comment\"", "Question\""]),
    (HintSource::Schema, &["TechArticle", "HowTo\"", "FAQPage", "APIReference"]),
    (HintSource::Schema, &["Organization\"", "Service\"", "LocalBusiness"]),
    (HintSource::Generator, &["mediawiki", "dokuwiki", "moinmoin", "xwiki"]),
    (HintSource::Generator, &["wordpress", "blogger", "movable", "typepad", "ghost", "jekyll", "hugo"]),
    (HintSource::Generator, &["phpbb", "vbulletin", "discourse", "xenforo", "smf", "mybb", "forum"]),
    (HintSource::Generator, &["sphinx", "doxygen", "javadoc", "docbook", "docusaurus", "mkdocs", "gitbook", "texi", "pydoctor", "rustdoc", "asciidoctor"]),
    (HintSource::Generator, &["shopify", "magento", "woocommerce", "prestashop", "opencart"]),
    (HintSource::Link, &["amphtml"]),
    (HintSource::Link, &["application/rss", "application/atom"]),
    (HintSource::Meta, &["article:published_time", "article:author", "pubdate", "publishdate", "byl", "dc.date", "sailthru.date", "parsely-pub-date"]),
    (HintSource::Meta, &["product:price", "twitter:data1"]),
    (HintSource::Schema, &["datePublished"]),
    (HintSource::Schema, &["articleBody"]),
];

/// Where a hint is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HintSource {
    /// `og:type`.
    Type,
    /// JSON-LD, or an `itemtype`.
    Schema,
    /// The content of `<meta name=generator>`.
    Generator,
    /// The `rel` or `type` of a `<link>`.
    Link,
    /// The name of a `<meta>`.
    Meta,
}

impl PageFacts {
    /// Adds an element.
    pub(super) fn read(&mut self, node: Node<'_>, tag: Tag) {
        let counted = COUNTED_AT.get(tag.0 as usize).and_then(|at| self.counts.get_mut(usize::from(*at)));
        if let Some(count) = counted {
            *count += 1;
        }
        match tag {
            Tag::TITLE if self.title.is_empty() => self.title = words(&node.text(), WORDS_MAX),
            Tag::META => self.meta(node),
            Tag::LINK => {
                let attribute = |name| node.attribute(name).unwrap_or_default();
                self.find_hints(HintSource::Link, &attribute("rel"));
                self.find_hints(HintSource::Link, &attribute("type"));
            }
            Tag::SCRIPT => self.script(node),
            // The attributes of all other elements are read in `elements.rs`.
            Tag::BODY | Tag::HTML => {
                if let Some(kind) = node.attribute("itemtype") {
                    self.item_type(tag, &kind);
                }
            }
            _ => {}
        }
    }

    /// Adds the `itemtype` of an element.
    pub(super) fn item_type(&mut self, tag: Tag, kind: &str) {
        if matches!(tag, Tag::ARTICLE | Tag::DIV | Tag::SECTION | Tag::MAIN | Tag::BODY | Tag::HTML) {
            self.find_hints(HintSource::Schema, kind);
        }
    }

    fn meta(&mut self, node: Node<'_>) {
        let name = node.attribute("property").or_else(|| node.attribute("name")).unwrap_or_default();
        let Some(content) = node.attribute("content") else { return };
        let name = name.to_ascii_lowercase();
        self.find_hints(HintSource::Meta, &name);
        match name.as_str() {
            "og:title" => self.og_title = words(&content, WORDS_MAX),
            "description" => self.description = words(&content, WORDS_MAX),
            "og:description" if self.description.is_empty() => self.description = words(&content, WORDS_MAX),
            "og:type" => self.find_hints(HintSource::Type, &content.to_ascii_lowercase()),
            "generator" => self.find_hints(HintSource::Generator, &content.to_ascii_lowercase()),
            _ => {}
        }
    }

    fn script(&mut self, node: Node<'_>) {
        let is_data =
            node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"));
        if !is_data {
            return;
        }
        let text = node.text();
        let mut end = text.len().min(SCRIPT_BYTES_MAX);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        self.find_hints(HintSource::Schema, text);
        if let Some((_, rest)) = text.split_once("\"articleBody\"") {
            let body = words(&json_string(rest.trim_start_matches([' ', ':', '\n', '\t'])), usize::MAX);
            if body.len() >= BODY_WORDS_MIN {
                self.body = body;
            }
        }
    }

    fn find_hints(&mut self, source: HintSource, text: &str) {
        for (at, (of, patterns)) in KIND_HINTS.iter().enumerate() {
            let is_open = *of == source && self.kind_hints >> at & 1 == 0;
            if is_open && patterns.iter().any(|pattern| contains(text, pattern)) {
                self.kind_hints |= 1 << at;
            }
        }
    }
}

/// Whether a text contains a pattern. Most texts here are so short that searching them naively takes less time than [`str::contains`]
/// needs to prepare.
fn contains(text: &str, pattern: &str) -> bool {
    match text.len() {
        0..=SHORT_TEXT_BYTES => text.as_bytes().windows(pattern.len()).any(|part| part == pattern.as_bytes()),
        _ => text.contains(pattern),
    }
}

/// The first hashed words of a text, at most `most`.
pub(super) fn words(text: &str, most: usize) -> Vec<u32> {
    let (mut words, mut reader) = (Vec::new(), ShapeReader::default());
    reader.read(text, &mut String::new(), &mut words);
    reader.finish(&mut words);
    words.truncate(most);
    words
}

/// The string at the start of a JSON text; empty if the text starts with something else.
fn json_string(text: &str) -> String {
    let mut out = String::new();
    let Some(text) = text.strip_prefix('"') else { return out };
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n' | 'r' | 't') | None => out.push(' '),
                Some('u') => {
                    let code: String = chars.by_ref().take(4).collect();
                    out.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).unwrap_or(' '));
                }
                Some(other) => out.push(other),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::blocks::PageBlocks;
    use super::*;
    use crate::html::Parser;

    fn facts(page: &str) -> PageFacts {
        let mut parser = Parser::new();
        let document = parser.parse(page.as_bytes(), encoding_rs::UTF_8);
        let mut facts = PageFacts::default();
        for node in document.descendants() {
            if let Some(tag) = node.tag() {
                facts.read(node, tag);
            }
        }
        facts
    }

    #[test]
    fn metadata_hint_at_the_kind_of_page() {
        let facts = facts(
            "<title>Tea</title><meta property=og:type content=article><meta name=generator content='Sphinx 7'><p>x<p>y",
        );
        assert_eq!(facts.title, words("tea", 9));
        assert_eq!(facts.kind_hints, 1 | 1 << 12);
        assert_eq!(facts.counts[9], 2);
    }

    #[test]
    fn the_types_of_elements_are_hints() {
        let hints = |page: &str| {
            let mut parser = Parser::new();
            PageBlocks::of(&parser.parse(page.as_bytes(), encoding_rs::UTF_8)).facts.kind_hints
        };
        for page in ["<div itemtype=https://schema.org/Product>x", "<body itemtype=/Product>"] {
            assert_eq!(hints(page), 1 << 4, "{page}");
        }
        assert_eq!(hints("<p itemtype=/Product>x"), 0);
    }

    #[test]
    fn the_body_of_an_article_is_read_from_structured_data() {
        let body = "green tea \\u00e9 ".repeat(20);
        let page = format!(
            "<script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"articleBody\": \"{body}\\\"end\"}}</script>"
        );
        let facts = facts(&page);
        assert_eq!(facts.body.len(), 61);
        assert_eq!(facts.body[2], words("é", 1)[0]);
        assert!(facts.kind_hints & 1 << 3 != 0);
    }
}
