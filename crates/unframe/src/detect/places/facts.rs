//! Facts of a page as a whole: what its head says of it, and how many elements of some kinds it has.

use super::shape::ShapeReader;
use crate::html::Node;
use crate::html::tag::Tag;

/// Words of a title or description that are remembered.
const WORDS_MAX: usize = 64;
/// Bytes of structured data that are looked at.
const SCRIPT_BYTES_MAX: usize = 1 << 18;
/// Bytes of a text that is searched byte by byte.
const SHORT: usize = 32;
/// Words of an article's body in structured data below which it says nothing.
const BODY_WORDS_MIN: usize = 50;

/// Facts of a page.
#[derive(Debug, Default, Clone)]
pub(super) struct PageFacts {
    /// Hashes of the words of `<title>`.
    pub(super) title: Vec<u32>,
    /// Hashes of the words of `og:title`.
    pub(super) shared_title: Vec<u32>,
    /// Hashes of the words of the description.
    pub(super) description: Vec<u32>,
    /// Hashes of the words of the article's body in structured data, in their order.
    pub(super) body: Vec<u32>,
    /// One bit for each of [`SIGNS`] that was found.
    pub(super) signs: u32,
    /// How often the tags of [`COUNTED`] occur.
    pub(super) counts: [u32; COUNTED.len()],
}

/// Tags that are counted.
#[rustfmt::skip]
pub(super) const COUNTED: [Tag; 12] = [
    Tag::ARTICLE, Tag::TABLE, Tag::PRE, Tag::CODE, Tag::FORM, Tag::INPUT, Tag::IMG, Tag::A, Tag::LI, Tag::P, Tag::DL, Tag::OPTION,
];

/// Where each tag is in [`COUNTED`], by its number; no place of it for all others.
const COUNTED_AT: [u8; 256] = {
    let mut table = [u8::MAX; 256];
    let mut at = 0;
    while at < COUNTED.len() {
        table[COUNTED[at].0 as usize] = at as u8;
        at += 1;
    }
    table
};

/// What the head says of the kind of page: where it is said, and what is looked for there.
#[rustfmt::skip]
pub(super) const SIGNS: [(Source, &[&str]); 20] = [
    (Source::Type, &["article", "blog", "news"]),
    (Source::Type, &["product"]),
    (Source::Type, &["website"]),
    (Source::Schema, &["Article\"", "BlogPosting", "Report\"", "/Article", "/NewsArticle", "/BlogPosting"]),
    (Source::Schema, &["Product\"", "Offer\"", "/Product", "/Offer"]),
    (Source::Schema, &["ItemList\"", "CollectionPage", "SearchResults", "/ItemList", "/Collection"]),
    (Source::Schema, &["Discussion", "QAPage", "Comment\"", "Question\""]),
    (Source::Schema, &["TechArticle", "HowTo\"", "FAQPage", "APIReference"]),
    (Source::Schema, &["Organization\"", "Service\"", "LocalBusiness"]),
    (Source::Generator, &["mediawiki", "dokuwiki", "moinmoin", "xwiki"]),
    (Source::Generator, &["wordpress", "blogger", "movable", "typepad", "ghost", "jekyll", "hugo"]),
    (Source::Generator, &["phpbb", "vbulletin", "discourse", "xenforo", "smf", "mybb", "forum"]),
    (Source::Generator, &["sphinx", "doxygen", "javadoc", "docbook", "docusaurus", "mkdocs", "gitbook", "texi", "pydoctor", "rustdoc", "asciidoctor"]),
    (Source::Generator, &["shopify", "magento", "woocommerce", "prestashop", "opencart"]),
    (Source::Link, &["amphtml"]),
    (Source::Link, &["application/rss", "application/atom"]),
    (Source::Meta, &["article:published_time", "article:author", "pubdate", "publishdate", "byl", "dc.date", "sailthru.date", "parsely-pub-date"]),
    (Source::Meta, &["product:price", "twitter:data1"]),
    (Source::Schema, &["datePublished"]),
    (Source::Schema, &["articleBody"]),
];

/// Where a sign is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// `og:type`.
    Type,
    /// Structured data, or an `itemtype`.
    Schema,
    /// The program that made the page.
    Generator,
    /// A `<link>`.
    Link,
    /// The name of a `<meta>`.
    Meta,
}

impl PageFacts {
    /// Takes in an element.
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
                self.find(Source::Link, &attribute("rel"));
                self.find(Source::Link, &attribute("type"));
            }
            Tag::SCRIPT => self.script(node),
            // Of all others, the attributes are read elsewhere.
            Tag::BODY | Tag::HTML => {
                if let Some(kind) = node.attribute("itemtype") {
                    self.item_type(tag, &kind);
                }
            }
            _ => {}
        }
    }

    /// Takes in the `itemtype` of an element.
    pub(super) fn item_type(&mut self, tag: Tag, kind: &str) {
        if matches!(tag, Tag::ARTICLE | Tag::DIV | Tag::SECTION | Tag::MAIN | Tag::BODY | Tag::HTML) {
            self.find(Source::Schema, kind);
        }
    }

    fn meta(&mut self, node: Node<'_>) {
        let name = node.attribute("property").or_else(|| node.attribute("name")).unwrap_or_default();
        let Some(content) = node.attribute("content") else { return };
        let name = name.to_ascii_lowercase();
        self.find(Source::Meta, &name);
        match name.as_str() {
            "og:title" => self.shared_title = words(&content, WORDS_MAX),
            "description" => self.description = words(&content, WORDS_MAX),
            "og:description" if self.description.is_empty() => self.description = words(&content, WORDS_MAX),
            "og:type" => self.find(Source::Type, &content.to_ascii_lowercase()),
            "generator" => self.find(Source::Generator, &content.to_ascii_lowercase()),
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
        self.find(Source::Schema, text);
        if let Some((_, rest)) = text.split_once("\"articleBody\"") {
            let body = words(&json_string(rest.trim_start_matches([' ', ':', '\n', '\t'])), usize::MAX);
            if body.len() >= BODY_WORDS_MIN {
                self.body = body;
            }
        }
    }

    fn find(&mut self, source: Source, text: &str) {
        for (at, (of, wanted)) in SIGNS.iter().enumerate() {
            let is_open = *of == source && self.signs >> at & 1 == 0;
            if is_open && wanted.iter().any(|wanted| contains(text, wanted)) {
                self.signs |= 1 << at;
            }
        }
    }
}

/// Whether a text has a word in it. Most texts are a few letters, which [`str::contains`] takes long to prepare for.
fn contains(text: &str, wanted: &str) -> bool {
    match text.len() {
        0..=SHORT => text.as_bytes().windows(wanted.len()).any(|part| part == wanted.as_bytes()),
        _ => text.contains(wanted),
    }
}

/// Hashes of the words of a text.
pub(super) fn words(text: &str, most: usize) -> Vec<u32> {
    let (mut words, mut reader) = (Vec::new(), ShapeReader::default());
    reader.read(text, &mut String::new(), &mut words);
    reader.finish(&mut words);
    words.truncate(most);
    words
}

/// The string that a JSON text begins with; nothing if it begins with something else.
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
    fn the_head_says_what_a_page_is() {
        let facts = facts(
            "<title>Tea</title><meta property=og:type content=article><meta name=generator content='Sphinx 7'><p>x<p>y",
        );
        assert_eq!(facts.title, words("tea", 9));
        assert_eq!(facts.signs, 1 | 1 << 12);
        assert_eq!(facts.counts[9], 2);
    }

    #[test]
    fn the_types_of_elements_are_signs() {
        let signs = |page: &str| {
            let mut parser = Parser::new();
            PageBlocks::of(&parser.parse(page.as_bytes(), encoding_rs::UTF_8)).facts.signs
        };
        for page in ["<div itemtype=https://schema.org/Product>x", "<body itemtype=/Product>"] {
            assert_eq!(signs(page), 1 << 4, "{page}");
        }
        assert_eq!(signs("<p itemtype=/Product>x"), 0);
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
        assert!(facts.signs & 1 << 3 != 0);
    }
}
