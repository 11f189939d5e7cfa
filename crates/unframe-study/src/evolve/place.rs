//! Which snapshot a page belongs to, and which version stands for its address there.

use std::collections::HashMap;

use jiff::Timestamp;
use unframe::{Origin, Page, SiteBy};

use super::{Bucket, dated};

/// Where a page belongs.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its site.
    pub site: String,
    /// Its bucket of time.
    pub bucket: (i64, String),
    /// Its date and its address.
    pub dated: dated::Dated,
}

/// The last version of each address in each snapshot: by site, bucket and address.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    last: HashMap<(String, i64, String), (Timestamp, Origin)>,
}

impl Place {
    /// The place of a page; `None` if it has no date.
    pub fn of(page: &Page, bucket: &Bucket, site_by: SiteBy) -> Option<Place> {
        let dated = dated::of_page(page)?;
        // Without the folder of its date, a page may belong to another site.
        let site = if dated.url == page.url { page.site.clone() } else { site_by.key(&dated.url) };
        Some(Place { site, bucket: bucket.of(dated.date), dated })
    }

    /// The name of the snapshot, under which it is learned.
    pub fn snapshot(&self) -> String {
        format!("{} {}", self.site, self.bucket.1)
    }

    fn key(&self) -> (String, i64, String) {
        (self.site.clone(), self.bucket.0, dated::address(&self.dated.url))
    }
}

impl Measured {
    /// Takes in a version. Of several at the same moment the last one counts.
    pub fn add(&mut self, place: &Place, origin: Origin) {
        let date = place.dated.date;
        let last = self.last.entry(place.key()).or_insert_with(|| (date, origin.clone()));
        if last.0 <= date {
            *last = (date, origin);
        }
    }

    /// Whether a page stands for its address in its snapshot.
    pub fn has(&self, place: &Place, page: &Page) -> bool {
        self.last.get(&place.key()).is_some_and(|(_, origin)| *origin == page.origin)
    }

    /// Whether no version was taken in.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }
}
