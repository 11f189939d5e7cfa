//! The template fingerprint of a page: the prefix references of LZW over its first tags.
//!
//! # What it does
//! The names of start and end tags, in the order of the page, are compressed with LZW. For each new dictionary entry, the fingerprint gets
//! the number of the entry that it extends, or 0 if there is none. After [`LENGTH`] entries it is full, and the rest of the page is
//! ignored.
//!
//! # Assumes
//! Pages of one template begin alike. The middle of the pages does not matter, and neither do the tag names themselves, only where they repeat.
//!
//! # Cost
//! Linear in the bytes that are read, a few kilobytes per page; nothing is allocated. 64 bytes per fingerprint.
//!
//! # Paper
//! Hachenberg, Gottron: *Locality Sensitive Hashing for Scalable Structural Classification and Clustering of Web Documents* (2013), section 3.1.

use std::fmt;
use std::str::FromStr;

use encoding_rs::Encoding;

use crate::html::source::SourceMemory;
use crate::limits::FINGERPRINT_LENGTH_MAX;

/// The number of entries in a full fingerprint, as in the paper.
pub const LENGTH: usize = 25;

/// A template fingerprint: a short value that is equal, or nearly equal, for pages of one template.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    len: u8,
    /// Zero from `len` on.
    bytes: [u8; FINGERPRINT_LENGTH_MAX],
}

impl Fingerprint {
    /// The fingerprint of a page without tags.
    pub const EMPTY: Fingerprint = Fingerprint { len: 0, bytes: [0; FINGERPRINT_LENGTH_MAX] };

    /// The fingerprint with these numbers; `None` if there are too many.
    pub fn new(numbers: &[u8]) -> Option<Fingerprint> {
        let mut fingerprint = Fingerprint::EMPTY;
        fingerprint.bytes.get_mut(..numbers.len())?.copy_from_slice(numbers);
        fingerprint.len = numbers.len() as u8;
        Some(fingerprint)
    }

    /// The numbers.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether two pages have the same template: their fingerprints are equal, or differ in one number that was changed, removed or
    /// inserted (Levenshtein distance at most 1).
    pub fn is_similar(&self, other: &Fingerprint) -> bool {
        is_within_one(self.as_bytes(), other.as_bytes())
    }
}

/// Whether the Levenshtein distance of two sequences is 0 or 1.
#[inline]
pub fn is_within_one(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let same = short.iter().zip(long).take_while(|(one, other)| one == other).count();
    match long.len() - short.len() {
        0 => same == short.len() || short[same + 1..] == long[same + 1..],
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

impl Ord for Fingerprint {
    fn cmp(&self, other: &Fingerprint) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl PartialOrd for Fingerprint {
    fn partial_cmp(&self, other: &Fingerprint) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fingerprint {
    /// Writes two hex digits per number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|number| write!(f, "{number:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The error for a text that is not a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fingerprint is two hex digits for each of at most {FINGERPRINT_LENGTH_MAX} numbers")]
pub struct BadFingerprint;

impl FromStr for Fingerprint {
    type Err = BadFingerprint;

    fn from_str(text: &str) -> Result<Fingerprint, BadFingerprint> {
        let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let numbers: Option<Vec<u8>> =
            pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
        numbers
            .filter(|_| rest.is_empty())
            .and_then(|numbers| Fingerprint::new(&numbers))
            .ok_or(BadFingerprint)
    }
}

/// Makes fingerprints of pages, reusing its memory.
#[derive(Debug)]
pub struct Fingerprinter {
    length: usize,
    dictionary: Dictionary,
    memory: SourceMemory,
}

impl Fingerprinter {
    /// A maker of fingerprints of at most `length` numbers, capped at [`FINGERPRINT_LENGTH_MAX`].
    pub fn new(length: usize) -> Fingerprinter {
        Fingerprinter {
            length: length.min(FINGERPRINT_LENGTH_MAX),
            dictionary: Dictionary::new(),
            memory: SourceMemory::default(),
        }
    }

    /// The fingerprint of a page. Any bytes have one.
    pub fn fingerprint(&mut self, payload: &[u8], encoding: &'static Encoding) -> Fingerprint {
        self.fingerprint_and_bytes(payload, encoding).0
    }

    /// The fingerprint of a page, and the number of bytes that were read for it.
    pub fn fingerprint_and_bytes(
        &mut self,
        payload: &[u8],
        encoding: &'static Encoding,
    ) -> (Fingerprint, usize) {
        self.dictionary.clear(self.length);
        if self.length == 0 {
            return (Fingerprint::EMPTY, 0);
        }
        let source = self.memory.open(payload, encoding);
        let mut tokens = source.tokens();
        while let Some(tag) = tokens.next_name(|_, _| ()) {
            if self.dictionary.add(tag.name.number()) {
                break;
            }
        }
        (self.dictionary.fingerprint, tokens.position())
    }
}

/// The slots of the dictionary's hash table: at least four times the maximum number of entries, and a power of two.
const SLOTS: usize = 256;

/// The LZW dictionary, as a small hash table from (prefix, tag) to the entry's number.
#[derive(Debug)]
struct Dictionary {
    /// The number of the entry at each slot, or 0.
    slots: [u8; SLOTS],
    keys: [u64; FINGERPRINT_LENGTH_MAX + 1],
    prefix: u8,
    length: usize,
    fingerprint: Fingerprint,
}

impl Dictionary {
    fn new() -> Dictionary {
        Dictionary {
            slots: [0; SLOTS],
            keys: [0; FINGERPRINT_LENGTH_MAX + 1],
            prefix: 0,
            length: 0,
            fingerprint: Fingerprint::EMPTY,
        }
    }

    fn clear(&mut self, length: usize) {
        self.slots = [0; SLOTS];
        self.prefix = 0;
        self.length = length.min(FINGERPRINT_LENGTH_MAX);
        self.fingerprint = Fingerprint::EMPTY;
    }

    /// Adds a tag, and returns whether the fingerprint is full now.
    #[inline]
    fn add(&mut self, tag: u32) -> bool {
        let key = u64::from(self.prefix) << 32 | u64::from(tag);
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize;
        loop {
            let number = self.slots[slot];
            if number == 0 {
                break;
            }
            if self.keys[usize::from(number)] == key {
                self.prefix = number;
                return false;
            }
            slot = (slot + 1) % SLOTS;
        }
        let len = usize::from(self.fingerprint.len);
        if len < self.length {
            self.fingerprint.bytes[len] = self.prefix;
            self.fingerprint.len += 1;
            self.slots[slot] = self.fingerprint.len;
            self.keys[len + 1] = key;
        }
        self.prefix = 0;
        usize::from(self.fingerprint.len) >= self.length
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{UTF_8, UTF_16LE};
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(page: &str, expected: &str) {
        let found = Fingerprinter::new(LENGTH).fingerprint(page.as_bytes(), UTF_8);
        assert_eq!(found.to_string(), expected, "{page}");
    }

    #[test]
    fn each_entry_gives_the_number_of_its_prefix() {
        let page = "<!doctype html><html><head><title>T</title></head><body class=x><p>1</p><p>2</p><!-- <b> -->\
                    <p><b>3</b></p></body></html>";
        check(page, "00000003000006070006");
    }

    #[test]
    fn a_prefix_that_is_open_at_the_end_adds_nothing() {
        check("<p>", "00");
        check("<p><p>", "00");
        check("<p><p><p>", "0001");
        check("", "");
        check("no tags at all", "");
    }

    #[test]
    fn names_count_in_lower_case_and_attributes_do_not() {
        check("<DIV a=b></div><diV>", "0001");
        check("<x-y></X-Y><x-z>", "0001");
        // Tags in a script are text.
        check("<script><p><p><p></script><p>", "0001");
    }

    #[test]
    fn reading_stops_when_it_is_full() {
        let mut page: String = (0..30).map(|number| format!("<t{number}>")).collect();
        let (fingerprint, bytes) = Fingerprinter::new(5).fingerprint_and_bytes(page.as_bytes(), UTF_8);
        assert_eq!((fingerprint.as_bytes(), bytes), (&[0; 5][..], "<t0>".len() * 5));
        page.push_str("<p>");
        let (full, _) = Fingerprinter::new(1000).fingerprint_and_bytes(page.as_bytes(), UTF_8);
        assert_eq!(full.as_bytes().len(), 31);
        let long: String = (0..FINGERPRINT_LENGTH_MAX + 9).map(|number| format!("<t{number}>")).collect();
        let longest = Fingerprinter::new(1000).fingerprint(long.as_bytes(), UTF_8);
        assert_eq!(longest.as_bytes().len(), FINGERPRINT_LENGTH_MAX);
        assert_eq!(Fingerprinter::new(0).fingerprint(b"<p>", UTF_8), Fingerprint::EMPTY);
    }

    #[test]
    fn pages_in_other_charsets_have_the_same_fingerprint() {
        let page = "<p>é</p><b>";
        let wide: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut maker = Fingerprinter::new(LENGTH);
        assert_eq!(maker.fingerprint(&wide, UTF_16LE), maker.fingerprint(page.as_bytes(), UTF_8));
    }

    #[test]
    fn hex_and_back() {
        let fingerprint = Fingerprint::new(&[0, 3, 24]).unwrap();
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        for bad in ["0", "0g", "é", &"00".repeat(FINGERPRINT_LENGTH_MAX + 1)] {
            assert_eq!(bad.parse::<Fingerprint>(), Err(BadFingerprint), "{bad}");
        }
    }

    /// A textbook implementation of LZW.
    fn textbook(tags: &[u32], length: usize) -> Vec<u8> {
        let mut entries: Vec<(u8, u32)> = Vec::new();
        let mut prefix = 0;
        for tag in tags {
            if entries.len() == length {
                break;
            }
            match entries.iter().position(|entry| *entry == (prefix, *tag)) {
                Some(at) => prefix = at as u8 + 1,
                None => {
                    entries.push((prefix, *tag));
                    prefix = 0;
                }
            }
        }
        entries.iter().map(|entry| entry.0).collect()
    }

    /// A textbook implementation of the Levenshtein distance.
    fn distance(one: &[u8], other: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in one.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, b) in other.iter().enumerate() {
                let changed = diagonal + usize::from(a != b);
                diagonal = row[j + 1];
                row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[other.len()]
    }

    proptest! {
        #[test]
        fn the_dictionary_is_that_of_lzw(tags in prop::collection::vec(0u32..6, 0..200), length in 0usize..40) {
            let mut dictionary = Dictionary::new();
            dictionary.clear(length);
            let _ = length > 0 && tags.iter().any(|tag| dictionary.add(*tag));
            prop_assert_eq!(dictionary.fingerprint.as_bytes(), &textbook(&tags, length)[..]);
        }

        #[test]
        fn similar_is_a_distance_of_one(
            one in prop::collection::vec(0u8..3, 0..8),
            other in prop::collection::vec(0u8..3, 0..8),
        ) {
            prop_assert_eq!(is_within_one(&one, &other), distance(&one, &other) <= 1);
        }

        #[test]
        fn any_bytes_have_a_fingerprint(page in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut maker = Fingerprinter::new(LENGTH);
            let (fingerprint, bytes) = maker.fingerprint_and_bytes(&page, UTF_8);
            prop_assert!(bytes <= page.len());
            prop_assert_eq!(fingerprint, maker.fingerprint(&page, UTF_8));
        }
    }
}
