//! Every limit of the program, in one place.
//!
//! Input from the web is hostile by accident and sometimes by intent. Each limit here bounds the memory or the time
//! that one page or one record can cost. What lies past a limit is reported as a [`Problem`](crate::Problem), never
//! dropped in silence.

/// Longest payload of one page. Longer payloads are cut here and reported.
pub const PAGE_BYTES_MAX: usize = 128 << 20;

/// Open elements on the parser's stack. Deeper elements stay in the tree, as children of the element at this depth.
/// Browsers use 512 as well.
pub const DEPTH_MAX: usize = 512;

/// Attributes kept of one start tag.
pub const ATTRIBUTES_MAX: usize = 1 << 16;

/// Bytes of a page without a declared charset that the charset detector looks at: it is a hundred times slower
/// than the parser.
pub const CHARSET_DETECTION_BYTES: usize = 8 << 10;

/// Bytes searched for `<meta charset>`, as browsers do.
pub const META_PRESCAN_BYTES: usize = 1024;

/// Bytes searched for `<meta charset>` while the head of the page lasts, when the first
/// [`META_PRESCAN_BYTES`] have none: long inline scripts before it are common, and browsers look past them.
pub const META_HEAD_BYTES: usize = 64 << 10;
