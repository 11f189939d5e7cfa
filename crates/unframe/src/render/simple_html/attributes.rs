//! Attributes and text, escaped.

use crate::html::Node;

/// Maximum bytes of a language tag.
const LANGUAGE_MAX: usize = 35;

/// Appends an attribute.
pub(super) fn push_attribute(name: &str, value: &str, out: &mut String) {
    out.extend([" ", name, "=\""]);
    push_escaped(value, out);
    out.push('"');
}

/// Appends text between tags. Quotation marks have no meaning there.
pub(super) fn push_text(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>']) {
        out.push_str(&rest[..at]);
        push_escaped(&rest[at..=at], out);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

fn push_escaped(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

/// The attributes `lang` and `dir` of an element, if they are valid.
pub(super) fn language_of(node: Node<'_>) -> String {
    let mut attributes = String::new();
    let (mut language, mut direction) = (None, None);
    for (name, value) in node.lazy_attributes() {
        match name {
            _ if name.eq_ignore_ascii_case(b"lang") => language = language.or(Some(value)),
            _ if name.eq_ignore_ascii_case(b"dir") => direction = direction.or(Some(value)),
            _ => {}
        }
    }
    let language = language.map(|value| value.text().trim().to_owned());
    if let Some(language) = language.filter(|language| is_language(language)) {
        push_attribute("lang", &language, &mut attributes);
    }
    let direction = direction.map(|value| value.text().trim().to_ascii_lowercase());
    if let Some(direction) = direction.filter(|name| ["ltr", "rtl", "auto"].contains(&name.as_str())) {
        push_attribute("dir", &direction, &mut attributes);
    }
    attributes
}

fn is_language(tag: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    !tag.is_empty() && tag.len() <= LANGUAGE_MAX && tag.chars().all(is_plain)
}

/// The value of an attribute that is an integer.
pub(super) fn number(node: Node<'_>, name: &str) -> Option<i32> {
    node.attribute(name).and_then(|value| value.trim().parse().ok())
}
