//! Totals over all states, updated with each page.

use crate::hot::Site;
use crate::record::{NO_DATE, take};
use crate::values::Summary;
use unframe::detect::FollowMethod;

/// Totals over the states of all sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    pub(crate) sites: u64,
    pub(crate) entries: u64,
    /// Dates of the oldest and the newest page.
    pub(crate) oldest: Option<i64>,
    pub(crate) newest: Option<i64>,
}

impl Totals {
    /// Size in a frame of the journal, in bytes.
    pub(crate) const BYTES: usize = 4 * 8;

    /// The totals of the sites with these summaries.
    pub(crate) fn of<'a>(summaries: impl Iterator<Item = &'a Summary>) -> Totals {
        let mut totals = Totals::default();
        for summary in summaries {
            totals.sites += 1;
            totals.entries += summary.entries;
            totals.add_dates(summary.oldest, summary.newest);
        }
        totals
    }

    /// Updates the totals after a page has changed a site.
    pub(crate) fn update(&mut self, site: &mut Site, method: &FollowMethod) {
        let entries = method.len(&site.state) as u64;
        self.sites += u64::from(!std::mem::replace(&mut site.is_counted, true));
        self.entries = self.entries + entries - std::mem::replace(&mut site.entries, entries);
        self.add_dates(site.oldest, site.newest);
    }

    fn add_dates(&mut self, oldest: Option<i64>, newest: Option<i64>) {
        self.oldest = self.oldest.into_iter().chain(oldest).min();
        self.newest = self.newest.into_iter().chain(newest).max();
    }

    pub(crate) fn encode(self) -> [u8; Totals::BYTES] {
        let dates = [self.oldest, self.newest].map(|date| date.unwrap_or(NO_DATE) as u64);
        let mut bytes = [0; Totals::BYTES];
        let numbers = [self.sites, self.entries, dates[0], dates[1]];
        bytes.as_chunks_mut().0.iter_mut().zip(numbers).for_each(|(at, number)| *at = number.to_le_bytes());
        bytes
    }

    /// Reads the totals from the front of `rest`.
    pub(crate) fn read(rest: &mut &[u8]) -> Option<Totals> {
        let mut number = || take(rest).map(u64::from_le_bytes);
        let (sites, entries) = (number()?, number()?);
        let mut date = || number().map(|date| Some(date as i64).filter(|date| *date != NO_DATE));
        Some(Totals { sites, entries, oldest: date()?, newest: date()? })
    }
}
