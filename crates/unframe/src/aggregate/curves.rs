//! Curves for the templates of one site or of several: occurrences by rank, and coverage.

use std::collections::{BTreeMap, HashSet};

use super::Aggregation;
use crate::regions::TemplateHash;

/// A point of the coverage curve (figure 4 in the paper).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// The number of templates counted, from the first on.
    pub templates: usize,
    /// The share of all bytes in regions that these templates cover.
    pub bytes: f64,
    /// The number of different hashes in these templates.
    pub hashes: f64,
}

impl Aggregation {
    /// The coverage curve, with one point for each number of templates.
    pub fn coverage(&self) -> Vec<Coverage> {
        let mut hashes: HashSet<TemplateHash> = HashSet::new();
        let mut bytes = 0;
        let point = |(number, template): (usize, &super::Template)| {
            bytes += template.bytes;
            hashes.extend(&template.hashes);
            let share = if self.bytes == 0 { 0.0 } else { bytes as f64 / self.bytes as f64 };
            Coverage { templates: number + 1, bytes: share, hashes: hashes.len() as f64 }
        };
        self.templates.iter().enumerate().map(point).collect()
    }
}

/// The average of the curves of several sites, as in the paper. A curve that ends early is continued with its last point.
pub fn average_coverage<'a>(sites: impl IntoIterator<Item = &'a Aggregation>) -> Vec<Coverage> {
    let curves: Vec<Vec<Coverage>> =
        sites.into_iter().map(Aggregation::coverage).filter(|curve| !curve.is_empty()).collect();
    let longest = curves.iter().map(Vec::len).max().unwrap_or(0);
    let average = |templates: usize, value: fn(&Coverage) -> f64| {
        let sum: f64 =
            curves.iter().filter_map(|curve| curve.get(templates - 1).or(curve.last())).map(value).sum();
        sum / curves.len() as f64
    };
    (1..=longest)
        .map(|templates| Coverage {
            templates,
            bytes: average(templates, |point| point.bytes),
            hashes: average(templates, |point| point.hashes),
        })
        .collect()
}

/// A template hash that occurs on more than one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// The hash.
    pub template: TemplateHash,
    /// The sites by name, with the occurrences on each.
    pub sites: Vec<(String, u64)>,
}

/// The template hashes that occur on more than one site, ordered by the number of sites, descending, then by hash.
pub fn shared_hashes<'a>(sites: impl IntoIterator<Item = (&'a str, &'a Aggregation)>) -> Vec<Shared> {
    let mut on_sites: BTreeMap<TemplateHash, Vec<(&str, u64)>> = BTreeMap::new();
    for (site, aggregation) in sites {
        for ranked in &aggregation.ranks {
            on_sites.entry(ranked.template).or_default().push((site, ranked.occurrences));
        }
    }
    let shared = on_sites.into_iter().filter(|(_, sites)| sites.len() > 1);
    let mut shared: Vec<Shared> = shared
        .map(|(template, mut sites)| {
            sites.sort_unstable();
            let sites = sites.into_iter().map(|(site, count)| (site.to_owned(), count)).collect();
            Shared { template, sites }
        })
        .collect();
    shared.sort_by_key(|shared| std::cmp::Reverse(shared.sites.len()));
    shared
}
