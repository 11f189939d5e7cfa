//! The elements around the text of a page: their tags, the tokens of their classes and ids, and the path that leads to them.

use memchr::{memchr, memchr_iter};
use xxhash_rust::xxh3;

use super::blocks::PageBlocks;
use super::flow::Flow;
use crate::html::tag::Tag;
use crate::html::{Node, Span};

/// The maximum number of tokens of one element.
const TOKENS_MAX: usize = 24;
/// The place of the root.
const ROOT: u64 = 1;

/// An element that may hold text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    /// Its parent; the root is its own parent.
    pub(super) parent: u32,
    pub(super) span: Span,
    /// See [`Node::is_moved`].
    pub(super) is_moved: bool,
    /// The innermost block-level element that contains it, or itself.
    pub(super) container: u32,
    /// The number of the link that contains it, from 1; 0 outside links.
    pub(super) link: u32,
    pub(super) depth: u16,
    /// Whether it is a unit of its line: its descendants are no elements of their own. See [`Flow::Unit`].
    pub(super) is_unit: bool,
    pub(super) is_hidden: bool,
    /// The index of its tag in [`TAGS`], which is a feature.
    pub(super) tag: u8,
    /// One bit for each of [`ANCESTORS`] that contains it, or that it is itself.
    pub(super) ancestors: u32,
    /// Its place on the site: a hash of the path of tags, classes and ids in which every number counts as the same number.
    pub(super) place: u64,
    /// A hash of the path of tags.
    pub(super) tag_path: u32,
    /// The words of its classes, id and role, as a range of [`PageBlocks::tokens`].
    pub(super) tokens: (u32, u32),
}

impl Element {
    pub(super) fn root() -> Element {
        Element {
            parent: 0,
            span: Span::default(),
            is_moved: false,
            container: 0,
            link: 0,
            depth: 0,
            is_unit: false,
            is_hidden: false,
            tag: TAGS.len() as u8,
            ancestors: 0,
            place: ROOT,
            tag_path: ROOT as u32,
            tokens: (0, 0),
        }
    }

    pub(super) fn is_in(&self, ancestors: u32) -> bool {
        self.ancestors & ancestors != 0
    }

    fn is_one_of(&self, tags: &[Tag]) -> bool {
        TAGS.get(self.tag as usize).is_some_and(|tag| tags.contains(tag))
    }

    /// Whether it is usually one of several siblings: items, terms, paragraphs.
    pub(super) fn is_item(&self) -> bool {
        self.is_one_of(&[Tag::LI, Tag::DT, Tag::DD, Tag::P, Tag::OPTION])
    }

    /// Whether it is a table cell, a term or a description.
    pub(super) fn is_cell(&self) -> bool {
        self.is_one_of(&[Tag::TD, Tag::TH, Tag::DT, Tag::DD])
    }

    pub(super) fn is_table_cell(&self) -> bool {
        self.is_one_of(&[Tag::TD, Tag::TH])
    }

    pub(super) fn is_header_cell(&self) -> bool {
        self.is_one_of(&[Tag::TH])
    }

    pub(super) fn is_heading(&self) -> bool {
        self.heading_level().is_some()
    }

    /// The level of a heading, from 1.
    pub(super) fn heading_level(&self) -> Option<u8> {
        (H1_AT..H1_AT + 6).contains(&self.tag).then(|| self.tag - H1_AT + 1)
    }
}

/// Tags that the decision trees distinguish.
#[rustfmt::skip]
pub(super) const TAGS: [Tag; 34] = [
    Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::P, Tag::BLOCKQUOTE, Tag::PRE, Tag::FIGCAPTION, Tag::DT, Tag::DD,
    Tag::LI, Tag::TD, Tag::TH, Tag::DIV, Tag::SECTION, Tag::ARTICLE, Tag::BODY, Tag::CENTER, Tag::SPAN, Tag::FONT, Tag::B, Tag::STRONG,
    Tag::EM, Tag::I, Tag::CODE, Tag::TIME, Tag::A, Tag::LABEL, Tag::BUTTON, Tag::OPTION, Tag::SMALL, Tag::CAPTION,
];
const H1_AT: u8 = 0;

/// Tags whose presence among the ancestors of a block is a feature.
#[rustfmt::skip]
pub(super) const ANCESTORS: [Tag; 25] = [
    Tag::ARTICLE, Tag::MAIN, Tag::HEADER, Tag::FOOTER, Tag::NAV, Tag::ASIDE, Tag::UL, Tag::OL, Tag::TABLE, Tag::FORM, Tag::FIGURE,
    Tag::SECTION, Tag::BLOCKQUOTE, Tag::A, Tag::BUTTON, Tag::SELECT, Tag::H1, Tag::H2, Tag::H3, Tag::PRE, Tag::P, Tag::DL,
    Tag::NOSCRIPT, Tag::SVG, Tag::CODE,
];

/// The bit of a tag of [`ANCESTORS`]; 0 for other tags.
pub(super) const fn ancestor(tag: Tag) -> u32 {
    let mut at = 0;
    while at < ANCESTORS.len() {
        if ANCESTORS[at].0 == tag.0 {
            return 1 << at;
        }
        at += 1;
    }
    0
}

/// Properties of a tag.
#[derive(Clone, Copy)]
struct TagFacts {
    number: u8,
    ancestor: u32,
    is_block: bool,
}

/// [`TagFacts`] by interned tag id.
const TAG_FACTS: [TagFacts; 256] = {
    let mut table = [TagFacts { number: TAGS.len() as u8, ancestor: 0, is_block: true }; 256];
    let mut at = 0;
    while at < TAGS.len() {
        table[TAGS[at].0 as usize].number = at as u8;
        at += 1;
    }
    at = 0;
    while at < ANCESTORS.len() {
        table[ANCESTORS[at].0 as usize].ancestor = 1 << at;
        at += 1;
    }
    at = 0;
    while at < INLINE.len() {
        table[INLINE[at].0 as usize].is_block = false;
        at += 1;
    }
    table
};

#[rustfmt::skip]
const INLINE: [Tag; 40] = [
    Tag::A, Tag::ABBR, Tag::ACRONYM, Tag::B, Tag::BIG, Tag::CITE, Tag::CODE, Tag::DATA, Tag::DEL, Tag::DFN, Tag::EM, Tag::FONT,
    Tag::I, Tag::IMG, Tag::INPUT, Tag::INS, Tag::KBD, Tag::LABEL, Tag::MARK, Tag::NOBR, Tag::Q, Tag::S, Tag::SAMP, Tag::SMALL,
    Tag::SPAN, Tag::STRIKE, Tag::STRONG, Tag::SUB, Tag::SUP, Tag::TIME, Tag::TT, Tag::U, Tag::VAR, Tag::WBR, Tag::RUBY, Tag::RB,
    Tag::RT, Tag::RP, Tag::PICTURE, Tag::METER,
];

/// Whether an element is part of a line of text.
pub(super) fn is_inline(tag: Tag) -> bool {
    TAG_FACTS.get(tag.0 as usize).is_some_and(|facts| !facts.is_block)
}

/// Reads elements, parents first.
#[derive(Debug)]
pub(super) struct ElementReader {
    /// Hashed link targets: that of link *n* is at *n* − 1.
    targets: Vec<u32>,
    /// The id and classes of the element being read, with equal numbers.
    names: Vec<u8>,
    /// Hashed names of known tags, by interned tag id; 0 until the page has the tag.
    tag_names: [u64; 256],
}

impl Default for ElementReader {
    fn default() -> ElementReader {
        ElementReader { targets: Vec::new(), names: Vec::new(), tag_names: [0; 256] }
    }
}

impl ElementReader {
    /// Reads the element of a node and adds its tokens to `page`. `parent` is the index of its parent.
    pub(super) fn read(
        &mut self,
        node: Node<'_>,
        tag: Tag,
        flow: Flow,
        parent: u32,
        page: &mut PageBlocks,
    ) -> Element {
        let around = page.elements[parent as usize];
        let facts = TAG_FACTS.get(tag.0 as usize).copied().unwrap_or(TagFacts {
            number: TAGS.len() as u8,
            ancestor: 0,
            is_block: true,
        });
        let mut element = Element {
            parent,
            span: node.span(),
            is_moved: node.is_moved(),
            container: if flow == Flow::Block { page.elements.len() as u32 } else { around.container },
            depth: around.depth.saturating_add(1),
            is_unit: flow == Flow::Unit,
            tag: facts.number,
            ancestors: around.ancestors | facts.ancestor,
            tokens: (page.tokens.len() as u32, 0),
            ..around
        };
        self.names.clear();
        // Classes of formulas come from scripts: `CtxtMenu_Attached_0` is no menu.
        if flow != Flow::Unit && !matches!(tag, Tag::HTML | Tag::BODY) {
            self.attributes(node, tag, &mut element, page);
        }
        element.tokens.1 = page.tokens.len() as u32;
        let name = self.tag_name(node, tag);
        element.place = match self.names.is_empty() {
            true => mix(around.place, name),
            false => mix(around.place, name ^ xxh3::xxh3_64(&self.names)),
        };
        element.tag_path = mix(u64::from(around.tag_path), name) as u32;
        element
    }

    /// The hash of the name of an element's tag.
    fn tag_name(&mut self, node: Node<'_>, tag: Tag) -> u64 {
        if let Some(known @ 1..) = self.tag_names.get(tag.0 as usize) {
            return *known;
        }
        let Some(name) = tag.known_name() else { return xxh3::xxh3_64(node.name().as_bytes()) };
        let hash = xxh3::xxh3_64(name.as_bytes());
        if let Some(unknown) = self.tag_names.get_mut(tag.0 as usize) {
            *unknown = hash;
        }
        hash
    }

    fn attributes(&mut self, node: Node<'_>, tag: Tag, element: &mut Element, page: &mut PageBlocks) {
        let tokens = &mut page.tokens;
        for (name, value) in node.lazy_attributes() {
            match name.len() {
                2 if name.eq_ignore_ascii_case(b"id") => self.name(&value.bytes(), tokens, element.tokens.0),
                5 if name.eq_ignore_ascii_case(b"class") => {
                    self.name(&value.bytes(), tokens, element.tokens.0)
                }
                4 if name.eq_ignore_ascii_case(b"role") => tokens.push(prefixed("role=", &value.text())),
                8 if name.eq_ignore_ascii_case(b"itemprop") => {
                    tokens.push(prefixed("itemprop=", &value.text()))
                }
                8 if name.eq_ignore_ascii_case(b"itemtype") => page.facts.item_type(tag, &value.text()),
                5 if name.eq_ignore_ascii_case(b"style") => element.is_hidden |= is_invisible(&value.bytes()),
                6 if name.eq_ignore_ascii_case(b"hidden") => element.is_hidden = true,
                11 if name.eq_ignore_ascii_case(b"aria-hidden") => {
                    element.is_hidden |= *value.bytes() == *b"true"
                }
                4 if tag == Tag::A && name.eq_ignore_ascii_case(b"href") => {
                    self.targets.push(target_hash(&value.bytes()));
                    element.link = self.targets.len() as u32;
                }
                _ => {}
            }
        }
    }

    /// Adds the words of an id or of classes: `pageTop nav_1` has `page`, `top` and `nav`.
    fn name(&mut self, value: &[u8], tokens: &mut Vec<u32>, first: u32) {
        self.names.push(b' ');
        push_with_numbers_alike(value, &mut self.names);
        for_each_word(value, |word, hash| {
            let has_room = tokens.len() < first as usize + TOKENS_MAX;
            if has_room && (2..=20).contains(&word.len()) {
                tokens.push(hash);
            }
        });
    }

    /// The hashed target of a link; 0 if the link stays on the page.
    pub(super) fn target_of(&self, link: u32) -> u32 {
        self.targets.get(link as usize - 1).copied().unwrap_or(0)
    }
}

/// Combines two hashes.
pub(super) fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

const TOKEN_SEED: u32 = 0x811c_9dc5;

/// The hash of a token, in lower case.
pub(super) fn token_hash(word: &[u8]) -> u32 {
    word.iter().fold(TOKEN_SEED, |hash, byte| add_byte(hash, byte.to_ascii_lowercase()))
}

fn add_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// Appends bytes with every run of digits replaced by one `0`.
pub(super) fn push_with_numbers_alike(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    loop {
        let plain = first_digit(rest);
        out.extend_from_slice(&rest[..plain]);
        let number = rest[plain..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if number == 0 {
            return;
        }
        out.push(b'0');
        rest = &rest[plain + number..];
    }
}

/// The position of the first digit, or the length.
fn first_digit(bytes: &[u8]) -> usize {
    // Scripts are long, so eight bytes are compared at once.
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk() {
        let digits = digits_of(u64::from_le_bytes(*chunk));
        if digits != 0 {
            return at + digits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().position(u8::is_ascii_digit).unwrap_or(bytes.len() - at)
}

/// The highest bit of every byte that is a digit.
fn digits_of(bytes: u64) -> u64 {
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    // XOR turns digits, and only digits, into 0 to 9. Adding makes every larger value set its highest bit, without a carry into the
    // next byte.
    let values = bytes ^ u64::from_ne_bytes([b'0'; 8]);
    let is_larger = ((values & LOW) + u64::from_ne_bytes([LOW as u8 - 9; 8])) | values;
    !is_larger & !LOW
}

fn prefixed(prefix: &str, value: &str) -> u32 {
    let value = value.trim();
    let end = value.char_indices().nth(20).map_or(value.len(), |(at, _)| at);
    token_hash(format!("{prefix}{}", &value[..end]).as_bytes())
}

fn is_invisible(style: &[u8]) -> bool {
    let mut compact =
        style.iter().filter(|byte| !byte.is_ascii_whitespace()).map(|byte| byte.to_ascii_lowercase());
    let wanted = b"display:none";
    let mut matched = 0;
    compact.any(|byte| {
        matched = if byte == wanted[matched] { matched + 1 } else { usize::from(byte == wanted[0]) };
        matched == wanted.len()
    })
}

/// Hashes a link target without scheme, fragment and trailing slashes; 0 for fragments and scripts.
fn target_hash(href: &[u8]) -> u32 {
    let mut target = &href[..memchr(b'#', href).unwrap_or(href.len())];
    while let [rest @ .., b'/'] = target {
        target = rest;
    }
    let scheme = memchr_iter(b':', target).find(|at| target[*at..].starts_with(b"://"));
    let target = scheme.map_or(target, |at| &target[at + 3..]);
    match target.is_empty() || target.starts_with(b"javascript:") {
        true => 0,
        false => xxh3::xxh3_64(target) as u32 | 1,
    }
}

/// Calls `each` with every word of a name and its [`token_hash`]: `HTMLPage_top2` has `HTML`, `Page` and `top`.
fn for_each_word<'n>(name: &'n [u8], mut each: impl FnMut(&'n [u8], u32)) {
    let mut at = 0;
    while at < name.len() {
        let start = at;
        let (mut hash, mut without_last) = (TOKEN_SEED, TOKEN_SEED);
        while at < name.len() && name[at].is_ascii_uppercase() {
            (hash, without_last) = (add_byte(hash, name[at].to_ascii_lowercase()), hash);
            at += 1;
        }
        // In `HTMLPage`, the last capital begins the second word.
        if at > start + 1 && name.get(at).is_some_and(u8::is_ascii_lowercase) {
            at -= 1;
            each(&name[start..at], without_last);
            continue;
        }
        while at < name.len() && name[at].is_ascii_lowercase() {
            hash = add_byte(hash, name[at]);
            at += 1;
        }
        match at > start {
            true => each(&name[start..at], hash),
            false => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        let words = |name: &'static str| {
            let mut words = Vec::new();
            for_each_word(name.as_bytes(), |word, hash| {
                assert_eq!(hash, token_hash(word));
                words.push(std::str::from_utf8(word).unwrap());
            });
            words
        };
        assert_eq!(words("pageTop nav_1"), ["page", "Top", "nav"]);
        assert_eq!(words("HTMLPage_top2-x"), ["HTML", "Page", "top", "x"]);
        assert_eq!(words("12"), [""; 0]);
    }

    #[test]
    fn numbers_are_alike_wherever_they_stand() {
        let alike = |bytes: &[u8]| {
            let mut out = Vec::new();
            push_with_numbers_alike(bytes, &mut out);
            out
        };
        for byte in 0..=255 {
            for at in 0..20 {
                let mut bytes = vec![b'x'; 20];
                bytes[at] = byte;
                let expected = if byte.is_ascii_digit() { b'0' } else { byte };
                assert_eq!(alike(&bytes)[at], expected, "{byte} at {at}");
            }
        }
        assert_eq!(alike(b"12a345678901b"), b"0a0b");
    }

    #[test]
    fn hidden_styles_are_found() {
        assert!(is_invisible(b"color: red; DISPLAY : none"));
        assert!(!is_invisible(b"display: inline"));
        assert!(is_invisible(b"ddisplay:none"));
    }

    #[test]
    fn targets_are_pages() {
        assert_eq!(target_hash(b"https://tea.example/a/#top"), target_hash(b"http://tea.example/a"));
        assert_eq!(target_hash(b"#top"), 0);
        assert_eq!(target_hash(b"javascript:void(0)"), 0);
        assert_ne!(target_hash(b"/a"), target_hash(b"/b"));
    }
}
