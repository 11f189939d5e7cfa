//! An HTML parser that knows which bytes of the page every node came from.
//!
//! ```
//! use unframe_html::Parser;
//!
//! let page = b"<title>Tea &amp; more</title><p>Hot<p>Cold";
//! let mut parser = Parser::new();
//! let document = parser.parse(page, encoding_rs::UTF_8);
//! let title = document.elements("title").next().unwrap();
//! assert_eq!(title.text(), "Tea & more");
//! let paragraphs: Vec<_> = document.elements("p").map(|p| &page[p.span().range()]).collect();
//! assert_eq!(paragraphs, [&b"<p>Hot"[..], b"<p>Cold"]);
//! ```
//!
//! - [`span`], [`tag`]: positions and names;
//! - [`tokenizer`]: tags, text and comments, for uses that need no tree;
//! - `reference`, `decode`, `transcode`: from bytes to characters and back to bytes;
//! - [`source`]: the bytes of a page and what they stand for;
//! - [`document`]: the tree;
//! - `builder`: the rules of the HTML standard that make the tree;
//! - [`Pieces`]: what a reader sees, without a tree;
//! - [`outline`]: the tree as text;
//! - [`problem`]: what was wrong;
//! - [`limits`]: how much one page can cost.

mod builder;
mod decode;
pub mod document;
mod find;
mod foreign_names;
pub mod limits;
pub mod outline;
mod pieces;
pub mod problem;
mod reference;
pub mod source;
pub mod span;
pub mod tag;
#[cfg(test)]
pub(crate) mod tests;
pub mod tokenizer;
mod transcode;

pub use document::{Document, LazyValue, Node, NodeKind, Parser, TreeMemory};
pub use pieces::{Piece, Pieces, is_hidden};
pub use source::Source;
pub use span::Span;

/// Examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
