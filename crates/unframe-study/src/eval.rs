//! Scores of methods on a folder of gold data.
//!
//! For each site and each method: learn from all pages, label all pages, clean those of which something is known, and
//! compare. Beside the methods, `none` removes nothing: what it scores comes for free.
//!
//! Only learning and labelling are timed, on one thread a site; reading the files and scoring are not.

use std::path::Path;
use std::time::Instant;

use unframe::detect::{Detector, PageBytes, Segments};
use unframe::html::Parser;
use unframe::sample::Rank;
use unframe::segments::{PageId, Table};
use unframe::text::content;
use unframe::{Region, Sample};

use crate::gold::{Gold, GoldError, GoldFolder, GoldKind, GoldPage, GoldSite};
use crate::method::Method;
use crate::parallel;
use crate::report::{MethodReport, Report, Score, SiteReport, Speed};
use crate::values::{RepeatedText, ValueScore};
use crate::words::WordScore;

/// How to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// At most so many pages of each site are learned from and scored, the first ones.
    pub pages_max: usize,
    /// At most so many pages of each site are scored, the first ones; the others are learned from all the same.
    pub scored_max: usize,
    /// How many sites are measured at the same time; 0 for one a core. Changes nothing but the speed.
    pub threads: usize,
    /// Decides which pages of a large site are compared.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { pages_max: usize::MAX, scored_max: usize::MAX, threads: 0, seed: 0 }
    }
}

/// Scores `none` and then `methods` on all sites of a folder.
///
/// # Errors
/// If the folder or one of its files is missing, or a gold file is broken. What is wrong inside a crawl is reported, and
/// passed over.
pub fn evaluate(folder: &Path, methods: &[Method], options: &Options) -> Result<Report, GoldError> {
    let folder = GoldFolder::open(folder)?;
    let mut report = Report {
        kind: folder.kind,
        methods: (std::iter::once("none").chain(methods.iter().map(|method| method.name.as_str())))
            .map(|name| MethodReport { name: name.to_owned(), sites: Vec::new() })
            .collect(),
        problems: Vec::new(),
    };
    let measure = |site: &GoldSite| measure(site, folder.kind, methods, options);
    for measured in parallel::map(&folder.sites, options.threads, measure) {
        let measured = measured?;
        for (method, site) in report.methods.iter_mut().zip(measured.reports) {
            method.sites.push(site);
        }
        report.problems.extend(measured.problems);
    }
    Ok(report)
}

/// One site: a report for `none` and for each method.
struct Measured {
    reports: Vec<SiteReport>,
    problems: Vec<String>,
}

fn measure(
    site: &GoldSite,
    kind: GoldKind,
    methods: &[Method],
    options: &Options,
) -> Result<Measured, GoldError> {
    let read = site.read(options.pages_max)?;
    let mut parser = Parser::new();
    let scorer = Scorer::new(kind, &read.pages, options.scored_max, &mut parser);
    let none = (vec![Vec::new(); read.pages.len()], Speed::default());
    let labelled = methods.iter().map(|method| label(&*method.detector, &read.pages, options.seed));
    let reports = std::iter::once(none).chain(labelled).map(|(regions, speed)| SiteReport {
        site: site.name.clone(),
        pages_learned: read.pages.len(),
        pages_scored: scorer.pages.len(),
        score: scorer.score(&regions, &mut parser),
        speed,
    });
    Ok(Measured { reports: reports.collect(), problems: read.problems })
}

/// Learns a site and labels its pages, against the clock.
pub(crate) fn label(detector: &dyn Detector, pages: &[GoldPage], seed: u64) -> (Vec<Vec<Region>>, Speed) {
    let start = Instant::now();
    let mut parser = Parser::new();
    let model = match detector.ordered() {
        Some(segments) => segments.model_of(&table_of(segments, pages, &mut parser)),
        None => detector.model(&sample_of(detector, pages, seed, &mut parser)),
    };
    let regions =
        pages.iter().map(|page| detector.label(&model, PageBytes::of(&page.page), &mut parser)).collect();
    let bytes = pages.iter().map(|page| page.page.payload.len() as u64).sum();
    (regions, Speed { pages: pages.len() as u64, bytes, seconds: start.elapsed().as_secs_f64() })
}

fn sample_of(detector: &dyn Detector, pages: &[GoldPage], seed: u64, parser: &mut Parser) -> Sample {
    let mut sample = Sample::new(detector.sample_size());
    for GoldPage { page, .. } in pages {
        let rank = Rank::of(&page.url, &page.payload, seed);
        if sample.observe(rank) {
            let mut pieces = Vec::new();
            detector.pieces(PageBytes::of(page), parser, &mut pieces);
            sample.add(rank, pieces);
        }
    }
    sample
}

fn table_of(segments: &Segments, pages: &[GoldPage], parser: &mut Parser) -> Table {
    let mut table = Table::default();
    for GoldPage { page, .. } in pages {
        let keys = segments.cut(PageBytes::of(page), parser).keys();
        segments.expand(&mut table, PageId::of(&page.url, &page.payload), &keys);
        segments.shrink(&mut table, |_| {});
    }
    table
}

/// What the results of all methods on a site are compared with.
struct Scorer<'p> {
    /// The pages that are scored, with their numbers.
    pages: Vec<(usize, &'p GoldPage, &'p Gold)>,
    kind: GoldKind,
    /// The visible text of each, where it is needed.
    full_texts: Vec<String>,
    repeated: RepeatedText,
}

impl<'p> Scorer<'p> {
    fn new(kind: GoldKind, all: &'p [GoldPage], scored_max: usize, parser: &mut Parser) -> Scorer<'p> {
        let known = all.iter().enumerate().filter_map(|(at, page)| Some((at, page, page.gold.as_ref()?)));
        let pages: Vec<_> = known.take(scored_max).collect();
        let (full_texts, repeated) = match kind {
            GoldKind::Text => Default::default(),
            GoldKind::Values => {
                let texts = pages.iter().map(|(_, page, _)| clean(page, &[], parser)).collect();
                (texts, RepeatedText::of(all.iter().map(|page| PageBytes::of(&page.page)), parser))
            }
        };
        Scorer { pages, kind, full_texts, repeated }
    }

    /// The score of a method that found these regions on all pages of the site.
    fn score(&self, regions: &[Vec<Region>], parser: &mut Parser) -> Score {
        match self.kind {
            GoldKind::Text => Score::Words(self.words(regions, parser)),
            GoldKind::Values => Score::Values(self.values(regions, parser)),
        }
    }

    fn words(&self, regions: &[Vec<Region>], parser: &mut Parser) -> WordScore {
        let scores = self.pages.iter().filter_map(|(at, page, gold)| match gold {
            Gold::Text(gold) => Some(WordScore::of(&clean(page, &regions[*at], parser), gold)),
            Gold::Values(_) => None,
        });
        WordScore::mean(&scores.collect::<Vec<_>>())
    }

    fn values(&self, regions: &[Vec<Region>], parser: &mut Parser) -> ValueScore {
        let mut score = ValueScore::default();
        for ((at, page, gold), full) in self.pages.iter().zip(&self.full_texts) {
            if let Gold::Values(values) = gold {
                score.add_page(&page.page.url, values, full, &clean(page, &regions[*at], parser));
            }
            score.add_repeated(self.repeated.removed(PageBytes::of(&page.page), &regions[*at], parser));
        }
        score
    }
}

pub(crate) fn clean(page: &GoldPage, regions: &[Region], parser: &mut Parser) -> String {
    content::extract(PageBytes::of(&page.page), regions, parser).text
}
