//! Renders a page without its templates: as Markdown, as simple HTML, as chunks for retrieval, or as its own HTML with the templates cut out.
//!
//! The plain text is extracted by [`content`](crate::text::content).

mod addresses;
mod chunks;
mod code;
mod data_table;
mod html;
mod images;
mod markdown;
mod options;
mod simple_html;
#[cfg(test)]
mod testing;
mod walk;

pub use chunks::{Chunk, chunks, tokens};
pub use html::html;
pub use markdown::markdown;
pub use options::{ImageMode, LinkMode, RenderOptions, UnknownMode};
pub use simple_html::simple_html;

use crate::html::tag::Tag;
use crate::html::{Node, Span};
use crate::regions::Region;

/// The regions that overlap a span. Regions must be sorted and must not overlap each other.
fn regions_in(regions: &[Region], span: Span) -> &[Region] {
    let from = regions.partition_point(|region| region.span.end <= span.start);
    let to = regions.partition_point(|region| region.span.start < span.end);
    regions.get(from..to).unwrap_or_default()
}

/// Whether a node begins in a region. For nodes without content, this decides whether they are left out.
fn begins_in(regions: &[Region], node: Node<'_>) -> bool {
    let start = node.span().start;
    !regions_in(regions, Span { start, end: start + 1 }).is_empty()
}

/// Whether an element's text is for the browser rather than the reader.
pub(crate) fn is_hidden(node: Node<'_>) -> bool {
    node.tag().is_some_and(|tag| {
        matches!(
            tag,
            Tag::SCRIPT
                | Tag::STYLE
                | Tag::TITLE
                | Tag::TEMPLATE
                | Tag::HEAD
                | Tag::IFRAME
                | Tag::NOEMBED
                | Tag::NOFRAMES
        )
    })
}
