//! A page whose source, tree and text are computed on demand, at most once.

use std::cell::{Cell, OnceCell};

use encoding_rs::Encoding;

use crate::Page;
use crate::detect::places::PageBlocks;
use crate::html::{Document, Parser, Piece, Pieces, Source, TreeMemory};
use crate::limits::PARSER_KEPT_BYTES_MAX;

/// The bytes of a page with their charset.
#[derive(Debug, Clone, Copy)]
pub struct PageBytes<'p> {
    /// The bytes.
    pub payload: &'p [u8],
    /// The charset.
    pub encoding: &'static Encoding,
}

impl<'p> PageBytes<'p> {
    /// Bytes that are UTF-8.
    pub fn utf8(payload: &'p [u8]) -> PageBytes<'p> {
        PageBytes { payload, encoding: encoding_rs::UTF_8 }
    }
}

impl<'p> From<&'p Page> for PageBytes<'p> {
    fn from(page: &'p Page) -> PageBytes<'p> {
        PageBytes { payload: &page.payload, encoding: page.charset.encoding }
    }
}

/// Parses pages one after the other, reusing its memory.
///
/// ```
/// use unframe::{PageBytes, PageParser};
///
/// let mut parser = PageParser::new();
/// let page = parser.open(PageBytes::utf8(b"<title>Tea</title><p>Hot"));
/// assert_eq!(page.document().elements("p").count(), 1);
/// assert_eq!(page.pieces().len(), 4); // `<title>`, `</title>`, `<p>` and `Hot`
/// ```
#[derive(Debug, Default)]
pub struct PageParser {
    parser: Parser,
    pieces: Vec<Piece>,
}

impl PageParser {
    /// A parser without a page.
    pub fn new() -> PageParser {
        PageParser::default()
    }

    /// Opens a page, which is parsed on demand.
    pub fn open<'p>(&'p mut self, page: impl Into<PageBytes<'p>>) -> ParsedPage<'p> {
        let bytes = page.into();
        if self.kept_bytes() > PARSER_KEPT_BYTES_MAX {
            *self = PageParser::default();
        }
        let (source, tree) = self.parser.open(bytes.payload, bytes.encoding);
        ParsedPage {
            bytes,
            source,
            tree: Cell::new(Some(tree)),
            document: OnceCell::new(),
            memory: Cell::new(Some(&mut self.pieces)),
            pieces: OnceCell::new(),
            blocks: OnceCell::new(),
        }
    }

    /// Opens a page again with the pieces from the first time, so that they need not be computed again.
    ///
    /// ```
    /// use unframe::{PageBytes, PageParser};
    ///
    /// let tea = PageBytes::utf8(b"<p>Hot tea");
    /// let mut parser = PageParser::new();
    /// let pieces = parser.open(tea).pieces().to_vec();
    /// assert_eq!(parser.open_with_pieces(tea, pieces).pieces(), PageParser::new().open(tea).pieces());
    /// ```
    pub fn open_with_pieces<'p>(
        &'p mut self,
        page: impl Into<PageBytes<'p>>,
        pieces: Vec<Piece>,
    ) -> ParsedPage<'p> {
        let page = self.open(page);
        if let Some(memory) = page.memory.take() {
            *memory = pieces;
            let _ = page.pieces.set(memory);
        }
        page
    }

    /// Bytes of memory that the parser keeps for the next page: a few times the length of the longest page so far. More than
    /// [`PARSER_KEPT_BYTES_MAX`] are released when the next page is opened.
    pub fn kept_bytes(&self) -> usize {
        self.parser.kept_bytes() + self.pieces.capacity() * size_of::<Piece>()
    }
}

/// A page that is parsed on demand; created by [`PageParser::open`].
pub struct ParsedPage<'p> {
    bytes: PageBytes<'p>,
    source: Source<'p>,
    /// Memory for the tree, until the tree is built.
    tree: Cell<Option<&'p mut TreeMemory>>,
    document: OnceCell<Document<'p>>,
    /// Memory for the pieces, until they are computed.
    memory: Cell<Option<&'p mut Vec<Piece>>>,
    pieces: OnceCell<&'p [Piece]>,
    /// The page's blocks, which both its regions and its kind are computed from. They are boxed because most methods never need them.
    blocks: OnceCell<Box<PageBlocks>>,
}

impl<'p> ParsedPage<'p> {
    /// The bytes, to which all positions refer.
    pub fn payload(&self) -> &'p [u8] {
        self.bytes.payload
    }

    /// The bytes with their charset.
    pub fn bytes(&self) -> PageBytes<'p> {
        self.bytes
    }

    /// The source, for tokenizing.
    pub fn source(&self) -> &Source<'p> {
        &self.source
    }

    /// The tree.
    pub fn document(&self) -> &Document<'p> {
        self.document.get_or_init(|| {
            // The cell is empty only while the tree is being built, and building the tree does not call this function.
            let Some(tree) = self.tree.take() else { unreachable!("the tree of a page is made once") };
            let Some(memory) = self.memory.take() else { return self.source.parse(tree) };
            let (document, has_pieces) = self.source.parse_with_pieces(tree, memory);
            if has_pieces {
                let _ = self.pieces.set(memory);
            } else {
                self.memory.set(Some(memory));
            }
            document
        })
    }

    /// The blocks of text.
    pub(crate) fn blocks(&self) -> &PageBlocks {
        self.blocks.get_or_init(|| Box::new(PageBlocks::of(self.document())))
    }

    /// The visible text and the tags.
    pub fn pieces(&self) -> &'p [Piece] {
        self.pieces.get_or_init(|| {
            let pieces = self.memory.take().map_or(&mut [][..], |memory| {
                memory.clear();
                memory.extend(Pieces::of(&self.source));
                memory
            });
            &*pieces
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_a_long_page_is_released() {
        let mut parser = PageParser::new();
        let long = "<p>x".repeat(PARSER_KEPT_BYTES_MAX / size_of::<Piece>());
        let pieces = parser.open(PageBytes::utf8(long.as_bytes())).pieces().to_vec();
        let short = "<p>x".repeat(10);
        parser.open(PageBytes::utf8(short.as_bytes())).document();
        let kept = parser.kept_bytes();
        assert!(kept > 0 && kept <= PARSER_KEPT_BYTES_MAX, "{kept}");
        // A page of ordinary length leaves its memory to the next one.
        parser.open(PageBytes::utf8(b"<p>y"));
        assert_eq!(parser.kept_bytes(), kept);
        // Pieces that are given for a page are not released before it.
        let count = pieces.len();
        assert_eq!(parser.open_with_pieces(PageBytes::utf8(long.as_bytes()), pieces).pieces().len(), count);
        assert!(parser.kept_bytes() > PARSER_KEPT_BYTES_MAX);
    }
}
