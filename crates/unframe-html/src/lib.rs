//! An HTML parser that reports which bytes of the page every node came from.
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
//! Start with [`Parser`], whose [`Document`] is the tree of a page. The modules:
//!
//! - [`document`]: the tree of a page;
//! - [`source`]: a page with its charset, for reading without a tree;
//! - [`tokenizer`]: tags, text and comments, without a tree;
//! - [`Pieces`]: visible text and tags, without a tree;
//! - [`span`], [`tag`]: positions and names;
//! - [`outline`]: the tree as text;
//! - [`problem`]: problems of pages;
//! - [`limits`]: limits on memory and time.

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

// `Encoding` is in the signatures of this crate.
pub use document::{Document, LazyValue, Node, NodeKind, Parser, TreeMemory};
pub use encoding_rs;
pub use pieces::{Piece, Pieces, is_hidden};
pub use source::Source;
pub use span::Span;

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
