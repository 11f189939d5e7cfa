//! The addresses of links and images, made absolute.
//!
//! One output holds many pages, so a relative address would lead nowhere. Addresses are kept as they are if they are absolute or lead to a
//! place on the same page (`#notes`), or if the page has no address on the web.

use std::borrow::Cow;

use url::{ParseError, Url};

use crate::html::tag::Tag;
use crate::html::{Document, Node};
use crate::limits::{ADDED_ADDRESS_BYTES_MAX, BASE_ADDRESS_BYTES_MAX};
use crate::parsed::ParsedPage;
use crate::text::hidden_email;

/// Resolves the addresses of a page.
pub(super) struct Addresses<'p> {
    document: &'p Document<'p>,
    /// The address of the page.
    page: &'p str,
    /// The address that relative ones are resolved against, determined when first needed.
    base: Option<Option<Url>>,
    /// Bytes of addresses that may still be written, in simple HTML with their tags. A link around many blocks is repeated in each of them.
    left: usize,
}

impl<'p> Addresses<'p> {
    pub(super) fn new(page: &'p ParsedPage<'_>, url: &'p str) -> Addresses<'p> {
        let left = page.source().bytes().len().saturating_add(ADDED_ADDRESS_BYTES_MAX);
        Addresses { document: page.document(), page: url, base: None, left }
    }

    /// The absolute form of an address.
    pub(super) fn absolute<'a>(&mut self, address: &'a str) -> Cow<'a, str> {
        let start = address.trim_start();
        // Most addresses begin in one of these ways, and need no parsing.
        let is_kept = ["#", "http://", "https://"].iter().any(|prefix| start.starts_with(prefix));
        if is_kept || self.left == 0 || Url::parse(address) != Err(ParseError::RelativeUrlWithoutBase) {
            return Cow::Borrowed(address);
        }
        match self.base().and_then(|base| base.join(address).ok()) {
            Some(url) => Cow::Owned(url.into()),
            None => Cow::Borrowed(address),
        }
    }

    /// Whether so many more bytes of addresses may be written.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        // After the first address that is too long, none is written, so that their cost is bounded, too.
        self.left = self.left.saturating_sub(bytes);
        self.left > 0
    }

    fn base(&mut self) -> Option<&Url> {
        let (document, page) = (self.document, self.page);
        self.base.get_or_insert_with(|| base(document, page)).as_ref()
    }
}

/// The address of the page, changed by its first `<base href>`; `None` if that is no address on the web.
fn base(document: &Document<'_>, page: &str) -> Option<Url> {
    let is_short = |address: &str| address.len() <= BASE_ADDRESS_BYTES_MAX;
    let page = Some(page).filter(|page| is_short(page)).and_then(|page| Url::parse(page).ok());
    let mut elements = document.descendants().filter(|node| node.tag() == Some(Tag::BASE));
    let href = elements.find_map(|node| node.attribute("href")).filter(|href| is_short(href));
    let declared = href.and_then(|href| Url::options().base_url(page.as_ref()).parse(&href).ok());
    declared.or(page).filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The target of a link, as the page has it. `None` if the element is no link, or runs a script, or contains data.
pub(super) fn target<'d>(node: Node<'d>) -> Option<Cow<'d, str>> {
    let href = node.attribute("href").filter(|href| !is_inert(href))?;
    let hidden = || hidden_email::of_element(node).or_else(|| hidden_email::of_element(node.first_child()?));
    match href.contains("/cdn-cgi/l/") {
        true => Some(hidden().map_or(href, |address| Cow::Owned(format!("mailto:{address}")))),
        false => Some(href),
    }
}

/// Whether an address leads nowhere without a script: `javascript:` and `data:`.
pub(super) fn is_inert(address: &str) -> bool {
    // Browsers ignore white space and control characters, some of them even inside of the scheme.
    let start = address.chars().filter(|c| *c > ' ').map(|c| c.to_ascii_lowercase());
    ["javascript:", "vbscript:", "data:"]
        .iter()
        .any(|scheme| start.clone().take(scheme.len()).eq(scheme.chars()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    #[track_caller]
    fn check(page: &str, url: &str, address: &str, expected: &str) {
        let mut parser = PageParser::new();
        let page = parser.open(PageBytes::utf8(page.as_bytes()));
        assert_eq!(Addresses::new(&page, url).absolute(address), expected);
    }

    #[test]
    fn relative_addresses_become_absolute() {
        let url = "https://teas.example/green/sencha.html?a=1";
        for (address, expected) in [
            ("hot.html", "https://teas.example/green/hot.html"),
            ("/ice", "https://teas.example/ice"),
            (" ../a b\n", "https://teas.example/a%20b"),
            ("//img.example/1.png", "https://img.example/1.png"),
            ("?b=2", "https://teas.example/green/sencha.html?b=2"),
            ("", "https://teas.example/green/sencha.html?a=1"),
            ("#n1", "#n1"),
            ("http://X.example", "http://X.example"),
            ("mailto:ann@teas.example", "mailto:ann@teas.example"),
            ("HTTPS:relative", "HTTPS:relative"),
        ] {
            check("", url, address, expected);
        }
    }

    #[test]
    fn a_base_changes_the_address() {
        check(
            "<base target=x><base href=/a/><base href=/b/>",
            "https://x.example/",
            "c",
            "https://x.example/a/c",
        );
        check("<base href=https://y.example/a/b>", "", "c", "https://y.example/a/c");
        check("<base href='http://['>", "https://x.example/", "c", "https://x.example/c");
    }

    #[test]
    fn without_an_address_on_the_web_addresses_stay() {
        for url in ["", "tea.html", "file:///home/tea.html", "urn:tea"] {
            check("", url, "/ice", "/ice");
        }
        let long = format!("https://x.example/{}/", "a".repeat(BASE_ADDRESS_BYTES_MAX));
        check("", &long, "ice", "ice");
        check(&format!("<base href={long}>"), "https://x.example/", "ice", "https://x.example/ice");
    }

    #[test]
    fn addresses_that_need_a_script() {
        for address in
            ["javascript:a()", " \u{1}JavaScript:a()", "java\nscript:a()", "vbscript:a", "data:text/html,a"]
        {
            assert!(is_inert(address), "{address:?}");
        }
        for address in ["javascript.html", "/javascript:a", "", "database:a", "j"] {
            assert!(!is_inert(address), "{address:?}");
        }
    }
}
