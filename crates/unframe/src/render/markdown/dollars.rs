//! Finds dollar signs of the page that a reader would take for the delimiters of a formula.
//!
//! The rule is that of Pandoc, and of most readers: a formula begins with a dollar sign before a character, and ends with one behind a
//! character and not before a digit. So `from $5 to $10` needs no escapes. Some readers pair any two dollar signs, which would tear
//! formulas apart, so all dollar signs beside a formula are escaped.

use crate::text::is_white;

/// The positions of dollar signs to escape in Markdown without formulas: all, or those that could enclose a formula.
pub(super) fn to_escape(markdown: &str, all: bool) -> Vec<usize> {
    let mut found = in_text(markdown);
    if all {
        return found;
    }
    let can_open = |at: &usize| markdown[at + 1..].chars().next().is_some_and(|next| !is_white(next));
    let can_close = |at: &usize| {
        markdown[..*at].chars().next_back().is_some_and(|before| !is_white(before))
            && !markdown[at + 1..].starts_with(|next: char| next.is_ascii_digit())
    };
    let first = found.iter().copied().find(can_open);
    // To a reader, the end may also be in code or in an address.
    let last = memchr::memrchr_iter(b'$', markdown.as_bytes()).find(can_close);
    found.retain(|at| {
        can_open(at) && last.is_some_and(|last| *at < last)
            || can_close(at) && first.is_some_and(|first| first < *at)
    });
    found
}

/// Appends Markdown with a backslash before each of these positions.
pub(super) fn escape(markdown: &str, positions: &[usize], out: &mut String) {
    let mut from = 0;
    for at in positions {
        out.push_str(&markdown[from..*at]);
        out.push('\\');
        from = *at;
    }
    out.push_str(&markdown[from..]);
}

/// The positions of dollar signs in the text of Markdown: outside code and the addresses of links, and not escaped.
fn in_text(markdown: &str) -> Vec<usize> {
    let bytes = markdown.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'\\' => at + 2,
            b'`' => code_end(bytes, at),
            b']' if bytes.get(at + 1) == Some(&b'(') => address_end(bytes, at + 2),
            b'$' => {
                found.push(at);
                at + 1
            }
            _ => at + 1,
        };
    }
    found
}

/// The end of the code that begins with the backquotes at `start`.
fn code_end(bytes: &[u8], start: usize) -> usize {
    let run_at = |at: usize| bytes[at..].iter().take_while(|byte| **byte == b'`').count();
    let fence = run_at(start);
    let mut at = start + fence;
    while let Some(next) = memchr::memchr(b'`', &bytes[at..]) {
        let run = run_at(at + next);
        at += next + run;
        if run == fence {
            return at;
        }
    }
    start + fence
}

/// The end of the address that begins at `start`.
fn address_end(bytes: &[u8], start: usize) -> usize {
    let end = if bytes.get(start) == Some(&b'<') { b'>' } else { b')' };
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            byte if *byte == end => return at + 1,
            _ => at += 1,
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markdown: &str, all: bool, expected: &str) {
        let mut escaped = String::new();
        escape(markdown, &to_escape(markdown, all), &mut escaped);
        assert_eq!(escaped, expected);
    }

    #[test]
    fn only_pairs_are_escaped() {
        check("It costs $a or b$.", false, "It costs \\$a or b\\$.");
        check("It costs $5.", false, "It costs $5.");
        check("From $5 to $10.", false, "From $5 to $10.");
        check("$5, 10$, US$", false, "\\$5, 10\\$, US\\$");
        check("a$ and $b", false, "a$ and $b");
        check("$$", false, "\\$\\$");
        check("From $5 to $10.", true, "From \\$5 to \\$10.");
    }

    #[test]
    fn code_and_addresses_stay() {
        check("$a `b$`, $ 5", false, "\\$a `b$`, $ 5");
        check("$a `b$` [c](/d$e) f", true, "\\$a `b$` [c](/d$e) f");
        check("``a`$`` [b](<$)>) \\$ $", true, "``a`$`` [b](<$)>) \\$ \\$");
        check("` $", true, "` \\$");
        check("[a]( $", true, "[a]( \\$");
    }
}
