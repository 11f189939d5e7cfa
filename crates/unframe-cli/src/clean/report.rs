//! Collects what was removed from a crawl, page by page and in bounded memory, for a report.

use std::collections::BTreeMap;

use unframe::learn::Evidence;
use unframe::text::{content, of_regions};
use unframe::{ParsedPage, Region, RegionKind, Sort};
use unframe_crawl::write::{Body, CleanPage};

/// Maximum number of sites that are listed separately. The others are counted together.
const SITES_MAX: usize = 500;
/// Maximum number of templates of a site that are counted at the same time.
const TEMPLATES_MAX: usize = 64;
/// Maximum number of examples of each kind for a site.
const EXAMPLES_MAX: usize = 3;
/// Maximum length of an example, in characters.
const EXAMPLE_CHARS: usize = 300;
/// Number of listed pages with the least remaining text.
const SHORTEST_MAX: usize = 20;

/// The data of a page that the report needs. Workers collect it.
pub(super) struct PageNotes {
    bytes: u64,
    removed: Vec<Removed>,
    kept: String,
    kept_chars: u64,
}

struct Removed {
    kind: RemovedKind,
    bytes: u64,
    text: String,
}

/// The kind of a removed region and its sort, such as navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RemovedKind(RegionKind, Sort);

impl RemovedKind {
    /// The name in the report.
    pub(super) fn name(self) -> String {
        match self.1.name() {
            Some(sort) => format!("{}: {sort}", self.0.name()),
            None => self.0.name().to_owned(),
        }
    }
}

impl PageNotes {
    pub(super) fn of(
        clean: &CleanPage,
        parsed: &ParsedPage<'_>,
        regions: &[Region],
        bytes: usize,
    ) -> PageNotes {
        let texts = of_regions(parsed.source(), regions, EXAMPLE_CHARS);
        let removed = regions.iter().zip(texts).map(|(region, text)| Removed {
            kind: RemovedKind(region.kind, region.sort),
            bytes: u64::from(region.span.end - region.span.start),
            text,
        });
        let kept = match &clean.body {
            Body::Html { .. } | Body::SimpleHtml(_) => content::extract(parsed, regions).text,
            body => body.text().into_owned(),
        };
        PageNotes {
            bytes: bytes as u64,
            removed: removed.collect(),
            kept: kept.chars().take(EXAMPLE_CHARS).collect(),
            kept_chars: kept.chars().count() as u64,
        }
    }
}

/// The data of the report so far.
#[derive(Default)]
pub(super) struct Report {
    pub(super) total: Totals,
    pub(super) sites: BTreeMap<String, SiteNotes>,
    /// Pages of sites beyond the limit.
    pub(super) other_pages: u64,
    /// The pages with the least remaining text: the number of characters and the address of each.
    pub(super) shortest: Vec<(u64, String)>,
}

/// Sums over pages.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) pages: u64,
    pub(super) bytes: u64,
    pub(super) removed_bytes: u64,
    pub(super) kinds: BTreeMap<RemovedKind, KindTotals>,
}

/// Sums over regions of a kind.
#[derive(Default)]
pub(super) struct KindTotals {
    pub(super) regions: u64,
    pub(super) pages: u64,
    pub(super) bytes: u64,
}

/// The data of the report for a site.
pub(super) struct SiteNotes {
    pub(super) total: Totals,
    pub(super) evidence: Evidence,
    /// The counted templates, in the order of their first occurrences.
    pub(super) templates: Vec<Example>,
    pub(super) clutter: Vec<Example>,
    /// Examples of kept content: the address of a page, and the beginning of its content.
    pub(super) kept: Vec<(String, String)>,
}

/// A removed text, and how often it was removed.
pub(super) struct Example {
    pub(super) kind: RemovedKind,
    pub(super) times: u64,
    pub(super) text: String,
}

impl Report {
    /// Adds a page. Pages must be added in the order of the input.
    pub(super) fn add(&mut self, page: &CleanPage, notes: PageNotes) {
        self.total.add(&notes);
        self.add_length(&page.url, notes.kept_chars);
        if self.sites.len() >= SITES_MAX && !self.sites.contains_key(&page.site) {
            self.other_pages += 1;
            return;
        }
        let site = self.sites.entry(page.site.clone()).or_insert_with(|| SiteNotes::new(page.evidence));
        site.add(page, notes);
    }

    fn add_length(&mut self, url: &str, chars: u64) {
        let place = self.shortest.partition_point(|(shorter, _)| *shorter <= chars);
        if place < SHORTEST_MAX {
            self.shortest.insert(place, (chars, url.to_owned()));
            self.shortest.truncate(SHORTEST_MAX);
        }
    }
}

impl Totals {
    fn add(&mut self, notes: &PageNotes) {
        self.pages += 1;
        self.bytes += notes.bytes;
        let mut seen: Vec<RemovedKind> = Vec::new();
        for removed in &notes.removed {
            self.removed_bytes += removed.bytes;
            let kind = self.kinds.entry(removed.kind).or_default();
            kind.regions += 1;
            kind.bytes += removed.bytes;
            if !seen.contains(&removed.kind) {
                kind.pages += 1;
                seen.push(removed.kind);
            }
        }
    }
}

impl SiteNotes {
    fn new(evidence: Evidence) -> SiteNotes {
        let (total, templates, clutter, kept) = Default::default();
        SiteNotes { total, evidence, templates, clutter, kept }
    }

    fn add(&mut self, page: &CleanPage, notes: PageNotes) {
        self.total.add(&notes);
        for removed in notes.removed.into_iter().filter(|removed| !removed.text.is_empty()) {
            let is_clutter = !removed.kind.0.is_template();
            match is_clutter {
                true if self.clutter.len() < EXAMPLES_MAX => self.clutter.push(removed.into()),
                true => {}
                false => self.count(removed),
            }
        }
        if self.kept.len() < EXAMPLES_MAX && !notes.kept.is_empty() {
            self.kept.push((page.url.clone(), notes.kept));
        }
    }

    /// Counts a template by its text, because readers of the report see the text. When there are too many templates, those that occurred only
    /// once are dropped.
    fn count(&mut self, removed: Removed) {
        if let Some(known) = self.templates.iter_mut().find(|known| known.text == removed.text) {
            known.times += 1;
            return;
        }
        if self.templates.len() == TEMPLATES_MAX {
            self.templates.retain(|known| known.times > 1);
        }
        if self.templates.len() < TEMPLATES_MAX {
            self.templates.push(removed.into());
        }
    }

    /// The templates with the most occurrences.
    pub(super) fn most_frequent(&self) -> Vec<&Example> {
        let mut examples: Vec<&Example> = self.templates.iter().collect();
        examples.sort_by_key(|example| std::cmp::Reverse(example.times));
        examples.truncate(2 * EXAMPLES_MAX);
        examples
    }
}

impl From<Removed> for Example {
    fn from(removed: Removed) -> Example {
        Example { kind: removed.kind, times: 1, text: removed.text }
    }
}

#[cfg(test)]
mod tests {
    use unframe::html::Span;
    use unframe::{Page, PageParser, TemplateHash};
    use unframe_crawl::write::BodyFormat;

    use super::*;

    /// Adds a page with a menu and some content.
    fn add(report: &mut Report, site: &str, number: usize, menu: &str) {
        let page = Page::new(format!("http://{site}/{number}"), format!("<p>{menu}<p>words"));
        let regions = [Region::new(Span::new(0, 3 + menu.len()), TemplateHash(1), 2)];
        let mut parser = PageParser::new();
        let parsed = parser.open(&page);
        let clean = CleanPage::new(&page, &parsed, &regions, BodyFormat::Html);
        report.add(&clean, PageNotes::of(&clean, &parsed, &regions, page.payload.len()));
    }

    #[test]
    fn what_is_frequent_is_reported() {
        let mut report = Report::default();
        for number in 0..TEMPLATES_MAX + 9 {
            // Every second page has the same menu; each of the others has a menu of its own.
            let menu = if number % 2 == 0 { "menu".to_owned() } else { format!("{number:04}") };
            add(&mut report, "a.example", number, &menu);
        }
        let site = &report.sites["a.example"];
        let first = site.most_frequent()[0];
        assert_eq!((first.times, first.text.as_str(), first.kind.name().as_str()), (37, "menu", "repeated"));
        assert!(site.templates.len() <= TEMPLATES_MAX);
        assert_eq!(site.kept[0], ("http://a.example/0".to_owned(), "words".to_owned()));
        assert_eq!((report.total.removed_bytes, report.total.bytes), (7 * 73, 15 * 73));
        assert_eq!((report.shortest.len(), report.shortest[0].0), (SHORTEST_MAX, 5));
    }

    #[test]
    fn so_many_sites_are_reported_and_no_more() {
        let mut report = Report::default();
        (0..SITES_MAX + 3).for_each(|number| add(&mut report, &format!("s{number}.example"), 0, "menu"));
        assert_eq!((report.sites.len(), report.other_pages, report.total.pages), (SITES_MAX, 3, 503));
    }
}
