//! The method `fingerprint+`, which is not from a paper: a sketch of the names that a page uses for its parts.
//!
//! # What it does
//! The vocabulary of a page is the set of its layout elements (`div`, `form`, `script`, …) and of its classes, each with the element that
//! has it (`div.price`). Digits are removed from classes, because they usually number items. Elements that authors use in running text
//! count only with a class. The classes and the id of `body`, which many systems use for the kind of page, count [`BODY_WEIGHT`] times.
//!
//! Every word of the vocabulary falls into one of 32 bins by its hash, and each bin keeps its smallest hash (minwise hashing with one
//! permutation). Each of the [`BANDS`] numbers is the hash of four bins. Two pages have the same template if at least [`BANDS_ALIKE`] of
//! the eight numbers are equal. This is likely if they share more than about three quarters of their vocabulary, and unlikely if they share
//! less.
//!
//! # Assumes
//! Pages must name their parts. The sketch ignores counts and order, so lists of different lengths and parts in other places do not matter.
//! It covers the whole page, so two kinds of pages with the same head differ. It is worse than the plain fingerprint if pages have no
//! classes (with few words, each of them decides), if classes are generated anew for every page, and if pages are long, because it reads
//! the whole page.
//!
//! # Cost
//! Linear in the bytes of the page; nothing is allocated. 32 bytes per page.

use std::fmt;

use encoding_rs::Encoding;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::html::source::SourceMemory;
use crate::html::tag::Tag;
use crate::html::tokenizer::{TagName, hash_of_name};

/// The count of numbers in a sketch.
pub const BANDS: usize = 8;
/// The count of equal numbers that makes two pages similar.
pub const BANDS_ALIKE: usize = 3;
/// How often the classes and the id of `body` count.
pub const BODY_WEIGHT: u64 = 8;

const BINS_A_BAND: usize = 4;
const BINS: usize = BANDS * BINS_A_BAND;
const EMPTY: u64 = u64::MAX;

/// A sketch of a page's vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Vocabulary(pub [u32; BANDS]);

impl Vocabulary {
    /// The count of equal numbers.
    pub fn alike(&self, other: &Vocabulary) -> usize {
        self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count()
    }

    /// Whether two pages have the same template.
    pub fn is_similar(&self, other: &Vocabulary) -> bool {
        self.alike(other) >= BANDS_ALIKE
    }

    /// One key for each choice of three numbers. Two sketches share a key if and only if they are similar.
    pub fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let triples = (0..BANDS).flat_map(|first| {
            (first + 1..BANDS)
                .flat_map(move |second| (second + 1..BANDS).map(move |third| [first, second, third]))
        });
        triples.map(|triple: [usize; BANDS_ALIKE]| {
            let mut bytes = [0; BANDS_ALIKE * 5];
            for (part, at) in bytes.as_chunks_mut::<5>().0.iter_mut().zip(triple) {
                part[0] = at as u8;
                part[1..].copy_from_slice(&self.0[at].to_le_bytes());
            }
            xxh3_64(&bytes)
        })
    }

    /// The sketch as bytes, each number in big-endian order.
    pub fn to_bytes(self) -> [u8; BANDS * 4] {
        let mut bytes = [0; BANDS * 4];
        for (part, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
            *part = number.to_be_bytes();
        }
        bytes
    }

    /// Reads a sketch from bytes.
    pub fn from_bytes(bytes: [u8; BANDS * 4]) -> Vocabulary {
        let mut numbers = [0; BANDS];
        for (number, part) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = u32::from_be_bytes(*part);
        }
        Vocabulary(numbers)
    }
}

impl fmt::Display for Vocabulary {
    /// Writes eight hex digits per number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|number| write!(f, "{number:08x}"))
    }
}

/// Makes sketches of pages, reusing its memory.
#[derive(Debug, Default)]
pub struct VocabularyMaker {
    memory: SourceMemory,
}

impl VocabularyMaker {
    /// The sketch of a page. Any bytes have one.
    pub fn vocabulary(&mut self, payload: &[u8], encoding: &'static Encoding) -> Vocabulary {
        let source = self.memory.open(payload, encoding);
        let bytes = source.bytes();
        let mut tokens = source.tokens();
        let mut sketch = Sketch { bins: [EMPTY; BINS] };
        while let Some(tag) = tokens.next_name(|element, attribute| {
            let name = attribute.name.slice(bytes);
            let value = attribute.value.slice(bytes);
            if name.eq_ignore_ascii_case(b"class") {
                sketch.add_classes(element, value);
            } else if element.is(Tag::BODY) && name.eq_ignore_ascii_case(b"id") {
                sketch.add_repeatedly(word(ID, value));
            }
        }) {
            if !tag.is_end && !is_of_running_text(tag.name) {
                sketch.add(hash_of_name(tag.span.slice(bytes)));
            }
        }
        sketch.finish()
    }
}

/// Seeds that distinguish kinds of words.
const ID: u64 = 1;
const BODY_CLASS: u64 = 2;

struct Sketch {
    bins: [u64; BINS],
}

impl Sketch {
    #[inline]
    fn add(&mut self, word: u64) {
        let bin = &mut self.bins[(((word >> 32) * BINS as u64) >> 32) as usize];
        *bin = word.min(*bin);
    }

    /// Adds a word as if it were several.
    fn add_repeatedly(&mut self, word: u64) {
        (1..=BODY_WEIGHT).for_each(|number| self.add(xxh3_64_with_seed(&word.to_le_bytes(), number)));
    }

    fn add_classes(&mut self, element: TagName, classes: &[u8]) {
        let classes = classes.split(u8::is_ascii_whitespace);
        for class in classes.filter(|class| class.iter().any(|byte| !byte.is_ascii_digit())) {
            self.add(word(element.stable_hash(), class));
            if element.is(Tag::BODY) {
                self.add_repeatedly(word(BODY_CLASS, class));
            }
        }
    }

    fn finish(self) -> Vocabulary {
        let bytes = |bins: &[u64]| {
            let mut bytes = [0; BINS * 8];
            for (part, bin) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(bins) {
                *part = bin.to_le_bytes();
            }
            bytes
        };
        let whole = xxh3_64(&bytes(&self.bins));
        let mut bands = [0; BANDS];
        for (band, bins) in bands.iter_mut().zip(self.bins.chunks(BINS_A_BAND)) {
            // Two sketches must not match because they are both empty here, unless all their other bins match as well.
            let is_empty = bins.iter().all(|bin| *bin == EMPTY);
            *band = if is_empty { whole } else { xxh3_64(&bytes(bins)) } as u32;
        }
        Vocabulary(bands)
    }
}

/// The hash of a class or id without its digits, without a copy of it on the heap.
fn word(seed: u64, text: &[u8]) -> u64 {
    let mut hash = seed;
    let mut part = [0; 64];
    let mut len = 0;
    for byte in text.iter().filter(|byte| !byte.is_ascii_digit()) {
        part[len] = *byte;
        len += 1;
        if len == part.len() {
            hash = xxh3_64_with_seed(&part, hash);
            len = 0;
        }
    }
    xxh3_64_with_seed(&part[..len], hash)
}

/// Elements that authors use in running text, lists and tables. Their presence on a page says more about the text than about the template.
fn is_of_running_text(name: TagName) -> bool {
    #[rustfmt::skip]
    const NAMES: [Tag; 54] = [
        Tag::B, Tag::I, Tag::EM, Tag::STRONG, Tag::BR, Tag::FONT, Tag::A, Tag::IMG, Tag::P, Tag::U, Tag::SMALL, Tag::BIG,
        Tag::SUP, Tag::SUB, Tag::SPAN, Tag::TT, Tag::CODE, Tag::S, Tag::STRIKE, Tag::CENTER, Tag::HR, Tag::WBR, Tag::NOBR,
        Tag::ABBR, Tag::ACRONYM, Tag::CITE, Tag::Q, Tag::INS, Tag::DEL, Tag::VAR, Tag::KBD, Tag::SAMP, Tag::DFN, Tag::LI,
        Tag::OL, Tag::UL, Tag::DL, Tag::DT, Tag::DD, Tag::BLOCKQUOTE, Tag::PRE, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5,
        Tag::H6, Tag::TABLE, Tag::TBODY, Tag::TR, Tag::TD, Tag::TH, Tag::THEAD, Tag::TFOOT,
    ];
    NAMES.iter().any(|tag| name.is(*tag))
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    fn of(page: &str) -> Vocabulary {
        VocabularyMaker::default().vocabulary(page.as_bytes(), UTF_8)
    }

    /// A page with many parts and one special part.
    fn page(special: &str) -> String {
        let parts: String =
            ["top", "menu", "search", "path", "title", "text", "rating", "related", "comments", "foot"]
                .iter()
                .map(|class| format!("<div class={class}><p>text</p></div>"))
                .collect();
        format!("<html><head><title>T</title></head><body>{parts}{special}</body></html>")
    }

    #[test]
    fn running_text_order_and_numbers_do_not_matter() {
        let one = of("<div class='item item-17'><p>a</div><form></form>");
        assert_eq!(one, of("<form></form><div class='item-4 item'><b>x</b></div><div class=item></div>"));
        assert_ne!(one, of("<div class='item item-17'><p>a</div>"));
        assert_eq!(of(&page("")), of(&page("<ul><li>a<li>b</ul>")));
    }

    #[test]
    fn pages_without_anything_are_alike_and_others_are_not() {
        assert_eq!(of(""), of("text"));
        assert!(of("").is_similar(&of("no <b>tags</b> of layout")));
        assert!(!of("").is_similar(&of("<div>")));
        assert!(!of("<form>").is_similar(&of("<div>")));
    }

    #[test]
    fn kinds_of_pages_differ_by_their_parts_and_by_their_body() {
        let list: String = (b'a'..=b'z').map(|c| format!("<span class=list-{}>", c as char)).collect();
        assert!(!of(&page("")).is_similar(&of(&page(&list))));
        assert!(of(&page("")).is_similar(&of(&page("<span class=new>"))));
        let kind = |kind: &str| of(&page("").replace("<body>", &format!("<body class='{kind}' id={kind}>")));
        assert!(!kind("single").is_similar(&kind("archive")));
    }

    #[test]
    fn keys_are_shared_by_similar_sketches_only() {
        let one = Vocabulary([1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(one.keys().count(), 56);
        let shares = |other: Vocabulary| one.keys().any(|key| other.keys().any(|other| key == other));
        for other in [
            [1, 9, 9, 9, 9, 9, 7, 9],
            [1, 2, 9, 9, 9, 9, 9, 8],
            [2, 1, 4, 3, 6, 5, 8, 7],
            [9, 9, 9, 9, 9, 6, 7, 8],
            [1, 2, 3, 4, 5, 6, 7, 8],
        ] {
            let other = Vocabulary(other);
            assert_eq!(shares(other), one.is_similar(&other), "{other}");
        }
        assert_eq!(Vocabulary::from_bytes(one.to_bytes()), one);
        assert_eq!(one.to_string(), "0000000100000002000000030000000400000005000000060000000700000008");
    }
}
