//! Assigns pages to snapshots, and selects the version that represents an address in its snapshot.

use std::collections::HashMap;

use jiff::Timestamp;
use unframe::{Origin, Page, SiteBy};

use super::{Bucket, dated};

/// The site, snapshot and date of a page.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its site.
    pub site: String,
    /// Its bucket of time.
    pub bucket: (i64, String),
    /// Its date and its address.
    pub dated: dated::Dated,
    /// The index of the input that it was read from.
    pub input: usize,
}

/// The last version of each address in each snapshot: by site, bucket and address.
#[derive(Debug, Clone, Default)]
pub struct LatestVersions {
    last: HashMap<(String, i64, String), Last>,
}

/// The last version of an address in a snapshot.
#[derive(Debug, Clone)]
struct Last {
    date: Timestamp,
    origin: Origin,
    /// Whether the snapshot has versions of other dates.
    has_others: bool,
}

impl Place {
    /// The place of a page in the input with this index; `None` if the page has no date.
    pub fn of(page: &Page, bucket: &Bucket, site_by: SiteBy, input: usize) -> Option<Place> {
        let dated = dated::of_page(page)?;
        // The site depends on the address, which changes when the folder of the date is removed.
        let site = if dated.url == page.url { page.site.clone() } else { site_by.key(&dated.url) };
        Some(Place { site, bucket: bucket.of(dated.date, input), dated, input })
    }

    /// The place of a page without a date. Each input counts as one crawl, in chronological order. `inside` is the path of the page's
    /// file in its input, if it has one.
    pub fn by_input(page: &Page, input: usize, inside: Option<&str>) -> Place {
        let date = Timestamp::from_second(input as i64).unwrap_or_default();
        let dated = dated::Dated::new(date, page.url.clone());
        let dated = match inside {
            Some(inside) if page.url.starts_with("file:") => {
                dated::Dated { address: inside.to_owned(), ..dated }
            }
            _ => dated,
        };
        Place { site: page.site.clone(), bucket: Bucket::Input.of(date, input), dated, input }
    }

    /// Moves the page to another bucket.
    pub fn in_bucket(self, bucket: &Bucket) -> Place {
        Place { bucket: bucket.of(self.dated.date, self.input), ..self }
    }

    /// The key under which the snapshot is learned.
    pub fn snapshot(&self) -> String {
        format!("{} {}", self.site, self.bucket.1)
    }

    fn key(&self) -> (String, i64, String) {
        (self.site.clone(), self.bucket.0, self.dated.address.clone())
    }
}

impl LatestVersions {
    /// Adds a version. If several have the same date, the last one counts.
    pub fn add(&mut self, place: &Place, origin: Origin) {
        let date = place.dated.date;
        let new = Last { date, origin, has_others: false };
        let Some(last) = self.last.get_mut(&place.key()) else {
            self.last.insert(place.key(), new);
            return;
        };
        let has_others = last.has_others || last.date != date;
        if last.date <= date {
            *last = new;
        }
        last.has_others = has_others;
    }

    /// Whether a page is the version that represents its address in its snapshot.
    pub fn has(&self, place: &Place, page: &Page) -> bool {
        self.last.get(&place.key()).is_some_and(|last| last.origin == page.origin)
    }

    /// The number of addresses that have several versions in one snapshot. All versions but the last are labelled with templates of a later date.
    pub fn with_several(&self) -> usize {
        self.last.values().filter(|last| last.has_others).count()
    }

    /// Whether there are no versions.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }
}

/// The longest buckets with the fewest addresses that have several versions, and the representative versions for these buckets.
pub fn longest_apart(versions: &[(Place, Origin)]) -> (Bucket, LatestVersions) {
    let measured = |bucket: &Bucket| {
        let mut measured = LatestVersions::default();
        for (place, origin) in versions {
            measured.add(&place.clone().in_bucket(bucket), origin.clone());
        }
        measured
    };
    let mut best = (Bucket::Year, measured(&Bucket::Year));
    for bucket in Bucket::PLAIN.iter().skip(1) {
        if best.1.with_several() == 0 {
            break;
        }
        let found = measured(bucket);
        if found.with_several() < best.1.with_several() {
            best = (bucket.clone(), found);
        }
    }
    best
}
