//! Templates page by page: blocks, text segments, and a table whose entries expire.
//!
//! # What it does
//! A page is cut into blocks at the tags that make its layout, and a block into text segments at every other tag, comment
//! and processing instruction. Two segments are the same when their text and the names of the open tags around them are.
//! The [`Table`] of a site knows on how many pages each segment was, and when it was last seen. A segment on 5 pages is
//! template; a block is template when more than 0.7 of its text is. A segment that is not seen for
//! `t = Tb·N / (1 + (N − 1)·e^−(df − 1))` pages is forgotten: what was seen often is remembered longer. Time is the number
//! of the page. A segment is kept as 40 bits of a hash, or 30 as long as it was on one page only.
//!
//! For each page, in this order: cut, expand the table, label, shrink the table. No page is kept.
//!
//! # Assumes
//! White space in text is collapsed, and white space alone is not a segment. Open tags are found without a tree: void
//! elements, missing end tags of paragraphs, items, cells and rows, and end tags without a start are understood, the
//! rest of the rules of HTML is not. What the paper leaves open:
//! - A page that comes again with equal bytes adds to no count and does not let time pass; its segments count as seen
//!   just now. With other bytes it counts as a new page. Pages are recognised for `Tb·N` pages: by then all that one page
//!   alone could have left in the table is forgotten.
//! - The region of a template block is the whole element, tags and all, where the block is all that is in its element; else
//!   it reaches from its first to its last piece.
//!
//! # Cost
//! One pass of the tokenizer, one lookup a segment. Forgetting is done in small steps: a segment stands in one list, that
//! of the page at which it may have to go, and most segments are looked at once.
//!
//! # Paper
//! Wang et al.: Incremental Web Page Template Detection (2008).

mod ageing;
mod bits;
mod codec;
mod cut;
mod label;
mod open_tags;
mod expiring_map;
mod table;
#[cfg(test)]
mod tests;

pub use crate::page::{Change, PageId};
pub use ageing::Ageing;
pub use codec::TableError;
pub use cut::{BLOCK_TAGS, Segment, SegmentBlock, SegmentedPage, Segmenter};
pub use expiring_map::KEY_BITS;
pub use label::label;
pub use table::{Table, TableVisit};
