//! Pages cut into blocks, the blocks into words, and how words of one block are compared with those of another.
//!
//! # What it does
//! Layout elements (`table`, `div`, `p`, `ul`, …, but never `td` and `tr`) cut a page into blocks, in one pass over its
//! tokens and without a tree. A [`Block`] knows its style: its position, which is the path of child numbers through the
//! layout elements around it, and the attributes of its element that say how it looks. Blocks of the same style on the pages
//! of a site are a block style cluster (BSC).
//!
//! The places of a word in a block are its offsets; a [`Signature`] sums them up in 128 bits. Blocks of one BSC in which a word
//! has similar signatures are a word feature cluster (WFC, [`cluster_sizes`]). A word is template in the blocks of a cluster
//! that is large enough, and a block is when most of its words are. Signatures are clustered as seen from the start of the blocks, and again as
//! seen from their end ([`Signature::seen_from_end`]): a few words that change move only the words on one side of them.
//!
//! # Assumes
//! What the paper leaves open:
//! - Offsets are differences, so that "when a small fragment in the context changes, only offsets within the fragment change". Most words stand in a block
//!   once and have no other offset to differ from; theirs is the distance from the start of the block, or from its end.
//! - Every word belongs to the innermost layout element. Text of an element after one that lies inside of it is a block of its own: its
//!   position says after which of them it stands.
//! - The attributes are those that say how an element looks: `class`, `style`, `role`, sizes, colours, borders; not `id`, which often
//!   numbers pages.
//! - Missing end tags of paragraphs are understood; the rest of the rules of HTML is not.
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
