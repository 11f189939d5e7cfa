//! The visible text of a page, with the span of every character.

pub mod content;
pub(crate) mod hidden_email;
pub(crate) mod inline;
pub(crate) mod math;
pub(crate) mod notes;
pub(crate) mod omitted;
pub(crate) mod permalink;
mod runs;

pub(crate) use crate::html::is_hidden;
pub use crate::html::{Piece, Pieces};

use crate::html::Source;
use crate::html::tag::Tag;
use crate::parsed::ParsedPage;
use crate::regions::Region;

/// Whether a byte is white space: space, tab, line feed, form feed, carriage return. Branchless, so that many bytes can be checked at once.
#[inline]
pub(crate) const fn is_white_byte(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 2) | (byte.wrapping_sub(0x0C) < 2)
}

/// Whether the bytes, as written in the page, are white space only. Empty text does not count.
#[inline]
pub(crate) fn is_white_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|byte| is_white_byte(*byte))
}

/// The visible text of each region of a page, in one line and truncated to `chars_max`. Regions must be sorted and must not overlap.
pub fn of_regions(source: &Source<'_>, regions: &[Region], chars_max: usize) -> Vec<String> {
    let mut lines = vec![(String::new(), 0); regions.len()];
    let mut at = 0;
    for piece in Pieces::of(source) {
        let Piece::Text { span, kind } = piece else {
            // A tag separates the words on both sides.
            lines[at.min(regions.len())..].iter_mut().take(1).for_each(|(line, len)| push_space(line, len));
            continue;
        };
        source.for_each_char(span, kind, |c, bytes| {
            while regions.get(at).is_some_and(|region| region.span.end <= bytes.start) {
                at += 1;
            }
            let is_inside = regions.get(at).is_some_and(|region| region.span.start <= bytes.start);
            if let (true, Some((line, len))) = (is_inside, lines.get_mut(at)) {
                if is_white(c) {
                    push_space(line, len);
                } else if *len < chars_max {
                    line.push(c);
                    *len += 1;
                }
            }
        });
    }
    lines.into_iter().map(|(line, _)| line.trim_end().to_owned()).collect()
}

/// The number of links that begin in each region of a page. Regions must be sorted and must not overlap.
pub fn links_in(page: &ParsedPage<'_>, regions: &[Region]) -> Vec<u32> {
    let mut links = vec![0; regions.len()];
    let mut at = 0;
    for piece in page.pieces() {
        let Piece::Start { tag: Tag::A, span, .. } = piece else { continue };
        let start = page.source().original(*span).start;
        while regions.get(at).is_some_and(|region| region.span.end <= start) {
            at += 1;
        }
        if regions.get(at).is_some_and(|region| region.span.start <= start) {
            links[at] += 1;
        }
    }
    links
}

fn push_space(line: &mut String, len: &mut usize) {
    if !line.is_empty() && !line.ends_with(' ') {
        line.push(' ');
        *len += 1;
    }
}

/// Whether a character is white space that browsers collapse, or a no-break space, which looks the same.
#[inline]
pub fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r' | '\u{a0}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Span;
    use crate::html::source::SourceMemory;

    #[test]
    fn regions_have_a_text() {
        let page = "<p>one<b>two</b> &lt;<p>three four";
        let region = |start, end| Region::new(Span { start, end }, crate::TemplateHash(0), 2);
        let mut memory = SourceMemory::default();
        let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
        let regions = [region(0, 22), region(24, 34)];
        assert_eq!(of_regions(&source, &regions, 99), ["one two <", "three four"]);
        assert_eq!(of_regions(&source, &regions, 2), ["on", "th"]);
        assert!(of_regions(&source, &[], 9).is_empty());
    }

    #[test]
    fn the_text_of_a_template_has_so_many_characters_and_no_more() {
        let most = crate::limits::TEMPLATE_TEXT_MAX;
        for chars in [most, most + 1] {
            // Each character has two bytes, so this checks that characters are counted.
            let page = "ä".repeat(chars);
            let region = Region::new(Span::new(0, page.len()), crate::TemplateHash(0), 2);
            let mut memory = SourceMemory::default();
            let source = memory.open(page.as_bytes(), encoding_rs::UTF_8);
            assert_eq!(of_regions(&source, &[region], most), ["ä".repeat(most)]);
        }
    }
}
