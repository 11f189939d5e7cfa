//! The open tags at a position of a page, without building a tree.

use xxhash_rust::xxh3;

use crate::html::tag::Tag;
use crate::limits::DEPTH_MAX;
use crate::text::content::is_block;

/// Maximum depth of the search for an element that the next start tag implicitly ends.
const IMPLIED_SEARCH: usize = 16;

/// The properties of a name.
#[derive(Debug, Clone, Copy, Default)]
struct Name {
    hash: u64,
    is_void: bool,
    is_special: bool,
    /// The elements that a start tag of this name ends.
    ends: &'static [Tag],
    /// The elements at which the search for `ends` stops.
    within: &'static [Tag],
}

/// The names that HTML defines, by tag id.
#[derive(Debug, Clone)]
pub(super) struct Names {
    names: Vec<Name>,
}

impl Names {
    pub(super) fn new() -> Names {
        Names { names: Tag::all_known().map(|(tag, name)| Name::new(tag, name)).collect() }
    }

    fn get(&self, tag: Tag) -> Option<&Name> {
        self.names.get(tag.0 as usize)
    }
}

impl Name {
    fn new(tag: Tag, name: &str) -> Name {
        let (ends, within): (&[Tag], &[Tag]) = match tag {
            Tag::LI => (&[Tag::LI], &[Tag::UL, Tag::OL, Tag::MENU, Tag::DIR]),
            Tag::DT | Tag::DD => (&[Tag::DT, Tag::DD], &[Tag::DL]),
            Tag::OPTION => (&[Tag::OPTION], &[Tag::SELECT]),
            Tag::TD | Tag::TH => (&[Tag::TD, Tag::TH], &[Tag::TR, Tag::TABLE]),
            Tag::TR => (&[Tag::TR], &[Tag::TABLE]),
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => (&[Tag::TBODY, Tag::TFOOT, Tag::THEAD], &[Tag::TABLE]),
            Tag::BODY => (&[Tag::HEAD], &[]),
            tag if is_block(tag) => (&[Tag::P], &[]),
            _ => (&[], &[]),
        };
        Name {
            hash: xxh3::xxh3_64(name.as_bytes()),
            is_void: is_void(tag),
            is_special: tag.is_special(),
            ends,
            within,
        }
    }
}

fn is_void(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::AREA
            | Tag::BASE
            | Tag::BR
            | Tag::COL
            | Tag::EMBED
            | Tag::FRAME
            | Tag::HR
            | Tag::IMG
            | Tag::INPUT
            | Tag::KEYGEN
            | Tag::LINK
            | Tag::META
            | Tag::PARAM
            | Tag::SOURCE
            | Tag::TRACK
            | Tag::WBR
    )
}

/// The open tags of a page, outermost first.
#[derive(Debug, Default)]
pub(super) struct OpenTags {
    open: Vec<(Tag, u64)>,
    /// The number of open tags of each name, so that an end tag without a start tag costs nothing.
    counts: Vec<u32>,
}

impl OpenTags {
    /// A hash of the names of all open tags.
    #[inline]
    pub(super) fn path(&self) -> u64 {
        self.open.last().map_or(0, |(_, path)| *path)
    }

    /// Opens a tag. `name` returns the bytes of names that HTML does not define.
    pub(super) fn start<'n>(&mut self, tag: Tag, names: &Names, name: impl FnOnce() -> &'n [u8]) {
        let known = names.get(tag);
        if let Some(known) = known {
            if known.is_void {
                return;
            }
            if !known.ends.is_empty() {
                self.end_implied(known, names);
            }
        }
        if self.open.len() >= DEPTH_MAX {
            return;
        }
        let hash = known.map_or_else(|| xxh3::xxh3_64(name()), |known| known.hash);
        let path = (self.path().rotate_left(5) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.open.push((tag, path));
        *self.count(tag) += 1;
    }

    /// Closes a tag.
    pub(super) fn end(&mut self, tag: Tag) {
        if *self.count(tag) == 0 {
            return;
        }
        while let Some((last, _)) = self.pop() {
            if last == tag {
                break;
            }
        }
    }

    /// Ends an element whose end tag is missing before a start tag. This is the innermost element with rules of its own, if the start tag
    /// ends it; for items, cells and rows, the one in the same list, row or table.
    fn end_implied(&mut self, starting: &Name, names: &Names) {
        let searched = self.open.iter().rev().take(IMPLIED_SEARCH).enumerate();
        for (depth, (tag, _)) in searched {
            if starting.ends.contains(tag) {
                for _ in 0..=depth {
                    self.pop();
                }
                return;
            }
            let is_end = match starting.within {
                [] => names.get(*tag).is_some_and(|name| name.is_special),
                within => within.contains(tag),
            };
            if is_end {
                return;
            }
        }
    }

    fn pop(&mut self) -> Option<(Tag, u64)> {
        let last = self.open.pop()?;
        *self.count(last.0) -= 1;
        Some(last)
    }

    fn count(&mut self, tag: Tag) -> &mut u32 {
        let at = tag.0 as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        &mut self.counts[at]
    }
}
