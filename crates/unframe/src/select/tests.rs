//! Runs the selectors in other implementations of CSS and XPath, where they must select the regions and no content.

use scraper::{Html, Selector as CssSelector};
use sxd_document::Package;
use sxd_document::dom::{ChildOfElement, Document as Xml, Element as XmlElement};
use sxd_xpath::{Context, Factory, Value};

use super::candidates::Candidate;
use super::elements::Elements;
use super::matcher::Matcher;
use super::selector::{Combinator, Compound};
use super::*;
use crate::detect;
use crate::html::{Node, NodeKind, Span};
use crate::learn::{Learner, Models};
use crate::limits::{
    SELECTOR_CANDIDATES_MAX, SELECTOR_HASHES_MAX, SELECTOR_NAMES_MAX, SELECTOR_PATTERNS_MAX,
    SELECTOR_STEPS_MAX, SELECTORS_BYTES_MAX,
};
use crate::parsed::{PageBytes, PageParser};
use crate::{Region, TemplateHash};

/// A site of synthetic pages.
struct Site {
    pages: Vec<String>,
    models: Models,
}

impl Site {
    fn new(method: &str, pages: impl IntoIterator<Item = String>) -> Site {
        let pages: Vec<String> = pages.into_iter().collect();
        let learner = Learner::new(detect::method(method).unwrap(), 0);
        let mut parser = PageParser::new();
        for (number, page) in pages.iter().enumerate() {
            learner.observe("a", &number.to_string(), &parser.open(bytes(page)));
        }
        Site { pages, models: learner.models() }
    }

    fn regions(&self, page: &str) -> Vec<Region> {
        self.models.label("a", &PageParser::new().open(bytes(page)))
    }

    /// The result for the template that has this text on its first page.
    fn found(&self, text: &str) -> Found {
        let mut parser = PageParser::new();
        let mut found = Candidates::default();
        let mut hash = None;
        for page in &self.pages {
            let regions = self.regions(page);
            let page = parser.open(bytes(page));
            let texts = crate::text::of_regions(page.source(), &regions, 1000);
            let of_text = texts.iter().position(|known| known == text).map(|at| regions[at].template);
            hash = hash.or(of_text);
            found.add(candidates(&page, &regions));
        }
        let check = Check::new(found);
        let mut tally = Tally::default();
        for page in &self.pages {
            tally.add(check.page(&parser.open(bytes(page)), &self.regions(page)));
        }
        check.found(hash.expect("no region has that text"), &tally)
    }

    /// Selects with both engines on all pages, which must agree.
    fn select(&self, selector: &Selector) -> Vec<Vec<String>> {
        let select = |page: &String| {
            let css = CssSelector::parse(&selector.css()).expect("CSS that can be read");
            let html = Html::parse_document(page);
            let by_css: Vec<String> = html
                .select(&css)
                .map(|element| element.text().collect::<String>().trim().to_owned())
                .collect();
            assert_eq!(by_css, by_xpath(page, &selector.xpath()), "{} on {page}", selector.xpath());
            by_css
        };
        self.pages.iter().map(select).collect()
    }
}

fn bytes(page: &str) -> PageBytes<'_> {
    PageBytes::utf8(page.as_bytes())
}

/// The texts of the elements that a path selects.
fn by_xpath(page: &str, path: &str) -> Vec<String> {
    let mut parser = PageParser::new();
    let page = parser.open(bytes(page));
    let html = page.document();
    let package = Package::new();
    let xml = package.as_document();
    xml.root().append_child(copy(html.elements("html").next().unwrap(), xml));
    let path = Factory::new().build(path).expect("XPath that can be read").expect("an expression");
    match path.evaluate(&Context::new(), xml.root()).expect("a value") {
        Value::Nodeset(nodes) => {
            nodes.document_order().iter().map(|node| node.string_value().trim().to_owned()).collect()
        }
        _ => panic!("{path:?} selects no nodes"),
    }
}

fn copy<'x>(node: Node<'_>, xml: Xml<'x>) -> XmlElement<'x> {
    let element = xml.create_element(&*node.name());
    node.attributes().for_each(|(name, value)| {
        element.set_attribute_value(&*name, &value);
    });
    for child in node.children() {
        match child.kind() {
            NodeKind::Element => element.append_child(ChildOfElement::Element(copy(child, xml))),
            NodeKind::Text => element.append_child(xml.create_text(&child.text())),
            _ => {}
        }
    }
    element
}

/// Different pages, which `page` generates from a number.
fn pages(page: impl Fn(usize) -> String) -> impl Iterator<Item = String> {
    (0..12).map(page)
}

/// Checks that the template with this text has exactly these selectors, and that they select it and nothing else on every page.
#[track_caller]
fn check(site: &Site, text: &str, css: &[&str]) {
    let found = site.found(text);
    let all: Vec<String> = found.selectors.iter().map(Selector::css).collect();
    assert_eq!(all, css, "{found:?}");
    assert!(found.is_exact(), "{found:?}");
    for selector in &found.selectors {
        for selected in site.select(selector) {
            assert!(!selected.is_empty() && selected.iter().all(|one| !one.contains("own")), "{selected:?}");
        }
    }
}

#[test]
fn a_selector_of_one_template_is_better_than_one_of_several() {
    let page = |n| {
        format!(
            "<header class=top><div class=legal>Terms of use</div></header><p>own {n}</p><p>own too {n}</p>\
             <footer class=end><div class=legal>Privacy policy</div></footer>"
        )
    };
    let site = Site::new("dom", pages(page));
    check(&site, "Terms of use", &["header.top"]);
    let boxes = |n| {
        format!(
            "<div class=top><p>own {n}</p><div class=legal>Terms of use</div></div><p>own {n}</p><p>own too {n}</p>\
             <div class=end><p>own too {n}</p><div class=legal>Privacy policy</div></div>"
        )
    };
    let site = Site::new("dom", pages(boxes));
    check(&site, "Terms of use", &["div.top div.legal"]);
    check(&site, "Privacy policy", &["div.end div.legal"]);
}

#[test]
fn an_id_is_enough() {
    let page = |n| format!("<div><ul id=menu><li>Home<li>About</ul></div><p>own {n}</p><p>own too {n}");
    check(&Site::new("dom", pages(page)), "Home About", &["#menu"]);
}

#[test]
fn names_that_mean_something_in_css_are_escaped() {
    let page = |n| format!("<ul id='1:a.b \"c\"'><li>Home<li>About</ul><p>own {n}</p><p>own too {n}");
    check(&Site::new("dom", pages(page)), "Home About", &["#\\31 \\:a\\.b\\ \\\"c\\\""]);
    let page = |n| format!("<ul class='-1 it&apos;s&quot;'><li>Home<li>About</ul><p>own {n}</p>");
    check(&Site::new("dom", pages(page)), "Home About", &["ul.-\\31 .it\\'s\\\""]);
    let page = |n| format!("<ul class=--latest><li>Home<li>About</ul><p>own {n}</p>");
    check(&Site::new("dom", pages(page)), "Home About", &["ul.\\--latest"]);
}

#[test]
fn classes_that_content_has_too_are_not_enough() {
    let page =
        |n| format!("<div class='box top'>Home About</div><div class=box>own {n}</div><p class=top>own {n}");
    check(&Site::new("dom", pages(page)), "Home About", &["div.box.top"]);
}

#[test]
fn a_way_from_an_element_with_an_id() {
    let page = |n| {
        format!(
            "<div id=side><p>own {n}</p><ul><li>Home<li>About</ul></div><ul><li>own {n}<li>own own {n}</ul>"
        )
    };
    check(&Site::new("dom", pages(page)), "Home About", &["#side ul"]);
}

#[test]
fn a_place_is_the_last_resort() {
    let page = |n| format!("<p>Home About</p><p>own {n}</p><p>own own {n}</p>");
    check(&Site::new("dom", pages(page)), "Home About", &["html > body > p:nth-of-type(1)"]);
}

#[test]
fn a_name_without_a_place_is_not_enough() {
    let page = |n| format!("<h2>Home About</h2><p>own {n}</p><p>own own {n}</p>");
    check(&Site::new("dom", pages(page)), "Home About", &["html > body > h2"]);
    let page = |n| format!("<div class=post><p>own {n}</p><h3>Home About</h3></div><h3>own too {n}</h3>");
    check(&Site::new("dom", pages(page)), "Home About", &["div.post h3"]);
}

/// Browsers put rows into a `tbody`, whereas libxml2 does not.
#[test]
fn selectors_do_not_name_elements_that_are_implied() {
    let page = |n| {
        format!("<table><tr><td>Home About<tr><td>own {n}<tr><td>own own {n}</table><td>own {n}<p>own {n}")
    };
    let site = Site::new("dom", pages(page));
    check(&site, "Home About", &["html > body > table tr:nth-of-type(1)"]);
    // All rows are template, but the table is not: its body has no selector, and its rows have one.
    let page = |n| format!("<table><caption>own {n}</caption><tr><td>Home<tr><td>About</table><p>own {n}");
    check(&Site::new("dom", pages(page)), "Home About", &["html > body > table tr"]);
}

#[test]
fn windows_of_text_find_their_elements() {
    let page = |n| {
        format!(
            "<nav class=m><a href=/>The first page of all</a> <a href=/b>Everything else there is</a></nav>\
             <p>{n}{n} own words of {n} and only {n}</p>"
        )
    };
    check(&Site::new("text", pages(page)), "The first page of all Everything else there is", &["nav.m"]);
}

#[test]
fn text_beside_content_has_no_selector() {
    let own = |n: usize| {
        ["Ash", "Birch", "Cedar", "Date", "Elm", "Fir", "Gum", "Holly", "Ivy", "Jujube", "Kapok", "Lime"][n]
    };
    let page = |n| format!("<p>This sentence stands on every page of the site. {}</p>", own(n));
    let found = Site::new("text", pages(page)).found("This sentence stands on every page of the site.");
    assert_eq!((found.selectors.len(), found.lost, found.is_exact()), (0, 12, false));
}

#[test]
fn what_cannot_be_told_from_content_has_no_selector() {
    // The position and the names are equal, only the words differ.
    let page = |n| match n % 2 {
        0 => "<p>Sold out</p>".to_owned(),
        _ => format!("<p>own {n}</p>"),
    };
    let found = Site::new("dom", pages(page)).found("Sold out");
    assert_eq!((found.selectors.len(), found.selected, found.total, found.lost), (0, 0, 6, 0));
}

#[test]
fn pictures_that_are_no_template_are_content() {
    let page = |n| match n {
        0..10 => format!("<div class=ad><img src=ad.png></div><p>own {n}"),
        _ => format!("<div class=ad><img src=own{n}.png></div><p>own {n}"),
    };
    let found = Site::new("dom", pages(page)).found("");
    assert_eq!(found.selectors, [], "{found:?}");
}

#[test]
fn templates_in_several_places_have_several_selectors() {
    let page = |n| match n % 2 {
        0 => format!("<div id=a><i>own {n}</i><b>Up to the top</b></div><b>own too {n}</b>"),
        _ => format!("<p id=b><i>own {n}</i><b>Up to the top</b></p><b>own too {n}</b>"),
    };
    let site = Site::new("dom", pages(page));
    let found = site.found("Up to the top");
    let css: Vec<String> = found.selectors.iter().map(Selector::css).collect();
    assert!(found.is_exact() && css.len() == 2, "{found:?}");
    let selected: Vec<_> = found.selectors.iter().map(|selector| site.select(selector)).collect();
    for (one, other) in selected[0].iter().zip(&selected[1]) {
        let both = [&one[..], &other[..]].concat();
        assert_eq!(both, ["Up to the top"], "{css:?}");
    }
}

#[test]
fn what_holds_for_one_page_is_no_selector() {
    let page = |n| {
        let (top, own) = ("<b class=x>Up to the top</b>", format!("<b class=x>own {n}</b>"));
        let (first, second) = if n % 2 == 0 { (top, &own[..]) } else { (&own[..], top) };
        format!("<div id=post-{n}>{first}{second}</div>")
    };
    let site = Site::new("dom", pages(page));
    let found = site.found("Up to the top");
    assert_eq!((found.total, found.selected, found.selectors), (12, 0, vec![]));
    // A single page does not show more than that.
    let single = Site { pages: site.pages[..1].to_vec(), models: site.models };
    assert_eq!(single.found("Up to the top").selectors[0].css(), "#post-0 > b:nth-of-type(1)");
}

#[test]
fn pieces_past_the_limit_are_reported() {
    let mut parser = PageParser::new();
    let page = parser.open(bytes("<div id=a>x</div>"));
    let last = SELECTOR_HASHES_MAX as u64;
    let region = Region::new(Span::new(0, page.payload().len()), TemplateHash(last), 2);
    let found = candidates(&page, &[region]);
    let mut all = Candidates::default();
    for hash in 0..=last {
        all.push(TemplateHash(hash), found.all[0].1[0].selector.clone());
    }
    let check = Check::new(all);
    let mut tally = Tally::default();
    tally.add(check.page(&page, &[region]));
    let found = check.found(TemplateHash(last), &tally);
    assert_eq!((found.total, found.untried, found.selectors.len()), (1, 1, 0));
}

/// The first candidate selector for a page that is one template.
fn first_selector(page: &str) -> Selector {
    let region = Region::new(Span::new(0, page.len()), TemplateHash(1), 2);
    candidates(&PageParser::new().open(bytes(page)), &[region]).all.swap_remove(0).1.swap_remove(0).selector
}

#[test]
fn so_many_selectors_are_tried_and_no_more() {
    for (before, selected) in [(SELECTOR_CANDIDATES_MAX - 1, 1), (SELECTOR_CANDIDATES_MAX, 0)] {
        // Only the last selector matches the page.
        let page = "<div id=a>x</div>";
        let others = (0..before).map(|number| format!("<div id=b{number}>x</div>"));
        let selectors = others.map(|page| first_selector(&page)).chain([first_selector(page)]);
        let mut all = Candidates::default();
        selectors.for_each(|selector| all.push(TemplateHash(1), selector));
        let check = Check::new(all);
        let region = Region::new(Span::new(0, page.len()), TemplateHash(1), 2);
        let mut tally = Tally::default();
        tally.add(check.page(&PageParser::new().open(bytes(page)), &[region]));
        let found = check.found(TemplateHash(1), &tally);
        assert_eq!((found.total, found.selected), (1, selected));
    }
}

#[test]
fn the_order_of_pages_changes_no_selectors() {
    // Each page has three candidates of its own, and one that all pages share: more than are kept.
    let pages: Vec<String> = (0..40)
        .map(|n| format!("<div id=post-{n}><ul class='menu m{n}'><li>Home</ul>own {n}</div>"))
        .collect();
    let of_page = |page: &String| {
        let span = Span::new(page.find("<ul").unwrap(), page.find("own").unwrap());
        candidates(&PageParser::new().open(bytes(page)), &[Region::new(span, TemplateHash(1), 2)])
    };
    let mut all = [Candidates::default(), Candidates::default()];
    pages.iter().for_each(|page| all[0].add(of_page(page)));
    pages.iter().rev().for_each(|page| all[1].add(of_page(page)));
    assert_eq!(all[0].all[0].1.len(), SELECTOR_CANDIDATES_MAX);
    assert_eq!((&all[0].all, all[0].bytes), (&all[1].all, all[1].bytes));
    let has_menu = |(_, all): &(_, Vec<Candidate>)| all.iter().any(|one| one.selector.css() == "ul.menu");
    assert!(all[0].all.iter().all(has_menu));
    let bytes = all[0].all[0].1.iter().map(|candidate| candidate.selector.bytes());
    assert_eq!(bytes.sum::<usize>(), all[0].bytes);
}

#[test]
fn the_order_of_sets_of_selectors_does_not_matter() {
    let counted = |patterns: &mut dyn Iterator<Item = u64>| {
        let page = |pattern| {
            let mut page = PageCheck::default();
            page.patterns.push((TemplateHash(1), pattern));
            page
        };
        let mut tally = Tally::default();
        patterns.for_each(|pattern| tally.add(page(pattern)));
        tally.seen[&TemplateHash(1)].patterns.clone()
    };
    let last = SELECTOR_PATTERNS_MAX as u64 + 10;
    let forwards = counted(&mut (1..=last));
    assert_eq!(forwards, counted(&mut (1..=last).rev()));
    assert_eq!((forwards[&0], forwards.len()), (10, SELECTOR_PATTERNS_MAX + 1));
}

#[test]
fn so_many_sets_of_selectors_are_distinguished_and_no_more() {
    // There is one class per bit of a number, so every element has a different set of selectors, and `p.all` selects all elements.
    let classes = (0..9).map(|bit| format!("<p class=c{bit}>x</p>"));
    let selectors =
        std::iter::once("<p class=all>x</p>".to_owned()).chain(classes).map(|page| first_selector(&page));
    let mut all = Candidates::default();
    selectors.for_each(|selector| all.push(TemplateHash(1), selector));
    let check = Check::new(all);
    for count in [SELECTOR_PATTERNS_MAX, SELECTOR_PATTERNS_MAX + 1] {
        // The content prevents `body` from being the template.
        let (mut page, mut regions) = ("content".to_owned(), Vec::new());
        for number in 0..count {
            let names = (0..9).filter(|bit| number >> bit & 1 == 1).map(|bit| format!("c{bit} "));
            let start = page.len();
            page += &format!("<p class='all {}'>x</p>", names.collect::<String>());
            regions.push(Region::new(Span::new(start, page.len()), TemplateHash(1), 2));
        }
        let mut tally = Tally::default();
        tally.add(check.page(&PageParser::new().open(bytes(&page)), &regions));
        let found = check.found(TemplateHash(1), &tally);
        assert_eq!((found.total, found.selected), (count as u64, SELECTOR_PATTERNS_MAX as u64));
    }
}

/// All selectors of a page on which each `<p>` is a template.
fn of_paragraphs(page: &str, is_one_template: bool) -> Candidates {
    let starts = page.match_indices("<p").map(|(start, _)| start);
    let region = |(number, start): (usize, usize)| {
        let end = start + page[start..].find("</p>").unwrap() + 4;
        Region::new(Span::new(start, end), TemplateHash(if is_one_template { 1 } else { number as u64 }), 2)
    };
    let regions: Vec<Region> = starts.enumerate().map(region).collect();
    candidates(&PageParser::new().open(bytes(page)), &regions)
}

/// The number of steps of the longest selector, and the bytes of the longest in CSS.
fn longest(found: &Candidates) -> (usize, usize) {
    let all = || found.all.iter().flat_map(|(_, all)| all).map(|candidate| &candidate.selector);
    let steps = all().map(|selector| selector.steps.len()).max().unwrap_or(0);
    (steps, all().map(|selector| selector.css().len()).max().unwrap_or(0))
}

#[test]
fn a_page_has_so_many_selectors_of_a_template_and_no_more() {
    let page = "<p>x</p>".repeat(SELECTOR_CANDIDATES_MAX * 10) + "content";
    let found = of_paragraphs(&page, true);
    assert_eq!((found.all.len(), found.all[0].1.len()), (1, SELECTOR_CANDIDATES_MAX));
    let page = "<p>x</p>".repeat(SELECTOR_HASHES_MAX + 10);
    assert_eq!(of_paragraphs(&page, false).all.len(), SELECTOR_HASHES_MAX);
}

#[test]
fn a_selector_has_so_many_steps_and_no_more() {
    // `html`, `body` and the paragraph are steps as well.
    let deep = |depth: usize| of_paragraphs(&("<div>".repeat(depth - 3) + "<p>x</p><p>x</p>content"), true);
    assert_eq!(longest(&deep(SELECTOR_STEPS_MAX)).0, SELECTOR_STEPS_MAX);
    assert_eq!(longest(&deep(SELECTOR_STEPS_MAX + 1)).0, 0);
}

#[test]
fn names_in_a_selector_have_so_many_bytes_and_no_more() {
    // The names `div` and `p` count as well.
    let of_id = |len: usize| of_paragraphs(&format!("<div id={}><p>x</p></div>", "i".repeat(len)), true);
    let len = SELECTOR_NAMES_MAX - "div".len() - "p".len();
    assert_eq!(longest(&of_id(len)).1, "# > p".len() + len);
    assert_eq!(longest(&of_id(len + 1)).1, 0);
}

#[test]
fn selectors_take_so_much_memory_and_no_more() {
    // Each element has a long path of its own.
    let class = "c".repeat(SELECTOR_NAMES_MAX / 2);
    let page = "<div>".repeat(50)
        + &format!("<div class={class}><p>x</p></div>").repeat(SELECTORS_BYTES_MAX / SELECTOR_NAMES_MAX);
    let of_page = of_paragraphs(&page, false);
    let full = SELECTORS_BYTES_MAX - 2 * SELECTOR_NAMES_MAX..=SELECTORS_BYTES_MAX;
    assert!(full.contains(&of_page.bytes), "{}", of_page.bytes);
    let kept = of_page.all.iter().flat_map(|(_, all)| all).map(|candidate| candidate.selector.bytes());
    assert_eq!(kept.sum::<usize>(), of_page.bytes);
    let mut of_site = Candidates::default();
    (0..2).for_each(|_| of_site.add(of_paragraphs(&page, false)));
    of_site.add(of_page);
    assert!(full.contains(&of_site.bytes), "{}", of_site.bytes);
}

#[test]
fn a_class_counts_once() {
    let page = |n| format!("<ul class='{}'><li>Home<li>About</ul><p>own {n}</p>", "m ".repeat(1000));
    check(&Site::new("dom", pages(page)), "Home About", &["ul.m"]);
}

#[test]
fn what_is_around_an_element_is_looked_at_once_however_many_ways_lead_there() {
    let compound = |name: &str| Compound { name: Some(name.to_owned()), ..Compound::default() };
    let steps = (0..6).map(|_| (Combinator::Descendant, compound("div")));
    let steps: Vec<_> = steps.chain([(Combinator::Descendant, compound("p"))]).collect();
    let mut matcher = Matcher::default();
    let number = matcher.add(Selector { steps: steps.clone() });
    let outside = [(Combinator::Child, compound("table"))].into_iter().chain(steps).collect();
    matcher.add(Selector { steps: outside });
    let depth = 20;
    let page = "<div>".repeat(depth) + "<p>x</p>";
    let mut parser = PageParser::new();
    let page = parser.open(bytes(&page));
    let elements = Elements::of(page.document());
    let selected = matcher.on(&elements);
    let last = elements.all.len() - 1;
    assert_eq!(selected.of(last), [number]);
    // The paragraph, and of six steps each at all elements but those that the steps before it take.
    let expected: usize = 1 + (0..6).map(|step| depth - step).sum::<usize>();
    assert_eq!(selected.reached(last).len(), expected);
}
