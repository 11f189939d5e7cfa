//! Extracts the content of pages in memory with one call.

use crate::detect::places::Places;
use crate::learn::Learner;
use crate::text::content::{self, Content};
use crate::{PageBytes, PageParser, SiteBy, charset};

/// The content of pages, which are given as addresses and bytes, in the same order.
///
/// Pages of the same host form a site and are compared with each other by the default method, [`places`](crate::detect::places). A single
/// page of a site is labelled without comparison. Charsets are detected. All data is kept in memory and processed on this thread; use
/// [`learn`](crate::learn) for more pages.
///
/// ```
/// let page = |words: &str| format!("<ul><li><a href=/>Home</a><li><a href=/about>About us</a></ul><p>{words}</p>");
/// let words = ["Tea is hot.", "Milk is cold.", "Water is wet.", "Ice is both."];
/// let pages: Vec<_> = words.iter().enumerate().map(|(n, words)| (format!("http://example.org/{n}"), page(words))).collect();
/// let texts: Vec<String> = unframe::clean(&pages).into_iter().map(|content| content.text).collect();
/// assert_eq!(texts, words);
/// ```
pub fn clean<Url: AsRef<str>, Html: AsRef<[u8]>>(pages: &[(Url, Html)]) -> Vec<Content> {
    let learner = Learner::new(Box::new(Places::default()), 0);
    let mut parser = PageParser::new();
    let prepared = || {
        pages.iter().map(|(url, html)| {
            let (url, payload) = (url.as_ref(), html.as_ref());
            let encoding = charset::find(payload, None).encoding;
            (SiteBy::Host.key(url), url, PageBytes { payload, encoding })
        })
    };
    for (site, url, page) in prepared() {
        learner.observe(&site, url, &parser.open(page));
    }
    let models = learner.models();
    let clean = |(site, _, page): (String, &str, PageBytes<'_>)| {
        let page = parser.open(page);
        content::extract(&page, &models.label(&site, &page))
    };
    prepared().map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_compared_by_themselves_and_order_is_kept() {
        let page = |menu: &str, words: &str| {
            format!("<ul><li><a href=/>{menu}</a><li><a href=/about>About {menu}</a></ul><p>{words}</p>")
        };
        let mut pages = Vec::new();
        for words in ["Tea is hot.", "Milk is cold.", "Water is wet.", "Ice is both."] {
            pages.push((format!("http://a.example/{words}"), page("Drinks", words)));
            pages.push((format!("http://www.b.example/{words}"), page("Facts", words)));
        }
        let texts: Vec<String> = clean(&pages).into_iter().map(|content| content.text).collect();
        let expected = ["Tea is hot.", "Milk is cold.", "Water is wet.", "Ice is both."];
        assert_eq!(texts, expected.map(|words| [words; 2]).concat());
    }

    #[test]
    fn charsets_are_found_and_nothing_is_too_little() {
        let page = (
            "http://a.example/",
            b"<meta charset=windows-1252><p>Der Tee ist hei\xdf und wird getrunken.".as_slice(),
        );
        assert_eq!(clean(&[page])[0].text, "Der Tee ist heiß und wird getrunken.");
        assert_eq!(clean(&[("", "")]), [Content::default()]);
        assert!(clean::<&str, &str>(&[]).is_empty());
    }
}
