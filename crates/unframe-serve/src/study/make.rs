//! Learns a site from its stored pages, and makes its study.

use std::collections::HashMap;

use unframe::learn::{Learner, Models};
use unframe::limits::TEMPLATE_TEXT_MAX;
use unframe::model_file::ModelFile;
use unframe::select::{self, Candidates, Check, Tally};
use unframe::{Page, PageParser, TemplateHash};
use unframe_picture::{self as picture, SiteView, schema};

use super::{Piece, Schema, Selector, Study, StudyPage, Template, TemplateShares, history};
use crate::error::{Answer, ApiError};
use crate::jobs::Job;
use crate::limits::SELECTOR_PAGES;
use crate::page_store::PageStore;

/// The result of learning a site.
pub(crate) struct LearnedSite {
    pub(crate) study: Study,
    /// The bytes of the model.
    pub(crate) model: Vec<u8>,
}

/// Learns a site with the method of this name. Reports the progress to the job, and fails if the job is cancelled.
pub(crate) fn make(page_store: &PageStore, site: &str, method: &str, job: &Job) -> Answer<LearnedSite> {
    let row = page_store.site(site)?.unwrap_or_default();
    let ids = page_store.ids(site, 0, usize::MAX)?;
    let tried = SiteView::spread(ids.len(), SELECTOR_PAGES);
    job.set_total((2 * ids.len() + tried.len()) as u64);
    let pages = Pages { page_store, ids: &ids, job };
    let (models, model) = learn(&pages, method)?;
    let mut scan = scan(&pages, site, &models)?;
    let selectors = try_selectors(&pages, &tried, &models, std::mem::take(&mut scan.candidates))?;
    let timeline = history::timeline(&pages, method)?;
    pages.check_running()?;
    let mut study = describe(scan, &selectors);
    study.last = row.last;
    study.made = jiff::Timestamp::now().as_second();
    study.timeline = timeline;
    study.selector_pages = tried.len();
    Ok(LearnedSite { study, model })
}

/// The pages of a site, one after the other.
pub(super) struct Pages<'a> {
    page_store: &'a PageStore,
    ids: &'a [u64],
    job: &'a Job,
}

impl Pages<'_> {
    /// Calls `each` with all pages. Pages that were deleted meanwhile are skipped.
    pub(super) fn each(&self, mut each: impl FnMut(u64, Page) -> Answer<()>) -> Answer<()> {
        self.ids.iter().try_for_each(|id| self.one(*id, &mut each))
    }

    fn one(&self, id: u64, each: &mut impl FnMut(u64, Page) -> Answer<()>) -> Answer<()> {
        self.job.step()?;
        match self.page_store.page(id)? {
            Some((_, page)) => each(id, page),
            None => Ok(()),
        }
    }

    /// The address and date of each page that has a date, without its bytes.
    pub(super) fn dates(&self) -> Answer<Vec<(String, i64)>> {
        let mut dates = Vec::new();
        for id in self.ids {
            self.check_running()?;
            if let Some(row) = self.page_store.row(*id)?
                && let Some(date) = row.date
            {
                dates.push((row.url, date));
            }
        }
        Ok(dates)
    }

    /// Fails if the job was cancelled, or if the service is stopping. Call it between steps that take long for a hostile page.
    pub(super) fn check_running(&self) -> Answer<()> {
        self.job.check_running()
    }

    pub(super) fn add_total(&self, steps: u64) {
        self.job.add_total(steps);
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }
}

fn learn(pages: &Pages<'_>, method: &str) -> Answer<(Models, Vec<u8>)> {
    let learner = Learner::new(detector(method)?, 0);
    let mut parser = PageParser::new();
    pages.each(|_, page| {
        learner.observe(&page.site, &page.url, &parser.open(&page));
        Ok(())
    })?;
    pages.check_running()?;
    let model = ModelFile::from_learner(&learner).encode();
    pages.check_running()?;
    Ok((learner.models(), model))
}

/// The method with this name.
pub(super) fn detector(method: &str) -> Answer<Box<dyn unframe::detect::Detector>> {
    unframe::detect::parse(method).map_err(|error| ApiError::parameter(error.to_string()))
}

/// The result of the labelling pass over the pages.
struct SiteScan {
    view: SiteView,
    /// The number and the date of each page, in the order of `view.pages`.
    ids: Vec<(u64, Option<i64>)>,
    candidates: Candidates,
}

fn scan(pages: &Pages<'_>, site: &str, models: &Models) -> Answer<SiteScan> {
    let mut view = SiteView::new(site, models.detector().name());
    let (mut ids, mut candidates) = (Vec::new(), Candidates::default());
    let mut parser = PageParser::new();
    let every = pages.len().div_ceil(SELECTOR_PAGES).max(1);
    pages.each(|id, page| {
        let parsed = parser.open(&page);
        pages.check_running()?;
        let regions = models.label(site, &parsed);
        pages.check_running()?;
        if ids.len() % every == 0 {
            let templates: Vec<_> = regions.iter().copied().filter(|one| one.kind.is_template()).collect();
            candidates.add(select::candidates(&parsed, &templates));
            pages.check_running()?;
        }
        view.add(picture::look(&page.url, &parsed, regions, true));
        ids.push((id, page.date.map(|date| date.as_second())));
        // The view has copied the texts of the pieces. The texts of pages would take much memory, and are read from the pages again
        // when they are needed.
        if let Some(page) = view.pages.last_mut() {
            page.text = Vec::new();
            page.links = Vec::new();
        }
        Ok(())
    })?;
    // The view sorts its pages. The numbers need the same order.
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by(|a, b| {
        let key = |at: usize| (view.pages[at].bytes, &view.pages[at].url);
        key(*a).cmp(&key(*b))
    });
    let ids = order.into_iter().map(|at| ids[at]).collect();
    view.sort();
    Ok(SiteScan { view, ids, candidates })
}

type Selectors = HashMap<TemplateHash, (Vec<Selector>, (u64, u64))>;

fn try_selectors(
    pages: &Pages<'_>,
    tried: &[usize],
    models: &Models,
    candidates: Candidates,
) -> Answer<Selectors> {
    let check = Check::new(candidates);
    let (mut tally, mut hashes) = (Tally::default(), std::collections::HashSet::new());
    let mut parser = PageParser::new();
    for at in tried {
        pages.one(pages.ids[*at], &mut |_, page: Page| {
            let parsed = parser.open(&page);
            let regions = models.templates(&page.site, &parsed);
            pages.check_running()?;
            tally.add(check.page(&parsed, &regions));
            hashes.extend(regions.iter().map(|region| region.template));
            Ok(())
        })?;
    }
    let found = hashes.into_iter().map(|hash| {
        let found = check.found(hash, &tally);
        let selectors = found.selectors.iter().map(|one| Selector { css: one.css(), xpath: one.xpath() });
        (hash, (selectors.collect(), (found.total, found.selected)))
    });
    Ok(found.collect())
}

fn describe(scan: SiteScan, selectors: &Selectors) -> Study {
    let SiteScan { view, ids, .. } = scan;
    let schemas = schema::of_site(&view);
    let mut schema_of = vec![0; view.pages.len()];
    for (number, group) in (0..).zip(&schemas.groups) {
        group.pages.iter().for_each(|page| schema_of[*page as usize] = number);
    }
    let pieces = view.pieces.iter().zip(&schemas.template_of).map(|(piece, template)| {
        let (found, selected) = selectors.get(&piece.hash).cloned().unwrap_or_default();
        Piece {
            hash: piece.hash.0,
            occurrences: piece.occurrences,
            pages: piece.pages,
            sort: piece.sort.name().map(str::to_owned),
            within: piece.within.map(|within| within.0),
            template: *template,
            text: piece.text.as_deref().unwrap_or_default().chars().take(TEMPLATE_TEXT_MAX).collect(),
            selectors: found,
            selected,
        }
    });
    let pages = view.pages.iter().zip(&ids).zip(&schema_of).map(|((page, (id, date)), schema)| StudyPage {
        id: *id,
        url: page.url.clone(),
        title: page.title.clone(),
        date: *date,
        bytes: page.bytes,
        share: (page.volume.html.fraction() * 1000.0).round() as u16,
        schema: *schema,
        marks: page.marks.iter().map(|mark| (mark.start, mark.end, mark.piece)).collect(),
        kinds: page.marks.iter().map(|mark| mark.kind as u8).collect(),
    });
    Study {
        site: view.name.clone(),
        method: view.method.clone(),
        volume: TemplateShares::from(view.volume),
        pages: pages.collect(),
        pieces: pieces.collect(),
        templates: schemas
            .templates
            .iter()
            .map(|one| Template {
                pieces: one.pieces.clone(),
                pages: one.pages.clone(),
                bytes: one.bytes,
                links: one.links,
            })
            .collect(),
        schemas: schemas
            .groups
            .into_iter()
            .map(|one| Schema { templates: one.schema, pages: one.pages, outlier: one.is_outlier })
            .collect(),
        ..Study::default()
    }
}
