//! Tests the lists of templates of small synthetic sites.

use super::*;
use crate::detect::Places;
use crate::learn::Learner;
use crate::{PageBytes, PageParser};

/// The templates of a site, learned from these pages, and the regions of each page.
fn templates(pages: &[String]) -> (Vec<SiteTemplate>, Vec<Vec<Region>>) {
    let learner = Learner::new(Box::new(Places::default()), 7);
    let mut parser = PageParser::new();
    for (number, page) in pages.iter().enumerate() {
        let url = format!("http://tea.example/{number}");
        learner.observe("tea", &url, &parser.open(PageBytes::utf8(page.as_bytes())));
    }
    let models = learner.models();
    let mut collector = TemplateCollector::default();
    let mut all = Vec::new();
    for page in pages {
        let parsed = parser.open(PageBytes::utf8(page.as_bytes()));
        let regions = models.templates("tea", &parsed);
        collector.add(of_page(&parsed, &regions));
        all.push(regions);
    }
    (collector.finish(), all)
}

/// A page with a menu in which its own section is highlighted.
fn with_menu(number: usize) -> String {
    let sections = ["News", "Sport", "Tea", "Weather", "Travel", "Culture"];
    let item = |(at, name): (usize, &&str)| {
        let class = if at == number % sections.len() { " class=current" } else { "" };
        format!("<li{class}><a href=/{name}>{name}</a></li>")
    };
    let items: String = sections.iter().enumerate().map(item).collect();
    let words =
        format!("kettle{number} boils water{number} for the cup{number} that stands on the table{number}");
    format!(
        "<html><head><title>Page {number}</title><script>track('tea');</script><style>p {{ margin: 0 }}</style></head><body>\
         <div id=header><a href=/>Tea Times</a><ul id=nav>{items}</ul></div>\
         <div id=content><h1>Page {number} about {words}</h1><p>In the morning, {words}, and nobody knows why it does so every day. {words}.\
         <p>Then, after a while, {words}; the rest of it is written somewhere else, in a book about {words}.</div>\
         <div id=footer>Copyright Tea Times, all rights reserved <a href=/about>About us</a></div></body></html>"
    )
}

#[test]
fn one_menu_is_one_template() {
    let pages: Vec<String> = (0..12).map(with_menu).collect();
    let (templates, regions) = templates(&pages);
    let listed: Vec<_> = templates
        .iter()
        .map(|one| (one.sort.name(), one.pages, one.variants.len(), one.links / u64::from(one.pages)))
        .collect();
    assert_eq!(
        listed,
        [(Some("header"), 12, 1, 1), (Some("navigation"), 12, 1, 6), (Some("footer"), 12, 1, 1)]
    );
    let (header, menu) = (&templates[0], &templates[1]);
    assert_eq!(menu.within, Some(header.id));
    assert_eq!(menu.variants[0].text, "News Sport Tea Weather Travel Culture");
    // A region refers to its template.
    for (page, html) in regions.iter().zip(&pages) {
        let of_menu: String = page
            .iter()
            .filter(|region| region.template == menu.id)
            .map(|region| &html[region.span.range()])
            .collect();
        assert!(of_menu.starts_with("<ul id=nav>") && of_menu.contains("Culture</a></li></ul>"), "{of_menu}");
    }
}

/// A page of nested tables without class names: a column of sections, one of content, one of partners.
fn with_columns(number: usize) -> String {
    let lines = |words: [&str; 4]| {
        let line = |word: &str| format!("<tr><td><a href=/{word}>{word}</a></td></tr>");
        format!("<table>{}</table>", words.map(line).concat())
    };
    let (sections, partners) =
        (lines(["News", "Sport", "Weather", "Travel"]), lines(["Teapots", "Kettles", "Saucers", "Spoons"]));
    let words =
        format!("kettle{number} boils water{number} for the cup{number} that stands on the table{number}");
    format!(
        "<html><body><table><tr><td>{sections}</td><td><h1>Page {number} about {words}</h1><p>In the morning, {words}, and nobody knows \
         why it does so every day. {words}.<p>Then, after a while, {words}; the rest of it is written somewhere else, in a book about \
         {words}.</td><td>{partners}</td></tr></table></body></html>"
    )
}

#[test]
fn columns_without_names_are_templates_of_their_own() {
    let pages: Vec<String> = (0..12).map(with_columns).collect();
    let (templates, _) = templates(&pages);
    let found: Vec<_> = templates.iter().map(|one| (one.pages, one.variants[0].text.as_str())).collect();
    assert_eq!(found, [(12, "Teapots Kettles Saucers Spoons"), (12, "News Sport Weather Travel")]);
}

#[test]
fn a_row_of_links_is_one_template() {
    let pages: Vec<String> =
        (0..12).map(|number| with_columns(number).replace("</td></tr><tr><td><a", "</td><td><a")).collect();
    let (templates, _) = templates(&pages);
    let found: Vec<_> = templates.iter().map(|one| one.variants[0].text.as_str()).collect();
    assert_eq!(found, ["Teapots Kettles Saucers Spoons", "News Sport Weather Travel"]);
}

#[test]
fn ids_are_the_same_in_another_crawl() {
    let ids = |pages: Vec<String>| {
        let mut ids: Vec<TemplateHash> = templates(&pages).0.iter().map(|one| one.id).collect();
        ids.sort_unstable();
        ids
    };
    let before = ids((0..12).map(with_menu).collect());
    // Other pages, with another wrapper and one item fewer.
    let after = (20..25).map(|number| {
        with_menu(number)
            .replace("<body>", "<body class=new><div class=page>")
            .replace("<li><a href=/Culture>Culture</a></li>", "")
    });
    assert_eq!(ids(after.collect()), before);
}

#[test]
fn texts_are_counted_and_what_is_on_one_page_is_no_template() {
    let pages: Vec<String> = (0..9)
        .map(|number| match number {
            0 => with_menu(0).replace("About us</a>", "About us</a> <div id=box>Only here</div>"),
            1..3 => with_menu(number).replace("About us", "About Tea"),
            _ => with_menu(number),
        })
        .collect();
    let (templates, _) = templates(&pages);
    let footer = templates.iter().find(|one| one.sort == Sort::Footer).unwrap();
    let pages_of: Vec<u32> = footer.variants.iter().map(|variant| variant.pages).collect();
    assert_eq!(pages_of.iter().sum::<u32>(), 9);
    assert!(footer.variants.len() >= 2 && pages_of[0] >= 6, "{:?}", footer.variants);
    assert!(templates.iter().all(|one| one.pages > 1), "{templates:?}");
}

#[test]
fn markup_is_counted_and_not_listed() {
    let pages: Vec<String> = (0..6).map(with_menu).collect();
    let (_, regions) = templates(&pages);
    let markup: Vec<&str> = regions[2]
        .iter()
        .filter(|region| region.kind == RegionKind::Markup)
        .map(|region| &pages[2][region.span.range()])
        .collect();
    assert_eq!(markup, ["<script>track('tea');</script>", "<style>p { margin: 0 }</style>"]);
}

#[test]
fn so_many_texts_are_kept_and_no_more() {
    let on_page = |text: String| OnPage {
        id: TemplateHash(1),
        within: None,
        sort: Sort::Unknown,
        spans: vec![Span::new(0, 5)],
        links: 0,
        text,
    };
    let mut collector = TemplateCollector::default();
    let usual = (0..10).map(|_| "usual".to_owned());
    for text in usual.chain((0..TEMPLATE_VARIANTS_MAX).map(|number| format!("text {number}"))) {
        collector.add(PageTemplates { found: vec![on_page(text)], markup: MarkupCount::default() });
    }
    let template = &collector.finish()[0];
    assert_eq!((template.variants.len(), template.other_pages), (TEMPLATE_VARIANTS_MAX, 1));
    assert_eq!(template.variants[0], Variant { text: "usual".to_owned(), pages: 10 });
}

/// Lists the templates of a site, given as the id, the id of the container, and the indexes of the pages.
fn listed(templates: &[(u64, Option<u64>, std::ops::Range<u32>)]) -> Vec<(u64, u32)> {
    let mut collector = TemplateCollector::default();
    for page in 0..12 {
        let here = templates.iter().filter(|(.., pages)| pages.contains(&page));
        let found = here.map(|(id, within, _)| OnPage {
            id: TemplateHash(*id),
            within: within.map(TemplateHash),
            sort: Sort::Unknown,
            spans: vec![Span::new(0, 5)],
            links: 0,
            text: "tea".to_owned(),
        });
        collector.add(PageTemplates { found: found.collect(), markup: MarkupCount::default() });
    }
    collector.finish().iter().map(|template| (template.id.0, template.pages)).collect()
}

#[test]
fn a_template_comes_first_if_one_inside_of_it_is_on_most_pages() {
    let (footer, header, menu, search) =
        ((1, None, 0..10), (2, None, 0..3), (3, Some(2), 0..12), (4, Some(3), 0..11));
    assert_eq!(listed(&[footer, header, menu, search]), [(2, 3), (3, 12), (4, 11), (1, 10)]);
}

#[test]
fn links_on_a_page_are_rounded() {
    let pages: Vec<String> = (0..12).map(with_menu).collect();
    let mut menu = templates(&pages).0.remove(1);
    let rounded = [64, 65, 66, 77, 78].map(|links| {
        menu.links = links;
        menu.links_per_page()
    });
    assert_eq!((menu.pages, rounded), (12, [5, 5, 6, 6, 7]));
}
