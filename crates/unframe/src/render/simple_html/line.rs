//! The text of one block, with emphasis, code, links and images.
//!
//! An opening tag is written before the first word inside, and a closing tag before the first word outside. So tags never enclose white space
//! at their ends, empty elements are not written, and elements around several blocks are repeated in each.

use super::attributes::{language_of, number, push_attribute, push_text};
use crate::html::Node;
use crate::html::tag::Tag;
use crate::render::addresses::{self, Addresses};
use crate::render::walk::Pending;
use crate::text::is_white;

/// An element that marks text.
struct Mark<'d> {
    /// Its [`kind`].
    tag: Tag,
    node: Node<'d>,
    /// Its attributes; not those of links, which are determined when the link has text.
    attributes: String,
}

/// The element that is written for an element in a line. All elements without a meaning of their own are `span`.
pub(super) fn kind(tag: Tag) -> Tag {
    match tag {
        Tag::B | Tag::STRONG => Tag::STRONG,
        Tag::I | Tag::EM => Tag::EM,
        Tag::S | Tag::STRIKE | Tag::DEL => Tag::DEL,
        Tag::TT | Tag::CODE => Tag::CODE,
        Tag::KBD | Tag::SAMP | Tag::SUP | Tag::SUB | Tag::Q => tag,
        _ => Tag::SPAN,
    }
}

/// A line under construction; see the [module](self).
pub(super) struct Line<'d> {
    out: String,
    addresses: Addresses<'d>,
    /// The last link, by its index, and its tag: a link around many blocks is repeated in each.
    link: Option<(usize, String)>,
    /// The marks of the surrounding elements, the outermost first.
    wanted: Vec<Mark<'d>>,
    /// The indexes of the marks that are open, and the text that closes them.
    open: Vec<(usize, &'static str)>,
    /// The identifiers of places before the next word.
    ids: Vec<String>,
    pending: Pending,
    /// Whether the text must be a single line, as in headings.
    pub(super) is_single: bool,
}

impl<'d> Line<'d> {
    pub(super) fn new(addresses: Addresses<'d>) -> Line<'d> {
        Line {
            out: String::new(),
            addresses,
            link: None,
            wanted: Vec::new(),
            open: Vec::new(),
            ids: Vec::new(),
            pending: Pending::Nothing,
            is_single: false,
        }
    }

    /// Writes text with its white space collapsed.
    pub(super) fn write(&mut self, text: &str) {
        if text.starts_with(is_white) {
            self.space();
        }
        for (number, word) in text.split(is_white).filter(|word| !word.is_empty()).enumerate() {
            match number {
                // The same marks are open from the first word to the last one.
                0 => self.begin(),
                _ => self.out.push(' '),
            }
            push_text(word, &mut self.out);
        }
        if text.ends_with(is_white) {
            self.space();
        }
    }

    /// Writes TeX with its delimiters.
    pub(super) fn formula(&mut self, formula: &str) {
        self.begin();
        push_text(formula, &mut self.out);
    }

    pub(super) fn image(&mut self, node: Node<'d>, address: &str) {
        let address = self.addresses.absolute(address);
        if !self.addresses.spend(address.len()) || addresses::is_inert(&address) {
            return;
        }
        self.begin();
        self.out.push_str("<img");
        push_attribute("src", address.trim(), &mut self.out);
        let alt = node.attribute("alt").unwrap_or_default();
        let alt: Vec<&str> = alt.split(is_white).filter(|word| !word.is_empty()).collect();
        push_attribute("alt", &alt.join(" "), &mut self.out);
        for side in ["width", "height"] {
            if let Some(pixels) = number(node, side).filter(|pixels| *pixels > 0) {
                push_attribute(side, &pixels.to_string(), &mut self.out);
            }
        }
        self.out.push('>');
    }

    /// Separates the words before and after the current position.
    pub(super) fn space(&mut self) {
        self.pending = self.pending.max(Pending::Space);
    }

    pub(super) fn line_break(&mut self) {
        self.pending = Pending::Break;
    }

    /// Whether a line break comes before the next word.
    pub(super) fn has_break(&self) -> bool {
        self.pending == Pending::Break
    }

    /// Whether the next word is code.
    pub(super) fn is_in_code(&self) -> bool {
        self.wanted.iter().any(|mark| mark.tag == Tag::CODE)
    }

    /// Adds identifiers of the place before the next word.
    pub(super) fn add_ids(&mut self, ids: Vec<String>) {
        self.ids.extend(ids);
    }

    /// Begins a mark. Returns false if the element needs none, or if the text already has this mark.
    pub(super) fn begin_mark(&mut self, node: Node<'d>, tag: Tag) -> bool {
        let attributes = if tag == Tag::A { String::new() } else { language_of(node) };
        let is_needed = tag != Tag::SPAN || !attributes.is_empty();
        let begins = is_needed && self.wanted.iter().all(|mark| mark.tag != tag);
        if begins {
            self.wanted.push(Mark { tag, node, attributes });
        }
        begins
    }

    /// Ends the mark of the element with that index.
    pub(super) fn end_mark(&mut self, node: usize) {
        self.wanted.retain(|mark| mark.node.index() != node);
    }

    /// Ends the block and returns its text, unless it is empty.
    pub(super) fn finish(&mut self) -> Option<String> {
        self.close(0);
        self.pending = Pending::Nothing;
        let text = std::mem::take(&mut self.out);
        (!text.is_empty()).then_some(text)
    }

    /// Prepares for a word or an image: closes and opens marks around the pending white space.
    fn begin(&mut self) {
        let same = self.open.iter().zip(&self.wanted);
        let same = same.take_while(|((index, _), mark)| *index == mark.node.index()).count();
        self.close(same);
        match std::mem::take(&mut self.pending) {
            _ if self.out.is_empty() => {}
            Pending::Nothing => {}
            Pending::Space => self.out.push(' '),
            Pending::Break => self.out.push_str("<br>"),
        }
        for at in same..self.wanted.len() {
            self.open_mark(at);
        }
        for id in std::mem::take(&mut self.ids) {
            self.out.push_str("<span");
            push_attribute("id", &id, &mut self.out);
            self.out.push_str("></span>");
        }
    }

    /// Closes marks until `left` are open.
    fn close(&mut self, left: usize) {
        while self.open.len() > left
            && let Some((_, end)) = self.open.pop()
        {
            self.out.push_str(end);
        }
    }

    fn open_mark(&mut self, at: usize) {
        let Mark { tag, node, attributes } = &self.wanted[at];
        let (name, end) = match *tag {
            Tag::A => return self.open_link(*node),
            Tag::Q => ("", "\""),
            Tag::STRONG => ("strong", "</strong>"),
            Tag::EM => ("em", "</em>"),
            Tag::DEL => ("del", "</del>"),
            Tag::CODE => ("code", "</code>"),
            Tag::KBD => ("kbd", "</kbd>"),
            Tag::SAMP => ("samp", "</samp>"),
            Tag::SUP => ("sup", "</sup>"),
            Tag::SUB => ("sub", "</sub>"),
            _ => ("span", "</span>"),
        };
        let is_written = self.addresses.spend(name.len() + attributes.len() + end.len());
        match name {
            _ if !is_written => {}
            "" => self.out.push('"'),
            name => self.out.extend(["<", name, attributes, ">"]),
        }
        self.open.push((node.index(), if is_written { end } else { "" }));
    }

    fn open_link(&mut self, node: Node<'d>) {
        let known = self.link.take().filter(|(index, _)| *index == node.index());
        let (index, tag) = known.unwrap_or_else(|| (node.index(), self.link_tag(node)));
        let is_written = self.addresses.spend(tag.len());
        if is_written {
            self.out.push_str(&tag);
        }
        self.open.push((index, if is_written { "</a>" } else { "" }));
        self.link = Some((index, tag));
    }

    fn link_tag(&mut self, node: Node<'d>) -> String {
        let mut tag = "<a".to_owned();
        let target = addresses::target(node).unwrap_or_default();
        push_attribute("href", self.addresses.absolute(&target).trim(), &mut tag);
        if let Some(title) = node.attribute("title").filter(|title| !title.trim().is_empty()) {
            push_attribute("title", title.trim(), &mut tag);
        }
        tag.push_str(&language_of(node));
        tag.push('>');
        tag
    }
}
