//! Templates page by page: blocks, text segments, and a table with entries that expire.
//!
//! # What it does
//! A page is cut into blocks at layout tags, and a block into text segments at every other tag, comment and processing instruction. Two
//! segments are the same if their texts and the names of the open tags around them are equal. The [`Table`] of a site counts the pages of
//! each segment, and records when it was last seen. A segment on 5 pages is template; a block is template if more than 0.7 of its text is.
//! A segment that is not seen for `t = Tb·N / (1 + (N − 1)·e^−(df − 1))` pages is forgotten, so frequent segments are remembered longer.
//! Time is measured in pages. The key of a segment is 40 bits of a hash, or 30 bits while it was on one page only.
//!
//! For each page, in this order: cut, expand the table, label, shrink the table. No page is kept.
//!
//! # Assumes
//! White space in text is collapsed, and white space alone is not a segment. Open tags are found without a tree: void elements, missing end
//! tags of paragraphs, items, cells and rows, and end tags without a start tag are handled, other rules of HTML are not. The paper leaves
//! these points open:
//! - A page that is seen again with equal bytes adds to no count and does not advance the time; its segments count as seen now. With other
//!   bytes, it counts as a new page. Pages are recognised for `Tb·N` pages: by then, everything that a single page could have added to the
//!   table is forgotten.
//! - The region of a template block is the whole element with its tags if the block is the only content of its element. Otherwise, the
//!   region spans from the block's first piece to its last.
//!
//! # Cost
//! One pass of the tokenizer, one look-up per segment. Segments are forgotten in small steps: each segment is in the list of the page at
//! which it may expire, and most segments are checked once.
//!
//! # Paper
//! Wang et al.: Incremental Web Page Template Detection (2008).

mod ageing;
mod bits;
mod codec;
mod cut;
mod label;
mod layout;
mod open_tags;
mod expiring_map;
mod table;
#[cfg(test)]
mod tests;

pub use crate::page::{Change, PageId};
pub use ageing::Ageing;
pub use codec::TableError;
pub use cut::{Segment, SegmentBlock, SegmentedPage, Segmenter};
pub use expiring_map::KEY_BITS;
pub use label::label;
pub use layout::BLOCK_TAGS;
pub(crate) use layout::LayoutTags;
pub use table::{Table, TableVisit};
