//! Scores of methods on a folder of gold data.
//!
//! For each site and each method, the evaluation learns from all pages, labels all pages, cleans those with gold data, and compares
//! the result with the gold data. The baseline `none` removes nothing.
//!
//! Only learning and labelling are timed, on one thread per site. Reading and scoring are not timed.

use std::path::Path;

use unframe::detect::Detector;
use unframe::learn::Learner;
use unframe::text::content;
use unframe::{PageBytes, PageParser, Region};

use crate::clock::Clock;
use crate::gold::{Gold, GoldError, GoldFolder, GoldKind, GoldPage, GoldSite};
use crate::method::Method;
use crate::parallel;
use crate::peers::{PeerError, Peers};
use crate::report::{ByType, MethodReport, Report, Score, SiteReport, Speed};
use crate::values::{RepeatedText, ValueScore};
use crate::words::WordScore;

/// Options of the evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Maximum number of pages of each site; the first ones are taken.
    pub pages_max: usize,
    /// Maximum number of scored pages of each site; the first ones are taken, and the others are only learned from.
    pub scored_max: usize,
    /// Number of pages in each group that is learned separately; 0 learns all pages of a site together.
    pub group: usize,
    /// The Python interpreter that runs the peer programs; `None` compares no peers.
    pub peers: Option<String>,
    /// Number of sites that are measured in parallel; 0 for one per core. The scores do not depend on it.
    pub threads: usize,
    /// The seed that selects which pages of a large site are compared.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { pages_max: usize::MAX, scored_max: usize::MAX, group: 0, peers: None, threads: 0, seed: 0 }
    }
}

/// Scores `none` and then `methods` on all sites of a folder.
///
/// # Errors
/// If the folder or one of its files is missing, or a gold file is broken. Problems inside a crawl are reported, and the affected pages are
/// skipped.
pub fn evaluate(folder: &Path, methods: &[Method], options: &Options) -> Result<Report, EvalError> {
    let folder = GoldFolder::open(folder)?;
    let peers = match &options.peers {
        Some(python) => Peers::start(python)?.names.clone(),
        None => Vec::new(),
    };
    let names = methods.iter().flat_map(|method| {
        let without = finds_clutter(method).then(|| format!("{}, templates only", method.name));
        std::iter::once(method.name.clone()).chain(without)
    });
    let names = std::iter::once("none".to_owned()).chain(names);
    let mut report = Report {
        kind: folder.kind,
        methods: names.chain(peers).map(|name| MethodReport { name, sites: Vec::new() }).collect(),
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

/// Why the evaluation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The gold data cannot be read.
    #[error(transparent)]
    Gold(#[from] GoldError),
    /// The peer programs cannot be run.
    #[error(transparent)]
    Peers(#[from] PeerError),
}

/// The results of one site: reports of `none`, of each method, and then of the peer programs.
struct SiteResult {
    reports: Vec<SiteReport>,
    problems: Vec<String>,
}

fn measure(
    site: &GoldSite,
    kind: GoldKind,
    methods: &[Method],
    options: &Options,
) -> Result<SiteResult, EvalError> {
    let read = site.read(options.pages_max)?;
    let mut parser = PageParser::new();
    let scorer = Scorer::new(kind, &read.pages, options.scored_max, &mut parser);
    let report = |score, by_type, speed| SiteReport {
        site: site.name.clone(),
        pages_learned: read.pages.len(),
        pages_scored: scorer.pages.len(),
        score,
        by_type,
        speed,
    };
    let nothing = vec![Vec::new(); read.pages.len()];
    let mut reports = vec![report(
        scorer.score(&nothing, &mut parser),
        scorer.by_type(&nothing, &mut parser),
        Speed::default(),
    )];
    for method in methods {
        let (regions, speed) = match options.group {
            0 => label(&*method.detector, &read.pages, options.seed),
            size => label_in_groups(&*method.detector, &read.pages, size, &scorer, options.seed),
        };
        reports.push(report(
            scorer.score(&regions, &mut parser),
            scorer.by_type(&regions, &mut parser),
            speed,
        ));
        if finds_clutter(method) {
            let is_template = |region: &&Region| region.kind.is_template();
            let templates: Vec<Vec<Region>> =
                regions.iter().map(|regions| regions.iter().filter(is_template).copied().collect()).collect();
            reports.push(report(
                scorer.score(&templates, &mut parser),
                scorer.by_type(&templates, &mut parser),
                speed,
            ));
        }
    }
    if let Some(python) = &options.peers {
        let scored = scorer.peers(&mut Peers::start(python)?)?;
        reports.extend(scored.into_iter().map(|(score, by_type, speed)| report(score, by_type, speed)));
    }
    Ok(SiteResult { reports, problems: read.problems })
}

/// Whether a method also removes clutter. If so, its result is scored a second time with the template regions alone.
fn finds_clutter(method: &Method) -> bool {
    method.detector.labels_single_pages()
}

/// Learns and labels groups of pages, each as if it were the whole site. Groups without a scored page are
/// skipped.
fn label_in_groups(
    detector: &dyn Detector,
    pages: &[GoldPage],
    size: usize,
    scorer: &Scorer<'_>,
    seed: u64,
) -> (Vec<Vec<Region>>, Speed) {
    let mut all = vec![Vec::new(); pages.len()];
    let mut speed = Speed::default();
    for start in (0..pages.len()).step_by(size) {
        // The last group overlaps the one before, so that all groups have the same size.
        let group = start.min(pages.len().saturating_sub(size))..(start + size).min(pages.len());
        if !scorer.pages.iter().any(|(at, ..)| group.contains(at)) {
            continue;
        }
        let (regions, took) = label(detector, &pages[group.clone()], seed);
        all[group].iter_mut().zip(regions).for_each(|(page, regions)| *page = regions);
        speed += took;
    }
    (all, speed)
}

/// The key of the site, under which all pages of a folder are learned.
const SITE: &str = "";

/// Learns a site, labels its pages, and measures the time of both.
pub(crate) fn label(detector: &dyn Detector, pages: &[GoldPage], seed: u64) -> (Vec<Vec<Region>>, Speed) {
    let clock = Clock::start();
    let mut parser = PageParser::new();
    let learner = Learner::new(detector.copy(), seed);
    for GoldPage { page, .. } in pages {
        learner.observe(SITE, &page.url, &parser.open(page));
    }
    let models = learner.models();
    let regions = pages.iter().map(|page| models.label(SITE, &parser.open(&page.page))).collect();
    let bytes = pages.iter().map(|page| page.page.payload.len() as u64).sum();
    (regions, Speed { pages: pages.len() as u64, bytes, seconds: clock.seconds() })
}

/// The gold data of a site, against which methods are scored.
struct Scorer<'p> {
    /// The scored pages, each with its index in the site.
    pages: Vec<(usize, &'p GoldPage, &'p Gold)>,
    kind: GoldKind,
    /// The visible text of each scored page; only filled for gold values.
    full_texts: Vec<String>,
    repeated: RepeatedText,
}

impl<'p> Scorer<'p> {
    fn new(kind: GoldKind, all: &'p [GoldPage], scored_max: usize, parser: &mut PageParser) -> Scorer<'p> {
        let known = all.iter().enumerate().filter_map(|(at, page)| Some((at, page, page.gold.as_ref()?)));
        let pages: Vec<_> = known.take(scored_max).collect();
        let (full_texts, repeated) = match kind {
            GoldKind::Text => Default::default(),
            GoldKind::Values => {
                let texts = pages.iter().map(|(_, page, _)| clean(page, &[], parser)).collect();
                (texts, RepeatedText::of(all.iter().map(|page| PageBytes::from(&page.page)), parser))
            }
        };
        Scorer { pages, kind, full_texts, repeated }
    }

    /// Runs the peer programs on the scored pages and scores their texts.
    fn peers(&self, peers: &mut Peers) -> Result<Vec<(Score, ByType, Speed)>, PeerError> {
        let mut texts = vec![Vec::new(); peers.names.len()];
        let mut speeds = vec![Speed::default(); peers.names.len()];
        for (_, page, _) in &self.pages {
            for (peer, found) in peers.extract(&page.page)?.into_iter().enumerate() {
                let bytes = page.page.payload.len() as u64;
                speeds[peer] += Speed { pages: 1, bytes, seconds: found.seconds };
                texts[peer].push(found.text);
            }
        }
        let scores = texts.iter().map(|texts| match self.kind {
            GoldKind::Text => (Score::Words(self.words(texts)), self.words_by_type(texts)),
            GoldKind::Values => (Score::Values(self.values(texts)), ByType::new()),
        });
        Ok(scores.zip(speeds).map(|((score, by_type), speed)| (score, by_type, speed)).collect())
    }

    /// Scores a method by the regions that it found on all pages of the site.
    fn score(&self, regions: &[Vec<Region>], parser: &mut PageParser) -> Score {
        let texts: Vec<String> =
            self.pages.iter().map(|(at, page, _)| clean(page, &regions[*at], parser)).collect();
        match self.kind {
            GoldKind::Text => Score::Words(self.words(&texts)),
            GoldKind::Values => {
                let mut score = self.values(&texts);
                for (at, page, _) in &self.pages {
                    let page = parser.open(&page.page);
                    score.add_repeated(self.repeated.removed(&page, &regions[*at]));
                }
                Score::Values(score)
            }
        }
    }

    /// The scores of pages, grouped by page type.
    fn by_type(&self, regions: &[Vec<Region>], parser: &mut PageParser) -> ByType {
        if self.kind == GoldKind::Values || self.pages.iter().all(|(_, page, _)| page.page_type.is_none()) {
            return ByType::new();
        }
        let texts: Vec<String> =
            self.pages.iter().map(|(at, page, _)| clean(page, &regions[*at], parser)).collect();
        self.words_by_type(&texts)
    }

    fn words_by_type(&self, texts: &[String]) -> ByType {
        let mut by_type = ByType::new();
        for ((_, page, gold), text) in self.pages.iter().zip(texts) {
            if let (Some(page_type), Gold::Text(gold)) = (&page.page_type, gold) {
                by_type.entry(page_type.clone()).or_default().push(WordScore::without(
                    text,
                    gold,
                    &page.unsure,
                ));
            }
        }
        by_type
    }

    /// The mean word score of extracted texts, one for each scored page.
    fn words(&self, texts: &[String]) -> WordScore {
        let scores = self.pages.iter().zip(texts).filter_map(|((_, page, gold), text)| match gold {
            Gold::Text(gold) => Some(WordScore::without(text, gold, &page.unsure)),
            Gold::Values(_) => None,
        });
        WordScore::mean(&scores.collect::<Vec<_>>())
    }

    fn values(&self, texts: &[String]) -> ValueScore {
        let mut score = ValueScore::default();
        for (((_, page, gold), full), text) in self.pages.iter().zip(&self.full_texts).zip(texts) {
            if let Gold::Values(values) = gold {
                score.add_page(&page.page.url, values, full, text);
            }
        }
        score
    }
}

pub(crate) fn clean(page: &GoldPage, regions: &[Region], parser: &mut PageParser) -> String {
    content::extract(&parser.open(&page.page), regions).text
}
