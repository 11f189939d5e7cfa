//! The limits of pictures and of HTML files: what one of them may hold.

/// Characters kept of the text of a page that can be explored.
pub const PAGE_TEXT_MAX: usize = 40_000;

/// Bytes of text that one HTML file holds. If there are more, each page is cut to its part of it.
pub const EXPLORER_TEXT_MAX: usize = 64 << 20;

/// Pages that one HTML file holds; of larger sites, so many, spread evenly by length.
pub const EXPLORER_PAGES_MAX: usize = 20_000;

/// Bars of a picture that cannot be zoomed; of larger sites, so many pages, spread evenly by length.
pub const PICTURE_BARS_MAX: usize = 1_000;

/// Maximum number of regions with tooltips. If there are more, only bars have tooltips.
pub const PICTURE_TITLES_MAX: usize = 5_000;

/// Key pages of a site that are listed.
pub const KEY_PAGES_MAX: usize = 200;

/// Links of one page that are followed.
pub const LINKS_PER_PAGE_MAX: usize = 20_000;

/// Characters of the text of a link that are kept.
pub const LINK_TEXT_MAX: usize = 80;

/// Bytes of an address that are kept; longer links are not followed.
pub const LINK_BYTES_MAX: usize = 4_096;
