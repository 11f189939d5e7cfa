//! Finds authors and dates that are visible on the page: microdata, `<time>`, elements named after what they hold, and bylines near the heading.

use std::cell::OnceCell;

use super::collect::{Found, Marked, Place, attribute, lines_of, start_of_text, text_of};
use super::dateline;
use super::dates::{self, Order};
use super::han;
use super::line::{self, LINE_MAX};
use super::names;
use super::position::Surroundings;
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::regions::{Region, RegionKind, Sort};

/// Bytes of text before the heading in which bylines are looked for.
const BEFORE_HEADING: usize = 400;
/// Bytes of text after the heading in which bylines are looked for.
const AFTER_HEADING: usize = 1_500;
/// Maximum characters in an account name.
const ACCOUNT_MAX: usize = 40;
/// Maximum number of nodes in a byline.
const NODES_MAX: usize = 100;
/// Number of text nodes after the heading that are searched.
const TEXTS_MAX: usize = 60;

/// The microdata properties with the date of the last change.
const CHANGES: [&str; 2] = ["datemodified", "dateupdated"];

/// The elements and texts of a page that may hold an author or a date.
pub(super) struct Visible<'f, 'd> {
    order: Order,
    surroundings: Surroundings<'d>,
    /// The regions of the page: content that other pages of the site share.
    regions: &'f [Region],
    /// Elements that are marked as metadata.
    marked: &'f [Marked<'d>],
    /// Texts with a byline label.
    labelled: &'f [Place<'d>],
    /// Short texts near the heading.
    near_heading: OnceCell<Vec<(Node<'d>, String)>>,
}

/// The value that is searched for.
#[derive(Debug, Clone, Copy)]
enum Sought {
    /// Many pages of a site may share an author.
    Author,
    /// A date that many pages of a site share is the date of none of them.
    Date,
}

/// How likely a place is to hold the byline, judged by the regions of the page; the likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    /// A region with a byline.
    Byline,
    Content,
    /// A region with a menu, teasers, a footer or the like.
    Elsewhere,
}

impl<'f, 'd> Visible<'f, 'd> {
    pub(super) fn new(found: &'f Found<'d>, order: Order, regions: &'f [Region]) -> Visible<'f, 'd> {
        Visible {
            order,
            surroundings: Surroundings::of(found),
            regions,
            marked: &found.marked,
            labelled: &found.labelled,
            near_heading: OnceCell::new(),
        }
    }

    /// Whether an element is about the page, rather than in a part that is about something else.
    fn is_here(&self, marked: &Marked<'_>) -> bool {
        !self.surroundings.is_elsewhere(marked.place.node)
    }

    /// The author in microdata.
    pub(super) fn author_item(&self) -> Option<String> {
        let mut items =
            self.marked.iter().filter(|marked| has_word(&marked.property, "author") && self.is_here(marked));
        items.find_map(|marked| item_name(marked.place.node))
    }

    /// The author in an element named after its content: the first near the heading, or the only one of the page.
    pub(super) fn byline(&self) -> Option<String> {
        let tiers: [fn(&str) -> bool; 3] = [
            |words| {
                has_word(words, "author") || words.contains("author-name") || words.contains("author_name")
            },
            |words| {
                ["byline", "author", "written"].iter().any(|part| words.contains(part))
                    || has_word(words, "autor")
            },
            |words| words.contains("writer") || words.contains("username"),
        ];
        let names = |is_author: fn(&str) -> bool, is_near: bool| {
            let marked = self
                .marked
                .iter()
                .filter(move |marked| is_author(&marked.words) && (!is_near || self.is_near(marked)));
            let named = |marked: &Marked<'d>| name_in(marked.place.node).filter(|_| self.is_here(marked));
            marked.filter_map(move |marked| Some((marked.place.node, named(marked)?)))
        };
        let near = tiers.iter().find_map(|is_author| self.likeliest(Sought::Author, names(*is_author, true)));
        near.or_else(|| {
            let people = |is_author| names(is_author, false).filter(|(_, name)| names::is_person(name));
            tiers.iter().find_map(|is_author| self.only(Sought::Author, people(*is_author)))
        })
    }

    /// The author in a line such as `By Ann Lee` near the heading. The name may be in the next element.
    pub(super) fn by_line(&self) -> Option<String> {
        let texts = self.texts_near_heading();
        let next = texts.iter().skip(1).map(|(_, text)| Some(text.as_str())).chain([None]);
        let pairs =
            || texts.iter().zip(next.clone()).map(|((node, text), next)| (*node, text.as_str(), next));
        let labelled = pairs().filter_map(|(node, text, next)| {
            let name = Some(han::labelled(text)?).filter(|name| !name.is_empty());
            let next = || next.filter(|next| han::is_name(next)).map(str::to_owned);
            Some((node, name.or_else(next)?))
        });
        let in_line = || pairs().filter_map(|(node, text, _)| Some((node, labelled_name(text)?)));
        let reporters = || pairs().filter_map(|(node, text, _)| Some((node, han::reporters(text)?)));
        let prefixed = || pairs().filter_map(|(node, text, next)| Some((node, prefixed_name(text, next)?)));
        self.likeliest(Sought::Author, labelled)
            .or_else(|| self.likeliest(Sought::Author, in_line()))
            .or_else(|| self.likeliest(Sought::Author, reporters()))
            .or_else(|| self.likeliest(Sought::Author, prefixed()))
    }

    /// The author in the only line of the page that begins with `Written by` or the like.
    pub(super) fn labelled_author(&self) -> Option<String> {
        self.only(
            Sought::Author,
            self.labelled_lines().filter_map(|(node, line)| {
                let rest = names::without_prefix(&line);
                let name = names::shown(&rest).filter(|_| rest.len() < line.len());
                Some((node, name.filter(|name| names::is_person(name))?))
            }),
        )
    }

    /// The date in the only line of the page that begins with `Posted on` or the like.
    pub(super) fn labelled_date(&self) -> Option<String> {
        let lines = self.labelled_lines();
        self.only(
            Sought::Date,
            lines.filter_map(|(node, line)| Some((node, dateline::published(&line, self.order)?))),
        )
    }

    fn labelled_lines(&self) -> impl Iterator<Item = (Node<'d>, String)> {
        let here = self.labelled.iter().map(|place| place.node);
        let here = here.filter(|node| node.bytes().len() <= LINE_MAX && is_visible_text(*node));
        here.filter(|node| !self.surroundings.is_elsewhere(*node)).map(|node| (node, line_of(node)))
    }

    /// The publication date in microdata.
    pub(super) fn published_item(&self) -> Option<String> {
        self.item_date(&["datepublished", "datecreated", "uploaddate"])
    }

    /// The date of the last change in microdata.
    pub(super) fn modified_item(&self) -> Option<String> {
        self.item_date(&CHANGES)
    }

    fn item_date(&self, properties: &[&str]) -> Option<String> {
        self.marked.iter().find_map(|marked| {
            let is_wanted = properties.iter().any(|property| has_word(&marked.property, property));
            (is_wanted && self.is_here(marked)).then(|| self.date_in(marked.place.node))?
        })
    }

    /// The date in an element meant for dates: the first near the heading, or the only one of the page.
    pub(super) fn marked_date(&self) -> Option<String> {
        let tiers: [fn(&Marked<'_>) -> bool; 3] = [
            |marked| {
                marked.words.contains("publish")
                    || marked.words.contains("entry-date")
                    || marked.words.contains("posted")
                    || marked.words.contains("created")
            },
            |marked| marked.place.node.tag() == Some(Tag::TIME),
            |marked| marked.words.contains("date"),
        ];
        let dates = |is_date: fn(&Marked<'_>) -> bool, is_near: bool| {
            let marked = self
                .marked
                .iter()
                .filter(move |marked| is_date(marked) && (!is_near || self.is_near(marked)));
            let published = marked.filter(|marked| !is_change(marked));
            let dated =
                |marked: &Marked<'d>| self.date_in(marked.place.node).filter(|_| self.is_here(marked));
            published.filter_map(move |marked| Some((marked.place.node, dated(marked)?)))
        };
        let near = tiers.iter().find_map(|is_date| self.likeliest(Sought::Date, dates(*is_date, true)));
        near.or_else(|| self.only(Sought::Date, tiers.iter().flat_map(|is_date| dates(*is_date, false))))
    }

    /// The date of the last change, if the page shows one near the heading.
    pub(super) fn marked_change(&self) -> Option<String> {
        let mut near = self.marked.iter().filter(|marked| self.is_near(marked) && is_change(marked));
        let marked =
            near.find_map(|marked| self.change_in(marked.place.node).filter(|_| self.is_here(marked)));
        marked.or_else(|| {
            let texts = self.texts_near_heading().iter();
            texts.filter_map(|(_, text)| dateline::changed(text, self.order)).next()
        })
    }

    /// The date in the text near the heading.
    pub(super) fn date_near_heading(&self) -> Option<String> {
        let texts = self.texts_near_heading().iter().filter(|(node, text)| is_own_line(*node, text));
        self.likeliest(
            Sought::Date,
            texts.filter_map(|(node, text)| Some((*node, dateline::published(text, self.order)?))),
        )
    }

    /// The date of the last change in an element's attributes or in its text.
    fn change_in(&self, node: Node<'_>) -> Option<String> {
        let text = short_text(node).filter(|text| dateline::mentions_change(text));
        text.and_then(|text| dateline::changed(&text, self.order)).or_else(|| self.date_in(node))
    }

    /// The date in an element's attributes or in its text.
    fn date_in(&self, node: Node<'_>) -> Option<String> {
        let declared = attribute(node, &["datetime", "content", "data-datetime", "title"]);
        let declared = declared.and_then(|value| dates::find(&value, self.order));
        declared.or_else(|| {
            let text = short_text(node)?;
            let published = dateline::published_in_element(&text, self.order);
            published.or_else(|| dates::find(&text, self.order))
        })
    }

    /// Whether an element is near the heading of the content or, on a page without one, near the start.
    fn is_near(&self, marked: &Marked<'_>) -> bool {
        let at = marked.place.at;
        match self.surroundings.heading {
            Some(heading) => at + BEFORE_HEADING >= heading.at && at <= heading.at + AFTER_HEADING,
            None => at <= AFTER_HEADING,
        }
    }

    /// The first of the values in the likeliest place. What is in a part about something else is not about the page.
    fn likeliest<T>(&self, sought: Sought, values: impl Iterator<Item = (Node<'d>, T)>) -> Option<T> {
        let placed = values.map(|(node, value)| (self.likelihood(node, sought), value));
        let here = placed.filter(|(likelihood, _)| *likelihood < Likelihood::Elsewhere);
        here.min_by_key(|(likelihood, _)| *likelihood).map(|(_, value)| value)
    }

    /// The value in the likeliest places, if all of these agree.
    fn only<T: PartialEq>(&self, sought: Sought, values: impl Iterator<Item = (Node<'d>, T)>) -> Option<T> {
        let mut found: Option<(Likelihood, T, bool)> = None;
        for (node, value) in values {
            let likelihood = self.likelihood(node, sought);
            if likelihood == Likelihood::Elsewhere {
                continue;
            }
            found = match found {
                Some((best, first, _)) if best == likelihood && first != value => Some((best, first, false)),
                Some(better) if better.0 <= likelihood => Some(better),
                _ => Some((likelihood, value, true)),
            };
        }
        found.filter(|(_, _, is_only)| *is_only).map(|(_, value, _)| value)
    }

    /// The likelihood of a node's place, by the region that the node is in.
    fn likelihood(&self, node: Node<'d>, sought: Sought) -> Likelihood {
        let text = node.descendants().find(|node| is_visible_text(*node)).unwrap_or(node);
        let at = text.span().start;
        let before = self.regions.partition_point(|region| region.span.start <= at);
        match self.regions[..before].last().filter(|region| at < region.span.end) {
            Some(Region { kind: RegionKind::Repeated, .. }) if matches!(sought, Sought::Date) => {
                Likelihood::Elsewhere
            }
            Some(Region { sort: Sort::Byline, .. }) => Likelihood::Byline,
            Some(Region { sort: Sort::Unknown | Sort::Header | Sort::Tags, .. }) => Likelihood::Content,
            Some(_) => Likelihood::Elsewhere,
            None => Likelihood::Content,
        }
    }

    /// Short texts after the heading, and the text before it.
    fn texts_near_heading(&self) -> &[(Node<'d>, String)] {
        self.near_heading.get_or_init(|| self.find_texts_near_heading().collect())
    }

    fn find_texts_near_heading(&self) -> impl Iterator<Item = (Node<'d>, String)> {
        let after = self.surroundings.heading.into_iter().flat_map(|heading| following(heading.node));
        let texts = after.filter(|node| is_visible_text(*node)).take_while(|node| !begins_comments(*node));
        let mut left = AFTER_HEADING;
        let near = texts.take(TEXTS_MAX).take_while(move |node| {
            let is_near = left > 0;
            left = left.saturating_sub(node.bytes().trim_ascii().len());
            is_near
        });
        let short = near.filter(|node| node.bytes().len() <= LINE_MAX && line::of(*node).is_some());
        let lines = short.filter(|node| !self.surroundings.is_elsewhere(*node));
        let lines = lines.map(|node| (node, line_of(node)));
        let before = self.surroundings.heading.into_iter().flat_map(|heading| {
            let around = std::iter::once(heading.node).chain(heading.node.ancestors()).take(3);
            around.filter_map(before).filter_map(|node| Some((node, short_text(node)?)))
        });
        // A lone no-break space is empty once it is trimmed.
        let trimmed = before.chain(lines).map(|(node, text)| (node, text.trim().to_owned()));
        trimmed.filter(|(_, text)| !text.is_empty())
    }
}

/// The name in a line such as `By Ann Lee`, or in the line after `By`.
fn prefixed_name(text: &str, next: Option<&str>) -> Option<String> {
    let rest = names::without_prefix(text);
    let is_start =
        text.trim_end_matches(':').len() < 12 && names::without_prefix(&format!("{text} x")) == "x";
    let name = match (is_start, next) {
        (true, Some(next)) => names::shown(next),
        _ if rest.len() < text.len() && !is_start => names::shown(&rest),
        _ => None,
    };
    // An account name is one word, so the line must hold nothing else. After a mere `by`, most single words are no names.
    let is_bare = text.len() - rest.len() < 5 || is_start;
    let is_account = |name: &str| {
        !name.contains(' ')
            && text.split(' ').count() <= 3
            && rest.len() < text.len()
            && (!is_bare || is_unlike_words(name))
    };
    name.filter(|name| names::is_person(name) || is_account(name))
}

/// Whether a single word is written like the name of an account: with digits, signs or capitals in it.
fn is_unlike_words(name: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || c.is_uppercase() || "_-".contains(c);
    name.ends_with(char::is_alphanumeric) && name.chars().skip(1).any(is_sign)
}

/// The name after the label of an author, such as `Author:`, that may be in the middle of a line.
fn labelled_name(text: &str) -> Option<String> {
    let name = names::shown(names::after_label(text)?)?;
    is_name(&name).then_some(name)
}

/// Whether a text is a line of its own, rather than a part of a sentence or of a link to something else.
fn is_own_line(node: Node<'_>, text: &str) -> bool {
    let link = node.ancestors().take(4).find(|around| around.tag() == Some(Tag::A));
    let is_linked = link.is_some_and(|link| !dateline::is_only_date(&text_of(link)));
    let is_sentence = || {
        line::of(node).is_some_and(|line| line.ends_with(['.', '?', '!', '。']) && line.len() > text.len())
    };
    !is_linked && !is_sentence()
}

/// Whether a text is a heading of readers' comments.
fn begins_comments(node: Node<'_>) -> bool {
    const WORDS: [&str; 9] = [
        "comment",
        "kommentar",
        "comentario",
        "comentário",
        "commenti",
        "комментари",
        "коментар",
        "komentar",
        "评论",
    ];
    let is_heading =
        |node: &Node<'_>| matches!(node.tag(), Some(Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6));
    let lower = || node.text().to_lowercase();
    node.bytes().len() <= LINE_MAX
        && node.ancestors().take(3).any(|around| is_heading(&around))
        && WORDS.iter().any(|word| lower().contains(word))
}

/// The name in an element that is named after an author: the names in its links, or the first of its lines that is a name.
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
        .or_else(|| links.into_iter().find(|name| is_name(name)))
}

/// Whether a text is the name of a person or of an account.
fn is_name(text: &str) -> bool {
    names::is_person(text) || (!text.contains(' ') && text.chars().count() <= ACCOUNT_MAX)
}

/// Whether a node is visible text and not only white space.
fn is_visible_text(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Text
        && !node.bytes().trim_ascii().is_empty()
        && !node.parent().is_some_and(crate::render::is_hidden)
}

/// All nodes after this one's descendants, in document order.
fn following(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(node.next_outside(), |node| node.first_child().or_else(|| node.next_outside()))
}

/// The closest preceding sibling that is not white space.
fn before(node: Node<'_>) -> Option<Node<'_>> {
    let mut siblings = std::iter::successors(node.previous_sibling(), |node| node.previous_sibling());
    siblings.find(|node| node.kind() == NodeKind::Element || !node.bytes().trim_ascii().is_empty())
}

/// The text of a node together with the adjacent words: `By <a>Ann</a>` is one line.
fn line_of(node: Node<'_>) -> String {
    let text = node.text();
    let is_start = text.trim().len() < 12;
    let around = node.parent().filter(|_| is_start).map(text_of).filter(|line| line.len() <= LINE_MAX);
    around.unwrap_or_else(|| super::collect::one_line(&text))
}

/// The name in a microdata element: that of its item, or its text.
fn item_name(node: Node<'_>) -> Option<String> {
    let inner = node.descendants().skip(1).take(200);
    let name = inner
        .filter(|inner| inner.attribute("itemprop").is_some_and(|property| has_word(&property, "name")))
        .find_map(value_of);
    name.or_else(|| value_of(node)).and_then(|text| names::shown(&text))
}

/// The value of a microdata element.
fn value_of(node: Node<'_>) -> Option<String> {
    attribute(node, &["content"]).or_else(|| short_text(node))
}

/// The text of an element, if it is not empty and short.
pub(super) fn short_text(node: Node<'_>) -> Option<String> {
    Some(start_of_text(node)).filter(|text| !text.is_empty() && text.len() <= LINE_MAX)
}

/// Whether an attribute value contains a word.
pub(super) fn has_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word))
}

/// Whether an element shows the date of the last change rather than the publication date.
fn is_change(marked: &Marked<'_>) -> bool {
    let node = marked.place.node;
    let own = short_text(node).filter(|text| dateline::mentions_change(text));
    ["updated", "modified", "comment"].iter().any(|part| marked.words.contains(part))
        || CHANGES.iter().any(|property| has_word(&marked.property, property))
        || match own {
            Some(text) => dateline::published_in_element(&text, Order::DayFirst).is_none(),
            None => is_labelled_change(node),
        }
}

/// Whether the text around an element that holds only a date says that the date is of a change: `Updated: <time>`.
fn is_labelled_change(node: Node<'_>) -> bool {
    let before = line::before(node).filter(|text| text.len() <= LINE_MAX);
    let label = before.and_then(|text| dateline::last_label_is_change(&text));
    label.unwrap_or_else(|| {
        let around = node.parent().filter(|_| node.tag() == Some(Tag::TIME)).and_then(short_text);
        around.is_some_and(|text| dateline::mentions_only_change(&text))
    })
}
