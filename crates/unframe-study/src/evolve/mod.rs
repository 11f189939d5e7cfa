//! Templates over time: their share of a site, how long they last, and how much they change.
//!
//! # What it does
//! - A [`Snapshot`] is a site in one [`Bucket`] of time. Its templates are learned from one version of each address, the last one in the bucket,
//!   because several versions of a page would make its content look repeated.
//! - A [`Trend`] is a line through the shares of snapshots, in percent a year, with its uncertainty.
//! - A [`Duration`] is how long the text of a page's templates, or of its content, stayed the same. A [`Change`] is the difference of two
//!   consecutive versions. A [`PageRate`] estimates how often a page changes from the visits that saw it.
//! - [`report`] writes all results as tables, plots and one HTML file.
//!
//! # Assumes
//! A text that is template in one snapshot and content in the next counts as a change of both, as in the paper. A [`Change`] is recorded only
//! if the text of the whole page differs, so that a mere change of labels does not alert a monitor.
//!
//! # Paper
//! Gibson, Punera, Tomkins: The Volume and Evolution of Web Page Templates (2005), section 6. Beginnings and ends are midpoints between versions;
//! the formula in the paper prints differences.

pub mod bucket;
pub mod dated;
pub mod files;
pub mod place;
pub mod trend;
pub mod durations;
pub mod changes;
pub mod rates;
pub mod report;
mod plots;
mod tables;
mod version;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use unframe::text::content::Volume;

pub use bucket::Bucket;
pub use changes::Change;
pub use durations::Duration;
pub use rates::PageRate;
pub use trend::Trend;
pub use version::{TextValue, Version};

/// The versions of all pages.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The versions by site and address, sorted by date.
    sites: BTreeMap<String, BTreeMap<String, Vec<Version>>>,
}

/// A site in a bucket of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The site.
    pub site: String,
    /// The bucket.
    pub bucket: String,
    /// The mean date of its pages, as a year with a fraction.
    pub year: f64,
    /// The number of addresses.
    pub pages: usize,
    /// The share of template in its pages.
    pub volume: Volume,
}

/// Selects one share of a volume.
pub type ShareOf = fn(&Volume) -> f64;

/// The three measures, in the order of the paper's figures.
pub const MEASURES: [(&str, ShareOf); 3] = [
    ("links", |volume| volume.links.fraction()),
    ("html", |volume| volume.html.fraction()),
    ("text", |volume| volume.text.fraction()),
];

impl History {
    /// Adds a version of a page.
    pub fn add(&mut self, site: &str, version: Version) {
        if !self.sites.contains_key(site) {
            self.sites.insert(site.to_owned(), BTreeMap::new());
        }
        if let Some(addresses) = self.sites.get_mut(site) {
            addresses.entry(version.address.clone()).or_default().push(version);
        }
    }

    /// Sorts the versions of each address by date. If several have the same date, the last one is kept.
    pub fn sort(&mut self) {
        for versions in self.sites.values_mut().flat_map(BTreeMap::values_mut) {
            versions.sort_by_key(|version| version.date);
            versions.reverse();
            versions.dedup_by_key(|version| version.date);
            versions.reverse();
        }
    }

    /// The names of the sites.
    pub fn sites(&self) -> impl Iterator<Item = &str> {
        self.sites.keys().map(String::as_str)
    }

    /// All versions of each address, by site and address.
    pub fn addresses(&self) -> impl Iterator<Item = (&str, &[Version])> {
        self.sites.iter().flat_map(|(site, addresses)| {
            addresses.values().map(move |versions| (site.as_str(), versions.as_slice()))
        })
    }

    /// The snapshots that have at least this many pages, by site and time.
    pub fn snapshots(&self, pages_min: usize) -> Vec<Snapshot> {
        let mut snapshots = Vec::new();
        for (site, addresses) in &self.sites {
            let mut buckets: BTreeMap<&(i64, String), Vec<&Version>> = BTreeMap::new();
            for version in addresses.values().flatten().filter(|version| version.is_measured) {
                buckets.entry(&version.bucket).or_default().push(version);
            }
            let enough = buckets.into_iter().filter(|(_, versions)| versions.len() >= pages_min);
            snapshots.extend(enough.map(|((_, name), versions)| snapshot(site, name, &versions)));
        }
        snapshots
    }
}

fn snapshot(site: &str, bucket: &str, versions: &[&Version]) -> Snapshot {
    let mut volume = Volume::default();
    versions.iter().for_each(|version| volume += version.volume);
    let year =
        versions.iter().map(|version| bucket::year_of(version.date)).sum::<f64>() / versions.len() as f64;
    Snapshot { site: site.to_owned(), bucket: bucket.to_owned(), year, pages: versions.len(), volume }
}
