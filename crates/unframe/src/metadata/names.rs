//! Names of authors, as declared or displayed by pages.

use std::ops::Range;

use super::collect::one_line;
use super::dates;
use super::han;

/// Maximum number of words in a name that was found in running text.
const NAME_WORDS_MAX: usize = 6;
/// Maximum number of names in a one-line list of authors.
const LIST_MAX: usize = 8;
/// Separators of two names on one line, the longest first.
const SEPARATORS: [&str; 10] =
    [", and ", " and ", " & ", " with ", " und ", " et ", " og ", " och ", " и ", ", "];
/// The separator that job descriptions follow as well.
const COMMA: &str = ", ";
/// The separator of an author and a helper.
const WITH: &str = " with ";

/// Labels of authors, which may be in the middle of a line.
#[rustfmt::skip]
const LABELS: [&str; 22] = [
    "author:", "authors:", "autor:", "autorin:", "autoren:", "autora:", "autores:", "auteur:", "auteur :", "auteurs :", "autore:", "autori:",
    "автор:", "авторы:", "автори:", "författare:", "forfatter:", "kirjoittaja:", "szerző:", "yazar:", "συντάκτης:", "συγγραφέας:",
];

/// Words before the names of authors.
#[rustfmt::skip]
const PREFIXES: [&str; 38] = [
    "written by", "posted by", "post by", "published by", "words by", "text by", "story by", "article by", "reviewed by", "contributed by",
    "created by", "authored by", "started by", "asked by", "submitted by", "edited by", "by:", "by", "author:", "authors:", "author", "via",
    "von", "par", "por", "di", "door", "af", "autor:", "autorin:", "autora:", "auteur :", "autore:", "автор:", "作者：", "作者:", "撰文：", "撰文:",
];

/// Words of interfaces, which are no names.
#[rustfmt::skip]
const INTERFACE: [&str; 46] = [
    "post", "reply", "print", "quote", "edit", "report", "subscribe", "like", "likes", "link", "permalink", "save", "tweet", "more", "profile",
    "contact", "top", "view", "views", "details", "menu", "search", "next", "previous", "back", "close", "open", "comment", "comments",
    "message", "new", "unread", "topic", "thread", "join", "register", "download", "copy", "help", "send", "date", "relevance", "price", "rating",
    "popularity", "skip to content",
];

/// Words that look like a name but are not a person's.
#[rustfmt::skip]
const NOBODY: [&str; 39] = [
    "admin", "administrator", "author", "authors", "editor", "guest", "anonymous", "unknown", "none", "null", "undefined", "user", "webmaster",
    "root", "staff writer", "about the author", "n/a", "false", "true", "default", "super user", "test", "share", "follow", "login", "log in",
    "sign in", "written by", "read more", "posts", "username", "email", "name", "op", "by", "home", "sort by", "category", "not available",
];

/// Words that occur in lines about authors, but in no name.
const NO_NAMES: [&str; 16] = [
    "email",
    "address",
    "review",
    "reviews",
    "posted",
    "published",
    "updated",
    "read",
    "posts",
    "comments",
    "released",
    "joined",
    "more",
    "minutes",
    "menu",
    "visit",
];

/// The name in a value that is declared as the author; `None` if it is not a name.
pub(super) fn declared(text: &str) -> Option<String> {
    let name = without_prefix(&one_line(text));
    let name = name.trim_matches(|c: char| c.is_whitespace() || ",;|·•-–—:@\"'“”".contains(c)).to_owned();
    let lower = name.to_lowercase();
    let is_address = lower.starts_with("http")
        || lower.contains("://")
        || lower.starts_with("www.")
        || lower.starts_with('/');
    let is_name = name.chars().any(char::is_alphabetic)
        && !is_address
        && !NOBODY.contains(&lower.as_str())
        && !INTERFACE.contains(&lower.as_str())
        && !lower.starts_with('(')
        && !lower.contains(['{', '}', '<', '>', '=', '?', '!', '*'])
        && !han::is_sentence(&name)
        && name.chars().count() <= 200;
    is_name.then(|| separated(&people_in(&without_mail(&name))))
}

/// The parts of a line such as `A manual of tea | Ann Lee` that are people, or the whole line if none is.
fn people_in(line: &str) -> String {
    let people = || line.split(" | ").map(str::trim).filter(|part| is_person(part)).map(str::to_owned);
    let people = if line.contains(" | ") { joined(people()) } else { None };
    people.unwrap_or_else(|| line.to_owned())
}

/// Separates the names of several people with `; `, if a word such as `and` says that they are several.
fn separated(names: &str) -> String {
    let is_joined = SEPARATORS.iter().any(|sign| ![COMMA, WITH].contains(sign) && names.contains(sign));
    match names_in_list(names).filter(|_| is_joined) {
        Some(people) => people.join("; "),
        None => names.to_owned(),
    }
}

/// What follows the label of an author in a line such as `3 May 2024. Author: Ann Lee`.
pub(super) fn after_label(line: &str) -> Option<&str> {
    let label = label_in(line)?;
    line.get(label.end..).map(str::trim)
}

/// Where the label of an author is in a line.
pub(super) fn label_in(line: &str) -> Option<Range<usize>> {
    let lower = same_length_lower_case(line);
    let is_word = |at: usize| !line[..at].ends_with(char::is_alphanumeric);
    let found = LABELS.iter().filter_map(|label| Some((lower.find(label)?, label.len())));
    found.filter(|(at, _)| is_word(*at)).min().map(|(at, len)| at..at + len)
}

/// A text in lower case in which every letter keeps its position.
pub(super) fn same_length_lower_case(text: &str) -> String {
    let lower = |c: char| {
        let mut letters = c.to_lowercase();
        letters
            .next()
            .filter(|lower| letters.next().is_none() && lower.len_utf8() == c.len_utf8())
            .unwrap_or(c)
    };
    text.chars().map(lower).collect()
}

/// The name in a displayed text: like [`declared`], but text after the name is cut off.
pub(super) fn shown(text: &str) -> Option<String> {
    let line = one_line(text);
    let rest = without_prefix(&line);
    let name = &rest[..name_end(&rest)];
    let mut words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
    let is_over = |word: &&str| {
        ["at", "and", "am", "pm"].contains(word) || dates::is_calendar_word(word.trim_matches([',', '.']))
    };
    while words.last().is_some_and(is_over) {
        words.pop();
    }
    let is_name =
        !words.iter().any(|word| NO_NAMES.contains(&word.to_lowercase().trim_matches([',', ':', '.'])));
    let name = words.join(" ").replace(" ,", ",");
    let name = match words.len() > NAME_WORDS_MAX && !is_list(&name) {
        // A job description may follow the comma: `Ann Lee, the editor of a page about tea`.
        true => name.split_once(", ").map(|(name, _)| name).filter(|name| is_person(name))?,
        false => name.as_str(),
    };
    declared(name).filter(|_| is_name)
}

/// The end of the name at the start of a line: the position of a separator, a number, or words that begin another subject.
fn name_end(line: &str) -> usize {
    #[rustfmt::skip]
    const ENDS: [&str; 15] = [
        " - ", " // ", " / ", " on ", " in ", " for ", "Published", "Updated", "Posted", "Last ", "posted on", ", on ", "(", " @", "»",
    ];
    let end = ENDS.iter().filter_map(|end| line.find(end)).filter(|at| *at > 0).min();
    let digit = line.find(|c: char| c.is_ascii_digit()).filter(|at| line[..*at].ends_with(' '));
    let separator = line.find(['|', '•', '·', '⋅', '–', '—']).filter(|at| *at > 0);
    end.into_iter().chain(digit).chain(separator).min().unwrap_or(line.len())
}

/// Whether a name is an account rather than a person: one word that is no person's name.
pub(super) fn is_account(name: &str) -> bool {
    let is_plain = name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic);
    !name.contains(' ') && !is_plain
}

/// Whether a text looks like the name of one person or of several.
pub(super) fn is_person(name: &str) -> bool {
    let name = name.split(';').next().unwrap_or(name);
    is_one_person(name) || is_list(name)
}

/// Whether a text looks like the names of several people: `Ann Lee, Bo Dee and Cy Fay`.
fn is_list(names: &str) -> bool {
    names_in_list(names).is_some()
}

/// The names in a list of several people; `None` if a part of it is no name.
fn names_in_list(names: &str) -> Option<Vec<&str>> {
    let mut rest = names;
    let mut found = Vec::new();
    loop {
        let ends = SEPARATORS.iter().filter_map(|sign| Some((rest.find(sign)?, sign.len())));
        // The longest of those at one place: `, and ` rather than `, `.
        let end = ends.min_by_key(|(at, len)| (*at, std::cmp::Reverse(*len)));
        let name = end.map_or(rest, |(at, _)| &rest[..at]);
        found.push(name);
        if found.len() > LIST_MAX || !is_one_person(name) {
            return None;
        }
        match end {
            Some((at, len)) => rest = &rest[at + len..],
            None => return Some(found).filter(|found| found.len() > 1),
        }
    }
}

/// Whether a text looks like the name of one person: two to four words with capitals, or lower-case particles of names.
fn is_one_person(name: &str) -> bool {
    const PARTICLES: [&str; 14] =
        ["van", "von", "de", "der", "den", "del", "di", "da", "la", "le", "bin", "al", "el", "dos"];
    let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| word.starts_with(char::is_uppercase) || PARTICLES.contains(word);
    (2..=4).contains(&words.len()) && words.iter().all(is_name) && words[0].starts_with(char::is_uppercase)
}

/// Normalises a citation: `Lee, Ann` becomes `Ann Lee`.
pub(super) fn cited(name: &str) -> String {
    match name.split_once(", ") {
        Some((last, first)) if !first.contains(',') => format!("{first} {last}"),
        _ => name.to_owned(),
    }
}

/// Joins names without duplicates. `A, B and C` is not split, because commas precede degrees and job titles as well.
pub(super) fn joined(names: impl Iterator<Item = String>) -> Option<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names {
        if !kept.iter().any(|other| other.eq_ignore_ascii_case(&name)) {
            kept.push(name);
        }
    }
    (!kept.is_empty()).then(|| kept.join("; "))
}

/// Removes prefixes of a name, ignoring case.
pub(super) fn without_prefix(text: &str) -> String {
    let mut rest = text.trim();
    loop {
        let shorter = PREFIXES.iter().find_map(|prefix| {
            let head = rest.get(..prefix.len()).filter(|head| same_length_lower_case(head) == **prefix)?;
            // `AF` and the like are abbreviations.
            let is_abbreviation = head.len() == 2 && *prefix != "by" && head.chars().all(char::is_uppercase);
            if is_abbreviation {
                return None;
            }
            let tail = &rest[head.len()..];
            let is_word =
                tail.starts_with(|c: char| c.is_whitespace() || c == ':') || prefix.ends_with([':', '：']);
            is_word.then(|| tail.trim_start_matches(|c: char| c.is_whitespace() || c == ':'))
        });
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => return rest.to_owned(),
        }
    }
}

/// Removes an e-mail address: `ann@example.com (Ann Lee)` becomes `Ann Lee`.
fn without_mail(name: &str) -> String {
    let Some((mail, rest)) = name.split_once(" (") else { return name.to_owned() };
    match mail.contains('@') && !mail.contains(' ') {
        true => rest.trim_end_matches(')').to_owned(),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_is_around_them() {
        assert_eq!(declared(" By  Ann Lee ").as_deref(), Some("Ann Lee"));
        assert_eq!(declared("ann@example.com (Ann Lee)").as_deref(), Some("Ann Lee"));
        assert_eq!(declared("Byron Dee").as_deref(), Some("Byron Dee"));
        assert_eq!(declared("https://example.com/ann"), None);
        assert_eq!(declared("admin"), None);
        assert_eq!(declared("{{author}}"), None);
        assert_eq!(shown("Written by Ann Lee on May 3, 2024").as_deref(), Some("Ann Lee"));
        assert_eq!(shown("By Ann Lee | 3 May 2024").as_deref(), Some("Ann Lee"));
        assert_eq!(shown("Post by ann99 » Sat Feb 3, 2024").as_deref(), Some("ann99"));
        assert_eq!(shown("Sun Dec 17, 2023"), None);
        assert_eq!(cited("Lee, Ann"), "Ann Lee");
        assert_eq!(shown("作者：李明").as_deref(), Some("李明"));
        assert_eq!(shown("来源：新华社"), None);
        assert_eq!(shown("By the way this is no name at all"), None);
        assert_eq!(shown("Autor: Jürgen Müller").as_deref(), Some("Jürgen Müller"));
        assert_eq!(declared("A manual of tea | Ann Lee").as_deref(), Some("Ann Lee"));
        assert_eq!(without_prefix("AF Metering Face"), "AF Metering Face");
        for label in ["Post", "Reply", "Print", "(Paperback)", "Not Available"] {
            assert_eq!(shown(label), None, "{label}");
        }
    }

    #[test]
    fn several_people_are_separated() {
        let check = |names: &str, expected: &str| assert_eq!(separated(names), expected);
        check("John O'Neil and Maria de la Cruz", "John O'Neil; Maria de la Cruz");
        check("Ann Lee, Bo Dee, and Cy Fay", "Ann Lee; Bo Dee; Cy Fay");
        check("Ann Lee, Tea Editor", "Ann Lee, Tea Editor");
        check("Pots and Pans", "Pots and Pans");
    }

    #[test]
    fn labels_may_be_in_the_middle_of_a_line() {
        assert_eq!(after_label("Stand: 03.04.2024 | Autor: Jürgen Müller"), Some("Jürgen Müller"));
        assert_eq!(after_label("3 марта 2024. Автор: Иван Петров"), Some("Иван Петров"));
        assert_eq!(after_label("Coauthor: none"), None);
    }
}
