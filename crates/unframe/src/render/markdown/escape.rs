//! Escapes characters of the page that would have a meaning in Markdown.

use crate::text::is_white;

/// The open inline element of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum InlineContext {
    Nothing,
    /// Emphasis, whose delimiter may follow.
    Emphasis,
    /// A link or an image, in which brackets have a meaning.
    Link,
    /// Code, in which nothing has a meaning.
    Code,
}

/// Appends words with single spaces between them. `next` is the following character, if it is known already.
pub(super) fn words(text: &str, next: Option<char>, context: InlineContext, out: &mut String) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    let mut words = text.split(is_white).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let next = if words.peek().is_some() { Some(' ') } else { next };
        match context {
            InlineContext::Code => out.push_str(word),
            _ => self::word(word, next, context, out),
        }
        if words.peek().is_some() {
            out.push(' ');
        }
    }
}

/// Whether words are appended as they are, which holds for most texts: nothing has a meaning, and single spaces separate the words.
fn is_plain(text: &str) -> bool {
    let mut before = 0;
    text.bytes().all(|byte| match (std::mem::replace(&mut before, byte), byte) {
        // Two spaces, or a no-break space, which is white space too.
        (b' ', b' ') | (0xc2, 0xa0) => false,
        _ => byte >= b' ' && !can_have_meaning(byte),
    })
}

/// Appends a word. `next` is the following character, if it is known already.
pub(super) fn word(word: &str, next: Option<char>, context: InlineContext, out: &mut String) {
    if !word.bytes().any(can_have_meaning) {
        out.push_str(word);
        return;
    }
    let last_at_sign = word.rfind('@');
    for (at, c) in word.char_indices() {
        let rest = &word[at + c.len_utf8()..];
        let next = rest.chars().next().or(next);
        let before = out.chars().next_back().filter(|before| *before != '\n');
        let is_alone = before == Some(' ') && next == Some(' ') && context == InlineContext::Nothing;
        let is_needed = match c {
            '`' => true,
            '\\' => next.is_none_or(|next| next.is_ascii_punctuation() || next == ' '),
            '*' | '~' => !is_alone,
            '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
            '[' => context == InlineContext::Link,
            ']' => context == InlineContext::Link || next.is_some_and(|next| is_joint(c, next)),
            // `<` before `@` would begin an e-mail address.
            '<' => next.is_some_and(|next| is_joint(c, next)) || last_at_sign > Some(at),
            '&' => is_reference(rest),
            _ => false,
        };
        if is_needed {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Whether some context gives the character a meaning.
fn can_have_meaning(byte: u8) -> bool {
    matches!(byte, b'`' | b'\\' | b'*' | b'~' | b'_' | b'[' | b']' | b'<' | b'&')
}

/// Whether `&` followed by `rest` is a character reference such as `&amp;` or `&#65;`.
fn is_reference(rest: &str) -> bool {
    let len = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    len > 0 && rest.as_bytes().get(len) == Some(&b';')
}

/// Whether two adjacent characters have a meaning: the end of a link's text, a tag, an image.
fn is_joint(before: char, next: char) -> bool {
    match before {
        ']' => "(:".contains(next),
        '<' => next.is_ascii_alphabetic() || "/!?".contains(next),
        '!' => next == '[',
        _ => false,
    }
}

/// Ensures that `next` can be appended without a meaning that neither part has alone.
pub(super) fn joint(out: &mut String, next: char) {
    let Some(last) = out.chars().next_back() else { return };
    let name =
        out.bytes().rev().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    let at = match out.as_bytes()[..out.len() - name].last() {
        Some(b'&') if next.is_ascii_alphanumeric() || "#;".contains(next) => out.len() - name - 1,
        _ if is_joint(last, next) => out.len() - last.len_utf8(),
        _ => return,
    };
    let is_escaped = out.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    if !is_escaped {
        out.insert(at, '\\');
    }
}

/// Appends the destination of a link or image.
pub(super) fn address(address: &str, out: &mut String) {
    out.push_str("](");
    // Most addresses can be appended as they are.
    if address.bytes().all(|byte| byte.is_ascii_graphic() && !b"()<>\\&".contains(&byte)) {
        out.push_str(address);
        out.push(')');
        return;
    }
    // Browsers drop line breaks and tabs in addresses, and white space at their ends.
    let address: String = address.trim().chars().filter(|c| !matches!(c, '\n' | '\r' | '\t')).collect();
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"()<>\\".contains(c);
    if address.chars().all(is_plain) {
        push_address(&address, out);
    } else {
        out.push('<');
        push_address(&address, out);
        out.push('>');
    }
    out.push(')');
}

fn push_address(address: &str, out: &mut String) {
    for (at, c) in address.char_indices() {
        let is_needed = match c {
            '<' | '>' | '\\' => true,
            '&' => is_reference(&address[at + 1..]),
            _ => false,
        };
        if is_needed {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Appends a code span, delimited by more backquotes than the code contains.
pub(super) fn code(code: &str, out: &mut String) {
    let code = code.replace("\\\n", " ");
    // A run of another length does not end the code span.
    let run = longest_run(&code, '`');
    let fence = "`".repeat(run + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    out.extend([&fence, pad, &code, pad, &fence]);
}

/// The length of the longest run of a character.
pub(super) fn longest_run(text: &str, c: char) -> usize {
    text.split(|other| other != c).map(str::len).max().unwrap_or(0)
}

/// Whether `**` between these characters can begin emphasis. Apart from letters and white space, only ASCII characters are punctuation in
/// every Markdown implementation.
pub(super) fn can_open(before: char, next: char) -> bool {
    !next.is_whitespace()
        && (next.is_alphanumeric() || before.is_whitespace() || before.is_ascii_punctuation())
}

/// Whether `**` between these characters can end emphasis.
pub(super) fn can_close(before: char, next: char) -> bool {
    can_open(next, before)
}

/// Escapes characters that would turn a line of a paragraph into a list, a heading, a rule or a quotation.
pub(super) fn line_start(line: &str) -> String {
    let is_only = |marks: &str| line.chars().all(|c| marks.contains(c));
    let follows = |at: usize| line[at..].chars().next().is_none_or(|c| c == ' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let at = match line.as_bytes() {
        [b'>', ..] => Some(0),
        [b'#', ..] if hashes <= 6 && follows(hashes) => Some(0),
        [b'-' | b'+', ..] if follows(1) => Some(0),
        [b'-' | b'|' | b':', ..] if is_only("-|: ") => Some(0),
        [b'=', ..] if is_only("= ") => Some(0),
        [b'[', b' ' | b'x' | b'X', b']', ..] if follows(3) => Some(0),
        bytes if (1..=9).contains(&digits) => {
            matches!(bytes.get(digits), Some(b'.' | b')')).then_some(digits).filter(|at| follows(at + 1))
        }
        _ => None,
    };
    match at {
        Some(at) => [&line[..at], "\\", &line[at..]].concat(),
        None => line.to_owned(),
    }
}

/// Escapes `#` at the end of a heading, which would be dropped.
pub(super) fn heading_end(mut heading: String) -> String {
    let text = heading.trim_end_matches('#').len();
    if text < heading.len() && (text == 0 || heading[..text].ends_with(' ')) {
        heading.insert(text, '\\');
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_a_meaning_is_escaped() {
        let check = |text: &str, expected: &str| {
            let mut out = String::new();
            word(text, Some(' '), InlineContext::Nothing, &mut out);
            assert_eq!(out, expected);
        };
        check("snake_case", "snake_case");
        check("_private", "\\_private");
        check("2*3", "2\\*3");
        check("[1]", "[1]");
        check("[a](b)", "[a\\](b)");
        check("AT&T", "AT&T");
        check("&copy;", "\\&copy;");
        check("a<b", "a\\<b");
        check("a<=b", "a<=b");
        check("<1@example.com>", "\\<1@example.com>");
        check("C:\\dir", "C:\\dir");
        check("\\*", "\\\\\\*");
    }

    #[test]
    fn starts_of_lines() {
        let check = |text: &str, expected: &str| assert_eq!(line_start(text), expected);
        check("- a", "\\- a");
        check("-5", "-5");
        check("---", "\\---");
        check("1. a", "1\\. a");
        check("1.5", "1.5");
        check("2016) a", "2016\\) a");
        check("# a", "\\# a");
        check("#tag", "#tag");
        check("> a", "\\> a");
        check("===", "\\===");
        check("=> a", "=> a");
        check("[x] done", "\\[x] done");
        assert_eq!(heading_end("C #".into()), "C \\#");
        assert_eq!(heading_end("C#".into()), "C#");
    }

    #[test]
    fn addresses_and_code() {
        let check = |text: &str, expected: &str| {
            let mut out = String::new();
            address(text, &mut out);
            assert_eq!(out, expected);
        };
        check("/a?b=c&d", "](/a?b=c&d)");
        check("/a?b&copy;", "](/a?b\\&copy;)");
        check("/wiki/Tea_(drink)", "](</wiki/Tea_(drink)>)");
        check(" a b\n", "](<a b>)");
        check("", "]()");
        let mut out = String::new();
        code("a`b``", &mut out);
        assert_eq!(out, "``` a`b`` ```");
    }
}
