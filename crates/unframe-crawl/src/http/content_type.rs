//! The value of `Content-Type`. There may be several, and some are not media types.

use std::borrow::Cow;

/// The type and subtype of a `Content-Type` value, without parameters; in a list, those of the last media type. The result may be empty or
/// not a media type at all. White space ends it too, because some servers omit the semicolon.
pub(crate) fn essence(value: &str) -> &str {
    media_types(value).filter(|part| is_media_type(part)).last().map_or_else(|| first_word(value), first_word)
}

/// Chooses between the current value and the next one. As in browsers, the last media type wins, but if it only lacks a charset, it keeps
/// the charset of its predecessor.
pub(crate) fn prefer<'b>(current: Option<Cow<'b, str>>, next: Cow<'b, str>) -> Option<Cow<'b, str>> {
    let mut best: Option<Cow<'b, str>> = current;
    for part in media_types(&next) {
        let better = match &best {
            None => !part.is_empty(),
            Some(_) if !is_media_type(part) => false,
            Some(old) if !is_media_type(old) => true,
            Some(old) => !(same_essence(old, part) && has_charset(old) && !has_charset(part)),
        };
        if better {
            // Most heads have one value that is one media type, which is kept without copying.
            if part.len() == next.len() {
                return Some(next.clone());
            }
            best = Some(Cow::Owned(part.to_owned()));
        }
    }
    best
}

/// The parts of a comma-separated list, ignoring commas in quotes.
fn media_types(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    value
        .split(move |c| {
            quoted ^= c == '"';
            c == ',' && !quoted
        })
        .map(str::trim)
}

fn is_media_type(part: &str) -> bool {
    let is_token = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-%'`|~".contains(&b))
    };
    first_word(part).split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

fn first_word(part: &str) -> &str {
    let part = part.trim_matches(|c: char| c.is_ascii_whitespace() || c == '"' || c == '\'');
    let end = part.find(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ',' | '"' | '\''));
    &part[..end.unwrap_or(part.len())]
}

fn same_essence(left: &str, right: &str) -> bool {
    first_word(left).eq_ignore_ascii_case(first_word(right))
}

fn has_charset(value: &str) -> bool {
    value.to_ascii_lowercase().contains("charset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_essence_is_the_last_media_type_of_a_list() {
        let check = |value, expected| assert_eq!(essence(value), expected, "{value}");
        check("text/html; charset=utf-8", "text/html");
        check(" Text/HTML ;x", "Text/HTML");
        check("text/html charset=gbk", "text/html");
        check("\"text/html\"", "text/html");
        check("text/plain, text/html", "text/html");
        check("text/html, */*", "text/html");
        check("text/html; x=\"a,b/c\"", "text/html");
        check("*/*", "*/*");
        check("html", "html");
        check("", "");
        check(",", "");
    }

    #[test]
    fn the_last_media_type_counts_and_keeps_its_charset() {
        let check = |values: &[&str], expected: Option<&str>| {
            let best = values.iter().fold(None, |best, value| prefer(best, Cow::Borrowed(*value)));
            assert_eq!(best.as_deref(), expected, "{values:?}");
        };
        check(&["text/html"], Some("text/html"));
        check(&["text/plain", "text/html; charset=gbk"], Some("text/html; charset=gbk"));
        check(&["text/html; charset=gbk", "text/html"], Some("text/html; charset=gbk"));
        check(&["text/html; charset=gbk, text/html"], Some("text/html; charset=gbk"));
        check(&["text/html", "*/*"], Some("text/html"));
        check(&["nonsense", "text/html"], Some("text/html"));
        check(&["nonsense"], Some("nonsense"));
        check(&[""], None);
    }
}
