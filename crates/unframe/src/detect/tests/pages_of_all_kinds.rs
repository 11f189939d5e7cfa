//! Tests small sites of every kind of page against the expected content of one page, written out.
//!
//! The cases include everything that an earlier version got wrong on real sites: widgets on nearly all pages, teasers that change from page
//! to page, notices, share bars, tag lists, comment forms.

use super::*;
use crate::regions::{Keep, RegionKind, Sort};

/// The remaining text of a page that was compared with the other pages of its site.
fn text_of(pages: &[String], at: usize, keep: &[&str]) -> String {
    let named: Vec<_> = pages.iter().enumerate().map(|(i, page)| (i.to_string(), page.clone())).collect();
    let models = learn(method("places").unwrap(), &named).models();
    let mut regions = label(&models, &pages[at]);
    Keep::of(keep.iter().copied()).unwrap().apply(&mut regions);
    crate::text::content::extract(&PageParser::new().open(bytes(&pages[at])), &regions).text
}

#[track_caller]
fn check(pages: impl Fn(usize) -> String, count: usize, at: usize, expected: &str) {
    let pages: Vec<String> = (0..count).map(pages).collect();
    assert_eq!(text_of(&pages, at, &[]), expected);
}

const SUBJECTS: [&str; 8] =
    ["harbour", "council", "orchard", "railway", "museum", "market", "lighthouse", "library"];
const VERBS: [&str; 7] = ["reopened", "expanded", "flooded", "celebrated", "closed", "voted", "complained"];
const PLACES: [&str; 9] = [
    "in the old town",
    "by the river",
    "near the station",
    "on Tuesday",
    "after a long winter",
    "before noon",
    "despite the storm",
    "for the first time",
    "without much noise",
];

/// A sentence that no other page has.
fn sentence(page: usize, number: usize) -> String {
    let pick = |list: &[&'static str], salt: usize| list[(page * 31 + number * 17 + salt * 7) % list.len()];
    format!(
        "The {} {} {}, and {} people said that number {} of the {} was never {} {}.",
        pick(&SUBJECTS, 1),
        pick(&VERBS, 2),
        pick(&PLACES, 3),
        page * 13 + number * 7 + 20,
        page * 100 + number,
        pick(&SUBJECTS, 5),
        pick(&VERBS, 4),
        pick(&PLACES, 6)
    )
}

fn paragraph(page: usize, number: usize) -> String {
    (0..3).map(|part| sentence(page, number * 3 + part)).collect::<Vec<_>>().join(" ")
}

fn paragraphs(page: usize) -> String {
    (0..4).map(|number| format!("<p>{}</p>\n", paragraph(page, number))).collect()
}

fn article_text(page: usize) -> String {
    (0..4).map(|number| paragraph(page, number)).collect::<Vec<_>>().join("\n")
}

fn headline(page: usize) -> String {
    format!("{} {} {}", SUBJECTS[page % 8], VERBS[page % 7], PLACES[page % 9])
}

const MENU: &str = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>News</a></li><li><a href=/sport>Sport</a></li>\
                    <li><a href=/weather>Weather</a></li><li><a href=/contact>Contact us</a></li></ul>";
const FOOT: &str = "<div id=footer><p>© 2024 The Daily Heron. All rights reserved.</p><ul><li><a href=/terms>Terms of use</a></li>\
                    <li><a href=/privacy>Privacy policy</a></li><li><a href=/jobs>Jobs</a></li></ul></div>";

/// A news page with additions before, inside and after its text.
fn news(page: usize, before: &str, inside: &str, after: &str) -> String {
    format!(
        "<!doctype html><html><head><title>{title} - The Daily Heron</title><meta property=og:type content=article>\
         <meta property=article:published_time content=2024-05-0{day}><link rel=alternate type=application/rss+xml href=/rss></head><body>\n<div id=header><a href=/ class=logo>The Daily Heron</a>{MENU}</div>\n\
         <div id=main><div class=article>{before}<h1>{title}</h1>\n<img src=/{page}.jpg><div class=article-body>{first}{inside}{rest}</div>{after}</div></div>\n{FOOT}</body></html>",
        title = headline(page),
        day = page % 9 + 1,
        first = format_args!("<p>{}</p>\n", paragraph(page, 0)),
        rest = (1..4).map(|number| format!("<p>{}</p>\n", paragraph(page, number))).collect::<String>(),
    )
}

fn news_text(page: usize) -> String {
    format!("{}\n{}", headline(page), article_text(page))
}

fn teasers(page: usize) -> String {
    (1..6)
        .map(|step| {
            let other = page * 5 + step + 40;
            format!("<li><a href=/story/{other}>{}</a></li>", headline(other))
        })
        .collect()
}

#[test]
fn an_article() {
    check(|page| news(page, "", "", ""), 12, 3, &news_text(3));
}

#[test]
fn a_rating_form_on_sixteen_of_seventeen_pages() {
    let form = "<div class=rating><form><label>Rate this story</label> <button>Poor</button> <button>Fair</button> <button>Excellent</button>\
                <p>Thank you for rating! You have rated this story already.</p></form></div>";
    check(|page| news(page, "", "", if page == 9 { "" } else { form }), 17, 3, &news_text(3));
}

#[test]
fn a_line_in_the_middle_of_the_text() {
    let line = "<a class=visually-hidden href=#story>Continue reading the main story</a>";
    check(|page| news(page, "", line, ""), 12, 4, &news_text(4));
}

#[test]
fn a_notice_for_browsers_without_scripts() {
    let notice = "<noscript><p>Please turn on JavaScript. Media requires JavaScript to play.</p></noscript>";
    check(|page| news(page, notice, "", ""), 12, 4, &news_text(4));
}

#[test]
fn share_buttons() {
    let share = "<ul class=share-tools><li><a href=http://twitter.com/share>Tweet</a></li><li><a href=http://facebook.com/sharer>Share</a></li>\
                 <li><a href=mailto:>Email</a></li><li><a href=#>Print</a></li></ul>";
    check(|page| news(page, share, "", ""), 12, 5, &news_text(5));
}

#[test]
fn a_modal() {
    let modal = "<div class=modal style='display: none'><button>Modal Trigger</button><p>Sign up for our newsletter and never miss a story.</p></div>";
    check(|page| news(page, "", "", modal), 12, 5, &news_text(5));
}

#[test]
fn related_stories_that_change() {
    let related =
        |page| format!("<div class=related><h3>More on this story</h3><ul>{}</ul></div>", teasers(page));
    check(|page| news(page, "", "", &related(page)), 12, 6, &news_text(6));
}

#[test]
fn the_most_read_in_numbers() {
    let chart = |page: usize| {
        let items: String = (1..6)
            .map(|step| {
                format!(
                    "<li><span>{step}</span> <a href=/s/{page}{step}>{}</a></li>",
                    headline(page + step * 3)
                )
            })
            .collect();
        format!("<div class=most-read><h3>Most read</h3><ol>{items}</ol></div>")
    };
    check(|page| news(page, "", "", &chart(page)), 12, 6, &news_text(6));
}

#[test]
fn a_headline_that_other_pages_link_to() {
    let others = |page: usize| {
        let link = |other: usize| format!("<li><a href=/story/{other}>{}</a></li>", headline(other));
        let links: String = (0..6).filter(|other| *other != page).map(link).collect();
        format!("<div class=more><h3>More stories</h3><ul>{links}</ul></div>")
    };
    check(|page| news(page, "", "", &others(page)), 6, 2, &news_text(2));
}

#[test]
fn photos_named_by_numbers() {
    let photo = |page: usize| format!("<p><img src=/uploads/IMG_87{page}.jpg></p>");
    let logo = "<p><img src=/logo2.png></p>";
    let pages: Vec<String> = (0..6).map(|page| news(page, logo, &photo(page), "")).collect();
    let named: Vec<_> = pages.iter().enumerate().map(|(i, page)| (i.to_string(), page.clone())).collect();
    let regions = label(&learn(method("places").unwrap(), &named).models(), &pages[3]);
    let gone: String = regions.iter().map(|region| &pages[3][region.span.range()]).collect();
    assert!(gone.contains(logo), "all pages have it: {gone}");
    assert!(!gone.contains("IMG_873"), "no other page has it: {gone}");
}

#[test]
fn a_list_of_tags() {
    let tags = |page: usize| {
        format!(
            "<div class=tags>Tags: <a rel=tag href=/tag/1>{}</a>, <a rel=tag href=/tag/2>{}</a></div>",
            SUBJECTS[page % 8],
            SUBJECTS[(page + 3) % 8]
        )
    };
    check(|page| news(page, "", "", &tags(page)), 12, 7, &news_text(7));
}

fn comments(page: usize) -> String {
    let comment = |number: usize| {
        format!(
            "<li class=comment><div class=comment-author>reader{}</div><p>I was there, {} times.</p><a href=#r>Reply</a></li>",
            page * 3 + number,
            page + number * 5
        )
    };
    let comments: String = (0..3).map(comment).collect();
    format!(
        "<div id=comments><h3>Comments</h3><ol class=commentlist>{comments}</ol><form id=commentform><label>Your name</label><input><label>\
         Your comment</label><textarea></textarea><button>Post comment</button></form></div>"
    )
}

#[test]
fn comments_and_their_form() {
    check(|page| news(page, "", "", &comments(page)), 12, 3, &news_text(3));
}

#[test]
fn comments_can_be_kept() {
    let pages: Vec<String> = (0..12).map(|page| news(page, "", "", &comments(page))).collect();
    let text = text_of(&pages, 3, &["comments"]);
    assert!(text.starts_with(&news_text(3)) && text.contains("I was there, 3 times."), "{text}");
    assert!(!text.contains("Post comment"), "what all pages repeat goes all the same: {text}");
}

#[test]
fn clutter_is_no_template() {
    let related =
        |page| format!("<div class=related><h3>More on this story</h3><ul>{}</ul></div>", teasers(page));
    let page = news(6, "", "", &related(6));
    let models = learn(method("places").unwrap(), &[("1".to_owned(), page.clone())]).models();
    let regions = label(&models, &page);
    assert!(
        !regions.is_empty() && regions.iter().all(|region| region.kind == RegionKind::Clutter),
        "{regions:?}"
    );
    assert!(regions.iter().any(|region| region.sort == Sort::Related), "{regions:?}");
    assert!(models.templates("site", &PageParser::new().open(bytes(&page))).is_empty());
}

#[test]
fn two_pages_are_enough() {
    check(
        |page| news(page, "", "", "<div class=box><p>Subscribe now and save half of the price.</p></div>"),
        2,
        1,
        &news_text(1),
    );
}

#[test]
fn an_article_under_two_addresses() {
    // Text that only a copy of the page shares is not template.
    let page = |page: usize| match page {
        1 => news(0, "<p class=print>Print view</p>", "", ""),
        page => news(page, "", "", ""),
    };
    check(page, 3, 0, &news_text(0));
    check(page, 2, 0, &news_text(0));
}

#[test]
fn one_page() {
    check(|page| news(page, "", "", ""), 1, 0, &news_text(0));
}

#[test]
fn a_blog() {
    let page = |page: usize| {
        format!(
            "<html><head><title>{title} | Notes of a gardener</title><meta name=generator content='WordPress 6.1'></head><body class=single>\
             <header class=site-header><h2 class=site-title><a href=/>Notes of a gardener</a></h2><nav>{MENU}</nav></header>\
             <div id=primary><article class=post><h1 class=entry-title>{title}</h1><div class=entry-content>{text}</div></article></div>\
             <aside id=sidebar class=widget-area><section class=widget><h2 class=widget-title>Recent Posts</h2><ul>{teasers}</ul></section>\
             <section class=widget><h2>Archives</h2><ul><li><a href=/2021>May 2021</a></li><li><a href=/2020>April 2020</a></li></ul></section></aside>\
             <footer class=site-footer>Proudly powered by WordPress</footer></body></html>",
            title = headline(page),
            text = paragraphs(page),
            teasers = teasers(3),
        )
    };
    check(page, 10, 4, &news_text(4));
}

#[test]
fn documentation() {
    let page = |page: usize| {
        format!(
            "<html><head><title>{page}. {title}</title><meta name=generator content='Sphinx 7'></head><body><div class=related role=navigation>\
             <a accesskey=N href=/n>next</a> | <a accesskey=P href=/p>previous</a></div><div class=document><div class=body role=main>\
             <section><h1>{page}. {title}</h1>{text}<pre>run --number {page}\nstop --now</pre></section></div></div>\
             <div class=sphinxsidebar><h3>This Page</h3><ul><li><a href=/s>Show Source</a></li></ul></div>\
             <div class=footer>© Copyright 2023, the authors. Created using Sphinx.</div></body></html>",
            title = headline(page),
            text = paragraphs(page),
        )
    };
    let expected = format!("7. {}\n{}\nrun --number 7\nstop --now", headline(7), article_text(7));
    check(page, 12, 7, &expected);
}

#[test]
fn a_catalogue_keeps_its_values() {
    let page = |page: usize| {
        format!(
            "<html><head><title>Kettle {page} - Teashop</title><meta property=og:type content=product>\
             <meta property=product:price:amount content={page}><script type=application/ld+json>{{\"@type\":\"Product\",\"offers\":\
             {{\"@type\":\"Offer\"}}}}</script></head><body><div id=top>{MENU}</div><div id=product itemscope itemtype=http://schema.org/Product>\
             <img src=/{page}.jpg><h1>Kettle model K{page}</h1>\
             <table class=specs><tr><td>Price</td><td>${}.50</td></tr><tr><td>Weight</td><td>{} g</td></tr><tr><td>Colour</td><td>{}</td></tr></table>\
             <p>{}</p></div><div id=cart>Your cart is empty. Add to cart</div>{FOOT}</body></html>",
            page * 3 + 10,
            page * 55 + 300,
            ["red", "green", "blue"][page % 3],
            paragraph(page, 1)
        )
    };
    let pages: Vec<String> = (0..12).map(page).collect();
    let text = text_of(&pages, 7, &[]);
    for value in ["Kettle model K7", "$31.50", "685 g", "green", &paragraph(7, 1)] {
        assert!(text.contains(value), "{value}: {text}");
    }
    for gone in ["Your cart", "Terms of use", "Contact us"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

#[test]
fn few_pages_of_a_shop_keep_no_menu() {
    // One of four pages is for another country and has another menu, so that only some of the pages share the surroundings of the product.
    let page = |page: usize| {
        let (menu, terms) = match page {
            3 => (
                "<ul class=mega-menu><li><a href=/fr/a>Bouilloires</a><li><a href=/fr/b>Tasses</a><li><a href=/fr/c>Cadeaux</a></ul>",
                "<a href=/fr/cgv>Conditions</a>",
            ),
            _ => (
                "<ul class=mega-menu><li><a href=/a>All kettles</a><li><a href=/b>All cups</a><li><a href=/c>Gifts</a></ul>",
                "<a href=/terms>Terms</a>",
            ),
        };
        format!(
            "<html><head><title>Kettle K{page} | Teashop</title><meta property=og:type content=product><script type=application/ld+json>\
             {{\"@type\":\"Product\",\"offers\":{{\"@type\":\"Offer\"}}}}</script></head><body><header class=site-header><nav>{menu}</nav></header>\
             <main><div class=product><h1 class=product-title>Kettle K{page}</h1><div class=product-price>$1{page}.50</div>\
             <div class=product-description>{}</div></div></main><footer class=site-footer>{terms}</footer></body></html>",
            paragraphs(page)
        )
    };
    let pages: Vec<String> = (0..4).map(page).collect();
    let text = text_of(&pages, 1, &[]);
    for value in ["Kettle K1", "$11.50", &article_text(1)] {
        assert!(text.contains(value), "{value}: {text}");
    }
    for gone in ["All kettles", "Gifts", "Terms"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

#[test]
fn a_forum() {
    let page = |page: usize| {
        let post = |number: usize| {
            format!(
                "<div class=post><div class=postprofile><a href=/u/{n}>user{n}</a></div><div class=postbody><div class=content>{}</div></div></div>",
                paragraph(page, number),
                n = page * 4 + number
            )
        };
        format!(
            "<html><head><title>{title} - Forum</title><meta name=generator content=phpBB></head><body><div id=page-header>{MENU}</div><div id=page-body>\
             <h2 class=topic-title>{title}</h2>{posts}</div><div id=page-footer><p>Powered by phpBB. All times are UTC.</p></div></body></html>",
            title = headline(page),
            posts = (0..4).map(post).collect::<String>(),
        )
    };
    let pages: Vec<String> = (0..12).map(page).collect();
    let text = text_of(&pages, 5, &[]);
    for number in 0..4 {
        assert!(text.contains(&paragraph(5, number)), "{text}");
    }
    assert!(!text.contains("Powered by") && !text.contains("Weather"), "{text}");
}

/// A forum page whose posts contain listings, and its listing.
fn forum_with_listings(page: usize) -> (String, String) {
    let listing: Vec<String> =
        (0..60).map(|line| format!("2024-05-{page:02} 10:09:{line:02} ERROR (MainThread) [pump] task {line}: File \"/usr/lib/pump/device.py\", line {line}, in actually_start")).collect();
    let listing = listing.join("\n");
    let post = |number: usize, more: &str| {
        format!(
            "<div class=topic-body><div class=names><a href=/u/{number}>user{number}</a></div><div class=cooked><p>{}</p>{more}</div></div>",
            paragraph(page, number)
        )
    };
    let html = format!(
        "<html><head><title>{title} - Forum</title><meta name=generator content='Discourse 3'></head><body><div id=page-header>{MENU}</div><div id=topic>\
         <h1>{title}</h1>{}{}{}</div><div id=page-footer><p>Powered by Discourse.</p></div></body></html>",
        post(0, ""),
        post(1, &format!("<pre><code>{listing}</code></pre>")),
        post(2, ""),
        title = headline(page),
    );
    (html, listing)
}

#[test]
fn a_listing_in_a_post_stays() {
    for count in [1, 2, 8] {
        let pages: Vec<String> = (0..count).map(|page| forum_with_listings(page).0).collect();
        let (_, listing) = forum_with_listings(count - 1);
        let text = text_of(&pages, count - 1, &[]);
        assert!(text.contains(&listing), "{count} pages: {text}");
    }
}

#[test]
fn a_wiki_keeps_its_sections() {
    let page = |page: usize| {
        format!(
            "<html><head><title>{title} - Heronpedia</title><meta name=generator content='MediaWiki 1.39'></head><body><div id=content class=mw-body>\
             <h1 id=firstHeading>{title}</h1><div id=mw-content-text>{text}<h2>History</h2><p>{more}</p></div></div><div id=mw-navigation>{MENU}</div>\
             <div id=footer><ul><li>This page was last edited on {page} May 2023.</li><li>Text is available under a free licence.</li></ul></div></body></html>",
            title = headline(page),
            text = paragraphs(page),
            more = paragraph(page, 9),
        )
    };
    let pages: Vec<String> = (0..12).map(page).collect();
    let text = text_of(&pages, 5, &[]);
    assert!(
        text.starts_with(&headline(5)) && text.contains(&article_text(5)) && text.contains(&paragraph(5, 9)),
        "{text}"
    );
    assert!(!text.contains("Sport") && !text.contains("free licence"), "{text}");
}

#[test]
fn a_service_page() {
    let page = |page: usize| {
        format!(
            "<html><head><title>{title}</title></head><body><header>{MENU}</header><main><section class=hero><h1>{title}</h1><p>{}</p></section>\
             <section><h2>What {} offers</h2><p>{}</p></section></main><div class=cookie-banner><p>We use cookies to give you the best experience.</p>\
             <button>Accept all</button></div>{FOOT}</body></html>",
            paragraph(page, 0),
            SUBJECTS[page % 8],
            paragraph(page, 1),
            title = headline(page),
        )
    };
    let expected = format!("{}\n{}\nWhat railway offers\n{}", headline(3), paragraph(3, 0), paragraph(3, 1));
    check(page, 8, 3, &expected);
}

#[test]
fn a_page_that_all_others_equal_is_not_emptied() {
    check(|_| news(3, "", "", ""), 6, 3, &news_text(3));
}

#[test]
fn utf8_under_another_name_is_read() {
    let page = "<meta charset=gb2312><p>港口在漫长的冬天之后重新开放，市民们非常高兴。</p>";
    assert_eq!(crate::charset::find(page.as_bytes(), None).name(), "UTF-8");
}
