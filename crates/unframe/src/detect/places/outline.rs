//! What a page leaves behind when it is observed: its elements that hold text, and the texts, as numbers.
//!
//! Elements and texts come in the order of the page, each with its depth, so that the tree can be made again. An element
//! is a word and one word for each of its names (the `id` and each `class`); a text is a word and
//! the hash of its characters.

use std::borrow::Cow;
use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::names::Traits;
use super::tree::{ROOT, place_key};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind};
use crate::sample::PieceHasher;
use crate::text::is_hidden;

/// Names of one element that count.
const NAMES_MAX: usize = 16;
/// Depths above this are taken for this.
const DEPTH_MAX: u64 = (1 << 10) - 1;
/// From so many characters on, a text is prose rather than a label.
const PROSE_CHARS: usize = 80;
/// Text with fewer letters is a number or a mark.
const LETTERS_MIN: usize = 3;

/// Rows and cells after this many have the same number.
const NUMBER_MAX: usize = 3;

const IS_TEXT: u64 = 1;
const DEPTH_AT: u32 = 1;
const NAMES_AT: u32 = 11;
const TRAITS_AT: u32 = 17;
const HIGH: u32 = 32;

/// An element of an outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'o> {
    pub(super) depth: usize,
    /// A hash of its name and role.
    pub(super) kind: u32,
    pub(super) traits: Traits,
    /// Hashes of its `id` and classes.
    pub(super) names: &'o [u64],
}

/// A text of an outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    /// The depth of the element that it is in.
    pub(super) depth: usize,
    /// A hash of its characters, white space collapsed.
    pub(super) hash: u64,
    /// Its length in characters.
    pub(super) len: u32,
    pub(super) is_link: bool,
    /// Whether it leads to another part of the same page.
    pub(super) is_jump: bool,
    /// Whether it is a link, and the page has the same text somewhere else.
    pub(super) is_echo: bool,
    pub(super) is_prose: bool,
    pub(super) is_number: bool,
    pub(super) is_title: bool,
}

/// An element or a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'o> {
    Element(Element<'o>),
    Text(Text),
}

/// Writes the outline of a page.
pub(super) fn write(document: &Document<'_>, out: &mut Vec<u64>) {
    let mut texts: HashMap<u64, u32, PieceHasher> = HashMap::default();
    let mut elements = Elements { depths: vec![None; document.node_count()], traits: HashMap::default() };
    let mut echoes = Vec::new();
    for_each_text(document, |_, parent, text| {
        let depth = elements.write(parent, out);
        let hash = hash_of(text);
        *texts.entry(hash).or_default() += 1;
        let (is_link, is_jump, is_title) = around(parent);
        let is_prose = text.chars().count() >= PROSE_CHARS;
        let flags = [is_link, is_jump, false, is_prose, is_number(text), is_title];
        let flags = flags.iter().enumerate().map(|(bit, set)| u64::from(*set) << bit).sum::<u64>();
        if is_link {
            echoes.push(out.len());
        }
        out.push(
            IS_TEXT
                | (depth as u64) << DEPTH_AT
                | flags << NAMES_AT
                | (text.chars().count().min(u32::MAX as usize) as u64) << HIGH,
        );
        out.push(hash);
    });
    for at in echoes {
        if texts.get(&out[at + 1]).is_some_and(|count| *count > 1) {
            out[at] |= 1 << (NAMES_AT + 2);
        }
    }
}

/// Reads an outline back. One that was cut off ends early.
pub(super) fn read(words: &[u64]) -> impl Iterator<Item = Item<'_>> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let (word, after) = rest.split_first()?;
        let depth = (word >> DEPTH_AT & DEPTH_MAX) as usize;
        if word & IS_TEXT == 0 {
            let names = (word >> NAMES_AT) as usize & 0x3F;
            let (names, after) = after.split_at_checked(names)?;
            rest = after;
            let traits = Traits((word >> TRAITS_AT) as u32 & ((1 << Traits::BITS) - 1));
            return Some(Item::Element(Element { depth, kind: (word >> HIGH) as u32, traits, names }));
        }
        let (hash, after) = after.split_first()?;
        rest = after;
        let flag = |bit: u32| word >> (NAMES_AT + bit) & 1 == 1;
        Some(Item::Text(Text {
            depth,
            hash: *hash,
            len: (word >> HIGH) as u32,
            is_link: flag(0),
            is_jump: flag(1),
            is_echo: flag(2),
            is_prose: flag(3),
            is_number: flag(4),
            is_title: flag(5),
        }))
    })
}

/// Calls `each` with every visible text that is more than white space: the node, the element that it is in, and its
/// characters with white space collapsed.
pub(super) fn for_each_text<'d>(document: &'d Document<'d>, mut each: impl FnMut(Node<'d>, Node<'d>, &str)) {
    for node in document.descendants() {
        if node.kind() != NodeKind::Text {
            continue;
        }
        let Some(parent) = node.parent() else { continue };
        if parent.tag().is_some_and(is_hidden) {
            continue;
        }
        let text = node.text();
        let text = collapsed(&text);
        if !text.is_empty() {
            each(node, parent, &text);
        }
    }
}

fn collapsed(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let is_collapsed = |text: &str| {
        let mut was_white = false;
        text.chars().all(|c| {
            let is_bad = c.is_whitespace() && (c != ' ' || was_white);
            was_white = c == ' ';
            !is_bad
        })
    };
    if is_collapsed(trimmed) {
        return Cow::Borrowed(trimmed);
    }
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// The hash of a text whose white space is collapsed.
pub(super) fn hash_of(text: &str) -> u64 {
    xxh3::xxh3_64(text.as_bytes())
}

fn is_number(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).take(LETTERS_MIN).count() < LETTERS_MIN
}

/// Whether an element is in a link, in a link to the same page, and in a heading of the first level.
fn around(element: Node<'_>) -> (bool, bool, bool) {
    let (mut is_link, mut is_jump, mut is_title) = (false, false, false);
    for node in std::iter::once(element).chain(element.ancestors()) {
        match node.tag() {
            Some(Tag::A) => {
                if let Some(href) = node.attribute("href").filter(|href| !href.is_empty()) {
                    is_link = true;
                    is_jump |= href.starts_with('#');
                }
            }
            Some(Tag::H1) => is_title = true,
            _ => {}
        }
    }
    (is_link, is_jump, is_title)
}

/// The elements of a page that were written.
struct Elements {
    depths: Vec<Option<u32>>,
    /// What is known of elements with the same names: looking at words takes time, and most elements are alike.
    traits: HashMap<u64, Traits, PieceHasher>,
}

impl Elements {
    /// Writes an element and those around it, where that was not done yet, and tells its depth.
    fn write(&mut self, element: Node<'_>, out: &mut Vec<u64>) -> u32 {
        if let Some(depth) = self.depths[element.index()] {
            return depth;
        }
        let parent = element.parent().filter(|parent| parent.kind() == NodeKind::Element);
        let depth = parent.map_or(0, |parent| self.write(parent, out) + 1).min(DEPTH_MAX as u32);
        self.depths[element.index()] = Some(depth);
        let names = Names::of(element);
        let key = place_key(ROOT, names.kind, &names.hashes, |_| true);
        let traits = *self.traits.entry(key).or_insert_with(|| traits_of(element));
        out.push(
            u64::from(depth) << DEPTH_AT
                | (names.hashes.len() as u64) << NAMES_AT
                | u64::from(traits.0) << TRAITS_AT
                | u64::from(names.kind) << HIGH,
        );
        out.extend_from_slice(&names.hashes);
        depth
    }
}

/// What the name and the attributes of an element tell. Those of `html` and `body` tell the kind of the page, and its parts
/// must be comparable with those of other kinds.
pub(super) fn traits_of(element: Node<'_>) -> Traits {
    let attribute = |name| element.attribute(name).unwrap_or_default();
    match element.tag() {
        None | Some(Tag::HTML | Tag::BODY) => Traits::default(),
        Some(tag) => {
            Traits::of(tag, &attribute("role"), &format!("{} {}", attribute("id"), attribute("class")))
        }
    }
}

/// What tells an element from others.
pub(super) struct Names {
    /// A hash of its name and role.
    pub(super) kind: u32,
    /// Hashes of its `id` and classes; none of `html` and `body`.
    pub(super) hashes: Vec<u64>,
}

impl Names {
    pub(super) fn of(element: Node<'_>) -> Names {
        let name = element.name();
        if matches!(element.tag(), None | Some(Tag::HTML | Tag::BODY)) {
            return Names { kind: kind_of(&name, ""), hashes: Vec::new() };
        }
        let attribute = |name| element.attribute(name).unwrap_or_default();
        let (id, class) = (attribute("id"), attribute("class"));
        let mut hashes = Vec::new();
        if !id.is_empty() {
            hashes.push(name_hash(&id, ID_SEED));
        }
        let classes = class.split_ascii_whitespace().map(|class| name_hash(class, CLASS_SEED));
        hashes.extend(classes.take(NAMES_MAX - 1));
        let kind = kind_of(&name, &attribute("role"));
        let number = if hashes.is_empty() { number_in_table(element) } else { 0 };
        Names { kind: kind.wrapping_add(number), hashes }
    }
}

/// Rows and cells are told apart by their number: layouts were made of tables without names.
fn number_in_table(element: Node<'_>) -> u32 {
    match element.tag() {
        Some(Tag::TR | Tag::TD | Tag::TH) => {
            let before = std::iter::successors(element.previous_sibling(), |node| node.previous_sibling());
            before.filter(|node| node.kind() == NodeKind::Element).take(NUMBER_MAX).count() as u32
        }
        _ => 0,
    }
}

const ID_SEED: u64 = 1;
const CLASS_SEED: u64 = 2;

fn kind_of(name: &str, role: &str) -> u32 {
    xxh3::xxh3_64_with_seed(role.as_bytes(), xxh3::xxh3_64(name.as_bytes())) as u32
}

/// The hash of a name in which every number counts as the same: `post-17` and `post-4` are names of the same place.
fn name_hash(name: &str, seed: u64) -> u64 {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return xxh3::xxh3_64_with_seed(name.as_bytes(), seed);
    }
    let mut without = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_ascii_digit() {
            true if without.ends_with('0') => {}
            true => without.push('0'),
            false => without.push(c),
        }
    }
    xxh3::xxh3_64_with_seed(without.as_bytes(), seed)
}
