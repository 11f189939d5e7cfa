//! The limits of the library. A few others are defined where they are used, and those of the parser and of reading are in their crates;
//! `docs/limits.md` lists them all.
//!
//! Input from the web is hostile by accident and sometimes by intent. Each limit bounds the memory or the time that one page or one record
//! can cost. Data past a limit is reported as a [`Problem`](crate::Problem). Some limits only make a result less exact; `docs/limits.md`
//! says what they do and whether it is reported.

pub use unframe_html::limits::*;

/// Bytes of a page without a declared charset that are given to the charset detector, which is a hundred times slower than the parser.
pub const CHARSET_DETECTION_BYTES: usize = 8 << 10;

/// Bytes searched for `<meta charset>`, as browsers do.
pub const META_PRESCAN_BYTES: usize = 1024;

/// Bytes of the head of the page that are searched for `<meta charset>` if the first [`META_PRESCAN_BYTES`] have none. Long inline scripts
/// before it are common, and browsers search past them.
pub const META_HEAD_BYTES: usize = 64 << 10;

/// Memory that a parser keeps for the next page. After a page that needed more, it is released.
pub const PARSER_KEPT_BYTES_MAX: usize = 32 << 20;

/// Total bytes of the sampled pages of all sites that wait to be parsed. Most of them drop out of the sample before they are parsed.
pub const UNREAD_BYTES_MAX: usize = 8 << 20;

/// Pieces (nodes, windows of text) kept per page of a sample, at 8 bytes each.
pub const PIECES_PER_PAGE_MAX: usize = 1 << 17;

/// Bytes of memory that a model file may unpack to, in addition to [`MODEL_MEMORY_PER_BYTE`] for each of its bytes. A piece that a page
/// repeats is stored once with a count, so a crafted file could request any amount of memory.
pub const MODEL_MEMORY_MIN: usize = 256 << 20;

/// See [`MODEL_MEMORY_MIN`]. Real sites take 1 to 5.
pub const MODEL_MEMORY_PER_BYTE: usize = 16;

/// Nesting depth of lists and quotations in Markdown; deeper ones are written at this depth. Every line repeats the marks of all its containers.
pub const MARKDOWN_NESTING_MAX: usize = 32;

/// Elements of simple HTML that are nested in each other, without those in a paragraph. The content of deeper ones is written at this depth.
pub const HTML_NESTING_MAX: usize = 64;

/// Bytes of a page's address, or of its `<base href>`, that relative addresses are resolved against. With a longer one, they stay relative.
pub const BASE_ADDRESS_BYTES_MAX: usize = 8 << 10;

/// Bytes of addresses in Markdown, and of links, images and emphasis in simple HTML, in addition to the bytes of the page: resolving makes
/// addresses longer, and what is around many blocks is repeated in each. After that, only their text is written.
pub const ADDED_ADDRESS_BYTES_MAX: usize = 16 << 20;

/// Empty cells that the cells of a table may add by spanning several rows or columns.
pub const SPANNED_CELLS_MAX: usize = 10_000;

/// Bytes of a host in the name of its site. No name in the DNS is longer; the addresses of crawls, such as `http://a b/`, may be anything.
pub const INVALID_HOST_MAX: usize = 255;

/// Candidate selectors per template hash. Each has one bit in a bit pattern.
pub const SELECTOR_CANDIDATES_MAX: usize = 32;

/// Template hashes per site for which selectors are searched.
pub const SELECTOR_HASHES_MAX: usize = 1 << 12;

/// Steps of a candidate selector: `html > body > p` has three. Nobody wants to read or maintain a longer one.
pub const SELECTOR_STEPS_MAX: usize = 64;

/// Bytes of the names, ids and classes in a candidate selector.
pub const SELECTOR_NAMES_MAX: usize = 16 << 10;

/// Bytes of memory for the candidate selectors of one page, and of one site. Selectors repeat the path to an element, so without a limit
/// they could take a thousand times the memory of a deeply nested page.
pub const SELECTORS_BYTES_MAX: usize = 24 << 20;

/// Different sets of selectors counted per template hash. Elements with a set past the limit count as not selected.
pub const SELECTOR_PATTERNS_MAX: usize = 256;

/// Text variants kept per template; of more, those on the most pages.
pub const TEMPLATE_VARIANTS_MAX: usize = 64;

/// Characters kept of the text of a template.
pub const TEMPLATE_TEXT_MAX: usize = 2_000;
/// Numbers of a template fingerprint: a fingerprint and its length are 64 bytes together.
pub const FINGERPRINT_LENGTH_MAX: usize = 63;

/// Tags or elements of a page that the slow structural comparisons look at. Their time is quadratic in this number.
pub const COMPARED_TAGS_MAX: usize = 20_000;

/// Pages that the slow structural comparisons hold in memory.
pub const COMPARED_PAGES_MAX: usize = 100_000;

/// Examples of a template that are compared with each other to find its threshold. The time is quadratic in this number.
pub const THRESHOLD_EXAMPLES_MAX: usize = 1000;

/// Different fingerprints that a clustering or a classifier holds in memory, at about 200 bytes each.
pub const FINGERPRINTS_MAX: usize = 256 << 20;

/// Pages that a file of fingerprints can count. A larger number means that the file is damaged.
pub const COUNTED_PAGES_MAX: u64 = 1 << 48;

/// Segments in the table of one site, at about 25 bytes each. When the table is full, new segments are not counted.
pub const TABLE_SEGMENTS_MAX: usize = 1 << 24;

/// Pages of one site that are recognised when they are seen again, at about 25 bytes each.
pub const KNOWN_PAGES_MAX: usize = 1 << 20;

/// Facts that the page-by-page state of the default method keeps per site, at about 25 bytes each. Past the limit, new facts are not
/// counted until others are forgotten.
pub const STATE_FACTS_MAX: usize = 1 << 18;

/// Places that the page-by-page state keeps per site, at about 60 bytes each.
pub const STATE_PLACES_MAX: usize = 1 << 16;

/// Words per page that are cut into blocks and indexed. A book has a tenth of this. The rest of the page is left out.
pub const WORDS_PER_PAGE_MAX: usize = 1 << 20;

/// Clusters of one word in blocks of one style that a new place of the word is compared with.
pub const WORD_CLUSTERS_MAX: usize = 64;

/// Bytes of JSON-LD that are read per page; the rest is ignored.
pub const JSON_LD_BYTES_MAX: usize = 1 << 20;

/// Values of one kind (`<meta>`, links, items of JSON-LD, named elements) that are collected per page as metadata.
pub const METADATA_ITEMS_MAX: usize = 1 << 10;

/// Characters of one value of metadata.
pub const METADATA_TEXT_MAX: usize = 2_000;
