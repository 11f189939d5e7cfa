//! The parts of a title before and after its separators. A part that most titles of a site share is usually the name of the site.

use xxhash_rust::xxh3;

use super::markup::Markup;
use crate::html::{Node, NodeKind, Span};

/// The maximum number of separators of a title.
const SEPARATORS_MAX: usize = 8;
/// The maximum number of characters of a title that are read.
const CHARS_MAX: usize = 1 << 9;

/// A part of a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TitlePart {
    /// Its span, including the separator next to it, and a hash of its text without the separator. So a name at the start of one title
    /// equals the same name at the end of another.
    pub(super) markup: Markup,
    /// Whether it is the end of the title; otherwise it is the beginning.
    pub(super) is_end: bool,
}

/// The parts of a title: its ends, longest first, then its beginnings, longest first.
pub(super) fn of(title: Node<'_>) -> Vec<TitlePart> {
    let Some(text) = title.children().find(|node| node.kind() == NodeKind::Text) else { return Vec::new() };
    let mut chars: Vec<(char, Span)> = Vec::new();
    text.for_each_char(|c, span| {
        if chars.len() < CHARS_MAX {
            chars.push((c, span));
        }
    });
    let is_white = |c: &(char, Span)| c.0.is_whitespace();
    let first = chars.iter().take_while(|c| is_white(c)).count();
    let end = chars.len() - chars.iter().rev().take_while(|c| is_white(c)).count();
    let chars = chars.get(first..end).unwrap_or_default();
    let separators = separators(chars);
    let ends = separators.iter().map(|(start, end)| part(&chars[*start..], &chars[*end..], true));
    let beginnings =
        separators.iter().rev().map(|(start, end)| part(&chars[..*end], &chars[..*start], false));
    ends.chain(beginnings).collect()
}

/// The parts of a title that most other pages have: the longest such end, and the longest such beginning before it.
pub(super) fn repeated(
    parts: &[TitlePart],
    is_on_most: impl Fn(u64) -> bool,
) -> impl Iterator<Item = Markup> {
    let mut on_most = parts.iter().filter(|part| is_on_most(part.markup.hash)).peekable();
    let end = on_most.next_if(|part| part.is_end).map(|part| part.markup);
    let is_in_front = |part: &Markup| end.is_none_or(|end| part.span.end <= end.span.start);
    let beginning = on_most.filter(|part| !part.is_end).map(|part| part.markup).find(is_in_front);
    beginning.into_iter().chain(end)
}

/// The ranges of the separators, including the white space around them.
fn separators(chars: &[(char, Span)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for word in chars.split_inclusive(|(c, _)| c.is_whitespace()) {
        let end = start + word.len();
        let is_between = start > 0 && end < chars.len() && word.len() > 1;
        if is_between && word[..word.len() - 1].iter().all(|(c, _)| is_separator(*c)) {
            let spaces = chars[..start].iter().rev().take_while(|(c, _)| c.is_whitespace()).count();
            found.push((start - spaces, end));
        }
        start = end;
    }
    found.truncate(SEPARATORS_MAX);
    found
}

/// Whether a character separates parts of a title. `&`, `+` and `/` are not included because they also join words.
fn is_separator(c: char) -> bool {
    matches!(c, '|' | '-' | '–' | '—' | ':' | '·' | '•' | '»' | '«' | '›' | '‹' | '~' | '｜' | '丨')
}

fn part(chars: &[(char, Span)], name: &[(char, Span)], is_end: bool) -> TitlePart {
    let span = Span { start: chars[0].1.start, end: chars[chars.len() - 1].1.end };
    let name: String = name.iter().map(|(c, _)| *c).collect();
    TitlePart { markup: Markup { span, hash: xxh3::xxh3_64_with_seed(name.as_bytes(), 1) }, is_end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Parser;
    use crate::html::tag::Tag;

    /// The parts of a title, and what remains of those that other titles have, too.
    fn parts(title: &str, others: &[&str]) -> (Vec<String>, Vec<String>) {
        let of_title = |title: &str| {
            let html = format!("<title>{title}</title>");
            let mut parser = Parser::new();
            let document = parser.parse(html.as_bytes(), encoding_rs::UTF_8);
            let node = document.descendants().find(|node| node.tag() == Some(Tag::TITLE)).expect("a title");
            let text = |part: Markup| html[part.span.range()].to_owned();
            let parts: Vec<(u64, String, TitlePart)> =
                of(node).into_iter().map(|part| (part.markup.hash, text(part.markup), part)).collect();
            parts
        };
        let known: Vec<u64> =
            others.iter().flat_map(|other| of_title(other)).map(|(hash, ..)| hash).collect();
        let own = of_title(title);
        let only: Vec<TitlePart> = own.iter().map(|(.., part)| *part).collect();
        let text = |part: Markup| own.iter().find(|(.., one)| one.markup == part).expect("a part").1.clone();
        let found = repeated(&only, |hash| known.contains(&hash)).map(text).collect();
        (own.into_iter().map(|(_, text, _)| text).collect(), found)
    }

    #[test]
    fn titles_are_cut_at_separators() {
        let (parts, _) = parts(" Hot tea - Recipes &mdash; Tea Times ", &[]);
        assert_eq!(
            parts,
            [
                " - Recipes &mdash; Tea Times",
                " &mdash; Tea Times",
                "Hot tea - Recipes &mdash; ",
                "Hot tea - "
            ]
        );
    }

    #[test]
    fn words_with_hyphens_and_separators_at_the_edges_are_not_cut() {
        for title in ["Tea-time", "Tea & milk", "- Tea", "Tea |", "|", "", " - "] {
            assert_eq!(parts(title, &[]).0, [""; 0], "{title}");
        }
    }

    #[test]
    fn the_longest_end_and_beginning_of_other_titles_are_repeated() {
        let repeated = |title, others: &[&str]| parts(title, others).1;
        assert_eq!(repeated("Hot tea | Tea Times", &["Milk | Tea Times"]), [" | Tea Times"]);
        assert_eq!(
            repeated("Hot - Recipes - Tea Times", &["Ice - Recipes - Tea Times"]),
            [" - Recipes - Tea Times"]
        );
        assert_eq!(repeated("Tea Times: News » Hot » Home", &["Tea Times: News » Ice » Home"]).len(), 2);
        assert_eq!(repeated("Forum - Tea Times", &["Forum - Tea Times"]), [" - Tea Times"]);
        assert_eq!(repeated("Tea Times - Search", &["Milk - Tea Times"]), ["Tea Times - "]);
        assert_eq!(repeated("Hot tea | Tea Times", &["Hot milk | Tea News"]), [""; 0]);
    }
}
