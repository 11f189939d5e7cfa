//! Splits a page into blocks and text segments, in one pass over its tokens.

use xxhash_rust::xxh3;

use super::expiring_map::short;
use super::layout::LayoutTags;
use super::open_tags::{Names, OpenTags};
use crate::html::tokenizer::{TagToken, TextKind, Token, Tokenizer};
use crate::html::{Source, Span};
use crate::limits::PIECES_PER_PAGE_MAX;
use crate::parsed::ParsedPage;
use crate::text::{is_hidden, is_white};

/// A page split into blocks and segments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentedPage {
    /// The segments of all blocks, in the order of the page.
    pub segments: Vec<Segment>,
    /// The blocks that have text.
    pub blocks: Vec<SegmentBlock>,
}

/// A text between two tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Equal for equal texts at equal paths; [`KEY_BITS`](super::KEY_BITS) bits of a hash.
    pub key: u64,
    /// The number of characters, white space collapsed.
    pub chars: u32,
}

/// A part of a page between two layout tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentBlock {
    /// The span in the page.
    pub span: Span,
    /// The end of its segments in [`SegmentedPage::segments`]; they begin at the end of the previous block's.
    pub segments_end: u32,
}

impl SegmentedPage {
    /// The blocks with their segments.
    pub fn blocks(&self) -> impl Iterator<Item = (Span, &[Segment])> {
        let mut start = 0;
        self.blocks.iter().map(move |block| {
            let segments = &self.segments[start..block.segments_end as usize];
            start = block.segments_end as usize;
            (block.span, segments)
        })
    }

    /// The keys of the segments, ascending and without duplicates.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.segments.iter().map(|segment| segment.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Splits pages into segments.
#[derive(Debug, Clone)]
pub struct Segmenter {
    names: Names,
    layout: LayoutTags,
}

impl Segmenter {
    /// A segmenter that cuts blocks at the tags with these names only. The names are separated by `+`.
    pub fn new(block_tags: &str) -> Segmenter {
        Segmenter { names: Names::new(), layout: LayoutTags::new(block_tags) }
    }

    /// Cuts a page. Segments past [`PIECES_PER_PAGE_MAX`] are left out.
    pub fn cut(&self, page: &ParsedPage<'_>) -> SegmentedPage {
        let source = *page.source();
        let mut cutting = Segmentation::new(self, source);
        let mut tokens = source.tokens();
        loop {
            match tokens.next_by_name() {
                Token::Eof => break,
                Token::Comment { .. } | Token::Doctype(_) => {}
                Token::Text { span, kind } => cutting.text(span, kind),
                Token::Start(tag) => cutting.start(&tag, &tokens),
                Token::End(tag) => cutting.end(&tag, &tokens),
            }
        }
        cutting.end_block(None);
        cutting.page
    }
}

/// A page that is being cut.
struct Segmentation<'p, 'c> {
    cutter: &'c Segmenter,
    source: Source<'p>,
    open: OpenTags,
    page: SegmentedPage,
    /// Whether the text after the last tag is hidden.
    hidden: bool,
    /// The layout start tag that began the block.
    opened_by: Option<TagToken>,
    /// The span from the block's first piece to its last.
    extent: Option<Span>,
    collapsed: String,
}

impl<'p, 'c> Segmentation<'p, 'c> {
    fn new(cutter: &'c Segmenter, source: Source<'p>) -> Segmentation<'p, 'c> {
        Segmentation {
            cutter,
            source,
            open: OpenTags::default(),
            page: SegmentedPage::default(),
            hidden: false,
            opened_by: None,
            extent: None,
            collapsed: String::new(),
        }
    }

    fn start(&mut self, tag: &TagToken, tokens: &Tokenizer<'_>) {
        self.hidden = is_hidden(tag.tag);
        match self.cutter.layout.contains(tag.tag, tokens) {
            true => {
                self.end_block(None);
                self.opened_by = Some(*tag);
            }
            false => self.extend(tag.span),
        }
        self.open.start(tag.tag, &self.cutter.names, || tokens.name(tag.tag));
    }

    fn end(&mut self, tag: &TagToken, tokens: &Tokenizer<'_>) {
        self.hidden = false;
        match self.cutter.layout.contains(tag.tag, tokens) {
            true => self.end_block(Some(tag)),
            false => self.extend(tag.span),
        }
        self.open.end(tag.tag);
    }

    fn text(&mut self, span: Span, kind: TextKind) {
        if self.hidden || self.page.segments.len() >= PIECES_PER_PAGE_MAX {
            return;
        }
        let bytes = span.slice(self.source.bytes());
        let trimmed = bytes.trim_ascii();
        if trimmed.is_empty() {
            return;
        }
        let text = self.source.text(span, kind);
        let text = collapse(&text, &mut self.collapsed);
        if text.is_empty() {
            return;
        }
        let key = short(xxh3::xxh3_64_with_seed(text.as_bytes(), self.open.path()));
        self.page.segments.push(Segment { key, chars: text.chars().count() as u32 });
        let start = span.start as usize + (bytes.len() - bytes.trim_ascii_start().len());
        self.extend(Span::new(start, start + trimmed.len()));
    }

    fn extend(&mut self, span: Span) {
        let start = self.extent.map_or(span.start, |extent| extent.start);
        self.extent = Some(Span { start, end: span.end });
    }

    /// Ends the block before a layout tag; `end_tag` is that tag if it is an end tag.
    fn end_block(&mut self, end_tag: Option<&TagToken>) {
        let (opened_by, extent) = (self.opened_by.take(), self.extent.take());
        let segments_end = self.page.segments.len() as u32;
        let segments_start = self.page.blocks.last().map_or(0, |block| block.segments_end);
        let Some(extent) = extent.filter(|_| segments_end > segments_start) else { return };
        let span = match (opened_by, end_tag) {
            (Some(start), Some(end)) if start.tag == end.tag => {
                Span { start: start.span.start, end: end.span.end }
            }
            _ => extent,
        };
        self.page.blocks.push(SegmentBlock { span: self.source.original(span), segments_end });
    }
}

/// A text with every run of white space collapsed to one space, and none at its ends.
fn collapse<'t>(text: &'t str, memory: &'t mut String) -> &'t str {
    let text = text.trim_matches(is_white);
    let mut after_space = false;
    let is_collapsed = text.bytes().all(|byte| {
        let is_fine = match byte {
            b' ' => !after_space,
            // The first byte of a no-break space, which is also that of other characters.
            b'\t' | b'\n' | 0x0C | b'\r' | 0xC2 => false,
            _ => true,
        };
        after_space = byte == b' ';
        is_fine
    });
    if is_collapsed {
        return text;
    }
    memory.clear();
    for word in text.split(is_white).filter(|word| !word.is_empty()) {
        if !memory.is_empty() {
            memory.push(' ');
        }
        memory.push_str(word);
    }
    memory
}
