//! Detects raw text by the names of tags only, for pages that are read without building a tree.

use super::super::tag::{BREAKS_OUT, Tag};
use super::{Mode, Tokenizer};

/// The SVG or MathML context of the next token.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Foreign {
    /// How many `svg` and `math` are open.
    depth: u32,
    /// Whether the innermost one has HTML in it, as in a `foreignObject`.
    has_html: bool,
}

impl Tokenizer<'_> {
    /// Whether the next token belongs to SVG or MathML, where no element has raw text and `<![CDATA[` has a meaning.
    #[inline]
    pub fn is_foreign(&self) -> bool {
        self.foreign.depth > 0 && !self.foreign.has_html
    }

    /// Processes a start tag: raw text is read next if it begins some.
    #[inline]
    pub(crate) fn begin_by_name(&mut self, tag: Tag, self_closing: bool) {
        if self.is_foreign() && !self.is_html_in_foreign(tag, self_closing) {
            return;
        }
        match tag {
            Tag::SVG | Tag::MATH if !self_closing => {
                self.foreign = Foreign { depth: self.foreign.depth + 1, has_html: false };
            }
            Tag::TITLE | Tag::TEXTAREA => self.switch_to(Mode::Rcdata, tag),
            Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => {
                self.switch_to(Mode::Rawtext, tag)
            }
            Tag::SCRIPT => self.switch_to(Mode::Script, tag),
            Tag::PLAINTEXT => self.switch_to(Mode::Plaintext, tag),
            _ => {}
        }
    }

    /// Whether a start tag in SVG or MathML is one of HTML.
    #[cold]
    fn is_html_in_foreign(&mut self, tag: Tag, self_closing: bool) -> bool {
        match tag {
            Tag::SVG | Tag::MATH => self.foreign.depth += u32::from(!self_closing),
            Tag::FOREIGN_OBJECT | Tag::DESC => self.foreign.has_html = !self_closing,
            tag if BREAKS_OUT.contains(&tag) => {
                self.foreign = Foreign::default();
                return true;
            }
            _ => {}
        }
        false
    }

    /// Processes an end tag.
    #[inline]
    pub(crate) fn end_by_name(&mut self, tag: Tag) {
        if self.foreign.depth > 0 {
            match tag {
                Tag::SVG | Tag::MATH => {
                    self.foreign = Foreign { depth: self.foreign.depth - 1, has_html: false };
                }
                Tag::FOREIGN_OBJECT | Tag::DESC => self.foreign.has_html = false,
                _ => {}
            }
        }
    }
}
