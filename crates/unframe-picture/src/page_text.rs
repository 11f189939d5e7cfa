//! The text of a page, cut where template regions begin and end.

use unframe::Region;
use unframe::html::Source;
use unframe::html::tag::Tag;
use unframe::text::content::is_block;
use unframe::text::{Piece, Pieces, is_white};

use crate::limits::PAGE_TEXT_MAX;

/// A part of a page's text, which is in one region or outside of all regions. Block elements start on a new line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text outside of templates.
    Content(String),
    /// Text of a template region.
    Template {
        /// The index of the region on the page.
        region: u32,
        /// The text; `None` if it equals the stored text of the region's template hash.
        text: Option<String>,
    },
}

/// The parts of a page's text, up to about [`PAGE_TEXT_MAX`] characters. A region without text has no part.
pub fn parts(source: &Source<'_>, regions: &[Region]) -> Vec<Part> {
    let mut walk = Walk { regions, at: 0, parts: Vec::new(), pending: None, chars: 0 };
    for piece in Pieces::of(source) {
        match piece {
            Piece::Text { span, kind } => {
                source.for_each_char(span, kind, |c, bytes| walk.char(c, bytes.start))
            }
            Piece::Start { tag, .. } | Piece::End { tag, .. } => walk.tag(tag),
        }
        if walk.chars >= PAGE_TEXT_MAX {
            walk.push(None, "\n[…]");
            break;
        }
    }
    walk.parts
}

/// The number of bytes of the parts' own text. Text that is stored with a template hash is not counted.
pub(super) fn byte_len(parts: &[Part]) -> usize {
    parts.iter().filter_map(own_text).map(str::len).sum()
}

/// Cuts the parts to about this many bytes, and returns whether anything was cut.
pub(super) fn cut(parts: &mut Vec<Part>, bytes_max: usize) -> bool {
    let mut left = bytes_max;
    let fits = parts.iter().position(|part| {
        let len = own_text(part).map_or(0, str::len);
        let is_over = len > left;
        left = left.saturating_sub(len);
        is_over
    });
    let Some(first_over) = fits else { return false };
    parts.truncate(first_over);
    parts.push(Part::Content("\n[…]".to_owned()));
    true
}

fn own_text(part: &Part) -> Option<&str> {
    match part {
        Part::Content(text) => Some(text),
        Part::Template { text, .. } => text.as_deref(),
    }
}

struct Walk<'r> {
    regions: &'r [Region],
    /// The first region that has not ended.
    at: usize,
    parts: Vec<Part>,
    /// White space that is emitted before the next character.
    pending: Option<char>,
    chars: usize,
}

impl Walk<'_> {
    fn tag(&mut self, tag: Tag) {
        if is_block(tag) || tag == Tag::BR {
            self.pending = Some('\n');
        } else if matches!(tag, Tag::TD | Tag::TH) {
            self.pending.get_or_insert(' ');
        }
    }

    fn char(&mut self, c: char, byte: u32) {
        if is_white(c) {
            self.pending.get_or_insert(' ');
            return;
        }
        while self.regions.get(self.at).is_some_and(|region| region.span.end <= byte) {
            self.at += 1;
        }
        let is_inside = self.regions.get(self.at).is_some_and(|region| region.span.start <= byte);
        let region = is_inside.then_some(self.at as u32);
        let mut buffer = [0; 4];
        let text = c.encode_utf8(&mut buffer);
        if let Some(white) = self.pending.take().filter(|_| !self.parts.is_empty()) {
            // White space between template and content belongs to the content, so that a template has the same text on all pages.
            let is_after_content = matches!(self.parts.last(), Some(Part::Content(_)));
            self.push(region.filter(|_| !is_after_content), white.encode_utf8(&mut [0; 4]));
        }
        self.push(region, text);
    }

    fn push(&mut self, region: Option<u32>, text: &str) {
        self.chars += 1;
        match (self.parts.last_mut(), region) {
            (Some(Part::Content(last)), None) => last.push_str(text),
            (Some(Part::Template { region: open, text: Some(last) }), Some(region)) if *open == region => {
                last.push_str(text);
            }
            (_, None) => self.parts.push(Part::Content(text.to_owned())),
            (_, Some(region)) => self.parts.push(Part::Template { region, text: Some(text.to_owned()) }),
        }
    }
}
