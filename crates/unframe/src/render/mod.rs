//! A page without its templates: as Markdown, and as the page itself with the templates cut out.
//!
//! The plain text is made by [`content`](crate::text::content).

mod html;
mod markdown;
#[cfg(test)]
mod testing;

pub use html::html;
pub use markdown::markdown;

use crate::html::Span;
use crate::regions::Region;

/// The regions that reach into a span. Regions are sorted and do not overlap.
fn regions_in(regions: &[Region], span: Span) -> &[Region] {
    let from = regions.partition_point(|region| region.span.end <= span.start);
    let to = regions.partition_point(|region| region.span.start < span.end);
    regions.get(from..to).unwrap_or_default()
}
