//! Labels a page by the segments in the table.

use xxhash_rust::xxh3::Xxh3;

use super::cut::SegmentedPage;
use crate::regions::{Region, TemplateHash, tidy};

/// The template blocks of a page: those in which more than `ratio` of the text is template. `df` returns the number of pages of a template
/// segment, and `None` for all other segments.
pub fn label(page: &SegmentedPage, ratio: f64, df: impl Fn(u64) -> Option<u32>) -> Vec<Region> {
    let mut regions = Vec::new();
    for (span, segments) in page.blocks() {
        let (mut template, mut total) = (0u64, 0u64);
        let mut pages = u32::MAX;
        for segment in segments {
            total += u64::from(segment.chars);
            if let Some(df) = df(segment.key) {
                template += u64::from(segment.chars);
                pages = pages.min(df);
            }
        }
        // A quotient is rounded only once: 63 of 90 characters are exactly 0.7, whereas 0.7 × 90 would be slightly less than 63.
        if template > 0 && template as f64 / total as f64 > ratio {
            let mut hash = Xxh3::new();
            segments.iter().for_each(|segment| hash.update(&segment.key.to_le_bytes()));
            regions.push(Region::new(span, TemplateHash(hash.digest()), pages));
        }
    }
    tidy(&mut regions);
    regions
}
