//! Plain-text notation for superscripts, subscripts and quotations: without it, `10<sup>6</sup>` would be 106.
//!
//! It is used only in output for readers, not in the text that methods compare.

use super::is_white;
use crate::html::tag::Tag;

/// Maximum bytes of a superscript or subscript. Longer text is merely set in small letters.
const SCRIPT_BYTES_MAX: usize = 64;

/// Whether plain text may need notation for an element.
pub(crate) fn needs_notation(tag: Tag) -> bool {
    matches!(tag, Tag::SUP | Tag::SUB | Tag::Q)
}

/// Adds the notation to the text of an element, which begins at `at` and ends with the text.
///
/// A superscript that is a number or a variable gets `^`, unless white space precedes it: `10^6`, `x^(n+1)`. Ordinals, trademarks and
/// references in brackets need no notation: `1st`, `tea[1]`. A subscript gets `_` only after a digit: `10_2`, but `H2O`.
pub(crate) fn add_notation(tag: Tag, text: &mut String, at: usize) {
    let Some((before, inner)) = text.split_at_checked(at) else { return };
    if tag == Tag::Q {
        if let Some(first) = inner.find(|c| !is_white(c)) {
            text.insert(at + first, '"');
            text.push('"');
        }
        return;
    }
    if tag == Tag::SUB
        && !inner.is_empty()
        && let Some(numerator) = numerator_caret(before)
    {
        return text.replace_range(numerator..=numerator, " ");
    }
    if let Some((open, close)) = script_notation(tag, before, inner) {
        text.insert_str(at, open);
        text.push_str(close);
    }
}

/// The text to write before and after a superscript or subscript, if any.
fn script_notation(tag: Tag, before: &str, inner: &str) -> Option<(&'static str, &'static str)> {
    let last = before.chars().next_back().filter(|last| !is_white(*last))?;
    let is_long = inner.len() > SCRIPT_BYTES_MAX || inner.contains('\n');
    if inner.is_empty() || inner.starts_with(is_white) || is_long {
        return None;
    }
    let number = inner.trim_start_matches(['+', '-', '−', '–']);
    let is_one = number.chars().all(|c| c.is_alphanumeric() || ".,".contains(c));
    match tag {
        Tag::SUP if is_exponent(inner) => Some(if is_one { ("^", "") } else { ("^(", ")") }),
        Tag::SUB if last.is_numeric() && inner.contains(char::is_numeric) => {
            Some(if is_one { ("_", "") } else { ("_(", ")") })
        }
        _ => None,
    }
}

fn is_exponent(inner: &str) -> bool {
    const VARIABLES: [&str; 12] = ["n", "m", "k", "i", "j", "p", "q", "x", "y", "z", "t", "T"];
    let is_bracketed = inner.starts_with(['[', '(']);
    !is_bracketed && (inner.contains(char::is_numeric) || VARIABLES.contains(&inner))
}

/// The position of the `^` of a numerator that is followed by its denominator: `1<sup>1</sup>/<sub>2</sub>` is 1 1/2, not a power.
pub(crate) fn numerator_caret(before: &str) -> Option<usize> {
    let numerator = before.strip_suffix(['/', '⁄'])?;
    let head = numerator.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = head.len() < numerator.len() && head.trim_end_matches('^').ends_with(char::is_numeric);
    (is_number && head.ends_with('^')).then(|| head.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tag: Tag, before: &str, inner: &str, expected: &str) {
        let mut text = [before, inner].concat();
        add_notation(tag, &mut text, before.len());
        assert_eq!(text, expected);
    }

    #[test]
    fn values_do_not_change() {
        check(Tag::SUP, "10", "6", "10^6");
        check(Tag::SUP, "10", "−6", "10^−6");
        check(Tag::SUP, "x", "n+1", "x^(n+1)");
        check(Tag::SUP, "2", "n", "2^n");
        check(Tag::SUB, "10", "2", "10_2");
        check(Tag::SUB, "1^1/", "2", "1 1/2");
        check(Tag::SUB, "x^1/", "2", "x^1/2");
    }

    #[test]
    fn what_reads_well_needs_no_notation() {
        check(Tag::SUP, "1", "st", "1st");
        check(Tag::SUP, "Tea", "TM", "TeaTM");
        check(Tag::SUP, "tea", "[1]", "tea[1]");
        check(Tag::SUP, "the ", "14", "the 14");
        check(Tag::SUP, "", "14", "14");
        check(Tag::SUP, "a", "", "a");
        check(Tag::SUB, "H", "2", "H2");
        check(Tag::SUB, "1/", "2", "1/2");
    }

    #[test]
    fn footnotes_and_quotations() {
        check(Tag::SUP, "tea.", "12", "tea.^12");
        check(Tag::SUP, "2019", "1,2", "2019^1,2");
        check(Tag::Q, "Ann: ", "hot tea", "Ann: \"hot tea\"");
        check(Tag::Q, "Ann:", " hot", "Ann: \"hot\"");
        check(Tag::Q, "Ann", " ", "Ann ");
    }
}
