//! The regions of a page: which bytes are template, and which template.

use std::fmt;

use crate::html::Span;

/// The id of a repeated piece of a site: equal for equal pieces, on every page and in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateHash(pub u64);

impl fmt::Display for TemplateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A range of bytes of a page that is an occurrence of a template hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// The bytes.
    pub span: Span,
    /// What they are an occurrence of.
    pub template: TemplateHash,
    /// On how many of the observed pages of the site it was found. Where a method joins pieces, the smallest number of
    /// any of them.
    pub pages: u32,
    /// Whether its text is the same everywhere.
    pub kind: RegionKind,
    /// How sure it is that this is template, in percent; 0 where the method does not say.
    pub confidence: u8,
}

/// What is in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RegionKind {
    /// Text that other pages of the site have as well.
    #[default]
    Repeated,
    /// The part of a template that changes from page to page: the date in a footer, the section in a menu.
    Changing,
}

impl RegionKind {
    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::Repeated => "repeated",
            RegionKind::Changing => "changing",
        }
    }
}

impl Region {
    /// An occurrence of a piece that is found on so many pages.
    pub fn new(span: Span, template: TemplateHash, pages: u32) -> Region {
        Region { span, template, pages, kind: RegionKind::Repeated, confidence: 0 }
    }

    /// The same with another kind.
    pub fn with_kind(self, kind: RegionKind) -> Region {
        Region { kind, ..self }
    }

    /// The same with a confidence, in percent.
    pub fn with_confidence(self, confidence: u8) -> Region {
        Region { confidence, ..self }
    }
}

/// Sorts regions and cuts off what overlaps an earlier one, so that every byte is in at most one region.
pub(crate) fn tidy(regions: &mut Vec<Region>) {
    regions.sort_unstable_by_key(|region| (region.span.start, std::cmp::Reverse(region.span.end)));
    let mut end = 0;
    regions.retain_mut(|region| {
        region.span.start = region.span.start.max(end);
        let is_kept = region.span.start < region.span.end;
        if is_kept {
            end = region.span.end;
        }
        is_kept
    });
}

/// Walks along the regions of a page, to tell for positions in ascending order whether they are in one.
#[derive(Debug, Clone)]
pub struct RegionCursor<'r> {
    rest: &'r [Region],
}

impl<'r> RegionCursor<'r> {
    /// A cursor at the start of a page. The regions are sorted and do not overlap.
    pub fn new(regions: &'r [Region]) -> RegionCursor<'r> {
        RegionCursor { rest: regions }
    }

    /// The region that the byte at `position` is in.
    pub fn at(&mut self, position: u32) -> Option<&'r Region> {
        while self.rest.first().is_some_and(|region| region.span.end <= position) {
            self.rest = &self.rest[1..];
        }
        self.rest.first().filter(|region| region.span.start <= position)
    }

    /// The parts of `span` that no region covers, or that one covers.
    pub fn split(&mut self, span: Span, mut each: impl FnMut(Span, Option<&'r Region>)) {
        let mut at = span.start;
        while at < span.end {
            let region = self.at(at);
            let end = match region {
                Some(region) => region.span.end,
                None => self.rest.first().map_or(span.end, |region| region.span.start),
            };
            let end = end.min(span.end);
            each(Span { start: at, end }, region);
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(start: u32, end: u32) -> Region {
        Region::new(Span { start, end }, TemplateHash(u64::from(start)), 1)
    }

    #[test]
    fn overlaps_are_cut_off() {
        let mut regions = vec![region(5, 9), region(0, 6), region(1, 2), region(9, 9)];
        tidy(&mut regions);
        let spans: Vec<_> = regions.iter().map(|region| (region.span.start, region.span.end)).collect();
        assert_eq!(spans, [(0, 6), (6, 9)]);
    }

    #[test]
    fn a_span_is_split_at_regions() {
        let regions = [region(2, 4), region(6, 7)];
        let mut cursor = RegionCursor::new(&regions);
        let mut found = Vec::new();
        for span in [Span { start: 0, end: 3 }, Span { start: 3, end: 10 }] {
            cursor.split(span, |part, region| found.push((part.start, part.end, region.is_some())));
        }
        assert_eq!(
            found,
            [(0, 2, false), (2, 3, true), (3, 4, true), (4, 6, false), (6, 7, true), (7, 10, false)]
        );
    }
}
