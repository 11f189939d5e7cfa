//! Authors and dates that a page shows: microdata, `<time>`, elements named after what they hold, and bylines near the heading.

use super::collect::{Found, Marked, Place, attribute, lines_of, text_of};
use super::dates::{self, Order};
use super::names;
use super::title::plain;
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};

/// Bytes of text before the heading in which bylines are looked for.
const BEFORE_HEADING: usize = 400;
/// Bytes of text after the heading in which bylines are looked for.
const AFTER_HEADING: usize = 1_500;
/// Ancestors of an element that say where on the page it is.
const ANCESTORS_MAX: usize = 24;
/// Bytes of the text of a byline or a date.
const LINE_MAX: usize = 160;
/// Nodes of an element that presents another page.
const TEASER_NODES: usize = 120;
/// Nodes of a byline.
const NODES_MAX: usize = 100;
/// Text nodes after the heading that are looked at.
const TEXTS_MAX: usize = 60;

/// Headings that are compared with the title.
const HEADINGS_MAX: usize = 40;

/// Where things are on a page.
pub(super) struct Visible<'f, 'd> {
    order: Order,
    /// The heading of the content.
    heading: Option<Place<'d>>,
    /// What is marked, without what belongs to other pages or parts of the page.
    marked: Vec<&'f Marked<'d>>,
}

impl<'f, 'd> Visible<'f, 'd> {
    pub(super) fn new(found: &'f Found<'d>, order: Order) -> Visible<'f, 'd> {
        let heading = heading(found);
        let marked = found.marked.iter().filter(|marked| !is_elsewhere(marked.place.node, heading)).collect();
        Visible { order, heading, marked }
    }

    /// The author in microdata.
    pub(super) fn author_item(&self) -> Option<String> {
        let mut items = self.marked.iter().filter(|marked| has_word(&marked.property, "author"));
        items.find_map(|marked| item_name(marked.place.node))
    }

    /// The author in an element that is named after it: the first near the heading, or the only one of the page.
    pub(super) fn byline(&self) -> Option<String> {
        let tiers: [fn(&str) -> bool; 3] = [
            |words| {
                has_word(words, "author") || words.contains("author-name") || words.contains("author_name")
            },
            |words| words.contains("byline") || words.contains("author") || words.contains("written"),
            |words| words.contains("writer") || words.contains("username"),
        ];
        let names = |is_author: fn(&str) -> bool, is_near: bool| {
            let marked = self
                .marked
                .iter()
                .filter(move |marked| is_author(&marked.words) && (!is_near || self.is_near(marked)));
            marked.filter_map(|marked| name_in(marked.place.node))
        };
        let near = tiers.iter().find_map(|is_author| names(*is_author, true).next());
        near.or_else(|| {
            tiers
                .iter()
                .find_map(|is_author| only(names(*is_author, false).filter(|name| names::is_person(name))))
        })
    }

    /// A line such as `By Ann Lee` near the heading; the name may be in the next element.
    pub(super) fn by_line(&self) -> Option<String> {
        let texts: Vec<String> = self.texts_near_heading().collect();
        texts.iter().zip(texts.iter().skip(1).map(Some).chain([None])).find_map(|(text, next)| {
            let rest = names::without_prefix(text);
            let is_start =
                text.trim_end_matches(':').len() < 12 && names::without_prefix(&format!("{text} x")) == "x";
            let name = match (is_start, next) {
                (true, Some(next)) => names::shown(next),
                _ if rest.len() < text.len() && !is_start => names::shown(&rest),
                _ => None,
            };
            // An account is one word, so the line must be about it alone.
            let is_account =
                |name: &str| !name.contains(' ') && text.split(' ').count() <= 3 && rest.len() < text.len();
            name.filter(|name| names::is_person(name) || is_account(name))
        })
    }

    /// The date of publication in microdata.
    pub(super) fn published_item(&self) -> Option<String> {
        self.item_date(&["datepublished", "datecreated", "uploaddate"])
    }

    /// The date of the last change in microdata.
    pub(super) fn modified_item(&self) -> Option<String> {
        self.item_date(&["datemodified", "dateupdated"])
    }

    fn item_date(&self, properties: &[&str]) -> Option<String> {
        self.marked.iter().find_map(|marked| {
            let is_wanted = properties.iter().any(|property| has_word(&marked.property, property));
            is_wanted.then(|| self.date_in(marked.place.node))?
        })
    }

    /// The date in an element that is made for dates: the first near the heading, or the only one of the page.
    pub(super) fn marked_date(&self) -> Option<String> {
        let tiers: [fn(&Marked<'_>) -> bool; 3] = [
            |marked| {
                marked.words.contains("publish")
                    || marked.words.contains("entry-date")
                    || marked.words.contains("posted")
                    || marked.words.contains("created")
            },
            |marked| &*marked.place.node.name() == "time",
            |marked| marked.words.contains("date"),
        ];
        let dates = |is_date: fn(&Marked<'_>) -> bool, is_near: bool| {
            let marked = self
                .marked
                .iter()
                .filter(move |marked| is_date(marked) && (!is_near || self.is_near(marked)));
            marked.filter(|marked| !is_change(marked)).filter_map(|marked| self.date_in(marked.place.node))
        };
        let near = tiers.iter().find_map(|is_date| dates(*is_date, true).next());
        near.or_else(|| only(tiers.iter().flat_map(|is_date| dates(*is_date, false))))
    }

    /// The date of the last change, where the page shows it as such near the heading.
    pub(super) fn marked_change(&self) -> Option<String> {
        let mut near = self.marked.iter().filter(|marked| self.is_near(marked) && is_change(marked));
        let marked = near.find_map(|marked| self.date_in(marked.place.node));
        marked.or_else(|| {
            self.texts_near_heading()
                .filter(|text| is_change_text(text))
                .find_map(|text| dates::find(&text, self.order))
        })
    }

    /// A date in the text near the heading.
    pub(super) fn date_near_heading(&self) -> Option<String> {
        self.texts_near_heading()
            .filter(|text| !is_change_text(text))
            .find_map(|text| dates::find(&text, self.order))
    }

    /// The date in an element: its attribute, or its text.
    fn date_in(&self, node: Node<'_>) -> Option<String> {
        let declared = attribute(node, &["datetime", "content", "data-datetime", "title"]);
        let declared = declared.and_then(|value| dates::find(&value, self.order));
        declared.or_else(|| dates::find(&short_text(node)?, self.order))
    }

    /// Whether an element is near the heading of the content, or near the start of a page without one.
    fn is_near(&self, marked: &Marked<'_>) -> bool {
        let at = marked.place.at;
        match self.heading {
            Some(heading) => at + BEFORE_HEADING >= heading.at && at <= heading.at + AFTER_HEADING,
            None => at <= AFTER_HEADING,
        }
    }

    /// Short texts after the heading, and the one before it.
    fn texts_near_heading(&self) -> impl Iterator<Item = String> {
        let after = self.heading.into_iter().flat_map(|heading| following(heading.node));
        let texts =
            after.filter(|node| node.kind() == NodeKind::Text && !node.text_bytes().trim_ascii().is_empty());
        let texts = texts.take(TEXTS_MAX).filter(|node| node.text_bytes().len() <= LINE_MAX);
        let lines = texts.filter(|node| !is_elsewhere(*node, self.heading)).map(line_of);
        let before = self.heading.into_iter().flat_map(|heading| {
            let around = std::iter::once(heading.node).chain(heading.node.ancestors()).take(3);
            around.filter_map(before).filter_map(short_text)
        });
        before.chain(lines)
    }
}

/// The heading of the content: the first that the title repeats, else the first of the highest level.
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
    let headings = || found.headings.iter().take(HEADINGS_MAX);
    headings().find(is_title).or_else(|| headings().find(is_first)).copied()
}

/// The one value that several places agree on.
fn only(mut values: impl Iterator<Item = String>) -> Option<String> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// The name in an element that is named after an author: of its links, or the first of its lines that is one.
fn name_in(node: Node<'_>) -> Option<String> {
    let whole = short_text(node)?;
    let links = node.descendants().skip(1).take(NODES_MAX).filter(|inner| inner.tag() == Some(Tag::A));
    let links: Vec<String> = links.filter_map(|link| names::shown(&text_of(link))).collect();
    let people = links.iter().filter(|name| names::is_person(name)).take(4);
    let linked = names::joined(people.cloned());
    let lines =
        || lines_of(node).into_iter().filter_map(|line| names::shown(&line)).find(|name| is_name(name));
    linked
        .or_else(lines)
        .or_else(|| names::shown(&whole).filter(|name| is_name(name)))
        .or_else(|| links.into_iter().next())
}

/// Whether a text is the name of a person or of an account.
fn is_name(text: &str) -> bool {
    names::is_person(text) || !text.contains(' ')
}

/// All nodes behind this one, in the order of the page.
fn following(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(after(node), |node| node.first_child().or_else(|| after(*node)))
}

/// The element or text before this one that is not white space.
fn before(node: Node<'_>) -> Option<Node<'_>> {
    let mut siblings = std::iter::successors(node.previous_sibling(), |node| node.previous_sibling());
    siblings.find(|node| node.kind() == NodeKind::Element || !node.text_bytes().trim_ascii().is_empty())
}

/// The node behind this one and all that is inside of it.
fn after(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::once(node).chain(node.ancestors()).find_map(|node| node.next_sibling())
}

/// A text node with the words beside it: `By <a>Ann</a>` is one line.
fn line_of(node: Node<'_>) -> String {
    let text = node.text();
    let is_start = text.trim().len() < 12;
    let around = node.parent().filter(|_| is_start).map(text_of).filter(|line| line.len() <= LINE_MAX);
    around.unwrap_or_else(|| super::collect::one_line(&text))
}

/// The name in an element of microdata: that of its item, or its text.
fn item_name(node: Node<'_>) -> Option<String> {
    let inner = node.descendants().skip(1).take(200);
    let name = inner
        .filter(|inner| inner.attribute("itemprop").is_some_and(|property| has_word(&property, "name")))
        .find_map(value_of);
    name.or_else(|| value_of(node)).and_then(|text| names::shown(&text))
}

/// What an element of microdata says.
fn value_of(node: Node<'_>) -> Option<String> {
    attribute(node, &["content"]).or_else(|| short_text(node))
}

/// The text of an element that has little of it.
fn short_text(node: Node<'_>) -> Option<String> {
    Some(text_of(node)).filter(|text| !text.is_empty() && text.len() <= LINE_MAX)
}

/// Whether one of the words of an attribute is `word`.
pub(super) fn has_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
}

/// Whether an element shows when the page was changed rather than published.
fn is_change(marked: &Marked<'_>) -> bool {
    ["updated", "modified", "comment"].iter().any(|part| marked.words.contains(part))
        || short_text(marked.place.node).is_some_and(|text| is_change_text(&text))
}

fn is_change_text(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_change =
        ["updated", "modified", "edited", "revised", "reviewed"].iter().any(|word| lower.contains(word));
    is_change && !lower.contains("publish") && !lower.contains("posted")
}

/// Whether a node is in a part of the page that is not about the page: navigation, comments, other pages.
fn is_elsewhere(node: Node<'_>, heading: Option<Place<'_>>) -> bool {
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
        if matches!(around.tag(), Some(Tag::NAV | Tag::FOOTER)) || is_aside() || is_teaser(around) {
            return true;
        }
        let is_named = |name: &str| {
            around.attribute(name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                NAMES.iter().any(|name| value.contains(name))
            })
        };
        if is_named("class") || is_named("id") {
            return true;
        }
    }
    false
}

/// Whether an element presents another page: it is small, and its heading is a link.
fn is_teaser(node: Node<'_>) -> bool {
    let is_item = matches!(node.tag(), Some(Tag::ARTICLE | Tag::LI | Tag::DIV | Tag::SECTION));
    let inside = || node.descendants().take(TEASER_NODES + 1);
    if !is_item || inside().count() > TEASER_NODES {
        return false;
    }
    let is_heading = |node: &Node<'_>| matches!(node.tag(), Some(Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5));
    let is_link = |node: Node<'_>| node.tag() == Some(Tag::A);
    inside()
        .filter(is_heading)
        .any(|heading| heading.descendants().take(8).any(is_link) || heading.ancestors().take(4).any(is_link))
}
