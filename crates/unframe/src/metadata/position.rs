//! Finds where the content of a page begins, and which parts are about something else.

use std::cell::RefCell;
use std::collections::HashMap;

use super::collect::{Found, Place, is_author_page, text_of};
use super::title::plain;
use super::visible::short_text;
use crate::html::Node;
use crate::html::tag::Tag;

/// Maximum number of ancestors that are examined to locate an element.
const ANCESTORS_MAX: usize = 24;
/// Maximum number of nodes in an element that presents another page.
const TEASER_NODES: usize = 120;
/// Maximum number of headings that are compared with the title.
const HEADINGS_MAX: usize = 40;

/// The heading of the content: the first heading that the title repeats, else the first of the highest level.
fn heading<'d>(found: &Found<'d>) -> Option<Place<'d>> {
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
    // Menus have headings of lower levels, and may have many of them.
    let headings = || found.headings.iter().take(HEADINGS_MAX).chain(first().take(HEADINGS_MAX));
    headings().find(is_title).or_else(|| first().next()).copied()
}

/// The heading of the content, and which parts of the page are about something else.
pub(super) struct Surroundings<'d> {
    /// The heading of the content.
    pub(super) heading: Option<Place<'d>>,
    /// The indexes of the heading and of its ancestors.
    around_heading: Vec<usize>,
    /// The text of the heading, for comparison.
    title: String,
    /// A cache by element index, because different bylines share ancestors.
    known: RefCell<HashMap<usize, bool>>,
}

impl<'d> Surroundings<'d> {
    pub(super) fn of(found: &Found<'d>) -> Surroundings<'d> {
        let heading = heading(found);
        let around = heading.into_iter().flat_map(|heading| {
            std::iter::once(heading.node).chain(heading.node.ancestors()).map(Node::index)
        });
        Surroundings {
            heading,
            around_heading: around.collect(),
            title: heading.map(|heading| plain(&text_of(heading.node))).unwrap_or_default(),
            known: RefCell::default(),
        }
    }

    /// Whether a node is in a part of the page that is about something else: navigation, comments, other pages.
    pub(super) fn is_elsewhere(&self, node: Node<'_>) -> bool {
        for around in node.ancestors().take(ANCESTORS_MAX) {
            // An ancestor of the content's heading is about the content, whatever its name.
            if self.around_heading.contains(&around.index()) {
                return false;
            }
            let known = self.known.borrow().get(&around.index()).copied();
            let is_other = known.unwrap_or_else(|| self.is_about_other(around));
            self.known.borrow_mut().insert(around.index(), is_other);
            if is_other {
                return true;
            }
        }
        false
    }

    fn is_about_other(&self, node: Node<'_>) -> bool {
        // Small `aside` elements are bylines.
        let is_aside = || node.tag() == Some(Tag::ASIDE) && short_text(node).is_none();
        let is_footer = || node.tag() == Some(Tag::FOOTER) && !is_in_article(node);
        let is_named = |attribute| {
            node.attribute(attribute).is_some_and(|names| is_name_of_other(&names, || is_in_article(node)))
        };
        node.tag() == Some(Tag::NAV)
            || is_footer()
            || is_aside()
            || self.is_teaser(node)
            || is_named("class")
            || is_named("id")
    }

    /// Whether an element presents another page: it is small, and its heading is a link. Headings with the title of this page, as in forum
    /// posts, and headings with an author's name do not link to another text.
    fn is_teaser(&self, node: Node<'_>) -> bool {
        let is_item = matches!(node.tag(), Some(Tag::ARTICLE | Tag::LI | Tag::DIV | Tag::SECTION));
        let inside = || node.descendants().take(TEASER_NODES + 1);
        if !is_item || inside().count() > TEASER_NODES {
            return false;
        }
        let is_heading = |node: &Node<'_>| matches!(node.tag(), Some(Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5));
        let is_title = |heading: Node<'_>| self.heading.is_some() && plain(&text_of(heading)) == self.title;
        let is_author = |link: Node<'_>| link.attribute("href").is_some_and(|href| is_author_page(&href));
        let mut linked = inside().filter(is_heading).filter_map(|heading| Some((heading, link_of(heading)?)));
        linked.any(|(heading, link)| !is_author(link) && !is_title(heading))
    }
}

/// Whether the names of an element indicate that it is about something else.
fn is_name_of_other(names: &str, is_in_article: impl Fn() -> bool) -> bool {
    const NAMES: [&str; 18] = [
        "comment",
        "kommentar",
        "comentario",
        "komentar",
        "kommentti",
        "disqus",
        "discussion",
        "replies",
        "related",
        "sidebar",
        "recommend",
        "popular",
        "teaser",
        "recent",
        "promo",
        "trending",
        "newsletter",
        "read-next",
    ];
    // Drupal marks content of the front page as promoted, even on the content's own page.
    let names = names.to_ascii_lowercase().replace("promoted", "");
    NAMES.iter().any(|name| names.contains(name)) || names.contains("footer") && !is_in_article()
}

/// Whether an element is in an article, whose footer has the author and the date.
fn is_in_article(node: Node<'_>) -> bool {
    node.ancestors().take(ANCESTORS_MAX).any(|around| around.tag() == Some(Tag::ARTICLE))
}

/// The link in or around a heading.
fn link_of(heading: Node<'_>) -> Option<Node<'_>> {
    let mut nodes = heading.descendants().take(8).chain(heading.ancestors().take(4));
    nodes.find(|node| node.tag() == Some(Tag::A))
}
