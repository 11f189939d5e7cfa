//! The size limits of pictures and of HTML files.

/// Maximum number of characters kept of the text of a page that can be explored.
pub const PAGE_TEXT_MAX: usize = 40_000;

/// Maximum number of bytes of text in one HTML file. If there is more, the text of each page is cut to an equal share.
pub const EXPLORER_TEXT_MAX: usize = 64 << 20;

/// Maximum number of pages in one HTML file. Of larger sites, this many pages are selected, evenly spaced by length.
pub const EXPLORER_PAGES_MAX: usize = 20_000;

/// Maximum number of bars in a picture that cannot be zoomed. Of larger sites, this many pages are selected, evenly spaced by length.
pub const PICTURE_BARS_MAX: usize = 1_000;

/// Maximum number of regions with tooltips. If there are more, only bars have tooltips.
pub const PICTURE_TITLES_MAX: usize = 5_000;

/// Maximum number of key pages that are listed for a site.
pub const KEY_PAGES_MAX: usize = 200;

/// Maximum number of links that are extracted from one page.
pub const LINKS_PER_PAGE_MAX: usize = 20_000;

/// Maximum number of characters kept of an anchor text.
pub const LINK_TEXT_MAX: usize = 80;

/// Maximum length of an address in bytes; links with longer addresses are ignored.
pub const LINK_BYTES_MAX: usize = 4_096;
