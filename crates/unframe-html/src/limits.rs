//! All limits of the parser.

/// Longest payload of one page. Longer payloads are truncated and reported.
pub const PAGE_BYTES_MAX: usize = 128 << 20;

/// Open elements on the parser's stack. Deeper elements stay in the tree, as children of the element at this depth.
/// Browsers use 512 as well.
pub const DEPTH_MAX: usize = 512;

/// Maximum number of attributes kept per start tag.
pub const ATTRIBUTES_MAX: usize = 1 << 16;

/// Formatting elements (`<b>`, `<font>`, …) that can be open at a time. A page that never closes them would otherwise have all of them
/// repeated in every paragraph.
pub const FORMATTING_MAX: usize = 256;

/// Elements that the parser may add to repeat open formatting elements: this many, plus one for every [`REPEATED_FORMATTING_BYTES`] of the page.
pub const REPEATED_FORMATTING_MAX: usize = 10_000;

/// See [`REPEATED_FORMATTING_MAX`].
pub const REPEATED_FORMATTING_BYTES: usize = 8;
