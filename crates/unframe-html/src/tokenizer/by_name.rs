//! Detects raw text by tag names only, for pages that are read without building a tree.

use super::super::tag::{BREAKS_OUT, Tag};
use super::{Mode, Tokenizer};

/// The SVG or MathML context of the next token.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Foreign {
    /// The number of open `svg` and `math` elements.
    depth: u32,
    /// Whether the innermost of them currently contains HTML, as in a `foreignObject`.
    has_html: bool,
}

impl Tokenizer<'_> {
    /// Whether the next token is in SVG or MathML, where no element has raw text and `<![CDATA[` begins a CDATA section.
    #[inline]
    pub fn is_foreign(&self) -> bool {
        self.foreign.is_next()
    }

    /// Processes a start tag, and switches to raw text if the element has raw text.
    #[inline]
    pub(crate) fn begin_by_name(&mut self, tag: Tag, self_closing: bool) {
        if let Some(mode) = self.foreign.begin(tag, self_closing) {
            self.switch_to(mode, tag);
        }
    }

    /// Processes an end tag.
    #[inline]
    pub(crate) fn end_by_name(&mut self, tag: Tag) {
        self.foreign.end(tag);
    }
}

impl Foreign {
    /// Whether the next token is in SVG or MathML.
    #[inline]
    pub(crate) fn is_next(&self) -> bool {
        self.depth > 0 && !self.has_html
    }

    /// Processes a start tag, and returns the raw text mode for its content, if there is one.
    #[inline]
    pub(crate) fn begin(&mut self, tag: Tag, self_closing: bool) -> Option<Mode> {
        if self.is_next() && !self.is_html_in_foreign(tag, self_closing) {
            return None;
        }
        match tag {
            Tag::SVG | Tag::MATH if !self_closing => {
                *self = Foreign { depth: self.depth + 1, has_html: false };
                None
            }
            Tag::TITLE | Tag::TEXTAREA => Some(Mode::Rcdata),
            Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => Some(Mode::Rawtext),
            Tag::SCRIPT => Some(Mode::Script),
            Tag::PLAINTEXT => Some(Mode::Plaintext),
            _ => None,
        }
    }

    /// Whether a start tag in SVG or MathML is an HTML tag.
    #[cold]
    fn is_html_in_foreign(&mut self, tag: Tag, self_closing: bool) -> bool {
        match tag {
            Tag::SVG | Tag::MATH => self.depth += u32::from(!self_closing),
            Tag::FOREIGN_OBJECT | Tag::DESC => self.has_html = !self_closing,
            tag if BREAKS_OUT.contains(&tag) => {
                *self = Foreign::default();
                return true;
            }
            _ => {}
        }
        false
    }

    /// Processes an end tag.
    #[inline]
    pub(crate) fn end(&mut self, tag: Tag) {
        if self.depth > 0 {
            match tag {
                Tag::SVG | Tag::MATH => *self = Foreign { depth: self.depth - 1, has_html: false },
                Tag::FOREIGN_OBJECT | Tag::DESC => self.has_html = false,
                _ => {}
            }
        }
    }
}
