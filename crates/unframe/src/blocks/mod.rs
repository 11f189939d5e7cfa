//! Cuts pages into blocks and blocks into words, and compares the words of different blocks.
//!
//! # What it does
//! Layout elements (`table`, `div`, `p`, `ul`, …, but never `td` and `tr`) cut a page into blocks, in one pass over its tokens and without
//! a tree. The style of a [`Block`] is its position, which is the path of child indexes through the layout elements around it, and the
//! presentational attributes of its element. Blocks of the same style on the pages of a site are a block style cluster (BSC).
//!
//! The positions of a word in a block are its offsets; a [`Signature`] summarises them in 128 bits. Blocks of one BSC in which a word has
//! similar signatures are a word feature cluster (WFC, [`cluster_sizes`]). A word is template in the blocks of a cluster that is large
//! enough, and a block is template if most of its words are. Signatures are clustered as seen from the start of the blocks, and again as
//! seen from their end ([`Signature::seen_from_end`]): a few changing words move only the words on one side of them.
//!
//! # Assumes
//! The paper leaves these points open:
//! - Offsets are differences, so that "when a small fragment in the context changes, only offsets within the fragment change". Most words
//!   occur in a block once, so there is no other offset to subtract; their offset is the distance from the start of the block, or from its
//!   end.
//! - Every word belongs to the innermost layout element. Text of an element after a nested layout element is a block of its own; its
//!   position includes the index of that nested element.
//! - The attributes are the presentational ones: `class`, `style`, `role`, sizes, colours, borders; not `id`, which often numbers pages.
//! - Missing end tags of paragraphs are handled; other rules of HTML are not.
//! - Words are runs of letters and digits in lower case. A Chinese, Japanese or Korean character is a word.
//!
//! # Paper
//! Chen, Ye, Li: Template Detection for Large Scale Search Engines (2006), section 3.

mod clusters;
mod cut;
mod signature;
pub mod words;
#[cfg(test)]
mod tests;

pub use clusters::cluster_sizes;
pub use cut::{Block, CutPage, Cutter, WordAt};
pub use signature::Signature;
pub(crate) use signature::for_each_signature;
