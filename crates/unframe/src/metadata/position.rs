//! Where on a page its content begins, and which parts are about something else.

use super::collect::{Found, Place, is_author_page, text_of};
use super::title::plain;
use super::visible::short_text;
use crate::html::Node;
use crate::html::tag::Tag;

/// Ancestors of an element that say where on the page it is.
const ANCESTORS_MAX: usize = 24;
/// Nodes of an element that presents another page.
const TEASER_NODES: usize = 120;
/// Headings that are compared with the title.
const HEADINGS_MAX: usize = 40;

/// The heading of the content: the first that the title repeats, else the first of the highest level.
pub(super) fn heading<'d>(found: &Found<'d>) -> Option<Place<'d>> {
    let mut titles: Vec<String> = found.title.map(|node| plain(&text_of(node))).into_iter().collect();
    titles.extend(found.meta(&["og:title"]).map(plain));
    let is_title = |place: &&Place<'d>| {
        let text = plain(&text_of(place.node));
        text.len() >= 12
            && titles
                .iter()
                .any(|title| title.starts_with(&text) || text.starts_with(title) && title.len() >= 12)
    };
    let is_first = |place: &&Place<'d>| place.node.tag() == Some(Tag::H1);
    let first = || found.headings.iter().filter(is_first);
    // Menus have headings of lower levels, and may have many.
    let headings = || found.headings.iter().take(HEADINGS_MAX).chain(first().take(HEADINGS_MAX));
    headings().find(is_title).or_else(|| first().next()).copied()
}

/// Whether a node is in a part of the page that is not about the page: navigation, comments, other pages.
pub(super) fn is_elsewhere(node: Node<'_>, heading: Option<Place<'_>>) -> bool {
    const NAMES: [&str; 12] = [
        "comment",
        "related",
        "sidebar",
        "footer",
        "recommend",
        "popular",
        "teaser",
        "recent",
        "promo",
        "trending",
        "newsletter",
        "read-next",
    ];
    let is_heading = |around: Node<'_>| {
        heading.is_some_and(|heading| {
            std::iter::once(heading.node)
                .chain(heading.node.ancestors())
                .any(|node| node.index() == around.index())
        })
    };
    for around in node.ancestors().take(ANCESTORS_MAX) {
        // What is around the heading of the content is about the content, whatever it is called.
        if is_heading(around) {
            return false;
        }
        // Small asides are bylines.
        let is_aside = || around.tag() == Some(Tag::ASIDE) && short_text(around).is_none();
        let is_footer = || around.tag() == Some(Tag::FOOTER) && !is_in_article(around);
        if around.tag() == Some(Tag::NAV) || is_footer() || is_aside() || is_teaser(around, heading) {
            return true;
        }
        let is_named = |name: &str| {
            around.attribute(name).is_some_and(|value| {
                // Drupal calls what is on the first page promoted, and shows it so on its own page too.
                let value = value.to_ascii_lowercase().replace("promoted", "");
                let is_here = |name: &str| name == "footer" && is_in_article(around);
                NAMES.iter().any(|name| value.contains(name) && !is_here(name))
            })
        };
        if is_named("class") || is_named("id") {
            return true;
        }
    }
    false
}

/// Whether an element is inside of an article, whose footer says who wrote it, and when.
fn is_in_article(node: Node<'_>) -> bool {
    node.ancestors().take(ANCESTORS_MAX).any(|around| around.tag() == Some(Tag::ARTICLE))
}

/// Whether an element presents another page: it is small, and its heading is a link. Headings with the title of this page, as posts of a
/// forum have them, and those with the name of an author link to no other text.
fn is_teaser(node: Node<'_>, title: Option<Place<'_>>) -> bool {
    let is_item = matches!(node.tag(), Some(Tag::ARTICLE | Tag::LI | Tag::DIV | Tag::SECTION));
    let inside = || node.descendants().take(TEASER_NODES + 1);
    if !is_item || inside().count() > TEASER_NODES {
        return false;
    }
    let is_heading = |node: &Node<'_>| matches!(node.tag(), Some(Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5));
    let is_title = |heading: Node<'_>| {
        title.is_some_and(|title| plain(&text_of(title.node)) == plain(&text_of(heading)))
    };
    let is_author = |link: Node<'_>| link.attribute("href").is_some_and(|href| is_author_page(&href));
    let mut linked = inside().filter(is_heading).filter_map(|heading| Some((heading, link_of(heading)?)));
    linked.any(|(heading, link)| !is_author(link) && !is_title(heading))
}

/// The link in or around a heading.
fn link_of(heading: Node<'_>) -> Option<Node<'_>> {
    let mut nodes = heading.descendants().take(8).chain(heading.ancestors().take(4));
    nodes.find(|node| node.tag() == Some(Tag::A))
}
