//! The regions of a page: which bytes are template, and which template.

use std::fmt;

use crate::html::Span;

/// The id of a template of a site, on every page and in every run: of a repeated piece, or, where the method knows places, of a
/// place with all texts that stand there.
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
    /// The bytes.
    pub span: Span,
    /// What they are an occurrence of.
    pub template: TemplateHash,
    /// The template that contains this one, such as the header of a menu, if the method knows it.
    pub within: Option<TemplateHash>,
    /// On how many of the observed pages of the site it was found. Where a method joins pieces, the smallest number of
    /// any of them.
    pub pages: u32,
    /// Whether its text is the same everywhere, and whether it is template at all.
    pub kind: RegionKind,
    /// Its sort, such as navigation, if it is known.
    pub sort: Sort,
    /// The probability that this is not content, in percent; 0 if the method gives none.
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
    /// Repeated markup without text: scripts, styles, comments, empty wrappers; and the part of a title that most titles of the site have.
    Markup,
    /// Clutter: neither template nor main content, such as teasers, share bars and forms.
    Clutter,
}

/// The sort of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Sort {
    /// Unknown.
    #[default]
    Unknown,
    /// Menus, breadcrumbs, links to the next page.
    Navigation,
    /// The head of the page.
    Header,
    /// The foot of the page.
    Footer,
    /// A column or box beside the content.
    Sidebar,
    /// Links to other pages that readers may like.
    Related,
    /// What readers wrote, and the form to do so.
    Comments,
    /// Who wrote it, and when.
    Byline,
    /// Buttons to share the page.
    Share,
    /// Keywords and categories.
    Tags,
    /// Search, login, newsletters.
    Form,
    /// Cookies, popups, missing scripts.
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

    /// Whether it belongs to the site wherever it stands: what changes in a footer is still a footer.
    pub(crate) fn is_of_site(self) -> bool {
        matches!(self, Sort::Navigation | Sort::Header | Sort::Footer | Sort::Legal)
    }

    /// The sort of that name.
    pub fn named(name: &str) -> Option<Sort> {
        Sort::NAMED.iter().copied().find(|sort| sort.name() == Some(name))
    }
}

impl RegionKind {
    /// Whether the comparison with other pages found it.
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
    /// An occurrence of a piece that is found on this many pages.
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

    /// The same with another kind.
    pub fn with_kind(self, kind: RegionKind) -> Region {
        Region { kind, ..self }
    }

    /// The same with a sort.
    pub fn with_sort(self, sort: Sort) -> Region {
        Region { sort, ..self }
    }

    /// The same inside another template.
    pub fn with_container(self, within: TemplateHash) -> Region {
        Region { within: Some(within), ..self }
    }

    /// The same with a confidence, in percent.
    pub fn with_confidence(self, confidence: u8) -> Region {
        Region { confidence, ..self }
    }
}

/// Which of the removable regions are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keep {
    /// Everything that is not template, and what is of any sort and changes from page to page, such as comments.
    pub clutter: bool,
    /// What is of these sorts, unless other pages repeat it word for word.
    pub sorts: Vec<Sort>,
}

impl Keep {
    /// Reads names: `clutter`, or a sort such as `comments`. The error is a name that is neither.
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

    /// Takes out the regions that are kept.
    pub fn apply(&self, regions: &mut Vec<Region>) {
        let is_kept = |region: &Region| match region.kind {
            RegionKind::Repeated | RegionKind::Markup => false,
            // All that a sort could name is kept with all clutter.
            RegionKind::Changing => {
                self.clutter && region.sort != Sort::Unknown || self.sorts.contains(&region.sort)
            }
            RegionKind::Clutter => self.clutter || self.sorts.contains(&region.sort),
        };
        regions.retain(|region| !is_kept(region));
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

/// Finds the regions of positions in ascending order.
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
