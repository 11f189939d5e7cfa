//! The identifiers that links of the content lead to: notes, and the places that notes lead back to.

use std::collections::HashSet;

use crate::html::tag::Tag;
use crate::html::{Document, Node};
use crate::regions::Region;
use crate::render::begins_in;

/// The identifiers that are still to be written.
#[derive(Default)]
pub(super) struct Ids {
    wanted: HashSet<String>,
}

impl Ids {
    /// The targets of all links that lead to a place on the same page.
    pub(super) fn of(document: &Document<'_>, regions: &[Region]) -> Ids {
        let mut wanted = HashSet::new();
        let links = document.descendants().filter(|node| node.tag() == Some(Tag::A));
        for link in links.filter(|link| !begins_in(regions, *link)) {
            let href = link.attribute("href").unwrap_or_default();
            if let Some(id) = href.trim().strip_prefix('#').filter(|id| !id.is_empty()) {
                wanted.insert(percent_decoded(id));
                wanted.insert(id.to_owned());
            }
        }
        Ids { wanted }
    }

    /// The identifier of an element, or the old-fashioned name of a link, if it is wanted.
    pub(super) fn take(&mut self, node: Node<'_>) -> Option<String> {
        if self.wanted.is_empty() {
            return None;
        }
        let name = || node.attribute("name").filter(|_| node.tag() == Some(Tag::A));
        let mut ids = node.attribute("id").into_iter().chain(name());
        ids.find_map(|id| self.wanted.take(&*id))
    }
}

/// Undoes the encoding of characters in an address: `caf%C3%A9` is `café`.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let byte = code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_characters() {
        for (text, expected) in
            [("caf%C3%A9", "café"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%ff", "\u{fffd}")]
        {
            assert_eq!(percent_decoded(text), expected);
        }
    }
}
