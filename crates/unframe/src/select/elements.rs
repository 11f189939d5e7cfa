//! The elements of a page, as needed for matching selectors.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::html::tag::{Namespace, Tag};
use crate::html::{Document, Node, NodeKind, Span};

/// All elements of a page in document order: parents come before their children.
pub(super) struct Elements<'d> {
    pub(super) all: Vec<Element<'d>>,
    /// The visible texts, each with the index of its element.
    pub(super) texts: Vec<(usize, Node<'d>)>,
}

pub(super) struct Element<'d> {
    pub(super) parent: Option<usize>,
    pub(super) name: Cow<'d, str>,
    pub(super) is_foreign: bool,
    pub(super) id: Option<Cow<'d, str>>,
    /// The classes, without duplicates.
    pub(super) classes: Vec<String>,
    /// Total bytes of the name, the id and the classes.
    pub(super) names_len: usize,
    /// The position among the siblings of the same name, from 1.
    pub(super) nth_of_type: u32,
    /// Whether it has siblings of the same name.
    pub(super) has_twins: bool,
    pub(super) span: Span,
    /// Whether it has a meaning without any text in it, like an image.
    pub(super) is_object: bool,
    /// Whether it is invisible to readers.
    pub(super) is_hidden: bool,
}

impl<'d> Elements<'d> {
    pub(super) fn of(document: &'d Document<'d>) -> Elements<'d> {
        let mut page = Elements { all: Vec::new(), texts: Vec::new() };
        let mut numbers: Vec<Option<usize>> = vec![None; document.node_count()];
        // The last sibling of each name, by parent.
        let mut twins: HashMap<(Option<usize>, bool, Cow<'d, str>), usize> = HashMap::new();
        for node in document.descendants() {
            let parent = node.parent().and_then(|parent| numbers[parent.index()]);
            match node.kind() {
                NodeKind::Element => {
                    let element = Element::of(node, parent, &page);
                    numbers[node.index()] = Some(page.all.len());
                    page.push(element, &mut twins);
                }
                NodeKind::Text => {
                    let holder = parent.filter(|parent| !page.all[*parent].is_hidden);
                    page.texts.extend(holder.map(|holder| (holder, node)));
                }
                NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => {}
            }
        }
        page
    }

    fn push(
        &mut self,
        mut element: Element<'d>,
        twins: &mut HashMap<(Option<usize>, bool, Cow<'d, str>), usize>,
    ) {
        let kind = (element.parent, element.is_foreign, element.name.clone());
        if let Some(twin) = twins.insert(kind, self.all.len()) {
            self.all[twin].has_twins = true;
            element.has_twins = true;
            element.nth_of_type = self.all[twin].nth_of_type + 1;
        }
        self.all.push(element);
    }

    /// The parent, the grandparent, and so on, of an element.
    pub(super) fn ancestors(&self, element: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.all[element].parent, |at| self.all[*at].parent)
    }
}

impl<'d> Element<'d> {
    fn of(node: Node<'d>, parent: Option<usize>, page: &Elements<'d>) -> Element<'d> {
        let classes = distinct_words(&node.attribute("class").unwrap_or_default());
        let id = node.attribute("id").filter(|id| !id.is_empty());
        let name = node.name();
        let classes_len: usize = classes.iter().map(String::len).sum();
        let tag = node.tag();
        Element {
            parent,
            names_len: name.len() + id.as_ref().map_or(0, |id| id.len()) + classes_len,
            name,
            is_foreign: node.namespace() != Namespace::Html,
            id,
            classes,
            nth_of_type: 1,
            has_twins: false,
            span: node.span(),
            is_object: tag.is_some_and(is_object),
            is_hidden: tag.is_some_and(is_hidden) || parent.is_some_and(|parent| page.all[parent].is_hidden),
        }
    }
}

impl Element<'_> {
    /// Whether the element has an id or a class.
    pub(super) fn is_named(&self) -> bool {
        self.id.is_some() || !self.classes.is_empty()
    }

    /// Whether browsers insert the element if the page lacks it, whereas libxml2 (lxml, Scrapy) does not.
    pub(super) fn may_be_implied(&self) -> bool {
        self.name == "tbody" && !self.is_foreign && !self.is_named()
    }
}

/// The words of a text without duplicates: a class that is repeated a million times must not be compared a million times.
fn distinct_words(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    text.split_ascii_whitespace().filter(|word| seen.insert(*word)).map(str::to_owned).collect()
}

fn is_object(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::IMG | Tag::SVG | Tag::VIDEO | Tag::AUDIO | Tag::CANVAS | Tag::EMBED | Tag::OBJECT | Tag::INPUT
    ) || matches!(tag, Tag::SELECT | Tag::TEXTAREA | Tag::BUTTON | Tag::MATH | Tag::IFRAME | Tag::FRAME)
}

fn is_hidden(tag: Tag) -> bool {
    matches!(tag, Tag::HEAD | Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::META | Tag::LINK | Tag::BASE)
        || matches!(tag, Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES | Tag::TEMPLATE)
}
