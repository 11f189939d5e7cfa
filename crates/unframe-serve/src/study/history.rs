//! The history of a site whose pages have several dates.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use unframe::learn::Learner;
use unframe::{Page, PageParser};
use unframe_study::evolve::{Bucket, History, Version, changes, dated};

use super::TemplateShares;
use super::make::{Pages, detector};
use crate::error::Answer;

/// A site over time.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Timeline {
    /// The length of a snapshot: `year`, `quarter`, `month` or `day`; empty if there are fewer than two.
    pub(crate) bucket: String,
    pub(crate) snapshots: Vec<Snapshot>,
}

/// A site in one period of time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) bucket: String,
    /// The middle of its dates, as a fractional year.
    pub(crate) year: f64,
    pub(crate) pages: usize,
    pub(crate) volume: TemplateShares,
    /// Numbers of pages whose text differs from the previous version: only templates, only content, both.
    pub(crate) changed: [u32; 3],
}

/// From these lengths of a history on, in years, the snapshots are years, quarters and months.
const YEARS: f64 = 3.0;
const QUARTERS: f64 = 1.0;
const MONTHS: f64 = 1.0 / 6.0;

/// The timeline of a site, in three passes over its pages. It is empty if all dates are in one snapshot.
pub(super) fn timeline(pages: &Pages<'_>, method: &str) -> Answer<Timeline> {
    let dates = pages.dates()?;
    let seconds = || dates.iter().map(|(_, date)| *date);
    let (Some(first), Some(last)) = (seconds().min(), seconds().max()) else {
        return Ok(Timeline::default());
    };
    let years = (last - first) as f64 / 31_556_952.0;
    let bucket = match years {
        years if years >= YEARS => Bucket::Year,
        years if years >= QUARTERS => Bucket::Quarter,
        // A crawl that takes several days but fetches no page twice is one snapshot.
        years if years < MONTHS && comes_again(&dates) => Bucket::Day,
        _ => Bucket::Month,
    };
    let timestamp = |seconds: i64| Timestamp::from_second(seconds).unwrap_or_default();
    if bucket.of(timestamp(first), 0) == bucket.of(timestamp(last), 0) {
        return Ok(Timeline::default());
    }
    pages.add_total(2 * pages.len() as u64);
    let history = history(pages, method, &bucket)?;
    Ok(describe(&history, &bucket))
}

/// Whether a page was fetched on more than one day.
fn comes_again(dates: &[(String, i64)]) -> bool {
    let mut days = HashMap::new();
    dates.iter().any(|(url, date)| {
        let day = date.div_euclid(86_400);
        *days.entry(dated::address(url)).or_insert(day) != day
    })
}

/// The snapshot of a page, if it has a date.
fn place(page: &Page, bucket: &Bucket) -> Option<(dated::Dated, (i64, String))> {
    let date = page.date?;
    Some((dated::Dated::new(date, page.url.clone()), bucket.of(date, 0)))
}

/// Learns each snapshot from the last version of each address in it, and compares all versions.
fn history(pages: &Pages<'_>, method: &str, bucket: &Bucket) -> Answer<History> {
    let learner = Learner::new(detector(method)?, 0);
    let mut parser = PageParser::new();
    let mut measured: HashMap<(i64, String), (Timestamp, u64)> = HashMap::new();
    // Pages are not numbered by date, so the last version of an address is known only after the first pass. A learner cannot remove
    // a page that it has observed.
    let mut versions: BTreeMap<u64, (i64, String, String, Timestamp)> = BTreeMap::new();
    pages.each(|id, page| {
        if let Some((dated, (number, name))) = place(&page, bucket) {
            let address = dated.address;
            let last = measured.entry((number, address.clone())).or_insert((dated.date, id));
            if last.0 <= dated.date {
                *last = (dated.date, id);
            }
            versions.insert(id, (number, name, address, dated.date));
        }
        Ok(())
    })?;
    let is_measured = |id: u64| {
        versions.get(&id).is_some_and(|(number, _, address, _)| {
            measured.get(&(*number, address.clone())).is_some_and(|(_, last)| *last == id)
        })
    };
    pages.add_total(pages.len() as u64);
    pages.each(|id, page| {
        if let Some((dated, (_, name))) = place(&page, bucket)
            && is_measured(id)
        {
            learner.observe(&name, &dated.url, &parser.open(&page));
        }
        Ok(())
    })?;
    pages.check_running()?;
    let models = learner.models();
    let mut history = History::default();
    pages.each(|id, page| {
        if let Some((dated, place)) = place(&page, bucket) {
            let parsed = parser.open(&page);
            let regions = models.templates(&place.1, &parsed);
            pages.check_running()?;
            let version = Version::new(dated, place, &parsed, &regions);
            history.add(&page.site, Version { is_measured: is_measured(id), ..version });
        }
        Ok(())
    })?;
    history.sort();
    Ok(history)
}

fn describe(history: &History, bucket: &Bucket) -> Timeline {
    let mut changed: HashMap<String, [u32; 3]> = HashMap::new();
    for change in changes::of_history(history) {
        let at = match change.changed {
            changes::ChangedPart::Template => 0,
            changes::ChangedPart::Content => 1,
            changes::ChangedPart::Both => 2,
        };
        changed.entry(bucket.of(change.to, 0).1).or_default()[at] += 1;
    }
    let snapshots = history.snapshots(1).into_iter().map(|snapshot| Snapshot {
        changed: changed.get(&snapshot.bucket).copied().unwrap_or_default(),
        bucket: snapshot.bucket,
        year: snapshot.year,
        pages: snapshot.pages,
        volume: TemplateShares::from(snapshot.volume),
    });
    Timeline { bucket: bucket.to_string(), snapshots: snapshots.collect() }
}
