//! Character references: `&amp;`, `&#65;`, `&#x41;`.

use std::sync::LazyLock;

use entities::ENTITIES;

/// A decoded character reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference {
    /// One or two characters.
    pub(crate) text: [char; 2],
    /// The number of characters in `text` that are used.
    pub(crate) chars: usize,
    /// The number of bytes in the page, including `&`.
    pub(crate) len: usize,
}

/// The context of a reference, which determines how a missing semicolon is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Text,
    Attribute,
}

/// Decodes the character reference at the start of `bytes`, which begin with `&`. `None` if it is just an ampersand.
pub(crate) fn decode(bytes: &[u8], place: Place) -> Option<Reference> {
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        letter if letter.is_ascii_alphanumeric() => named(bytes, place),
        _ => None,
    }
}

fn numeric(bytes: &[u8]) -> Option<Reference> {
    let (radix, digits_at) = match bytes.get(2)? {
        b'x' | b'X' => (16, 3),
        _ => (10, 2),
    };
    let digits = bytes[digits_at..].iter().take_while(|byte| (**byte as char).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    // All values above the last code point are handled alike, so saturating is exact.
    let code = bytes[digits_at..digits_at + digits].iter().fold(0u32, |code, byte| {
        code.saturating_mul(radix).saturating_add((*byte as char).to_digit(radix).unwrap_or(0))
    });
    let end = digits_at + digits;
    let len = end + usize::from(bytes.get(end) == Some(&b';'));
    Some(Reference { text: [character(code), '\0'], chars: 1, len })
}

/// The character for a number. The standard maps the C1 controls as windows-1252 does.
fn character(code: u32) -> char {
    const C1: [u32; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ];
    let code = match code {
        0 => 0xFFFD,
        0x80..=0x9F => C1[(code - 0x80) as usize],
        other => other,
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The names without `&`, sorted, with their characters.
static NAMED: LazyLock<Vec<(&'static [u8], &'static str)>> = LazyLock::new(|| {
    let mut named: Vec<_> = ENTITIES.iter().map(|e| (&e.entity.as_bytes()[1..], e.characters)).collect();
    named.sort_unstable();
    named
});

/// The length of the longest name, `CounterClockwiseContourIntegral;`.
const NAME_MAX: usize = 32;
/// The length of the shortest name, `gt`.
const NAME_MIN: usize = 2;

fn named(bytes: &[u8], place: Place) -> Option<Reference> {
    let rest = &bytes[1..];
    let mut name_len = rest.iter().take(NAME_MAX).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if rest.get(name_len) == Some(&b';') {
        name_len += 1;
    }
    let (len, text) = longest_name(&rest[..name_len])?;
    if place == Place::Attribute && rest[len - 1] != b';' {
        // `?a=1&copy=2` in a link has no copyright sign.
        let next = rest.get(len);
        if next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric()) {
            return None;
        }
    }
    let mut chars = text.chars();
    let first = chars.next()?;
    let second = chars.next();
    Some(Reference {
        text: [first, second.unwrap_or('\0')],
        chars: 1 + usize::from(second.is_some()),
        len: len + 1,
    })
}

/// The longest name that is a prefix of `rest`.
fn longest_name(rest: &[u8]) -> Option<(usize, &'static str)> {
    match rest {
        b"amp;" => return Some((4, "&")),
        b"lt;" => return Some((3, "<")),
        b"gt;" => return Some((3, ">")),
        b"quot;" => return Some((5, "\"")),
        b"nbsp;" => return Some((5, "\u{a0}")),
        _ => {}
    }
    guesses(rest).find(|(shared, name, _)| *shared == name.len()).map(|(shared, _, text)| (shared, text))
}

/// Candidates for a name that is a prefix of `rest`, each with the number of bytes that it shares with `rest`. The first candidate that
/// shares all of its bytes is the longest name.
///
/// A prefix of `rest` sorts before `rest`, and all names between the two begin with the same prefix. So the last name before `rest` shows
/// how many bytes are worth another look-up. A look-up for every length would take up to 31 of them.
fn guesses(mut rest: &[u8]) -> impl Iterator<Item = (usize, &'static [u8], &'static str)> {
    std::iter::from_fn(move || {
        if rest.len() < NAME_MIN {
            return None;
        }
        let after = NAMED.partition_point(|(name, _)| *name <= rest);
        let (name, text) = NAMED[after.checked_sub(1)?];
        let shared = name.iter().zip(rest).take_while(|(one, other)| one == other).count();
        rest = &rest[..shared];
        Some((shared, name, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, place: Place, expected: Option<(&str, usize)>) {
        let found =
            decode(input.as_bytes(), place).map(|r| (r.text[..r.chars].iter().collect::<String>(), r.len));
        assert_eq!(found.as_ref().map(|(text, len)| (text.as_str(), *len)), expected, "{input}");
    }

    #[test]
    fn references_in_text() {
        check("&amp;x", Place::Text, Some(("&", 5)));
        check("&notit;", Place::Text, Some(("¬", 4)));
        check("&notin;", Place::Text, Some(("∉", 7)));
        check("&NotEqualTilde;", Place::Text, Some(("≂̸", 15)));
        check("&CounterClockwiseContourIntegral;", Place::Text, Some(("∳", 33)));
        check("&#x80;", Place::Text, Some(("€", 6)));
        check("&#65x", Place::Text, Some(("A", 4)));
        check("&#99999999999;", Place::Text, Some(("\u{fffd}", 14)));
        check("&;", Place::Text, None);
        check("&#;", Place::Text, None);
        check("&unknown;", Place::Text, None);
    }

    /// Every name, and prefixes of names with other endings.
    fn like_names() -> impl Iterator<Item = Vec<u8>> {
        let names = NAMED.iter().flat_map(|(name, _)| (1..=name.len()).map(|len| &name[..len]));
        names.flat_map(|name| ["", ";", "A", "it;", "zzzzzzzz"].map(|end| [name, end.as_bytes()].concat()))
    }

    #[test]
    fn the_longest_name_is_found() {
        for rest in like_names() {
            let fitting = NAMED.iter().filter(|(name, _)| rest.starts_with(name));
            let longest = fitting.max_by_key(|(name, _)| name.len()).map(|(name, text)| (name.len(), *text));
            assert_eq!(longest_name(&rest), longest, "{}", String::from_utf8_lossy(&rest));
        }
    }

    #[test]
    fn a_name_is_found_in_a_few_looks() {
        let long = [b"a".repeat(NAME_MAX), b"z".repeat(NAME_MAX)];
        for rest in like_names().chain(long) {
            let mut looks = 0;
            guesses(&rest).inspect(|_| looks += 1).find(|(shared, name, _)| *shared == name.len());
            assert!(looks <= 7, "{looks} looks for {}", String::from_utf8_lossy(&rest));
        }
    }

    #[test]
    fn references_in_attributes() {
        check("&copy=2", Place::Attribute, None);
        check("&copy2", Place::Attribute, None);
        check("&copy;=2", Place::Attribute, Some(("©", 6)));
        check("&copy", Place::Attribute, Some(("©", 5)));
    }
}
