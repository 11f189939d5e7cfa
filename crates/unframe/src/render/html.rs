//! The HTML of a page with its templates cut out.
//!
//! The following is cut: text in a region, and elements that are entirely in a region. A region of the method `dom` consists of whole
//! nodes. A region of `text` begins and ends anywhere; tags of an element that extends past the region stay, so the result is as well
//! formed as the page was.
//!
//! The following stays even in a region, because the content would look different without it:
//! - `<link rel=stylesheet>`, `<style>`, `<meta charset>`, `<base>` and `<title>`;
//! - the tags of `html`, `head` and `body`, and line breaks;
//! - the tags of a table cell whose row stays, so that the columns keep their positions;
//! - the tags of a block before bare text, so that the text does not move up to the line before.
//!
//! Every byte outside of regions stays, in its order and in its charset. Nothing is added except a space where cutting would join two words.

mod cuts;
mod output;

use crate::html::tag::Tag;
use crate::html::tokenizer::TextKind;
use crate::html::{Source, Span};
use crate::parsed::ParsedPage;
use crate::regions::{Region, RegionCursor};
use crate::text::content::{is_block, is_replaced};
use crate::text::{Piece, is_white};
use output::Output;

use super::regions_in;

/// The bytes of a page without its regions, which must be sorted and must not overlap; see the [module](crate::render).
///
/// ```
/// use unframe::{PageBytes, PageParser};
/// use unframe::html::{Parser, Span};
/// use unframe::regions::{Region, TemplateHash};
///
/// let payload = b"<nav><a href=/>Home</a></nav><p>Hot <b>tea</b>";
/// let nav = Region::new(Span { start: 0, end: 29 }, TemplateHash(1), 9);
/// let page = PageBytes::utf8(payload);
/// assert_eq!(unframe::render::html(&PageParser::new().open(page), &[nav]), b"<p>Hot <b>tea</b>");
/// ```
pub fn html(page: &ParsedPage<'_>, regions: &[Region]) -> Vec<u8> {
    if regions.is_empty() {
        return page.payload().to_vec();
    }
    let cuts = cuts::find(page.document(), regions);
    let source = *page.source();
    let mut walk = Walk {
        source,
        regions,
        output: Output::new(page.bytes(), &cuts),
        after_word: false,
        left_out: false,
    };
    for piece in page.pieces() {
        match *piece {
            Piece::Text { span, kind } => walk.text(span, kind),
            Piece::Start { tag, span, .. } => walk.tag(tag, source.original(span), true),
            Piece::End { tag, span } => walk.tag(tag, source.original(span), false),
        }
    }
    walk.output.finish()
}

struct Walk<'p, 'r> {
    source: Source<'p>,
    regions: &'r [Region],
    output: Output<'r>,
    /// Whether the last kept visible character on this line is part of a word.
    after_word: bool,
    /// Whether something that separates words was cut since then.
    left_out: bool,
}

impl Walk<'_, '_> {
    fn text(&mut self, span: Span, kind: TextKind) {
        let original = self.source.original(span);
        let regions = regions_in(self.regions, original);
        self.output.keep_to(original.start);
        if regions.is_empty() && !self.left_out {
            let last = self.source.text(span, kind).chars().next_back();
            self.after_word = last.map_or(self.after_word, |last| !is_white(last));
            return self.output.keep_to(original.end);
        }
        let mut cursor = RegionCursor::new(regions);
        let source = self.source;
        source.for_each_char(span, kind, |c, bytes| {
            match cursor.at(bytes.start).filter(|region| region.span.contains(bytes)) {
                Some(_) => {
                    self.output.leave_out(bytes);
                    self.left_out = true;
                }
                None => self.keep(c, bytes),
            }
        });
        self.output.keep_to(original.end);
    }

    fn keep(&mut self, c: char, bytes: Span) {
        if self.after_word && self.left_out && !is_white(c) {
            self.output.keep_to(bytes.start);
            self.output.space();
        }
        self.after_word = !is_white(c);
        self.left_out = false;
    }

    fn tag(&mut self, tag: Tag, span: Span, is_start: bool) {
        self.output.keep_to(span.start);
        if separates(tag, is_start) {
            self.left_out = self.output.is_cut();
            self.after_word &= self.left_out;
        }
        self.output.keep_to(span.end);
    }
}

/// Whether a tag separates the words before and after it.
fn separates(tag: Tag, is_start: bool) -> bool {
    match tag {
        Tag::TD | Tag::TH => !is_start,
        Tag::BR => true,
        tag => is_block(tag) || is_replaced(tag),
    }
}

#[cfg(test)]
mod tests;
