//! The attributes of a tag.

use std::collections::HashSet;

use super::super::find::find_near;
use super::super::problem::ParseProblem;
use super::super::span::Span;
use super::{Tokenizer, is_space};
use crate::limits::{ATTRIBUTES_MAX, PAGE_ATTRIBUTES_MAX};

/// An attribute as it is written in the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// The span of the name.
    pub name: Span,
    /// The span of the value, without quotes; empty if there is none.
    pub value: Span,
}

/// The attributes of one tag, as a range of all attributes of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AttributeRange {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl AttributeRange {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// The names of a tag with many attributes, to find duplicates in linear time.
#[derive(Debug, Default)]
pub(super) struct SeenNames {
    names: HashSet<Vec<u8>>,
    first: usize,
}

/// Up to this number, comparing with each name is faster than hashing.
const FEW: usize = 16;

impl Tokenizer<'_> {
    /// Reads attributes from `at` up to the end of the tag. Returns the tag's end and whether it ends in `/>`; `None` if the page ends first.
    pub(super) fn tag_attributes(&mut self, at: usize) -> Option<(usize, bool)> {
        let input = self.input;
        let first = self.attributes.len();
        let mut at = at;
        loop {
            match *input.get(at)? {
                b'>' => return Some((at + 1, false)),
                b'/' if input.get(at + 1) == Some(&b'>') => return Some((at + 2, true)),
                byte if byte == b'/' || is_space(byte) => at += 1,
                _ => {
                    let (attribute, end) = attribute(input, at)?;
                    self.keep(first, attribute);
                    at = end;
                }
            }
        }
    }

    /// Like [`Tokenizer::tag_attributes`], for a tag whose attributes are not needed.
    #[inline]
    pub(super) fn skip_attributes(&self, at: usize) -> Option<(usize, bool)> {
        let input = self.input;
        let mut at = at;
        // Whether an `=` here would follow a name. If not, it begins one.
        let mut after_name = false;
        loop {
            match *input.get(at)? {
                b'>' => return Some((at + 1, false)),
                b'/' if input.get(at + 1) == Some(&b'>') => return Some((at + 2, true)),
                b'=' if after_name => {
                    at = value(input, skip_spaces(input, at + 1))?.1;
                    after_name = false;
                }
                byte if is_space(byte) => at += 1,
                byte => {
                    after_name = byte != b'/';
                    at += 1;
                    while after_name && !ends_attribute_name(*input.get(at)?) {
                        at += 1;
                    }
                }
            }
        }
    }

    /// Keeps the attribute unless the tag already has one of that name.
    fn keep(&mut self, first: usize, attribute: Attribute) {
        let own = &self.attributes[first..];
        if own.len() >= ATTRIBUTES_MAX || self.attributes.len() >= PAGE_ATTRIBUTES_MAX {
            self.problems.add(ParseProblem::TooManyAttributes, attribute.name.start as usize);
            return;
        }
        let name = attribute.name.slice(self.input);
        let repeated = if own.len() < FEW {
            own.iter().any(|other| other.name.slice(self.input).eq_ignore_ascii_case(name))
        } else {
            self.seen_names.repeats(self.input, own, first, name)
        };
        if !repeated {
            self.attributes.push(attribute);
        }
    }
}

impl SeenNames {
    fn repeats(&mut self, input: &[u8], own: &[Attribute], first: usize, name: &[u8]) -> bool {
        if own.len() == FEW || self.first != first {
            self.first = first;
            self.names.clear();
            self.names.extend(own.iter().map(|other| other.name.slice(input).to_ascii_lowercase()));
        }
        !self.names.insert(name.to_ascii_lowercase())
    }
}

/// Reads one attribute. `at` is the first byte of its name, which can be any byte.
#[inline]
pub(super) fn attribute(input: &[u8], at: usize) -> Option<(Attribute, usize)> {
    let name_start = at;
    // A leading `=` belongs to the name.
    let mut at = at + 1;
    while !ends_attribute_name(*input.get(at)?) {
        at += 1;
    }
    let name = Span::new(name_start, at);
    at = skip_spaces(input, at);
    if input.get(at) != Some(&b'=') {
        return Some((Attribute { name, value: Span::empty(name.end) }, at));
    }
    at = skip_spaces(input, at + 1);
    let (value, end) = value(input, at)?;
    Some((Attribute { name, value }, end))
}

#[inline]
fn value(input: &[u8], at: usize) -> Option<(Span, usize)> {
    match *input.get(at)? {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + find_near(quote, &input[at + 1..])?;
            Some((Span::new(at + 1, end), end + 1))
        }
        b'>' => Some((Span::new(at, at), at)),
        _ => {
            let len = input[at..].iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            Some((Span::new(at, at + len), at + len))
        }
    }
}

#[inline]
fn skip_spaces(input: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < input.len() && is_space(input[at]) {
        at += 1;
    }
    at
}

#[inline]
const fn ends_attribute_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>' | b'=')
}
