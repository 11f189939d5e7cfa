//! Code blocks: the text of a `pre` with its white space.

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::text::content::{is_block, is_replaced};
use crate::text::inline;

/// A code block under construction.
pub(super) struct Code {
    text: String,
    language: String,
    /// The separator before the next text, unless that text begins with white space.
    pending: Option<char>,
}

/// The action at the end of an element in code.
#[derive(Clone, Copy)]
pub(super) enum AtCodeEnd {
    Nothing,
    /// The end of a superscript or subscript.
    Script {
        tag: Tag,
        at: usize,
    },
    Separator(char),
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

    /// Begins an element in code, where only lines and words matter.
    pub(super) fn enter(&mut self, tag: Option<Tag>) -> AtCodeEnd {
        let separator = match tag {
            Some(Tag::TD | Tag::TH) => '\t',
            Some(tag @ (Tag::SUP | Tag::SUB)) => return AtCodeEnd::Script { tag, at: self.text.len() },
            Some(tag) if is_replaced(tag) => ' ',
            Some(tag) if is_block(tag) => '\n',
            Some(Tag::BR) => {
                self.write("\n");
                return AtCodeEnd::Nothing;
            }
            _ => return AtCodeEnd::Nothing,
        };
        self.separate(separator);
        AtCodeEnd::Separator(separator)
    }

    /// Ends an element in code.
    pub(super) fn leave(&mut self, at_end: AtCodeEnd) {
        match at_end {
            AtCodeEnd::Nothing => {}
            // Code cannot contain tags.
            AtCodeEnd::Script { tag, at } => inline::add_notation(tag, &mut self.text, at),
            AtCodeEnd::Separator(separator) => self.separate(separator),
        }
    }

    /// The language, which may be empty, and the text; `None` if there is no text.
    pub(super) fn finish(self) -> Option<(String, String)> {
        let Code { text, language, .. } = self;
        let code = text.trim_end_matches(['\n', ' ', '\t']).trim_start_matches('\n');
        (!code.trim().is_empty()).then(|| (language, code.to_owned()))
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
