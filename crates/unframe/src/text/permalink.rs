//! Links from a heading to itself, which documentation generators show as one symbol: `¶`, `#`.

use memchr::memmem;

use crate::html::tag::Tag;
use crate::html::{Node, NodeKind};

/// Maximum bytes of a symbol, as a character reference, with white space around it.
pub(crate) const SIGN_LEN_MAX: usize = 12;
/// Maximum number of nodes in a permalink.
const NODES_MAX: usize = 3;

/// Whether a text is only the symbol of a permalink.
pub(crate) fn is_symbol(text: &str) -> bool {
    matches!(text.trim(), "¶" | "#" | "§" | "◆" | "∞" | "🔗" | "⚓" | "\u{200b}")
}

/// Whether class names, or a tag that contains them, are those of a permalink.
pub(crate) fn is_named(class: &[u8]) -> bool {
    ["headerlink", "permalink", "anchor", "hash-link"]
        .iter()
        .any(|name| memmem::find(class, name.as_bytes()).is_some())
}

/// Whether an element is a permalink.
pub(crate) fn is_permalink(node: Node<'_>) -> bool {
    let inside = || node.descendants().skip(1);
    node.tag() == Some(Tag::A)
        && inside().nth(NODES_MAX).is_none()
        && inside().any(|inner| inner.kind() == NodeKind::Text && is_symbol(&inner.text()))
        && inside().filter(|inner| inner.kind() == NodeKind::Text).nth(1).is_none()
        && node.attribute("class").is_some_and(|class| is_named(class.as_bytes()))
}
