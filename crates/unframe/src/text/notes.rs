//! Footnotes: the references in the text, the notes at its end, and the links from the notes back to the references.
//!
//! A note is found if a short link leads to an element in a list of notes, and if both are content. All else remains a link.

use std::collections::{BTreeMap, BTreeSet};

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::parsed::ParsedPage;
use crate::regions::Region;
use crate::text::omitted::has_class;

/// Maximum bytes of a label, as in `[12]`.
const LABEL_BYTES_MAX: usize = 16;
/// Maximum number of nodes in a reference or a link back.
const LINK_NODES_MAX: usize = 8;
/// Maximum number of ancestors of a note that are searched for its list.
const LIST_LEVELS: usize = 4;
/// Maximum number of nodes of a note that are searched for links back and for kept text.
const NOTE_NODES_MAX: usize = 400;
/// Maximum number of references and notes of a page.
const NOTES_MAX: usize = 4_000;
/// Maximum number of ancestors of a note. A note that is nested deeper stays as it is.
const DEPTH_MAX: usize = 200;
/// Maximum number of characters of a label without digits, as in `[a]`. Longer ones are words of the text.
const LETTERS_MAX: usize = 3;

/// The notes of a page, by the indices of their elements.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// The labels of the references.
    references: BTreeMap<usize, String>,
    /// The labels of the notes.
    notes: BTreeMap<usize, String>,
    /// The signs that lead back to the references.
    back_links: Vec<usize>,
    /// The numbers at the start of notes that lead back to the references.
    numbers: Vec<usize>,
}

impl Notes {
    /// The label of a reference.
    pub(crate) fn reference(&self, node: Node<'_>) -> Option<&str> {
        self.references.get(&node.index()).map(String::as_str)
    }

    /// The label of a note.
    pub(crate) fn note(&self, node: Node<'_>) -> Option<&str> {
        self.notes.get(&node.index()).map(String::as_str)
    }

    /// The signs that lead back to the references.
    pub(crate) fn back_links(&self) -> &[usize] {
        &self.back_links
    }

    /// Whether an element is the number of a note, which its label repeats.
    pub(crate) fn is_number(&self, node: Node<'_>) -> bool {
        self.numbers.binary_search(&node.index()).is_ok()
    }
}

/// The notes of a page whose reference and text are both outside of `regions`.
pub(crate) fn of(page: &ParsedPage<'_>, regions: &[Region]) -> Notes {
    if !is_on(page) {
        return Notes::default();
    }
    let mut links = references(page, regions);
    let targets = targets(page, &links);
    links.retain(|link| targets.contains_key(&link.id));
    let mut notes = Notes::default();
    let mut by_note: BTreeMap<usize, Vec<&Link<'_>>> = BTreeMap::new();
    for link in &links {
        by_note.entry(targets[&link.id].index()).or_default().push(link);
    }
    for (index, links) in by_note {
        notes.add(page.document().node_at(index), &links, regions);
    }
    notes.numbers.sort_unstable();
    notes
}

/// Whether a page may have notes. A cheap check, so that pages without notes cost nothing.
fn is_on(page: &ParsedPage<'_>) -> bool {
    let bytes = page.source().bytes();
    let has = |part: &str| memchr::memmem::find(bytes, part.as_bytes()).is_some();
    ["footnote", "cite_note", "doc-noteref", "endnote", "#fn"].into_iter().any(has)
}

/// A link that may be a reference.
struct Link<'d> {
    node: Node<'d>,
    /// The id that it leads to.
    id: String,
    label: String,
}

/// The short links of a page to places in it.
fn references<'d>(page: &'d ParsedPage<'_>, regions: &[Region]) -> Vec<Link<'d>> {
    let all = page.document().descendants().filter(|node| node.tag() == Some(Tag::A));
    let links = all.filter_map(|node| {
        let id = fragment(node)?;
        let label = label(&short_text(node)?)?;
        let is_code = node.ancestors().take(LIST_LEVELS).any(|around| around.tag() == Some(Tag::PRE));
        (!is_code && is_kept(regions, node.span().start)).then_some(Link { node, id, label })
    });
    links.take(NOTES_MAX).collect()
}

/// The notes that links lead to, by their ids.
fn targets<'d>(page: &'d ParsedPage<'_>, links: &[Link<'_>]) -> BTreeMap<String, Node<'d>> {
    let wanted: BTreeSet<&str> = links.iter().map(|link| link.id.as_str()).collect();
    let mut targets = BTreeMap::new();
    if wanted.is_empty() {
        return targets;
    }
    for node in page.document().descendants().filter(|node| node.kind() == NodeKind::Element) {
        if let Some(id) = node.attribute("id").filter(|id| wanted.contains(&**id))
            && is_note(node, &id)
        {
            targets.entry(id.into_owned()).or_insert(node);
        }
    }
    targets
}

impl Notes {
    /// Adds a note and the references to it, if its text is kept.
    fn add(&mut self, note: Node<'_>, links: &[&Link<'_>], regions: &[Region]) {
        let links: Vec<&Link<'_>> =
            links.iter().copied().filter(|link| !note.span().contains(link.node.span())).collect();
        let Some(first) = links.first() else { return };
        let (signs, numbers) = back_links(note, &links);
        if !has_kept_text(note, &signs, regions) {
            return;
        }
        let label = match self.notes.values().any(|other| *other == first.label) {
            true => clean(&first.id),
            false => first.label.clone(),
        };
        for link in links {
            self.references.insert(whole(link.node, &link.label).index(), label.clone());
        }
        self.notes.insert(note.index(), label);
        self.back_links.extend(signs);
        self.numbers.extend(numbers);
    }
}

/// The element with only the reference: the link, or the superscript or the brackets around it.
fn whole<'d>(link: Node<'d>, label: &str) -> Node<'d> {
    let mut whole = link;
    for around in link.ancestors().take(3) {
        let is_inline = matches!(around.tag(), Some(Tag::SUP | Tag::SPAN));
        let is_same =
            || short_text(around).and_then(|text| self::label(&text)).is_some_and(|text| text == label);
        if !is_inline || !is_same() {
            break;
        }
        whole = around;
    }
    whole
}

/// The elements of a note that lead back to its references: signs, and numbers that repeat its label.
fn back_links(note: Node<'_>, links: &[&Link<'_>]) -> (Vec<usize>, Vec<usize>) {
    let (mut signs, mut numbers) = (Vec::new(), Vec::new());
    let mut next = note.first_child();
    for _ in 0..NOTE_NODES_MAX {
        let Some(node) = next.filter(|node| note.span().contains(node.span())) else { break };
        let is_back = node.kind() == NodeKind::Element && is_back_link(node, links);
        if is_back {
            let is_sign = has_class(node, &["mw-cite-backlink"]);
            let label = short_text(node).and_then(|text| label(&text));
            let is_number =
                !is_sign && label.is_some_and(|label| links.iter().any(|link| link.label == label));
            if is_number { &mut numbers } else { &mut signs }.push(node.index());
        }
        next = node.first_child().filter(|_| !is_back).or_else(|| node.next_outside());
    }
    (signs, numbers)
}

/// Whether an element of a note leads back to one of its references.
fn is_back_link(node: Node<'_>, links: &[&Link<'_>]) -> bool {
    match node.tag() {
        Some(Tag::SPAN) => {
            let links_back = || {
                let mut inside = node.descendants().take(LINK_NODES_MAX);
                inside.any(|inner| inner.tag() == Some(Tag::A) && is_back_link(inner, links))
            };
            has_class(node, &["mw-cite-backlink"])
                || has_class(node, &["label"]) && short_text(node).is_some() && links_back()
        }
        Some(Tag::A) => {
            let leads_back = || {
                fragment(node).is_some_and(|id| links.iter().any(|link| is_at(link.node, &id)))
                    && short_text(node).is_some()
            };
            let is_role = || node.attribute("role").is_some_and(|role| role == "doc-backlink");
            let is_sign = || short_text(node).is_some_and(|text| !text.contains(char::is_alphanumeric));
            leads_back() || (is_sign() && (is_role() || has_class(node, &BACK_LINKS)))
        }
        _ => false,
    }
}

const BACK_LINKS: [&str; 5] =
    ["footnote-backref", "footnote-back", "reversefootnote", "data-footnote-backref", "footnote-return"];

/// Whether an id is that of a reference: of its link, or of an element around or inside the link.
fn is_at(link: Node<'_>, id: &str) -> bool {
    let has_id = |node: Node<'_>| {
        ["id", "name"].iter().any(|name| node.attribute(name).is_some_and(|value| value == id))
    };
    let is_inline = |node: &Node<'_>| matches!(node.tag(), Some(Tag::SUP | Tag::SPAN | Tag::B | Tag::I));
    has_id(link)
        || link.ancestors().take(3).take_while(is_inline).any(has_id)
        || link.descendants().take(LINK_NODES_MAX).any(has_id)
        || link.previous_sibling().is_some_and(has_id)
}

/// Whether an element is a note: its id, its role or its list says so. Notes inside of other lists, quotations, tables and headings are
/// not found, because Markdown would not find them either.
fn is_note(node: Node<'_>, id: &str) -> bool {
    if !matches!(node.tag(), Some(Tag::LI | Tag::P | Tag::DIV | Tag::ASIDE)) {
        return false;
    }
    let is_list = |node: Node<'_>| {
        let is_role = |role: &str| ["doc-endnotes", "doc-footnote", "doc-endnote"].contains(&role);
        has_class(node, &["footnotes", "footnote", "footnotes-list", "references", "endnotes"])
            || node.attribute("role").is_some_and(|role| is_role(&role))
    };
    let is_named = || {
        let id = id.to_ascii_lowercase();
        let id = id.strip_prefix("user-content-").unwrap_or(&id);
        let rest = ["footnote", "endnote", "cite_note", "fn"].iter().find_map(|start| id.strip_prefix(start));
        rest.is_some_and(|rest| {
            rest.trim_start_matches(['-', '_', ':', '.']).starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let is_in_list = || std::iter::once(node).chain(node.ancestors()).take(LIST_LEVELS).any(is_list);
    let is_nested = || {
        let mut around = node.ancestors().take(DEPTH_MAX).filter_map(Node::tag);
        around.any(|tag| NOT_AROUND.contains(&tag)) || node.ancestors().nth(DEPTH_MAX).is_some()
    };
    (is_named() || is_in_list()) && !is_nested()
}

#[rustfmt::skip]
const NOT_AROUND: [Tag; 13] = [
    Tag::LI, Tag::DD, Tag::BLOCKQUOTE, Tag::TD, Tag::TH, Tag::PRE, Tag::CAPTION, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6,
];

/// Whether a note has text that is kept, apart from the links back.
fn has_kept_text(note: Node<'_>, back_links: &[usize], regions: &[Region]) -> bool {
    let mut texts = note.descendants().take(NOTE_NODES_MAX).filter(|node| node.kind() == NodeKind::Text);
    texts.any(|text| {
        let bytes = text.bytes();
        let start = text.span().start + (bytes.len() - bytes.trim_ascii_start().len()) as u32;
        let is_link =
            || text.ancestors().take(LIST_LEVELS).any(|around| back_links.contains(&around.index()));
        !bytes.trim_ascii().is_empty() && is_kept(regions, start) && !is_link()
    })
}

fn is_kept(regions: &[Region], at: u32) -> bool {
    let next = regions.partition_point(|region| region.span.end <= at);
    regions.get(next).is_none_or(|region| region.span.start > at)
}

/// The id that a link to a place in the page leads to.
fn fragment(link: Node<'_>) -> Option<String> {
    let href = link.attribute("href")?;
    let id = href.trim().strip_prefix('#').filter(|id| !id.is_empty())?;
    Some(id.to_owned())
}

/// The text of a small element.
fn short_text(node: Node<'_>) -> Option<String> {
    let mut text = String::new();
    for (number, inner) in node.descendants().enumerate() {
        if number > 2 * LINK_NODES_MAX || text.len() > LABEL_BYTES_MAX {
            return None;
        }
        if inner.kind() == NodeKind::Text {
            text.push_str(inner.text().trim());
        }
    }
    (text.len() <= LABEL_BYTES_MAX).then_some(text)
}

/// The label of a reference: `1` of `[1]` or ` 1 `.
fn label(text: &str) -> Option<String> {
    let inner = text.trim().trim_start_matches(['[', '(', '^']).trim_end_matches([']', ')']).trim();
    let is_plain = |c: char| c.is_alphanumeric() || "-.†‡§ ".contains(c);
    let is_known = inner.contains(|c: char| c.is_ascii_digit()) || inner.chars().count() <= LETTERS_MAX;
    let is_label = !inner.is_empty() && is_known && inner.chars().all(is_plain);
    is_label.then(|| clean(inner))
}

/// A label that Markdown accepts.
fn clean(label: &str) -> String {
    label.chars().map(|c| if c.is_alphanumeric() || "-.†‡§".contains(c) { c } else { '-' }).collect()
}
