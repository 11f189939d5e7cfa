//! Most limits of the program, in one place. A few stand where they are used; `docs/limits.md` lists them as well.
//!
//! Input from the web is hostile by accident and sometimes by intent. Each limit here bounds the memory or the time
//! that one page or one record can cost. What of a file lies past a limit is reported as a [`Problem`](crate::Problem);
//! where a limit only makes an answer less exact, `docs/limits.md` says what happens, and whether it is told.

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

/// Formatting elements (`<b>`, `<font>`, …) that stay open at a time. A page that never closes them would otherwise
/// have all of them repeated in every paragraph.
pub const FORMATTING_MAX: usize = 256;

/// Elements that the parser itself may add to repeat open formatting elements: this many, and one more for every
/// [`REPEATED_FORMATTING_BYTES`] of the page.
pub const REPEATED_FORMATTING_MAX: usize = 10_000;

/// See [`REPEATED_FORMATTING_MAX`].
pub const REPEATED_FORMATTING_BYTES: usize = 8;

/// Bytes searched for `<meta charset>` while the head of the page lasts, when the first
/// [`META_PRESCAN_BYTES`] have none: long inline scripts before it are common, and browsers look past them.
pub const META_HEAD_BYTES: usize = 64 << 10;

/// Longest block of a record that is held in memory: a page of [`PAGE_BYTES_MAX`] and its HTTP headers. Longer records are
/// passed over.
pub const RECORD_BYTES_MAX: usize = PAGE_BYTES_MAX + (1 << 20);

/// Longest header of a WARC record.
pub const RECORD_HEADER_BYTES_MAX: usize = 256 << 10;

/// A gzip member or zstd frame is given up when it has grown to more than this many bytes and to more than
/// [`BOMB_RATIO_MAX`] times its compressed size.
pub const BOMB_BYTES_MIN: u64 = 256 << 20;

/// See [`BOMB_BYTES_MIN`]. Real crawls compress 5 to 20 times.
pub const BOMB_RATIO_MAX: u64 = 500;

/// Compressed bytes that a reader goes back over to look for members inside of broken ones: this many, or
/// [`REWOUND_TIMES_MAX`] times those of the file up to there. Damage that was made up can lead a decoder over the same
/// megabytes from each of a million places.
pub const REWOUND_BYTES_MAX: u64 = 32 << 20;

/// See [`REWOUND_BYTES_MAX`]. Real damage takes one or two of them.
pub const REWOUND_TIMES_MAX: u64 = 16;

/// Largest zstd dictionary of a WARC file.
pub const DICTIONARY_BYTES_MAX: usize = 32 << 20;

/// Places of a compressed file that are held before damage at one position of its contents is counted rather than told
/// place by place: files of nothing but damage have no contents that could be handed on with it.
pub const DAMAGED_PLACES_MAX: usize = 4096;

/// Pages remembered to recognise exact repeats, at about 32 bytes each. Later ones are compared with
/// these, but not with each other, which is told once.
pub const UNIQUE_PAGES_MAX: usize = 16 << 20;

/// Records in segments that are waited for at the same time, and the bytes they hold together.
pub const SEGMENTED_RECORDS_MAX: usize = 64;

/// Largest zip archive or Parquet file that is taken from standard input, through a temporary file.
pub const SPOOL_BYTES_MAX: u64 = 64 << 30;

/// Bytes of pages that are read ahead of the one that takes them, when there are several threads.
pub const IN_FLIGHT_BYTES_MAX: usize = 256 << 20;

/// Pieces (nodes, windows of text) kept of one page of a sample, at 8 bytes each.
pub const PIECES_PER_PAGE_MAX: usize = 1 << 17;

/// Pieces that the samples of a model file may unpack to, beside [`MODEL_PIECES_PER_BYTE_MAX`] for each of its bytes: a piece that a
/// page repeats is written once with a number, and a file that somebody made up could ask for any memory.
pub const MODEL_PIECES_MAX: usize = 1 << 25;

/// See [`MODEL_PIECES_MAX`].
pub const MODEL_PIECES_PER_BYTE_MAX: usize = 64;

/// Lists and quotations inside each other that Markdown shows; deeper ones stand at this level. Every line repeats the marks
/// of all that it is in.
pub const MARKDOWN_NESTING_MAX: usize = 32;

/// Empty cells that the cells of a table may add by reaching over several rows or columns.
pub const SPANNED_CELLS_MAX: usize = 10_000;

/// Largest gold file (the known content of a site's pages), decompressed.
pub const GOLD_BYTES_MAX: u64 = 1 << 30;

/// Bytes of text in a row group of the Parquet files that are written; it is held in memory until it is full.
pub const ROW_GROUP_BYTES_MAX: usize = 64 << 20;

/// Rows in a row group of the Parquet files that are written.
pub const ROW_GROUP_ROWS_MAX: usize = 1 << 17;

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

/// Characters kept of the text of a template hash.
pub const TEMPLATE_TEXT_MAX: usize = 2_000;
/// Numbers of a template fingerprint: a fingerprint and its length are 64 bytes together.
pub const FINGERPRINT_LENGTH_MAX: usize = 63;

/// Tags or elements of a page that the slow comparisons of structure look at: their time grows with the square of it.
pub const COMPARED_TAGS_MAX: usize = 20_000;

/// Pages that the slow comparisons of structure hold in memory.
pub const COMPARED_PAGES_MAX: usize = 100_000;

/// Different fingerprints that a clustering or a classifier holds in memory, at about 200 bytes each.
pub const FINGERPRINTS_MAX: usize = 256 << 20;

/// Pages that a file of fingerprints can count: nobody has seen more, so a file that says so lies.
pub const COUNTED_PAGES_MAX: u64 = 1 << 48;

/// Segments in the table of one site, at about 25 bytes each. When it is full, new segments are not counted.
pub const TABLE_SEGMENTS_MAX: usize = 1 << 24;

/// Pages of one site that are recognised when they come again, at about 25 bytes each.
pub const KNOWN_PAGES_MAX: usize = 1 << 20;

/// Words of one page that are cut into blocks and indexed; a book has a tenth of it. The rest of the page is left out.
pub const WORDS_PER_PAGE_MAX: usize = 1 << 20;

/// Clusters of places of one word in blocks of one style that a place is compared with.
pub const WORD_CLUSTERS_MAX: usize = 64;
