//! Code blocks: the text of a `pre` with its white space.

use super::escape;
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::text::inline;

/// A code block under construction.
pub(super) struct Code {
    text: String,
    language: String,
    /// The separator before the next text, unless that text begins with white space.
    pending: Option<char>,
}

impl Code {
    pub(super) fn of(node: Node<'_>) -> Code {
        Code { text: String::new(), language: language(node), pending: None }
    }

    pub(super) fn write(&mut self, text: &str) {
        let is_apart = self.text.ends_with(char::is_whitespace) || text.starts_with(char::is_whitespace);
        if text.is_empty() {
            return;
        }
        if let Some(pending) = self.pending.take()
            && !self.text.is_empty()
            && !(is_apart && pending != '\n')
            && !self.text.ends_with('\n')
        {
            self.text.push(pending);
        }
        self.text.push_str(text);
    }

    /// Separates the words before and after the current position.
    pub(super) fn separate(&mut self, by: char) {
        if self.pending != Some('\n') {
            self.pending = Some(by);
        }
    }

    /// The position of the next text.
    pub(super) fn at(&self) -> usize {
        self.text.len()
    }

    /// Adds the notation of a superscript or subscript to the text from `at` on, because code cannot contain tags.
    pub(super) fn add_notation(&mut self, tag: Tag, at: usize) {
        inline::add_notation(tag, &mut self.text, at);
    }

    /// The block, unless it is empty.
    pub(super) fn finish(self) -> Option<String> {
        let code = self.text.trim_end_matches(['\n', ' ', '\t']).trim_start_matches('\n');
        let fence = "`".repeat(escape::longest_run(code, '`').max(2) + 1);
        (!code.trim().is_empty()).then(|| format!("{fence}{}\n{code}\n{fence}", self.language))
    }
}

/// Whether an element has one line of code per `div`, as Doxygen generates it. White space between these lines is ignored.
pub(super) fn is_listing(node: Node<'_>) -> bool {
    let first = || node.children().find(|child| child.kind() == NodeKind::Element);
    node.tag() == Some(Tag::DIV)
        && has_class(node, &["fragment"])
        && first().is_some_and(|line| has_class(line, &["line"]))
}

/// Whether an element is a line number, or the column of line numbers next to the code.
pub(super) fn is_line_number(node: Node<'_>) -> bool {
    let names: &[&str] = match node.tag() {
        Some(Tag::SPAN) => &["lineno", "linenos"],
        Some(Tag::TD) => &["gutter", "linenos", "rouge-gutter"],
        _ => return false,
    };
    has_class(node, names)
}

/// Whether an element has one of these classes.
fn has_class(node: Node<'_>, names: &[&str]) -> bool {
    node.attribute("class")
        .is_some_and(|class| class.split_ascii_whitespace().any(|word| names.contains(&word)))
}

/// The language of a `pre`, as named by the `pre`, its `code` or its ancestors.
fn language(node: Node<'_>) -> String {
    let code = node.children().find(|child| child.tag() == Some(Tag::CODE));
    let own = [Some(node), code].into_iter().flatten().find_map(own_language);
    own.or_else(|| node.ancestors().take(2).find_map(language_inside)).unwrap_or_default()
}

/// The language in `language-rust`, `lang-rust`, `sourceCode rust` or `brush: rust`, or in an attribute.
fn own_language(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class").unwrap_or_default();
    let words = || class.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty());
    let prefixed = words().filter_map(|word| {
        ["language-", "lang-", "brush:"].iter().find_map(|prefix| word.strip_prefix(prefix))
    });
    let following = words().skip_while(|word| !["sourceCode", "brush:"].contains(word)).skip(1).take(1);
    let attributes = ["data-lang", "data-language"].map(|name| node.attribute(name));
    let attributes = attributes.iter().flatten().map(|value| value.trim());
    prefixed.chain(following).chain(attributes).find(|name| is_language(name)).map(str::to_owned)
}

/// The language in the class of a wrapper: `language-rust`, `highlight-source-rust`, or Sphinx's `highlight-rust notranslate`.
fn language_inside(node: Node<'_>) -> Option<String> {
    let class = node.attribute("class")?;
    let is_sphinx = class.split_ascii_whitespace().any(|word| word == "notranslate");
    let names = class.split_ascii_whitespace().filter_map(|word| {
        let named = word.strip_prefix("language-").or_else(|| word.strip_prefix("highlight-source-"));
        named.or_else(|| word.strip_prefix("highlight-").filter(|_| is_sphinx))
    });
    let mut names = names.filter(|name| is_language(name));
    names.next().map(str::to_owned)
}

fn is_language(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "+-#._".contains(c);
    !name.is_empty() && name.chars().all(is_plain) && !["none", "default"].contains(&name)
}
