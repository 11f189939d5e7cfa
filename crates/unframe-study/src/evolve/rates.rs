//! How often the pages of a crawl change, for programs that decide when to fetch a page again.
//!
//! A crawler sees only whether a page changed between two visits, not how often. Cho and Garcia-Molina (*Estimating Frequency of Change*, ACM TOIT
//! 3(3), 2003) estimate the rate of a Poisson process from such incomplete observations. If X of n intervals of length I have a change, the estimate is
//! `−ln((n − X + 0.5) / (n + 0.5)) / I`. The naive estimate X / (n · I) is too low for pages that change more often than they are visited. Theirs is
//! nearly unbiased, and finite even if every visit sees a change. It assumes equal intervals; this implementation uses their mean length.

use jiff::Timestamp;

use super::changes::{self, ChangedPart};
use super::{History, Version};

/// How often a page changes.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRate {
    /// The address of the last version.
    pub url: String,
    /// The site.
    pub site: String,
    /// The date of the first version.
    pub first: Timestamp,
    /// The date of the last one.
    pub last: Timestamp,
    /// The number of versions, including unchanged ones.
    pub visits: usize,
    /// Changes of the content.
    pub content: ChangeRate,
    /// Changes of the templates.
    pub template: ChangeRate,
    /// Changes of the content or the templates.
    pub whole: ChangeRate,
}

/// The changes that were observed, and the estimated rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeRate {
    /// The number of visits at which the text differed from that of the visit before.
    pub changes: usize,
    /// The estimated number of changes a day.
    pub per_day: f64,
}

impl ChangeRate {
    /// Estimates the rate from the number of intervals with a change, the number of all intervals, and the length of an interval in days.
    pub fn estimate(changes: usize, intervals: usize, days: f64) -> ChangeRate {
        let unchanged = (intervals.saturating_sub(changes) as f64 + 0.5) / (intervals as f64 + 0.5);
        // Without changes, the logarithm is 0 with a minus sign.
        ChangeRate { changes, per_day: (-unchanged.ln() / days).abs() }
    }
}

/// The rates of all pages with at least two visits, by site and address.
pub fn of_history(history: &History) -> Vec<PageRate> {
    history.addresses().filter_map(|(site, versions)| page_rate(site, versions)).collect()
}

fn page_rate(site: &str, versions: &[Version]) -> Option<PageRate> {
    let (first, last) = (versions.first()?, versions.last()?);
    let intervals = versions.len() - 1;
    if intervals == 0 {
        return None;
    }
    let days = last.date.duration_since(first.date).as_secs_f64() / 86_400.0 / intervals as f64;
    let changed: Vec<ChangedPart> =
        versions.windows(2).filter_map(|pair| changes::changed_part(&pair[0], &pair[1])).collect();
    let rate = |is_counted: fn(&ChangedPart) -> bool| {
        ChangeRate::estimate(changed.iter().filter(|what| is_counted(what)).count(), intervals, days)
    };
    Some(PageRate {
        url: last.url.clone(),
        site: site.to_owned(),
        first: first.date,
        last: last.date,
        visits: versions.len(),
        content: rate(|what| *what != ChangedPart::Template),
        template: rate(|what| *what != ChangedPart::Content),
        whole: rate(|_| true),
    })
}
