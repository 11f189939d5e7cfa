//! The document tree of a page, with exact byte positions.
//!
//! ```
//! use unframe::html::Parser;
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
//! - [`outline`]: the tree as text;
//! - [`problem`]: what was wrong.

mod builder;
pub(crate) mod decode;
pub mod document;
mod foreign_names;
pub mod outline;
pub mod problem;
mod reference;
pub mod source;
pub mod span;
pub mod tag;
#[cfg(test)]
pub(crate) mod tests;
pub mod tokenizer;
mod transcode;

pub use document::{Document, Node, NodeKind, Parser};
pub use source::Source;
pub use span::Span;
