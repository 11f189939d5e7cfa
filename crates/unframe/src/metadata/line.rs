//! The line of text that a node is in, as a browser would break lines.

use super::collect::{lines_of, one_line};
use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};

/// Maximum bytes of text in a byline or a date.
pub(super) const LINE_MAX: usize = 160;
/// Maximum number of siblings that are read.
const SIBLINGS_MAX: usize = 100;

/// The line that a text is in; `None` if it is longer than bylines are. A short text beside a link may be a part of a long sentence.
pub(super) fn of(node: Node<'_>) -> Option<String> {
    let after = side(node, |node| node.next_sibling(), |line, text| line.push_str(text))?;
    let line = format!("{} {} {after}", before(node)?, node.text());
    Some(one_line(&line)).filter(|line| line.len() <= LINE_MAX)
}

/// The text before a node on its line; `None` if it is longer than bylines are.
pub(super) fn before(node: Node<'_>) -> Option<String> {
    side(node, |node| node.previous_sibling(), |line, text| line.insert_str(0, text))
}

/// The text of a line on one side of a node.
fn side<'d>(
    node: Node<'d>,
    next: impl Fn(Node<'d>) -> Option<Node<'d>>,
    add: impl Fn(&mut String, &str),
) -> Option<String> {
    let (mut line, mut at) = (String::new(), node);
    loop {
        for sibling in std::iter::successors(next(at), |node| next(*node)).take(SIBLINGS_MAX) {
            if is_break(sibling) {
                return Some(one_line(&line));
            }
            add(&mut line, " ");
            match sibling.kind() {
                NodeKind::Text => add(&mut line, &sibling.text()),
                NodeKind::Element => add(&mut line, &lines_of(sibling).join(" ")),
                _ => {}
            }
            if line.len() > 4 * LINE_MAX && one_line(&line).len() > LINE_MAX {
                return None;
            }
        }
        match at.parent().filter(|parent| !is_break(*parent)) {
            Some(parent) => at = parent,
            None => return Some(one_line(&line)),
        }
    }
}

/// Whether a line ends where this node begins and ends.
fn is_break(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Element
        && node.tag().is_some_and(|tag| {
            matches!(tag, Tag::BR | Tag::TD | Tag::TH) || crate::text::content::is_block(tag)
        })
}
