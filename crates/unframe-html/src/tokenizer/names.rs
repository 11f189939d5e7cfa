//! Reads only tag names, for uses that need only the structure of pages.
//!
//! The tags are exactly those of [`Tokenizer::next_by_name`](super::Tokenizer::next_by_name), but names without a fixed id are hashed
//! instead of interned, and attributes are passed on instead of collected. Nothing is allocated.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::super::tag::{self, Tag};
use super::{Attribute, Mode, Tokenizer, attributes, ends_tag_name, is_space};

/// The name of a tag: equal for equal names on all pages, ignoring case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagName(u32);

impl TagName {
    /// The highest bit distinguishes hashed names from interned ones.
    const HASHED: u32 = 1 << 31;

    /// A number for the name, stable as long as the list of known names is.
    pub fn number(self) -> u32 {
        self.0
    }

    fn of(input: &[u8], start: usize, end: usize) -> TagName {
        match tag::known(input, start, end - start) {
            Some(tag) => TagName(tag.0),
            None => TagName(hash_of_name(&input[start..end]) as u32 | TagName::HASHED),
        }
    }

    /// A hash of the name that is the same in all versions of this program.
    pub fn stable_hash(self) -> u64 {
        match Tag(self.0).known_name() {
            Some(name) => xxh3_64(name.as_bytes()),
            None => u64::from(self.0),
        }
    }

    /// The tag, if its name has a fixed id.
    #[inline]
    fn tag(self) -> Option<Tag> {
        (self.0 & TagName::HASHED == 0).then_some(Tag(self.0))
    }

    /// Whether the name is that of this tag.
    pub fn is(self, tag: Tag) -> bool {
        self.0 == tag.0
    }
}

impl From<Tag> for TagName {
    fn from(tag: Tag) -> TagName {
        TagName(tag.0)
    }
}

/// A start or end tag by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedTag {
    /// The name.
    pub name: TagName,
    /// The span of the name.
    pub span: Span,
    /// Whether it is an end tag.
    pub is_end: bool,
}

impl Tokenizer<'_> {
    /// The next tag of a page that is read without building a tree. `attribute` gets the attributes of start tags, including repeated ones,
    /// even if the page then ends inside the tag. `None` at the end of the page.
    #[inline]
    pub fn next_name(&mut self, mut attribute: impl FnMut(TagName, Attribute)) -> Option<NamedTag> {
        loop {
            if self.mode != Mode::Data {
                self.raw();
            }
            let start = self.find_markup(self.position);
            match self.input.get(start + 1) {
                None => {
                    self.position = self.input.len();
                    return None;
                }
                Some(b'/') => match self.input[start + 2] {
                    byte if byte.is_ascii_alphabetic() => {
                        let (tag, _) = self.named_tag(start, start + 2, true, &mut |_, _| ())?;
                        if let Some(name) = tag.name.tag() {
                            self.end_by_name(name);
                        }
                        return Some(tag);
                    }
                    b'>' => self.position = start + 3,
                    _ => {
                        self.bogus_comment(start, start + 2);
                    }
                },
                Some(b'!') => {
                    self.declaration(start, self.is_foreign());
                }
                Some(b'?') => {
                    self.bogus_comment(start, start + 1);
                }
                Some(_) => {
                    let (tag, self_closing) = self.named_tag(start, start + 1, false, &mut attribute)?;
                    if let Some(name) = tag.name.tag() {
                        self.begin_by_name(name, self_closing);
                    }
                    return Some(tag);
                }
            }
        }
    }

    /// Reads a tag, and returns whether it ends in `/>`.
    #[inline]
    fn named_tag(
        &mut self,
        start: usize,
        name_start: usize,
        is_end: bool,
        attribute: &mut impl FnMut(TagName, Attribute),
    ) -> Option<(NamedTag, bool)> {
        let input = self.input;
        let mut at = name_start;
        while at < input.len() && !ends_tag_name(input[at]) {
            at += 1;
        }
        let span = Span::new(name_start, at);
        let name = TagName::of(input, name_start, at);
        let closed = if input.get(at) == Some(&b'>') {
            Some((at + 1, false))
        } else {
            each_attribute(input, at, |found| attribute(name, found))
        };
        let Some((end, self_closing)) = closed else {
            self.problems.add(ParseProblem::EndsInTag, start);
            self.position = input.len();
            return None;
        };
        self.position = end;
        Some((NamedTag { name, span, is_end }, self_closing))
    }
}

/// Reads attributes from `at` up to the end of the tag. Returns the end's position and whether the tag ends in `/>`; `None` if the page ends first.
#[inline]
fn each_attribute(input: &[u8], at: usize, mut each: impl FnMut(Attribute)) -> Option<(usize, bool)> {
    let mut at = at;
    loop {
        match *input.get(at)? {
            b'>' => return Some((at + 1, false)),
            b'/' if input.get(at + 1) == Some(&b'>') => return Some((at + 2, true)),
            byte if byte == b'/' || is_space(byte) => at += 1,
            _ => {
                let (attribute, end) = attributes::attribute(input, at)?;
                each(attribute);
                at = end;
            }
        }
    }
}

/// The hash of a name in lower case, without allocating.
pub fn hash_of_name(name: &[u8]) -> u64 {
    let mut lower = [0; 32];
    if let Some(lower) = lower.get_mut(..name.len()) {
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        return xxh3_64(lower);
    }
    let mut hasher = Xxh3Default::new();
    for part in name.chunks(lower.len()) {
        let lower = &mut lower[..part.len()];
        lower.copy_from_slice(part);
        lower.make_ascii_lowercase();
        hasher.update(lower);
    }
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Token, Tokenizer};
    use super::*;

    /// The tags according to the tokenizer that collects everything.
    fn slow(page: &[u8]) -> Vec<(TagName, Span, bool)> {
        let mut tokens = Tokenizer::new(page);
        let mut tags = Vec::new();
        loop {
            let (tag, is_end) = match tokens.next_by_name() {
                Token::Start(tag) => (tag, false),
                Token::End(tag) => (tag, true),
                Token::Eof => return tags,
                _ => continue,
            };
            tags.push((TagName::of(page, tag.name.range().start, tag.name.range().end), tag.name, is_end));
        }
    }

    fn quick(page: &[u8]) -> Vec<(TagName, Span, bool)> {
        let mut tokens = Tokenizer::new(page);
        std::iter::from_fn(|| tokens.next_name(|_, _| ()))
            .map(|tag| (tag.name, tag.span, tag.is_end))
            .collect()
    }

    #[test]
    fn names_do_not_depend_on_case_and_attributes_are_handed_over() {
        let page = b"<DIV Class='a>b' id=c><My-Own-Element><my-own-element></div x=y><script><p></script>";
        let mut tokens = Tokenizer::new(page);
        let mut found = Vec::new();
        let mut names = Vec::new();
        while let Some(tag) = tokens.next_name(|_, attribute| found.push(attribute.value.slice(page))) {
            names.push(tag.name);
        }
        assert_eq!(found, [&b"a>b"[..], b"c"]);
        assert!(names[0].is(Tag::DIV) && names[0] == names[3] && names[4].is(Tag::SCRIPT));
        assert!(names[1] == names[2] && names[1] != names[0]);
        assert_eq!(names.len(), 6);
    }

    proptest! {
        #[test]
        fn the_tags_are_those_of_the_tokenizer(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<", ">", "/", "</", "<p", "<div", "</div", " ", "=", "\"", "'", "<!--", "-->", "<!", "<?", "<script",
                    "</script", "<title>", "</title>", "a", "<x-y", "<TABLE", "é", "class", "<!doctype", "<plaintext>", "\0", "<svg>", "</svg>", "<title/>", "<![CDATA[", "]]>",
                    "<math/>", "<foreignObject>", "<desc>", "</desc>",
                ]),
                0..40,
            )
        ) {
            let page = parts.concat();
            prop_assert_eq!(quick(page.as_bytes()), slow(page.as_bytes()));
        }
    }
}
