//! Code blocks: the text of a `pre`, white space and all.

use super::escape;
use crate::html::Node;
use crate::html::tag::Tag;
use crate::text::inline;

/// A code block in the making.
pub(super) struct Code {
    text: String,
    language: String,
    /// What comes before the next text, unless that begins with white space.
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

    /// Words before and after this do not touch.
    pub(super) fn separate(&mut self, by: char) {
        if self.pending != Some('\n') {
            self.pending = Some(by);
        }
    }

    /// Where the next text begins.
    pub(super) fn at(&self) -> usize {
        self.text.len()
    }

    /// Puts the sign of a superscript or subscript around the text from `at` on: there are no tags in code.
    pub(super) fn sign(&mut self, tag: Tag, at: usize) {
        inline::sign(tag, &mut self.text, at);
    }

    /// The block, if there is anything in it.
    pub(super) fn finish(self) -> Option<String> {
        let code = self.text.trim_end_matches(['\n', ' ', '\t']).trim_start_matches('\n');
        let fence = "`".repeat(escape::longest_run(code, '`').max(2) + 1);
        (!code.trim().is_empty()).then(|| format!("{fence}{}\n{code}\n{fence}", self.language))
    }
}

/// The language that a class of a `pre` or of its `code` names: `language-rust`, `lang-rust`.
fn language(node: Node<'_>) -> String {
    let code = node.children().find(|child| child.tag() == Some(Tag::CODE));
    for node in [Some(node), code].into_iter().flatten() {
        let class = node.attribute("class").unwrap_or_default();
        let mut names = class
            .split_ascii_whitespace()
            .filter_map(|class| class.strip_prefix("language-").or_else(|| class.strip_prefix("lang-")));
        let is_plain = |c: char| c.is_alphanumeric() || "+-#._".contains(c);
        if let Some(name) = names.find(|name| !name.is_empty() && name.chars().all(is_plain)) {
            return name.to_owned();
        }
    }
    String::new()
}
