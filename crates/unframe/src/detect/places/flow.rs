//! How an element is part of the text around it: as a block, within a line, or as one unit of a line.
//!
//! The tag decides for most elements. Formulas are units, so that a line never loses a formula, or a formula one of its tokens. What is
//! between words is part of their line: custom elements, and also buttons and pictures, which are controls and icons elsewhere.

use memchr::memmem;

use super::elements::is_inline;
use crate::html::tag::{Namespace, Tag};
use crate::html::{Document, Node, NodeKind};
use crate::text::math;

/// How many descendants of an element are searched for blocks. What has more and no block among them is text.
const SEARCHED_MAX: usize = 256;
/// How many neighbours of an element are searched for words on each side.
const NEIGHBOURS_MAX: usize = 8;

/// How an element is part of the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// It breaks the line.
    Block,
    /// It is part of the line.
    Inline,
    /// It is part of the line and has no parts: a formula, or a picture between words.
    Unit,
}

/// Finds the [`Flow`] of the elements of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowReader {
    /// Whether scripts may have put formulas into the page, which are known by their classes.
    has_classes: bool,
}

impl FlowReader {
    pub(super) fn new(document: &Document<'_>) -> FlowReader {
        let bytes = document.source().bytes();
        let has = |part: &str| memmem::find(bytes, part.as_bytes()).is_some();
        FlowReader { has_classes: ["katex", "MathJax", "mjx-"].into_iter().any(has) }
    }

    /// The flow of an element outside units.
    #[inline]
    pub(super) fn of(self, node: Node<'_>, tag: Tag) -> Flow {
        let is_unusual = matches!(tag, Tag::MATH | Tag::SVG | Tag::BUTTON) || tag.known_name().is_none();
        match is_inline(tag) {
            _ if is_unusual || self.has_classes => self.of_unusual(node, tag),
            true => Flow::Inline,
            false => Flow::Block,
        }
    }

    #[cold]
    fn of_unusual(self, node: Node<'_>, tag: Tag) -> Flow {
        let is_unit = match tag {
            Tag::MATH => node.namespace() == Namespace::MathMl,
            Tag::SVG => is_between_words(node),
            // Where a formula lacks its end tag, the rest of the page would be one unit.
            _ => self.has_classes && can_be_formula(tag) && math::is_rendered(node) && !has_block(node),
        };
        let is_in_line = is_inline(tag)
            || match tag {
                Tag::BUTTON => is_between_words(node) && !has_block(node),
                _ if tag.known_name().is_some() => false,
                _ => match &*node.name() {
                    "bdi" | "bdo" => true,
                    name => is_custom(name) && is_beside_words(node) && !has_block(node),
                },
            };
        match (is_unit, is_in_line) {
            (true, _) => Flow::Unit,
            (false, true) => Flow::Inline,
            (false, false) => Flow::Block,
        }
    }
}

/// Whether scripts use elements of this name for formulas in a line.
fn can_be_formula(tag: Tag) -> bool {
    is_inline(tag) || tag.known_name().is_none()
}

/// Whether this is the name of a custom element. Names of other namespaces, such as `fb:comments-count`, are not.
fn is_custom(name: &str) -> bool {
    name.contains('-') && !name.contains(':')
}

/// Whether an element contains a block-level element of HTML.
fn has_block(node: Node<'_>) -> bool {
    node.descendants().take(SEARCHED_MAX).any(is_block)
}

fn is_block(node: Node<'_>) -> bool {
    let is_html = node.kind() == NodeKind::Element && node.namespace() == Namespace::Html;
    // Elements without text break no line; those with an unknown name are inline, like those that are asked about.
    is_html
        && node.tag().is_some_and(|tag| {
            let is_other = matches!(tag, Tag::BUTTON | Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE);
            tag.known_name().is_some() && !is_inline(tag) && !is_other
        })
}

/// Whether words are before and after an element, in the same line.
fn is_between_words(node: Node<'_>) -> bool {
    has_words(node, Node::previous_sibling) && has_words(node, Node::next_sibling)
}

/// Whether words are before or after an element, in the same line.
fn is_beside_words(node: Node<'_>) -> bool {
    has_words(node, Node::previous_sibling) || has_words(node, Node::next_sibling)
}

/// Whether a text with words, rather than a separator, is near an element in one direction.
fn has_words<'d>(node: Node<'d>, next: impl Fn(Node<'d>) -> Option<Node<'d>>) -> bool {
    let mut at = node;
    for _ in 0..NEIGHBOURS_MAX {
        match next(at) {
            Some(other) if other.kind() == NodeKind::Text => {
                if other.text().contains(char::is_alphanumeric) {
                    return true;
                }
                at = other;
            }
            Some(other) if is_block(other) => return false,
            Some(other) => at = other,
            // The text of the line goes on outside inline elements.
            None => match at.parent().filter(|parent| parent.tag().is_some_and(is_inline)) {
                Some(parent) => at = parent,
                None => return false,
            },
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::{PageBytes, PageParser};

    /// The flow of the first element with this name or class.
    #[track_caller]
    fn check(page: &str, name: &str, expected: Flow) {
        let mut parser = PageParser::new();
        let parsed = parser.open(PageBytes::utf8(page.as_bytes()));
        let document = parsed.document();
        let is_it = |node: &Node<'_>| node.name() == name || node.attribute("class").as_deref() == Some(name);
        let node =
            document.descendants().filter(|node| node.kind() == NodeKind::Element).find(is_it).unwrap();
        assert_eq!(FlowReader::new(document).of(node, node.tag().unwrap()), expected, "{page}");
    }

    #[test]
    fn formulas_are_units() {
        check("<p>so <math><mi>x</mi></math>", "math", Flow::Unit);
        check("<math display=block><mi>x</mi></math>", "math", Flow::Unit);
        check("<p>so <mjx-container><mjx-math></mjx-math></mjx-container>", "mjx-container", Flow::Unit);
        check("<p>so <span class=katex><span>x</span></span>", "katex", Flow::Unit);
        check("<p>so <span class=MathJax><nobr>x</nobr></span>", "MathJax", Flow::Unit);
        check("<span class=katex>x<p>The rest of the page", "katex", Flow::Inline);
        check("<mjx-container>x<p>The rest of the page", "mjx-container", Flow::Block);
        check(
            "<div class=MathJax_Display><span class=MathJax>x</span></div>",
            "MathJax_Display",
            Flow::Block,
        );
    }

    #[test]
    fn custom_elements_beside_words_are_part_of_their_line() {
        check("<p>Hot <x-tip>tea</x-tip>", "x-tip", Flow::Inline);
        check("<p>Hot <b><x-tip>tea</x-tip></b>", "x-tip", Flow::Inline);
        check("<p>Hot <x-a>tea</x-a><x-tip>pot</x-tip>", "x-tip", Flow::Inline);
        check("<div>Hot <x-tip><div>tea</div></x-tip>", "x-tip", Flow::Block);
        check("<x-nav><x-tip>tea</x-tip> | <x-tip>milk</x-tip></x-nav>", "x-tip", Flow::Block);
        check("<p>Hot</p><x-tip>tea</x-tip><p>Cold", "x-tip", Flow::Block);
        check("<p>Hot <br> <x-tip>tea</x-tip>", "x-tip", Flow::Block);
        check("<p>Hot <x:y-tip>tea</x:y-tip>", "x:y-tip", Flow::Block);
        check("<p>Hot <bdi>tea</bdi>", "bdi", Flow::Inline);
    }

    #[test]
    fn buttons_and_pictures_between_words_are_part_of_their_line() {
        check("<p>Press <button>Start</button> now", "button", Flow::Inline);
        check("<p>Is that good? <button>Yes</button>", "button", Flow::Block);
        check("<p>Press <svg><text>x</text></svg> now", "svg", Flow::Unit);
        check("<p><svg></svg> now", "svg", Flow::Block);
    }
}
