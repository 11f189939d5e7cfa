//! Most limits of the library, in one place. A few stand where they are used, and those of the parser and of reading are in their crates;
//! `docs/limits.md` lists them all.
//!
//! Input from the web is hostile by accident and sometimes by intent. Each limit here bounds the memory or the time
//! that one page or one record can cost. What of a file lies past a limit is reported as a [`Problem`](crate::Problem);
//! where a limit only makes an answer less exact, `docs/limits.md` says what happens, and whether it is reported.

pub use unframe_html::limits::*;

/// Bytes of a page without a declared charset that the charset detector looks at: it is a hundred times slower
/// than the parser.
pub const CHARSET_DETECTION_BYTES: usize = 8 << 10;

/// Bytes searched for `<meta charset>`, as browsers do.
pub const META_PRESCAN_BYTES: usize = 1024;

/// Bytes searched for `<meta charset>` while the head of the page lasts, when the first
/// [`META_PRESCAN_BYTES`] have none: long inline scripts before it are common, and browsers look past them.
pub const META_HEAD_BYTES: usize = 64 << 10;

/// Bytes of sampled pages that wait to be parsed, those of all sites together. Most are gone from the sample before it is their turn.
pub const UNREAD_BYTES_MAX: usize = 24 << 20;

/// Pieces (nodes, windows of text) kept of one page of a sample, at 8 bytes each.
pub const PIECES_PER_PAGE_MAX: usize = 1 << 17;

/// Bytes of memory that a model file may unpack to, beside [`MODEL_MEMORY_PER_BYTE`] for each of its bytes: a piece that a
/// page repeats is written once with a number, and a crafted file could otherwise request any amount of memory.
pub const MODEL_MEMORY_MIN: usize = 256 << 20;

/// See [`MODEL_MEMORY_MIN`]. Real sites take 1 to 5.
pub const MODEL_MEMORY_PER_BYTE: usize = 16;

/// Lists and quotations inside each other that Markdown shows; deeper ones stand at this level. Every line repeats the marks
/// of all that it is in.
pub const MARKDOWN_NESTING_MAX: usize = 32;

/// Empty cells that the cells of a table may add by reaching over several rows or columns.
pub const SPANNED_CELLS_MAX: usize = 10_000;

/// Bytes of a host that cannot be, such as `a b`, in the name of its site.
pub const INVALID_HOST_MAX: usize = 255;

/// Selectors that are tried for one template hash; a bit of a number stands for each.
pub const SELECTOR_CANDIDATES_MAX: usize = 32;

/// Template hashes of one site that selectors are sought for.
pub const SELECTOR_HASHES_MAX: usize = 1 << 12;

/// Steps of a selector that is tried: `html > body > p` has three. Nobody wants to read or maintain a longer one.
pub const SELECTOR_STEPS_MAX: usize = 64;

/// Bytes of the names, ids and classes in a selector that is tried.
pub const SELECTOR_NAMES_MAX: usize = 16 << 10;

/// Bytes of memory that the selectors to be tried take, those of one page and those of one site. Selectors repeat the way
/// to an element, so that without a limit they take a thousand times the memory of a deeply nested page.
pub const SELECTORS_BYTES_MAX: usize = 24 << 20;

/// Sets of selectors that select an element of a template hash; what is in other sets counts as not selected.
pub const SELECTOR_PATTERNS_MAX: usize = 256;

/// Texts kept of a template; of more, those of the most pages.
pub const TEMPLATE_VARIANTS_MAX: usize = 64;

/// Characters kept of the text of a template.
pub const TEMPLATE_TEXT_MAX: usize = 2_000;
/// Numbers of a template fingerprint: a fingerprint and its length are 64 bytes together.
pub const FINGERPRINT_LENGTH_MAX: usize = 63;

/// Tags or elements of a page that the slow comparisons of structure look at: their time grows with the square of it.
pub const COMPARED_TAGS_MAX: usize = 20_000;

/// Pages that the slow comparisons of structure hold in memory.
pub const COMPARED_PAGES_MAX: usize = 100_000;

/// Examples of a template that are compared with each other for its threshold: the time grows with the square of it.
pub const THRESHOLD_EXAMPLES_MAX: usize = 1000;

/// Different fingerprints that a clustering or a classifier holds in memory, at about 200 bytes each.
pub const FINGERPRINTS_MAX: usize = 256 << 20;

/// Pages that a file of fingerprints can count: nobody has seen more, so a file that says so lies.
pub const COUNTED_PAGES_MAX: u64 = 1 << 48;

/// Segments in the table of one site, at about 25 bytes each. When it is full, new segments are not counted.
pub const TABLE_SEGMENTS_MAX: usize = 1 << 24;

/// Pages of one site that are recognised when they come again, at about 25 bytes each.
pub const KNOWN_PAGES_MAX: usize = 1 << 20;

/// Facts that the default method remembers of a site page by page, at about 25 bytes each. When there are more, new ones are not counted until others are
/// forgotten.
pub const STATE_FACTS_MAX: usize = 1 << 18;

/// Places that it remembers, at about 60 bytes each.
pub const STATE_PLACES_MAX: usize = 1 << 16;

/// Words of one page that are cut into blocks and indexed; a book has a tenth of it. The rest of the page is left out.
pub const WORDS_PER_PAGE_MAX: usize = 1 << 20;

/// Clusters of places of one word in blocks of one style that a place is compared with.
pub const WORD_CLUSTERS_MAX: usize = 64;

/// Bytes of JSON-LD of one page that are read; what comes after is not.
pub const JSON_LD_BYTES_MAX: usize = 1 << 20;

/// Values of one kind (`<meta>`, links, items of JSON-LD, named elements) that are gathered from a page as metadata.
pub const METADATA_ITEMS_MAX: usize = 1 << 10;

/// Characters of one value of metadata.
pub const METADATA_TEXT_MAX: usize = 2_000;
