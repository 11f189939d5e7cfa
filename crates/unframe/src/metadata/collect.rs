//! Collects possible sources of metadata in one walk over the tree.

use std::borrow::Cow;

use super::dates::Order;
use crate::html::source::SourceMemory;
use crate::html::tag::{Namespace, Tag};
use crate::html::tokenizer::TextKind;
use crate::html::{Document, Node, NodeKind, Span};
use crate::limits::{METADATA_ITEMS_MAX, METADATA_TEXT_MAX};
use crate::text::is_white;

/// The collected sources, in the order of the page; at most [`METADATA_ITEMS_MAX`] of each kind.
#[derive(Debug, Default)]
pub(super) struct Found<'d> {
    /// The language of the element `html`.
    pub(super) language: Option<String>,
    /// The element `base`.
    pub(super) base: Option<String>,
    /// The title of the page.
    pub(super) title: Option<Node<'d>>,
    /// Every `h1`, `h2` and `h3`.
    pub(super) headings: Vec<Place<'d>>,
    /// `meta` elements as (lower-case name, value).
    pub(super) metas: Vec<(String, String)>,
    /// `link` and `a` elements as (lower-case `rel`, address).
    pub(super) links: Vec<(String, String)>,
    /// Scripts with JSON-LD.
    pub(super) scripts: Vec<Node<'d>>,
    /// Elements with `itemprop`, and elements whose class, id or `rel` may name an author or a date.
    pub(super) marked: Vec<Marked<'d>>,
    /// Texts with a byline label: `Posted on`, `Published`, `Written by`.
    pub(super) labelled: Vec<Place<'d>>,
    /// The type of the first microdata item that is not a part of the page.
    pub(super) item_type: Option<String>,
    /// The addresses of linked licences.
    pub(super) licenses: Vec<String>,
    /// The order of day and month in short texts of the page.
    pub(super) order: Option<Order>,
    /// The id and the classes of `body`, in lower case.
    pub(super) body: String,
    /// Bytes of text in the whole page.
    pub(super) text_len: usize,
}

/// A node, and the number of bytes of text before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'d> {
    pub(super) node: Node<'d>,
    pub(super) at: usize,
}

/// An element that is marked as metadata.
#[derive(Debug, Clone)]
pub(super) struct Marked<'d> {
    pub(super) place: Place<'d>,
    /// `itemprop` in lower case.
    pub(super) property: String,
    /// Class, id, `rel` and the like in lower case, each word between spaces.
    pub(super) words: String,
}

impl<'d> Found<'d> {
    /// Collects the sources in one walk over the tree.
    pub(super) fn of(document: &'d Document<'d>) -> Found<'d> {
        let mut found = Found::default();
        for node in document.descendants() {
            match node.kind() {
                NodeKind::Text => found.text(node),
                NodeKind::Element if node.namespace() == Namespace::Html => found.element(node),
                _ => {}
            }
        }
        found
    }

    /// The value of the first of these names that has one.
    pub(super) fn meta(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.metas(name).next())
    }

    /// All values of a name.
    pub(super) fn metas<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> {
        self.metas.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The address of the first link that has this word in its `rel`.
    pub(super) fn link(&self, rel: &str) -> Option<&str> {
        let found = self.links.iter().find(|(found, _)| found.split(is_white).any(|word| word == rel));
        found.map(|(_, address)| address.as_str())
    }

    fn text(&mut self, node: Node<'d>) {
        let parent = node.parent().and_then(Node::tag);
        if !parent.is_some_and(|tag| matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::NOSCRIPT)) {
            let text = node.bytes().trim_ascii();
            if is_label(text) {
                push(&mut self.labelled, Place { node, at: self.text_len });
            }
            self.add_order(text);
            self.text_len += text.len();
        }
    }

    /// Dates that cannot be read in two ways show the order of the others. Dates in both orders show none.
    fn add_order(&mut self, text: &[u8]) {
        let may_be_date = text.len() <= ORDER_TEXT_MAX
            && text.iter().filter(|byte| matches!(byte, b'/' | b'-')).nth(1).is_some()
            && text.iter().any(u8::is_ascii_digit);
        if !may_be_date {
            return;
        }
        let order = std::str::from_utf8(text).map_or(Order::Unknown, Order::of_text);
        if order != Order::Unknown {
            let is_new = self.order.is_none_or(|known| known == order);
            self.order = Some(if is_new { order } else { Order::Unknown });
        }
    }

    fn element(&mut self, node: Node<'d>) {
        match node.tag() {
            Some(Tag::BODY) if self.body.is_empty() => self.body = names_of(node),
            Some(Tag::HTML) => {
                self.language = self.language.take().or_else(|| attribute(node, &["lang", "xml:lang"]))
            }
            Some(Tag::BASE) => self.base = self.base.take().or_else(|| attribute(node, &["href"])),
            Some(Tag::TITLE) => self.title = self.title.or(Some(node)),
            Some(Tag::META) => self.add_meta(node),
            Some(Tag::SCRIPT) => self.add_script(node),
            Some(Tag::H1 | Tag::H2 | Tag::H3) => push(&mut self.headings, Place { node, at: self.text_len }),
            Some(Tag::LINK | Tag::A) => self.add_link(node),
            _ => {}
        }
        self.add_marked(node);
    }

    fn add_meta(&mut self, node: Node<'d>) {
        let name = attribute(node, &["property", "name", "itemprop", "http-equiv"]);
        if let (Some(name), Some(value)) = (name, attribute(node, &["content"])) {
            push(&mut self.metas, (name.to_lowercase(), value));
        }
    }

    fn add_script(&mut self, node: Node<'d>) {
        let kind = node.attribute("type").unwrap_or_default();
        if kind.trim().to_ascii_lowercase().starts_with("application/ld+json") {
            push(&mut self.scripts, node);
        }
    }

    fn add_link(&mut self, node: Node<'d>) {
        let Some(address) = node.attribute("href") else { return };
        let is_license = ["creativecommons.org/licenses/", "creativecommons.org/publicdomain/"];
        if is_license.iter().any(|part| address.contains(part)) {
            push(&mut self.licenses, one_line(&address));
        }
        if let Some(rel) = node.attribute("rel") {
            push(&mut self.links, (rel.to_ascii_lowercase(), one_line(&address)));
        }
    }

    fn add_marked(&mut self, node: Node<'d>) {
        let mut marked = Marked {
            place: Place { node, at: self.text_len },
            property: String::new(),
            words: String::new(),
        };
        // Names are as written in the page, `CLASS` or `class`. No relevant name is longer than the buffer.
        let mut memory = [0; 12];
        for (name, value) in node.lazy_attributes() {
            let Some(name) = lower_case(name, &mut memory) else { continue };
            match name {
                b"itemprop" => marked.property = value.text().to_ascii_lowercase(),
                // Sites keep the pages of their authors in a folder of their own.
                b"href" if node.tag() == Some(Tag::A) && is_author_page(&value.text()) => {
                    marked.words.push_str(" author")
                }
                b"itemtype" if self.item_type.is_none() => {
                    self.item_type = Some(one_line(&value.text())).filter(|name| !is_page_part(name))
                }
                b"class" | b"id" | b"rel" | b"data-testid" | b"data-role" | b"data-type" | b"name" => {
                    let value = value.text();
                    if may_name_author_or_date(&value) {
                        let value = value.to_ascii_lowercase();
                        for word in value.split_ascii_whitespace().filter(|word| !is_authority(word)) {
                            marked.words.push(' ');
                            marked.words.push_str(word);
                        }
                    }
                }
                _ => {}
            }
        }
        let is_time = node.tag() == Some(Tag::TIME);
        if is_time || !marked.property.is_empty() || !marked.words.is_empty() {
            push(&mut self.marked, marked);
        }
    }
}

/// The id and the classes of an element in lower case, each word between spaces.
fn names_of(node: Node<'_>) -> String {
    let names = [attribute(node, &["id"]), attribute(node, &["class"])];
    let names: Vec<String> = names.into_iter().flatten().map(|name| name.to_ascii_lowercase()).collect();
    format!(" {} ", names.join(" "))
}

/// Whether a text begins with a byline label.
fn is_label(text: &[u8]) -> bool {
    let labels: [&[u8]; 4] = [b"posted on", b"posted by", b"published", b"written by"];
    labels.iter().any(|label| text.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label)))
}

/// A short name in lower case; `None` if it does not fit into `memory`.
fn lower_case<'m>(name: &[u8], memory: &'m mut [u8]) -> Option<&'m [u8]> {
    let lower = memory.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    Some(lower)
}

/// Whether class names and similar attributes may name an author or a date. This runs for nearly every element, so a check of one byte
/// rules out most positions.
fn may_name_author_or_date(words: &str) -> bool {
    let words = words.as_bytes();
    (0..words.len()).any(|at| {
        let parts: &[&[u8]] = match words[at].to_ascii_lowercase() {
            b'a' => &[b"author", b"autor"],
            b'b' => &[b"byline"],
            b'c' => &[b"created"],
            b'd' => &[b"date"],
            b'p' => &[b"publish", b"posted"],
            b't' => &[b"time"],
            b'u' => &[b"user"],
            b'w' => &[b"written", b"writer"],
            _ => return false,
        };
        let is_here =
            |part: &&[u8]| words[at..].get(..part.len()).is_some_and(|here| here.eq_ignore_ascii_case(part));
        parts.iter().any(is_here)
    })
}

/// Whether a lower-case word is about authority rather than authors, or about authors and titles alike.
fn is_authority(word: &str) -> bool {
    ["authoris", "authorit", "authoriz"].iter().any(|part| word.contains(part))
        || word.contains("author") && word.contains("title")
}

/// Whether an item type is a part of a page, such as `https://schema.org/WPHeader`.
fn is_page_part(item_type: &str) -> bool {
    const PARTS: [&str; 6] =
        ["SiteNavigationElement", "WPAdBlock", "WPFooter", "WPHeader", "WPSideBar", "WebPageElement"];
    PARTS.iter().any(|part| item_type.ends_with(part))
}

/// Whether an address is that of an author's page.
pub(super) fn is_author_page(address: &str) -> bool {
    ["/author/", "/authors/", "/contributor/", "/contributors/", "/writers/"]
        .iter()
        .any(|part| address.contains(part))
}

fn push<T>(values: &mut Vec<T>, value: T) {
    if values.len() < METADATA_ITEMS_MAX {
        values.push(value);
    }
}

/// The value of the first of these attributes that has one.
pub(super) fn attribute(node: Node<'_>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| node.attribute(name).map(|value| one_line(&value)).filter(|value| !value.is_empty()))
}

/// A text in one line, white space collapsed, truncated to [`METADATA_TEXT_MAX`] characters.
pub(super) fn one_line(text: &str) -> String {
    let text = &*unescaped(text);
    let mut line = String::new();
    let words = text.split(|c: char| is_white(c) || c.is_control()).filter(|word| !word.is_empty());
    for word in words {
        if line.len() > 4 * METADATA_TEXT_MAX {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if let Some((end, _)) = line.char_indices().nth(METADATA_TEXT_MAX) {
        line.truncate(end);
    }
    line
}

/// Decodes text that was escaped twice, as names in JSON-LD and in attributes often are: `Tom &amp; Ann`.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut memory = SourceMemory::default();
    let source = memory.open(text.as_bytes(), encoding_rs::UTF_8);
    Cow::Owned(source.text(Span::new(0, source.bytes().len()), TextKind::Replaced).into_owned())
}

/// The visible text of a node in one line, with words of different elements separated.
pub(super) fn text_of(node: Node<'_>) -> String {
    one_line(&raw_text(node, TEXT_BYTES))
}

/// Like [`text_of`], but only the beginning of a long text, which is longer than any byline.
pub(super) fn start_of_text(node: Node<'_>) -> String {
    one_line(&raw_text(node, START_BYTES))
}

/// The lines of the visible text of a node, as a browser would break them.
pub(super) fn lines_of(node: Node<'_>) -> Vec<String> {
    raw_text(node, START_BYTES).split(LINE_END).map(one_line).filter(|line| !line.is_empty()).collect()
}

/// Bytes of text, including white space, that are read from an element.
const TEXT_BYTES: usize = 4 * METADATA_TEXT_MAX;
/// Bytes of text that are read to decide whether the text of an element is short.
const START_BYTES: usize = 1_000;

/// Maximum bytes of a text whose dates show the order of day and month.
const ORDER_TEXT_MAX: usize = 80;

/// Separates blocks; [`one_line`] turns it into a space.
const LINE_END: char = '\u{b}';

fn raw_text(node: Node<'_>, bytes_max: usize) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        if text.len() > bytes_max {
            break;
        }
        // A block ends where its sibling begins.
        if inner.index() != node.index() {
            text.extend(inner.previous_sibling().and_then(Node::tag).and_then(separator));
        }
        match inner.kind() {
            NodeKind::Text => {
                let parent = inner.parent().and_then(Node::tag);
                if !parent.is_some_and(|tag| matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::NOSCRIPT)) {
                    text.push_str(&inner.text());
                }
            }
            NodeKind::Element => text.extend(inner.tag().and_then(separator)),
            _ => {}
        }
    }
    text
}

/// The separator between the words before an element and the words in it.
fn separator(tag: Tag) -> Option<char> {
    match tag {
        Tag::A | Tag::SPAN | Tag::IMG => Some(' '),
        Tag::BR | Tag::TD => Some(LINE_END),
        tag => crate::text::content::is_block(tag).then_some(LINE_END),
    }
}
