//! Synthetic sites, so that the trees are also trained on pages that are plainer than those of any gold folder.
//!
//! They are never used for measuring: a score on pages that were made for training shows nothing.

use unframe::{PageBytes, PageParser};

use crate::data::{GoldPage, Site, Source, labelled, mask_repeated};

/// Number of pages of each site.
const PAGES: usize = 24;

/// Makes the HTML of a page from its number, with brackets around its content.
type Template = fn(usize) -> String;

const PLAIN: [(&str, Template); 9] = [
    ("a menu and a footer without any names", |page| {
        format!(
            "<div><a href=/>Home</a> <a href=/tea>Tea</a> <a href=/milk>Milk</a></div>[<h1>{}</h1><p>{}</p>]\
             <div>Copyright by the tea house, all rights reserved</div>",
            title(page),
            prose(page, 30)
        )
    }),
    ("landmarks", |page| {
        format!(
            "<nav><ul><li><a href=/>Home</a><li><a href=/tea>Tea</a><li><a href=/milk>Milk</a></ul></nav>\
             <main>[<h1>{}</h1><p>{}</p>]</main><footer><a href=/imprint>Imprint</a> <a href=/terms>Terms</a></footer>",
            title(page),
            prose(page, 40)
        )
    }),
    ("one line of text and a footer", |page| {
        format!("[<h1>{}</h1><p>{}</p>]<footer>All rights reserved</footer>", title(page), prose(page, 8))
    }),
    ("a list that is always the same", |page| {
        format!(
            "[<h1>{}</h1>]<ul><li>Opening hours<li>How to find us<li>Our people</ul>[<p>{}</p>]<p>Write to us any time</p>",
            title(page),
            prose(page, 24)
        )
    }),
    ("a table for the layout", |page| {
        format!(
            "<table><tr><td><a href=/>Home</a><br><a href=/tea>Tea</a><br>Seen {}</td><td>[<b>{}</b><p>{}</p>]</td></tr>\
             <tr><td>Best viewed in any window</td></tr></table>",
            page * 7 + 100,
            title(page),
            prose(page, 30)
        )
    }),
    ("headings that repeat inside of the text", |page| {
        format!(
            "<nav><a href=/>Home</a> <a href=/index>Index</a></nav><main>[<h1>{}</h1><p>{}</p><h2>Parameters</h2><p>{}</p>\
             <h2>See also</h2><p>{}</p>]</main><footer>Made by hand</footer>",
            title(page),
            prose(page, 20),
            prose(page + 50, 12),
            prose(page + 99, 6)
        )
    }),
    ("values beside labels", |page| {
        format!(
            "<div id=top><a href=/>Shop</a> <a href=/cart>Cart</a></div>[<h1>{}</h1><table><tr><td>Price</td><td>{}.50</td></tr>\
             <tr><td>Colour</td><td>{}</td></tr></table><p>{}</p>]<div id=bottom>Free delivery from 30 on</div>",
            title(page),
            page * 3 + 10,
            ["red", "green", "blue"][page % 3],
            prose(page, 16)
        )
    }),
    ("a sidebar with changing links", |page| {
        let links: String =
            (0..6).map(|at| format!("<li><a href=/{at}>{}</a>", title(page * 6 + at + 300))).collect();
        format!(
            "<div class=sidebar><ul><li><a href=/>Home</a><li><a href=/all>All texts</a>{links}</ul></div>\
             <div class=content>[<h1>{}</h1><p>{}</p>]</div>",
            title(page),
            prose(page, 40)
        )
    }),
    ("steps from page to page", |page| {
        format!(
            "<p>Next: <a rel=next href=/n>{}</a>, Previous: <a rel=prev href=/p>{}</a></p>[<h2>{}</h2><p>{}</p>]<hr>\
             <p>Page {} of 40</p>",
            title(page + 1),
            title(page + 400),
            title(page),
            prose(page, 30),
            page + 1
        )
    }),
];

/// All synthetic sites: the plain ones, and those of `unframe_sample`.
pub(crate) fn sites() -> Vec<Site> {
    let mut parser = PageParser::new();
    let mut sites: Vec<Site> =
        PLAIN.iter().map(|(name, template)| plain_site(name, *template, &mut parser)).collect();
    sites.extend(unframe_sample::sites(1).iter().map(|site| demo_site(site, &mut parser)));
    sites
}

fn plain_site(name: &str, template: Template, parser: &mut PageParser) -> Site {
    let page = |number| {
        let marked = template(number);
        let html = marked.replace(['[', ']'], "");
        let content = marked.split('[').skip(1).filter_map(|part| part.split(']').next());
        let gold = without_tags(&content.collect::<Vec<_>>().join(" "));
        labelled(PageBytes::utf8(html.as_bytes()), &gold, parser)
    };
    site(name, (0..PAGES).map(page).collect())
}

fn demo_site(sample: &unframe_sample::Site, parser: &mut PageParser) -> Site {
    let page = |number| {
        let page = sample.page(number);
        let encoding = unframe::charset::find(&page.html, Some(page.content_type)).encoding;
        labelled(PageBytes { payload: &page.html, encoding }, &page.content, parser)
    };
    site(sample.host(), (0..PAGES as u64).map(page).collect())
}

fn site(name: &str, mut pages: Vec<GoldPage>) -> Site {
    mask_repeated(&mut pages);
    let family = "synthetic".to_owned();
    Site { name: name.to_owned(), set: family.clone(), family, source: Source::Synthetic, pages }
}

const WORDS: [&str; 24] = [
    "tea", "milk", "garden", "river", "slowly", "under", "morning", "window", "paper", "carries", "bright",
    "stone", "letter", "walks", "quiet", "bread", "finds", "yellow", "village", "winter", "between", "music",
    "small", "answers",
];

/// Sentences whose word order differs from page to page.
fn prose(page: usize, words: usize) -> String {
    let word = |at: usize| WORDS[(page * 7919 + at * at * 31 + at * (page % 13 + 1)) % WORDS.len()];
    let words: Vec<String> = (0..words)
        .map(|at| if at % 9 == 8 { format!("{}.", word(at)) } else { word(at).to_owned() })
        .collect();
    words.join(" ")
}

/// A title of words and a number that differ from page to page.
fn title(page: usize) -> String {
    format!("{} {}", prose(page + 1000, 2), page + 1)
}

fn without_tags(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
        text.push(' ');
    }
    text
}
