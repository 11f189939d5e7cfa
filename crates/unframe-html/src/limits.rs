//! All limits of the parser.

/// Longest payload of one page. Longer payloads are truncated and reported.
pub const PAGE_BYTES_MAX: usize = 128 << 20;

/// Open elements on the parser's stack. Deeper elements stay in the tree, as children of the element at this depth.
/// Browsers use 512 as well.
pub const DEPTH_MAX: usize = 512;

/// Maximum number of attributes kept per start tag.
pub const ATTRIBUTES_MAX: usize = 1 << 16;

/// Maximum number of attributes kept per page, at 16 bytes each.
pub const PAGE_ATTRIBUTES_MAX: usize = 1 << 22;

/// Nodes of a tree, at about 50 bytes each. The rest of the page is one text, tags included. Long pages of real sites have a tenth of this,
/// whereas a few hundred kilobytes of compressed data can hold forty million tags.
pub const NODES_MAX: usize = 1 << 20;

/// Pieces of a page: tags, and texts between them. The rest of the page is one text, tags included. There are about twice as many pieces
/// as nodes, since elements have end tags.
pub const PIECES_MAX: usize = 2 * NODES_MAX;

/// Different tag names of a page that HTML does not know. Further ones count as the same name.
pub const TAG_NAMES_MAX: usize = 1 << 16;

/// Formatting elements (`<b>`, `<font>`, …) that can be open at a time. A page that never closes them would otherwise have all of them
/// repeated in every paragraph.
pub const FORMATTING_MAX: usize = 256;

/// Elements that the parser may add to repeat open formatting elements: this many, plus one for every [`REPEATED_FORMATTING_BYTES`] of the page.
pub const REPEATED_FORMATTING_MAX: usize = 10_000;

/// See [`REPEATED_FORMATTING_MAX`].
pub const REPEATED_FORMATTING_BYTES: usize = 8;
