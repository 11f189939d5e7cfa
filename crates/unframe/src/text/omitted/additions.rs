//! What highlighters add to code: line numbers, the name of the language, buttons, tooltips. And what wikis add to headings.

use super::{Visits, has_class};
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};
use crate::parsed::ParsedPage;

/// Classes of line numbers and of the columns that have them.
#[rustfmt::skip]
const LINE_NUMBERS: [&str; 22] = [
    "lineno", "linenos", "ln", "lnt", "lntd", "line-number", "line-numbers", "line-numbers-rows", "line-numbers-wrapper", "linenumber",
    "linenumbers", "linenodiv", "gutter", "rouge-gutter", "blob-num", "hljs-ln-numbers", "hljs-ln-line-number", "crayon-nums",
    "CodeMirror-linenumber", "react-syntax-highlighter-line-number", "LineNr", "code-line-number",
];

/// Those of them that mean line numbers only in code.
const GENERAL: [&str; 5] = ["ln", "lnt", "gutter", "line-number", "line-numbers"];
/// The class of MediaWiki's link to edit a section, which is in the heading.
const EDIT_LINK: &str = "mw-editsection";
/// Classes of the elements around the buttons of a code block.
const TOOLBARS: [&str; 4] = ["toolbar", "copy", "buttons", "zeroclipboard-container"];
/// The words with which the texts of buttons begin.
const BUTTONS: [&str; 8] = ["copy", "copied", "copied!", "expand", "collapse", "wrap", "unwrap", "toggle"];
/// Maximum bytes of the text of a button or a toolbar.
const BUTTON_BYTES_MAX: usize = 40;
/// Maximum number of nodes in a button or a toolbar.
const BUTTON_NODES_MAX: usize = 24;
/// Maximum number of elements around a code block beside which buttons are searched.
const WRAPPERS_MAX: usize = 4;
/// Maximum number of nodes on each side of a code block that are searched for buttons.
const SIBLINGS_MAX: usize = 6;
/// Maximum number of elements around a button that are searched for its code block.
const DEPTH_MAX: usize = 12;

/// Whether a page may have such elements. A cheap check, so that other pages cost nothing.
pub(super) fn is_on(page: &ParsedPage<'_>) -> bool {
    let bytes = page.source().bytes();
    let has = |part: &str| memchr::memmem::find(bytes, part.as_bytes()).is_some();
    has(EDIT_LINK) || has("<pre") || has("<PRE") || (has("fragment") && has("lineno"))
}

/// Adds the element, or elements inside or beside it, if they are left out.
pub(super) fn find(node: Node<'_>, visits: &mut Visits, found: &mut Vec<usize>) {
    match node.tag() {
        Some(Tag::PRE) => find_buttons(node, found),
        Some(Tag::BUTTON) if is_in_code(node) && is_button(node) => {
            found.push(node.index());
            return;
        }
        Some(Tag::CODE | Tag::BODY | Tag::HTML | Tag::MAIN | Tag::ARTICLE) => return,
        _ => {}
    }
    let Some(class) = node.attribute("class") else { return };
    let is_name = |name: &str| {
        let is_here = || match node.tag() {
            // Prism puts such a class on code whose lines a script is to number.
            Some(Tag::PRE) => false,
            Some(Tag::TD) => true,
            _ => is_in_code(node),
        };
        LINE_NUMBERS.contains(&name) && (!GENERAL.contains(&name) || is_here())
    };
    let is_omitted = if class.split_ascii_whitespace().any(is_name) {
        is_line_number(node, visits)
    } else {
        is_tooltip(node) || is_language(node) || has_class(node, &[EDIT_LINK])
    };
    if is_omitted {
        found.push(node.index());
    }
}

fn is_in_code(node: Node<'_>) -> bool {
    node.ancestors().take(DEPTH_MAX).any(|around| matches!(around.tag(), Some(Tag::PRE | Tag::CODE)))
}

/// Whether an element with the class of line numbers has only numbers. Some sites give this class to the code beside them.
fn is_line_number(node: Node<'_>, visits: &mut Visits) -> bool {
    let mut has_number = false;
    let is_number = visits.inside(node).filter(|inner| inner.kind() == NodeKind::Text).all(|text| {
        let text = text.text();
        has_number |= text.contains(|c: char| c.is_ascii_digit());
        text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || ".:|".contains(c))
    });
    is_number && has_number && visits.are_left()
}

/// Whether an element is one of Doxygen's hidden tooltips.
fn is_tooltip(node: Node<'_>) -> bool {
    let first = node.children().find(|child| child.kind() == NodeKind::Element);
    node.tag() == Some(Tag::DIV)
        && has_class(node, &["ttc"])
        && first.is_some_and(|first| has_class(first, &["ttname"]))
}

/// Whether an element names the language of the code block after it, as in VitePress.
fn is_language(node: Node<'_>) -> bool {
    let next = std::iter::successors(node.next_sibling(), |node| node.next_sibling())
        .find(|next| next.kind() == NodeKind::Element);
    node.tag() == Some(Tag::SPAN)
        && has_class(node, &["lang"])
        && next.is_some_and(|next| next.tag() == Some(Tag::PRE))
        && node.descendants().nth(3).is_none()
}

/// Adds the buttons beside a code block, or beside the elements that are only around it.
fn find_buttons(pre: Node<'_>, found: &mut Vec<usize>) {
    let mut block = pre;
    for _ in 0..WRAPPERS_MAX {
        let after = std::iter::successors(block.next_sibling(), |node| node.next_sibling());
        let before = std::iter::successors(block.previous_sibling(), |node| node.previous_sibling());
        add_buttons(after, found);
        add_buttons(before, found);
        match block.parent() {
            Some(parent) if matches!(parent.tag(), Some(Tag::DIV | Tag::FIGURE | Tag::SPAN)) => {
                block = parent
            }
            _ => return,
        }
    }
}

/// Adds the buttons before the first sibling with other text.
fn add_buttons<'d>(siblings: impl Iterator<Item = Node<'d>>, found: &mut Vec<usize>) {
    for node in siblings.take(SIBLINGS_MAX) {
        if node.kind() == NodeKind::Element && is_button(node) {
            found.push(node.index());
        } else if node.tag() != Some(Tag::SPAN) && has_text(node) {
            return;
        }
    }
}

fn has_text(node: Node<'_>) -> bool {
    let mut texts = node.descendants().take(BUTTON_NODES_MAX).filter(|inner| inner.kind() == NodeKind::Text);
    texts.any(|text| !text.bytes().trim_ascii().is_empty())
}

/// Whether an element is a button of a code block, or a small element with only such buttons.
fn is_button(node: Node<'_>) -> bool {
    let inside = || node.descendants().take(BUTTON_NODES_MAX + 1);
    let acts = |inner: Node<'_>| {
        inner.tag() == Some(Tag::BUTTON) || inner.attribute("role").is_some_and(|role| role == "button")
    };
    let is_control = |inner: Node<'_>| {
        acts(inner)
            || inner.name() == "clipboard-copy"
            || has_class(inner, &["copybtn", "copy-button", "copy-btn"])
    };
    if inside().count() > BUTTON_NODES_MAX || !inside().any(is_control) {
        return false;
    }
    let texts = inside().filter(|inner| inner.kind() == NodeKind::Text);
    let text = texts.map(|text| text.text().into_owned()).collect::<Vec<_>>().concat().to_lowercase();
    let is_short = text.len() <= BUTTON_BYTES_MAX;
    // A toolbar may also name the language.
    let is_toolbar = has_class(node, &TOOLBARS);
    let mut words = text.split_whitespace();
    let has_word = match is_toolbar {
        true => words.any(|word| BUTTONS.iter().any(|name| word.contains(name))),
        false => words.next().is_some_and(|word| BUTTONS.contains(&word)),
    };
    is_short && has_word
}
