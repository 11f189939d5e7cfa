//! Writes the tree as text, one node per line, with the span of each.

use std::fmt::{self, Write};

use super::document::{Document, Node, NodeKind};
use super::span::Span;

/// Writes the tree of a page.
///
/// ```
/// # use unframe_html::{Parser, outline};
/// let mut parser = Parser::new();
/// let document = parser.parse(b"<p class=a>Hi", encoding_rs::UTF_8);
/// let mut text = String::new();
/// outline::write(&document, &mut text).unwrap();
/// assert_eq!(text, r#"html 0..13
///   head 0..0
///   body 0..13
///     p class="a" 0..13 start 0..11
///       "Hi" 11..13
/// "#);
/// ```
pub fn write(document: &Document<'_>, out: &mut impl Write) -> fmt::Result {
    let mut depth = 0usize;
    let mut previous: Option<Node<'_>> = None;
    for node in document.descendants().skip(1) {
        // The depth is tracked while walking, without recursion, because a tree may be 500 levels deep.
        match previous {
            Some(previous) if Some(previous.index()) == node.parent().map(Node::index) => depth += 1,
            Some(previous) => {
                let up =
                    previous.ancestors().take_while(|up| Some(up.index()) != node.parent().map(Node::index));
                depth = depth.saturating_sub(up.count());
            }
            None => {}
        }
        previous = Some(node);
        write!(out, "{:width$}", "", width = 2 * depth)?;
        write_node(node, out)?;
    }
    Ok(())
}

fn write_node(node: Node<'_>, out: &mut impl Write) -> fmt::Result {
    match node.kind() {
        NodeKind::Document => {}
        NodeKind::Doctype => write!(out, "!doctype {}", node.name())?,
        NodeKind::Text => write!(out, "{:?}", node.text())?,
        NodeKind::Comment => write!(out, "!-- {:?}", node.text())?,
        NodeKind::Element => {
            write!(out, "{}", node.name())?;
            for (name, value) in node.attributes() {
                write!(out, " {name}={value:?}")?;
            }
        }
    }
    write_span("", Some(node.span()), out)?;
    write_span(" start", node.start_tag(), out)?;
    write_span(" end", node.end_tag(), out)?;
    writeln!(out, "{}", if node.is_moved() { " moved" } else { "" })
}

fn write_span(label: &str, span: Option<Span>, out: &mut impl Write) -> fmt::Result {
    match span {
        Some(span) => write!(out, "{label} {}..{}", span.start, span.end),
        None => Ok(()),
    }
}
