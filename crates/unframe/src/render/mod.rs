//! Renders a page without its templates: as Markdown, as chunks for retrieval, or as HTML with the templates cut out.
//!
//! The plain text is extracted by [`content`](crate::text::content).

mod chunks;
mod html;
mod markdown;
#[cfg(test)]
mod testing;

pub use chunks::{Chunk, chunks, tokens};
pub use html::html;
pub use markdown::markdown;

use crate::html::tag::Tag;
use crate::html::{Node, Span};
use crate::regions::Region;

/// The regions that overlap a span. Regions must be sorted and must not overlap each other.
fn regions_in(regions: &[Region], span: Span) -> &[Region] {
    let from = regions.partition_point(|region| region.span.end <= span.start);
    let to = regions.partition_point(|region| region.span.start < span.end);
    regions.get(from..to).unwrap_or_default()
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
