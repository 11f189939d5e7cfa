//! The layout tags of a page.

use std::collections::BTreeSet;

use crate::html::tag::Tag;
use crate::html::tokenizer::Tokenizer;

/// The default tags that cut a page into blocks.
pub const BLOCK_TAGS: &str = "table+div+p+ul+ol+dl+form+section+article+nav+header+footer+main+aside";

/// A set of tags.
#[derive(Debug, Clone)]
pub(crate) struct LayoutTags {
    /// Whether each tag with a fixed id is in the set, by id.
    known: Vec<bool>,
    /// The other names in the set.
    other: BTreeSet<Box<[u8]>>,
}

impl LayoutTags {
    /// The tags with these names, which are separated by `+`.
    pub(crate) fn new(names: &str) -> LayoutTags {
        let mut other: BTreeSet<Box<[u8]>> =
            names.split('+').map(|name| name.trim().to_ascii_lowercase().into_bytes().into()).collect();
        let known = Tag::all_known().map(|(_, name)| other.remove(name.as_bytes())).collect();
        LayoutTags { known, other }
    }

    pub(crate) fn contains(&self, tag: Tag, tokens: &Tokenizer<'_>) -> bool {
        match self.known.get(tag.0 as usize) {
            Some(is_known) => *is_known,
            None => !self.other.is_empty() && self.other.contains(tokens.name(tag)),
        }
    }
}
