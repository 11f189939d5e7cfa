//! Builds the history of dated crawls that fit into memory.

use std::ops::ControlFlow;
use std::path::PathBuf;

use unframe::detect::Detector;
use unframe::learn::Learner;
use unframe::{Page, PageParser, SiteBy};
use unframe_crawl::{Event, ReadError, ReadOptions};

use super::place::{LatestVersions, Place};
use super::{Bucket, History, Version};

/// Reads files with dated versions of pages, learns each snapshot, and labels all versions. One address in `share` is used, the others are skipped.
///
/// # Errors
/// If a file is missing.
pub fn history(
    files: &[PathBuf],
    detector: Box<dyn Detector>,
    bucket: &Bucket,
    share: u64,
) -> Result<History, ReadError> {
    let options = ReadOptions { unique: false, ..ReadOptions::default() };
    let mut pages: Vec<(Place, Page)> = Vec::new();
    let mut measured = LatestVersions::default();
    let sink = |event: Event<Page>| {
        if let Event::Page(page) = event
            && let Some(place) = Place::of(&page, bucket, SiteBy::default(), 0)
            && is_taken(&place, share)
        {
            measured.add(&place, page.origin.clone());
            pages.push((place, page));
        }
        ControlFlow::Continue(())
    };
    unframe_crawl::read(files, &options, || |page| page, sink)?;
    let learner = Learner::new(detector, 0);
    let mut parser = PageParser::new();
    for (place, page) in pages.iter().filter(|(place, page)| measured.has(place, page)) {
        learner.observe(&place.snapshot(), &place.dated.url, &parser.open(page));
    }
    let models = learner.models();
    let mut history = History::default();
    for (place, page) in pages {
        let parsed = parser.open(&page);
        let regions = models.templates(&place.snapshot(), &parsed);
        let is_measured = measured.has(&place, &page);
        let version = Version::new(place.dated, place.bucket, &parsed, &regions);
        history.add(&place.site, Version { is_measured, ..version });
    }
    history.sort();
    Ok(history)
}

/// Whether a page is part of the sample. The decision depends on its address, so that all versions of a page are used, or none.
fn is_taken(place: &Place, share: u64) -> bool {
    xxhash_rust::xxh3::xxh3_64(place.dated.address.as_bytes()).is_multiple_of(share.max(1))
}
