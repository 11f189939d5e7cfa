//! The regions of a page: which bytes belong to a template, and to which one.

use std::fmt;

use crate::html::Span;

/// The id of a template of a site, the same on every page and in every run. It identifies a repeated piece or, for methods that know
/// places, a place of the site with all its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateHash(pub u64);

impl fmt::Display for TemplateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A range of bytes of a page that is an occurrence of a template hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Region {
    /// The byte range.
    pub span: Span,
    /// The template hash that occurs here.
    pub template: TemplateHash,
    /// The template that contains this one, such as the header of a menu, if the method knows it.
    pub within: Option<TemplateHash>,
    /// The number of observed pages of the site that have it. Where a method joins pieces, this is the smallest number of any of them.
    pub pages: u32,
    /// Whether the text is the same on other pages, and whether the region is template at all.
    pub kind: RegionKind,
    /// The region's sort, such as navigation, if it is known.
    pub sort: Sort,
    /// The probability that the region is not content, in percent; 0 if the method gives none.
    pub confidence: u8,
}

/// How a region relates to the other pages of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RegionKind {
    /// Text that other pages of the site also have.
    #[default]
    Repeated,
    /// The part of a template that changes from page to page: the date in a footer, the section in a menu.
    Changing,
    /// Repeated markup without text, such as scripts, styles, comments and empty wrappers; also the part of a title that most titles of the
    /// site share.
    Markup,
    /// Clutter: neither template nor main content, such as teasers, share bars and forms.
    Clutter,
}

/// The purpose of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Sort {
    /// Unknown.
    #[default]
    Unknown,
    /// Menus, breadcrumbs, links to the next page.
    Navigation,
    /// The page header.
    Header,
    /// The page footer.
    Footer,
    /// A column or box next to the content.
    Sidebar,
    /// Links to other pages that may interest readers.
    Related,
    /// Readers' comments, and the form for writing them.
    Comments,
    /// The author and the date.
    Byline,
    /// Buttons to share the page.
    Share,
    /// Keywords and categories.
    Tags,
    /// Search, login, newsletters.
    Form,
    /// Cookie notices, popups, messages about missing scripts.
    Notice,
    /// Advertisements.
    Advert,
    /// Copyright, terms, privacy, imprint.
    Legal,
    /// A box with a purpose of its own: the weather, a poll.
    Widget,
}

impl Sort {
    /// All sorts that have a name.
    pub const NAMED: &[Sort] = &[
        Sort::Navigation,
        Sort::Header,
        Sort::Footer,
        Sort::Sidebar,
        Sort::Related,
        Sort::Comments,
        Sort::Byline,
        Sort::Share,
        Sort::Tags,
        Sort::Form,
        Sort::Notice,
        Sort::Advert,
        Sort::Legal,
        Sort::Widget,
    ];

    /// The name, as it is written into results.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Sort::Unknown => None,
            Sort::Navigation => Some("navigation"),
            Sort::Header => Some("header"),
            Sort::Footer => Some("footer"),
            Sort::Sidebar => Some("sidebar"),
            Sort::Related => Some("related"),
            Sort::Comments => Some("comments"),
            Sort::Byline => Some("byline"),
            Sort::Share => Some("share"),
            Sort::Tags => Some("tags"),
            Sort::Form => Some("form"),
            Sort::Notice => Some("notice"),
            Sort::Advert => Some("advert"),
            Sort::Legal => Some("legal"),
            Sort::Widget => Some("widget"),
        }
    }

    /// Whether the region belongs to the site wherever it is on the page: the changing part of a footer is still a footer.
    pub(crate) fn is_of_site(self) -> bool {
        matches!(self, Sort::Navigation | Sort::Header | Sort::Footer | Sort::Legal)
    }

    /// The sort with that name.
    pub fn named(name: &str) -> Option<Sort> {
        Sort::NAMED.iter().copied().find(|sort| sort.name() == Some(name))
    }
}

impl RegionKind {
    /// Whether the region was found by comparing pages.
    pub fn is_template(self) -> bool {
        self != RegionKind::Clutter
    }

    /// The name, as it is written into results.
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::Repeated => "repeated",
            RegionKind::Changing => "changing",
            RegionKind::Markup => "markup",
            RegionKind::Clutter => "clutter",
        }
    }
}

impl Region {
    /// An occurrence of a piece that is on this many pages.
    pub fn new(span: Span, template: TemplateHash, pages: u32) -> Region {
        Region {
            span,
            template,
            within: None,
            pages,
            kind: RegionKind::Repeated,
            sort: Sort::Unknown,
            confidence: 0,
        }
    }

    /// Replaces the kind.
    pub fn with_kind(self, kind: RegionKind) -> Region {
        Region { kind, ..self }
    }

    /// Replaces the sort.
    pub fn with_sort(self, sort: Sort) -> Region {
        Region { sort, ..self }
    }

    /// Sets the template that contains this one.
    pub fn with_container(self, within: TemplateHash) -> Region {
        Region { within: Some(within), ..self }
    }

    /// Sets the confidence, in percent.
    pub fn with_confidence(self, confidence: u8) -> Region {
        Region { confidence, ..self }
    }
}

/// Selects removable regions to keep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keep {
    /// Keep everything that is not template, and changing regions of any known sort, such as comments.
    pub clutter: bool,
    /// Keep the regions of these sorts, unless other pages repeat them word for word.
    pub sorts: Vec<Sort>,
}

impl Keep {
    /// Parses names: `clutter`, or a sort such as `comments`. The error is the first name that is neither.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Keep, String> {
        let mut keep = Keep::default();
        for name in names {
            match Sort::named(name) {
                Some(sort) => keep.sorts.push(sort),
                None if name == "clutter" => keep.clutter = true,
                None => return Err(name.to_owned()),
            }
        }
        Ok(keep)
    }

    /// Removes the kept regions from the list.
    pub fn apply(&self, regions: &mut Vec<Region>) {
        let is_kept = |region: &Region| match region.kind {
            RegionKind::Repeated | RegionKind::Markup => false,
            // `clutter` keeps the changing regions of every known sort.
            RegionKind::Changing => {
                self.clutter && region.sort != Sort::Unknown || self.sorts.contains(&region.sort)
            }
            RegionKind::Clutter => self.clutter || self.sorts.contains(&region.sort),
        };
        regions.retain(|region| !is_kept(region));
    }
}

/// Sorts regions and cuts off overlaps with earlier ones, so that every byte is in at most one region.
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

/// Looks up the regions at positions that are given in ascending order.
#[derive(Debug, Clone)]
pub struct RegionCursor<'r> {
    rest: &'r [Region],
}

impl<'r> RegionCursor<'r> {
    /// A cursor at the start of a page. The regions must be sorted and must not overlap.
    pub fn new(regions: &'r [Region]) -> RegionCursor<'r> {
        RegionCursor { rest: regions }
    }

    /// The region that contains the byte at `position`.
    pub fn at(&mut self, position: u32) -> Option<&'r Region> {
        while self.rest.first().is_some_and(|region| region.span.end <= position) {
            self.rest = &self.rest[1..];
        }
        self.rest.first().filter(|region| region.span.start <= position)
    }

    /// Splits `span` into the parts that are in a region and those that are in none.
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
    fn what_is_kept_is_no_region() {
        let regions = [
            region(0, 1).with_sort(Sort::Comments),
            region(1, 2).with_kind(RegionKind::Changing).with_sort(Sort::Byline),
            region(2, 3).with_kind(RegionKind::Clutter).with_sort(Sort::Comments),
            region(3, 4).with_kind(RegionKind::Clutter),
            region(4, 5).with_kind(RegionKind::Changing),
        ];
        let left = |names: &[&str]| {
            let mut left = regions.to_vec();
            Keep::of(names.iter().copied()).unwrap().apply(&mut left);
            left.iter().map(|region| region.span.start).collect::<Vec<_>>()
        };
        assert_eq!(left(&[]), [0, 1, 2, 3, 4]);
        assert_eq!(left(&["clutter"]), [0, 4]);
        assert_eq!(left(&["comments", "byline"]), [0, 3, 4]);
        assert_eq!(Keep::of(["tea"]), Err("tea".to_owned()));
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
