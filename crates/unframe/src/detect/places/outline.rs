//! What a page leaves behind when it is observed: its elements that hold text, and the texts, as numbers.
//!
//! Elements and texts come in the order of the page, each with its depth, so that the tree can be made again. An element
//! is a word and one word for each of its names (the `id` and each `class`); a text is a word, the hash of its characters, and
//! where it has numbers in it, the hash of what it is without them.

use std::borrow::Cow;
use std::collections::HashMap;

use xxhash_rust::xxh3;

use super::names::Traits;
use super::tree::{ROOT, place_key};
use crate::html::tag::Tag;
use crate::html::{Document, Node, NodeKind};
use crate::sample::PieceHasher;
use crate::text::{is_hidden, is_white_text};

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

// What is known of a text, where an element has its names and traits.
const LINK: u64 = 1 << 11;
const JUMP: u64 = 1 << 12;
const ECHO: u64 = 1 << 13;
const PROSE: u64 = 1 << 14;
const NUMBER: u64 = 1 << 15;
const TITLE: u64 = 1 << 16;
const IN_PROSE: u64 = 1 << 17;
const PAGE_TITLE: u64 = 1 << 18;
const SHAPE: u64 = 1 << 19;
const WAY: u64 = 1 << 20;
const UNSEEN: u64 = 1 << 21;
const FORM: u64 = 1 << 22;

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
    /// Whether it is a link that says to be a way through the site: to the next page, to the index.
    pub(super) is_way: bool,
    pub(super) is_prose: bool,
    pub(super) is_number: bool,
    pub(super) is_title: bool,
    /// Whether the block that it stands in is prose, of which it may be a few words.
    pub(super) is_in_prose: bool,
    /// Whether the title of the page has it.
    pub(super) is_in_page_title: bool,
    /// Whether a reader does not see it at first: it is hidden, or in a dialog.
    pub(super) is_unseen: bool,
    /// Whether it stands in a form.
    pub(super) is_in_form: bool,
    /// A hash of its characters, all numbers taken for the same; none if there are no numbers.
    pub(super) shape: Option<u64>,
}

/// An element or a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'o> {
    Element(Element<'o>),
    Text(Text),
}

/// Writes the outline of a page.
pub(super) fn write(document: &Document<'_>, out: &mut Vec<u64>) {
    let title = page_title(document);
    let mut elements = Elements::of(document);
    let mut texts: HashMap<u64, u32, PieceHasher> = HashMap::default();
    let mut form_lens: HashMap<u64, usize, PieceHasher> = HashMap::default();
    let mut page_len = 0;
    let mut written = Vec::new();
    for_each_text(document, |_, parent, text| {
        let depth = elements.write(parent, out);
        let hash = hash_of(text);
        *texts.entry(hash).or_default() += 1;
        let around = Around::of(parent);
        let len = text.chars().count();
        let shape = shape_of(text);
        let flags = flag(around.is_link, LINK)
            | flag(around.is_jump, JUMP)
            | flag(around.is_way, WAY)
            | flag(elements.are_unseen[parent.index()], UNSEEN)
            | flag(len >= PROSE_CHARS, PROSE)
            | flag(is_number(text), NUMBER)
            | flag(around.is_title, TITLE)
            | flag(len >= LETTERS_MIN && title.contains(text), PAGE_TITLE)
            | flag(shape.is_some(), SHAPE);
        let block = &mut elements.blocks[parent.index()];
        written.push((out.len(), *block, around.form));
        elements.block_texts[*block as usize].add(len, around.is_link);
        page_len += len;
        if let Some(form) = around.form {
            *form_lens.entry(u64::from(form)).or_default() += len;
        }
        out.push(IS_TEXT | (depth as u64) << DEPTH_AT | flags | (len.min(u32::MAX as usize) as u64) << HIGH);
        out.push(hash);
        out.extend(shape);
    });
    // What only the whole page tells.
    // Some pages are forms as a whole, which tells nothing.
    let is_form = |form: u32| form_lens.get(&u64::from(form)).is_some_and(|len| len * 2 < page_len);
    for (at, block, form) in written {
        let is_echo = out[at] & LINK != 0 && texts.get(&out[at + 1]).is_some_and(|count| *count > 1);
        out[at] |= flag(is_echo, ECHO)
            | flag(elements.block_texts[block as usize].is_prose(), IN_PROSE)
            | flag(form.is_some_and(is_form), FORM);
    }
}

fn flag(is_set: bool, flag: u64) -> u64 {
    if is_set { flag } else { 0 }
}

/// The text of the page's title, white space collapsed.
fn page_title(document: &Document<'_>) -> String {
    let title = document.descendants().find(|node| node.tag() == Some(Tag::TITLE));
    let text = title.and_then(|title| title.first_child()).map(|text| text.text().into_owned());
    text.map(|text| collapsed(&text).into_owned()).unwrap_or_default()
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
        let has = |flag: u64| word & flag != 0;
        let (shape, after) = after.split_at_checked(usize::from(has(SHAPE)))?;
        rest = after;
        Some(Item::Text(Text {
            depth,
            hash: *hash,
            len: (word >> HIGH) as u32,
            is_link: has(LINK),
            is_jump: has(JUMP),
            is_echo: has(ECHO),
            is_way: has(WAY),
            is_prose: has(PROSE),
            is_number: has(NUMBER),
            is_title: has(TITLE),
            is_in_prose: has(IN_PROSE),
            is_in_page_title: has(PAGE_TITLE),
            is_unseen: has(UNSEEN),
            is_in_form: has(FORM),
            shape: shape.first().copied(),
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
        // Most texts are what lies between two tags for the looks of the source.
        if is_white_text(node.text_bytes()) {
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

/// Whether all white space is single spaces.
fn is_collapsed(text: &str) -> bool {
    if text.is_ascii() {
        // Without a way out in the middle, many bytes are compared at once.
        let bytes = text.as_bytes();
        let is_other = bytes.iter().fold(false, |any, byte| any | (byte.wrapping_sub(b'\t') < 5));
        let pairs = bytes.iter().zip(bytes.iter().skip(1));
        return !is_other && !pairs.fold(false, |any, (one, next)| any | ((*one == b' ') & (*next == b' ')));
    }
    let mut was_space = false;
    text.chars().all(|c| {
        let is_bad = c.is_whitespace() && (c != ' ' || was_space);
        was_space = c == ' ';
        !is_bad
    })
}

/// The hash of a text whose white space is collapsed.
pub(super) fn hash_of(text: &str) -> u64 {
    xxh3::xxh3_64(text.as_bytes())
}

fn is_number(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).take(LETTERS_MIN).count() < LETTERS_MIN
}

/// What a text is inside of.
#[derive(Default)]
struct Around {
    is_link: bool,
    is_jump: bool,
    is_way: bool,
    /// In a heading of the first level.
    is_title: bool,
    /// The number of the form.
    form: Option<u32>,
}

impl Around {
    fn of(element: Node<'_>) -> Around {
        let mut around = Around::default();
        for node in std::iter::once(element).chain(element.ancestors()) {
            match node.tag() {
                Some(Tag::A) => {
                    if let Some(href) = node.attribute("href").filter(|href| !href.is_empty()) {
                        around.is_link = true;
                        around.is_jump |= href.starts_with('#');
                        around.is_way |= is_way(node);
                    }
                }
                Some(Tag::H1) => around.is_title = true,
                Some(Tag::FORM) => around.form = Some(node.index() as u32),
                _ => {}
            }
        }
        around
    }
}

/// Whether a link says to be a way through the site: by its relation, or by a key of its own.
fn is_way(link: Node<'_>) -> bool {
    let is_relation = |rel: &str| WAYS.iter().any(|way| rel.eq_ignore_ascii_case(way));
    link.attribute("rel").is_some_and(|rel| rel.split_ascii_whitespace().any(is_relation))
        || link.attribute("accesskey").is_some()
}

const WAYS: [&str; 13] = [
    "next", "prev", "previous", "up", "first", "last", "start", "home", "index", "contents", "toc", "help",
    "search",
];

/// The elements of a page that were written.
struct Elements {
    depths: Vec<Option<u32>>,
    /// Whether each is not seen at first.
    are_unseen: Vec<bool>,
    /// The innermost element around each that is not one inside of a line.
    blocks: Vec<u32>,
    /// The texts right inside of each of these.
    block_texts: Vec<BlockTexts>,
    names: PageNames,
    /// What is known of elements with the same names: looking at words takes time, and most elements are alike.
    traits: HashMap<u64, Traits, PieceHasher>,
}

/// The texts of a block, in characters.
#[derive(Debug, Clone, Copy, Default)]
struct BlockTexts {
    text: usize,
    link: usize,
}

impl BlockTexts {
    fn add(&mut self, len: usize, is_link: bool) {
        *(if is_link { &mut self.link } else { &mut self.text }) += len;
    }

    fn is_prose(self) -> bool {
        self.text >= PROSE_CHARS && self.link <= self.text
    }
}

impl Elements {
    fn of(document: &Document<'_>) -> Elements {
        let nodes = document.node_count();
        Elements {
            depths: vec![None; nodes],
            are_unseen: vec![false; nodes],
            blocks: vec![0; nodes],
            block_texts: vec![BlockTexts::default(); nodes],
            names: PageNames::default(),
            traits: HashMap::default(),
        }
    }

    /// Writes an element and those around it, where that was not done yet, and tells its depth.
    fn write(&mut self, element: Node<'_>, out: &mut Vec<u64>) -> u32 {
        if let Some(depth) = self.depths[element.index()] {
            return depth;
        }
        let parent = element.parent().filter(|parent| parent.kind() == NodeKind::Element);
        let depth = parent.map_or(0, |parent| self.write(parent, out) + 1).min(DEPTH_MAX as u32);
        self.depths[element.index()] = Some(depth);
        let names = self.names.of(element);
        self.are_unseen[element.index()] =
            names.is_unseen || parent.is_some_and(|parent| self.are_unseen[parent.index()]);
        let traits = *self.traits.entry(names.all).or_insert_with(|| traits_of(element));
        self.blocks[element.index()] = match parent {
            Some(parent) if traits.has(Traits::INLINE) => self.blocks[parent.index()],
            _ => element.index() as u32,
        };
        out.push(
            u64::from(depth) << DEPTH_AT
                | (names.hashes.len() as u64) << NAMES_AT
                | u64::from(traits.0) << TRAITS_AT
                | u64::from(names.kind_of(element)) << HIGH,
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
    kind: u32,
    /// Hashes of its `id` and classes; none of `html` and `body`.
    pub(super) hashes: Vec<u64>,
    /// A hash of all of these.
    all: u64,
    /// Whether a reader does not see it at first.
    is_unseen: bool,
}

impl Names {
    fn of(element: Node<'_>) -> Names {
        let name = element.name();
        if matches!(element.tag(), None | Some(Tag::HTML | Tag::BODY)) {
            return Names::new(kind_of(&name, ""), Vec::new(), false);
        }
        let attribute = |name| element.attribute(name).unwrap_or_default();
        let (id, class) = (attribute("id"), attribute("class"));
        let mut hashes = Vec::new();
        if !id.is_empty() {
            hashes.push(name_hash(&id, ID_SEED));
        }
        let classes = class.split_ascii_whitespace().map(|class| name_hash(class, CLASS_SEED));
        hashes.extend(classes.take(NAMES_MAX - 1));
        Names::new(kind_of(&name, &attribute("role")), hashes, is_unseen(element))
    }

    fn new(kind: u32, hashes: Vec<u64>, is_unseen: bool) -> Names {
        Names { kind, all: place_key(ROOT, kind, &hashes, |_| true), hashes, is_unseen }
    }

    /// The hash of the name and role of the element that has these names.
    pub(super) fn kind_of(&self, element: Node<'_>) -> u32 {
        let number = if self.hashes.is_empty() { number_in_table(element) } else { 0 };
        self.kind.wrapping_add(number)
    }
}

/// Whether a reader does not see an element when the page opens, as it says itself: hidden, or a dialog.
fn is_unseen(element: Node<'_>) -> bool {
    let is = |name: &str, value: &str| {
        element.attribute(name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    };
    let is_not_displayed = |style: &str| {
        let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
        declarations.any(|(name, value)| {
            name.trim().eq_ignore_ascii_case("display")
                && value.trim_start().to_ascii_lowercase().starts_with("none")
        })
    };
    element.tag() == Some(Tag::DIALOG)
        || element.attribute("hidden").is_some()
        || is("aria-hidden", "true")
        || is("aria-modal", "true")
        || is("role", "dialog")
        || is("role", "alertdialog")
        || element.attribute("style").is_some_and(|style| is_not_displayed(&style))
}

/// The names of the elements of a page. Many elements of a page have the same tag and attributes, which are read once.
#[derive(Default)]
pub(super) struct PageNames {
    known: HashMap<u64, Names, PieceHasher>,
}

impl PageNames {
    pub(super) fn of(&mut self, element: Node<'_>) -> &Names {
        let tag = element.tag().map_or(0, |tag| u64::from(tag.0) + 1);
        let seed = tag << 8 | element.namespace() as u64;
        let written = xxh3::xxh3_64_with_seed(element.attribute_bytes(), seed);
        self.known.entry(written).or_insert_with(|| Names::of(element))
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
    match has_digit(name) {
        false => xxh3::xxh3_64_with_seed(name.as_bytes(), seed),
        true => xxh3::xxh3_64_with_seed(without_numbers(name).as_bytes(), seed),
    }
}

/// The hash of a text in which every number counts as the same, if there are numbers in it.
fn shape_of(text: &str) -> Option<u64> {
    has_digit(text).then(|| hash_of(&without_numbers(text)))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn without_numbers(text: &str) -> String {
    let mut without = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if without.ends_with('0') => {}
            true => without.push('0'),
            false => without.push(c),
        }
    }
    without
}
