//! The reasons for what a part of a page was taken for, in words.

use super::belief::confidence;
use super::label::{Found, PlaceFinder};
use super::names::Traits;
use super::outline::{self, traits_of};
use super::tree::text_key;
use crate::html::{Document, Node, NodeKind, Span};
use crate::model::{Model, PlaceTable};

/// Elements of a path that are named, the innermost ones.
const ELEMENTS_SHOWN: usize = 3;

/// Why the longest text of a part of the page is template, or is not.
pub(super) fn why(model: &Model, table: &PlaceTable, document: &Document<'_>, span: Span) -> Option<String> {
    let mut finder = PlaceFinder::new(table, document);
    let mut longest: Option<(usize, Node<'_>, Found, u64)> = None;
    outline::for_each_text(document, |node, parent, text| {
        if span.contains(node.span()) && longest.as_ref().is_none_or(|(len, ..)| *len < text.len()) {
            longest = Some((text.len(), parent, finder.find(parent), outline::hash_of(text)));
        }
    });
    let (_, element, found, hash) = longest?;
    let repeated = model.count(text_key(found.place, hash));
    let (what, belief) = match repeated {
        Some(count) => (format!("repeats there (on {} pages)", count.pages), found.belief.repeated),
        None => ("changes there from page to page".to_owned(), found.belief.changing),
    };
    // Of what is taken for template, the same confidence is told as for its region.
    let belief = if belief >= 50 { confidence(belief, repeated.is_some()) } else { belief };
    let kind = element_words(element);
    let of_pages = match model.pages_sampled() {
        0 | 1 => String::new(),
        pages => format!(" ({} of {pages} pages have it)", found.belief.pages),
    };
    Some(format!("in {}{of_pages}{kind}; what {what} is template with {belief} %", path(element)))
}

/// The innermost elements around a text, outermost first.
fn path(element: Node<'_>) -> String {
    let mut names: Vec<String> = elements_around(element).take(ELEMENTS_SHOWN).map(name).collect();
    names.reverse();
    names.join(" > ")
}

fn elements_around<'d>(element: Node<'d>) -> impl Iterator<Item = Node<'d>> {
    std::iter::once(element).chain(element.ancestors()).filter(|node| node.kind() == NodeKind::Element)
}

/// An element as a selector would name it.
fn name(element: Node<'_>) -> String {
    let mut name = element.name().into_owned();
    if let Some(id) = element.attribute("id").filter(|id| !id.trim().is_empty()) {
        name.push('#');
        name.push_str(id.trim());
    }
    for class in element.attribute("class").unwrap_or_default().split_whitespace().take(2) {
        name.push('.');
        name.push_str(class);
    }
    name
}

/// What the elements around a text are known by: the innermost of each kind.
fn element_words(element: Node<'_>) -> String {
    let traits = elements_around(element).fold(0, |all, element| all | traits_of(element).0);
    let known: Vec<&str> =
        WORDS.iter().filter(|(kind, _)| Traits(traits).has(*kind)).map(|(_, words)| *words).collect();
    match known.is_empty() {
        true => String::new(),
        false => format!(", {}", known.join(", ")),
    }
}

const WORDS: [(Traits, &str); 12] = [
    (Traits::NAV, "in a navigation landmark"),
    (Traits::HEADER, "in a header"),
    (Traits::FOOTER, "in a footer"),
    (Traits::ASIDE, "in an aside"),
    (Traits::MAIN, "in the main part"),
    (Traits::NAMED_NAV, "named like a menu"),
    (Traits::NAMED_TOC, "named like a table of contents"),
    (Traits::NAMED_FOOT, "named like a footer"),
    (Traits::NAMED_HEAD, "named like a header"),
    (Traits::NAMED_SIDE, "named like a sidebar"),
    (Traits::NAMED_TOOL, "named like a tool"),
    (Traits::NAMED_CONTENT, "named like content"),
];
