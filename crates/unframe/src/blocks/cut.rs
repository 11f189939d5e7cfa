//! Splits a page into blocks and words, in one pass over its tokens.

use std::ops::Range;

use xxhash_rust::xxh3;

use super::words;
use crate::html::tag::Tag;
use crate::html::tokenizer::{TagToken, TextKind, Token, Tokenizer};
use crate::html::{Source, Span};
use crate::limits::{DEPTH_MAX, WORDS_PER_PAGE_MAX};
use crate::parsed::ParsedPage;
use crate::regions::{Region, RegionCursor};
use crate::segments::LayoutTags;
use crate::text::content::{is_block, title_after, white_len, word_len};
use crate::text::is_hidden;

/// A page split into blocks and words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CutPage {
    /// The page's title.
    pub title: Option<String>,
    /// The language that the page declares.
    pub language: Option<String>,
    /// The visible text: each block in a line of its own, white space collapsed.
    pub text: String,
    /// The words of all blocks, in the order of the page.
    pub words: Vec<WordAt>,
    /// The blocks that have words.
    pub blocks: Vec<Block>,
    /// Whether words past the limit per page were left out.
    pub is_cut_off: bool,
}

/// The range of a word in [`CutPage::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordAt {
    /// The start.
    pub start: u32,
    /// The end.
    pub end: u32,
}

impl WordAt {
    /// The word itself, given the text of its page.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A part of a page between two layout tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// A hash that is equal for blocks at equal positions with equal attributes.
    pub style: u64,
    /// Its span in the page.
    pub span: Span,
    /// The start of its text in [`CutPage::text`].
    pub text_start: u32,
    /// The end of its text.
    pub text_end: u32,
    /// The index of its first word in [`CutPage::words`].
    pub words_start: u32,
    /// The index after that of its last word.
    pub words_end: u32,
    /// Whether it is in one of the regions that the page was cut with.
    pub is_template: bool,
}

impl Block {
    /// Its range in [`CutPage::words`].
    pub fn words(&self) -> Range<usize> {
        self.words_start as usize..self.words_end as usize
    }

    /// Its range in [`CutPage::text`].
    pub fn text(&self) -> Range<usize> {
        self.text_start as usize..self.text_end as usize
    }
}

impl CutPage {
    /// The hashes of all words.
    pub fn hashes(&self) -> Vec<u64> {
        let mut memory = String::new();
        self.words.iter().map(|word| words::hash(word.of(&self.text), &mut memory)).collect()
    }
}

/// Cuts pages into blocks and words.
#[derive(Debug, Clone)]
pub struct Cutter {
    layout: LayoutTags,
    by_position: bool,
}

/// The presentational attributes.
const STYLE_ATTRIBUTES: [&[u8]; 14] = [
    b"class",
    b"style",
    b"role",
    b"align",
    b"valign",
    b"width",
    b"height",
    b"bgcolor",
    b"background",
    b"border",
    b"color",
    b"cellpadding",
    b"cellspacing",
    b"type",
];

/// Distinguishes a block that follows a layout element from a block that a layout element begins.
const AFTER: u64 = 1 << 32;

impl Cutter {
    /// A cutter that cuts at the tags with these names only. The names are separated by `+`. `by_position` says whether blocks at different
    /// positions have different styles.
    pub fn new(block_tags: &str, by_position: bool) -> Cutter {
        Cutter { layout: LayoutTags::new(block_tags), by_position }
    }

    /// Cuts a page. Blocks also begin and end at the boundaries of regions. Words past [`WORDS_PER_PAGE_MAX`] are left out.
    pub fn cut(&self, page: &ParsedPage<'_>, regions: &[Region]) -> CutPage {
        let source = *page.source();
        let mut cutting = Cutting::new(self, source, regions);
        let mut tokens = source.tokens();
        // Whether the text after the last tag is hidden.
        let mut hidden = false;
        loop {
            match tokens.next_by_name() {
                Token::Eof => break,
                Token::Comment { .. } | Token::Doctype(_) => {}
                Token::Text { .. } if hidden => {}
                Token::Text { span, kind } => cutting.text(span, kind),
                Token::Start(tag) => {
                    hidden = is_hidden(tag.tag);
                    cutting.start(&tag, &tokens);
                }
                Token::End(tag) => {
                    hidden = false;
                    cutting.end(&tag, &tokens);
                }
            }
        }
        cutting.end_block(None);
        cutting.page
    }
}

/// An open layout element.
#[derive(Debug, Clone, Copy)]
struct Open {
    tag: Tag,
    /// A hash of the child indexes of the element and its ancestors.
    path: u64,
    /// The number of layout elements in it so far.
    children: u64,
}

/// A page that is being cut.
struct Cutting<'p, 'c> {
    cutter: &'c Cutter,
    source: Source<'p>,
    regions: RegionCursor<'c>,
    has_regions: bool,
    page: CutPage,
    open: Vec<Open>,
    /// The style of the current block; `is_template` says whether the block is template.
    style: u64,
    is_template: bool,
    /// The start of the current block's text.
    text_start: usize,
    /// The layout start tag that began the block.
    opened_by: Option<TagToken>,
    /// The span from the block's first piece to its last.
    extent: Option<Span>,
    /// The white space to write before the next word.
    pending: Option<char>,
}

impl<'p, 'c> Cutting<'p, 'c> {
    fn new(cutter: &'c Cutter, source: Source<'p>, regions: &'c [Region]) -> Cutting<'p, 'c> {
        let root = Open { tag: Tag::HTML, path: 0, children: 0 };
        Cutting {
            cutter,
            source,
            regions: RegionCursor::new(regions),
            has_regions: !regions.is_empty(),
            page: CutPage::default(),
            open: vec![root],
            style: 0,
            is_template: false,
            text_start: 0,
            opened_by: None,
            extent: None,
            pending: None,
        }
    }

    fn start(&mut self, tag: &TagToken, tokens: &Tokenizer<'_>) {
        if self.cutter.layout.contains(tag.tag, tokens) {
            self.end_block(None);
            self.open(tag, tokens);
            return;
        }
        match tag.tag {
            Tag::TITLE if self.page.title.is_none() && !tokens.is_foreign() => {
                self.page.title = title_after(&self.source, tag.span);
            }
            Tag::HTML if self.page.language.is_none() => self.page.language = self.language(tag, tokens),
            // Text before the body is in no block.
            Tag::BODY => {
                self.extent = None;
                return;
            }
            _ => {}
        }
        self.inside(tag);
    }

    fn end(&mut self, tag: &TagToken, tokens: &Tokenizer<'_>) {
        match self.cutter.layout.contains(tag.tag, tokens) {
            true => {
                self.end_block(Some(tag));
                self.close(tag.tag);
            }
            false => self.inside(tag),
        }
    }

    /// Handles a tag that does not cut.
    fn inside(&mut self, tag: &TagToken) {
        self.extend(tag.span);
        self.pending = match tag.tag {
            Tag::BR => Some('\n'),
            Tag::TD | Tag::TH | Tag::BUTTON | Tag::SELECT | Tag::INPUT | Tag::IMG => {
                self.pending.or(Some(' '))
            }
            tag if is_block(tag) => Some('\n'),
            _ => self.pending,
        };
    }

    /// Begins the block of a layout element.
    fn open(&mut self, tag: &TagToken, tokens: &Tokenizer<'_>) {
        // Every layout element ends an open paragraph.
        if self.open.last().is_some_and(|last| last.tag == Tag::P) {
            self.open.pop();
        }
        let depth = self.open.len();
        let path = match self.open.last_mut() {
            Some(last) => {
                last.children += 1;
                mix(last.path, last.children)
            }
            None => 0,
        };
        if depth < DEPTH_MAX {
            self.open.push(Open { tag: tag.tag, path, children: 0 });
        }
        let attributes = tokens.attributes_of(tag).iter().fold(u64::from(tag.tag.0), |sum, attribute| {
            let name = attribute.name.slice(self.source.bytes());
            match STYLE_ATTRIBUTES.iter().position(|known| name.eq_ignore_ascii_case(known)) {
                // A sum does not depend on the order of the attributes.
                Some(at) => {
                    let value = attribute.value.slice(self.source.bytes());
                    sum.wrapping_add(xxh3::xxh3_64_with_seed(value, at as u64 + 1))
                }
                None => sum,
            }
        });
        self.style = mix(if self.cutter.by_position { path } else { 0 }, attributes);
        self.opened_by = Some(*tag);
    }

    /// Ends a layout element; the text that follows is a block of the parent element.
    fn close(&mut self, tag: Tag) {
        if let Some(at) = self.open.iter().skip(1).rposition(|open| open.tag == tag) {
            self.open.truncate(at + 1);
        }
        if let Some(last) = self.open.last() {
            let position = if self.cutter.by_position { (last.path, last.children) } else { (0, 0) };
            self.style = mix(position.0, AFTER | position.1);
        }
    }

    fn language(&self, tag: &TagToken, tokens: &Tokenizer<'_>) -> Option<String> {
        let is_language = |name: &[u8]| name.eq_ignore_ascii_case(b"lang");
        let mut attributes = tokens.attributes_of(tag).iter();
        let found = attributes.find(|attribute| is_language(attribute.name.slice(self.source.bytes())))?;
        Some(self.source.attribute_value(found.value).trim().to_owned()).filter(|name| !name.is_empty())
    }

    fn text(&mut self, span: Span, kind: TextKind) {
        if !self.has_regions {
            return self.flow(&self.source.text(span, kind), span, false);
        }
        let (source, mut regions) = (self.source, self.regions.clone());
        if source.original(span) == span {
            regions.split(span, |part, region| {
                self.flow(&source.text(part, kind), part, region.is_some());
            });
        } else {
            // The page is a transcoded copy with a map from characters to bytes.
            let mut runs: Vec<(bool, String)> = Vec::new();
            source.for_each_char(span, kind, |c, bytes| {
                let is_template = regions.at(bytes.start).is_some();
                match runs.last_mut().filter(|(is_same, _)| *is_same == is_template) {
                    Some((_, run)) => run.push(c),
                    None => runs.push((is_template, c.to_string())),
                }
            });
            runs.iter().for_each(|(is_template, run)| self.flow(run, span, *is_template));
        }
        self.regions = regions;
    }

    /// Adds text. A new block begins where template begins or ends.
    fn flow(&mut self, text: &str, span: Span, is_template: bool) {
        let mut rest = text.as_bytes();
        if white_len(rest) < rest.len() {
            if is_template != self.is_template {
                let style = self.style;
                self.end_block(None);
                (self.style, self.is_template) = (style, is_template);
            }
            self.extend(trimmed(span, self.source.bytes()));
        }
        loop {
            let white = white_len(rest);
            if white > 0 {
                self.pending = self.pending.or(Some(' '));
            }
            rest = &rest[white..];
            if rest.is_empty() {
                return;
            }
            let word = word_len(rest);
            if let Some(between) = self.pending.take()
                && self.page.text.len() > self.text_start
            {
                self.page.text.push(between);
            }
            let start = text.len() - rest.len();
            self.page.text.push_str(&text[start..start + word]);
            rest = &rest[word..];
        }
    }

    fn extend(&mut self, span: Span) {
        let start = self.extent.map_or(span.start, |extent| extent.start);
        self.extent = Some(Span { start, end: span.end });
    }

    /// Ends the block before a layout tag; `end_tag` is that tag if it is an end tag.
    fn end_block(&mut self, end_tag: Option<&TagToken>) {
        let (opened_by, extent) = (self.opened_by.take(), self.extent.take());
        self.pending = None;
        let (text_start, words_start) = (self.text_start, self.page.words.len());
        let page = &mut self.page;
        words::split(&page.text[text_start..], |word| {
            let (start, end) = ((text_start + word.start) as u32, (text_start + word.end) as u32);
            match page.words.len() < WORDS_PER_PAGE_MAX {
                true => page.words.push(WordAt { start, end }),
                false => page.is_cut_off = true,
            }
        });
        let is_template = std::mem::take(&mut self.is_template);
        let Some(extent) = extent.filter(|_| page.words.len() > words_start) else {
            page.text.truncate(text_start);
            return;
        };
        let span = match (opened_by, end_tag) {
            (Some(start), Some(end)) if start.tag == end.tag => {
                Span { start: start.span.start, end: end.span.end }
            }
            _ => extent,
        };
        page.blocks.push(Block {
            style: self.style,
            span: self.source.original(span),
            text_start: text_start as u32,
            text_end: page.text.len() as u32,
            words_start: words_start as u32,
            words_end: page.words.len() as u32,
            is_template,
        });
        page.text.push('\n');
        self.text_start = page.text.len();
    }
}

/// A span without the white space at its ends.
fn trimmed(span: Span, bytes: &[u8]) -> Span {
    let text = span.slice(bytes);
    let start = span.start as usize + (text.len() - text.trim_ascii_start().len());
    Span::new(start, (start + text.trim_ascii().len()).max(start))
}

fn mix(path: u64, number: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&path.to_le_bytes());
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    xxh3::xxh3_64(&bytes)
}
