//! The links of a page, each with the template region that contains it.

use unframe::Region;
use unframe::html::Source;
use unframe::html::tag::Tag;
use unframe::html::tokenizer::{TagToken, Token, Tokenizer};
use unframe::regions::RegionCursor;
use unframe::text::is_white;
use url::Url;

use crate::limits::{LINK_BYTES_MAX, LINK_TEXT_MAX, LINKS_PER_PAGE_MAX};

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The absolute address of the target, without fragment.
    pub to: String,
    /// The visible anchor text, on one line.
    pub text: String,
    /// The index of the region that contains the link.
    pub region: Option<u32>,
}

/// The links of a page to other pages: `a[href]` and `area[href]` with a web or file address. Links within the page itself are omitted.
pub fn of_page(url: &str, source: &Source<'_>, regions: &[Region]) -> Vec<Link> {
    let page = Url::parse(url).ok();
    let mut base = page.clone();
    let mut cursor = RegionCursor::new(regions);
    let mut links: Vec<Link> = Vec::new();
    // Whether the next text belongs to the last link.
    let mut is_open = false;
    let mut tokens = source.tokens();
    loop {
        match tokens.next_by_name() {
            Token::Eof => return links,
            Token::Start(tag) if tag.tag == Tag::BASE => {
                let href = href(&tokens, source, &tag);
                let joined = href.and_then(|href| page.as_ref()?.join(&href).ok());
                base = joined.or(base);
            }
            Token::Start(tag) if matches!(tag.tag, Tag::A | Tag::AREA) => {
                let at = source.original(tag.span).start;
                let region = cursor.at(at).map(|found| place_of(regions, found));
                let to = href(&tokens, source, &tag).and_then(|href| target(base.as_ref(), &href));
                let to = to.filter(|to| page.as_ref().is_none_or(|page| !is_same_page(page, to)));
                is_open = to.is_some() && tag.tag == Tag::A;
                if to.is_some() && links.len() == LINKS_PER_PAGE_MAX {
                    return links;
                }
                links.extend(to.map(|to| Link { to: to.into(), text: String::new(), region }));
            }
            // The text of scripts and styles is not part of the anchor text.
            Token::Start(tag) if matches!(tag.tag, Tag::SCRIPT | Tag::STYLE) => is_open = false,
            Token::End(tag) if tag.tag == Tag::A => is_open = false,
            Token::Text { span, kind } if is_open => {
                if let Some(link) = links.last_mut() {
                    push_words(&mut link.text, &source.text(span, kind));
                }
            }
            _ => {}
        }
    }
}

fn place_of(regions: &[Region], found: &Region) -> u32 {
    regions.partition_point(|region| region.span.start < found.span.start) as u32
}

fn href(tokens: &Tokenizer<'_>, source: &Source<'_>, tag: &TagToken) -> Option<String> {
    let attributes = tokens.attributes_of(tag);
    let href = attributes
        .iter()
        .find(|attribute| attribute.name.slice(source.bytes()).eq_ignore_ascii_case(b"href"))?;
    Some(source.attribute_value(href.value).trim().to_owned())
}

fn target(base: Option<&Url>, href: &str) -> Option<Url> {
    if href.len() > LINK_BYTES_MAX {
        return None;
    }
    let mut to = match base {
        Some(base) => base.join(href).ok()?,
        None => Url::parse(href).ok()?,
    };
    to.set_fragment(None);
    matches!(to.scheme(), "http" | "https" | "file").then_some(to)
}

fn is_same_page(page: &Url, to: &Url) -> bool {
    let mut page = page.clone();
    page.set_fragment(None);
    page == *to
}

fn push_words(line: &mut String, text: &str) {
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if line.len() + word.len() > LINK_TEXT_MAX {
            return;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use unframe::TemplateHash;
    use unframe::html::{Parser, Span};

    use super::*;

    fn links(url: &str, html: &str, regions: &[Region]) -> Vec<Link> {
        let mut parser = Parser::new();
        of_page(url, &parser.source(html.as_bytes(), encoding_rs::UTF_8), regions)
    }

    #[test]
    fn links_know_their_region() {
        let html = "<nav><a href='/x#top'>The <b>X</b></a></nav><p><a href=y>Y</a> <a href='javascript:alert(1)'>no</a>\
                    <a href='#here'>no</a> <a name=z>no</a><area href='http://b.example/'>";
        let nav = Region::new(Span { start: 0, end: 41 }, TemplateHash(1), 2);
        let found = links("http://a.example/d/", html, &[nav]);
        let link = |to: &str, text: &str, region| Link { to: to.to_owned(), text: text.to_owned(), region };
        assert_eq!(
            found,
            [
                link("http://a.example/x", "The X", Some(0)),
                link("http://a.example/d/y", "Y", None),
                link("http://b.example/", "", None),
            ]
        );
        let based = links("http://a.example/d/", "<base href='http://c.example/e/'><a href=f>F</a>", &[]);
        assert_eq!(based, [link("http://c.example/e/f", "F", None)]);
        assert_eq!(links("no address", "<a href=f>F</a>", &[]), []);
    }

    #[test]
    fn a_page_has_so_many_links_and_no_more() {
        for count in [LINKS_PER_PAGE_MAX, LINKS_PER_PAGE_MAX + 1] {
            let html: String = (1..=count).map(|number| format!("<a href={number}>x</a>")).collect();
            let found = links("http://a.example/", &html, &[]);
            assert_eq!(found.len(), LINKS_PER_PAGE_MAX);
            let last = &found[LINKS_PER_PAGE_MAX - 1];
            assert_eq!((&*last.to, &*last.text), ("http://a.example/20000", "x"));
        }
    }
}
